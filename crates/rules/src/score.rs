//! Points, as the game's own byte arithmetic counts them, and as it would count them without the cap (the-game.md 5).

use serde::{Deserialize, Serialize};

/// The six-digit BCD score with the game's carry rules, and the millions that the game does not show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Score {
    /// The digits in BCD, two in each byte: ones, hundreds, ten thousands.
    pub digits: [u8; 3],
    /// The whole millions that were passed. They stay 0 in the game's own score, which stops at [`Self::MOST_SHOWN`].
    pub millions: u32,
}

impl Score {
    /// No points.
    pub const ZERO: Self = Self { digits: [0; 3], millions: 0 };
    /// The highest score that the game shows: there it stops.
    pub const MOST_SHOWN: u32 = 999_999;

    /// Returns the score as a number.
    #[inline]
    pub fn value(self) -> u64 {
        let two = |b: u8| u64::from(b >> 4) * 10 + u64::from(b & 15);
        let [low, mid, high] = self.digits.map(two);
        u64::from(self.millions) * 1_000_000 + high * 10_000 + mid * 100 + low
    }

    /// Adds one lock's points: `rows` cleared (0–4) at `level` (the level after the clear) and `hold_down`
    /// soft-drop rows. With `cap` it behaves as the game does; without, it carries into `millions`.
    pub fn add_lock(&mut self, rows: u8, level: u8, hold_down: u8, cap: bool) {
        if hold_down >= 2 {
            self.add_soft_drop(hold_down);
        }
        // Without rows, the loop's first turn corrects the digits, and the other turns change nothing.
        let turns = if rows == 0 { 1 } else { u16::from(level) + 1 };
        for _ in 0..turns {
            self.add_line_points(rows, cap);
        }
    }

    /// Adds the soft drop (the-game.md 5.2): a binary addition on BCD digits, corrected once. It loses points near a
    /// carry.
    fn add_soft_drop(&mut self, hold_down: u8) {
        let [low, mid, _] = &mut self.digits;
        let mut sum = low.wrapping_sub(1).wrapping_add(hold_down);
        if sum & 0x0F >= 0x0A {
            sum = sum.wrapping_add(6);
        }
        if sum & 0xF0 >= 0xA0 {
            sum = (sum & 0xF0).wrapping_add(0x60);
            *mid = mid.wrapping_add(1);
        }
        *low = sum;
    }

    /// Does one turn of the loop of the-game.md 5.3.
    fn add_line_points(&mut self, rows: u8, cap: bool) {
        let (add_low, add_mid) =
            [(0, 0), (0x40, 0), (0, 0x01), (0, 0x03), (0, 0x12)][usize::from(rows.min(4))];
        let [low, mid, high] = &mut self.digits;
        *low = low.wrapping_add(add_low);
        if *low >= 0xA0 {
            *low = low.wrapping_add(0x60);
            *mid = mid.wrapping_add(1);
        }
        *mid = mid.wrapping_add(add_mid);
        if *mid & 0x0F >= 0x0A {
            *mid = mid.wrapping_add(6);
        }
        if *mid & 0xF0 >= 0xA0 {
            *mid = mid.wrapping_add(0x60);
            *high = high.wrapping_add(1);
        }
        if *high & 0x0F >= 0x0A {
            *high = high.wrapping_add(6);
        }
        if *high & 0xF0 >= 0xA0 {
            if cap {
                self.digits = [0x99; 3];
            } else {
                *high = high.wrapping_add(0x60);
                self.millions += 1;
            }
        }
    }
}

/// Returns the points for a clear of `rows` lines without soft drop. `level` is the level after the clear.
#[inline]
pub const fn line_points(rows: u8, level: u8) -> u64 {
    [0, 40, 100, 300, 1200][rows as usize] * (level as u64 + 1)
}

/// The lines and the level as the game stores them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The tens and ones of the line count, in BCD.
    pub lines_low: u8,
    /// The hundreds of the line count, in binary.
    pub lines_high: u8,
    /// The level, in binary.
    pub level: u8,
}

impl Progress {
    /// Returns the line count as a number.
    #[inline]
    pub fn lines(self) -> u32 {
        u32::from(self.lines_high) * 100
            + u32::from(self.lines_low >> 4) * 10
            + u32::from(self.lines_low & 15)
    }

