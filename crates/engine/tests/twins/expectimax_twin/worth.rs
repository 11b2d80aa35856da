//! What a learned value is worth when so many lines are left.

use std::sync::LazyLock;

use maxout_engine::search::LAST_LINES;
use maxout_rules::Progress;

use super::GAMMA;

/// How many lines are left, and where.
pub struct Left {
    pub lines: u32,
    pub progress: Progress,
    /// Whether the game ends at level 29.
    pub to_29: bool,
}

impl Left {
    /// What each line that is left pays, from the first on; of an endless game, those of 4,000 lines.
    fn pays(&self) -> impl Iterator<Item = f32> {
        let Self { lines, progress, .. } = *self;
        let mut level = u32::from(progress.level);
        (1..=if lines == 512 { 4_000 } else { lines }).map(move |line| {
            let pay = (level + 1) as f32 / 20.0;
            // The present level may be longer than ten lines.
            let ends = (progress.lines() + line).is_multiple_of(10);
            level += u32::from(ends && line >= lines_to(progress.level + 1, progress));
            pay
        })
    }

    /// The value of the endless game, as far as its lines are left.
    pub fn worth(&self, value: f32) -> f32 {
        let weight = |(line, pay): (usize, f32)| {
            let weight = GAMMA.powf(2.5 * line as f32);
            [weight * pay, weight]
        };
        let add = |sum: [f32; 2], line: [f32; 2]| [sum[0] + line[0], sum[1] + line[1]];
        let [sum, all] = self.pays().enumerate().map(weight).fold([0.0; 2], add);
        let mut last = if self.lines <= 30 { beyond(self.lines) - beyond(31) } else { 0.0 };
        if !self.to_29 && self.lines <= 30 {
            last *= pay(self.progress.level) / pay_with(self.lines);
        }
        value * sum / all * share(self.lines) + last
    }

    /// The points until level 29: what the lines pay on average, and what the board is better than an ordinary one.
    pub fn points(&self, value: f32, cells: u32) -> f32 {
        let better = value - 9.63 - 0.0235 * (cells as f32 - 70.0);
        let effect = 1.0 - (-(self.lines as f32) / 20.0).exp();
        let lines = 0.2225 * self.pays().sum::<f32>() + LAST_LINES[self.lines.min(60) as usize];
        pay(self.progress.level.min(28)) * effect * better + lines
    }
}

pub fn pay(level: u8) -> f32 {
    (f32::from(level) + 1.0) / 20.0
}

fn pay_with(left: u32) -> f32 {
    pay((29 - left.div_ceil(10)) as u8)
}

/// Share of an endless game in so many lines; of the last 17 it shrinks no more.
fn share(left: u32) -> f32 {
    1.0 - GAMMA.powf(2.5 * left.max(17) as f32)
}

/// What the last lines pay a player who makes a tetris with six clears of ten and a single with the others, and who
/// makes the last tetris with 93 %.
fn expected(left: u32) -> f32 {
    if left == 0 {
        return 0.0;
    }
    if left <= 4 {
        return 0.93 * pay(29);
    }
    let tetris = GAMMA.powi(5) * pay_with(left - 4) + GAMMA.powi(10) * expected(left - 4);
    let single = GAMMA.powf(2.5) * (pay_with(left - 1) / 30.0 + expected(left - 1));
    0.6 * tetris + 0.4 * single
}

/// The same beyond the share of an ordinary endless game, for at most 31 lines.
fn beyond(left: u32) -> f32 {
    static KNOWN: LazyLock<[f32; 32]> = LazyLock::new(|| {
        std::array::from_fn(|left| {
            let left = left as u32;
            expected(left) - 8.9 * pay_with(left) * share(left)
        })
    });
    KNOWN[left as usize]
}

/// The lines until a level in a game from level 15 or above.
pub fn lines_to(level: u8, progress: Progress) -> u32 {
    let by_lines = (u32::from(level) * 10 - 60).saturating_sub(progress.lines());
    let by_level = u32::from(level - progress.level) * 10 - progress.lines() % 10;
    by_lines.max(by_level).clamp(1, 512)
}
