//! What a learned value is worth when the game is about to end, or pieces are about to fall faster: [`Ending`].
//!
//! The learned game is endless. A game that ends pays only for the pieces that are left, and its last lines have
//! room for a whole number of tetrises.

use crate::search::clairvoyant::Goal;
use crate::search::parameters::{ExpectimaxParameters, LAST_LEVEL, LAST_LINES, PLATEAU_LEVEL};
use maxout_rules::Progress;
use maxout_rules::danger::{WATCH_LEVEL, safe_clears};

/// Pieces per line when every cell is cleared: a piece has four cells, a line has ten.
const PIECES_PER_LINE: f32 = 2.5;
/// The largest number of remaining lines that the table `finish` covers.
const FINISH: usize = 30;
/// More lines than can remain until level 29.
const MOST_LINES: u32 = 512;

/// The number of lines before a change of speed at which the values after it begin to count.
const NEAR: u32 = 40;

/// How the end of the game and a change of speed alter a learned value: tables by the number of lines until then.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    parameters: ExpectimaxParameters,
    /// Where the game ends.
    end: Goal,
    /// What is played for: level 29, as long as the game ends no later than that.
    goal: Goal,
    /// Whether the goal is ahead; false once play is beyond it.
    bounded: bool,
    /// Whether pieces fall two rows a frame from level 39 on.
    double_killscreen: bool,
    /// Whether a board is worth the points until level 29, and not a share of the endless game.
    in_points: bool,
    /// The share of the endless game's value that remains.
    shares: Vec<f32>,
    /// How much a line counts in it, by the number of lines before it.
    weights: Vec<f32>,
    /// What the last lines pay beyond that share.
    finish: [f32; FINISH + 1],
    /// The share of a board's difference from an ordinary one that the lines left still pay.
    effects: Vec<f32>,
    /// How much the values of the next speed count, by the lines before the change, in tenths of a line.
    fades: Vec<f32>,
}

impl Ending {
    pub fn new(parameters: &ExpectimaxParameters) -> Self {
        let shares = (0..=MOST_LINES as usize).map(|lines| share(parameters, lines)).collect();
        let fade = |tenths: u32| parameters.fade.powf(PIECES_PER_LINE * tenths as f32 / 10.0);
        let line = parameters.discount.powf(PIECES_PER_LINE);
        let effect = |left: usize| 1.0 - (-(left as f32) / parameters.effect_lines).exp();
        Self {
            end: Goal::Level29,
            goal: Goal::Level29,
            bounded: true,
            double_killscreen: false,
            in_points: false,
            shares,
            weights: (0..=MOST_LINES as i32).map(|lines| line.powi(lines)).collect(),
            finish: finish(parameters),
            effects: (0..=MOST_LINES as usize).map(effect).collect(),
            parameters: *parameters,
            fades: (0..=10 * NEAR).map(fade).collect(),
        }
    }

    /// Returns the same for games that end at this goal.
    pub fn at(self, end: Goal) -> Self {
        Self { end, goal: end, ..self }
    }

    /// Where the game ends.
    pub const fn end(&self) -> Goal {
        self.end
    }

    /// Prepares for a decision at `progress`. `has_plateau` says whether the search has the plateau's network. Returns whether values
    /// of earlier decisions no longer hold.
    pub fn begin(&mut self, progress: Progress, double_killscreen: bool, has_plateau: bool) -> bool {
        // A game that ends before level 29 is the first part of one that ends there.
        let goal = match self.end {
            Goal::Lines(lines)
                if progress.level < LAST_LEVEL
                    && lines <= progress.lines() + lines_to(LAST_LEVEL, progress) =>
            {
                Goal::Level29
            }
            end => end,
        };
        let before = (self.goal, self.bounded, self.double_killscreen, self.in_points);
        self.goal = goal;
        self.bounded = !self.is_over(progress);
        self.double_killscreen = double_killscreen;
        self.in_points =
            has_plateau && goal == Goal::Level29 && self.bounded && progress.level >= PLATEAU_LEVEL;
        before != (self.goal, self.bounded, self.double_killscreen, self.in_points)
    }

    /// Whether the goal is reached.
    fn is_over(&self, progress: Progress) -> bool {
        match self.goal {
            Goal::Level29 => progress.level >= LAST_LEVEL,
            Goal::Lines(lines) => progress.lines() >= lines,
            Goal::Never => false,
        }
    }

