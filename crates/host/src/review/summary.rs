//! A game at a glance: what was made, the moments that mattered, and what to train ([`summary`]).

use super::sums::paid;
use super::{JudgedPiece, MoveClass, sums};
use maxout_engine::analysis::{Reason, reasons};
use maxout_engine::eval::Shape;
use maxout_rules::{Board, Piece, Placement, danger};
use serde::Serialize;

/// How many moments are named.
const MOMENTS: usize = 5;
/// Placements that are fewer pieces apart belong to the same moment.
const APART: usize = 5;
/// A drought begins when this number of pieces in a row are no I.
const DROUGHT: usize = 13;
/// The columns at the left to which taps take longest.
const LEFT: usize = 3;
/// By how many rows the left side must be higher than the rest, and higher than after the best placement, to be called high.
const HIGHER: i16 = 2;

/// What a player can train, by what goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Habit {
    /// Probably a misdrop ([`JudgedPiece::misdrop`]).
    Misdrop,
    /// A tetris was possible and not played.
    MissedTetris,
    /// The best place lies under an overhang.
    MissedTuck,
    /// Lines are cleared that the best placement keeps for a tetris.
    Burn,
    /// The well is covered or filled.
    Well,
    /// It was right only until the next piece was seen.
    MissedAdjustment,
    /// The left side rises above the rest.
    HighLeft,
    /// No I came for 13 pieces or more.
    Drought,
    /// Holes, or more of them.
    Holes,
    /// Anything else.
    Other,
}

impl Habit {
    /// The name for people, of several.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Misdrop => "probable misdrops",
            Self::MissedTetris => "missed tetrises",
            Self::MissedTuck => "missed tucks",
            Self::Burn => "burns",
            Self::Well => "covered or filled wells",
            Self::MissedAdjustment => "missed adjustments to the next piece",
            Self::HighLeft => "a high left side",
            Self::Drought => "placements in droughts",
            Self::Holes => "holes",
            Self::Other => "other placements",
        }
    }
}

/// What one habit cost.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HabitSum {
    /// Which.
    pub habit: Habit,
    /// Its name for people.
    pub name: &'static str,
    /// The points lost.
    pub lost: f32,
    /// The numbers of the placements, from 1; each belongs to one habit.
    pub pieces: Vec<usize>,
}

/// A game at a glance.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameSummary {
    /// The line points made.
    pub line_points: f32,
    /// The lines cleared.
    pub lines: u32,
    /// The share of the lines that were cleared four at a time, 0 to 1.
    pub tetris_rate: f32,
    /// The accuracy in percent, if a placement was judged.
    pub accuracy: Option<f32>,
    /// The numbers of the placements that lost most, from 1, the worst first: one of each moment.
    pub moments: Vec<usize>,
    /// What went wrong from an inaccuracy on, what cost most first.
    pub habits: Vec<HabitSum>,
    /// The numbers of the placements whose lock can crash the game, even with the next box hidden and without soft drop
    /// ([`danger::locks`]). Empty below level 138.
    pub can_crash: Vec<usize>,
}

/// Sums up a game.
pub fn summary(judged: &[JudgedPiece]) -> GameSummary {
    let clears: Vec<(u8, f32)> = judged.iter().map(paid).collect();
    let lines: u32 = clears.iter().map(|&(rows, _)| u32::from(rows)).sum();
    let tetrises = clears.iter().filter(|&&(rows, _)| rows == 4).count();
    GameSummary {
        // A sum of nothing is -0.
        line_points: clears.iter().fold(0.0, |sum, &(_, points)| sum + points),
        lines,
        tetris_rate: 4.0 * tetrises as f32 / lines.max(1) as f32,
        accuracy: sums(judged).first().map(|all| all.accuracy),
        moments: moments(judged),
        habits: habits(judged),
        can_crash: (1..)
            .zip(judged)
            .filter(|(_, judged)| can_crash(judged))
            .map(|(number, _)| number)
            .collect(),
    }
}

fn can_crash(judged: &JudgedPiece) -> bool {
    let (rows, _) = paid(judged);
    let locks = danger::locks(judged.placed.progress);
    locks.get(usize::from(rows)).is_some_and(|lock| lock.hidden.no_drop.is_none())
}

