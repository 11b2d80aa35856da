//! `maxout watch`: a recorded run in the terminal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};

use super::exit::INTERRUPTED;
use super::interrupt;
use super::library::LibraryArgs;
use super::output::answer;
use crate::library::open_run;
use crate::watch::{Live, has_terminal};
use crate::words::count;
use maxout_host::Model;
use maxout_host::session::{self, SessionError, Stop};
use maxout_rules::Seed;

/// `maxout watch`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of a run in the library, or folder of a run (or its run.json)
    run: PathBuf,
    #[command(flatten)]
    library: LibraryArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (record, log) = open_run(args.run.as_os_str(), args.library.runs.as_deref())?;
    let run = || args.run.display().to_string();
    if record.start_level > 19 {
        bail!("{}: start level {}, expected 0 to 19", run(), record.start_level);
    }
    let stop: Stop = record.stop.parse().with_context(run)?;
    let menu = usize::try_from(record.menu_frames).unwrap_or(usize::MAX);
    let frames = log.frames();
    let game = &frames[menu.min(frames.len())..];
    let mut model = Model::new(Seed::new(record.seed).start(record.start_level));
    let interrupt = interrupt::flag()?;
    let ended = {
        let mut live = if has_terminal() {
            let what = format!("run {}", run());
            let live = Live::new(&record.player, record.fair, record.seed, &what, &interrupt);
            Some(live.context("the terminal")?)
        } else {
            log::warn!("there is no terminal to watch in; the run is played through");
            None
        };
        let ended = session::replay(&mut model, game, stop, &mut |model, now, _| match &mut live {
            Some(live) => live.frame(now, &model.game().page),
            None => !interrupt.load(Ordering::Relaxed),
        });
        if let (Some(live), true) = (&mut live, ended.is_ok()) {
            live.end("the end: q leaves");
        }
        ended
    };
    match ended {
        Err(SessionError::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Err(error) => Err(error).with_context(run),
        Ok(_) if interrupt.load(Ordering::Relaxed) => Ok(ExitCode::from(INTERRUPTED)),
        Ok(outcome) => {
            let (points, lines) = (count(outcome.score, "point"), count(outcome.lines, "line"));
            answer(&format!("{points}, {lines}, level {}", outcome.level))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
