//! [`RenderOptions`]: what to draw, and into which files.

use std::path::{Path, PathBuf};

use super::shape::PictureShape;

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum At {
    /// Frames of play.
    #[default]
    Frame,
    /// The frame in which a piece locks.
    Lock,
    /// The frame in which a piece locks that clears rows; they are still there.
    Clear,
    /// The frame in which a piece locks that clears four rows.
    Tetris,
}

/// What to draw, and into which files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenderOptions {
    /// What is drawn.
    pub at: At,
    /// Every how many of them; at least 1.
    pub every: u64,
    /// First frame of play that may be drawn; the first of all is 1.
    pub from: u64,
    /// Last frame of play that may be drawn.
    pub to: u64,
    /// How much of the console's picture is shown, and how large.
    pub shape: PictureShape,
    /// Whether to add where the piece will lock, the held buttons and statistics.
    pub overlay: bool,
    /// Folder for PNG files.
    pub png: Option<PathBuf>,
    /// GIF file.
    pub gif: Option<PathBuf>,
    /// APNG file.
    pub apng: Option<PathBuf>,
    /// MP4 file, through ffmpeg.
    pub mp4: Option<PathBuf>,
    /// WebM file, through ffmpeg.
    pub webm: Option<PathBuf>,
    /// PNG file for a contact sheet.
    pub sheet: Option<PathBuf>,
}

impl RenderOptions {
    /// The files of which each can be written once only.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.gif, &self.apng, &self.mp4, &self.webm, &self.sheet].into_iter().filter_map(Option::as_deref)
    }

    /// Whether nothing needs to be drawn.
    pub(super) fn is_empty(&self) -> bool {
        self.png.is_none() && self.files().next().is_none()
    }

    /// Whether sound is needed.
    pub(super) fn has_sound(&self) -> bool {
        self.mp4.is_some() || self.webm.is_some()
    }
}
