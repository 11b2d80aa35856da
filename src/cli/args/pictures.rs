//! The flags for pictures of a run.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::cli::args::values::whole;
use crate::cli::output::Outputs;
use crate::export::pictures::{At, PictureShape, RenderOptions, VideoFile, VideoKind, Written};
use crate::words::size;

/// What to draw, and into which files.
#[derive(clap::Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// Write PNG pictures into this folder
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write moving pictures; the file's ending decides the format: .gif or .png (animated), both without loss, or .mp4 or .webm, with
    /// the emulator's sound, at the console's own pace, by ffmpeg; - is an .mp4 on stdout. May be given several times
    #[arg(long, value_name = "FILE")]
    video: Vec<VideoFile>,
    /// Write a contact sheet: the field of every picture, in one PNG
    #[arg(long, value_name = "FILE")]
    sheet: Option<PathBuf>,
    /// Add to each picture where the piece will lock, the held buttons and statistics
    #[arg(long)]
    overlay: bool,
    /// What is drawn: frames of play, or those in which a piece locks, clears rows or clears four
    #[arg(long, visible_alias = "png-at", default_value = "frame", value_name = "WHAT")]
    at: At,
    /// Draw every Nth of them [default: 1; for frames 2 in a .gif, and 60 without --video]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    every: Option<u64>,
    /// Draw only these frames of play, the first is 1: A..B, A.. or ..B, both ends included [default: all]
    #[arg(long, value_name = "A..B", value_parser = frames)]
    frames: Option<(u64, u64)>,
    /// Draw each pixel as a square of this many by as many, 1 to 8
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u8>(1..=8))]
    scale: u8,
    /// As a television shows it: pixels 8 wide and 7 high (every pixel is alike with --scale 7), without the 8 rows above and below
    #[arg(long)]
    tv: bool,
}

/// Reads the first and the last frame.
fn frames(text: &str) -> Result<(u64, u64), &'static str> {
    let ends = text.split_once("..").and_then(|(first, last)| {
        let end = |text: &str, none: u64| if text.is_empty() { Some(none) } else { text.parse().ok() };
        Some((end(first, 1)?, end(last, u64::MAX)?))
    });
    ends.filter(|&(first, last)| first >= 1 && last >= 1).ok_or("expected A..B, A.. or ..B, frames from 1 on")
}

impl PictureArgs {
    /// The folder for pictures, if one was asked for.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.png.as_deref()
    }

    /// The files that were asked for, each with its flag.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, Option<&Path>)> {
        let videos = self.video.iter().map(|video| ("--video", Some(video.file.as_path())));
        videos.chain([("--sheet", self.sheet.as_deref())])
    }

    /// Looks over what can be refused before anything is read: two files of one kind, a sheet that is no PNG, and the folder;
    /// `outputs` knows the files.
    pub(crate) fn check(&self, outputs: &mut Outputs) -> anyhow::Result<()> {
        for (at, VideoFile { kind, file }) in self.video.iter().enumerate() {
            if let Some(first) = self.video[..at].iter().find(|first| first.kind == *kind) {
                let (file, first) = (file.display(), first.file.display());
                bail!("--video {file}: of the same format as {first}, expected one file of each format");
            }
        }
        if let Some(sheet) = &self.sheet
            && let Some(ending) = sheet.extension()
            && !ending.eq_ignore_ascii_case("png")
        {
            let (file, ending) = (sheet.display(), ending.to_string_lossy());
            bail!("--sheet {file}: .{ending} is the name of another format, expected .png");
        }
        match &self.png {
            Some(folder) => outputs.add_folder("--png", folder),
            None => Ok(()),
        }
    }

    /// The options that the flags say, and the defaults of those that they do not.
    pub(crate) fn options(&self) -> RenderOptions {
        let has_gif = self.video.iter().any(|video| video.kind == VideoKind::Gif);
        let every = self.every.unwrap_or(match self.at {
            At::Frame if has_gif => 2,
            At::Frame if self.video.is_empty() => 60,
            _ => 1,
        });
        let (from, to) = self.frames.unwrap_or((1, u64::MAX));
        RenderOptions {
            at: self.at,
            every,
            from,
            to,
            shape: PictureShape { scale: self.scale, wide: self.tv, crop: self.tv },
            overlay: self.overlay,
            png: self.png.clone(),
            videos: self.video.clone(),
            sheet: self.sheet.clone(),
        }
    }
}

/// What is said of a file of pictures.
pub(crate) fn told(written: &Written) -> String {
    let Written { path, bytes, seconds, pictures } = written;
    let size = bytes.map(size);
    let length = seconds.map(|seconds| format!("{seconds:.1} s"));
    let count = if *pictures == 1 { "1 picture".to_owned() } else { format!("{pictures} pictures") };
    let parts: Vec<String> = size.into_iter().chain(length).chain([count]).collect();
    format!("{}: {}", path.display(), parts.join(", "))
}
