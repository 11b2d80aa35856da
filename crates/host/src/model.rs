//! The rules as a host: they play the same game as the emulator, thousands of times faster.
//!
//! From level 138 on the real machine may fail. The rules do not count its cycles, so here measured bounds of them
//! ([`maxout_rules::danger`]) decide about each scoring step. A game that fails stands still.

use super::{Host, HostError, health_after};
use maxout_rules::danger::{self, Health, WATCH_LEVEL};
use maxout_rules::input::Buttons;
use maxout_rules::observer::{Observer, ScoredLock};
use maxout_rules::ram::{Edition, Snapshot};
use maxout_rules::{FallRule, Game};

/// A game that the exact rules play.
#[derive(Clone, Debug)]
pub struct Model {
    game: Game,
    jammed: bool,
}

impl Model {
    /// Makes a host that continues from `game`.
    pub const fn new(game: Game) -> Self {
        Self { game, jammed: false }
    }

    /// Returns the state of the game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Whether the scoring step that was just done from `level` fails. Its variant is everything that shifts the
    /// machine's cycles: rows, soft drop, and the phase of its counters.
    fn fails(&self, lock: &ScoredLock, level: u8) -> bool {
        let &ScoredLock { rows, soft_drop, .. } = lock;
        let game = &self.game;
        if game.edition == Edition::Practice {
            return false;
        }
        let phase = u64::from(game.frame_counter) << 16 | u64::from(game.generator.lfsr.0);
        let variant = phase << 24 | u64::from(rows) << 16 | u64::from(soft_drop) << 8 | u64::from(level);
        danger::judge(rows, game.progress.level, game.next_hidden, soft_drop > 1, variant) != Health::Well
    }
}

impl Host for Model {
    fn step(&mut self, buttons: Buttons) -> Result<(), HostError> {
        if self.jammed {
            return Ok(());
        }
        let level = self.game.progress.level;
        let mut observer = (level >= WATCH_LEVEL).then(|| Observer::new(&self.game));
        self.game.step(buttons);
        if let Some(lock) = observer.as_mut().and_then(|observer| observer.see(&self.game).scored) {
            self.jammed = self.fails(&lock, level);
        }
        Ok(())
    }

    fn probe(&mut self, buttons: &[Buttons]) -> Result<Health, HostError> {
        health_after(&mut self.clone(), buttons)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::from(&self.game)
    }

    fn fall_rule(&self) -> FallRule {
        self.game.fall_rule
    }

    fn edition(&self) -> Edition {
        self.game.edition
    }
}
