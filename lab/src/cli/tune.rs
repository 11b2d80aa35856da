//! `maxout-lab train pso` and `maxout-lab train cmaes`: the 17 weights of the bot of 2018, from nothing.

use std::path::{Path, PathBuf};

use anyhow::bail;

use super::training::{End, prepare};
use crate::team::{Team, from_leader};
use crate::train::cmaes::Evolution;
use crate::train::fitness::{Exam, Fitness, SEEDS};
use crate::train::pso::{Pull, Swarm};
use crate::train::tuning::{CHECKPOINT_FILE, Optimiser, TuningNews, TuningPlan, fitness_of, tune};
use maxout::cli::args::values::{seed, whole};
use maxout::cli::exit::cores;
use maxout::cli::interrupt;
use maxout::cli::output::progress::Progress;
use maxout_engine::limits::Limits;
use maxout_gallery::eval::WEIGHTS_2018;

/// What both searches take.
#[derive(clap::Args)]
struct SearchArgs {
    /// How weights are judged: plateau (points to level 29), sz-stress (pieces, while more and more S and Z
    /// come) or garbage (lines per piece on garbage that rises)
    #[arg(long, default_value = "plateau", value_parser = Fitness::from_name)]
    fitness: Fitness,
    /// Input limits: 30hz (each button at most every second frame) or row (one button per row, as the bot of 2018)
    #[arg(long, alias = "fingers", default_value = "30hz", value_parser = limits)]
    limits: Limits,
    /// Games of each candidate; its fitness is the mean of their best third
    #[arg(long, default_value_t = 100, value_parser = whole::<u64>(1..=20_000))]
    games: u64,
    /// Seed of the first game, from 20000; the others follow, up to 39999
    #[arg(long, default_value_t = SEEDS.start, value_parser = whole::<u64>(SEEDS.start..=SEEDS.end - 1))]
    seed: u64,
    /// Candidates of a generation
    #[arg(long, default_value_t = 20, value_parser = whole::<u16>(4..=10_000))]
    population: u16,
    /// Generations in all, those of a checkpoint included
    #[arg(long, default_value_t = 200, value_parser = whole::<u64>(1..=1_000_000))]
    generations: u64,
    /// Begin again with random weights after this many generations without a better candidate
    #[arg(long, default_value_t = 20, value_name = "GENERATIONS", value_parser = whole::<u32>(1..=u32::MAX))]
    patience: u32,
    /// Which random weights to begin with: a number, not a seed of games
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = seed)]
    start: u64,
    /// Folder for checkpoint, learning curve and weights; the search resumes from a checkpoint in it
    /// [default: checkpoints/pso or checkpoints/cmaes]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Threads [default: one per core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
}

/// `maxout-lab train pso`.
#[derive(clap::Args)]
pub struct PsoArgs {
    /// How particles keep together: inertia or constriction
    #[arg(long, default_value = "inertia", value_parser = ["inertia", "constriction"])]
    method: String,
    /// With --method inertia: what is kept of the speed [default: 0.729844]
    #[arg(long, value_name = "W", value_parser = coefficient)]
    inertia: Option<f64>,
    /// With --method inertia: the pull of a particle's own best [default: 1.49618]
    #[arg(long, value_name = "C1", value_parser = coefficient)]
    own: Option<f64>,
    /// With --method inertia: the pull of the swarm's best [default: 1.49618]
    #[arg(long, value_name = "C2", value_parser = coefficient)]
    social: Option<f64>,
    /// With --method constriction: both pulls together, above 4 [default: 4.1]
    #[arg(long, value_name = "PHI", value_parser = phi)]
    phi: Option<f64>,
    #[command(flatten)]
    search: SearchArgs,
}

/// `maxout-lab train cmaes`.
#[derive(clap::Args)]
pub struct CmaesArgs {
    #[command(flatten)]
    search: SearchArgs,
}

fn limits(text: &str) -> Result<Limits, &'static str> {
    match text {
        // Commands of earlier versions say `--fingers pad`.
        "30hz" | "pad" => Ok(Limits::EACH_BUTTON),
        "row" => Ok(Limits::ONE_PER_ROW),
        _ => Err("expected 30hz or row"),
    }
}

fn coefficient(text: &str) -> Result<f64, &'static str> {
    let expected = "expected a number from 0 to 10";
    text.parse().ok().filter(|c| (0.0..=10.0).contains(c)).ok_or(expected)
}

