//! [`BatchResult`]: the results of a batch, as a table for people and as JSON for programs.

use std::fmt;

use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shard::Shard;
use crate::library::store::RunId;
use crate::stats::{Closest, Spread, Statistics, Summary};
use crate::words::{count, decimal, number};
use maxout_engine::player::Entry;
use maxout_host::batch::Finished;
use maxout_host::session::GameOutcome;
use maxout_record::cartridge;
use maxout_record::result::{GameResult, HostKind};
use maxout_record::run::RomName;
use maxout_rules::{Seed, Stop};

/// Everything that a batch came to. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BatchResult {
    /// Player's name.
    pub player: String,
    /// Whether it saw only what a person sees.
    pub fair: bool,
    /// The player's input limits, and the misdrop rate of its hand if there is one; empty in older shards.
    #[serde(default)]
    pub limits: String,
    /// What ran the games.
    pub host: HostKind,
    /// The cartridge.
    pub rom: RomName,
    /// Games finished.
    pub games: u64,
    /// Seed of the first.
    pub first_seed: u64,
    /// Start level.
    pub start_level: u8,
    /// Stop.
    pub stop: Stop,
    /// Whether pieces fell two rows a frame from level 39 on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub double_killscreen: bool,
    /// Points with soft drop, uncapped.
    pub score: Summary,
    /// Points without soft drop, uncapped.
    pub line_points: Summary,
    /// Share of games that reached the stop, 0..1.
    pub reached_stop: f64,
    /// Games that the game itself ended by failing.
    pub crashed: u64,
    /// Share of all lines that were cleared four at a time, 0..1.
    pub tetris_rate: f64,
    /// Lines per game.
    pub lines: Mean,
    /// Lines per game that were not cleared four at a time.
    pub burned: Summary,
    /// Decisions in all games.
    pub decisions: u64,
    /// Decisions after which the machine did something else.
    pub replans: u64,
    /// Decisions in which the player found nothing to do.
    pub gave_up: u64,
    /// CPU milliseconds per decision; 0 if times are left out.
    pub cpu_ms_per_decision: f64,
    /// Wall-clock seconds of the batch, of merged shards the longest; 0 if times are left out.
    pub wall_s: f64,
    /// Statistics of the games.
    pub statistics: Spread,
    /// The run library that keeps them, if one does.
    pub library: Option<String>,
    /// One entry a game, in order of seeds.
    pub per_game: Vec<PerGame>,
    /// If these are but some games of a batch: what merging them needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// A mean alone.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
}

/// One game of a [`BatchResult`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct PerGame {
    /// Seed.
    pub seed: u64,
    /// The result; whether it reached the stop and what score it shows is not written.
    #[serde(flatten, deserialize_with = "partly_told")]
    pub result: GameResult,
    /// Lines that were not cleared four at a time.
    pub burned: u32,
    /// Frames of play.
    pub frames: u64,
    /// If the player builds a picture: the best moment.
    #[serde(default)]
    pub picture: Option<Closest>,
    /// Number of the run in the library, if it was kept.
    pub run: Option<RunId>,
}

/// Reads a result without what [`PerGame`] does not write.
fn partly_told<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
    let mut fields = serde_json::Map::deserialize(deserializer)?;
    fields.entry("reached_stop").or_insert(false.into());
    fields.entry("shown_score").or_insert(0.into());
    GameResult::deserialize(serde_json::Value::from(fields)).map_err(D::Error::custom)
}

impl Serialize for PerGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entries = serializer.serialize_map(None)?;
        macro_rules! write {
            ($from:expr, $($name:ident),*) => { $(entries.serialize_entry(stringify!($name), &$from.$name)?;)* };
        }
        write!(self, seed);
        write!(self.result, score, line_points, lines, level, singles, doubles, triples, tetrises);
        write!(self, burned);
        write!(self.result, topped_out, crashed);
        write!(self, frames);
        write!(self.result, pieces);
        if self.picture.is_some() {
            write!(self, picture);
        }
        write!(self, run);
        entries.end()
    }
}

impl PerGame {
    pub(super) fn new(game: &Finished, player: &Entry, statistics: &Statistics, run: Option<RunId>) -> Self {
        let GameOutcome { result, frames, locks, .. } = &game.outcome;
        let picture = player.filter().and_then(|filter| Closest::of(filter, locks));
        Self {
            seed: game.seed,
            result: *result,
            burned: statistics.burn.total,
            frames: *frames,
            picture,
            run,
        }
    }
}

impl BatchResult {
    /// Sets all times to 0, so that equal games make equal bytes.
    pub fn leave_out_times(&mut self) {
        (self.cpu_ms_per_decision, self.wall_s) = (0.0, 0.0);
        if let Some(shard) = &mut self.shard {
            shard.thinking_ns = 0;
        }
    }
}

