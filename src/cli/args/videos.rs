//! Videos as a source of `review`: its flags for them, and the reading with progress.

use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};

use crate::cli::args::values::whole;
use crate::cli::interrupt;
use crate::cli::output::{progress::Progress, say};
use crate::video::{self, VideoOptions};
use crate::words::count;
use maxout_host::review::PlayedGame;
use maxout_sight::Place;

/// Milliseconds of a video without a game after which that is told.
const TELL_MS: u64 = 10_000;

/// How a video is read.
#[derive(clap::Args)]
#[command(next_help_heading = "Videos")]
pub(crate) struct VideoArgs {
    /// Begin at this second
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    from: Option<f64>,
    /// End at this second
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    to: Option<f64>,
    /// Where the ten columns and twenty rows of the field are, in pixels of the video; needed only if it is not found
    #[arg(long, value_name = "X,Y,W,H", value_parser = place)]
    screen: Option<Place>,
    /// The level on which the games started, also of recordings that do not tell it [default: what the speed of the pieces tells]
    #[arg(long, value_name = "LEVEL", value_parser = whole::<u8>(..=29))]
    pub(crate) start_level: Option<u8>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..1e7).contains(seconds));
    seconds.ok_or_else(|| "expected seconds, such as 90 or 12.5".to_owned())
}

fn place(text: &str) -> Result<Place, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 4]>::try_from(numbers).ok());
    numbers
        .filter(|[x, y, width, height]| {
            [x, y].iter().all(|at| (0.0..1e5).contains(*at))
                && [width, height].iter().all(|size| (1.0..1e5).contains(*size))
        })
        .map(|[x, y, width, height]| Place::rectangle(x, y, width, height))
        .ok_or_else(|| "expected left and upper edge, width and height, such as 254,96,180,320".to_owned())
}

impl VideoArgs {
    /// A flag that is for videos only and is given, if any is.
    pub(crate) fn flag(&self) -> Option<&'static str> {
        let Self { from, to, screen, .. } = self;
        let given = [("--from", from.is_some()), ("--to", to.is_some()), ("--screen", screen.is_some())];
        given.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    /// The games in a video; none if interrupted.
    pub(crate) fn read(&self, file: &Path) -> anyhow::Result<Option<Vec<PlayedGame>>> {
        let name = file.display();
        if let (Some(from), Some(to)) = (self.from, self.to)
            && to <= from
        {
            bail!("--to {to}: not after --from {from}, expected a later second");
        }
        let options =
            VideoOptions { from: self.from, to: self.to, place: self.screen, start_level: self.start_level };
        let interrupt = interrupt::flag()?;
        let mut bar: Option<Progress> = None;
        let mut is_told = false;
        let mut told = |told: video::Told| {
            let length = told.length_ms.unwrap_or(0) / 1000;
            let bar = bar.get_or_insert_with(|| Progress::new(length, "seconds of video"));
            bar.set(told.time_ms / 1000);
            if !told.has_game && told.time_ms >= TELL_MS && !is_told {
                is_told = true;
                bar.suspend(|| {
                    log::warn!("{name}: no game in the first {} s; still looking", TELL_MS / 1000);
                });
            }
        };
        let games = if file.is_dir() {
            let folder = video::PictureFolder::new(file).with_context(|| name.to_string())?;
            let folder = folder.with_context(|| {
                format!(
                    "{name}: a folder without run.json and without pictures, expected PNG or JPEG files in it"
                )
            })?;
            let rate = folder.rate();
            say!("{name}: {}, taken for {rate} a second", count(folder.pictures() as u64, "picture"));
            video::read_folder(&folder, options, &interrupt, &mut told)
        } else {
            video::read(file, options, &interrupt, &mut told)
        };
        if let Some(bar) = bar {
            bar.finish();
        }
        match games {
            Err(_) if interrupt.load(Ordering::Relaxed) => Ok(None),
            games => games.with_context(|| name.to_string()),
        }
    }
}
