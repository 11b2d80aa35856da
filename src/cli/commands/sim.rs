//! `maxout sim`: games on the model.

use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::cli::args::games::{FallArgs, GameArgs, Options};
use crate::cli::args::heading;
use crate::cli::args::values::whole;
use crate::cli::exit::cores;
use crate::cli::interrupt;
use crate::cli::output::results::Results;
use crate::results::MAX_GAMES;
use crate::share::Share;
use crate::words::number;
use maxout_record::cartridge;
use maxout_record::result::HostKind;
use maxout_record::run::RomName;

/// `maxout sim`.
#[derive(clap::Args)]
pub struct Args {
    /// Who plays what.
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    fall: FallArgs,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024), help_heading = heading::WORK)]
    jobs: Option<u16>,
    /// Play only the I-th of N equal shares of the games, from 1/N to N/N; `maxout merge` puts their --json
    /// files together
    #[arg(long, value_name = "I/N", help_heading = heading::WORK)]
    shard: Option<Share>,
}

impl Args {
    /// How many threads to use.
    pub fn threads(&self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }

    /// What the flags come to.
    pub fn options(self) -> anyhow::Result<Options> {
        let mut options = Options::new(self.game, self.fall.rule()?)?;
        options.check_edition(options.edition())?;
        if let Some(share) = self.shard {
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
        Ok(options)
    }
}

/// Plays on the model.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let jobs = args.threads();
    play(&args.options()?, jobs)
}

/// Plays the games on the model, and gives the results.
pub fn play(options: &Options, jobs: usize) -> anyhow::Result<ExitCode> {
    let library = options.open_library()?;
    let interrupt = interrupt::flag()?;
    let rom =
        RomName { name: cartridge::model_name(options.batch.fall_rule.region()).to_owned(), sha1: None };
    let mut results = Results::new(options, library, HostKind::Model, rom);
    let ended = results.sim(jobs, &interrupt);
    results.finish(ended)
}