/// The placements that lost most, no two of the same moment.
fn moments(judged: &[JudgedPiece]) -> Vec<usize> {
    let loss = |at: usize| judged[at].judgement.loss;
    let mut order: Vec<usize> = (0..judged.len()).filter(|&at| loss(at) >= 0.5).collect();
    order.sort_by(|&a, &b| loss(b).total_cmp(&loss(a)).then(a.cmp(&b)));
    let mut moments: Vec<usize> = Vec::new();
    for at in order {
        if moments.len() < MOMENTS && moments.iter().all(|other| other.abs_diff(at + 1) >= APART) {
            moments.push(at + 1);
        }
    }
    moments
}

fn habits(judged: &[JudgedPiece]) -> Vec<HabitSum> {
    let mut sums: Vec<HabitSum> = Vec::new();
    let mut since = 0;
    for (number, judged) in (1..).zip(judged) {
        since = if judged.placed.piece == Piece::I { 0 } else { since + 1 };
        let Some(habit) = habit(judged, since) else { continue };
        let at = sums.iter().position(|sum| sum.habit == habit).unwrap_or_else(|| {
            sums.push(HabitSum { habit, name: habit.name(), lost: 0.0, pieces: Vec::new() });
            sums.len() - 1
        });
        sums[at].lost += judged.judgement.loss;
        sums[at].pieces.push(number);
    }
    sums.sort_by(|a, b| b.lost.total_cmp(&a.lost));
    sums
}

/// What went wrong with a placement that came `since` pieces after the last I, if it is an inaccuracy or worse.
fn habit(judged: &JudgedPiece, since: usize) -> Option<Habit> {
    let JudgedPiece { placed, judgement, missed_adjustment, misdrop, .. } = judged;
    if !matches!(judgement.class, MoveClass::Inaccuracy | MoveClass::Mistake | MoveClass::Blunder) {
        return None;
    }
    let (played, best) = (placed.placement, judgement.best.placement);
    let why = reasons(&placed.position(), &judgement.verdict, &judgement.best);
    let has = |wanted: fn(&Reason) -> bool| why.iter().any(wanted);
    Some(if misdrop.is_some() {
        Habit::Misdrop
    } else if judged.missed_tetris() {
        Habit::MissedTetris
    } else if is_covered(&placed.board, best) && !is_covered(&placed.board, played) {
        Habit::MissedTuck
    } else if has(|reason| matches!(reason, Reason::Burns(_))) {
        Habit::Burn
    } else if has(|reason| matches!(reason, Reason::CoversWell { .. } | Reason::FillsWell { .. })) {
        Habit::Well
    } else if *missed_adjustment {
        Habit::MissedAdjustment
    } else if is_left_high(&judgement.verdict.board_after, &judgement.best.board_after) {
        Habit::HighLeft
    } else if since >= DROUGHT {
        Habit::Drought
    } else if has(|reason| matches!(reason, Reason::MakesHoles(_) | Reason::MakesMoreHoles(_))) {
        Habit::Holes
    } else {
        Habit::Other
    })
}

/// Whether a piece cannot fall straight to its place.
fn is_covered(board: &Board, Placement { y, orientation: id, x }: Placement) -> bool {
    (0..y).any(|above| !board.is_valid(x, above, id))
}

/// Whether the left side is higher than the rest, and higher than it would be.
fn is_left_high(played: &Board, best: &Board) -> bool {
    let above = |board: &Board| {
        let heights = Shape::of(board).heights.map(i16::from);
        let (left, rest) = heights.split_at(LEFT);
        let highest = |heights: &[i16]| heights.iter().copied().max().unwrap_or(0);
        highest(left) - highest(rest)
    };
    above(played) >= HIGHER && above(played) - above(best) >= HIGHER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_placements_make_no_points_and_not_less_and_have_no_accuracy() {
        let GameSummary { line_points, accuracy, .. } = summary(&[]);
        assert_eq!((line_points.to_string().as_str(), accuracy), ("0", None));
    }
}
