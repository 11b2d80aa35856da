//! The run library: all kept games in one SQLite file, [`FILE`], in a folder. [`Library::open_or_create`] for
//! those who write, [`Library::open`] for those who read.
//!
//! A run is one row, its button log a compressed blob in it: one transaction makes the whole run or none of it,
//! and there is no second file that could get lost. docs/formats.md describes the columns.

mod adding;

use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs, io, process};

use directories::ProjectDirs;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::types::{Value as Sql, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use thiserror::Error;

pub use adding::Numbers;

use super::run::{MAX_FRAMES, Record};
use crate::input::{Buttons, InputLog};
use crate::stats::Statistics;

/// Name of the library's file in its folder.
pub const FILE: &str = "library.sqlite";
/// Names the folder of the default library.
pub const VARIABLE: &str = "MAXOUT_RUNS";
/// SQLite's `application_id` of a run library: "MAXO".
const APPLICATION: i32 = 0x4D41_584F;
/// SQLite's `user_version`: the schema that this program writes and reads.
const VERSION: i32 = 1;
/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a field of a record is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Text,
    TextOrNull,
    Integer,
    Real,
    /// 0 or 1.
    Flag,
    /// A number as text, because seeds go beyond SQLite's integers.
    Digits,
}

/// The columns that make a record, named as its fields.
#[rustfmt::skip]
const COLUMNS: [(&str, Kind); 31] = [
    ("made_at", Kind::Text),
    ("version", Kind::Text),
    ("player", Kind::Text),
    ("fair", Kind::Flag),
    ("limits", Kind::Text),
    ("host", Kind::Text),
    ("rom_name", Kind::Text),
    ("rom_sha1", Kind::TextOrNull),
    ("seed", Kind::Digits),
    ("start_level", Kind::Integer),
    ("stop", Kind::Text),
    ("reached_stop", Kind::Flag),
    ("topped_out", Kind::Flag),
    ("crashed", Kind::Flag),
    ("score", Kind::Integer),
    ("line_points", Kind::Integer),
    ("shown_score", Kind::Integer),
    ("lines", Kind::Integer),
    ("level", Kind::Integer),
    ("singles", Kind::Integer),
    ("doubles", Kind::Integer),
    ("triples", Kind::Integer),
    ("tetrises", Kind::Integer),
    ("pieces", Kind::Integer),
    ("decisions", Kind::Integer),
    ("replans", Kind::Integer),
    ("cpu_ms_per_decision", Kind::Real),
    ("wall_s", Kind::Real),
    ("menu_frames", Kind::Integer),
    ("frames", Kind::Integer),
    ("ram_crc32", Kind::TextOrNull),
];

/// Number of a run in its library, from 1; never given twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RunId(i64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Text that is no run id.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("run {0:?}: expected a run's number, as `maxout runs list` shows it")]
pub struct ParseRunIdError(String);

impl FromStr for RunId {
    type Err = ParseRunIdError;

    fn from_str(text: &str) -> Result<Self, ParseRunIdError> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|id| digits && *id > 0)
            .map(Self)
            .ok_or_else(|| ParseRunIdError(text.to_owned()))
    }
}

/// A kept game without its log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// Its record.
    #[serde(flatten)]
    pub record: Record,
    /// Its statistics.
    pub statistics: Statistics,
}

/// Why the library did not do as it was asked.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// The platform names no folder for data.
    #[error("no folder for the run library: expected --runs DIR, {VARIABLE} or a home folder")]
    NoHome,
    /// There is none.
    #[error("{}: no run library there (`maxout play` makes one)", .0.display())]
    Missing(PathBuf),
    /// The folder or the file could not be made.
    #[error("{}: {error}", path.display())]
    Io {
        /// What could not be made.
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
    #[error("{}: run library of version {found}, expected {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i32,
    },
    /// The file is not whole.
    #[error("{}: the run library is damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// SQLite failed for another reason: a full disk, another writer that never ends.
    #[error("{}: {error}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
    /// No run has that number.
    #[error("run {id}: not in {}", path.display())]
    NoRun {
        /// The file.
        path: PathBuf,
        /// The number.
        id: RunId,
    },
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

type Result<T, E = LibraryError> = std::result::Result<T, E>;

/// The folder of the library: `given`, or the one that [`VARIABLE`] names, or the platform's folder for data.
pub fn folder(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(folder) = given {
        return Ok(folder.to_owned());
    }
    match env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        Some(folder) => Ok(folder.into()),
        None => ProjectDirs::from("", "", "maxout")
            .map(|folders| folders.data_dir().join("runs"))
            .ok_or(LibraryError::NoHome),
    }
}

/// An open library.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    connection: Connection,
}

