//! A run as one file: [`archive`] packs what the folder of a run holds, and [`unpack`] reads it.

use std::io::{self, Cursor, Read, Write};

use thiserror::Error;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

use super::{MAX_LOG, MAX_RECORD, Record, log_from_text, log_to_text, record_from_json};
use crate::members;
use maxout_rules::input::InputLog;

const RECORD: &str = "run.json";
const LOG: &str = "buttons.txt";

/// Why bytes are not an archive of a run.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// It is not an archive, or it is damaged.
    #[error("not an archive of a run (zip): {0}")]
    Zip(#[from] ZipError),
    /// It has too many members.
    #[error("archive of {0} members, expected run.json and buttons.txt")]
    Members(usize),
    /// A member is missing or cannot be unpacked.
    #[error("{0}: {1}, expected run.json and buttons.txt of a run")]
    Member(&'static str, io::Error),
    /// The record is not valid.
    #[error("run.json: {0}")]
    Record(String),
    /// The button log is not valid.
    #[error("buttons.txt: line {0}: {1}")]
    Log(usize, &'static str),
}

/// Packs a run, without compression; the same run gives the same bytes.
pub fn archive(record: &Record, log: &InputLog) -> Result<Vec<u8>, ArchiveError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .system(System::Unix);
    let json = record.to_json().map_err(|error| ArchiveError::Record(error.to_string()))?;
    for (name, text) in [(LOG, log_to_text(log)), (RECORD, json)] {
        archive.start_file(name, options)?;
        archive.write_all(text.as_bytes()).map_err(|error| ArchiveError::Member(name, error))?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Reads an archive of a run.
pub fn unpack(bytes: &[u8]) -> Result<(Record, InputLog), ArchiveError> {
    members::check(bytes).map_err(ArchiveError::Members)?;
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut member = |name: &'static str, limit: u64| {
        let wrong = |error: io::Error| ArchiveError::Member(name, error);
        let file = archive.by_name(name).map_err(|error| wrong(error.into()))?;
        let mut text = String::new();
        file.take(limit + 1).read_to_string(&mut text).map_err(wrong)?;
        let fits = text.len() as u64 <= limit;
        fits.then_some(text).ok_or_else(|| wrong(io::Error::other(format!("more than {limit} bytes"))))
    };
    let (json, text) = (member(RECORD, MAX_RECORD)?, member(LOG, MAX_LOG)?);
    from_texts(&json, &text)
}

/// Reads a run from the bytes of `run.json` and of `buttons.txt`.
pub fn from_bytes(json: &[u8], log: &[u8]) -> Result<(Record, InputLog), ArchiveError> {
    let text = |name: &'static str, bytes: &[u8], limit: u64| {
        let wrong = |text: String| ArchiveError::Member(name, io::Error::other(text));
        if bytes.len() as u64 > limit {
            return Err(wrong(format!("more than {limit} bytes")));
        }
        String::from_utf8(bytes.to_vec()).map_err(|_| wrong("no text".to_owned()))
    };
    from_texts(&text(RECORD, json, MAX_RECORD)?, &text(LOG, log, MAX_LOG)?)
}

fn from_texts(json: &str, text: &str) -> Result<(Record, InputLog), ArchiveError> {
    let record = record_from_json(json).map_err(ArchiveError::Record)?;
    let log = log_from_text(text).map_err(|(line, message)| ArchiveError::Log(line, message))?;
    match record.quarrel(log.len()) {
        Some(message) => Err(ArchiveError::Record(message)),
        None => Ok((record, log)),
    }
}