    /// Whether clears at `progress` score: not after the goal, unless the decision was made beyond it.
    #[inline]
    pub fn is_paid(&self, progress: Progress) -> bool {
        !self.bounded || !self.is_over(progress)
    }

    /// Returns what the learned value of a board with so many cells is worth, in tetrises at level 19, less `fear`, in tetrises
    /// at the level. The learned game is endless. In a game that ends, only the remaining pieces count, and the number of tetrises that the last lines have room for.
    #[inline]
    pub fn worth(&self, progress: Progress, value: f32, cells: u32, fear: f32) -> f32 {
        if !self.is_paid(progress) {
            return 0.0;
        }
        let left = self.lines_left(progress) as usize;
        if self.in_points {
            return self.points_to_29(progress, left, value, cells) - multiplier(progress.level) * fear;
        }
        let mut finish = self.finish.get(left).copied().unwrap_or(0.0);
        if self.goal != Goal::Level29 && finish != 0.0 {
            // The table is that of the last lines before level 29.
            finish *= multiplier(progress.level) / multiplier(LAST_LEVEL - left.div_ceil(10) as u8);
        }
        (value - fear) * self.mean_multiplier(progress, left) * self.shares[left] + finish
    }

    /// Returns the points until level 29, in tetrises at level 19: what the lines that are left pay on average, and how much better
    /// the board is than an ordinary one. Cells on the board are no advantage, because they are part of the lines that are left.
    #[inline]
    fn points_to_29(&self, progress: Progress, left: usize, value: f32, cells: u32) -> f32 {
        let ExpectimaxParameters { plateau_ordinary, ordinary_cells, cell, line, .. } = self.parameters;
        let level = progress.level.min(LAST_LEVEL - 1);
        // Each later level has ten lines, the present one all others.
        let later = f32::from(LAST_LEVEL - 1 - level);
        let mean = multiplier(level + 1).midpoint(multiplier(LAST_LEVEL - 1));
        let paid = (left as f32 - 10.0 * later) * multiplier(level) + 10.0 * later * mean;
        let better = value - plateau_ordinary - cell * (cells as f32 - ordinary_cells);
        multiplier(level) * self.effects[left] * better
            + line * paid
            + LAST_LINES[left.min(LAST_LINES.len() - 1)]
    }

    /// Returns the mean of what the lines ahead pay, relative to level 19. Each line counts less than the one before
    /// it, by the discount of 2.5 pieces.
    #[inline]
    fn mean_multiplier(&self, progress: Progress, left: usize) -> f32 {
        let weights = &self.weights;
        let until = |lines: usize| 1.0 - weights[lines];
        let level = f32::from(progress.level);
        let pays = |level: f32| (level + 1.0) / 20.0;
        // From the first line of a level on, without an end.
        let from = |level: f32| pays(level) + weights[10] / (20.0 * until(10));
        let next = progress.level.checked_add(1).map_or(10, |next| lines_to(next, progress));
        let here = (next as usize).min(left);
        let endless = pays(level) * until(here) + weights[here] * from(level + 1.0);
        if left == MOST_LINES as usize {
            return endless;
        }
        let (levels, lines) = ((left - here) / 10, (left - here) % 10);
        let last = level + 1.0 + levels as f32;
        let beyond = pays(last) * until(10 - lines) + weights[10 - lines] * from(last + 1.0);
        (endless - weights[left] * beyond) / until(left)
    }

    /// Returns the lines until the goal.
    #[inline]
    fn lines_left(&self, progress: Progress) -> u32 {
        match self.goal {
            _ if !self.bounded => MOST_LINES,
            Goal::Level29 => lines_to(LAST_LEVEL, progress),
            Goal::Lines(lines) => lines.saturating_sub(progress.lines()).min(MOST_LINES),
            Goal::Never => MOST_LINES,
        }
    }

