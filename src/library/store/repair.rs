//! Repairing a library: damaged runs are moved into the library [`ASIDE`], so that those that can be read are left.

use std::path::{Path, PathBuf};

use rusqlite::Transaction;
use rusqlite::limits::Limit;

use super::columns::names;
use super::error::{LibraryError, Result};
use super::id::RunId;
use super::note::clean;
use super::open::{DamagedRun, FILE, Library, MAX_FIELD};

/// The folder of the library for damaged runs, in the folder of the library that had them.
pub const ASIDE: &str = "damaged";
/// Most bytes of a text or a blob that is moved.
pub(super) const MAX_MOVED: i32 = 2 * MAX_FIELD;

/// What [`Library::repair`] did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Repairs {
    /// Runs whose notes were cleaned, and why.
    pub notes: Vec<DamagedRun>,
    /// Runs that were moved aside, and why.
    pub aside: Vec<DamagedRun>,
    /// How many runs are left.
    pub left: u64,
}

impl Library {
    /// The folder to which [`Library::repair`] moves runs.
    pub fn aside(&self) -> PathBuf {
        self.path().parent().unwrap_or(Path::new("")).join(ASIDE)
    }

    /// Removes from notes what cannot be read, and moves all other damaged runs as they are to the library in [`Library::aside`].
    /// All or nothing.
    pub fn repair(&mut self) -> Result<Repairs> {
        let mut left = 0;
        let read = |library: &Self, id| library.run(id).and_then(|_| library.check_whole(id));
        let damaged = self.read_each(&self.ids(None)?, read, |()| left += 1)?;
        let (notes, aside): (Vec<_>, Vec<_>) =
            damaged.into_iter().partition(|run| self.is_whole_but_for_its_note(run.id));
        left += notes.len() as u64;
        if !aside.is_empty() {
            self.attach_aside()?;
        }
        let path = self.path().to_owned();
        self.change(|change| {
            for &DamagedRun { id, .. } in &notes {
                clean_note(change, id)?;
            }
            for &DamagedRun { id, .. } in &aside {
                if let Err(error) = move_aside(change, id) {
                    let message = format!("cannot be moved ({error}); `maxout runs rm {id}` removes it");
                    return Ok(Err(LibraryError::Run { path, id, message }));
                }
            }
            Ok(Ok(()))
        })?;
        Ok(Repairs { notes, aside, left })
    }

    fn is_whole_but_for_its_note(&self, id: RunId) -> bool {
        self.run_without_note(id).and_then(|()| self.check_whole(id)).is_ok()
    }

    /// Makes the library for damaged runs if it is not there, and attaches it as `aside`.
    fn attach_aside(&mut self) -> Result<()> {
        let folder = self.aside();
        drop(Self::open_or_create(&folder)?);
        let path = folder.join(FILE);
        let Some(name) = path.to_str() else {
            let error = std::io::Error::other(
                "the path is not UTF-8, expected a library in a folder of another name",
            );
            return Err(LibraryError::Io { path, error });
        };
        let attach = || {
            self.connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_MOVED)?;
            self.connection.execute("ATTACH ?1 AS aside", [name])
        };
        attach().map(|_| ()).map_err(|error| self.explain(error))
    }
}

fn clean_note(change: &Transaction<'_>, id: RunId) -> rusqlite::Result<()> {
    let note = change.query_row("SELECT note FROM main.runs WHERE id = ?1", [id.0], |row| {
        let bytes = row.get_ref("note")?.as_bytes().unwrap_or_default();
        Ok(clean(&String::from_utf8_lossy(bytes)))
    })?;
    change.execute("UPDATE main.runs SET note = ?2 WHERE id = ?1", (id.0, note)).map(|_| ())
}

/// Keeps the number of the run unless it is taken there.
fn move_aside(change: &Transaction<'_>, id: RunId) -> rusqlite::Result<()> {
    let columns = format!("{}, statistics, log, note", names());
    let sql = format!(
        "INSERT INTO aside.runs (id, {columns})
         SELECT CASE WHEN id IN (SELECT id FROM aside.runs) THEN NULL ELSE id END, {columns}
         FROM main.runs WHERE id = ?1"
    );
    change.execute(&sql, [id.0])?;
    change.execute("DELETE FROM main.runs WHERE id = ?1", [id.0]).map(|_| ())
}
