//! The most that the remaining lines can be worth: [`Outlook`].

use crate::search::parameters::{BeamParameters, BoardWeights};
use maxout_rules::danger::{Risk, WATCH_LEVEL, risk, risk_at};
use maxout_rules::{Progress, Stop, gravity, line_points};

/// The best possible line points from each line count on, by the exact rule of levels.
#[derive(Clone, Debug)]
pub(super) struct Outlook {
    first: u32,
    /// The best possible points from `first + i` lines to the goal.
    best: Vec<i64>,
    goal: Option<u32>,
    parameters: BeamParameters,
    /// The number of lines from which on boards are kept low.
    lower_from: u32,
    /// The line counts, from the first to before the second, at which only singles are safe.
    singles: (u32, u32),
}

impl Outlook {
    pub fn new(now: Progress, goal: Stop, parameters: BeamParameters) -> Self {
        let first = now.lines();
        let mut last = match goal {
            Stop::Lines(lines) => lines,
            Stop::Level29 => u32::MAX,
            Stop::TopOut if first < parameters.lines_without_goal => parameters.lines_without_goal,
            Stop::TopOut => first.saturating_add(parameters.lines_further),
        };
        let (mut levels, mut walk) = (Vec::new(), now);
        let mut fast = None;
        // Three lines more than the goal: the last clear may pass it.
        for lines in first..first + 26_000 {
            if lines >= last.saturating_add(4) {
                break;
            }
            levels.push(walk.level);
            if gravity(walk.level) == 1 && fast.is_none() {
                fast = Some(lines);
            }
            if goal == Stop::Level29 && walk.level >= 29 {
                last = last.min(lines);
            }
            walk.add_rows(1);
        }
        let mut best = vec![0; levels.len()];
        for i in (0..levels.len()).rev() {
            if first + i as u32 >= last {
                continue;
            }
            let clears = (1..=4usize).filter(|&rows| i + rows < levels.len());
            let safe = |&rows: &usize| {
                levels[i] < WATCH_LEVEL || risk(rows as u8, levels[i + rows], true) != Risk::Band
            };
            let worth = |rows: usize| line_points(rows as u8, levels[i + rows]) as i64 + best[i + rows];
            best[i] = clears.filter(safe).map(worth).max().unwrap_or(0);
        }
        let lower_from = match (fast, goal) {
            (Some(fast), Stop::Lines(_) | Stop::TopOut) => fast.saturating_sub(parameters.lower_before),
            _ => u32::MAX,
        };
        let only_singles = |&level: &u8| {
            level >= WATCH_LEVEL
                && (1..=4).all(|rows| (risk_at(rows, level, true) == Risk::None) == (rows == 1))
        };
        let at = |i: usize| first + i as u32;
        let begin = levels.iter().position(only_singles).map_or(u32::MAX, at);
        let end = levels.iter().rposition(only_singles).map_or(0, at);
        let singles = (begin.saturating_sub(parameters.singles_before), end);
        Self { first, best, goal: (goal != Stop::TopOut).then_some(last), parameters, lower_from, singles }
    }

    /// Whether the goal is reached.
    pub fn is_reached(&self, lines: u32) -> bool {
        self.goal.is_some_and(|goal| lines >= goal)
    }

    /// Returns how boards are valued at this number of lines.
    pub fn weights(&self, lines: u32) -> BoardWeights {
        if (self.singles.0..self.singles.1).contains(&lines) {
            self.parameters.singles
        } else if lines >= self.lower_from {
            self.parameters.fast
        } else {
            self.parameters.slow
        }
    }

    /// Returns the best possible line points from here to the goal.
    pub fn best_from(&self, lines: u32) -> i64 {
        lines.checked_sub(self.first).and_then(|i| self.best.get(i as usize)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plateau_is_worth_58_tetrises_and_a_single_at_level_28() {
        let outlook = Outlook::new(Progress::at(0, 19), Stop::Level29, BeamParameters::DEFAULT);
        assert_eq!(outlook.best_from(0), 1_543_160);
        assert!(!outlook.is_reached(229) && outlook.is_reached(230));
        // From 228 lines a single and a tetris fit.
        assert_eq!(outlook.best_from(228), 40 * 29 + 1200 * 30);
        assert_eq!(outlook.best_from(231), 0);
    }

    #[test]
    fn the_crash_zone_is_passed_with_the_clears_that_are_safe() {
        let outlook = Outlook::new(Progress::at(0, 19), Stop::Lines(3_300), BeamParameters::DEFAULT);
        // Level 175: only singles. 1,690 lines are level 175 from a start on 19.
        let mut progress = Progress::at(0, 19);
        (0..1_695).for_each(|_| progress.add_rows(1));
        assert_eq!(progress.level, 175);
        assert_eq!(outlook.best_from(1_695) - outlook.best_from(1_696), 40 * 176);
        assert!(outlook.best_from(0) > 140_000_000, "{}", outlook.best_from(0));
    }
}
