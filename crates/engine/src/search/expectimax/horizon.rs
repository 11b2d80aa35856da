//! How the learned values of endless games become points of a real one: [`Horizon`].
//!
//! The lines that are left pay the same on average, whatever the board looks like. So a clear counts as its points less
//! what its lines pay on average, and a board counts by its merit: how much better than the empty one it is.

use std::sync::{Arc, OnceLock};

use crate::eval::Shape;
use crate::eval::ntuple::{MOST_SPEEDS, Network};
use crate::limits::{Limits, Sight};
use crate::search::parameters::{ExpectimaxParameters, LAST_LEVEL, LAST_LINES};
use maxout_rules::danger::{Risk, risk};
use maxout_rules::{Board, DOUBLE_KILLSCREEN, FallRule, Piece, Progress, Stop};

/// Pieces per line when every cell is cleared: a piece has four cells, a line has ten.
const PIECES_PER_LINE: f32 = 2.5;
/// What a line of a single pays, in tetrises.
const SINGLE: f32 = 1.0 / 30.0;
/// The number of lines before a change of speed at which the values after it begin to count.
const NEAR: u32 = 40;
/// Where a game has no end, lines are counted up to a multiple of this number that is at least this many lines ahead.
const FAR: u32 = 512;
/// With more lines left, boards differ as much as in an endless game.
const MOST_EFFECTS: u32 = 512;
/// The [`multiplier`] of the last level where [`LAST_LINES`] was measured, 28.
const LAST_MULTIPLIER: f32 = 29.0 / 20.0;
/// What a line paid on average where [`LAST_LINES`] was measured, in tetrises.
const LAST_PAY: f32 = 0.2225;

/// How far a game goes, and what its lines pay until then.
#[derive(Clone, Debug)]
pub(super) struct Horizon {
    parameters: ExpectimaxParameters,
    /// Where the game ends.
    end: Stop,
    /// What is played for: level 29 if the game ends no later than that, else its end.
    goal: Stop,
    /// Whether the goal is ahead; false once play is beyond it.
    bounded: bool,
    fall_rule: FallRule,
    network: Arc<Network>,
    /// The learned value of the empty board, by speed, in tetrises. Known once it was asked for, so that tables of speeds
    /// that a game never reaches need not be unpacked.
    empty: [OnceLock<f32>; MOST_SPEEDS],
    /// Whether pieces fall too fast for the player's taps where they fall one row a frame, and where they fall two.
    too_fast: [bool; 2],
    ahead: Ahead,
    /// The share of a board's merit that the lines left still pay.
    effects: Vec<f32>,
    /// How much the merit at the next speed counts, by the number of tenths of lines before the change.
    fades: Vec<f32>,
}

/// The lines ahead of a decision.
#[derive(Clone, Debug, Default)]
struct Ahead {
    /// The number of lines cleared before the first of them.
    first: u32,
    lines: Vec<Line>,
    /// Whether some clears lead from each line to the end of the list, none of which crashes the game for certain.
    ways: Vec<bool>,
    /// Whether play ends after the last of them, not just the list.
    ends: bool,
}

/// A line that is not cleared yet.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The level before it is cleared.
    level: u8,
    /// What it and all lines after it pay on average, in tetrises at level 19.
    pays: f64,
    /// The number of lines until boards are worth something else, because pieces fall faster or other clears are safe,
    /// and the speed from then on; `None` unless that is at most [`NEAR`] lines away and before the end.
    change: Option<(u32, usize)>,
}

impl Horizon {
    /// The horizon of games that end at `end`, played with this network and within these limits.
    pub fn new(parameters: &ExpectimaxParameters, end: Stop, network: Arc<Network>, input: Limits) -> Self {
        let fade = |tenths: u32| parameters.fade.powf(PIECES_PER_LINE * tenths as f32 / 10.0);
        let effect = |left: u32| 1.0 - (-(left as f32) / parameters.effect_lines).exp();
        Self {
            end,
            goal: end,
            bounded: true,
            fall_rule: FallRule::Ntsc,
            network,
            empty: [const { OnceLock::new() }; MOST_SPEEDS],
            too_fast: [LAST_LEVEL, DOUBLE_KILLSCREEN].map(|level| {
                let rows = FallRule::DoubleKillscreen.rows_per_drop(level);
                let alone = input.sight(level, FallRule::DoubleKillscreen) == Sight::TooLate;
                let most = if alone { parameters.too_fast_alone } else { parameters.too_fast };
                input.rows_before_fourth_shift(rows) >= most
            }),
            ahead: Ahead::default(),
            effects: (0..=MOST_EFFECTS).map(effect).collect(),
            fades: (0..=10 * NEAR).map(fade).collect(),
            parameters: *parameters,
        }
    }

