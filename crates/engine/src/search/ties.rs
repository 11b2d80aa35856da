//! Tie-breaks: which of several placements of equal value is taken ([`Ties`]).

use std::iter::{once, successors};

use crate::movegen::Start;
use maxout_rules::random::Dice;
use maxout_rules::{Board, Placement};

/// A tie-break: the rule that chooses between placements of equal value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The first in the order of the moves.
    First,
    /// The first by column of the leftmost cell, then by turns clockwise.
    Leftmost,
    /// P. Dellacherie's priority: 100 for each column away from the spawn, 10 more on the left side, 1 for each
    /// rotation; the highest wins.
    Priority,
    /// A coin. Placements are compared by turns, then by columns, and at each tie the coin decides whether the later
    /// one replaces the earlier. The coin depends on this seed and on the board, so a game repeats.
    Coin(u64),
}

impl Ties {
    /// Sorts the placements for comparison.
    pub(super) fn arrange(self, start: &Start, placements: &mut [Placement]) {
        match self {
            // Good placements come late in the order of the moves, and one that is worse than the best so far costs
            // less.
            Self::First => placements.reverse(),
            Self::Priority => {}
            Self::Leftmost => placements.sort_by_key(|p| (leftmost(*p), turns(start, *p), p.y)),
            Self::Coin(_) => placements.sort_by_key(|p| (turns(start, *p), leftmost(*p), p.y)),
        }
    }

    /// Returns what compares the placements of one decision.
    pub(super) fn judge(self, board: &Board, start: &Start) -> Judge {
        let dice = if let Self::Coin(seed) = self {
            let rows = board.rows().iter().map(|&row| u64::from(row));
            Dice::of(once(seed ^ u64::from(start.orientation.id())).chain(rows))
        } else {
            Dice::from_state(0)
        };
        Judge { ties: self, start: *start, dice }
    }
}

/// Compares pairs of value and placement in one decision.
pub(super) struct Judge {
    ties: Ties,
    start: Start,
    /// The coins of this decision; only [`Ties::Coin`] throws them.
    dice: Dice,
}

impl Judge {
    /// Whether to take `newer` instead of `older`; lower values are better.
    #[inline]
    pub fn prefers(&mut self, newer: (f64, Placement), older: (f64, Placement)) -> bool {
        newer.0 < older.0 || newer.0.total_cmp(&older.0).is_eq() && self.breaks_tie(newer.1, older.1)
    }

    fn breaks_tie(&mut self, newer: Placement, older: Placement) -> bool {
        match self.ties {
            Ties::First => true,
            Ties::Leftmost => false,
            Ties::Priority => priority(&self.start, newer) > priority(&self.start, older),
            Ties::Coin(_) => self.dice.coin(),
        }
    }
}

fn leftmost(placement: Placement) -> i8 {
    placement.orientation.cells().iter().map(|&(dx, _)| placement.x as i8 + dx).min().unwrap_or(0)
}

/// Turns clockwise from the piece's orientation at `start`.
fn turns(start: &Start, placement: Placement) -> u8 {
    let mut turned = successors(Some(start.orientation), |id| Some(id.clockwise())).take(4);
    turned.position(|id| id == placement.orientation).unwrap_or(0) as u8
}

/// Rotations are counted as presses, of the button that needs fewer.
fn priority(start: &Start, placement: Placement) -> u32 {
    let columns = u32::from(placement.x.abs_diff(start.x));
    let left = if placement.x < start.x { 10 } else { 0 };
    let presses = [0, 1, 2, 1][usize::from(turns(start, placement))];
    100 * columns + left + presses
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Piece;

    fn at(x: u8, turns: u8, piece: Piece) -> Placement {
        Placement { y: 18, orientation: piece.turned(turns), x }
    }

    #[test]
    fn priority_likes_long_ways_then_the_left_then_rotations() {
        let start = Start::spawn(Piece::T, 19);
        let mut judge = Ties::Priority.judge(&Board::EMPTY, &start);
        let mut beats = |a: Placement, b: Placement| judge.prefers((1.0, a), (1.0, b));
        assert!(beats(at(9, 2, Piece::T), at(2, 2, Piece::T)), "four columns beat three");
        assert!(beats(at(3, 2, Piece::T), at(7, 2, Piece::T)), "left beats right");
        assert!(beats(at(3, 0, Piece::T), at(3, 3, Piece::T)), "two presses beat one");
        assert!(!beats(at(7, 0, Piece::T), at(3, 2, Piece::T)), "the side beats the rotations");
        assert!(!beats(at(3, 2, Piece::T), at(3, 2, Piece::T)), "no placement replaces its equal");
    }

    #[test]
    fn coins_fall_the_same_way_again_and_both_ways_in_the_long_run() {
        let start = Start::spawn(Piece::S, 19);
        let throw = |seed: u64| {
            let mut judge = Ties::Coin(seed).judge(&Board::EMPTY, &start);
            (0..64)
                .map(|_| judge.prefers((0.0, at(1, 0, Piece::S)), (0.0, at(2, 0, Piece::S))))
                .collect::<Vec<_>>()
        };
        assert_eq!(throw(1), throw(1));
        assert_ne!(throw(1), throw(2));
        let heads = throw(3).into_iter().filter(|&heads| heads).count();
        assert!((16..48).contains(&heads), "{heads}");
    }
}
