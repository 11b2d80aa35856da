//! Sums over the phases of a game.

use super::{JudgedPiece, MoveClass};
use maxout_engine::analysis::tetris;
use maxout_engine::movegen::{Placement, Start};
use maxout_rules::{Piece, line_points};

/// A part of a game, by the speed of its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum GamePhase {
    /// All levels.
    #[cfg_attr(feature = "serde", serde(rename = "all"))]
    All,
    /// Levels below 19.
    #[cfg_attr(feature = "serde", serde(rename = "before 19"))]
    Before19,
    /// Levels 19 to 28.
    #[cfg_attr(feature = "serde", serde(rename = "19-28"))]
    To28,
    /// Levels from 29 on.
    #[cfg_attr(feature = "serde", serde(rename = "29+"))]
    From29,
}

impl GamePhase {
    /// All phases, the whole game first.
    pub const ALL: [Self; 4] = [Self::All, Self::Before19, Self::To28, Self::From29];

    /// Whether a piece of this level belongs to the phase.
    pub const fn has(self, level: u8) -> bool {
        match self {
            Self::All => true,
            Self::Before19 => level < 19,
            Self::To28 => 19 <= level && level < 29,
            Self::From29 => level >= 29,
        }
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Before19 => "before 19",
            Self::To28 => "19 to 28",
            Self::From29 => "from 29",
        }
    }
}

/// A phase of a game in numbers.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PhaseSum {
    /// Which phase.
    pub phase: GamePhase,
    /// Placements.
    pub pieces: usize,
    /// The mean over all placements of 100, less the share of a tetris that was lost in percent; a placement that loses a
    /// tetris or more counts 0.
    pub accuracy: f32,
    /// Points lost by all placements.
    pub lost: f32,
    /// Placements of each class, in the order of [`MoveClass::ALL`].
    pub classes: [usize; 7],
    /// Points lost by the placements of each class.
    pub lost_by_class: [f32; 7],
}

/// The sums of the phases that have a placement, the whole game first.
pub fn sums(judged: &[JudgedPiece]) -> Vec<PhaseSum> {
    let sum = |phase: GamePhase| {
        let inside: Vec<&JudgedPiece> =
            judged.iter().filter(|judged| phase.has(judged.placed.progress.level)).collect();
        let kept = |judged: &&JudgedPiece| {
            f64::from(1.0 - (judged.judgement.loss / tetris(judged.placed.progress.level)).min(1.0))
        };
        let of_class = |class: MoveClass| inside.iter().filter(move |judged| judged.judgement.class == class);
        PhaseSum {
            phase,
            pieces: inside.len(),
            accuracy: (100.0 * inside.iter().map(kept).sum::<f64>() / inside.len().max(1) as f64) as f32,
            lost: inside.iter().map(|judged| judged.judgement.loss).sum(),
            classes: MoveClass::ALL.map(|class| of_class(class).count()),
            lost_by_class: MoveClass::ALL
                .map(|class| of_class(class).map(|judged| judged.judgement.loss).sum()),
        }
    };
    GamePhase::ALL.into_iter().map(sum).filter(|sum| sum.pieces > 0).collect()
}

/// What became of the points that a game could make up to level 29: expected − lost + luck = made + left.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Balance {
    /// The line points that were to be expected before the first placement.
    pub expected: f32,
    /// What all placements lost.
    pub lost: f32,
    /// What the pieces gave, and what the forecasts did not know: the rest of the sum.
    pub luck: f32,
    /// The line points that were made.
    pub made: f32,
    /// The line points that are still to be expected after the last placement; 0 at level 29 and after a top-out.
    pub left: f32,
}

/// Returns the balance of a game up to level 29, or `None` if it begins there.
pub fn balance(judged: &[JudgedPiece]) -> Option<Balance> {
    let judged: Vec<&JudgedPiece> =
        judged.iter().take_while(|judged| !GamePhase::From29.has(judged.placed.progress.level)).collect();
    let (first, last) = (judged.first()?, judged.last()?);
    let paid = |judged: &JudgedPiece| {
        let Placement { x, y, id } = judged.placed.placement;
        let rows = { judged.placed.board }.lock(x, y, id);
        (rows, line_points(rows, judged.placed.progress.level) as f32)
    };
    let (rows, points) = paid(last);
    let mut after = last.placed.progress;
    after.add_rows(rows);
    let has_place = |piece: Piece| {
        let Start { x, y, id, .. } = Start::spawn(piece, after.level);
        last.judgement.verdict.board_after.is_valid(x, y, id)
    };
    let is_over = GamePhase::From29.has(after.level) || last.placed.next.is_some_and(|next| !has_place(next));
    let left = if is_over { 0.0 } else { (last.judgement.verdict.points - points).max(0.0) };
    let expected = first.judgement.best.points;
    let lost = judged.iter().map(|judged| judged.judgement.loss).sum();
    let made = judged.iter().map(|judged| paid(judged).1).sum();
    Some(Balance { expected, lost, luck: made + left - expected + lost, made, left })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_in_one_phase_and_in_the_whole_game() {
        assert!((0..=255).all(|level| GamePhase::ALL.iter().filter(|phase| phase.has(level)).count() == 2));
    }
}