    /// The learned value of the empty board at a speed, in tetrises.
    #[inline]
    fn empty(&self, speed: usize) -> f32 {
        *self.empty[speed]
            .get_or_init(|| self.network.expected_at(&Shape::of(&Board::EMPTY), speed, Piece::T))
    }

    /// What a line pays on average at a speed, in tetrises at the level: a piece earns what the discount of one piece takes from the
    /// value of an ordinary board.
    #[inline]
    fn pay(&self, speed: usize) -> f32 {
        let ordinary = self.empty(speed) + self.parameters.ordinary;
        (ordinary * (1.0 - self.parameters.discount) * PIECES_PER_LINE).max(SINGLE)
    }

    /// Prepares for a decision at `progress`. Returns whether values of earlier decisions no longer hold.
    pub fn begin(&mut self, progress: Progress, fall_rule: FallRule) -> bool {
        // A game that ends before level 29 is the first part of one that ends there.
        let goal = match self.end {
            Stop::Lines(lines) if is_over_by_29(progress, lines) => Stop::Level29,
            end => end,
        };
        let before = (self.goal, self.bounded, self.fall_rule);
        self.goal = goal;
        self.bounded = !self.is_over(progress);
        self.fall_rule = fall_rule;
        if before == (self.goal, self.bounded, self.fall_rule) && self.ahead.covers(progress) {
            return false;
        }
        self.ahead = self.list(progress);
        true
    }

    /// Whether the goal is reached.
    fn is_over(&self, progress: Progress) -> bool {
        match self.goal {
            Stop::Level29 => progress.level >= LAST_LEVEL,
            Stop::Lines(lines) => progress.lines() >= lines,
            Stop::TopOut => false,
        }
    }

    /// Whether pieces fall too fast at this level for the player's taps.
    fn is_too_fast(&self, level: u8) -> bool {
        let [one, two] = self.too_fast;
        match self.fall_rule.ntsc_level(level) {
            ..LAST_LEVEL => false,
            level if self.fall_rule.rows_per_drop(level) == 2 => two,
            _ => one,
        }
    }

    /// Lists the lines from `progress` on.
    fn list(&self, progress: Progress) -> Ahead {
        let is_end = |at: Progress| {
            let gets_too_fast = self.is_too_fast(at.level) && !self.is_too_fast(progress.level);
            self.bounded && self.is_over(at) || gets_too_fast
        };
        let (mut levels, mut at) = (Vec::new(), progress);
        while levels.len() < 2 * FAR as usize && at.lines() < far(progress) && !is_end(at) {
            levels.push(at.level);
            at.add_rows(1);
        }
        let ends = is_end(at);
        let speed = |level: u8| self.network.speed(level, self.fall_rule);
        let last = levels.last().copied().filter(|_| ends);
        let last_lines = last.map_or(0.0, |last| {
            multiplier(last) / LAST_MULTIPLIER * (self.pay(speed(last)) / LAST_PAY).min(1.0)
        });
        let mut lines: Vec<Line> = Vec::with_capacity(levels.len());
        let mut pays = 0.0;
        for (left, &level) in (1..).zip(levels.iter().rev()) {
            pays += f64::from(self.pay(speed(level)) * multiplier(level));
            let change = lines.last().and_then(|after| {
                let same = speed(after.level) == speed(level);
                let (lines, next) = if same { after.change? } else { (0, speed(after.level)) };
                (lines < NEAR).then_some((lines + 1, next))
            });
            let beyond = last_lines * LAST_LINES[left.min(LAST_LINES.len() - 1)];
            lines.push(Line { level, pays: pays + f64::from(beyond), change });
        }
        lines.reverse();
        for _ in 0..4 {
            levels.push(at.level);
            at.add_rows(1);
        }
        Ahead { first: progress.lines(), lines, ways: ways(&levels), ends }
    }

