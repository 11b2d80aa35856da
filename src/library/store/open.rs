//! [`Library`]: an open run library, with its queries and changes.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, io};

use directories::ProjectDirs;
use rusqlite::limits::Limit;
use rusqlite::{
    Connection, ErrorCode, MAIN_DB, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior,
};
use serde::{Deserialize, Serialize};

use super::columns::{names, record};
use super::error::{LibraryError, Result, VARIABLE, explain};
use super::filter::RunFilter;
use super::id::RunId;
use super::log::{unpack, unpack_bytes};
use super::note::{Note, check};
use super::schema::{create, migrate};
use super::version::{APPLICATION, OLDEST, VERSION, note_column};
use crate::stats::Statistics;
use crate::text::brief;
use maxout_record::champs as frames;
use maxout_record::result::HostKind;
use maxout_record::run::Record;
use maxout_rules::input::InputLog;

/// Name of the library's file in its folder.
pub const FILE: &str = "library.sqlite";
/// Most bytes of a text, a blob or a row, and of all that SQLite holds in memory. The longest log is 6 MB.
pub(super) const MAX_FIELD: i32 = 16 << 20;
pub(super) const MAX_MEMORY: i64 = 128 << 20;
/// Steps of SQLite's machine that looking a library over may take: some for each byte, and some for small ones. A whole
/// one takes less than two for a byte.
const STEPS: (u64, u64) = (20, 10_000_000);
/// Steps between two looks at their number.
const STRIDE: i32 = 100_000;
/// How long to wait for another process that writes.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// A kept game as it is listed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// Its number.
    pub id: RunId,
    /// Its record.
    #[serde(flatten)]
    pub record: Record,
    /// The note about it.
    #[serde(default)]
    pub note: String,
}

/// A kept game without its log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Its number.
    pub id: RunId,
    /// Its record.
    #[serde(flatten)]
    pub record: Record,
    /// The note about it.
    #[serde(default)]
    pub note: String,
    /// Its statistics.
    pub statistics: Statistics,
}

/// A row that does not make a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedRun {
    /// Its number.
    pub id: RunId,
    /// What is wrong.
    pub message: String,
}

/// Runs, and the damaged ones among them.
#[derive(Clone, PartialEq, Debug)]
pub struct Readable<T> {
    /// Those that could be read.
    pub runs: Vec<T>,
    /// The others.
    pub damaged: Vec<DamagedRun>,
}

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
    pub(super) connection: Connection,
    /// Version of its schema.
    version: i32,
}

