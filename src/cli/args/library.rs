//! The run library's folder, for the commands that read from it.

use std::path::PathBuf;

use crate::library::store::{self, Library};

/// Where runs are kept.
#[derive(clap::Args)]
pub(crate) struct LibraryArgs {
    /// Folder of the run library [default: `MAXOUT_RUNS`, or maxout/runs in the platform's folder for data]
    #[arg(long, value_name = "DIR")]
    pub runs: Option<PathBuf>,
}

impl LibraryArgs {
    /// The folder of the library.
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        Ok(store::folder(self.runs.as_deref())?)
    }

    pub(crate) fn open(&self) -> anyhow::Result<Library> {
        Ok(Library::open(&self.folder()?)?)
    }

    /// As [`open`](Self::open), to change it.
    pub(crate) fn open_to_write(&self) -> anyhow::Result<Library> {
        Ok(Library::open_to_write(&self.folder()?)?)
    }
}
