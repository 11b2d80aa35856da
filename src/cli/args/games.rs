//! The games that `play` and `sim` are told to play: [`GameArgs`] are the flags that both take, [`Options`] what they
//! come to.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::cli::args::{
    aggression::AggressionArg,
    hands::HandArgs,
    heading,
    values::{seed, whole},
    weights::WeightArgs,
};
use crate::cli::output::{Outputs, say};
use crate::cli::output::{messages, progress::Progress};
use crate::library::store::{self, Library};
use crate::render::pattern;
use crate::words::count;
use maxout_engine::movegen::Filter;
use maxout_engine::player::{self, DEFAULT_PLAYER, Entry};
use maxout_engine::search::Foresight;
use maxout_host::batch::{self, Batch};
use maxout_host::clock;
use maxout_host::session::Stop;
use maxout_rules::ram::Edition;
use maxout_rules::{FallRule, Seed};

/// What both commands take.
#[derive(clap::Args)]
pub(crate) struct GameArgs {
    /// Who plays (see `maxout players`)
    #[arg(long, default_value = DEFAULT_PLAYER, value_parser = player::find, help_heading = heading::PLAYER)]
    pub(crate) player: &'static Entry,
    /// Where pieces may lock: well (only pieces that complete four rows may use the right column) or pattern:FILE.png (10 x 20
    /// pixels; the black ones are built). For players that look at the pieces in sight only
    #[arg(long, value_name = "well|pattern:FILE.png", value_parser = Chosen::parse, help_heading = heading::PLAYER)]
    filter: Option<Chosen>,
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
    /// Keep each game in the run library in this folder; without DIR in the folder that `MAXOUT_RUNS` names, or in
    /// maxout/runs in the platform's folder for data. `play` does so without being told, `sim` keeps none without
    /// this flag, whatever `MAXOUT_RUNS` says
    #[arg(long, value_name = "DIR", num_args = 0..=1, help_heading = heading::RESULTS)]
    #[expect(clippy::option_option, reason = "a flag whose value may be left out")]
    runs: Option<Option<PathBuf>>,
    /// Write the results as JSON to this file
    #[arg(long, value_name = "FILE", help_heading = heading::RESULTS)]
    pub(crate) json: Option<PathBuf>,
    /// Leave all times out of the results: equal games then make equal bytes
    #[arg(long, help_heading = heading::RESULTS)]
    no_timings: bool,
    /// Let pieces fall two rows a frame from level 39 on, a rule of competitions that no cartridge has. Not for `play`, and not for the players clairvoyant and gamepad2014
    #[arg(long, help_heading = heading::GAMES, conflicts_with = "runs")]
    pub(crate) double_killscreen: bool,
    /// Play the PAL version, which falls faster by level and has 50 frames a second; `play` plays what its cartridge is. Not for the players clairvoyant and gamepad2014
    #[arg(long, help_heading = heading::GAMES)]
    pub(crate) pal: bool,
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
    #[command(flatten)]
    foresight: ForesightArgs,
}

/// A filter, and what it adds to the player's name.
#[derive(Clone, Debug)]
struct Chosen {
    filter: Filter,
    label: String,
}

impl Chosen {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "well" {
            return Ok(Self { filter: Filter::Well, label: text.to_owned() });
        }
        let file = text.strip_prefix("pattern:").map(Path::new).ok_or("expected well or pattern:FILE.png")?;
        // The flag and the file stand before it.
        let picture = pattern::read(file).map_err(|error| error.to_string())?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let label = name.chars().filter(|&c| c.is_ascii_alphanumeric() || "-_".contains(c)).collect();
        Ok(Self { filter: Filter::Pattern(picture), label })
    }
}

/// How far to look, for players that can be told.
#[derive(clap::Args)]
#[command(next_help_heading = "How far to look")]
struct ForesightArgs {
    /// Players on the learned value: look no deeper after this many boards per piece
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Clairvoyant: futures kept at each piece [default: 50]
    #[arg(long, value_name = "W", value_parser = whole::<u32>(1..=100_000))]
    beam: Option<u32>,
    /// Clairvoyant: pieces looked ahead [default: 30]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000))]
    horizon: Option<u32>,
    /// Look no further after this many milliseconds per piece; games are then no longer repeatable
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..=3_600_000))]
    think_ms: Option<u64>,
    /// Clairvoyant: play all of these seeds on the model first, and the games on the best of them
    #[arg(long, value_name = "A..B", conflicts_with_all = ["seed", "games"], value_parser = seed_range)]
    search_seeds: Option<Range<u64>>,
}

