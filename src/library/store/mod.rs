//! The run library: all kept games in one SQLite file, [`FILE`], in a folder. [`Library::open`] for those who read,
//! [`Library::open_to_write`] for those who change what is there, [`Library::open_or_create`] for those who add.
//!
//! A run is one row, its button log a compressed blob in it: one transaction makes the whole run or none of it,
//! and there is no second file that could get lost. docs/reference/formats.md describes the columns.

mod adding;
mod columns;
mod error;
mod filter;
mod id;
mod log;
mod note;
mod open;
mod repair;
mod salvage;
mod schema;
mod version;

pub use adding::{Numbers, Taken};
pub(super) use columns::{columns, flat};
pub use error::{LibraryError, VARIABLE};
pub use filter::RunFilter;
pub use id::{ParseRunIdError, RunId};
pub(super) use note::NOT_READ;
pub use note::{Note, ParseNoteError, ParseTagError, Tag};
pub use open::{DamagedRun, FILE, Library, Listed, Readable, Run, folder};
pub use repair::{ASIDE, Repairs};
pub use salvage::{Salvaged, salvage};
