//! `maxout-lab sim` in an MPI job: each rank plays its share, the first puts the shares together and writes.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};

use crate::ranks::Ranks;
use maxout::cli::args::games::Options;
use maxout::cli::exit::INTERRUPTED;
use maxout::cli::interrupt;
use maxout::cli::output::{answer, say, write_json};
use maxout::results::merge::merge;
use maxout::results::{BatchResult, Tally};
use maxout::stats::Statistics;
use maxout_host::batch::{self, Batch};
use maxout_record::cartridge;
use maxout_record::result::HostKind;
use maxout_record::run::RomName;

/// Plays the games over all ranks, each on `jobs` threads. Each of them sends its games or its error, and the first tells
/// of all.
pub(super) fn sim(options: anyhow::Result<Options>, jobs: usize, ranks: &Ranks) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::flag()?;
    let played = match &options {
        Ok(options) => play(options, jobs, ranks, &interrupt).map_err(|error| format!("{error:#}")),
        Err(error) => Err(format!("{error:#}")),
    };
    let Some(messages) = ranks.gather(serde_json::to_vec(&played)?) else { return Ok(ExitCode::SUCCESS) };
    let options = options?;
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
fn play(
    options: &Options,
    jobs: usize,
    ranks: &Ranks,
    interrupt: &AtomicBool,
) -> anyhow::Result<BatchResult> {
    let given = [("--runs", options.keep), ("--shard", options.whole.is_some())];
    if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) {
        bail!("{flag}: expected one process, this is an MPI job of several");
    }
    let whole = &options.batch;
    let share: Batch = ranks.share().context("no such rank")?.take(whole)?;
    let begun = Instant::now();
    let mut tally = Tally::default();
    batch::sim(&share, jobs, interrupt, &mut |game| {
        tally.add(&game, &share.player, &Statistics::of(&game.outcome.locks, share.start_level), None);
        Ok(())
    })?;
    if tally.games() < share.games {
        bail!("interrupted");
    }
    let shard = tally.shard(whole);
    let rom = RomName { name: cartridge::model_name(whole.fall_rule.region()).to_owned(), sha1: None };
    let mut result = tally.result(&share, HostKind::Model, rom, begun.elapsed(), None);
    result.shard = Some(shard);
    Ok(result)
}