    /// Returns how many lines are left before boards are worth something else, because pieces fall faster or because of
    /// which clears are safe, and the level at which they are. Returns `None` if that is more than [`NEAR`] lines away or
    /// not before the goal.
    #[inline]
    pub fn change(&self, progress: Progress) -> Option<(u32, u8)> {
        let level = match progress.level {
            ..=18 => 19,
            19..=28 if self.goal != Goal::Level29 => 29,
            29..=38 if self.double_killscreen => 39,
            39.. if self.double_killscreen => return None,
            WATCH_LEVEL.. => {
                let now = safe_clears(progress.level);
                (1..=5)
                    .map(|more| progress.level.saturating_add(more))
                    .find(|&level| safe_clears(level) != now)?
            }
            _ => return None,
        };
        let lines = lines_to(level, progress);
        (lines <= NEAR && lines < self.lines_left(progress)).then_some((lines, level))
    }

    /// Returns how much the values after a change of speed count, from 0 to 1: `lines` before the change, on a board of
    /// `cells` cells.
    ///
    /// Ten cells count as a line that is already cleared. So the result is the same before and after a clear.
    #[inline]
    pub fn fade(&self, lines: u32, cells: u32) -> f32 {
        self.fades[(10 * lines).saturating_sub(cells) as usize]
    }
}

/// Returns the points of a clear at `level`, relative to level 19.
pub(super) fn multiplier(level: u8) -> f32 {
    (f32::from(level) + 1.0) / 20.0
}

/// Returns the share of an endless game's value that belongs to its next `lines` lines. For the last few lines the
/// share does not shrink further, because a good board and a bad one differ there as much as before.
fn share(parameters: &ExpectimaxParameters, lines: usize) -> f32 {
    let ExpectimaxParameters { discount, last_shares, .. } = *parameters;
    1.0 - discount.powf(PIECES_PER_LINE * lines.max(last_shares) as f32)
}

/// Returns, for each number of lines that remain before level 29, the expected reward beyond the share of an ordinary
/// endless game, less the same figure for `FINISH + 1` lines. Rewards are in tetrises at level 19.
///
/// With 5 lines left two more tetrises can be made, with 4 only one, so the cost of a smaller clear depends on the
/// line at which it is made. The expectation is that of a player who makes a tetris with the parameters' share of the
/// clears and a single with the others, and who waits for the last tetris.
fn finish(parameters: &ExpectimaxParameters) -> [f32; FINISH + 1] {
    let ExpectimaxParameters { discount, ordinary, tetrises, last_tetris, .. } = *parameters;
    let pays = |left: usize| multiplier(LAST_LEVEL - left.div_ceil(10) as u8);
    let mut expected = [0.0; FINISH + 2];
    for left in 1..expected.len() {
        let after = |lines: usize| left.saturating_sub(lines);
        let tetris = discount.powi(5) * pays(after(4)) + discount.powi(10) * expected[after(4)];
        let single = discount.powf(PIECES_PER_LINE) * (pays(after(1)) / 30.0 + expected[after(1)]);
        expected[left] =
            if left <= 4 { last_tetris * pays(0) } else { tetrises * tetris + (1.0 - tetrises) * single };
    }
    let beyond = |left: usize| expected[left] - ordinary * pays(left) * share(parameters, left);
    std::array::from_fn(|left| if left == 0 { 0.0 } else { beyond(left) - beyond(FINISH + 1) })
}

