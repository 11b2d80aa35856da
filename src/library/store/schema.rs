//! The schema of a library: how an empty library is made, and how an older one is brought up to date.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::columns::columns;
use super::error::{LibraryError, Result, explain};
use super::version::{APPLICATION, VERSION};
use crate::files;

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

/// Makes an empty library, whole or not at all: nobody ever sees half of one. If another process was first, its library stays.
pub(super) fn create(path: &Path) -> Result<()> {
    let columns: String = columns().map(|(name, kind)| format!("{name} {}, ", kind.sql())).collect();
    // A rollback journal and not WAL: it works on network folders, where clusters keep homes, and at rest the
    // library is one file.
    let schema = format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};
         CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, {columns}
         statistics TEXT NOT NULL, log BLOB NOT NULL, {NOTE}) STRICT;"
    );
    let made = || -> rusqlite::Result<Vec<u8>> {
        let mut connection = Connection::open_in_memory()?;
        connection.execute_batch(&schema)?;
        Ok(connection.serialize("main")?.to_vec())
    };
    let bytes = made().map_err(|error| explain(path, error))?;
    files::write_new(path, &bytes).map_err(|error| LibraryError::Io { path: path.to_owned(), error })
}
