//! The schema of a library: how an empty library is made, and how an older one is brought up to date.

use std::fs::{self, OpenOptions};
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};
use tempfile::Builder;

use super::columns::COLUMNS;
use super::error::{LibraryError, Result, explain};
use super::version::{APPLICATION, VERSION};

/// The column that version 2 added.
const NOTE: &str = "note TEXT NOT NULL DEFAULT ''";

/// Brings a library up to date, in one transaction. It asks for the right to write even if there is nothing to do, so
/// that a library that cannot be written is refused before the first game and not after it.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let found: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found < VERSION {
        let sql = format!("ALTER TABLE runs ADD COLUMN {NOTE}; PRAGMA user_version = {VERSION}");
        transaction.execute_batch(&sql)?;
    }
    transaction.commit()
}

/// Makes an empty library under another name and links it to its own, so that nobody ever sees half of one. If
/// another process was first, its library stays.
pub(super) fn create(folder: &Path, path: &Path) -> Result<()> {
    // An empty file is an empty database.
    let make = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let temporary = Builder::new().prefix(".library-").suffix(".tmp").make_in(folder, make);
    let temporary =
        temporary.map_err(|error| LibraryError::Io { path: folder.to_owned(), error })?.into_temp_path();
    let columns: String = COLUMNS.iter().map(|(name, kind)| format!("{name} {}, ", kind.sql())).collect();
    // A rollback journal and not WAL: it works on network folders, where clusters keep homes, and at rest the
    // library is one file.
    let schema = format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};
         CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, {columns}
         statistics TEXT NOT NULL, log BLOB NOT NULL, {NOTE}) STRICT;"
    );
    // The file goes when its path is dropped, unless that was renamed.
    Connection::open(&temporary)
        .and_then(|connection| connection.execute_batch(&schema))
        .map_err(|e| explain(&temporary, e))
        .and_then(|()| match fs::hard_link(&temporary, path) {
            Err(_) if path.exists() => Ok(()),
            // Some file systems have no links.
            Err(_) => fs::rename(&temporary, path)
                .map_err(|error| LibraryError::Io { path: path.to_owned(), error }),
            Ok(()) => Ok(()),
        })
}
