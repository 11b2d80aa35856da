//! `maxout runs verify`: button logs are played again, and what comes out is compared with the records.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::Context;
use serde::Serialize;

use crate::cli::args::json::Json;
use crate::cli::exit::{INTERRUPTED, NO};
use crate::cli::interrupt;
use crate::cli::output::progress::Progress;
use crate::cli::output::{answer, say};
use crate::library::store::{Library, LibraryError, RunId};
use crate::library::verify::{RunVerdict, Verifier, VerifyError};
use crate::words::{count, number};
use maxout_host::session::SessionError;
use maxout_record::result::HostKind;
use maxout_record::run::Record;

/// What became of one run, for `--json`.
#[derive(Serialize)]
struct Answer {
    id: RunId,
    verified: bool,
    #[serde(flatten)]
    verdict: Option<RunVerdict>,
    /// Why it could not be played again.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

/// Plays the runs again, and says of each at once what became of it. Runs that were named must be there and be readable;
/// among `all` a damaged one is a lost verification.
pub(crate) fn verify(
    library: &Library,
    ids: &[RunId],
    verifier: &mut Verifier,
    all: bool,
    json: &Json,
) -> anyhow::Result<ExitCode> {
    if !all {
        // A run that is not there is named before any is played.
        for &id in ids {
            let host = library.listed(id)?.record.host;
            if host.is_read() {
                return Err(LibraryError::NoButtons { id, host }.into());
            }
        }
    }
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(ids.len() as u64, "runs");
    let (mut done, mut broken_off, mut read) = (Vec::new(), None, 0);
    for &id in ids {
        bar.message(format!("run {id}"));
        let mut go_on = || !interrupt.load(Ordering::Relaxed);
        let verdict = library.record_and_log(id).map_err(anyhow::Error::from).and_then(|(record, log)| {
            let verdict = verifier.verify(&record, &log, &mut go_on);
            Ok((verdict.with_context(|| format!("run {id}"))?, record))
        });
        let line = match verdict {
            Ok((verdict, record)) => {
                let line = verdict_text(id, &verdict, &record);
                let verified = verdict.differences.is_empty();
                done.push(Answer { id, verified, verdict: Some(verdict), trouble: None });
                line
            }
            Err(error) if all && !is_interrupt(&error) => {
                let trouble = format!("{error:#}");
                // Nothing can verify it, so it is no failure.
                let is_read = matches!(error.downcast_ref(), Some(LibraryError::NoButtons { .. }));
                read += usize::from(is_read);
                let line = format!("not verified: {trouble}");
                done.push(Answer { id, verified: false, verdict: None, trouble: Some(trouble) });
                line
            }
            Err(error) => {
                broken_off = Some(error);
                break;
            }
        };
        bar.suspend(|| answer(&line))?;
        bar.inc(1);
    }
    bar.finish();
    let verified = done.iter().filter(|run| run.verified).count();
    let runs = count(ids.len() as u64, "run");
    let interrupted = broken_off.as_ref().is_some_and(is_interrupt);
    if let (Some(error), false) = (broken_off, interrupted) {
        if !done.is_empty()
            && let Err(error) = json.write(&done)
        {
            log::warn!("{error:#}");
        }
        return Err(error);
    }
    if !interrupted || !done.is_empty() {
        json.give(&done, &format!("{} of {runs} verified", number(verified as u64)))?;
    }
    if interrupted {
        say!("interrupted after {} of {runs}", number(done.len() as u64));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if verified + read == ids.len() { ExitCode::SUCCESS } else { ExitCode::from(NO) })
}

fn is_interrupt(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(VerifyError::Session(SessionError::Interrupted)))
}

fn verdict_text(id: RunId, verdict: &RunVerdict, record: &Record) -> String {
    if verdict.differences.is_empty() {
        let ram = match &record.ram_crc32 {
            Some(crc) if verdict.host == HostKind::Console => format!(", RAM {crc}"),
            _ => String::new(),
        };
        return format!(
            "run {id}: verified on the {}: score {}, {}, {}{ram}",
            verdict.host,
            number(record.result.score),
            count(record.result.lines, "line"),
            count(record.frames, "frame")
        );
    }
    let differences: Vec<String> = verdict.differences.iter().map(ToString::to_string).collect();
    format!("run {id}: differs on the {}: {}", verdict.host, differences.join("; "))
}
