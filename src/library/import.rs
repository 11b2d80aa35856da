//! Imports runs from folders into the library: [`Checked::read`] reads one and plays it again, [`Library::take`] keeps it.

use std::path::Path;

use thiserror::Error;

use super::read::ReadRun;
use super::run::{self, RunError};
use super::store::{Library, LibraryError, Taken};
use super::verify::{VerifyError, on_model};
use crate::stats::Statistics;
use maxout_record::run::Record;
use maxout_rules::input::InputLog;

/// Why the run in a folder is not added to a library.
#[derive(Debug, Error)]
pub enum ImportError {
    /// It holds no run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run could not be played again, or a user asked to stop.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// The log does not lead to what the record states.
    #[error("the run differs on the model: {0}")]
    Differs(String),
    /// The recording does not have what the record states.
    #[error("the run differs from its recording: {0}")]
    NotRead(String),
    /// A count is larger than a library can store.
    #[error("{0} {1}, expected at most {max}", max = i64::MAX)]
    Count(&'static str, u64),
}

/// A run whose log leads to what its record states, or one that was read, whose recording has what its record states.
#[derive(Debug)]
pub enum Checked {
    /// One that was played.
    Played(Box<(Record, InputLog, Statistics)>),
    /// One that was read.
    Read(Box<ReadRun>),
}

impl Checked {
    /// Reads the run in a folder and plays it again on the model. `go_on` is asked after every frame.
    pub fn read(folder: &Path, go_on: &mut dyn FnMut() -> bool) -> Result<Self, ImportError> {
        if let Some((record, note, frames)) = run::load_read(folder)? {
            check_counts(&record)?;
            let run = ReadRun::from_parts(record, note, frames).map_err(ImportError::NotRead)?;
            return Ok(Self::Read(Box::new(run)));
        }
        let (record, log) = run::load(folder)?;
        check_counts(&record)?;
        let replayed = on_model(&record, &log, go_on)?;
        match replayed.outcome {
            Some(outcome) if replayed.differences.is_empty() => {
                let statistics = Statistics::of(&outcome.locks, record.start_level);
                Ok(Self::Played(Box::new((record, log, statistics))))
            }
            _ => {
                let told: Vec<String> = replayed.differences.iter().map(ToString::to_string).collect();
                Err(ImportError::Differs(told.join("; ")))
            }
        }
    }

    /// The record.
    pub fn record(&self) -> &Record {
        match self {
            Self::Played(run) => &run.0,
            Self::Read(run) => run.record(),
        }
    }
}

/// Refuses counts that nothing else is compared with, if they are larger than a library can store.
fn check_counts(record: &Record) -> Result<(), ImportError> {
    let &Record { decisions, replans, frames, menu_frames, .. } = record;
    let counts =
        [("decisions", decisions), ("replans", replans), ("frames", frames), ("menu_frames", menu_frames)];
    match counts.into_iter().find(|&(_, count)| i64::try_from(count).is_err()) {
        Some((what, count)) => Err(ImportError::Count(what, count)),
        None => Ok(()),
    }
}

impl Library {
    /// Keeps a run, whole or not at all, unless the library has one that is equal in everything but `made_at`.
    pub fn take(&mut self, run: &Checked) -> Result<Taken, LibraryError> {
        let (record, log, statistics) = match run {
            Checked::Played(run) => (&run.0, &run.1, &run.2),
            Checked::Read(run) => return self.take_read(run),
        };
        for id in self.alike(record)? {
            // A damaged run does not count as equal.
            if let Ok((known, known_log)) = self.record_and_log(id)
                && known_log == *log
                && (Record { made_at: record.made_at.clone(), ..known }) == *record
            {
                return Ok(Taken::Known(id));
            }
        }
        Ok(Taken::Kept(self.add(record, statistics, log)?))
    }
}
