//! Kept runs: the [`store`] of all runs, one run as a folder ([`run`]), where each piece went ([`timeline`]), tables
//! for other programs ([`export`]), runs from folders ([`import`]), comparisons ([`compare`]), and the check that a run can be repeated ([`verify`]).
//!
//! With [`open_run`] a command turns the RUN that it was given into a record and a button log.

pub mod compare;
pub mod export;
pub mod import;
pub mod read;
pub mod run;
pub mod store;
pub mod timeline;
pub mod verify;

use std::ffi::OsStr;
use std::path::Path;

use thiserror::Error;

use maxout_record::run::Record;
use maxout_rules::input::InputLog;
use run::RunError;
use store::{Library, LibraryError, RunId};

/// Why [`open_run`] found no run.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The library has none.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The folder has none.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// As [`open_run`], the record, the note and the recording of a game that was read from a video or a recording; none of one that was played.
pub fn open_read(run: &OsStr, runs: Option<&Path>) -> Result<Option<(Record, String, Vec<u8>)>, OpenError> {
    let Some(id) = run.to_str().and_then(|text| text.parse::<RunId>().ok()) else {
        return Ok(run::load_read(Path::new(run))?);
    };
    let library = Library::open(&store::folder(runs)?)?;
    match library.record_and_frames(id) {
        Err(LibraryError::NoFrames(_)) => Ok(None),
        read => {
            let (record, frames) = read?;
            Ok(Some((record, library.listed(id)?.note, frames)))
        }
    }
}

/// Reads the run that `run` names: a number is an id in the library of the folder `runs` (none: the default
/// library), anything else the path of a run's folder or of its `run.json`.
pub fn open_run(run: &OsStr, runs: Option<&Path>) -> Result<(Record, InputLog), OpenError> {
    match run.to_str().and_then(|text| text.parse::<RunId>().ok()) {
        Some(id) => Ok(Library::open(&store::folder(runs)?)?.record_and_log(id)?),
        None => Ok(run::load(Path::new(run))?),
    }
}
