//! Salvaging: a library with torn pages, as a power cut or a bad disk leaves them, is replaced by one with all runs that can still
//! be read. The damaged file is kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::limits::Limit;
use rusqlite::types::Value as Sql;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, TransactionBehavior, params_from_iter,
};

use super::columns::names;
use super::error::{LibraryError, Result, explain};
use super::id::RunId;
use super::open::{FILE, MAX_MEMORY, PATIENCE, identify, strangers};
use super::repair::{ASIDE, MAX_MOVED};
use super::schema::create;
use super::version::note_column;
use crate::files::FolderLock;
use crate::files::prepare_folder;
use maxout_host::links::resolve;
use maxout_host::temporary::sync_folder;

/// The library in the making, and what SQLite may leave beside it.
const FRESH: [&str; 2] = [".salvaged.sqlite", ".salvaged.sqlite-journal"];
/// Most numbers that are looked up one by one.
const MOST: i64 = 1_000_000;

/// What [`salvage`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Salvaged {
    /// How many runs were read.
    pub kept: u64,
    /// Numbers under which nothing can be read now. Some may never have been given.
    pub lost: Vec<RunId>,
    /// Where the damaged file is now.
    pub aside: PathBuf,
}

/// Replaces the library in `folder` by one with all runs that can be read, with their numbers. The damaged file is moved to the
/// folder [`ASIDE`]. Until the new library is complete, the damaged one stays in its place.
///
/// # Errors
/// If the file is no library, another process is at work on it, or nothing can be read or written.
pub fn salvage(folder: &Path) -> Result<Salvaged> {
    let named = folder.join(FILE);
    let failed = |path: &Path, error| LibraryError::Io { path: path.to_owned(), error };
    let path = resolve(&named).map_err(|error| failed(&named, error))?;
    let home = path.parent().unwrap_or(Path::new("")).to_owned();
    // Another process would build its own library under the same name.
    let _lock =
        FolderLock::take(&home).map_err(|error| failed(&home, io::Error::other(error.to_string())))?;
    let fresh = home.join(FRESH[0]);
    let clear = || FRESH.iter().for_each(|name| drop(fs::remove_file(home.join(name))));
    clear();
    create(&fresh)?;
    let moved = copy(&path, &fresh).and_then(|(kept, lost)| {
        let aside = place(&folder.join(ASIDE)).map_err(|error| failed(folder, error))?;
        let swap = || -> io::Result<()> {
            // The library's name is never without a file.
            fs::hard_link(&path, &aside).or_else(|_| fs::copy(&path, &aside).map(|_| ()))?;
            sync_folder(&folder.join(ASIDE))?;
            fs::rename(&fresh, &path)?;
            sync_folder(&home)
        };
        swap().map_err(|error| failed(&aside, error))?;
        Ok(Salvaged { kept, lost, aside })
    });
    clear();
    moved
}

/// A name that nothing has, in a folder that is made if need be.
fn place(folder: &Path) -> io::Result<PathBuf> {
    prepare_folder(folder)?;
    (1..10_000)
        .map(|number| folder.join(format!("torn-{number}.sqlite")))
        .find(|path| !path.exists())
        .ok_or_else(|| io::Error::other("10,000 damaged libraries are there, expected room for another"))
}

/// Copies all rows that can be read. Returns how many there are, and the numbers under which an error was found.
fn copy(path: &Path, fresh: &Path) -> Result<(u64, Vec<RunId>)> {
    // Two connections: what cannot be read in one would spoil the transaction of the other.
    let (mut torn, mut new) = (open(path)?, open(fresh)?);
    let (failed, unwritten) = (|error| explain(path, error), |error| explain(fresh, error));
    // Nobody writes meanwhile.
    let torn = torn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let version = identify(&torn, path).map_err(failed)??;
    if let Some(message) = strangers(&torn).map_err(failed)? {
        return Err(LibraryError::Damaged { path: path.to_owned(), message });
    }
    let columns = format!("id, {}, statistics, log", names());
    let read = format!("SELECT {columns}, {} FROM runs WHERE id = ?1", note_column(version));
    let count = columns.split(',').count() + 1;
    let holes = vec!["?"; count].join(", ");
    let write = format!("INSERT INTO runs ({columns}, note) VALUES ({holes})");
    let new = new.transaction().map_err(unwritten)?;
    let (mut kept, mut lost) = (0, Vec::new());
    for id in numbers(&torn) {
        let row =
            |row: &Row<'_>| (0..count).map(|column| row.get(column)).collect::<rusqlite::Result<Vec<Sql>>>();
        let found = torn.prepare_cached(&read).and_then(|mut read| read.query_row([id], row).optional());
        match found {
            Ok(None) => {}
            Ok(Some(row)) => {
                let insert =
                    new.prepare_cached(&write).and_then(|mut insert| insert.execute(params_from_iter(row)));
                match insert {
                    Ok(_) => kept += 1,
                    // A cell of another kind than its column's.
                    Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                        lost.push(RunId(id));
                    }
                    Err(error) => return Err(unwritten(error)),
                }
            }
            Err(error) if is_torn(&error) => lost.push(RunId(id)),
            Err(error) => return Err(failed(error)),
        }
    }
    // Numbers are not given again.
    let last = sequence(&torn);
    let end = || {
        let keep = "INSERT INTO sqlite_sequence (name, seq)
            SELECT 'runs', max(?1, coalesce((SELECT max(id) FROM runs), 0))";
        new.execute("DELETE FROM sqlite_sequence WHERE name = 'runs'", [])?;
        new.execute(keep, [last.unwrap_or(0)])?;
        new.commit()
    };
    end().map_err(unwritten)?;
    Ok((kept, lost))
}

/// Opens one of the two files.
fn open(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_MOVED)?;
        connection.pragma_update_and_check(None, "hard_heap_limit", MAX_MEMORY, |_| Ok(()))?;
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")?;
        Ok(connection)
    };
    open().map_err(|error| explain(path, error))
}

/// The numbers that runs may have: those that a walk finds from either end, and all in between that it cannot reach.
fn numbers(torn: &Connection) -> Vec<i64> {
    let walk = |order: &str| {
        let mut found = Vec::new();
        let mut read = || {
            let mut rows = torn.prepare(&format!("SELECT id FROM runs ORDER BY id {order}"))?;
            let mut rows = rows.query([])?;
            while let Some(row) = rows.next()? {
                found.push(row.get(0)?);
            }
            Ok::<_, rusqlite::Error>(())
        };
        let whole = read().is_ok();
        (found, whole)
    };
    let (mut found, whole) = walk("ASC");
    if whole {
        return found;
    }
    let (mut behind, _) = walk("DESC");
    let first = found.last().map_or(1, |last: &i64| last.saturating_add(1));
    let known = behind.last().copied().or_else(|| sequence(torn).map(|last| last.saturating_add(1)));
    let end = known.unwrap_or(i64::MAX).min(first.saturating_add(MOST));
    behind.reverse();
    found.extend(first..end);
    found.extend(behind);
    // A torn page may have any number in it.
    let last = sequence(torn).unwrap_or(i64::MAX);
    found.retain(|id| (1..=last).contains(id));
    found.sort_unstable();
    found.dedup();
    found
}

/// The last number that was given, if that can be read.
fn sequence(torn: &Connection) -> Option<i64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'runs'";
    torn.query_row(sql, [], |row| row.get(0)).optional().ok().flatten()
}

/// Whether a row cannot be read because of the file; a lack of memory is another matter.
fn is_torn(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    code.is_none_or(|code| matches!(code, ErrorCode::DatabaseCorrupt | ErrorCode::TooBig))
}
