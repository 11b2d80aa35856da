//! `maxout sim`: games on the model.

use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::cli::args::{
    games::{GameArgs, Options},
    heading,
    still::StillArgs,
    values::whole,
};
use crate::cli::exit::{INTERRUPTED, cores};
use crate::cli::interrupt;
use crate::cli::output::results::Results;
use crate::library::run::RomName;
use crate::no_gravity::Series;
use crate::parallel::Share;
use crate::results::MAX_GAMES;
use crate::words::number;
use maxout_host::batch::Batch;
use maxout_host::rom;
use maxout_host::session::Stop;
use maxout_rules::{FallRule, Pieces};

/// `maxout sim`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024), help_heading = heading::WORK)]
    jobs: Option<u16>,
    /// Play only the I-th of N equal shares of the games, from 1/N to N/N; `maxout merge` puts their --json
    /// files together
    #[arg(long, value_name = "I/N", conflicts_with_all = ["search_seeds", "weights", "terms"],
        help_heading = heading::WORK)]
    shard: Option<Share>,
    #[command(flatten)]
    still: StillArgs,
}

/// Plays on the model.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let jobs = args.jobs.map_or_else(cores, usize::from);
    #[cfg(feature = "mpi")]
    if let Some(ranks) = crate::parallel::Ranks::join()? {
        if let Some(flag) = args.still.asked() {
            bail!("{flag}: not scattered over ranks, expected one process");
        }
        return crate::cli::commands::sim_ranks::sim(args.game, jobs, args.shard.is_some(), &ranks);
    }
    let mut options = Options::try_from(args.game)?;
    options.check_edition(options.edition())?;
    if let Some(share) = args.shard {
        // `merge` counts up to the seed after the last.
        if options.batch.first_seed.checked_add(options.batch.games).is_none() {
            bail!("--shard: expected seeds below 18446744073709551615");
        }
        let games = options.batch.games;
        if games > MAX_GAMES {
            let (games, most) = (number(games), number(MAX_GAMES));
            bail!(
                "--shard: a batch of {games} games, expected at most {most}: `merge` has no memory for more"
            );
        }
        let share = share.take(&options.batch).context("--shard")?;
        options.whole = Some(std::mem::replace(&mut options.batch, share));
    }
    if let Some(flag) = args.still.asked() {
        return without_gravity(&options, &args.still, flag, jobs);
    }
    let library = options.open_library()?;
    let interrupt = interrupt::flag()?;
    if !options.find_start(jobs, &interrupt)? {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let rom = RomName { name: rom::model_name(options.batch.fall_rule.region()).to_owned(), sha1: None };
    let mut results = Results::new(&options, library, "model", rom);
    let ended = results.sim(jobs, &interrupt);
    results.finish(ended)
}

fn without_gravity(
    options: &Options,
    still: &StillArgs,
    flag: &str,
    jobs: usize,
) -> anyhow::Result<ExitCode> {
    if options.keep {
        bail!("--runs: games without gravity are not kept, expected no {flag}");
    }
    if let Some(limit) = options.limited {
        bail!("{limit}: games without gravity have no input limits, expected no {flag}");
    }
    if options.batch.fall_rule == FallRule::DoubleKillscreen {
        bail!("--double-killscreen: nothing falls in games without gravity, expected no {flag}");
    }
    if options.batch.fall_rule == FallRule::Pal {
        bail!("--pal: nothing falls in games without gravity, expected no {flag}");
    }
    if options.whole.is_some() {
        bail!("--shard: games without gravity are not merged, expected no {flag}");
    }
    let Batch { player, games, first_seed, stop, .. } = options.batch.clone();
    let lines = match stop {
        // No game of 230 lines comes round.
        Stop::Level29 if still.demo_loop => None,
        Stop::Level29 => Some(230),
        Stop::Lines(lines) => Some(u64::from(lines)),
        Stop::TopOut => None,
    };
    let series = Series { player, games, first_seed, lines, pieces: Pieces::Nes, limit: None };
    still.run(series, jobs, options.json.as_deref())
}