impl Library {
    /// Opens the library in `folder`, which must exist. The file is only read, whatever state it is in.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Err(LibraryError::Missing(path));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags).map_err(|e| explain(&path, e))?;
        let library = Self { path, connection };
        library.check()?;
        Ok(library)
    }

    /// Opens the library in `folder` to write; makes folder and library if they are not there.
    pub fn open_or_create(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        crate::files::prepare_folder(folder)
            .map_err(|error| LibraryError::Io { path: folder.to_owned(), error })?;
        if !path.exists() {
            create(folder, &path)?;
        }
        let library = Self::open(folder)?;
        // A library that cannot be written is refused now, not after the first game.
        library.connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK").map_err(|e| library.explain(e))?;
        Ok(library)
    }

    /// The library's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn explain(&self, error: rusqlite::Error) -> LibraryError {
        explain(&self.path, error)
    }

    /// Looks the whole file over before anything is believed or written. All reads are in one transaction, so no
    /// writer comes between them.
    fn check(&self) -> Result<()> {
        self.look_over().unwrap_or_else(|error| Err(self.explain(error)))
    }

    fn look_over(&self) -> rusqlite::Result<Result<()>> {
        let path = self.path.clone();
        self.connection.busy_timeout(PATIENCE)?;
        self.connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")?;
        let look = self.connection.unchecked_transaction()?;
        let number = |name: &str| look.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let application = number("application_id")?;
        if application != i64::from(APPLICATION) {
            let found = format!("application id {application:#x}, expected {APPLICATION:#x}");
            return Ok(Err(LibraryError::Foreign { path, found }));
        }
        let found = look.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found != VERSION {
            return Ok(Err(LibraryError::Version { path, found }));
        }
        let want = number("page_count")?.saturating_mul(number("page_size")?).cast_unsigned();
        let bytes = fs::metadata(&path).map_or(0, |data| data.len());
        if bytes < want {
            let message = format!("{bytes} bytes, expected {want}");
            return Ok(Err(LibraryError::Damaged { path, message }));
        }
        let message: String = look.pragma_query_value(None, "quick_check", |row| row.get(0))?;
        if message != "ok" {
            return Ok(Err(LibraryError::Damaged { path, message }));
        }
        if look.prepare(&format!("SELECT id, {}, statistics, log FROM runs", names())).is_err() {
            let message = "expected the table runs as version 1 has it".to_owned();
            return Ok(Err(LibraryError::Damaged { path, message }));
        }
        Ok(Ok(()))
    }

    /// The numbers of all runs, or of one player's, oldest first.
    pub fn ids(&self, player: Option<&str>) -> Result<Vec<RunId>> {
        let read = || -> rusqlite::Result<Vec<RunId>> {
            let sql = "SELECT id FROM runs WHERE ?1 IS NULL OR player = ?1 ORDER BY id";
            self.connection.prepare(sql)?.query_map([player], |row| row.get(0).map(RunId))?.collect()
        };
        read().map_err(|e| self.explain(e))
    }

    /// All records, or one player's, oldest first.
    pub fn records(&self, player: Option<&str>) -> Result<Vec<(RunId, Record)>> {
        // Row by row and not all in one query: nobody who writes has to wait for a reader.
        self.ids(player)?.into_iter().map(|id| Ok((id, self.row(id, "", record)?))).collect()
    }

    /// One run.
    pub fn run(&self, id: RunId) -> Result<Run> {
        self.row(id, ", statistics", |row| {
            let text: String = row.get("statistics").map_err(|e| e.to_string())?;
            let statistics = serde_json::from_str(&text).map_err(|e| format!("statistics: {e}"))?;
            Ok(Run { id, record: record(row)?, statistics })
        })
    }

    /// The record of a run and its whole button log.
    pub fn record_and_log(&self, id: RunId) -> Result<(Record, InputLog)> {
        self.row(id, ", log", |row| {
            let record = record(row)?;
            let blob: Vec<u8> = row.get("log").map_err(|e| e.to_string())?;
            let log = unpack(&blob).map_err(|e| format!("button log: {e}"))?;
            match record.quarrel(log.len()) {
                Some(message) => Err(message),
                None => Ok((record, log)),
            }
        })
    }

    /// Reads the record's columns and `more` of one row.
    fn row<T>(&self, id: RunId, more: &str, read: impl FnOnce(&Row<'_>) -> Result<T, String>) -> Result<T> {
        let sql = format!("SELECT {}{more} FROM runs WHERE id = ?1", names());
        let find = || self.connection.prepare_cached(&sql)?.query_row([id.0], |row| Ok(read(row))).optional();
        match find().map_err(|e| self.explain(e))? {
            None => Err(LibraryError::NoRun { path: self.path.clone(), id }),
            Some(Ok(read)) => Ok(read),
            Some(Err(message)) => Err(LibraryError::Run { path: self.path.clone(), id, message }),
        }
    }
}

