//! `maxout conform`: measured traces against the model or a cartridge.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use crate::cli::args::cartridge;
use crate::cli::exit::NO;
use crate::cli::output::answer;
use crate::conform::{TraceVerdict, on_cartridge, on_model, trace};
use crate::files;
use crate::text::one_line;
use crate::words::count;
use maxout_host::Console;

/// `maxout conform`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Replay on this cartridge image in the emulator, from power-on, instead of on the model
    #[arg(long, value_name = "ROM", alias = "cartridge")]
    rom: Option<PathBuf>,
    /// Traces (csv.gz, format in docs/reference/formats.md)
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut image = match &args.rom {
        // Any image may be measured; only a broken one is refused.
        Some(path) => Some(cartridge::insert(Some(path), true)?.console),
        None => None,
    };
    let mut all_equal = true;
    for path in &args.traces {
        let verdict = judge(path, image.as_mut())?;
        all_equal &= verdict.differences == 0;
        answer(&format!("{}: {}", one_line(&path.display().to_string()), describe(&verdict)))?;
    }
    Ok(if all_equal { ExitCode::SUCCESS } else { ExitCode::from(NO) })
}

fn judge(path: &Path, console: Option<&mut Console>) -> anyhow::Result<TraceVerdict> {
    let bytes = files::read(path, trace::MAX_BYTES).with_context(|| path.display().to_string())?;
    let rows = trace::read(&bytes).with_context(|| path.display().to_string())?;
    Ok(match console {
        Some(console) => on_cartridge(&rows, console).with_context(|| path.display().to_string())?,
        None => on_model(&rows),
    })
}

fn describe(verdict: &TraceVerdict) -> String {
    let TraceVerdict { rows, unseen, games, skipped_games, differences, first } = verdict;
    let mut text =
        format!("{}, {}, {}", count(*rows, "row"), count(*games, "game"), count(*differences, "difference"));
    match unseen {
        0 => {}
        1 => text += " (frame 0, before the first row, played without buttons)",
        _ => text += &format!(" (frames 0 to {}, before the first row, played without buttons)", unseen - 1),
    }
    if *skipped_games > 0 {
        text += &format!(" ({} left out)", count(*skipped_games, "B-type game"));
    }
    if let Some(first) = first {
        text += &format!("; first: {first}");
    }
    if *rows == 0 {
        text += " (nothing to compare: no game begins in this trace)";
    }
    text
}
