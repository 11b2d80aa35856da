//! `maxout runs`: what the run library holds.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Subcommand;

use crate::cli::args::{
    cartridge::{self, RomArgs},
    json::Json,
    library::LibraryArgs,
    values::whole,
};
use crate::cli::commands::{import, verify::verify};
use crate::cli::exit::NO;
use crate::cli::output::{self, Outputs, answer, say};
use crate::files::prepare_folder;
use crate::library::compare::{best, groups};
use crate::library::export::{self, Format};
use crate::library::run;
use crate::library::store::{
    DamagedRun, Library, LibraryError, Listed, Note, Readable, Repairs, RunFilter, RunId, Salvaged, Tag,
    salvage,
};
use crate::library::verify::Verifier;
use crate::results::runs::{group_text, list_text, run_text, short_text};
use crate::words::{count, number};

/// `maxout runs`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List runs, newest first
    List {
        #[command(flatten)]
        which: Which,
        /// Order: score and lines from the most, date and id from the newest, player by name
        #[arg(long, value_enum, default_value_t = Order::Id)]
        sort: Order,
        /// Show the first N only [default: all]
        #[arg(long, value_name = "N", value_parser = whole::<usize>(..))]
        limit: Option<usize>,
        #[command(flatten)]
        json: Json,
    },
    /// Show one run with its statistics
    Show {
        /// Number of the run
        #[arg(allow_negative_numbers = true)]
        id: RunId,
        #[command(flatten)]
        library: LibraryArgs,
        /// Compare the pace with a game that makes this score at 230 lines
        #[arg(long, value_name = "SCORE", value_parser = whole::<u64>(..))]
        target: Option<u64>,
        #[command(flatten)]
        json: Json,
    },
    /// Show the highest score of each player
    Best {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        json: Json,
    },
    /// Print statistics by player, version, host, cartridge, start level and stop; equal games count once
    Stats {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        json: Json,
    },
    /// Attach a note to a run, in place of its old one; words with # are tags, which `list --note '#tag'` finds
    Note {
        /// Number of the run
        #[arg(allow_negative_numbers = true)]
        id: RunId,
        /// The note; an empty one takes the old one away
        text: Note,
        #[command(flatten)]
        library: LibraryArgs,
    },
    /// Move damaged runs into a library of their own: the folder `damaged` in the library's folder. What cannot be read in a note is
    /// removed instead. If pages of the library's file are damaged, all runs that can still be read go into a new file, and the old
    /// one into that folder
    Repair {
        #[command(flatten)]
        library: LibraryArgs,
    },
    /// Delete runs for good, without asking, and name them
    Rm {
        /// Numbers of the runs
        #[arg(value_name = "ID", required = true, allow_negative_numbers = true)]
        ids: Vec<RunId>,
        #[command(flatten)]
        library: LibraryArgs,
    },
    /// Export runs as CSV, JSON Lines or folders
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
    /// Add runs from folders, as `export --format folder` and the Python package write them. Each is first played again
    /// on the model; if one does not match its record, none is added. A missing library is created
    Import {
        /// Folders of runs
        #[arg(value_name = "FOLDER", required = true)]
        folders: Vec<PathBuf>,
        #[command(flatten)]
        library: LibraryArgs,
    },
    /// Play button logs again, and compare score, lines, frames and RAM; exit 1 if any differs
    Verify {
        /// Numbers of the runs [default: all]
        #[arg(value_name = "ID", allow_negative_numbers = true)]
        ids: Vec<RunId>,
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        cartridge: RomArgs,
        /// Play them on the model: much faster, but RAM is not compared
        #[arg(long, conflicts_with = "rom")]
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
    /// Only runs whose note has this text; #TAG finds the tag only, as a whole word
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Which {
    /// The tag that `--note` names, if it names one.
    fn tag(&self) -> Option<Tag> {
        self.note.as_ref().filter(|note| note.starts_with('#'))?.parse().ok()
    }

    /// Opens the library and says which of its runs are meant. A player must be registered or have runs there.
    fn open(&self) -> anyhow::Result<(Library, RunFilter)> {
        let library = self.library.open()?;
        let Self { player, note, .. } = self;
        if let Some(name) = player {
            // A player that is held to a filter is called NAME+FILTER.
            let known = maxout_gallery::find(name.split('+').next().unwrap_or(name));
            let kept = RunFilter { player: Some(name.clone()), ..RunFilter::default() };
            if known.is_err() && library.find(&kept)?.is_empty() {
                known.with_context(|| format!("--player {name}"))?;
            }
        }
        let tag = self.tag();
        let note = if tag.is_some() { None } else { note.clone() };
        Ok((library, RunFilter { player: player.clone(), tag, note }))
    }

    /// The message if no run matches.
    fn none(&self) -> String {
        let Self { player, note, .. } = self;
        let chosen = [
            player.as_ref().map(|name| format!("of the player {name}")),
            match (self.tag(), note) {
                (Some(tag), _) => Some(format!("with the tag {tag}")),
                (None, note) => note.as_ref().map(|text| format!("with {text:?} in its note")),
            },
        ];
        let chosen: Vec<String> = chosen.into_iter().flatten().collect();
        match &chosen[..] {
            [] => "the library has no run".to_owned(),
            _ => format!("the library has no run {}", chosen.join(" and ")),
        }
    }

    /// The library, and the runs that are named in it; if none is, those that are meant.
    fn named(&self, ids: Vec<RunId>) -> anyhow::Result<(Library, Vec<RunId>)> {
        let (library, filter) = self.open()?;
        if ids.is_empty() {
            let ids = library.find(&filter)?;
            return Ok((library, ids));
        }
        if filter != RunFilter::default() {
            bail!("--player and --note choose among all runs, expected no numbers of runs beside them");
        }
        Ok((library, ids))
    }
}

/// By what runs are sorted.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    Score,
    Lines,
    Date,
    Player,
    Id,
}