impl Library {
    /// Opens the library in `folder`, which must exist. Nothing in it is changed, but what a killed writer has left half
    /// done is undone.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LibraryError::Missing(path)),
            Err(error) => return Err(LibraryError::Io { path, error }),
            Ok(found) if !found.is_file() => {
                return Err(LibraryError::Foreign {
                    path,
                    found: "not a regular file, expected one".to_owned(),
                });
            }
            Ok(_) => {}
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags).map_err(|e| explain(&path, e))?;
        let mut library = Self { path, connection, version: VERSION };
        library.version = library.check()?;
        Ok(library)
    }

    /// Opens the library in `folder` to change it, which must exist, and brings it up to date.
    pub fn open_to_write(folder: &Path) -> Result<Self> {
        let mut library = Self::open(folder)?;
        // SQLite opens a file that may only be read all the same, and says so when something is written, which may be after hours.
        if library.connection.is_readonly(MAIN_DB).map_err(|e| explain(&library.path, e))? {
            let error = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY);
            return Err(library.explain(rusqlite::Error::SqliteFailure(error, None)));
        }
        migrate(&mut library.connection).map_err(|e| explain(&library.path, e))?;
        library.version = VERSION;
        Ok(library)
    }

    /// Opens the library in `folder` to write; makes folder and library if they are not there.
    pub fn open_or_create(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        crate::files::prepare_folder(folder)
            .map_err(|error| LibraryError::Io { path: folder.to_owned(), error })?;
        // A link to where no library is yet stays: the library is made there.
        let target = maxout_host::links::resolve(&path).map_err(|error| LibraryError::Io { path, error })?;
        if !target.exists() {
            create(&target)?;
        }
        Self::open_to_write(folder)
    }

    /// The library's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn explain(&self, error: rusqlite::Error) -> LibraryError {
        explain(&self.path, error)
    }

    /// Looks the whole file over before anything is believed or written. All reads are in one transaction, so no
    /// writer comes between them. The answer is the version of its schema.
    fn check(&mut self) -> Result<i32> {
        let bytes = fs::metadata(&self.path).map_or(0, |data| data.len());
        let mut left = bytes.saturating_mul(STEPS.0).saturating_add(STEPS.1);
        let tired = move || {
            left = left.saturating_sub(STRIDE.unsigned_abs().into());
            left == 0
        };
        let looked = self
            .connection
            .progress_handler(STRIDE, Some(tired))
            .and_then(|()| self.look_over())
            .unwrap_or_else(|error| Err(self.explain(error)));
        self.connection.progress_handler(0, None::<fn() -> bool>).map_err(|e| self.explain(e))?;
        looked
    }

    fn look_over(&self) -> rusqlite::Result<Result<i32>> {
        let path = self.path.clone();
        self.connection.busy_timeout(PATIENCE)?;
        self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_FIELD)?;
        self.connection.pragma_update_and_check(None, "hard_heap_limit", MAX_MEMORY, |_| Ok(()))?;
        self.connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")?;
        let look = self.connection.unchecked_transaction()?;
        let number = |name: &str| look.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let found = match identify(&look, &path)? {
            Ok(found) => found,
            refused => return Ok(refused),
        };
        let want = number("page_count")?.saturating_mul(number("page_size")?).cast_unsigned();
        let bytes = fs::metadata(&path).map_or(0, |data| data.len());
        if bytes < want {
            let message = format!("{bytes} bytes, expected {want}");
            return Ok(Err(LibraryError::Torn { path, message }));
        }
        if let Some(message) = strangers(&look)? {
            return Ok(Err(LibraryError::Damaged { path, message }));
        }
        let message: String = look.pragma_query_value(None, "quick_check", |row| row.get(0))?;
        if message != "ok" {
            let message = brief(&message);
            return Ok(Err(LibraryError::Torn { path, message }));
        }
        let sql = format!("SELECT id, {}, statistics, log, {} FROM runs", names(), note_column(found));
        if look.prepare(&sql).is_err() {
            let message = format!("expected the table runs as version {found} has it");
            return Ok(Err(LibraryError::Damaged { path, message }));
        }
        Ok(Ok(found))
    }

    /// Removes these runs, all or none: the first that is not there is named and nothing is removed.
    pub fn remove(&mut self, ids: &[RunId]) -> Result<()> {
        let path = self.path.clone();
        self.change(|change| {
            for &id in ids {
                if change.execute("DELETE FROM runs WHERE id = ?1", [id.0])? == 0 {
                    return Ok(Err(LibraryError::NoRun { path, id }));
                }
            }
            Ok(Ok(()))
        })
    }

    /// Puts a note on a run in place of the one that it has, and returns it. What the old one says was not read of a game from a video or
    /// a recording stays at its end.
    pub fn set_note(&mut self, id: RunId, note: &Note) -> Result<Note> {
        let path = self.path.clone();
        let is_read = self.host(id).is_ok_and(HostKind::is_read);
        self.change(|change| {
            let mut note = note.clone();
            if is_read {
                let before = change.query_row("SELECT note FROM runs WHERE id = ?1", [id.0], |row| {
                    Ok(row.get_ref("note")?.as_str().unwrap_or_default().to_owned())
                });
                note = note.keeping(&before.optional()?.unwrap_or_default());
            }
            let changed = change.execute("UPDATE runs SET note = ?2 WHERE id = ?1", (id.0, &note.0))?;
            Ok(if changed == 0 { Err(LibraryError::NoRun { path, id }) } else { Ok(note) })
        })
    }

    /// Makes a change in one transaction, which is undone if it fails.
    pub(super) fn change<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<Result<T>>,
    ) -> Result<T> {
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let changed = change(&transaction)?;
            if changed.is_ok() {
                transaction.commit()?;
            }
            Ok(changed)
        };
        write(&mut self.connection).unwrap_or_else(|e| Err(explain(&self.path, e)))
    }

    /// The numbers of the runs that are meant, oldest first. Rows that are too large to read may be meant.
    pub fn find(&self, filter: &RunFilter) -> Result<Vec<RunId>> {
        let read = || -> rusqlite::Result<Vec<RunId>> {
            let mut query = self.connection.prepare_cached("SELECT id FROM runs ORDER BY id")?;
            query.query_map([], |row| row.get("id").map(RunId))?.collect()
        };
        let mut ids = read().map_err(|e| self.explain(e))?;
        if *filter == RunFilter::default() {
            return Ok(ids);
        }
        let sql = format!("SELECT player, {} FROM runs WHERE id = ?1", note_column(self.version));
        let mut query = self.connection.prepare_cached(&sql).map_err(|e| self.explain(e))?;
        let mut failed = None;
        ids.retain(|id| {
            let taken = query.query_row([id.0], |row| {
                let (player, note) = (row.get_ref("player")?, row.get_ref("note")?);
                // Whoever wants the text of a note sees whether it is damaged.
                Ok(filter.takes(player.as_str().unwrap_or_default(), note.as_str().unwrap_or_default()))
            });
            taken.unwrap_or_else(|error| {
                if !is_too_large(&error) && error != rusqlite::Error::QueryReturnedNoRows {
                    failed.get_or_insert(error);
                }
                true
            })
        });
        failed.map_or(Ok(ids), |error| Err(self.explain(error)))
    }

    /// The numbers of the runs that may have player, seed and score in common with a record, oldest first.
    pub(in crate::library) fn alike(&self, record: &Record) -> Result<Vec<RunId>> {
        let Record { player, seed, result, .. } = record;
        let sql = "SELECT id FROM runs WHERE player = ?1 AND seed = ?2 AND score = ?3 ORDER BY id";
        let read = || -> rusqlite::Result<Vec<RunId>> {
            let mut query = self.connection.prepare(sql)?;
            let score = i64::try_from(result.score).unwrap_or(i64::MAX);
            query.query_map((player, seed.to_string(), score), |row| row.get("id").map(RunId))?.collect()
        };
        match read() {
            Err(error) if is_too_large(&error) => self.ids(None),
            found => found.map_err(|e| self.explain(e)),
        }
    }

    /// The runs that are meant, oldest first.
    pub fn list(&self, filter: &RunFilter) -> Result<Readable<Listed>> {
        let mut runs = Vec::new();
        let damaged = self.read_each(&self.find(filter)?, Self::listed, |run| runs.push(run))?;
        Ok(Readable { runs, damaged })
    }

    /// Reads these runs one by one. Damaged ones are returned and hide no others; those that were removed meanwhile are left out.
    pub fn read_each<T>(
        &self,
        ids: &[RunId],
        read: impl Fn(&Self, RunId) -> Result<T>,
        mut take: impl FnMut(T),
    ) -> Result<Vec<DamagedRun>> {
        let mut damaged = Vec::new();
        // Row by row and not all in one query: nobody who writes has to wait for a reader.
        for &id in ids {
            match read(self, id) {
                Ok(run) => take(run),
                Err(LibraryError::Run { id, message, .. }) => damaged.push(DamagedRun { id, message }),
                Err(LibraryError::NoRun { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(damaged)
    }

    /// One run as it is listed.
    pub fn listed(&self, id: RunId) -> Result<Listed> {
        self.row(id, "", |row| Ok(Listed { id, record: record(row)?, note: note(row)? }))
    }

    /// The numbers of all runs, or of one player's, oldest first.
    pub fn ids(&self, player: Option<&str>) -> Result<Vec<RunId>> {
        self.find(&RunFilter { player: player.map(str::to_owned), ..RunFilter::default() })
    }

    /// All records, or one player's, oldest first.
    pub fn records(&self, player: Option<&str>) -> Result<Vec<(RunId, Record)>> {
        self.ids(player)?.into_iter().map(|id| Ok((id, self.listed(id)?.record))).collect()
    }

    /// One run.
    pub fn run(&self, id: RunId) -> Result<Run> {
        self.row(id, ", statistics", |row| {
            Ok(Run { id, record: record(row)?, note: note(row)?, statistics: statistics(row)? })
        })
    }

    /// Whether all of a run but its note can be read.
    pub(super) fn run_without_note(&self, id: RunId) -> Result<()> {
        self.row(id, ", statistics", |row| record(row).and_then(|_| statistics(row)).map(|_| ()))
    }

    /// What a run was played on or read from, whatever its note is.
    fn host(&self, id: RunId) -> Result<HostKind> {
        self.row(id, "", |row| record(row).map(|record| record.host))
    }

    /// The record of a game that was read from a video or a recording, and the frames of its recording (.ngf).
    pub fn record_and_frames(&self, id: RunId) -> Result<(Record, Vec<u8>)> {
        if !self.host(id)?.is_read() {
            return Err(LibraryError::NoFrames(id));
        }
        self.row(id, ", log", |row| {
            let record = record(row)?;
            let blob: Vec<u8> = row.get("log").map_err(|e| e.to_string())?;
            let frames = unpack_bytes(&blob).map_err(|e| format!("recording: {e}"))?;
            frames::read(&frames).map_err(|e| format!("recording: {e}"))?;
            Ok((record, frames))
        })
    }

    /// Whether all that is kept of a run can be read: its buttons or its recording.
    pub fn check_whole(&self, id: RunId) -> Result<()> {
        match self.record_and_log(id) {
            Err(LibraryError::NoButtons { .. }) => self.record_and_frames(id).map(|_| ()),
            checked => checked.map(|_| ()),
        }
    }

    /// The record of a run and its whole button log.
    pub fn record_and_log(&self, id: RunId) -> Result<(Record, InputLog)> {
        let host = self.host(id)?;
        if host.is_read() {
            return Err(LibraryError::NoButtons { id, host });
        }
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

    /// Reads the record's columns, the note and `more` of one row.
    fn row<T>(&self, id: RunId, more: &str, read: impl FnOnce(&Row<'_>) -> Result<T, String>) -> Result<T> {
        let note = note_column(self.version);
        let sql = format!("SELECT {}, {note}{more} FROM runs WHERE id = ?1", names());
        let find = || self.connection.prepare_cached(&sql)?.query_row([id.0], |row| Ok(read(row))).optional();
        let message = || format!("expected no column of more than {} MiB", MAX_FIELD >> 20);
        let found = match find() {
            Err(error) if is_too_large(&error) => Some(Err(message())),
            found => found.map_err(|error| self.explain(error))?,
        };
        match found {
            None => Err(LibraryError::NoRun { path: self.path.clone(), id }),
            Some(Ok(read)) => Ok(read),
            Some(Err(message)) => Err(LibraryError::Run { path: self.path.clone(), id, message }),
        }
    }
}

/// Whether a text or a blob is larger than [`MAX_FIELD`].
fn is_too_large(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::TooBig)
}

/// The version of a library's schema, if the database is a library that this program reads.
pub(super) fn identify(look: &Connection, path: &Path) -> rusqlite::Result<Result<i32>> {
    let path = path.to_owned();
    let application = look.pragma_query_value(None, "application_id", |row| row.get::<_, i64>(0))?;
    if application != i64::from(APPLICATION) {
        let found = format!("application id {application:#x}, expected {APPLICATION:#x}");
        return Ok(Err(LibraryError::Foreign { path, found }));
    }
    let found = look.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if !(OLDEST..=VERSION).contains(&found) {
        return Ok(Err(LibraryError::Version { path, found }));
    }
    Ok(Ok(found))
}

/// What is not as in a library, although it may answer as one would: `runs` is a view, whose rows may never end, a
/// trigger changes what is written, a column is reckoned from others.
pub(super) fn strangers(look: &Connection) -> rusqlite::Result<Option<String>> {
    let count = |sql: &str| look.query_row(sql, [], |row| row.get::<_, i64>(0));
    let found = [
        (
            1,
            "SELECT count(*) FROM pragma_table_list('runs') WHERE schema = 'main' AND type = 'table'",
            "runs is no table",
        ),
        (0, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'", "there is a trigger"),
        (0, "SELECT count(*) FROM pragma_table_xinfo('runs') WHERE hidden <> 0", "a column is generated"),
    ];
    for (wanted, sql, what) in found {
        if count(sql)? != wanted {
            return Ok(Some(format!("{what}, expected the table runs of a run library")));
        }
    }
    Ok(None)
}

fn statistics(row: &Row<'_>) -> Result<Statistics, String> {
    let text: String = row.get("statistics").map_err(|e| format!("statistics: {e}"))?;
    serde_json::from_str(&text).map_err(|e| format!("statistics: {}", brief(&e)))
}

fn note(row: &Row<'_>) -> Result<String, String> {
    let note: String = row.get("note").map_err(|e| format!("note: {e}"))?;
    check(&note).map_err(|error| format!("note: {error}"))?;
    Ok(note)
}
