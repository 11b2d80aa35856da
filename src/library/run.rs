//! One game in a folder of its own, with `run.json` (its [`Record`]) and `buttons.txt` (the log). [`save`] writes it and
//! [`load`] reads it.
//!
//! [`maxout_host::record`] defines both files, because the page for the browser uses them, too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::{Timestamp, Unit};
use thiserror::Error;

use crate::files;
use maxout_host::batch::{Batch, Finished};
use maxout_host::record::MAX_RECORD;
use maxout_rules::input::InputLog;

pub use maxout_host::record::{
    FORMAT, MAX_FRAMES, MAX_LOG, Record, RomName, log_from_text, log_to_text, record_from_json, whole_log,
};

/// Why a run could not be read.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file could not be read.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// `run.json` is not a valid record.
    #[error("{}: not a run record: {message}; expected run.json from the folder of a run", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// `buttons.txt` is not a valid button log.
    #[error("{}: line {line}: {message}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What was expected.
        message: &'static str,
    },
}

/// The record of `game`, made now.
pub fn record_now(game: &Finished, batch: &Batch, host: &str, rom: RomName) -> Record {
    Record::of_game(game, batch, host, rom, date(SystemTime::now()))
}

/// UTC in RFC 3339. A clock before the year -9999 or after 9999 stands for the nearest date that can be written.
fn date(clock: SystemTime) -> String {
    let nearest = if clock < UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    let time = Timestamp::try_from(clock).unwrap_or(nearest);
    time.round(Unit::Second).unwrap_or(time).to_string()
}

/// Writes a run into a new folder under `parent`; an earlier one of the same name stays. Returns the folder.
pub fn save(parent: &Path, record: &Record, log: &InputLog) -> Result<PathBuf, RunError> {
    let name = record.folder_name();
    let mut folder = parent.join(&name);
    let mut copy = 2;
    loop {
        match fs::create_dir(&folder) {
            Ok(()) => {
                files::sync_folder(parent).map_err(|source| RunError::Io { path: folder.clone(), source })?;
                break;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                folder = parent.join(format!("{name}-{copy}"));
                copy += 1;
            }
            Err(source) => return Err(RunError::Io { path: folder, source }),
        }
    }
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        files::write(&path, text.as_bytes()).map_err(|source| RunError::Io { path, source })
    };
    write("buttons.txt", log_to_text(log))?;
    let json = record
        .to_json()
        .map_err(|error| RunError::Record { path: folder.clone(), message: error.to_string() })?;
    // The record comes last: a folder that has one is complete.
    write("run.json", json)?;
    Ok(folder)
}

/// Reads a run from its folder (or from the path of its `run.json`).
pub fn load(path: &Path) -> Result<(Record, InputLog), RunError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let json_path = if path.is_dir() { folder.join("run.json") } else { path.to_owned() };
    let json = read_text(&json_path, MAX_RECORD)?;
    let wrong = |message: String| RunError::Record { path: json_path.clone(), message };
    let record = record_from_json(&json).map_err(wrong)?;
    let log_path = folder.join("buttons.txt");
    let log = log_from_text(&read_text(&log_path, MAX_LOG)?).map_err(|(line, message)| RunError::Log {
        path: log_path,
        line,
        message,
    })?;
    if let Some(message) = record.quarrel(log.len()) {
        return Err(wrong(message));
    }
    Ok((record, log))
}

fn read_text(path: &Path, limit: u64) -> Result<String, RunError> {
    files::read_text(path, limit).map_err(|source| RunError::Io { path: path.to_owned(), source })
}