    /// Whether a clear crashes the game for certain with the next box hidden, or leaves only such clears where others would not.
    #[inline]
    pub fn is_fatal(&self, before: Progress, rows: u8, after: Progress) -> bool {
        risk(rows, after.level, true) == Risk::Band
            || self.ahead.has_way(before) && !self.ahead.has_way(after)
    }

    /// Whether clears at `progress` score: not after the goal, unless the decision was made beyond it.
    #[inline]
    pub fn is_paid(&self, progress: Progress) -> bool {
        !self.bounded || !self.is_over(progress)
    }

    /// Returns what the lines ahead pay on average, in tetrises at level 19. If the game has no end, these are at least
    /// the next 512.
    #[inline]
    pub fn pays(&self, progress: Progress) -> f64 {
        self.ahead.line(progress).map_or(0.0, |line| line.pays)
    }

    /// Returns a function that turns the learned value of a board of `cells` cells at `speed` into its merit: how much more it is
    /// worth than the empty one, in tetrises at the level, apart from its cells. They are part of the lines that are
    /// left, so they are no advantage.
    #[inline]
    pub fn merit(&self, speed: usize, cells: u32) -> impl Fn(f32) -> f32 {
        let (empty, cells_pay) = (self.empty(speed), self.pay(speed) / 10.0 * cells as f32);
        move |value| value - empty - cells_pay
    }

    /// Returns the next speed of fall, if the change to it is near, and how much the merit at that speed counts, from 0
    /// to 1, for a board of `cells` cells.
    ///
    /// Ten cells count as a line that is already cleared, so the result is the same before and after a clear.
    #[inline]
    pub fn change(&self, progress: Progress, cells: u32) -> Option<(usize, f32)> {
        let (lines, speed) = self.ahead.line(progress)?.change?;
        Some((speed, self.fades[(10 * lines).saturating_sub(cells) as usize]))
    }

    /// Returns the merit of a board shortly before pieces fall faster: `now` is its merit at the present speed, and
    /// `then` that at the next one, which has the weight `fade`. A part of `now` fades out as `then` comes in.
    #[inline]
    pub fn mixed(&self, now: f32, then: f32, fade: f32) -> f32 {
        now + fade * (then - self.parameters.forgotten * now)
    }

    /// Whether any of the lines ahead is left. Beyond the last one, no board is worth anything.
    #[inline]
    pub fn has_lines(&self, progress: Progress) -> bool {
        self.ahead.line(progress).is_some()
    }

    /// Returns what a board of this merit is worth beyond what the lines that are left pay on average, less `fear`.
    /// Merit and fear are in tetrises at the level, the result is in tetrises at level 19. The fewer lines are left,
    /// the less a better board still pays. A negative fear, which makes a lost game cheaper, is scaled by the same share as the
    /// merit. Otherwise losing near the end would be a gain.
    #[inline]
    pub fn worth(&self, progress: Progress, merit: f32, fear: f32) -> f32 {
        if !self.has_lines(progress) {
            return 0.0;
        }
        let effect = self.effect(progress);
        let fear = if fear < 0.0 { effect * fear } else { fear };
        multiplier(progress.level) * (effect * merit - fear)
    }

    /// Returns the share of a board's merit that the lines left still pay.
    #[inline]
    fn effect(&self, progress: Progress) -> f32 {
        if !self.ahead.ends {
            return 1.0;
        }
        let left = self.ahead.end().saturating_sub(progress.lines());
        self.effects.get(left as usize).copied().unwrap_or(1.0)
    }
}

impl Ahead {
    /// The number of lines cleared after the last of them.
    fn end(&self) -> u32 {
        self.first + self.lines.len() as u32
    }

    /// Whether a decision at `progress` has these lines ahead.
    fn covers(&self, progress: Progress) -> bool {
        let same = self.line(progress).is_some_and(|line| line.level == progress.level);
        same && (self.ends || self.end() == far(progress))
    }