impl ForesightArgs {
    /// The first option that was given and means nothing to `player`.
    fn refused(&self, player: &Entry) -> Option<&'static str> {
        let Self { nodes, beam, horizon, think_ms, search_seeds } = self;
        [
            ("--nodes", nodes.is_some()),
            ("--beam", beam.is_some()),
            ("--horizon", horizon.is_some()),
            ("--think-ms", think_ms.is_some()),
            ("--search-seeds", search_seeds.is_some()),
        ]
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(name, _)| name)
        .find(|name| match *name {
            "--nodes" => !player.is_learned(),
            "--think-ms" => !player.takes_time_limits(),
            _ => player.is_fair(),
        })
    }

    fn foresight(&self) -> Foresight {
        Foresight {
            width: self.beam.map_or(Foresight::DEFAULT.width, |w| w as usize),
            horizon: self.horizon.map_or(Foresight::DEFAULT.horizon, |n| n as usize),
            nodes: self.nodes,
            think: self.think_ms.map(Duration::from_millis).map(clock::think),
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

/// The games to play, and where their results go.
pub(crate) struct Options {
    pub(crate) batch: Batch,
    /// The batch that it is a share of.
    pub(crate) whole: Option<Batch>,
    pub(crate) timings: bool,
    /// Seeds to search for the best before anything is played.
    pub(crate) search_seeds: Option<Range<u64>>,
    /// Whether to keep the games.
    pub(crate) keep: bool,
    /// The flag that gives the player other hands or eyes, if one was given.
    pub(crate) limited: Option<&'static str>,
    /// Whether the player plays by other weights than the shipped ones.
    pub(crate) other_weights: bool,
    /// In which folder, if not in the default one.
    runs: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    /// The files that flags name.
    pub(crate) outputs: Outputs,
}

impl TryFrom<GameArgs> for Options {
    type Error = anyhow::Error;

    /// Everything that can be refused is refused before the first frame.
    fn try_from(args: GameArgs) -> anyhow::Result<Self> {
        let GameArgs {
            player,
            filter,
            hands,
            aggression,
            double_killscreen,
            pal,
            games,
            seed,
            start_level,
            stop,
            runs,
            json,
            no_timings,
            weights,
            foresight,
        } = args;
        let player = weights.give_to(player.clone())?;
        if let Some(option) = foresight.refused(&player) {
            let who = if option == "--nodes" { "--player maxout" } else { "--player clairvoyant" };
            bail!("{option}: {} does not take it, expected {who}", player.name);
        }
        let player = aggression.give_to(hands.give_to(player)?)?;
        let player = match filter {
            None => player,
            Some(Chosen { filter, label }) => player.filtered(filter, &label).with_context(|| {
                format!(
                    "--filter: {} cannot be filtered, expected --player meatfighter2014 or the like",
                    player.name
                )
            })?,
        };
        if double_killscreen && !player.plays_double_killscreen() {
            bail!(
                "--double-killscreen: {} does not know it, expected --player maxout or the like",
                player.name
            );
        }
        if pal && !player.plays_double_killscreen() {
            bail!("{} does not know the PAL version, expected --player maxout or the like", player.name);
        }
        if pal && double_killscreen {
            bail!("--double-killscreen: the PAL version has none, expected NTSC");
        }
        if seed.checked_add(games - 1).is_none() {
            bail!("seed {seed} with {games} games: expected seeds below 2^64");
        }
        if start_level >= 29 && stop == Stop::Level29 {
            bail!("--stop level29: the game starts on level {start_level}, expected topout or lines:N");
        }
        let outputs = Outputs::check([("--json", json.as_deref())])?;
        let search_seeds = foresight.search_seeds.clone();
        let foresight = foresight.foresight();
        let first_seed = search_seeds.as_ref().map_or(seed, |seeds| seeds.start);
        let (keep, runs) = (runs.is_some(), runs.flatten());
        let misdrop = hands.misdrop();
        let fall_rule = if pal { FallRule::Pal } else { FallRule::with_double_killscreen(double_killscreen) };
        let batch = Batch { player, games, first_seed, start_level, stop, foresight, fall_rule, misdrop };
        let other_weights = weights.are_given();
        let timings = !no_timings;
        let limited = hands.asked();
        let whole = None;
        Ok(Self { batch, whole, timings, search_seeds, keep, limited, other_weights, runs, json, outputs })
    }
}

impl Options {
    /// Fails if the games cannot be played on this edition.
    pub(crate) fn check_edition(&self, edition: Edition) -> anyhow::Result<()> {
        let Batch { start_level, player, fall_rule, .. } = &self.batch;
        let seeds = self.searched();
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
            if !player.plays_double_killscreen() {
                bail!("--seed gym: {} does not know it, expected --player maxout or the like", player.name);
            }
            if *fall_rule != FallRule::Ntsc {
                bail!("--seed gym: expected NTSC rules, neither --pal nor --double-killscreen");
            }
        }
        Ok(())
    }

    /// The edition that the seeds need.
    pub(crate) fn edition(&self) -> Edition {
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

    /// All seeds that may be played, as a batch.
    pub(crate) fn searched(&self) -> Batch {
        let games = self.search_seeds.as_ref().map_or(self.batch.games, |seeds| seeds.end - seeds.start);
        Batch { games, ..self.batch.clone() }
    }

    /// Plays the seeds of `--search-seeds` on the model and takes the best. False if interrupted.
    pub(crate) fn find_start(&mut self, jobs: usize, interrupt: &AtomicBool) -> anyhow::Result<bool> {
        if self.search_seeds.is_none() {
            return Ok(true);
        }
        let searched = self.searched();
        let bar = Progress::new(searched.games, "starts");
        let best = batch::best_seed(&searched, jobs, interrupt, &mut |_| bar.inc(1))?;
        bar.finish();
        if let Some((seed, score)) = best {
            let (starts, points) = (count(searched.games, "start"), count(score, "point"));
            if messages::notices() {
                say!("seed {seed} is the best of {starts}: {points}");
            }
            self.batch.first_seed = seed;
        }
        Ok(best.is_some())
    }
}
