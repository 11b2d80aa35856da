//! [`Report`]: the results of a batch, as a table for people and as JSON for programs.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::shard::Shard;
use crate::library::run::RomName;
use crate::library::store::RunId;
use crate::stats::{Closest, Spread, Statistics, Summary};
use crate::words::{count, decimal, number};
use maxout_engine::player::Entry;
use maxout_host::batch::Finished;
use maxout_host::rom;
use maxout_rules::Seed;

/// Everything that a batch came to. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Player's name.
    pub player: String,
    /// Whether it saw only what a person sees.
    pub fair: bool,
    /// The player's input limits, and the misdrop rate of its hand if there is one; empty in older shards.
    #[serde(default)]
    pub limits: String,
    /// `model` or `console`.
    pub host: String,
    /// The cartridge.
    pub rom: RomName,
    /// Games finished.
    pub games: u64,
    /// Seed of the first.
    pub first_seed: u64,
    /// Start level.
    pub start_level: u8,
    /// Stop.
    pub stop: String,
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

/// One game of a [`Report`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PerGame {
    /// Seed.
    pub seed: u64,
    /// Points with soft drop, uncapped.
    pub score: u64,
    /// Points without soft drop, uncapped.
    pub line_points: u64,
    /// Lines.
    pub lines: u32,
    /// Level at the end.
    pub level: u8,
    /// Clears of one line.
    pub singles: u32,
    /// Clears of two lines.
    pub doubles: u32,
    /// Clears of three lines.
    pub triples: u32,
    /// Clears of four lines.
    pub tetrises: u32,
    /// Lines that were not cleared four at a time.
    pub burned: u32,
    /// Whether the board was full up to the top when the game ended.
    pub topped_out: bool,
    /// Whether the game itself failed.
    pub crashed: bool,
    /// Frames of play.
    pub frames: u64,
    /// Pieces locked.
    pub pieces: u32,
    /// If the player builds a picture: the best moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Closest>,
    /// Number of the run in the library, if it was kept.
    pub run: Option<RunId>,
}

impl PerGame {
    pub(super) fn new(game: &Finished, player: &Entry, statistics: &Statistics, run: Option<RunId>) -> Self {
        let outcome = &game.outcome;
        let [singles, doubles, triples, tetrises] = outcome.clears;
        Self {
            seed: game.seed,
            score: outcome.score,
            line_points: outcome.line_points,
            lines: outcome.lines,
            level: outcome.level,
            singles,
            doubles,
            triples,
            tetrises,
            burned: statistics.burn.total,
            topped_out: outcome.topped_out,
            crashed: outcome.crashed,
            frames: outcome.frames,
            pieces: outcome.pieces,
            picture: player.picture().map(|picture| Closest::of(&picture, &outcome.locks)),
            run,
        }
    }
}

impl Report {
    /// Sets all times to 0, so that equal games make equal bytes.
    pub fn leave_out_times(&mut self) {
        (self.cpu_ms_per_decision, self.wall_s) = (0.0, 0.0);
        if let Some(shard) = &mut self.shard {
            shard.thinking_ns = 0;
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.fair { "fair" } else { "clairvoyant" };
        writeln!(f, "player        {} ({kind}), on the {}", self.player, played_on(&self.host, &self.rom))?;
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

impl Report {
    /// What a single game came to.
    fn fmt_game(&self, f: &mut fmt::Formatter<'_>, game: &PerGame) -> fmt::Result {
        let PerGame { score, line_points, lines, level, singles, doubles, triples, tetrises, burned, .. } =
            *game;
        writeln!(f, "score         {} ({} from lines)", number(score), number(line_points))?;
        let clears = [(singles, "single"), (doubles, "double"), (triples, "triple"), (tetrises, "tetris")];
        let clears = clears.map(|(n, clear)| count(n, clear)).join(", ");
        let (lines, burned) = (number(lines), number(burned));
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
        writeln!(f, "efficiency    {:.1} points a line, level apart", stats.efficiency.mean)
    }
}

/// The machine that games were played on: the model, or the console with its cartridge.
pub(super) fn played_on(host: &str, rom: &RomName) -> String {
    if rom.name.starts_with(host) { rom.name.clone() } else { format!("{host}: {}", cartridge(rom)) }
}

/// The model, or the cartridge in the emulator; an unknown one with the beginning of its SHA-1.
pub(super) fn cartridge(rom: &RomName) -> String {
    match &rom.sha1 {
        Some(sha1) if rom::is_unknown(&rom.name) => {
            format!("{} {}", rom.name, sha1.get(..8).unwrap_or(sha1))
        }
        _ => rom.name.clone(),
    }
}