impl Order {
    /// Sorts runs by it; of equals the newer one comes first.
    fn sort(self, runs: &mut [Listed]) {
        runs.sort_by(|a, b| {
            let (first, second) = (&a.record, &b.record);
            let order = match self {
                Self::Score => second.result.score.cmp(&first.result.score),
                Self::Lines => second.result.lines.cmp(&first.result.lines),
                Self::Date => second.made_at.cmp(&first.made_at),
                Self::Player => first.player.cmp(&second.player),
                Self::Id => Ordering::Equal,
            };
            order.then(b.id.cmp(&a.id))
        });
    }
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Csv,
    Jsonl,
    Folder,
}

fn give_list(runs: &[Listed], json: &Json) -> anyhow::Result<ExitCode> {
    json.give(&runs, &list_text(runs))?;
    Ok(ExitCode::SUCCESS)
}

/// Most damaged runs that a message names.
const NAMED: usize = 10;

/// The first of these numbers.
fn list(ids: impl ExactSizeIterator<Item = RunId>) -> String {
    let more = if ids.len() > NAMED { ", …" } else { "" };
    ids.take(NAMED).map(|id| id.to_string()).collect::<Vec<_>>().join(", ") + more
}

/// Says how many of `all` runs are damaged, which, and what is wrong with the first.
fn tell_damaged(damaged: &[DamagedRun], all: usize) {
    let Some(DamagedRun { message, .. }) = damaged.first() else { return };
    let named = list(damaged.iter().map(|run| run.id));
    let (are, first, them) =
        if damaged.len() == 1 { ("is", "", "it") } else { ("are", "the first: ", "them") };
    say!(
        "{} of {} {are} damaged: {named} ({first}{message}); `maxout runs repair` moves {them} aside",
        number(damaged.len() as u64),
        count(all as u64, "run"),
    );
}