    /// Counts the rows of one lock by the A-type rule (the-game.md 5.1): one line at a time, with a test of the level
    /// at each ten.
    #[inline]
    pub fn add_rows(&mut self, rows: u8) {
        for _ in 0..rows {
            self.lines_low = self.lines_low.wrapping_add(1);
            if self.lines_low & 0x0F >= 0x0A {
                self.lines_low = self.lines_low.wrapping_add(6);
            }
            if self.lines_low & 0xF0 >= 0xA0 {
                self.lines_low = self.lines_low.wrapping_add(0x60);
                self.lines_high = self.lines_high.wrapping_add(1);
            }
            if self.lines_low & 0x0F == 0 {
                let tens = ((u16::from(self.lines_high) << 8 | u16::from(self.lines_low)) >> 4) as u8;
                if self.level.wrapping_sub(tens) & 0x80 != 0 {
                    self.level = self.level.wrapping_add(1);
                }
            }
        }
    }

    /// Returns the state with `lines` lines at `level`, for searches and drawn boards.
    #[inline]
    pub fn at(lines: u32, level: u8) -> Self {
        let low = (lines % 100) as u8;
        Self { lines_low: ((low / 10) << 4) | (low % 10), lines_high: (lines / 100) as u8, level }
    }
}

/// Returns the number of lines at which a game from this level reaches level 29.
pub fn lines_to_29(start_level: u8) -> u32 {
    let mut progress = Progress::at(0, start_level.min(28));
    while progress.level < 29 {
        progress.add_rows(1);
    }
    progress.lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bcd(n: u32) -> Score {
        let two = |v: u32| (((v / 10) << 4) | (v % 10)) as u8;
        Score { digits: [two(n % 100), two(n / 100 % 100), two(n / 10_000)], millions: 0 }
    }

    /// The vectors of the-game.md 5.5: score, level, lines, rows, `hold_down` → score, level, lines.
    #[test]
    fn scoring_vectors_of_the_specification() {
        let vectors = [
            ((0, 19, 0, 4, 0), (24_000, 19, 4)),
            ((0, 18, 126, 4, 0), (24_000, 19, 130)),
            ((0, 18, 126, 4, 16), (24_015, 19, 130)),
            ((98, 0, 0, 0, 8), (100, 0, 0)),
            ((5, 0, 0, 0, 18), (16, 0, 0)),
            ((15, 0, 0, 0, 12), (20, 0, 0)),
            ((10, 0, 0, 0, 2), (11, 0, 0)),
            ((0, 0, 0, 0, 1), (0, 0, 0)),
            ((999_900, 19, 255, 1, 0), (999_999, 19, 256)),
            ((0, 9, 99, 1, 0), (440, 10, 100)),
            ((123_456, 19, 139, 1, 9), (124_304, 20, 140)),
            ((0, 0, 9, 1, 0), (80, 1, 10)),
            ((0, 28, 229, 2, 0), (3000, 29, 231)),
            ((990_000, 29, 299, 4, 20), (999_999, 30, 303)),
            ((7, 3, 12, 3, 17), (1217, 3, 15)),
        ];
        for ((score, level, lines, rows, hold_down), (want_score, want_level, want_lines)) in vectors {
            let mut progress = Progress::at(lines, level);
            let mut points = bcd(score);
            progress.add_rows(rows);
            points.add_lock(rows, progress.level, hold_down, true);
            let got = (points.value(), progress.level, progress.lines());
            assert_eq!(
                got,
                (want_score, want_level, want_lines),
                "{score} L{level} {lines} {rows} {hold_down}"
            );
        }
    }

    #[test]
    fn the_uncapped_score_goes_on_where_the_game_stops() {
        let (mut capped, mut full) = (bcd(990_000), bcd(990_000));
        capped.add_lock(4, 28, 0, true);
        full.add_lock(4, 28, 0, false);
        assert_eq!((capped.value(), full.value()), (999_999, 990_000 + 34_800));
    }

    #[test]
    fn turns_of_the_score_loop_without_rows_change_nothing_after_the_first() {
        // Miri is too slow for all of them.
        for value in (0..1u32 << 24).step_by(if cfg!(miri) { 65_521 } else { 1 }) {
            let [low, mid, high, _] = value.to_le_bytes();
            for cap in [true, false] {
                let mut score = Score { digits: [low, mid, high], millions: 0 };
                score.add_line_points(0, cap);
                let once = score;
                score.add_line_points(0, cap);
                assert_eq!(score, once, "{value:06x}");
            }
        }
    }

    #[test]
    fn level_rule_from_every_start() {
        for (start, first) in [(0, 10), (5, 60), (9, 100), (12, 100), (16, 110), (18, 130), (19, 140)] {
            let mut progress = Progress::at(0, start);
            while progress.level == start {
                progress.add_rows(1);
            }
            assert_eq!(progress.lines(), first, "start {start}");
        }
    }
}
