//! `maxout runs`: what the run library holds.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::Context;
use clap::Subcommand;
use serde::Serialize;

use super::library::LibraryArgs;
use super::output::{self, Outputs, answer, say};
use super::progress::Progress;
use super::{INTERRUPTED, NO, cartridge, interrupt};
use crate::files::prepare_folder;
use crate::record::compare::{best, groups};
use crate::record::export::{Format, Table};
use crate::record::library::{Library, RunId};
use crate::record::run::{self, Record};
use crate::record::verify::{Verdict, Verifier, VerifyError};
use crate::report::runs::{group_text, list_text, run_text};
use crate::session::SessionError;

/// `maxout runs`.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// All runs, newest first
    List {
        #[command(flatten)]
        which: Which,
        /// Show the newest N only
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
        #[command(flatten)]
        json: Json,
    },
    /// One run, with its statistics
    Show {
        /// Number of the run
        #[arg(allow_negative_numbers = true)]
        id: RunId,
        #[command(flatten)]
        library: LibraryArgs,
        /// Compare the pace with a game that makes this score at 230 lines
        #[arg(long, value_name = "SCORE")]
        target: Option<u64>,
        #[command(flatten)]
        json: Json,
    },
    /// The run with the highest score of each player
    Best {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        json: Json,
    },
    /// Statistics over many runs, by player, version, start level and stop
    Stats {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        json: Json,
    },
    /// Runs for other programs
    Export {
        /// Numbers of the runs [default: all]
        #[arg(value_name = "ID", allow_negative_numbers = true)]
        ids: Vec<RunId>,
        #[command(flatten)]
        which: Which,
        /// csv: a table; jsonl: a JSON object per line; folder: a folder for each run, which `replay` takes
        #[arg(long, value_enum, default_value_t = Form::Csv)]
        format: Form,
        /// With --format jsonl: the button logs too
        #[arg(long)]
        logs: bool,
        /// Where to [default: stdout]; with --format folder the folder to make them in
        #[arg(short, long, value_name = "PATH", required_if_eq("format", "folder"))]
        output: Option<PathBuf>,
    },
    /// Plays button logs again and compares score, lines, frames and RAM; exit 1 if any differs
    Verify {
        /// Numbers of the runs
        #[arg(value_name = "ID", required_unless_present = "all", allow_negative_numbers = true)]
        ids: Vec<RunId>,
        /// All runs of the library
        #[arg(long, conflicts_with = "ids")]
        all: bool,
        #[command(flatten)]
        which: Which,
        /// Cartridge image that they were played on [default: the embedded test cartridge]
        #[arg(long, value_name = "ROM")]
        cartridge: Option<PathBuf>,
        /// Take a cartridge image that is not known, at your own risk
        #[arg(long)]
        allow_unknown: bool,
        /// Play them on the model: much faster, but RAM is not compared
        #[arg(long, conflicts_with = "cartridge")]
        model: bool,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(clap::Args)]
struct Which {
    #[command(flatten)]
    library: LibraryArgs,
    /// Only runs of this player
    #[arg(long, value_name = "P")]
    player: Option<String>,
}

#[derive(clap::Args)]
struct Json {
    /// Write the answer as JSON to this file; - for stdout, instead of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Csv,
    Jsonl,
    Folder,
}

impl Json {
    /// Refuses a file that cannot be written.
    fn check(&self) -> anyhow::Result<()> {
        Outputs::check([("--json", self.json.as_deref())]).map(|_| ())
    }

    fn give(&self, value: &impl Serialize, text: &str) -> anyhow::Result<()> {
        if let Some(file) = &self.json {
            output::write_json("--json", file, value)?;
        }
        answer(text)
    }
}

/// A record as it is listed.
#[derive(Serialize)]
struct Listed {
    id: RunId,
    #[serde(flatten)]
    record: Record,
}