/// Repairs the library, and says what was done.
fn repair(library: &LibraryArgs) -> anyhow::Result<ExitCode> {
    let mut library = match library.open_to_write() {
        Err(error) if matches!(error.downcast_ref(), Some(LibraryError::Torn { .. })) => {
            let Salvaged { kept, lost, aside } = salvage(&library.folder()?)?;
            let mut lines = vec![format!(
                "{} read from the damaged file, which is now {}",
                count(kept, "run"),
                aside.display()
            )];
            if !lost.is_empty() {
                lines.push(format!(
                    "{} without a run that can be read: {}",
                    count(lost.len() as u64, "number"),
                    list(lost.into_iter())
                ));
            }
            answer(&lines.join("\n"))?;
            library.open_to_write()?
        }
        library => library?,
    };
    let Repairs { notes, aside, left } = library.repair()?;
    let place = library.aside();
    let cleaned = notes.iter().map(|DamagedRun { id, message }| format!("run {id}: note cleaned: {message}"));
    let moved = aside
        .iter()
        .map(|DamagedRun { id, message }| format!("run {id}: moved to {}: {message}", place.display()));
    let lines: Vec<String> =
        cleaned.chain(moved).chain([format!("{} can be read", count(left, "run"))]).collect();
    answer(&lines.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::List { which, sort, limit, json } => {
            json.check([which.library.folder()?])?;
            let (library, filter) = which.open()?;
            let Readable { mut runs, damaged } = library.list(&filter)?;
            tell_damaged(&damaged, runs.len() + damaged.len());
            sort.sort(&mut runs);
            runs.truncate(limit.unwrap_or(usize::MAX));
            give_list(&runs, &json)
        }
        What::Best { which, json } => {
            json.check([which.library.folder()?])?;
            let (library, filter) = which.open()?;
            let Readable { runs, damaged } = library.list(&filter)?;
            tell_damaged(&damaged, runs.len() + damaged.len());
            give_list(&best(runs), &json)
        }
        What::Show { id, library, target, json } => {
            json.check([library.folder()?])?;
            let run = library.open()?.run(id)?;
            json.give(&run, &run_text(&run, target))?;
            Ok(ExitCode::SUCCESS)
        }
        What::Stats { which, json } => {
            json.check([which.library.folder()?])?;
            let (library, filter) = which.open()?;
            let all = library.find(&filter)?.len();
            let Readable { runs: groups, damaged } = groups(&library, &filter)?;
            tell_damaged(&damaged, all);
            if groups.is_empty() {
                json.give(&groups, &which.none())?;
                return Ok(ExitCode::from(NO));
            }
            let text: Vec<String> = groups.iter().map(group_text).collect();
            json.give(&groups, &text.join("\n\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        What::Note { id, text, library } => {
            let note = library.open_to_write()?.set_note(id, &text)?;
            answer(&format!("run {id}: {note}"))?;
            Ok(ExitCode::SUCCESS)
        }
        What::Repair { library } => repair(&library),
        What::Rm { ids, library } => remove(&mut library.open_to_write()?, ids),
        What::Export { ids, which, format, logs, output } => {
            if logs && format == Form::Csv {
                bail!("--logs: a table in CSV has no button logs, expected --format jsonl or folder");
            }
            if let Some(file) = output.as_ref().filter(|_| format != Form::Folder) {
                let folder = which.library.folder()?;
                Outputs::check([("--output", Some(file.as_path()))])?.apart_from([&folder])?;
            }
            let named = !ids.is_empty();
            let (library, mut ids) = which.named(ids)?;
            // A run that is not there is named before anything is written.
            if named {
                ids.iter().try_for_each(|&id| library.run(id).map(|_| ()))?;
            } else {
                let all = std::mem::take(&mut ids);
                let wanted = |library: &Library, id| {
                    let logs = logs || format == Form::Folder;
                    library
                        .run(id)
                        .and_then(|_| if logs { library.check_whole(id).map(|()| id) } else { Ok(id) })
                };
                let damaged = library.read_each(&all, wanted, |id| ids.push(id))?;
                tell_damaged(&damaged, all.len());
            }
            export(&library, &ids, format, logs, output.as_deref())
        }
        What::Import { folders, library } => import::run(&folders, library.dir()?),
        What::Verify { ids, which, cartridge, model, json } => {
            json.check([which.library.folder()?].iter().chain(&cartridge.rom))?;
            let all = ids.is_empty();
            let (library, ids) = which.named(ids)?;
            let console = if model {
                None
            } else {
                let inserted = cartridge::insert(cartridge.rom.as_deref(), cartridge.unknown.allow_unknown)?;
                Some((inserted.console, inserted.identity.sha1))
            };
            verify(&library, &ids, &mut Verifier { console }, all, &json)
        }
    }
}

/// Removes all of these runs or none, and says which they were.
fn remove(library: &mut Library, mut ids: Vec<RunId>) -> anyhow::Result<ExitCode> {
    ids.sort_unstable();
    ids.dedup();
    let mut lines = Vec::new();
    for &id in &ids {
        lines.push(match library.listed(id) {
            Ok(run) => format!("removed run {id}: {}", short_text(&run.record)),
            Err(LibraryError::Run { message, .. }) => {
                format!("removed run {id}, which was damaged: {message}")
            }
            Err(error) => return Err(error.into()),
        });
    }
    library.remove(&ids)?;
    answer(&lines.join("\n"))?;
    Ok(ExitCode::SUCCESS)
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
                let saved = match library.record_and_log(id) {
                    Err(LibraryError::NoButtons { .. }) => {
                        let (record, frames) = library.record_and_frames(id)?;
                        run::save_read(parent, &record, &library.listed(id)?.note, &frames)
                    }
                    played => played.map(|(record, log)| run::save(parent, &record, &log))?,
                };
                answer(&saved?.display().to_string())?;
            }
            return Ok(ExitCode::SUCCESS);
        }
    };
    let write = |to: &mut dyn Write| -> anyhow::Result<()> {
        let runs = ids.iter().map(|&id| {
            let run = library.run(id)?;
            let has_log = logs && !run.record.host.is_read();
            let log = if has_log { Some(library.record_and_log(id)?.1) } else { None };
            Ok((run, log))
        });
        export::write(format, to, runs)
    };
    match output {
        Some(file) => output::write_with("--output", file, write)?,
        // What is wrong with a run names the run.
        None => write(&mut io::stdout().lock())
            .map_err(|error| if error.is::<io::Error>() { error.context("stdout") } else { error })?,
    }
    Ok(ExitCode::SUCCESS)
}
