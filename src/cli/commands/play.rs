//! `maxout play`: games in the emulator.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use anyhow::Context;

use crate::cli::args::cartridge::{self, CartridgeArgs};
use crate::cli::args::games::{GameArgs, Options};
use crate::cli::args::heading;
use crate::cli::args::pictures::told;
use crate::cli::args::values::whole;
use crate::cli::interrupt;
use crate::cli::output::results::Results;
use crate::cli::output::{Outputs, answer};
use crate::export::pictures::Written;
use crate::export::pictures::canvas::Canvas;
use crate::export::pictures::png::{self, PngFolder};
use crate::pace::Pace;
use crate::watch::{Live, has_terminal};
use crate::words::{count, number};
use maxout_host::Console;
use maxout_host::batch::{self, Batch, BatchError};
use maxout_record::result::HostKind;
use maxout_rules::{FallRule, Region, Seed, ram};

/// `maxout play`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cartridge: CartridgeArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Keep no game
    #[arg(long, conflicts_with = "runs", help_heading = heading::RESULTS)]
    no_runs: bool,
    /// Watch the game in the terminal (? there shows the keys); without a terminal, plain progress
    #[arg(long, conflicts_with = "realtime", help_heading = heading::WATCHING)]
    watch: bool,
    /// Play at the console's speed, 60.0988 frames a second (50.007 on PAL), 8 frames ahead of what is shown, and count the frames that
    /// were not ready in time
    #[arg(long, help_heading = heading::WATCHING)]
    realtime: bool,
    /// Write PNG frames into this folder
    #[arg(long, value_name = "DIR", help_heading = heading::WATCHING)]
    png: Option<PathBuf>,
    /// With --png: write every Nth frame of play
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = whole::<u64>(1..), help_heading = heading::WATCHING)]
    every: u64,
}

/// Frames by which play in real time runs ahead of what is shown: less than the entry delay, 10 frames at least, so
/// that the decision for a piece is made while the entry delay is shown.
const REALTIME_LEAD: u32 = 8;

/// Plays in the emulator.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Args { cartridge, game, no_runs, watch: live, realtime, png: png_folder, every } = args;
    let mut inserted = cartridge::insert(cartridge.rom(), cartridge.other.unknown.allow_unknown)?;
    let fall_rule = match inserted.identity.region {
        Region::Ntsc => FallRule::Ntsc,
        Region::Pal => FallRule::Pal,
    };
    let mut options = Options::new(game, fall_rule)?;
    options.check_edition(inserted.identity.edition)?;
    options.batch.check_for_console(inserted.identity.edition)?;
    options.outputs = options.outputs.apart_from(cartridge.rom())?;
    look_over(&mut options.outputs, png_folder.as_deref())?;
    options.keep = !no_runs;
    let library = options.open_library()?;
    // Dropped at the end: a folder that was made for pictures of which there are none goes again.
    let _folder = match &png_folder {
        Some(folder) => {
            Some(PngFolder::create(folder).with_context(|| format!("--png {}", folder.display()))?)
        }
        None => None,
    };
    let interrupt = interrupt::flag()?;
    let mut results = Results::new(&options, library, HostKind::Console, inserted.name());
    let bar = Rc::clone(&results.bar);
    let several = options.batch.games > 1;
    let mut frame = (options.batch.first_seed, 0u64);
    let (mut drawn, mut bytes) = (0, 0);
    let mut pace =
        Pace::new(options.batch.fall_rule.region().frames_per_second()).with_frame_lead(REALTIME_LEAD);
    let mut live = if live && has_terminal() {
        bar.hide();
        let Batch { player, first_seed, .. } = &options.batch;
        let kind = if player.capabilities().is_fair { "fair" } else { "clairvoyant" };
        let (title, game) =
            (format!("{} ({kind})", player.name), format!("seed {}", Seed::name(*first_seed)));
        let live = Live::new(&title, &game, "in the emulator", inserted.identity.region, &interrupt);
        Some(live.context("the terminal")?)
    } else {
        None
    };
    let mut watch = |seed: u64, console: &Console, now: &ram::Snapshot| {
        frame = if frame.0 == seed { (seed, frame.1 + 1) } else { (seed, 1) };
        if let Some(live) = &mut live {
            if frame.1 == 1 {
                live.begin(&format!("seed {}", Seed::name(seed)));
            }
            if !live.frame(now, &ram::page(console.ram())) {
                return Ok(false);
            }
        }
        if realtime {
            if frame.1 == 1 {
                pace.rest();
            }
            pace.frame();
        }
        if frame.1.is_multiple_of(16) && now.in_control() {
            bar.show(seed, now);
        }
        if let Some(folder) = &png_folder
            && frame.1.is_multiple_of(every)
        {
            let folder = if several { folder.join(format!("seed-{seed}")) } else { folder.clone() };
            let file = png::path(&folder, frame.1);
            let canvas = Canvas::from(&console.picture()?);
            let written = fs::create_dir_all(&folder).and_then(|()| png::write(&file, &canvas));
            let size = written.and_then(|()| fs::metadata(&file)).map(|found| found.len());
            bytes += size.with_context(|| format!("--png {}", file.display()))?;
            drawn += 1;
        }
        Ok(!interrupt.load(Ordering::Relaxed))
    };
    let ended =
        batch::play(&options.batch, &mut inserted.console, &mut watch, &mut |game| results.add(&game));
    drop(live);
    let code = results.finish(ended).map_err(|error| match error.downcast_ref::<BatchError>() {
        None | Some(BatchError::Sink(_)) => error,
        // What the cartridge did.
        Some(_) => error.context(inserted.file),
    })?;
    if realtime {
        answer(&kept_pace(&pace))?;
    }
    if let Some(path) = png_folder {
        answer(&told(&Written { path, bytes: Some(bytes), seconds: None, pictures: drawn }))?;
    }
    Ok(code)
}

/// Refuses a folder for pictures that is not fit for them.
fn look_over(outputs: &mut Outputs, folder: Option<&Path>) -> anyhow::Result<()> {
    let Some(folder) = folder else { return Ok(()) };
    outputs.add_folder("--png", folder)?;
    png::check(folder).with_context(|| format!("--png {}", folder.display()))
}

/// How well the frames kept to real time.
fn kept_pace(pace: &Pace) -> String {
    let (late, frames, long) = (pace.late(), pace.frames(), pace.long());
    let slowest = pace.slowest().as_secs_f64() * 1e3;
    format!(
        "real time     {} of {} late, shown {REALTIME_LEAD} frames after they are made; {} took longer than \
         16.6 ms, the slowest {slowest:.1} ms",
        number(late),
        count(frames, "frame"),
        number(long)
    )
}
