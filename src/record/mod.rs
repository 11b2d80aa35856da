//! What is kept of runs: the [`library`] of all, one as a folder ([`run`]), where each piece went ([`timeline`]),
//! the page that shows it ([`page`]), [`pictures`], tables for other programs ([`export`]), which is better
//! ([`compare`]) and whether it is true ([`verify`]), movies for other emulators ([`movie`], in the formats [`fm2`]
//! and [`bk2`]), frames for score displays ([`champs`]), the games found in what was played ([`games`], [`replay`]),
//! and the way files are written.
//!
//! [`open_run`] is how a command turns the RUN that it was given into a record and a button log.

pub mod bk2;
pub mod champs;
pub mod compare;
pub mod export;
pub mod fm2;
pub mod games;
pub mod library;
pub mod movie;
pub mod page;
pub mod pictures;
pub mod replay;
pub mod run;
pub mod timeline;
pub mod verify;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::input::InputLog;
use library::{Library, LibraryError, RunId};
use run::{Record, RunError};

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

/// Reads the run that `run` names: a number is an id in the library of the folder `runs` (none: the default
/// library), anything else the path of a run's folder or of its `run.json`.
pub fn open_run(run: &OsStr, runs: Option<&Path>) -> Result<(Record, InputLog), OpenError> {
    match run.to_str().and_then(|text| text.parse::<RunId>().ok()) {
        Some(id) => Ok(Library::open(&library::folder(runs)?)?.record_and_log(id)?),
        None => Ok(run::load(Path::new(run))?),
    }
}

/// Writes a file under a temporary name in the same folder and renames it, so that it is whole or not there.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(path, |file| file.write_all(bytes))
}

/// As [`write_atomically`], for what is written piece by piece. A pipe or a device is written to as it is.
pub fn write_atomically_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    if fs::metadata(path).is_ok_and(|target| !target.is_file() && !target.is_dir()) {
        let mut target = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
        write(&mut target)?;
        return Ok(target.flush()?);
    }
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let attempt = || {
        let mut file = BufWriter::new(fs::File::create(&temporary)?);
        write(&mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(fs::rename(&temporary, path)?)
    };
    let result = attempt();
    if result.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// Makes sure that files can be written into `folder`, creating it if need be.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".maxout-{}.tmp", std::process::id()));
    fs::File::create(&probe)?;
    fs::remove_file(&probe)
}
