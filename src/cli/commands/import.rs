//! `maxout runs import`: runs from folders into the library.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::Context;

use crate::cli::args::source::Source;
use crate::cli::exit::INTERRUPTED;
use crate::cli::interrupt;
use crate::cli::output::{answer, progress::Progress};
use crate::library::import::{Checked, ImportError};
use crate::library::store::{self, Library, Taken};
use crate::library::verify::VerifyError;
use crate::results::runs::short_text;
use maxout_host::session::SessionError;

/// Checks the runs in all of these folders, and then adds them to the library.
pub(crate) fn run(folders: &[PathBuf], runs: Option<&Path>) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::flag()?;
    let mut go_on = || !interrupt.load(Ordering::Relaxed);
    let mut read = |folder: &PathBuf| match Checked::read(folder, &mut go_on) {
        Err(ImportError::Verify(VerifyError::Session(SessionError::Interrupted))) => Ok(None),
        // This error begins with the path of the file.
        Err(error @ ImportError::Run(_)) => Err(error.into()),
        checked => checked.map(Some).with_context(|| folder.display().to_string()),
    };
    // Nothing is written before all runs have been checked. They are read again to be written, because all logs together
    // may not fit into memory.
    let bar = Progress::new(folders.len() as u64, "runs");
    folders.iter().try_for_each(|folder| Source::of_run(folder, "the folder of a run, or its run.json"))?;
    for folder in folders {
        if read(folder)?.is_none() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        bar.inc(1);
    }
    bar.finish();
    let mut library = Library::open_or_create(&store::folder(runs)?)?;
    for folder in folders {
        let Some(checked) = read(folder)? else { return Ok(ExitCode::from(INTERRUPTED)) };
        let folder = folder.display();
        answer(&match library.take(&checked)? {
            Taken::Kept(id) => format!("run {id} from {folder}: {}", short_text(checked.record())),
            Taken::Known(id) => format!("{folder}: not taken, the library has it as run {id}"),
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
