//! The run library's folder, for the commands that read from it.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::library::store::{self, Library};

/// Where runs are kept.
#[derive(clap::Args)]
pub struct LibraryArgs {
    /// Folder of the run library. `play` keeps its games there without being told, `sim` only with this flag, which it takes without
    /// DIR, too [default: `MAXOUT_RUNS`, or maxout/runs in the platform's folder for data]
    #[arg(long, global = true, value_name = "DIR", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "a flag whose value may be left out")]
    runs: Option<Option<PathBuf>>,
}

impl LibraryArgs {
    /// Whether the flag was given.
    pub(crate) const fn is_given(&self) -> bool {
        self.runs.is_some()
    }

    /// The folder that the flag names.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.runs.as_ref()?.as_deref()
    }

    /// The same for commands that need its name.
    pub(crate) fn dir(&self) -> anyhow::Result<Option<&Path>> {
        if self.is_given() && self.named().is_none() {
            bail!("--runs: no value, expected <DIR>");
        }
        Ok(self.named())
    }

    /// The folder of the library.
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        Ok(store::folder(self.dir()?)?)
    }

    pub(crate) fn open(&self) -> anyhow::Result<Library> {
        Ok(Library::open(&self.folder()?)?)
    }

    /// As [`open`](Self::open), to change it.
    pub(crate) fn open_to_write(&self) -> anyhow::Result<Library> {
        Ok(Library::open_to_write(&self.folder()?)?)
    }
}