    /// Whether there is a way through the levels at which clears crash the game; always beyond the end.
    #[inline]
    fn has_way(&self, progress: Progress) -> bool {
        let line = progress.lines().checked_sub(self.first);
        line.and_then(|line| self.ways.get(line as usize)).copied().unwrap_or(true)
    }

    /// The next line to be cleared at `progress`; `None` beyond the end.
    #[inline]
    fn line(&self, progress: Progress) -> Option<&Line> {
        self.lines.get(progress.lines().checked_sub(self.first)? as usize)
    }
}

/// Returns from which lines there is a way through, if these are the levels before each line. The last four are beyond the end.
fn ways(levels: &[u8]) -> Vec<bool> {
    let mut ways = vec![true; levels.len()];
    for line in (0..levels.len().saturating_sub(4)).rev() {
        let leads_on =
            |rows: usize| ways[line + rows] && risk(rows as u8, levels[line + rows], true) != Risk::Band;
        ways[line] = (1..=4).any(leads_on);
    }
    ways
}

/// Returns what a clear pays at `level`, relative to level 19.
pub(super) fn multiplier(level: u8) -> f32 {
    (f32::from(level) + 1.0) / 20.0
}

/// The number of lines up to which the lines of a game without an end are listed.
fn far(progress: Progress) -> u32 {
    (progress.lines() / FAR + 2) * FAR
}