fn phi(text: &str) -> Result<f64, &'static str> {
    let expected = "expected a number above 4, at most 100";
    text.parse().ok().filter(|&phi: &f64| phi > 4.0 && phi <= 100.0).ok_or(expected)
}

impl PsoArgs {
    fn pull(&self) -> anyhow::Result<Pull> {
        let Self { method, inertia, own, social, phi, .. } = self;
        if method == "constriction" {
            if let Some(option) = [("--inertia", inertia), ("--own", own), ("--social", social)]
                .into_iter()
                .find_map(|(name, given)| given.is_some().then_some(name))
            {
                bail!("{option}: not with --method constriction, expected --phi");
            }
            return Ok(Pull::constriction(phi.unwrap_or(4.1)));
        }
        if phi.is_some() {
            bail!("--phi: not with --method inertia, expected --inertia, --own or --social");
        }
        Ok(Pull {
            inertia: inertia.unwrap_or(Pull::USUAL.inertia),
            own: own.unwrap_or(Pull::USUAL.own),
            social: social.unwrap_or(Pull::USUAL.social),
        })
    }
}

pub fn pso(args: &PsoArgs, team: &dyn Team) -> anyhow::Result<End> {
    let pull = args.pull()?;
    let how = format!("pso {} {} {}", pull.inertia, pull.own, pull.social);
    args.search.run("checkpoints/pso", &how, team, || {
        let SearchArgs { population, patience, start, .. } = args.search;
        Swarm::new(pull, population.into(), patience, start)
    })
}

pub fn cmaes(args: &CmaesArgs, team: &dyn Team) -> anyhow::Result<End> {
    args.search.run("checkpoints/cmaes", "cmaes", team, || {
        let SearchArgs { population, patience, start, .. } = args.search;
        Evolution::new(population.into(), patience, start)
    })
}

impl SearchArgs {
    fn plan(&self, how: &str) -> anyhow::Result<TuningPlan> {
        let Self { fitness, limits: rule, games, seed, population, generations, patience, start, .. } = *self;
        if seed + games > SEEDS.end {
            bail!("--seed {seed} with --games {games}: expected seeds below {}", SEEDS.end);
        }
        let limits = if rule == Limits::EACH_BUTTON { "30hz" } else { "row" };
        let settings = vec![
            ("method", how.into()),
            ("fitness", fitness.to_string().into()),
            ("limits", limits.into()),
            ("games", games.into()),
            ("first_seed", seed.into()),
            ("population", population.into()),
            ("patience", patience.into()),
            ("start", start.into()),
        ];
        let exam = Exam { fitness, rule, games, first_seed: seed };
        Ok(TuningPlan { exam, generations, settings })
    }

    fn run<O: Optimiser>(
        &self,
        usual: &str,
        how: &str,
        team: &dyn Team,
        fresh: impl FnOnce() -> O,
    ) -> anyhow::Result<End> {
        let plan = self.plan(how)?;
        let dir = self.dir.as_deref().unwrap_or(Path::new(usual));
        let folder = dir.display();
        if from_leader(team, || prepare(dir))?.is_none() {
            return Ok(End::LeaderFailed);
        }
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let part = team.part(u64::from(self.population) * self.games);
        let bar = Progress::new(part.end - part.start, "games of this generation");
        let interrupt = interrupt::flag()?;
        let found = tune(&plan, fresh, dir, (jobs, team), &interrupt, &mut |news| match news {
            TuningNews::Game => bar.inc(1),
            TuningNews::Generation(row) => {
                bar.set(0);
                bar.message(format!(
                    "generation {} of {}: mean {:.4}, best so far {:.4}",
                    row.generation, plan.generations, row.mean, row.record
                ));
            }
        })?;
        bar.finish();
        let compared = found.and_then(|found| {
            Some((found, fitness_of(&plan.exam, &WEIGHTS_2018, (jobs, team), &interrupt)?))
        });
        Ok(match compared {
            Some((found, published)) => End::Finished(format!(
                "{folder}/terms.txt written, {folder}/curve.csv has the learning curve\n\
                 fitness {found:.4}; of the published weights in the same games {published:.4}"
            )),
            None => End::interrupted(dir, CHECKPOINT_FILE, "generation"),
        })
    }
}
