//! Files as the user names them: written whole or not at all ([`write()`], [`Draft`]), read with a bound on memory and
//! patience ([`read`], [`open`]), and refused before any work if they cannot be written ([`check_output`]). A [`FolderLock`] lets one
//! process at a time into a folder, and tables for spreadsheets are a [`Csv`](csv::Csv).
//!
//! `-` is stdout. A symbolic link is followed and stays, an existing file keeps its mode, and a device or a pipe is
//! written to as it is.

pub mod csv;
mod draft;
mod lock;
mod output;
mod path;
mod pipe;
mod source;
#[cfg(all(test, unix))]
mod tests;

pub use draft::{Draft, write, write_new, write_with};
pub use lock::{FolderLock, LockError};
pub use output::{check_output, check_output_folder, prepare_folder};
pub use path::is_stdout;
pub use source::{Source, open, read, read_text, text_of};
