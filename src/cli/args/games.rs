//! The games that `play` and `sim` are told to play: [`GameArgs`] are the flags that both take, [`Options`] what they
//! come to.

use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::cli::args::aggression::AggressionArg;
use crate::cli::args::hands::HandArgs;
use crate::cli::args::heading;
use crate::cli::args::library::LibraryArgs;
use crate::cli::args::values::{seed, whole};
use crate::cli::output::Outputs;
use crate::library::store::{self, Library};
use maxout_engine::player::{DEFAULT_PLAYER, Entry, UnknownPlayer};
use maxout_engine::search::Foresight;
use maxout_host::batch::Batch;
use maxout_rules::ram::Edition;
use maxout_rules::{FallRule, Seed, Stop};

/// What both commands take.
#[derive(clap::Args)]
pub struct GameArgs {
    /// Who plays (see `maxout players`)
    #[arg(long, default_value = DEFAULT_PLAYER, value_parser = player_named, help_heading = heading::PLAYER)]
    pub player: Entry,
    #[command(flatten)]
    hands: HandArgs,
    #[command(flatten)]
    aggression: AggressionArg,
    /// Number of games, on consecutive seeds
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(1..=10_000_000), help_heading = heading::GAMES)]
    games: u64,
    /// Seed of the first game: 0 to 9599 are reachable from power-on, larger ones exist on the model only; gym:XXXXXX is
    /// a seed of a practice cartridge, six hex digits
    #[arg(long, default_value_t = 0, value_parser = seed, help_heading = heading::GAMES)]
    seed: u64,
    /// Level to start on: 0 to 19, or up to 255 on a practice cartridge and its seeds
    #[arg(long, default_value_t = 19, value_parser = whole::<u8>(0..=255), help_heading = heading::GAMES)]
    start_level: u8,
    /// When a game ends: level29, topout or lines:N
    #[arg(long, default_value = "level29", value_name = "WHEN", help_heading = heading::GAMES)]
    stop: Stop,
    #[command(flatten)]
    library: LibraryArgs,
    /// Write the results as JSON to this file
    #[arg(long, value_name = "FILE", help_heading = heading::RESULTS)]
    pub json: Option<PathBuf>,
    /// Leave all times out of the results: equal games then make equal bytes
    #[arg(long, help_heading = heading::RESULTS)]
    no_timings: bool,
    /// Players on the learned value: look no deeper after this many boards per piece
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..), help_heading = heading::PLAYER)]
    nodes: Option<u64>,
}

/// A copy of a registered player, to change it.
fn player_named(name: &str) -> Result<Entry, UnknownPlayer> {
    maxout_gallery::find(name).cloned()
}

/// What falls how, where no cartridge decides it.
#[derive(clap::Args, Clone, Copy)]
pub struct FallArgs {
    /// Let pieces fall two rows a frame from level 39 on, a rule of competitions that no cartridge has. Not for the players clairvoyant and gamepad2014
    #[arg(long, help_heading = heading::GAMES, conflicts_with = "runs")]
    double_killscreen: bool,
    /// Play the PAL version, in which pieces fall faster and a second has 50 frames. Not for the players clairvoyant and gamepad2014
    #[arg(long, help_heading = heading::GAMES)]
    pal: bool,
}

impl FallArgs {
    /// The rule that they say.
    pub fn rule(self) -> anyhow::Result<FallRule> {
        match self {
            Self { pal: true, double_killscreen: true } => {
                bail!("--double-killscreen: the PAL version has none, expected NTSC")
            }
            Self { pal: true, .. } => Ok(FallRule::Pal),
            Self { double_killscreen, .. } => Ok(FallRule::with_double_killscreen(double_killscreen)),
        }
    }
}

/// Fails if the player does not know these rules.
fn check_rule(player: &Entry, rule: FallRule) -> anyhow::Result<()> {
    let (name, expected) = (&player.name, "expected --player maxout or the like");
    match rule {
        FallRule::Ntsc => Ok(()),
        _ if player.capabilities().plays_double_killscreen => Ok(()),
        FallRule::DoubleKillscreen => bail!("--double-killscreen: {name} does not know it, {expected}"),
        FallRule::Pal => bail!("{name} does not know the PAL version, {expected}"),
    }
}