/// Whether a game that is below level 29 at `progress` has `lines` lines no later than when it reaches level 29.
fn is_over_by_29(progress: Progress, lines: u32) -> bool {
    let mut at = progress;
    for _ in progress.lines()..lines {
        if at.level >= LAST_LEVEL {
            return false;
        }
        at.add_rows(1);
    }
    progress.level < LAST_LEVEL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::ntuple::DEATH;
    use crate::eval::weights;
    use crate::limits::TapTable;

    const PARAMETERS: ExpectimaxParameters = ExpectimaxParameters::DEFAULT;

    /// The horizon of a decision at this number of lines and this level.
    fn horizon(taps: TapTable, end: Stop, lines: u32, level: u8, fall_rule: FallRule) -> Horizon {
        let limits = Limits::taps(taps);
        let network = weights::embedded_for(limits);
        let mut horizon = Horizon::new(&PARAMETERS, end, network, limits);
        horizon.begin(Progress::at(lines, level), fall_rule);
        horizon
    }

    fn to_29(lines: u32, level: u8) -> Horizon {
        horizon(TapTable::HZ_30, Stop::Level29, lines, level, FallRule::Ntsc)
    }

    #[test]
    fn lines_pay_what_their_level_says() {
        let horizon = to_29(0, 19);
        let pays = |lines, level| horizon.pays(Progress::at(lines, level)) as f32;
        let line = |lines, level, next| pays(lines, level) - pays(lines + 1, next);
        // Far from the end each line pays the same; the line that ends a level belongs to it.
        assert!((line(50, 19, 19) - horizon.pay(0)).abs() < 1e-4);
        assert!((line(139, 19, 20) - horizon.pay(0)).abs() < 1e-4);
        assert!((line(140, 20, 20) - 1.05 * horizon.pay(0)).abs() < 1e-4);
        // A player with a tetris rate of about 90 % makes 0.23 tetrises a line.
        assert!((0.22..0.24).contains(&horizon.pay(0)), "{}", horizon.pay(0));
        // With 5 lines left another tetris leaves room for one more; with 4 it is the last.
        assert!(line(225, 28, 28) > line(226, 28, 28) + 0.3);
        assert!(pays(230, 29) == 0.0 && pays(231, 29) == 0.0);
    }

    /// Levels from a start on 19. From 1,658 lines on each clear crashes the game for certain: a single brings level 171, others bring 172.
    #[test]
    fn a_clear_is_fatal_if_it_leaves_no_way_through_level_171() {
        let at = |lines: u32| Progress::at(lines, (lines / 10 + 6) as u8);
        let horizon = horizon(TapTable::HZ_30, Stop::TopOut, 1_600, 166, FallRule::Ntsc);
        let safe = |lines| -> Vec<u8> {
            let fatal = |rows: &u8| horizon.is_fatal(at(lines), *rows, at(lines + u32::from(*rows)));
            (1..=4).filter(|rows| !fatal(rows)).collect()
        };
        assert_eq!([1_654, 1_655, 1_656, 1_657].map(safe), [vec![2, 3], vec![2, 4], vec![3], vec![2]]);
        assert_eq!([1_658, 1_659, 1_660].map(safe), [vec![], vec![1], vec![1]]);
        assert_eq!([1_600, 1_639].map(safe), [vec![2, 3, 4], vec![2, 3, 4]]);
    }

    #[test]
    fn speeds_of_fall_pay_what_their_values_say() {
        let horizon = horizon(TapTable::HZ_12, Stop::Lines(430), 100, 18, FallRule::DoubleKillscreen);
        let line = |lines: u32| {
            let at = |lines: u32| Progress::at(lines, (lines / 10 + 6).max(18) as u8);
            (horizon.pays(at(lines)) - horizon.pays(at(lines + 1))) as f32 / multiplier(at(lines).level)
        };
        // 12 Hz: tetrises at level 18, fewer at level 19, singles from level 29 on, nothing at the double killscreen.
        assert!(line(110) > line(150) && line(150) > 0.15);
        assert!((line(240) - SINGLE).abs() < 1e-4);
        assert!(horizon.ahead.ends && horizon.ahead.end() == 330);
    }

    #[test]
    fn play_ends_at_a_speed_at_which_taps_are_too_slow() {
        use TapTable as T;
        let ends = [
            (T::HZ_30, 430),
            (T::SLOW_5, 430),
            (T::HZ_20, 330),
            (T::HZ_15, 330),
            (T::HZ_12, 330),
            (T::HZ_10, 230),
        ];
        for (taps, end) in ends {
            let horizon = |lines, level, rule| horizon(taps, Stop::Lines(430), lines, level, rule);
            assert_eq!(horizon(0, 18, FallRule::DoubleKillscreen).ahead.end(), end, "{taps}");
            assert_eq!(
                horizon(0, 18, FallRule::Ntsc).ahead.end(),
                if end == 330 { 430 } else { end },
                "{taps}"
            );
            // Players that are already there play on.
            assert_eq!(horizon(340, 40, FallRule::DoubleKillscreen).ahead.end(), 430, "{taps}");
        }
    }

    #[test]
    fn the_goal_of_a_game_that_ends_by_level_29_is_level_29() {
        let goal =
            |lines, at, level| horizon(TapTable::HZ_30, Stop::Lines(lines), at, level, FallRule::Ntsc).goal;
        assert_eq!(goal(230, 0, 18), Stop::Level29);
        assert_eq!(goal(100, 0, 18), Stop::Level29);
        assert_eq!(goal(231, 0, 18), Stop::Lines(231));
        assert_eq!(goal(230, 225, 28), Stop::Level29);
        assert_eq!(goal(235, 232, 29), Stop::Lines(235));
    }

    #[test]
    fn nothing_is_worth_anything_at_the_goal_unless_play_goes_on() {
        let end = Progress::at(230, 29);
        let ahead = to_29(226, 28);
        assert!(ahead.worth(end, 1.0, 0.0) == 0.0 && ahead.worth(end, DEATH, 1.0) == 0.0);
        assert!(!ahead.is_paid(end) && ahead.is_paid(Progress::at(229, 28)));
        let beyond = to_29(230, 29);
        assert!(beyond.is_paid(end) && beyond.pays(end) > 10.0);
        assert!(beyond.worth(end, 1.0, 0.0) > beyond.worth(end, 0.0, 0.0));
        assert!(beyond.worth(end, DEATH, 0.0) < beyond.worth(end, 0.0, 0.0));
        // A game that ends at another number of lines.
        let later = horizon(TapTable::HZ_30, Stop::Lines(300), 250, 31, FallRule::Ntsc);
        assert!(later.worth(Progress::at(300, 36), 1.0, 0.0) == 0.0);
        assert!(later.worth(Progress::at(290, 35), 1.0, 0.0) > 0.1);
    }

    #[test]
    fn merit_counts_less_with_fewer_lines_left_and_fear_counts_in_full() {
        let horizon = to_29(0, 19);
        let better = |lines, level| {
            let worth = |merit| horizon.worth(Progress::at(lines, level), merit, 0.0);
            worth(1.0) - worth(0.0)
        };
        assert!((better(50, 19) - 1.0).abs() < 1e-3);
        assert!(better(220, 28) < 0.6 && better(227, 28) < 0.25);
        let last = Progress::at(229, 28);
        assert!((horizon.worth(last, 0.5, 0.0) - horizon.worth(last, 0.5, 2.0) - 2.0 * 1.45).abs() < 1e-4);
        // A bold player's lost game is cheaper, but no gain: less than 7 tetrises is taken from a price of 7.
        assert!(horizon.worth(last, -7.0, -5.0) < horizon.worth(last, 0.0, 0.0));
    }

    #[test]
    fn cells_are_no_merit() {
        let horizon = to_29(0, 19);
        let merit = |value, cells| horizon.merit(0, cells)(value);
        // Ten more cells are a line of which the mean pay is part of the lines left.
        assert!((merit(9.0 + horizon.pay(0), 70) - merit(9.0, 60)).abs() < 1e-4);
        assert!(merit(horizon.empty(0), 0) == 0.0);
    }

    #[test]
    fn a_change_of_speed_is_seen_forty_lines_ahead_unless_the_game_ends_first() {
        let change = |end, lines, level, rule| {
            let horizon = horizon(TapTable::HZ_30, end, lines, level, rule);
            horizon.ahead.line(Progress::at(lines, level)).and_then(|line| line.change)
        };
        let far = Stop::Lines(430);
        assert_eq!(change(far, 89, 18, FallRule::Ntsc), None);
        assert_eq!(change(far, 90, 18, FallRule::Ntsc), Some((40, 0)));
        assert_eq!(change(far, 225, 28, FallRule::Ntsc), Some((5, 2)));
        assert_eq!(change(Stop::TopOut, 225, 28, FallRule::Ntsc), Some((5, 2)));
        assert_eq!(change(Stop::Level29, 225, 28, FallRule::Ntsc), None);
        assert_eq!(change(Stop::Lines(230), 225, 28, FallRule::Ntsc), None);
        assert_eq!(change(far, 325, 38, FallRule::Ntsc), None);
        assert_eq!(change(far, 325, 38, FallRule::DoubleKillscreen), Some((5, 3)));
        assert_eq!(change(far, 335, 39, FallRule::DoubleKillscreen), None);
        // Where only some clears are safe, boards are worth something else.
        assert_eq!(change(Stop::TopOut, 1_505, 156, FallRule::Ntsc), Some((5, 4)));
        // Beyond the end nothing changes any more.
        let ends = horizon(TapTable::HZ_30, Stop::Lines(325), 320, 38, FallRule::DoubleKillscreen);
        assert!(ends.ahead.line(Progress::at(327, 38)).is_none());
    }

    #[test]
    fn a_clear_brings_a_change_of_speed_no_nearer() {
        let horizon = horizon(TapTable::HZ_30, Stop::Lines(430), 120, 18, FallRule::Ntsc);
        let fade = |lines, cells| horizon.change(Progress::at(lines, 18), cells).map(|(_, fade)| fade);
        // Four lines and forty cells less.
        assert_eq!(fade(120, 80), fade(124, 40));
        assert!(fade(120, 0) < fade(125, 0) && fade(128, 30) == Some(1.0));
        // The nearer the change, the more the merit behind it counts.
        assert!(horizon.mixed(1.0, -1.0, 0.1) > horizon.mixed(1.0, -1.0, 0.9));
    }

    #[test]
    fn equal_lines_pay_equally_wherever_the_list_begins() {
        for (end, lines, level) in
            [(Stop::TopOut, 600, 66), (Stop::Lines(430), 240, 30), (Stop::Level29, 150, 20)]
        {
            let early = horizon(TapTable::HZ_30, end, lines, level, FallRule::Ntsc);
            let at = Progress::at(lines + 7, level);
            let late = horizon(TapTable::HZ_30, end, lines + 7, level, FallRule::Ntsc);
            assert!((early.pays(at) - late.pays(at)).abs() < 1e-9);
            assert!(early.ahead.covers(at));
        }
    }
}
