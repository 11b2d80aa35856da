//! What the lines ahead pay, and what a board is worth beyond that.

use maxout_engine::eval::Shape;
use maxout_engine::limits::{Presses, Reaction, TapTable};
use maxout_engine::search::LAST_LINES;
use maxout_rules::{Board, FallRule, Piece, Progress, Stop};

use super::{GAMMA, Twin};

impl Twin<'_> {
    /// Whether the game is over.
    pub fn is_over(&self, at: Progress) -> bool {
        match self.goal {
            Stop::Level29 => at.level >= 29,
            Stop::Lines(lines) => at.lines() >= lines,
            Stop::TopOut => false,
        }
    }

    /// Whether a piece has fallen 17 rows before its fourth shift, or 16 if the next piece is seen only then.
    fn is_too_fast(&self, level: u8) -> bool {
        let fourth = match self.limits.presses {
            Presses::Table(TapTable::HZ_24) => 8,
            Presses::Table(TapTable::HZ_20) => 9,
            Presses::Table(TapTable::HZ_15) => 12,
            Presses::Table(TapTable::HZ_12) => 15,
            Presses::Table(TapTable::HZ_10) => 18,
            _ => 6,
        };
        let doubled = level >= 39 && self.fall_rule == FallRule::DoubleKillscreen;
        let late = match self.limits.reaction {
            Reaction::NextPiece => true,
            Reaction::Frames(frames) => frames >= if doubled { 8 } else { 15 },
        };
        let rows = if doubled { 2 * fourth } else { fourth };
        level >= 29 && rows >= if late { 16 } else { 17 }
    }

    /// The level at each line from here on, and whether play ends after them.
    fn road(&self, from: Progress) -> (Vec<u8>, bool) {
        let far = (self.root.lines() / 512 + 2) * 512;
        let (mut levels, mut at) = (Vec::new(), from);
        loop {
            let stops = self.is_too_fast(at.level) && !self.is_too_fast(self.root.level);
            if stops || self.bounded && self.is_over(at) {
                return (levels, true);
            }
            if at.lines() >= far {
                return (levels, false);
            }
            levels.push(at.level);
            at.add_rows(1);
        }
    }

    fn speed(&self, level: u8) -> usize {
        self.network.speed(level, self.fall_rule)
    }

    /// The value of the empty board.
    fn empty(&self, speed: usize) -> f32 {
        let value = || self.network.expected_at(&Shape::of(&Board::EMPTY), speed, Piece::T);
        *self.empty[speed].get_or_init(value)
    }

    /// What a line pays on average, by what an ordinary board loses in two and a half pieces.
    fn line(&self, speed: usize) -> f32 {
        (2.5 * (1.0 - GAMMA) * (self.empty(speed) + 1.0)).max(1.0 / 30.0)
    }

    /// What the lines ahead pay on average.
    pub fn mean(&self, from: Progress) -> f64 {
        let (levels, ends) = self.road(from);
        let sum = levels.iter().map(|&level| f64::from(pay(level) * self.line(self.speed(level)))).sum();
        match levels.last() {
            Some(&last) if ends => {
                let share = (self.line(self.speed(last)) / 0.2225).min(1.0);
                sum + f64::from(LAST_LINES[levels.len().min(60)] * share * pay(last) / 1.45)
            }
            _ => sum,
        }
    }

    /// By how much more than the empty board one is worth, apart from its cells, before each of the seven pieces; `value` is by
    /// speed. Shortly before pieces fall faster, what it then is is mixed in. The first number of cells is that of the board,
    /// the second counts as lines that are cleared.
    pub fn merits(&self, progress: Progress, cells: [u32; 2], value: impl Fn(usize) -> [f32; 7]) -> [f32; 7] {
        let merits = |speed| {
            let cells = 0.1 * self.line(speed) * cells[0] as f32;
            value(speed).map(|value| value - self.empty(speed) - cells)
        };
        let speed = self.speed(progress.level);
        let now = merits(speed);
        let (levels, _) = self.road(progress);
        let Some(lines) = levels.iter().position(|&level| self.speed(level) != speed).filter(|at| *at <= 40)
        else {
            return now;
        };
        let then = merits(self.speed(levels[lines]));
        let fade = 0.8f32.powf(0.25 * (10 * lines as u32).saturating_sub(cells[1]) as f32);
        std::array::from_fn(|at| (1.0 - 0.4 * fade) * now[at] + fade * then[at])
    }

    /// What a board is worth beyond what the lines ahead pay on average, in tetrises of level 19.
    pub fn worth(&self, progress: Progress, merit: f32, fear: f32) -> f32 {
        let (levels, ends) = self.road(progress);
        if levels.is_empty() {
            return 0.0;
        }
        let effect = if ends { 1.0 - (-(levels.len() as f32) / 20.0).exp() } else { 1.0 };
        pay(progress.level) * (effect * (merit - fear.min(0.0)) - fear.max(0.0))
    }
}

pub fn pay(level: u8) -> f32 {
    (f32::from(level) + 1.0) / 20.0
}

/// The lines until a level in a game from level 15 or above.
pub fn lines_to(level: u8, progress: Progress) -> u32 {
    let by_lines = (u32::from(level) * 10 - 60).saturating_sub(progress.lines());
    let by_level = u32::from(level - progress.level) * 10 - progress.lines() % 10;
    by_lines.max(by_level).clamp(1, 512)
}
