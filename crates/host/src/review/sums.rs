//! Sums over the phases of a game.

use super::{JudgedPiece, MoveClass};
use maxout_engine::analysis::{Judgement, Outlook, stop_level, tetris};
use maxout_engine::movegen::Start;
use maxout_rules::{Piece, Placement, line_points};
use serde::Serialize;

/// A part of a game, by the speed of its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum GamePhase {
    /// All levels.
    #[serde(rename = "all")]
    All,
    /// Levels below 19.
    #[serde(rename = "before 19")]
    Before19,
    /// Levels 19 to 28.
    #[serde(rename = "19-28")]
    To28,
    /// Levels from 29 on.
    #[serde(rename = "29+")]
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
#[derive(Clone, PartialEq, Debug, Serialize)]
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

/// What became of the points that a part of a game could make, up to the stop of its forecasts: expected − lost + luck = made + left.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Balance {
    /// The level of the stop: 29, or a later one ([`stop_level`]).
    pub to_level: u16,
    /// The line points that were to be expected before the first placement.
    pub expected: f32,
    /// What all placements lost.
    pub lost: f32,
    /// What the pieces gave, and what the forecasts did not know: the rest of the sum.
    pub luck: f32,
    /// The line points that were made.
    pub made: f32,
    /// The line points that are still to be expected after the last placement; 0 at the stop and after a top-out.
    pub left: f32,
}

/// What one placement made, and what luck gave after it. Both add up to those of a [`Balance`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PieceBalance {
    /// The line points that the placement made.
    pub made: f32,
    /// By how much the forecast rose from after the placement to before the next one, or to the end: what the pieces gave, and what
    /// the forecast did not know; and by how much a loss that games played on have changed is more than its forecast. `None` where the
    /// stop moves with the game, in games that start from level 29 on.
    pub luck: Option<f32>,
}

/// Returns the balances of a game: up to level 29, and from there on up to each later stop. A part whose stop moves with the game has
/// none.
pub fn balances(judged: &[JudgedPiece]) -> Vec<Balance> {
    parts(judged).filter_map(balance).collect()
}

/// Returns what each placement made, and what luck gave after it.
pub fn by_piece(judged: &[JudgedPiece]) -> Vec<PieceBalance> {
    let of_part = |part: &[JudgedPiece]| {
        let left = balance(part).map(|balance| balance.left);
        let next = part.iter().skip(1).map(|next| Some(next.judgement.best.points)).chain([left]);
        let one = |(judged, next): (&JudgedPiece, Option<f32>)| {
            let (_, made) = paid(judged);
            let Judgement { best, loss, .. } = &judged.judgement;
            let luck = left.and(next).map(|next| made + next - best.points + loss);
            PieceBalance { made, luck }
        };
        part.iter().zip(next).map(one).collect::<Vec<_>>()
    };
    parts(judged).flat_map(of_part).collect()
}

/// The parts of a game with one stop each.
fn parts(judged: &[JudgedPiece]) -> impl Iterator<Item = &[JudgedPiece]> {
    let stop = |judged: &JudgedPiece| stop_level(judged.placed.progress.level);
    judged.chunk_by(move |a, b| stop(a) == stop(b))
}

/// The rows that a placement clears, and what they pay.
pub(super) fn paid(judged: &JudgedPiece) -> (u8, f32) {
    let Placement { x, y, orientation: id } = judged.placed.placement;
    let rows = { judged.placed.board }.lock(x, y, id);
    let mut after = judged.placed.progress;
    after.add_rows(rows);
    (rows, line_points(rows, after.level) as f32)
}

/// The balance of a part with one stop, or `None` if the stop moves with the game.
fn balance(judged: &[JudgedPiece]) -> Option<Balance> {
    let (first, last) = (judged.first()?, judged.last()?);
    let (from, mut after) = (first.placed.progress, last.placed.progress);
    let to_level = stop_level(from.level);
    let mut at_stop = from;
    (0..Outlook::all_tetrises(from).0).for_each(|_| at_stop.add_rows(1));
    if u16::from(at_stop.level) < to_level {
        return None;
    }
    let (rows, points) = paid(last);
    after.add_rows(rows);
    let has_place = |piece: Piece| {
        let Start { x, y, orientation: id, .. } = Start::spawn(piece, after.level);
        last.judgement.verdict.board_after.is_valid(x, y, id)
    };
    let is_over = u16::from(after.level) >= to_level || last.placed.next.is_some_and(|next| !has_place(next));
    let left = if is_over { 0.0 } else { (last.judgement.verdict.points - points).max(0.0) };
    let expected = first.judgement.best.points;
    let lost = judged.iter().map(|judged| judged.judgement.loss).sum();
    let made = judged.iter().map(|judged| paid(judged).1).sum();
    Some(Balance { to_level, expected, lost, luck: made + left - expected + lost, made, left })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_in_one_phase_and_in_the_whole_game() {
        assert!((0..=255).all(|level| GamePhase::ALL.iter().filter(|phase| phase.has(level)).count() == 2));
    }
}
