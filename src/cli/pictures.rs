//! The flags for pictures of a run.

use std::path::{Path, PathBuf};

use crate::record::pictures::{At, Options};

/// What to draw, and into which files.
#[derive(clap::Args)]
pub(super) struct PictureArgs {
    /// Write PNG pictures into this folder
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write a GIF, without loss
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write an animated PNG, at the console's own pace
    #[arg(long, value_name = "FILE")]
    apng: Option<PathBuf>,
    /// Write an MP4 video, at the console's own pace; needs ffmpeg
    #[arg(long, value_name = "FILE")]
    mp4: Option<PathBuf>,
    /// Write a WebM video, at the console's own pace; needs ffmpeg
    #[arg(long, value_name = "FILE")]
    webm: Option<PathBuf>,
    /// Write a contact sheet: the field of every picture, in one PNG
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    /// Add to each picture where the piece will lock, the held buttons and statistics
    #[arg(long)]
    overlay: bool,
    /// What is drawn: frames of play, or those in which a piece locks, clears rows or clears four
    #[arg(long, visible_alias = "png-at", default_value = "frame", value_name = "WHAT")]
    at: Moment,
    /// Draw every Nth of them [default: 1; of frames 2 with --gif, and 60 where nothing moves]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// First frame of play that may be drawn
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    from: u64,
    /// Last frame of play that may be drawn [default: the last of all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    to: Option<u64>,
    /// Draw each pixel as a square of this many by as many
    #[arg(long, default_value_t = 1, value_name = "1|2|3", value_parser = clap::value_parser!(u8).range(1..=3))]
    scale: u8,
}

/// [`At`] on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Moment {
    Frame,
    Lock,
    Clear,
    Tetris,
}

impl PictureArgs {
    /// The files that were asked for, each with its flag.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, Option<&Path>)> {
        let Self { gif, apng, mp4, webm, sheet, .. } = self;
        let files = [("--gif", gif), ("--apng", apng), ("--mp4", mp4), ("--webm", webm), ("--sheet", sheet)];
        files.into_iter().map(|(flag, file)| (flag, file.as_deref()))
    }

    /// The options that the flags say, and the defaults of those that they do not.
    pub(super) fn options(&self) -> Options {
        let at = match self.at {
            Moment::Frame => At::Frame,
            Moment::Lock => At::Lock,
            Moment::Clear => At::Clear,
            Moment::Tetris => At::Tetris,
        };
        let every = self.every.unwrap_or(if at != At::Frame {
            1
        } else if self.gif.is_some() {
            2
        } else if self.apng.is_some() || self.mp4.is_some() || self.webm.is_some() {
            1
        } else {
            60
        });
        Options {
            at,
            every,
            from: self.from,
            to: self.to.unwrap_or(u64::MAX),
            scale: self.scale,
            overlay: self.overlay,
            png: self.png.clone(),
            gif: self.gif.clone(),
            apng: self.apng.clone(),
            mp4: self.mp4.clone(),
            webm: self.webm.clone(),
            sheet: self.sheet.clone(),
        }
    }
}
