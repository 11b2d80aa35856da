//! [`LibraryError`]: why the library did not do what it was asked to do.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use thiserror::Error;

use super::id::RunId;
use super::version::{OLDEST, VERSION};
use crate::text::brief;
use maxout_record::result::HostKind;
use maxout_record::run::TimelineError;

/// Names the folder of the default library.
pub const VARIABLE: &str = "MAXOUT_RUNS";

/// Why the library did not do as it was asked.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// The platform names no folder for data.
    #[error("no folder for the run library: expected --runs DIR, {VARIABLE} or a home folder")]
    NoHome,
    /// No library in this folder.
    #[error("{}: no run library there (`maxout play` makes one)", .0.display())]
    Missing(PathBuf),
    /// The folder or the file could not be made or looked at.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which of them.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{}: not a run library of maxout: {found}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
    },
    /// The file is of another version of this program.
    #[error("{}: run library of version {found}, expected {OLDEST} to {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
    },
    /// Pages of the file are not whole.
    #[error("{}: the run library is damaged: {message}; `maxout runs repair` keeps all runs that can be read", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The file is not as this program writes it.
    #[error("{}: the run library is damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// SQLite failed for another reason: a full disk, another writer that never ends.
    #[error("{}: {}", path.display(), brief(error))]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
    /// No run has that number.
    #[error("run {id}: not in {} (`maxout runs list` shows what is)", path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// The number.
        id: RunId,
    },
    /// The game is not kept, because it could not be read again.
    #[error("{}: the game cannot be kept: {message}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The game was read from a video or a recording, and its buttons were asked for.
    #[error("run {id}: {}; for its placements: maxout review {id}", TimelineError::NoButtons(*host))]
    NoButtons {
        /// The number.
        id: RunId,
        /// From what it was read.
        host: HostKind,
    },
    /// The game was played, and the frames of its recording were asked for.
    #[error("run {0}: played with buttons, expected a game that was read from a video or a recording")]
    NoFrames(RunId),
    /// A row does not make a run.
    #[error("run {id} in {}: damaged: {message}", path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// The row.
        id: RunId,
        /// What is wrong.
        message: String,
    },
}

pub(super) type Result<T, E = LibraryError> = std::result::Result<T, E>;

/// What an error of SQLite means for the library at `path`.
pub(super) fn explain(path: &Path, error: rusqlite::Error) -> LibraryError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            LibraryError::Foreign { path, found: "no SQLite database".to_owned() }
        }
        Some(ErrorCode::OperationInterrupted) => {
            let message = "looking it over does not end, expected the table runs of a run library".to_owned();
            LibraryError::Damaged { path, message }
        }
        Some(ErrorCode::DatabaseCorrupt) => LibraryError::Torn { path, message: brief(&error) },
        _ => LibraryError::Sqlite { path, error },
    }
}
