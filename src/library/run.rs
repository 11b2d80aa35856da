//! One game in a folder of its own, with `run.json` (its [`Record`]) and `buttons.txt` (the log). [`save`] writes it and
//! [`load`] reads it.
//!
//! [`maxout_record::run`] defines both files, because the page for the browser uses them, too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::{Timestamp, Unit};
use thiserror::Error;

use crate::files;
use maxout_host::batch::{Batch, Finished};
use maxout_host::temporary::sync_folder;
use maxout_record::champs::MAX_BYTES;
use maxout_record::result::HostKind;
use maxout_record::run::MAX_RECORD;
use maxout_rules::input::InputLog;

use maxout_record::run::{
    MAX_FRAMES, MAX_LOG, Record, RomName, TimelineError, log_from_text, log_to_text, record_from_json,
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
    /// The game was read from a video or a recording, and its buttons were asked for.
    #[error("{0}: {1}; for its placements: maxout review {0}", path.display(), TimelineError::NoButtons(*host))]
    NoButtons {
        /// The folder.
        path: PathBuf,
        /// From what it was read.
        host: HostKind,
    },
    /// `buttons.txt` is not a valid log.
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
pub fn record_now(game: &Finished, batch: &Batch, host: HostKind, rom: RomName) -> Record {
    game.record(batch, host, rom, date(SystemTime::now()))
}

/// A time in UTC (RFC 3339). The nearest date that can be written for a clock before the year -9999 or after 9999.
pub(super) fn date(clock: SystemTime) -> String {
    let nearest = if clock < UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    let time = Timestamp::try_from(clock).unwrap_or(nearest);
    time.round(Unit::Second).unwrap_or(time).to_string()
}

/// Writes a game that was read into a new folder under `parent`, as [`save`] writes one that was played: `recording.ngf` is in place of
/// `buttons.txt`.
/// `run.json` has the note, too: it says what was not read.
pub fn save_read(parent: &Path, record: &Record, note: &str, frames: &[u8]) -> Result<PathBuf, RunError> {
    save_with(parent, record, 0, Some(note), ("recording.ngf", frames))
}

/// The note in the `run.json` of a game that was read.
#[derive(serde::Deserialize)]
struct WithNote {
    #[serde(default)]
    note: String,
}

/// Reads what [`save_read`] wrote; none if the run was played. The text is the note.
pub fn load_read(path: &Path) -> Result<Option<(Record, String, Vec<u8>)>, RunError> {
    let (record, path, json) = load_record(path)?;
    if !record.host.is_read() {
        return Ok(None);
    }
    let WithNote { note } = serde_json::from_str(&json)
        .map_err(|error| RunError::Record { path: path.clone(), message: format!("note: {error}") })?;
    let path = path.with_file_name("recording.ngf");
    let frames = files::read(&path, MAX_BYTES).map_err(|source| RunError::Io { path, source })?;
    Ok(Some((record, note, frames)))
}

/// Writes a run into a new folder under `parent`; an earlier one of the same name stays. Returns the folder. What [`load`] would
/// refuse is not written.
pub fn save(parent: &Path, record: &Record, log: &InputLog) -> Result<PathBuf, RunError> {
    save_with(parent, record, log.len(), None, ("buttons.txt", log_to_text(log).as_bytes()))
}

fn save_with(
    parent: &Path,
    record: &Record,
    frames: usize,
    note: Option<&str>,
    (file, content): (&str, &[u8]),
) -> Result<PathBuf, RunError> {
    let name = record.folder_name();
    let mut folder = parent.join(&name);
    let long = (frames > MAX_FRAMES).then(|| format!("{frames} frames, expected at most {MAX_FRAMES}"));
    if let Some(message) = long.or_else(|| record.quarrel(frames)).or_else(|| record.fault()) {
        return Err(RunError::Record { path: folder, message });
    }
    let mut copy = 2;
    loop {
        match fs::create_dir(&folder) {
            Ok(()) => {
                sync_folder(parent).map_err(|source| RunError::Io { path: folder.clone(), source })?;
                break;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                folder = parent.join(format!("{name}-{copy}"));
                copy += 1;
            }
            Err(source) => return Err(RunError::Io { path: folder, source }),
        }
    }
    write_into(&folder, record, note, (file, content)).inspect_err(|_| {
        // A folder without a record would be taken for a run. What went wrong first is told.
        fs::remove_file(folder.join(file)).ok();
        fs::remove_dir(&folder).ok();
    })?;
    Ok(folder)
}

/// Writes the files of a run into its folder.
fn write_into(
    folder: &Path,
    record: &Record,
    note: Option<&str>,
    (file, content): (&str, &[u8]),
) -> Result<(), RunError> {
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        files::write(&path, bytes).map_err(|source| RunError::Io { path, source })
    };
    write(file, content)?;
    let unwritten =
        |error: serde_json::Error| RunError::Record { path: folder.to_owned(), message: error.to_string() };
    let json = match note {
        None => record.to_json().map_err(unwritten)?,
        Some(note) => {
            let mut json = serde_json::to_value(record).map_err(unwritten)?;
            json["note"] = note.into();
            serde_json::to_string_pretty(&json).map_err(unwritten)? + "\n"
        }
    };
    // The record comes last: a folder that has one is complete.
    write("run.json", json.as_bytes())
}

/// Reads a run from its folder (or from the path of its `run.json`).
pub fn load(path: &Path) -> Result<(Record, InputLog), RunError> {
    let (record, json_path, _) = load_record(path)?;
    let wrong = |message: String| RunError::Record { path: json_path.clone(), message };
    if record.host.is_read() {
        return Err(RunError::NoButtons { path: path.to_owned(), host: record.host });
    }
    let log_path = json_path.with_file_name("buttons.txt");
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

/// The record in a folder, or in the file itself, and the path and the text of the file.
fn load_record(path: &Path) -> Result<(Record, PathBuf, String), RunError> {
    let path = if path.is_dir() { path.join("run.json") } else { path.to_owned() };
    let json = read_text(&path, MAX_RECORD)?;
    match record_from_json(&json) {
        Ok(record) => Ok((record, path, json)),
        Err(message) => Err(RunError::Record { path, message }),
    }
}

fn read_text(path: &Path, limit: u64) -> Result<String, RunError> {
    files::read_text(path, limit).map_err(|source| RunError::Io { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    #[test]
    fn dates_are_in_utc_and_end_with_the_calendar() {
        let at = |seconds: i64| {
            let time = Duration::from_secs(seconds.unsigned_abs());
            date(if seconds < 0 { UNIX_EPOCH - time } else { UNIX_EPOCH + time })
        };
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(-14_182_940), "1969-07-20T20:17:40Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert!(at(253_402_300_801).starts_with("9999-12-3"));
        assert!(at(-9_999_999_999_999).starts_with("-009999-01-0"));
    }

    proptest! {
        #[test]
        fn any_clock_has_a_date(seconds: u32, scale in 0u32..40, before: bool) {
            let time = Duration::from_secs(u64::from(seconds) << scale.min(31));
            let clock = if before { UNIX_EPOCH.checked_sub(time) } else { UNIX_EPOCH.checked_add(time) };
            prop_assert!(clock.map(date).is_none_or(|date| date.ends_with('Z') && date.len() < 40));
        }
    }
}
