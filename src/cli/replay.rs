//! `maxout replay`: a recorded run again, from its button log alone.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::library::LibraryArgs;
use super::pictures::PictureArgs;
use super::report_page;
use super::{INTERRUPTED, NO, answer, cartridge, interrupt};
use crate::host::ram::Snapshot;
use crate::record::open_run;
use crate::record::page::{Options, PageRun};
use crate::record::pictures::Pictures;

/// `maxout replay`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of a run in the library, or folder of a run (or its run.json)
    run: PathBuf,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    cartridge: cartridge::CartridgeArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    /// Write a page that shows the run to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (record, log) = open_run(args.run.as_os_str(), args.library.runs.as_deref())?;
    if record.menu_frames == 0 {
        bail!(
            "{}: seed {} began on the model, not at power-on; only runs of power-on seeds can be replayed",
            args.run.display(),
            record.seed
        );
    }
    let mut inserted = cartridge::insert(args.cartridge.rom.as_deref(), args.cartridge.allow_unknown)?;
    if let Some(sha1) = &record.rom.sha1
        && *sha1 != inserted.identity.sha1
    {
        bail!(
            "{}: recorded on {:?} ({sha1}), the cartridge is {:?} ({})",
            args.run.display(),
            record.rom.name,
            inserted.identity.name,
            inserted.identity.sha1
        );
    }
    // Before the replay: a run that cannot be drawn need not be played first.
    let page = match &args.html {
        Some(_) => {
            Some(PageRun::new(record.clone(), log.clone()).with_context(|| args.run.display().to_string())?)
        }
        None => None,
    };
    let mut pictures = Pictures::new(&args.pictures.options(), &record, &log)
        .with_context(|| args.run.display().to_string())?;
    let interrupt = interrupt::flag()?;
    let bar = ProgressBar::new(log.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} frames  {elapsed}") {
        bar.set_style(style);
    }
    let console = &mut inserted.console;
    for (frame, &buttons) in (0u64..).zip(log.frames()) {
        console.step(buttons)?;
        if interrupt.load(Ordering::Relaxed) {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        // Frames count from the first of control, as in `play`.
        let played = (frame + 1).saturating_sub(record.menu_frames);
        if played > 0 {
            pictures.frame(played, console)?;
        }
        if frame % 64 == 0 {
            bar.set_position(frame);
        }
    }
    bar.finish_and_clear();
    pictures.finish()?;
    let end = Snapshot::read(console.ram());
    let crc = format!("{:08x}", crc32fast::hash(console.ram()));
    let same_score =
        end.score == record.shown_score && end.lines == record.lines && end.level == record.level;
    let same_ram = record.ram_crc32.as_ref().is_none_or(|want| *want == crc);
    answer(&format!(
        "replayed {} frames: score {}, {} lines, level {}; {}",
        log.len(),
        end.score,
        end.lines,
        end.level,
        match (same_score, same_ram, &record.ram_crc32) {
            (true, true, Some(_)) => "the same score and the same RAM as recorded",
            (true, true, None) => "the same score as recorded on the model",
            (true, false, _) => "the same score, but RAM differs from the record",
            (false, ..) => "the score differs from the record",
        }
    ))?;
    if let (Some(file), Some(page)) = (&args.html, page) {
        report_page::write(file, &[page], &Options::default())
            .with_context(|| format!("--html {}", file.display()))?;
    }
    Ok(if same_score && same_ram { ExitCode::SUCCESS } else { ExitCode::from(NO) })
}
