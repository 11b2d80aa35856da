//! [`RenderOptions`]: what to draw, and into which files.

use std::path::PathBuf;
use std::str::FromStr;

use super::shape::PictureShape;

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum At {
    // Frames of play.
    Frame,
    // The frame in which a piece locks.
    Lock,
    // The frame in which a piece locks that clears rows; they are still there.
    Clear,
    // The frame in which a piece locks that clears four rows.
    Tetris,
}

/// Endings of names of what is written for `--video`.
const VIDEOS: [(VideoKind, &[&str]); 4] = [
    (VideoKind::Gif, &["gif"]),
    (VideoKind::Apng, &["png", "apng"]),
    (VideoKind::Mp4, &["mp4", "m4v"]),
    (VideoKind::WebM, &["webm"]),
];

/// A kind of moving pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VideoKind {
    Gif,
    Apng,
    Mp4,
    WebM,
}

/// A file for moving pictures.
#[derive(Clone, Debug)]
pub(crate) struct VideoFile {
    pub(crate) kind: VideoKind,
    pub(crate) file: PathBuf,
}

impl FromStr for VideoFile {
    type Err = &'static str;

    /// The end of the name says which kind it is; a name without one, as that of stdout, is of an MP4.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let file = PathBuf::from(name);
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let ending = ending.as_deref().unwrap_or("mp4");
        let kind = VIDEOS.iter().find(|(_, endings)| endings.contains(&ending)).map(|(kind, _)| *kind);
        let expected = "expected a name that ends in .gif, .png or .apng (animated), .mp4 or .webm";
        kind.map(|kind| Self { kind, file }).ok_or(expected)
    }
}

/// What to draw, and into which files.
#[derive(Clone, Debug)]
pub(crate) struct RenderOptions {
    pub(crate) at: At,
    /// Every how many of them; at least 1.
    pub(crate) every: u64,
    /// First frame of play that may be drawn; the first of all is 1.
    pub(crate) from: u64,
    /// Last frame of play that may be drawn.
    pub(crate) to: u64,
    /// How much of the console's picture is shown, and how large.
    pub(crate) shape: PictureShape,
    /// Whether to add where the piece will lock, the held buttons and statistics.
    pub(crate) overlay: bool,
    /// Folder for PNG files.
    pub(crate) png: Option<PathBuf>,
    /// Moving pictures.
    pub(crate) videos: Vec<VideoFile>,
    /// PNG file for a contact sheet.
    pub(crate) sheet: Option<PathBuf>,
}

impl RenderOptions {
    /// Whether nothing needs to be drawn.
    pub(super) fn is_empty(&self) -> bool {
        self.png.is_none() && self.videos.is_empty() && self.sheet.is_none()
    }

    /// Whether sound is needed.
    pub(super) fn has_sound(&self) -> bool {
        self.videos.iter().any(|video| matches!(video.kind, VideoKind::Mp4 | VideoKind::WebM))
    }
}
