//! `maxout watch`: a recorded run, or a movie, in the terminal.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};

use crate::cli::args::{
    cartridge::{self, RomArgs},
    library::LibraryArgs,
    source::{self, Source},
};
use crate::cli::commands::replay::{AFTER, found};
use crate::cli::exit::INTERRUPTED;
use crate::cli::interrupt;
use crate::cli::output::answer;
use crate::library::open_run;
use crate::movie::games::Games;
use crate::watch::{Live, has_terminal};
use crate::words::count;
use maxout_host::Model;
use maxout_host::session::{self, SessionError};
use maxout_host::tape::{Tape, Turn};
use maxout_record::movie::{MovieFormat, MovieFrame};
use maxout_record::run::TimelineError;
use maxout_rules::{Region, Seed, ram};

/// `maxout watch`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of a run in the library, folder of a run (or its run.json), or a movie (.fm2, .fm3, .bk2, .tasproj)
    #[arg(value_name = "RUN|MOVIE")]
    run: PathBuf,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    cartridge: RomArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let expected = "the number of a run, its folder or a movie (.fm2, .fm3, .bk2, .tasproj)";
    match Source::of(&args.run, expected)? {
        Source::Run => watch_run(args),
        Source::Movie(format) => watch_movie(args, format),
        Source::Recording => {
            let name = args.run.display().to_string();
            bail!("{name}: {}, expected {expected}; {}", source::RECORDING, source::review(&name))
        }
        Source::Video => {
            let name = args.run.display().to_string();
            bail!("{name}: {}, expected {expected}; {}", source::VIDEO, source::review(&name))
        }
    }
}

/// The terminal, if there is one.
fn live(
    title: &str,
    game: &str,
    what: &str,
    region: Region,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Option<Live>> {
    if !has_terminal() {
        log::warn!("there is no terminal to watch in, so only the result is shown");
        return Ok(None);
    }
    Ok(Some(Live::new(title, game, what, region, interrupt).context("the terminal")?))
}

/// What is shown when there are no more frames.
const END: &str = "the end: q leaves";

fn watch_run(args: &Args) -> anyhow::Result<ExitCode> {
    let (record, log) = open_run(args.run.as_os_str(), args.library.dir()?)?;
    let run = || args.run.display().to_string();
    if record.start_level > record.edition().last_start_level() {
        bail!("{}: start level {}, expected 0 to 19", run(), record.start_level);
    }
    if !record.has_start() {
        return Err(TimelineError::UnknownStart(record.seed)).with_context(run);
    }
    let menu = usize::try_from(record.menu_frames).unwrap_or(usize::MAX);
    let frames = log.frames();
    let game = &frames[menu.min(frames.len())..];
    let mut model = Model::new(record.start());
    let interrupt = interrupt::flag()?;
    let ended = {
        let kind = if record.fair { "fair" } else { "clairvoyant" };
        let title = format!("{} ({kind})", record.player);
        let mut live = live(
            &title,
            &format!("seed {}", Seed::name(record.seed)),
            &format!("run {}", run()),
            record.region(),
            &interrupt,
        )?;
        let ended = session::replay(&mut model, game, record.stop, &mut |model, now, _| match &mut live {
            Some(live) => live.frame(now, &model.game().page),
            None => !interrupt.load(Ordering::Relaxed),
        });
        if let (Some(live), true) = (&mut live, ended.is_ok()) {
            live.end(END);
        }
        ended
    };
    match ended {
        Err(SessionError::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Err(error) => Err(error).with_context(run),
        Ok(_) if interrupt.load(Ordering::Relaxed) => Ok(ExitCode::from(INTERRUPTED)),
        Ok(outcome) => {
            let (points, lines) = (count(outcome.result.score, "point"), count(outcome.result.lines, "line"));
            answer(&format!("{points}, {lines}, level {}", outcome.result.level))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Plays a movie in the emulator and shows its games, the last one to its end.
fn watch_movie(args: &Args, format: MovieFormat) -> anyhow::Result<ExitCode> {
    let (movie, mut inserted) = cartridge::insert_for(&args.run, format, &args.cartridge)?;
    let name = args.run.file_name().unwrap_or(args.run.as_os_str()).to_string_lossy().into_owned();
    let interrupt = interrupt::flag()?;
    let (mut tape, mut games, mut game) = (Tape::default(), Games::default(), 0);
    let records = movie.frames.len() as u64;
    {
        let mut live = live(&name, "menus", "", inserted.identity.region, &interrupt)?;
        for number in 0..records + AFTER {
            let frame = match movie.frames.get(number as usize) {
                Some(frame) => *frame,
                None if games.current().is_some() => MovieFrame::default(),
                None => break,
            };
            let now = match tape.play(&mut inserted.console, frame)? {
                Turn::Ran => inserted.console.snapshot(),
                Turn::Reset => {
                    games.reset();
                    continue;
                }
                Turn::Skipped => continue,
            };
            games.see(number, &now);
            let go_on = match (&mut live, games.current()) {
                (Some(live), Some(current)) => {
                    if current != game {
                        game = current;
                        live.begin(&format!("game {game}"));
                    }
                    live.frame(&now, &ram::page(inserted.console.ram()))
                }
                _ => true,
            };
            if !go_on || interrupt.load(Ordering::Relaxed) {
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
        if let Some(live) = live.as_mut().filter(|_| game > 0) {
            live.end(END);
        }
    }
    answer(&format!("{}: {}", args.run.display(), found(records, &games.finish())))?;
    Ok(ExitCode::SUCCESS)
}