/// Makes an empty library under another name and links it to its own, so that nobody ever sees half of one. If
/// another process was first, its library stays.
fn create(folder: &Path, path: &Path) -> Result<()> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".library-{}-{number}.tmp", process::id()));
    // What a killed process of the same number left.
    let _ = fs::remove_file(&temporary);
    let columns: String = COLUMNS.iter().map(|(name, kind)| format!("{name} {}, ", kind.sql())).collect();
    // A rollback journal and not WAL: it works on network folders, where clusters keep homes, and at rest the
    // library is one file.
    let schema = format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};
         CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, {columns}
         statistics TEXT NOT NULL, log BLOB NOT NULL) STRICT;"
    );
    let made = Connection::open(&temporary)
        .and_then(|connection| connection.execute_batch(&schema))
        .map_err(|e| explain(&temporary, e))
        .and_then(|()| match fs::hard_link(&temporary, path) {
            Err(_) if path.exists() => Ok(()),
            // Some file systems have no links.
            Err(_) => fs::rename(&temporary, path)
                .map_err(|error| LibraryError::Io { path: path.to_owned(), error }),
            Ok(()) => Ok(()),
        });
    // Gone already after a rename.
    let _ = fs::remove_file(&temporary);
    made
}

fn explain(path: &Path, error: rusqlite::Error) -> LibraryError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            LibraryError::Foreign { path, found: "no SQLite database".to_owned() }
        }
        Some(ErrorCode::DatabaseCorrupt) => LibraryError::Damaged { path, message: error.to_string() },
        _ => LibraryError::Sqlite { path, error },
    }
}

impl Kind {
    const fn sql(self) -> &'static str {
        match self {
            Self::Text | Self::Digits => "TEXT NOT NULL",
            Self::TextOrNull => "TEXT",
            Self::Integer | Self::Flag => "INTEGER NOT NULL",
            Self::Real => "REAL NOT NULL",
        }
    }
}

fn names() -> String {
    COLUMNS.map(|(name, _)| name).join(", ")
}

/// The names of a record's columns.
pub(super) fn columns() -> impl Iterator<Item = &'static str> {
    COLUMNS.into_iter().map(|(name, _)| name)
}

/// A record's fields in the order of the columns.
pub(super) fn flat(record: &Record) -> Vec<Json> {
    let mut fields = serde_json::to_value(record).unwrap_or_default();
    columns()
        .map(|name| {
            let field = match name {
                "rom_name" => fields.pointer_mut("/rom/name"),
                "rom_sha1" => fields.pointer_mut("/rom/sha1"),
                _ => fields.get_mut(name),
            };
            field.map(Json::take).unwrap_or_default()
        })
        .collect()
}

/// What does not fit becomes NULL, which the schema refuses.
fn to_sql(kind: Kind, value: &Json) -> Sql {
    match kind {
        Kind::Text | Kind::TextOrNull => value.as_str().map(|text| Sql::Text(text.to_owned())),
        Kind::Integer => value.as_i64().map(Sql::Integer),
        Kind::Real => value.as_f64().map(Sql::Real),
        Kind::Flag => value.as_bool().map(|flag| Sql::Integer(i64::from(flag))),
        Kind::Digits => value.as_u64().map(|number| Sql::Text(number.to_string())),
    }
    .unwrap_or(Sql::Null)
}

fn from_sql(kind: Kind, value: ValueRef<'_>) -> Option<Json> {
    match (kind, value) {
        (Kind::TextOrNull, ValueRef::Null) => Some(Json::Null),
        (Kind::Text | Kind::TextOrNull, ValueRef::Text(text)) => {
            std::str::from_utf8(text).ok().map(Json::from)
        }
        (Kind::Integer, ValueRef::Integer(number)) => Some(number.into()),
        (Kind::Real, ValueRef::Real(number)) => Some(number.into()),
        (Kind::Flag, ValueRef::Integer(flag @ (0 | 1))) => Some((flag == 1).into()),
        (Kind::Digits, ValueRef::Text(text)) => {
            std::str::from_utf8(text).ok()?.parse::<u64>().ok().map(Json::from)
        }
        _ => None,
    }
}

/// The record in a row.
fn record(row: &Row<'_>) -> Result<Record, String> {
    let mut fields = serde_json::Map::new();
    let mut rom = serde_json::Map::new();
    for (name, kind) in COLUMNS {
        let value = row.get_ref(name).map_err(|e| e.to_string())?;
        let value = from_sql(kind, value).ok_or_else(|| format!("{name}: expected {}", kind.sql()))?;
        match name.strip_prefix("rom_") {
            Some(name) => rom.insert(name.to_owned(), value),
            None => fields.insert(name.to_owned(), value),
        };
    }
    fields.insert("rom".to_owned(), rom.into());
    fields.insert("format".to_owned(), super::run::FORMAT.into());
    serde_json::from_value(fields.into()).map_err(|e| e.to_string())
}

/// A log as a zlib stream of one byte a frame.
fn pack(log: &InputLog) -> Vec<u8> {
    let bytes: Vec<u8> = log.frames().iter().map(|buttons| buttons.0).collect();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Memory does not refuse a write.
    let written = encoder.write_all(&bytes);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// Reads [`pack`]'s bytes.
fn unpack(blob: &[u8]) -> io::Result<InputLog> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(blob).take(MAX_FRAMES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_FRAMES {
        return Err(io::Error::other("expected at most 6,000,000 frames"));
    }
    Ok(bytes.into_iter().map(Buttons).collect())
}
