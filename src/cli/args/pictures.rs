//! The flags for pictures of a run.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::cli::args::values::whole;
use crate::cli::output::Outputs;
use crate::render::{At, PictureShape, RenderOptions, Written};
use crate::words::size;

/// The endings of file names that each flag goes with.
const ENDINGS: [(&str, &[&str]); 5] = [
    ("--gif", &["gif"]),
    ("--apng", &["png", "apng"]),
    ("--mp4", &["mp4", "m4v"]),
    ("--webm", &["webm"]),
    ("--sheet", &["png"]),
];
/// Endings of what other files may hold.
const OTHERS: [&str; 10] = ["avi", "bk2", "fm2", "html", "jpeg", "jpg", "json", "mkv", "mov", "webp"];

/// What to draw, and into which files.
#[derive(clap::Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// Write PNG pictures into this folder
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write a GIF, without loss
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write an animated PNG, at the console's own pace
    #[arg(long, value_name = "FILE")]
    apng: Option<PathBuf>,
    /// Write an MP4 video with sound, at the console's own pace; needs ffmpeg
    #[arg(long, value_name = "FILE")]
    mp4: Option<PathBuf>,
    /// Write a WebM video with sound, at the console's own pace; needs ffmpeg
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
    /// Draw every Nth of them [default: 1; for frames 2 with --gif, and 60 if no animation or video is made]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    every: Option<u64>,
    /// First frame of play that may be drawn
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(1..))]
    from: u64,
    /// Last frame of play that may be drawn [default: the last of all]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    to: Option<u64>,
    /// Draw each pixel as a square of this many by as many, 1 to 8
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u8>(1..=8))]
    scale: u8,
    /// How wide a pixel is to how high: square, or as a television shows it (every pixel is alike with --scale 7)
    #[arg(long, default_value = "1:1", value_name = "W:H")]
    aspect: Aspect,
    /// Leave out the 8 rows above and below that a television hides
    #[arg(long)]
    crop: bool,
    /// Make --mp4 and --webm without sound. Otherwise they have the emulator's sound from the first picture to the last, in
    /// step with the game whatever is drawn
    #[arg(long)]
    no_sound: bool,
}

/// How wide a pixel is to how high.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Aspect {
    #[value(name = "1:1")]
    Square,
    #[value(name = "8:7")]
    Wide,
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
    /// The folder for pictures, if one was asked for.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.png.as_deref()
    }

    /// The files that were asked for, each with its flag.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, Option<&Path>)> {
        let Self { gif, apng, mp4, webm, sheet, .. } = self;
        let files = [("--gif", gif), ("--apng", apng), ("--mp4", mp4), ("--webm", webm), ("--sheet", sheet)];
        files.into_iter().map(|(flag, file)| (flag, file.as_deref()))
    }

    /// Looks over what can be refused before anything is read: names that promise another format, and the folder;
    /// `outputs` knows the files.
    pub(crate) fn check(&self, outputs: &mut Outputs) -> anyhow::Result<()> {
        for (flag, endings) in ENDINGS {
            let file = self.files().find_map(|(name, file)| file.filter(|_| name == flag));
            let ending = file.and_then(Path::extension).map(|ending| ending.to_string_lossy().to_lowercase());
            let Some((file, ending)) = file.zip(ending) else { continue };
            let known =
                ENDINGS.iter().flat_map(|(_, endings)| *endings).chain(&OTHERS).any(|known| *known == ending);
            if known && !endings.contains(&ending.as_str()) {
                let wanted = endings.join(" or .");
                bail!(
                    "{flag} {}: .{ending} is the name of another format, expected .{wanted}",
                    file.display()
                );
            }
        }
        match &self.png {
            Some(folder) => outputs.add_folder("--png", folder),
            None => Ok(()),
        }
    }

    /// The options that the flags say, and the defaults of those that they do not.
    pub(crate) fn options(&self) -> RenderOptions {
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
        RenderOptions {
            at,
            every,
            from: self.from,
            to: self.to.unwrap_or(u64::MAX),
            shape: PictureShape { scale: self.scale, wide: self.aspect == Aspect::Wide, crop: self.crop },
            overlay: self.overlay,
            sound: !self.no_sound,
            png: self.png.clone(),
            gif: self.gif.clone(),
            apng: self.apng.clone(),
            mp4: self.mp4.clone(),
            webm: self.webm.clone(),
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
