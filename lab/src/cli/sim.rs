//! `maxout-lab sim`: `maxout sim` with what only experiments need: other weights, filters, wider searches, games without
//! gravity.

use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::no_gravity::NoGravityArgs;
use super::weights::WeightArgs;
use crate::filter::LockRule;
use crate::pattern;
#[cfg(feature = "mpi")]
use crate::ranks::Ranks;
use maxout::cli::args::games::Options;
use maxout::cli::args::heading;
use maxout::cli::args::values::whole;
use maxout::cli::commands::sim;
use maxout::cli::exit::INTERRUPTED;
use maxout::cli::interrupt;
use maxout::cli::output::messages;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::say;
use maxout::words::count;
use maxout_engine::player::Entry;
use maxout_engine::search::Foresight;
use maxout_host::batch::{self, Batch};

/// `maxout-lab sim`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    sim: sim::Args,
    #[command(flatten)]
    changes: Changes,
}

/// What only experiments need.
#[derive(clap::Args)]
struct Changes {
    /// Where pieces may lock: well (only pieces that complete four rows may use the right column) or pattern:FILE.png (10 x 20
    /// pixels; the black ones are built). For players that look at the pieces in sight only
    #[arg(long, value_name = "well|pattern:FILE.png", value_parser = Chosen::parse, help_heading = heading::PLAYER)]
    filter: Option<Chosen>,
    #[command(flatten)]
    weights: WeightArgs,
    #[command(flatten)]
    foresight: ForesightArgs,
    #[command(flatten)]
    no_gravity: NoGravityArgs,
}

impl Changes {
    /// The games to play, by the player that was asked for.
    fn give_to(&self, mut sim: sim::Args) -> anyhow::Result<Options> {
        let Self { filter, weights, foresight, .. } = self;
        sim.game.player = weights.give_to(sim.game.player)?;
        if let Some(option) = foresight.refused(&sim.game.player) {
            bail!("{option}: {} does not take it, expected --player clairvoyant", sim.game.player.name);
        }
        let mut options = sim.options()?;
        for batch in options.batches() {
            batch.foresight = foresight.foresight(batch.foresight);
            if let Some(filter) = filter {
                batch.player = filter.give_to(&batch.player)?;
            }
        }
        Ok(options)
    }

    /// The same in an MPI job. Only the first rank writes; the others may not even have the folder.
    #[cfg(feature = "mpi")]
    fn give_to_rank(&self, mut sim: sim::Args, ranks: &Ranks) -> anyhow::Result<Options> {
        let searched = self.foresight.search_seeds.as_ref().map(|_| "--search-seeds");
        if let Some(flag) = self.no_gravity.asked().or(searched) {
            bail!("{flag}: expected one process, this is an MPI job of several");
        }
        if !ranks.leads() {
            sim.game.json = None;
        }
        self.give_to(sim)
    }
}

/// A filter, and what it adds to the player's name.
#[derive(Clone, Debug)]
struct Chosen {
    filter: LockRule,
    label: String,
}

impl Chosen {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "well" {
            return Ok(Self { filter: LockRule::Well, label: text.to_owned() });
        }
        let file = text.strip_prefix("pattern:").map(Path::new).ok_or("expected well or pattern:FILE.png")?;
        // The flag and the file stand before it.
        let picture = pattern::read(file).map_err(|error| error.to_string())?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let label = name.chars().filter(|&c| c.is_ascii_alphanumeric() || "-_".contains(c)).collect();
        Ok(Self { filter: LockRule::Pattern(picture), label })
    }

    /// The player, held to the filter.
    fn give_to(&self, player: &Entry) -> anyhow::Result<Entry> {
        player.filtered(Arc::new(self.filter), &self.label).with_context(|| {
            format!(
                "--filter: {} cannot be filtered, expected --player meatfighter2014 or the like",
                player.name
            )
        })
    }
}

/// How far to look, for players that can be told.
#[derive(clap::Args)]
#[command(next_help_heading = "How far to look")]
struct ForesightArgs {
    /// Clairvoyant: futures kept at each piece [default: 50]
    #[arg(long, value_name = "W", value_parser = whole::<u32>(1..=100_000))]
    beam: Option<u32>,
    /// Clairvoyant: pieces looked ahead [default: 30]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000))]
    horizon: Option<u32>,
    /// Clairvoyant: play all of these seeds on the model first, and the games on the best of them
    #[arg(long, value_name = "A..B", conflicts_with_all = ["seed", "games", "shard"], value_parser = seed_range)]
    search_seeds: Option<Range<u64>>,
}

impl ForesightArgs {
    /// The first option that was given and means nothing to `player`.
    fn refused(&self, player: &Entry) -> Option<&'static str> {
        let Self { beam, horizon, search_seeds } = self;
        let all = [
            ("--beam", beam.is_some()),
            ("--horizon", horizon.is_some()),
            ("--search-seeds", search_seeds.is_some()),
        ];
        let given = all.into_iter().find(|(_, given)| *given).map(|(name, _)| name);
        given.filter(|_| player.capabilities().is_fair)
    }

    fn foresight(&self, told: Foresight) -> Foresight {
        Foresight {
            width: self.beam.map_or(Foresight::DEFAULT.width, |w| w as usize),
            horizon: self.horizon.map_or(Foresight::DEFAULT.horizon, |n| n as usize),
            ..told
        }
    }
}

fn seed_range(text: &str) -> Result<Range<u64>, &'static str> {
    let expected = "expected A..B, the seeds from A to B - 1, at least one and at most 10,000,000";
    let (first, end) = text.split_once("..").ok_or(expected)?;
    let number = |n: &str| n.parse::<u64>().map_err(|_| expected);
    let (first, end) = (number(first)?, number(end)?);
    if (1..=10_000_000).contains(&end.saturating_sub(first)) { Ok(first..end) } else { Err(expected) }
}

/// Plays on the model.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Args { sim, changes } = args;
    let jobs = sim.threads();
    #[cfg(feature = "mpi")]
    if let Some(ranks) = Ranks::join()? {
        return super::sim_ranks::sim(changes.give_to_rank(sim, &ranks), jobs, &ranks);
    }
    let mut options = changes.give_to(sim)?;
    if let Some(flag) = changes.no_gravity.asked() {
        return changes.no_gravity.run(&options, flag, jobs);
    }
    if let Some(seeds) = changes.foresight.search_seeds
        && !find_start(&mut options, seeds, jobs)?
    {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    sim::play(&options, jobs)
}

/// Plays these seeds on the model and takes the best. False if interrupted.
fn find_start(options: &mut Options, seeds: Range<u64>, jobs: usize) -> anyhow::Result<bool> {
    let interrupt = interrupt::flag()?;
    let games = seeds.end - seeds.start;
    let searched = Batch { games, first_seed: seeds.start, ..options.batch.clone() };
    let bar = Progress::new(games, "starts");
    let (mut best, mut played) = (None, 0);
    batch::sim(&searched, jobs, &interrupt, &mut |game| {
        bar.inc(1);
        played += 1;
        let score = game.outcome.result.score;
        // Of several such seeds the first.
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((game.seed, score));
        }
        Ok(())
    })?;
    bar.finish();
    let best = best.filter(|_| played == games);
    if let Some((seed, score)) = best {
        let (starts, points) = (count(games, "start"), count(score, "point"));
        if messages::notices() {
            say!("seed {seed} is the best of {starts}: {points}");
        }
        options.batch.first_seed = seed;
    }
    Ok(best.is_some())
}