/// The games to play, and where their results go.
pub struct Options {
    /// The games.
    pub batch: Batch,
    /// The batch that it is a share of.
    pub whole: Option<Batch>,
    /// Whether the results say how long the games took.
    pub timings: bool,
    /// Whether to keep the games.
    pub keep: bool,
    /// The flag that gives the player other hands or eyes, if one was given.
    pub limited: Option<&'static str>,
    /// In which folder, if not in the default one.
    runs: Option<PathBuf>,
    /// The file for the results.
    pub json: Option<PathBuf>,
    /// The files that flags name.
    pub(crate) outputs: Outputs,
}

impl Options {
    /// Everything that can be refused is refused before the first frame.
    pub fn new(args: GameArgs, fall_rule: FallRule) -> anyhow::Result<Self> {
        let GameArgs {
            player,
            hands,
            aggression,
            games,
            seed,
            start_level,
            stop,
            library,
            json,
            no_timings,
            nodes,
        } = args;
        if nodes.is_some() && !player.capabilities().is_learned {
            bail!("--nodes: {} does not take it, expected --player maxout", player.name);
        }
        hands.check_region(fall_rule.region())?;
        let player = aggression.give_to(hands.give_to(player)?)?;
        check_rule(&player, fall_rule)?;
        if seed.checked_add(games - 1).is_none() {
            bail!("seed {seed} with {games} games: expected seeds below 2^64");
        }
        if start_level >= 29 && stop == Stop::Level29 {
            bail!("--stop level29: the game starts on level {start_level}, expected topout or lines:N");
        }
        let outputs = Outputs::check([("--json", json.as_deref())])?;
        let (keep, runs) = (library.is_given(), library.named().map(ToOwned::to_owned));
        let misdrop = hands.misdrop();
        let foresight = Foresight { nodes, ..Foresight::DEFAULT };
        let batch =
            Batch { player, games, first_seed: seed, start_level, stop, foresight, fall_rule, misdrop };
        let timings = !no_timings;
        let limited = hands.asked();
        Ok(Self { batch, whole: None, timings, keep, limited, runs, json, outputs })
    }

    /// The games to play, and the batch that they are a share of.
    pub fn batches(&mut self) -> impl Iterator<Item = &mut Batch> {
        [Some(&mut self.batch), self.whole.as_mut()].into_iter().flatten()
    }

    /// Fails if the games cannot be played on this edition.
    pub fn check_edition(&self, edition: Edition) -> anyhow::Result<()> {
        let Batch { start_level, player, fall_rule, .. } = &self.batch;
        let seeds = &self.batch;
        let last = seeds.first_seed.saturating_add(seeds.games - 1);
        let is_seeded = |seed: u64| Seed::new(seed).edition() == Some(Edition::Practice);
        let practice_seeds = [seeds.first_seed, last].map(is_seeded);
        if practice_seeds[0] != practice_seeds[1] {
            bail!("--games: expected seeds up to gym:FFFFFF");
        }
        if *start_level > edition.last_start_level() {
            bail!(
                "--start-level {start_level}: expected 0 to {}; a practice cartridge (--rom) and its seeds (--seed gym:XXXXXX) start on any level",
                edition.last_start_level()
            );
        }
        if practice_seeds[0] {
            if !player.capabilities().plays_double_killscreen {
                bail!("--seed gym: {} does not know it, expected --player maxout or the like", player.name);
            }
            if *fall_rule != FallRule::Ntsc {
                bail!("--seed gym: expected NTSC rules, neither --pal nor --double-killscreen");
            }
        }
        Ok(())
    }

    /// The edition that the seeds need.
    pub fn edition(&self) -> Edition {
        Seed::new(self.batch.first_seed).edition().unwrap_or_default()
    }

    /// Opens the library before the first frame, if games are kept.
    pub(crate) fn open_library(&self) -> anyhow::Result<Option<Library>> {
        if !self.keep {
            return Ok(None);
        }
        let folder = store::folder(self.runs.as_deref())?;
        let context = || match &self.runs {
            Some(folder) => format!("--runs {}", folder.display()),
            None => {
                "no runs can be kept (--runs DIR names another folder, play --no-runs keeps none)".to_owned()
            }
        };
        self.outputs.spare("the run library", &folder, store::FILE)?;
        Library::open_or_create(&folder).map(Some).with_context(context)
    }
}