fn give_list(records: Vec<(RunId, Record)>, json: &Json) -> anyhow::Result<ExitCode> {
    let text = list_text(&records);
    let listed: Vec<Listed> = records.into_iter().map(|(id, record)| Listed { id, record }).collect();
    json.give(&listed, &text)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::List { which, limit, json } => {
            json.check()?;
            let mut records = which.library.open()?.records(which.player.as_deref())?;
            records.reverse();
            records.truncate(limit.unwrap_or(usize::MAX));
            give_list(records, &json)
        }
        What::Best { which, json } => {
            json.check()?;
            give_list(best(which.library.open()?.records(which.player.as_deref())?), &json)
        }
        What::Show { id, library, target, json } => {
            json.check()?;
            let run = library.open()?.run(id)?;
            json.give(&run, &run_text(&run, target))?;
            Ok(ExitCode::SUCCESS)
        }
        What::Stats { which, json } => {
            json.check()?;
            let groups = groups(&which.library.open()?, which.player.as_deref())?;
            let text: Vec<String> = groups.iter().map(group_text).collect();
            json.give(&groups, &text.join("\n\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        What::Export { ids, which, format, logs, output } => {
            let library = which.library.open()?;
            // A run that is not there is named before anything is written.
            ids.iter().try_for_each(|&id| library.run(id).map(|_| ()))?;
            let ids = if ids.is_empty() { library.ids(which.player.as_deref())? } else { ids };
            export(&library, &ids, format, logs, output.as_deref())
        }
        What::Verify { ids, all, which, cartridge, allow_unknown, model, json } => {
            json.check()?;
            let library = which.library.open()?;
            let ids = if all { library.ids(which.player.as_deref())? } else { ids };
            let console = if model {
                None
            } else {
                let inserted = cartridge::insert(cartridge.as_deref(), allow_unknown)?;
                Some((inserted.console, inserted.identity.sha1))
            };
            verify(&library, &ids, &mut Verifier { console }, all, &json)
        }
    }
}

fn export(
    library: &Library,
    ids: &[RunId],
    format: Form,
    logs: bool,
    output: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let context = |path: &Path| format!("--output {}", path.display());
    let format = match format {
        Form::Csv => Format::Csv,
        Form::Jsonl => Format::Jsonl,
        Form::Folder => {
            let parent = output.unwrap_or(Path::new("."));
            prepare_folder(parent).with_context(|| context(parent))?;
            for &id in ids {
                let (record, log) = library.record_and_log(id)?;
                answer(&run::save(parent, &record, &log)?.display().to_string())?;
            }
            return Ok(ExitCode::SUCCESS);
        }
    };
    let write = |to: &mut dyn Write| -> anyhow::Result<()> {
        let mut table = Table::new(format, to)?;
        for &id in ids {
            let log = if logs { Some(library.record_and_log(id)?.1) } else { None };
            table.add(library.run(id)?, log.as_ref())?;
        }
        Ok(table.finish()?)
    };
    match output {
        Some(file) => {
            Outputs::check([("--output", Some(file))])?;
            output::write_with("--output", file, write)?;
        }
        None => write(&mut io::stdout().lock())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What became of one run, for `--json`.
#[derive(Serialize)]
struct Answer {
    id: RunId,
    verified: bool,
    #[serde(flatten)]
    verdict: Option<Verdict>,
    /// Why it could not be played again.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

/// Runs that were named must be there and be readable; among `all` a damaged one is a lost verification.
fn verify(
    library: &Library,
    ids: &[RunId],
    verifier: &mut Verifier,
    all: bool,
    json: &Json,
) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(ids.len() as u64, "runs");
    let (mut done, mut lines) = (Vec::new(), Vec::new());
    let mut interrupted = false;
    for &id in ids {
        bar.message(format!("run {id}"));
        let mut go_on = || !interrupt.load(Ordering::Relaxed);
        let verdict = library.record_and_log(id).map_err(anyhow::Error::from).and_then(|(record, log)| {
            let verdict = verifier.verify(&record, &log, &mut go_on);
            Ok((verdict.with_context(|| format!("run {id}"))?, record))
        });
        match verdict {
            Ok((verdict, record)) => {
                lines.push(verdict_text(id, &verdict, &record));
                let verified = verdict.differences.is_empty();
                done.push(Answer { id, verified, verdict: Some(verdict), trouble: None });
            }
            Err(error) if is_interrupt(&error) => {
                interrupted = true;
                break;
            }
            Err(error) if all => {
                let trouble = format!("{error:#}");
                lines.push(format!("not verified: {trouble}"));
                done.push(Answer { id, verified: false, verdict: None, trouble: Some(trouble) });
            }
            Err(error) => return Err(error),
        }
        bar.inc(1);
    }
    bar.finish();
    let verified = done.iter().filter(|run| run.verified).count();
    lines.push(format!("{verified} of {} runs verified", ids.len()));
    json.give(&done, &lines.join("\n"))?;
    if interrupted {
        say!("interrupted after {} of {} runs", done.len(), ids.len());
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if verified == ids.len() { ExitCode::SUCCESS } else { ExitCode::from(NO) })
}

fn is_interrupt(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(VerifyError::Session(SessionError::Interrupted)))
}

fn verdict_text(id: RunId, verdict: &Verdict, record: &Record) -> String {
    if verdict.differences.is_empty() {
        let ram = match &record.ram_crc32 {
            Some(crc) if verdict.host == "console" => format!(", RAM {crc}"),
            _ => String::new(),
        };
        return format!(
            "run {id}: verified on the {}: score {}, {} lines, {} frames{ram}",
            verdict.host, record.score, record.lines, record.frames
        );
    }
    let differences: Vec<String> = verdict
        .differences
        .iter()
        .map(|d| format!("{} {} recorded, {} replayed", d.what, d.recorded, d.replayed))
        .collect();
    format!("run {id}: differs on the {}: {}", verdict.host, differences.join("; "))
}