/// Returns the lines until a level by the level rule of starts at 15 and above. For lower starts the result is a
/// little too small.
fn lines_to(level: u8, progress: Progress) -> u32 {
    let by_lines = (u32::from(level) * 10).saturating_sub(60 + progress.lines());
    let by_level = u32::from(level.saturating_sub(progress.level)) * 10 - progress.lines() % 10;
    by_lines.max(by_level).clamp(1, MOST_LINES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::ntuple::DEATH;

    const PARAMETERS: ExpectimaxParameters = ExpectimaxParameters::DEFAULT;

    fn ending() -> Ending {
        Ending::new(&PARAMETERS)
    }

    /// What the last `left` lines pay on average, by playing them out with the odds that [`finish`] assumes.
    fn played_out(left: usize, dice: &mut u64) -> f32 {
        let mut roll = || {
            *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*dice >> 40) as f32 / (1 << 24) as f32
        };
        let ExpectimaxParameters { discount, tetrises, last_tetris, .. } = PARAMETERS;
        let (mut left, mut pieces, mut sum) = (left, 0.0, 0.0);
        while left > 4 {
            let tetris = roll() < tetrises;
            left -= if tetris { 4 } else { 1 };
            let pays = multiplier(LAST_LEVEL - left.div_ceil(10) as u8);
            if tetris {
                sum += discount.powf(pieces + 5.0) * pays;
                pieces += 10.0;
            } else {
                pieces += PIECES_PER_LINE;
                sum += discount.powf(pieces) * pays / 30.0;
            }
        }
        if left > 0 && roll() < last_tetris {
            sum += discount.powf(pieces) * multiplier(LAST_LEVEL);
        }
        sum
    }

    #[test]
    fn what_the_last_lines_pay_is_what_playing_them_out_pays() {
        let finish = finish(&PARAMETERS);
        let mut dice = 7;
        // Only differences count, so each number of lines is held against 30.
        let mut expected = |left: usize| {
            let mean = (0..40_000).map(|_| f64::from(played_out(left, &mut dice))).sum::<f64>() / 40_000.0;
            let pays = multiplier(LAST_LEVEL - left.div_ceil(10) as u8);
            mean as f32 - PARAMETERS.ordinary * pays * share(&PARAMETERS, left)
        };
        let base = expected(FINISH);
        for left in 1..FINISH {
            let (got, want) = (finish[left] - finish[FINISH], expected(left) - base);
            assert!((got - want).abs() < 0.03, "{left} lines left: {got}, played out {want}");
        }
        assert!(finish[0] == 0.0);
    }

    #[test]
    fn a_share_grows_with_the_lines_and_is_never_all() {
        let share = |lines| share(&PARAMETERS, lines);
        assert!((share(17) - share(0)).abs() < f32::EPSILON);
        assert!((share(40) - (1.0 - 0.99f32.powi(100))).abs() < 1e-6);
        assert!((17..300).all(|lines| share(lines) < share(lines + 1) && share(lines) < 1.0));
    }

    #[test]
    fn two_more_tetrises_are_worth_more_than_one() {
        let ending = ending();
        let worth = |lines: u32| ending.worth(Progress::at(lines, 28), PARAMETERS.ordinary, 70, 0.0);
        // With 5 lines left another tetris leaves room for one more; with 4 it is the last.
        assert!(worth(225) > worth(226) + 0.3);
        assert!(
            (226..230).all(|lines| (worth(lines) - worth(226)).abs() < 0.1),
            "one tetris, whichever line"
        );
    }

    #[test]
    fn nothing_is_worth_anything_at_level_29_unless_play_goes_on() {
        let mut ending = ending();
        let end = Progress::at(230, 29);
        assert!(
            ending.worth(end, PARAMETERS.ordinary, 70, 0.0) == 0.0
                && ending.worth(end, DEATH, 70, 0.0) == 0.0
        );
        ending.begin(end, false, false);
        assert!(ending.worth(end, PARAMETERS.ordinary, 70, 0.0) > 10.0);
        assert!(ending.worth(end, DEATH, 70, 0.0) < ending.worth(end, 0.0, 70, 0.0));
    }

    #[test]
    fn levels_ahead_count_by_their_lines() {
        for (goal, lines, level) in [
            (Goal::Level29, 0, 19),
            (Goal::Level29, 133, 19),
            (Goal::Level29, 205, 26),
            (Goal::Level29, 229, 28),
            (Goal::Level29, 3, 0),
            (Goal::Lines(430), 0, 18),
            (Goal::Lines(430), 427, 48),
            (Goal::Never, 231, 29),
        ] {
            let mut ending = ending().at(goal);
            let progress = Progress::at(lines, level);
            ending.begin(progress, false, false);
            let left = ending.lines_left(progress) as usize;
            let (mut sum, mut all, mut now) = (0.0, 0.0, u32::from(level));
            for line in 0..if left == MOST_LINES as usize { 3_000 } else { left } {
                let weight = 0.99f64.powf(2.5 * line as f64);
                let up = (lines + line as u32 + 1).is_multiple_of(10)
                    && lines_to(level + 1, progress) <= line as u32 + 1;
                sum += weight * f64::from(now + 1) / 20.0;
                all += weight;
                now += u32::from(up);
            }
            let (got, want) = (f64::from(ending.mean_multiplier(progress, left)), sum / all);
            assert!((got - want).abs() < 2e-3, "{goal:?}, {lines} lines, level {level}: {got}, {want}");
        }
    }

    #[test]
    fn points_until_level_29_fall_by_what_a_line_pays() {
        let mut ending = ending();
        ending.begin(Progress::at(0, 19), false, true);
        let ordinary = PARAMETERS.plateau_ordinary;
        let worth =
            |lines: u32, level: u8, value, cells| ending.worth(Progress::at(lines, level), value, cells, 0.0);
        let line =
            |lines, level, next| worth(lines, level, ordinary, 70) - worth(lines + 1, next, ordinary, 70);
        // Far from the end each line pays what its level says; the line that ends a level belongs to it.
        assert!((line(50, 19, 19) - PARAMETERS.line).abs() < 1e-4);
        assert!((line(139, 19, 20) - PARAMETERS.line).abs() < 1e-4);
        assert!((line(140, 20, 20) - 1.05 * PARAMETERS.line).abs() < 1e-4);
        // With 5 lines left another tetris leaves room for one more; with 4 it is the last.
        assert!(line(225, 28, 28) > line(226, 28, 28) + 0.3);
        // Ten more cells, and the learned value that they add, change nothing.
        assert!((worth(50, 19, ordinary + 0.235, 80) - worth(50, 19, ordinary, 70)).abs() < 1e-4);
        // Fear counts in full up to the end.
        let afraid = ending.worth(Progress::at(229, 28), ordinary, 70, 2.0);
        assert!((worth(229, 28, ordinary, 70) - afraid - 2.0 * 1.45).abs() < 1e-4);
        // A better board pays less the fewer lines are left.
        let better =
            |lines, level: u8| worth(lines, level, ordinary + 1.0, 70) - worth(lines, level, ordinary, 70);
        assert!((better(50, 19) - 1.0).abs() < 1e-3 && better(220, 28) < 0.6 && better(227, 28) < 0.25);
        // Below level 19, and without the network, boards keep the value of the endless game.
        for (level, has_network) in [(18, true), (19, false)] {
            ending.begin(Progress::at(50, level), false, has_network);
            assert!(ending.worth(Progress::at(50, 19), ordinary, 70, 0.0) < 15.0);
        }
    }

    #[test]
    fn a_change_of_speed_is_seen_forty_lines_ahead_unless_the_game_ends_first() {
        let change = |goal, lines, level, double_killscreen| {
            let mut ending = ending().at(goal);
            ending.begin(Progress::at(lines, level), double_killscreen, false);
            ending.change(Progress::at(lines, level))
        };
        let far = Goal::Lines(430);
        assert_eq!(change(far, 89, 18, false), None);
        assert_eq!(change(far, 90, 18, false), Some((40, 19)));
        assert_eq!(change(far, 225, 28, false), Some((5, 29)));
        assert_eq!(change(Goal::Never, 225, 28, false), Some((5, 29)));
        assert_eq!(change(Goal::Level29, 225, 28, false), None);
        assert_eq!(change(Goal::Lines(230), 225, 28, false), None);
        assert_eq!(change(far, 325, 38, false), None);
        assert_eq!(change(far, 325, 38, true), Some((5, 39)));
        assert_eq!(change(far, 335, 39, true), None);
        // Beyond the end nothing changes any more.
        let mut ending = ending().at(Goal::Lines(325));
        ending.begin(Progress::at(320, 38), true, false);
        assert_eq!(ending.change(Progress::at(327, 38)), None);
    }

    #[test]
    fn a_clear_brings_a_change_of_speed_no_nearer() {
        let ending = ending();
        // Four lines and forty cells less.
        assert!((ending.fade(10, 80) - ending.fade(6, 40)).abs() < f32::EPSILON);
        assert!(ending.fade(10, 0) < ending.fade(5, 0) && ending.fade(2, 30) >= 1.0);
    }

    #[test]
    fn a_goal_in_lines_ends_the_game_there() {
        let mut ending = ending().at(Goal::Lines(300));
        ending.begin(Progress::at(250, 31), false, false);
        let worth = |lines, level| ending.worth(Progress::at(lines, level), PARAMETERS.ordinary, 70, 0.0);
        assert!(worth(230, 29) > worth(290, 35) && worth(290, 35) > 0.5);
        assert!(worth(300, 36) == 0.0 && !ending.is_paid(Progress::at(300, 36)));
        // With 5 lines left another tetris leaves room for one more; with 4 it is the last.
        assert!(worth(295, 35) > worth(296, 35) + 0.3);
    }
}
