//! [`Tally`]: gathers the games of a batch into a [`BatchResult`].

use maxout_rules::FallRule;
use std::time::Duration;

use super::batch::{BatchResult, Mean, PerGame};
use super::shard::{FORMAT, Shard};
use crate::library::store::RunId;
use crate::stats::{Sample, Statistics, Summary};
use maxout_engine::player::Entry;
use maxout_host::batch::{Batch, Finished};
use maxout_record::result::HostKind;
use maxout_record::run::RomName;

/// Gathers games into a [`BatchResult`] without keeping their logs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub(super) games: Vec<PerGame>,
    pub(super) sample: Sample,
    pub(super) reached: u64,
    pub(super) decisions: u64,
    pub(super) replans: u64,
    pub(super) gave_up: u64,
    pub(super) thinking: Duration,
}

impl Tally {
    /// Adds one game of `player`, and its number in the library if it is kept there.
    pub fn add(&mut self, game: &Finished, player: &Entry, statistics: &Statistics, run: Option<RunId>) {
        self.games.push(PerGame::new(game, player, statistics, run));
        self.sample.add(statistics);
        let outcome = &game.outcome;
        self.reached += u64::from(outcome.result.reached_stop);
        self.decisions += outcome.counts.decisions;
        self.replans += outcome.counts.replans;
        self.gave_up += outcome.counts.gave_up;
        self.thinking += outcome.thinking;
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// The result of all games added; `library` keeps them.
    pub fn result(
        self,
        batch: &Batch,
        host: HostKind,
        rom: RomName,
        wall: Duration,
        library: Option<String>,
    ) -> BatchResult {
        let spread =
            |value: fn(&PerGame) -> f64| Summary::of(&self.games.iter().map(value).collect::<Vec<_>>());
        let total =
            |value: fn(&PerGame) -> u32| -> f64 { self.games.iter().map(|g| f64::from(value(g))).sum() };
        let n = self.games.len() as f64;
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        BatchResult {
            player: batch.player.name.to_string(),
            fair: batch.player.capabilities().is_fair,
            limits: batch.limits(),
            host,
            rom,
            games: self.games.len() as u64,
            first_seed: batch.first_seed,
            start_level: batch.start_level,
            stop: batch.stop,
            double_killscreen: batch.fall_rule == FallRule::DoubleKillscreen,
            score: spread(|g| g.result.score as f64),
            line_points: spread(|g| g.result.line_points as f64),
            reached_stop: share(self.reached as f64, n),
            crashed: self.games.iter().filter(|game| game.result.crashed).count() as u64,
            tetris_rate: share(4.0 * total(|g| g.result.tetrises), total(|g| g.result.lines)),
            lines: Mean { mean: share(total(|g| g.result.lines), n) },
            burned: spread(|g| f64::from(g.burned)),
            decisions: self.decisions,
            replans: self.replans,
            gave_up: self.gave_up,
            cpu_ms_per_decision: share(self.thinking.as_secs_f64() * 1e3, self.decisions as f64),
            wall_s: wall.as_secs_f64(),
            statistics: self.sample.spread(),
            library,
            per_game: self.games,
            shard: None,
        }
    }

    /// What `whole` needs of these games to be put together again.
    pub fn shard(&self, whole: &Batch) -> Shard {
        Shard {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: whole.games,
            first_seed: whole.first_seed,
            foresight: format!("{:?}", whole.foresight),
            filter: whole.player.filter().map(|filter| format!("{filter:?}")),
            reached: self.reached,
            thinking_ns: self.thinking.as_nanos().try_into().unwrap_or(u64::MAX),
            sample: self.sample.clone(),
        }
    }
}
