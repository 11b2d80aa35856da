//! [`TrainError`]: why a training ended without weights.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::resumed::ResumeError;

/// Why training ended without weights.
#[derive(Debug, Error)]
pub enum TrainError {
    /// Invalid schedule.
    #[error("schedule: {0}")]
    Schedule(String),
    /// A checkpoint is damaged or of another version.
    #[error("{}: damaged or of another version, expected one of this version or another folder", .0.display())]
    Checkpoint(PathBuf),
    /// The folder cannot be worked in, or holds another training.
    #[error("{}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: ResumeError,
    },
    /// More chunks are done than the training should have.
    #[error("{}: chunk {done} is done, expected at most {chunks} chunks, or another folder", path.display())]
    Beyond {
        /// The checkpoint.
        path: PathBuf,
        /// Chunks done.
        done: u64,
        /// Chunks of the whole training.
        chunks: u64,
    },
    /// The stage in progress averages, and not all of its chunks are in the sum.
    #[error("{}: expected the sum, up to chunk {done}, that `average` asks for, or another folder", path.display())]
    Mean {
        /// The file.
        path: PathBuf,
        /// Chunks done.
        done: u64,
    },
    /// The system does not give the memory that a training takes, in MiB.
    #[error("expected {0} MiB of free memory, which the system does not give")]
    Memory(usize),
    /// Several processes, and threads that race.
    #[error("schedule: expected `games = N` for a training over several ranks, games played side by side")]
    Racing,
    /// A file could not be read or written.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
