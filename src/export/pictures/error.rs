//! [`PicturesError`]: why no pictures were made.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use maxout_host::ConsoleError;
use maxout_record::run::TimelineError;

/// Why there are no pictures.
#[derive(Debug, Error)]
pub enum PicturesError {
    /// The log does not belong to the record.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// The emulator failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// Nothing is left to draw.
    #[error(
        "no picture to draw {}: expected --frames between 1 and {frames}, the last frame of play, and something \
         there that --at and --every take",
        span(*.from, *.to)
    )]
    Nothing {
        /// Frames of play.
        frames: u64,
        /// First frame wanted.
        from: u64,
        /// Last frame wanted.
        to: u64,
    },
    /// A movie tells nothing beforehand.
    #[error("{0}: where pieces lock in a movie is known only after it was played, expected a recorded run")]
    NeedsRun(&'static str),
    /// A palette has 256 places.
    #[error("{}: more than 256 colours up to frame {frame}, expected a picture that a palette can hold", path.display())]
    Colours {
        /// The file.
        path: PathBuf,
        /// Frame of play.
        frame: u64,
    },
    /// A sheet has an end.
    #[error(
        "{}: {count} pictures, expected no more than {most} on a sheet (--every N takes fewer)",
        path.display()
    )]
    TooMany {
        /// The file.
        path: PathBuf,
        /// Pictures wanted.
        count: usize,
        /// Pictures that fit.
        most: usize,
    },
    /// Videos need another program.
    #[error("{}: expected ffmpeg on the path to make it; a .gif or a .png needs no other program", .0.display())]
    NoFfmpeg(PathBuf),
    /// The other program gave up.
    #[error("{}: ffmpeg: {message}", path.display())]
    Ffmpeg {
        /// The file.
        path: PathBuf,
        /// What it said.
        message: String,
    },
    /// A file could not be written.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Which frames were wanted, in words.
fn span(from: u64, to: u64) -> String {
    if to == u64::MAX { format!("from frame {from} on") } else { format!("from frame {from} to {to}") }
}

impl PicturesError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}