impl fmt::Display for BatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.fair { "fair" } else { "clairvoyant" };
        writeln!(f, "player        {} ({kind}), on the {}", self.player, played_on(self.host, &self.rom))?;
        writeln!(f, "input limits  {}", self.limits)?;
        let last = self.first_seed + self.games.saturating_sub(1);
        let seeds = if self.games == 1 {
            format!("seed {}", Seed::name(last))
        } else {
            format!("seeds {} to {}", Seed::name(self.first_seed), Seed::name(last))
        };
        let games = count(self.games, "game");
        let killscreen = if self.double_killscreen { ", double killscreen" } else { "" };
        let Self { start_level, stop, .. } = self;
        writeln!(f, "games         {games}, {seeds}, start level {start_level}, stop {stop}{killscreen}")?;
        match &self.per_game[..] {
            [game] => self.fmt_game(f, game)?,
            _ => self.fmt_games(f)?,
        }
        write!(f, "decisions     {}", number(self.decisions))?;
        if self.wall_s > 0.0 {
            write!(f, ", {:.3} CPU ms each", self.cpu_ms_per_decision)?;
        }
        write!(f, "; {}, {} given up", count(self.replans, "replan"), number(self.gave_up))?;
        if self.wall_s > 0.0 {
            write!(f, "; {} s", decimal(self.wall_s, 1))?;
        }
        let kept: Vec<RunId> = self.per_game.iter().filter_map(|game| game.run).collect();
        match (&self.library, &kept[..]) {
            (Some(library), [one]) => write!(f, "\nkept          as run {one} in {library}"),
            (Some(library), [first, .., last]) => {
                write!(f, "\nkept          as runs {first} to {last} in {library}")
            }
            _ => Ok(()),
        }?;
        let games = self.per_game.iter().filter_map(|game| Some((game.seed, game.picture?)));
        match Closest::best(games) {
            Some((seed, closest)) => write!(f, "\npicture       {closest} of seed {seed}"),
            None => Ok(()),
        }
    }
}

impl BatchResult {
    /// What a single game came to.
    fn fmt_game(&self, f: &mut fmt::Formatter<'_>, game: &PerGame) -> fmt::Result {
        let GameResult { score, line_points, lines, level, .. } = game.result;
        writeln!(f, "score         {} ({} from lines)", number(score), number(line_points))?;
        let clears = clears_text(&game.result);
        let (lines, burned) = (number(lines), number(game.burned));
        writeln!(f, "lines         {lines} ({clears}; {burned} burned), level {level}")?;
        self.fmt_rates(f)?;
        let stats = &self.statistics;
        let longest = count(stats.longest_drought.mean as u64, "piece");
        writeln!(f, "droughts      {} of 13 or more; longest {longest}", decimal(stats.droughts.mean, 0))
    }

    /// What several games came to.
    fn fmt_games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "              {:>10} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "mean", "± s.e.", "median", "min", "p5", "p25", "p75", "p95", "max"
        )?;
        for (name, s) in [("score", self.score), ("line points", self.line_points)] {
            write!(f, "{name:<13} {:>10} {:>8}", decimal(s.mean, 0), decimal(s.se, 0))?;
            for value in [s.median, s.min, s.p5, s.p25, s.p75, s.p95, s.max] {
                write!(f, " {:>10}", decimal(value, 0))?;
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "lines         {} a game, {} ± {} of them burned (not cleared four at a time)",
            decimal(self.lines.mean, 1),
            decimal(self.burned.mean, 2),
            decimal(self.burned.se, 2)
        )?;
        self.fmt_rates(f)?;
        let stats = &self.statistics;
        writeln!(
            f,
            "droughts      {:.1} a game of 13 or more; longest {:.1} on average",
            stats.droughts.mean, stats.longest_drought.mean
        )
    }

    /// The shares of what was reached.
    fn fmt_rates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "reached stop  {:.1} %", 100.0 * self.reached_stop)?;
        if self.crashed > 0 {
            writeln!(f, "crashed       {} of {}", number(self.crashed), count(self.games, "game"))?;
        }
        let stats = &self.statistics;
        writeln!(
            f,
            "tetris rate   {:.1} %; ready for one after {:.1} % of the pieces",
            100.0 * self.tetris_rate,
            100.0 * stats.tetris_ready.mean
        )?;
        writeln!(
            f,
            "efficiency    {:.1} points a line, without the level's multiplier",
            stats.efficiency.mean
        )
    }
}

/// The clears of a game, by size.
pub(super) fn clears_text(result: &GameResult) -> String {
    let names = ["single", "double", "triple", "tetris"];
    let clears = result.clears().into_iter().zip(names);
    clears.map(|(n, clear)| count(n, clear)).collect::<Vec<_>>().join(", ")
}

/// The machine that games were played on: the model, or the emulator with its cartridge.
pub(super) fn played_on(host: HostKind, rom: &RomName) -> String {
    match host {
        HostKind::Model | HostKind::Video | HostKind::Recording => rom.name.clone(),
        HostKind::Console => format!("{host}: {}", cartridge(rom)),
    }
}

/// The model, or the cartridge in the emulator; an unknown one with the beginning of its SHA-1.
pub(super) fn cartridge(rom: &RomName) -> String {
    match &rom.sha1 {
        Some(sha1) if cartridge::is_unknown(&rom.name) => {
            format!("{} {}", rom.name, sha1.get(..8).unwrap_or(sha1))
        }
        _ => rom.name.clone(),
    }
}
