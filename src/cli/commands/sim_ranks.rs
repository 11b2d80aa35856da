//! `maxout sim` in an MPI job: each rank plays its share, the first puts the shares together and writes.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};

use crate::cli::args::games::{FallArgs, GameArgs, Options};
use crate::cli::exit::INTERRUPTED;
use crate::cli::interrupt;
use crate::cli::output::{answer, say, write_json};
use crate::parallel::Ranks;
use crate::results::merge::merge;
use crate::results::{BatchResult, Tally};
use crate::stats::Statistics;
use maxout_host::batch::{self, Batch};
use maxout_record::cartridge;
use maxout_record::result::HostKind;
use maxout_record::run::RomName;

/// What this rank is to do.
struct Job {
    options: Options,
    share: Batch,
    jobs: usize,
}

impl Job {
    fn new(
        mut args: GameArgs,
        fall: FallArgs,
        (jobs, sharded): (usize, bool),
        ranks: &Ranks,
    ) -> anyhow::Result<Self> {
        if !ranks.leads() {
            // The others write nothing, and may not even have the folder.
            args.json = None;
        }
        let options = Options::new(args, fall.rule()?)?;
        let given = [("--runs", options.keep), ("--shard", sharded)];
        if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) {
            bail!("{flag}: expected one process, this is an MPI job of several");
        }
        let whole = options.batch.clone();
        let share = match ranks.share() {
            Some(share) => share.take(&whole)?,
            None => whole,
        };
        Ok(Self { options, share, jobs })
    }
}

/// Plays the batch over all ranks, each on `jobs` threads. Each of them sends its games or its error, and the first tells
/// of all. `sharded` says that a share of the games was asked for, which is refused here.
pub(crate) fn sim(
    args: GameArgs,
    fall: FallArgs,
    (jobs, sharded): (usize, bool),
    ranks: &Ranks,
) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::flag()?;
    let job = Job::new(args, fall, (jobs, sharded), ranks);
    let played = match &job {
        Ok(job) => play(job, &interrupt).map_err(|error| format!("{error:#}")),
        Err(error) => Err(format!("{error:#}")),
    };
    let Some(messages) = ranks.gather(serde_json::to_vec(&played)?) else { return Ok(ExitCode::SUCCESS) };
    let Job { options, .. } = job?;
    if interrupt.load(Ordering::Relaxed) {
        say!("interrupted");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let shards = (0..).zip(messages).map(|(rank, message)| {
        let name = format!("rank {rank}");
        let played: Result<BatchResult, String> =
            serde_json::from_slice(&message).with_context(|| name.clone())?;
        Ok((name.clone(), played.map_err(|reason| anyhow!("{name}: {reason}"))?))
    });
    let mut result = merge(shards.collect::<anyhow::Result<_>>()?)?;
    if !options.timings {
        result.leave_out_times();
    }
    let written = options.json.as_ref().map_or(Ok(()), |file| write_json("--json", file, &result));
    answer(&result.to_string())?;
    written.map(|()| ExitCode::SUCCESS)
}

/// The result of this rank's games.
fn play(job: &Job, interrupt: &AtomicBool) -> anyhow::Result<BatchResult> {
    let Job { options, share, jobs } = job;
    let begun = Instant::now();
    let mut tally = Tally::default();
    batch::sim(share, *jobs, interrupt, &mut |game| {
        tally.add(&game, &share.player, &Statistics::of(&game.outcome.locks, share.start_level), None);
        Ok(())
    })?;
    if tally.games() < share.games {
        bail!("interrupted");
    }
    let shard = tally.shard(&options.batch);
    let rom =
        RomName { name: cartridge::model_name(options.batch.fall_rule.region()).to_owned(), sha1: None };
    let mut result = tally.result(share, HostKind::Model, rom, begun.elapsed(), None);
    result.shard = Some(shard);
    Ok(result)
}
