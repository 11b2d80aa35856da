//! [`MovieFormat`]: the formats of movies, and [`load`], which reads a file of any of them.
//!
//! [`super::fm2`] and [`super::bk2`] define what the formats look like.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use super::bk2::{self, Bk2Error};
use super::fm2::{self, Fm2Error};
use super::{Movie, MovieFrame};

/// Larger files are not read; the longest movie as text stays below.
const MAX_BYTES: u64 = 160 << 20;

/// A format of movies. Each has a file of its own in this room that reads and writes it. The projects in which the editors
/// of these emulators keep a movie (.fm3, .tasproj) are read as the movie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovieFormat {
    /// FCEUX.
    Fm2,
    /// `BizHawk`.
    Bk2,
}

impl MovieFormat {
    /// The format that a file name promises.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "fm2" | "fm3" => Some(Self::Fm2),
            "bk2" | "tasproj" => Some(Self::Bk2),
            _ => None,
        }
    }

    /// The ending of the files that [`write`](Self::write) makes.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Fm2 => "fm2",
            Self::Bk2 => "bk2",
        }
    }

    /// The movie in the bytes of a file.
    pub fn read(self, bytes: &[u8]) -> Result<Movie, MovieError> {
        Ok(match self {
            Self::Fm2 => fm2::read(bytes)?,
            Self::Bk2 => bk2::read(bytes)?,
        })
    }

    /// Reads a movie from the bytes of a file. Fails if our machine cannot play it.
    pub fn open(self, bytes: &[u8]) -> Result<Movie, MovieError> {
        let movie = self.read(bytes)?;
        check(&movie)?;
        Ok(movie)
    }

    /// The bytes of a file that holds `movie`. The same movie gives the same bytes; one that could not be read again is refused.
    pub fn write(self, movie: &Movie) -> Result<Vec<u8>, MovieError> {
        Ok(match self {
            Self::Fm2 => fm2::write_readable(movie)?,
            Self::Bk2 => bk2::write(movie)?,
        })
    }
}

/// Why a movie cannot be read or played.
#[derive(Debug, Error)]
pub enum MovieError {
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is a folder, a pipe or the like.
    #[error("is not a regular file, expected a movie")]
    NotAFile,
    /// It is too large.
    #[error("file has {0} bytes, expected a movie of at most {MAX_BYTES}")]
    TooLarge(u64),
    /// It is no FM2.
    #[error(transparent)]
    Fm2(#[from] Fm2Error),
    /// It is no BK2.
    #[error(transparent)]
    Bk2(#[from] Bk2Error),
    /// There is nothing in it.
    #[error("movie has no record, expected at least one frame")]
    Empty,
    /// A record asks for something else than this machine has.
    #[error(
        "record {record}: command {commands}, expected 0, 1 (reset) or 2 (power): this is a plain console"
    )]
    Command {
        /// Record number, from 0.
        record: usize,
        /// The bit field.
        commands: u8,
    },
}

/// Reads a movie that our machine can play.
pub fn load(path: &Path, format: MovieFormat) -> Result<Movie, MovieError> {
    // This comes before opening, because opening a pipe to which nobody writes would wait forever.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(MovieError::NotAFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(MovieError::TooLarge(metadata.len()));
    }
    format.open(&bytes)
}

fn check(movie: &Movie) -> Result<(), MovieError> {
    if movie.frames.is_empty() {
        return Err(MovieError::Empty);
    }
    let known = MovieFrame::RESET | MovieFrame::POWER;
    match movie.frames.iter().position(|frame| frame.commands & !known != 0) {
        Some(record) => Err(MovieError::Command { record, commands: movie.frames[record].commands }),
        None => Ok(()),
    }
}
