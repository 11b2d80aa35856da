//! Which placements a search may choose from: [`Moves`]. Straight drops need no controller: [`drops`].

use super::reach::{InputRule, Placement, Start, placements};
use crate::game::{Board, Orientation, Piece};

/// What may be done with a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moves {
    /// Everything that this rule can steer to under gravity.
    Pad(InputRule),
    /// Of that, what a straight drop reaches too.
    StraightPad(InputRule),
    /// Straight drops from above the field, in every column and orientation; nothing falls before.
    Drops,
}

impl From<InputRule> for Moves {
    fn from(rule: InputRule) -> Self {
        Self::Pad(rule)
    }
}

impl Moves {
    /// Lists the placements of the piece at `start`; clears `out` before.
    pub fn list(self, board: &Board, start: &Start, out: &mut Vec<Placement>) {
        match self {
            Self::Pad(rule) => placements(board, start, rule, out),
            Self::StraightPad(rule) => {
                placements(board, start, rule, out);
                let tops = board.tops();
                out.retain(|placement| drop_row(&tops, placement.x, placement.id) == Some(placement.y));
            }
            Self::Drops => {
                out.clear();
                if let Some(piece) = start.id.piece() {
                    drops(board, piece, out);
                }
            }
        }
    }
}

/// Adds where `piece` comes to rest when it is dropped straight from above the field: orientations clockwise,
/// columns from the left. Where it would stick out at the top, it cannot be put.
///
/// ```
/// use maxout::game::{Board, Piece};
/// use maxout::movegen::drops;
/// let mut out = Vec::new();
/// drops(&Board::EMPTY, Piece::I, &mut out);
/// assert_eq!(out.len(), 10 + 7);
/// assert!(out.iter().all(|placement| placement.y >= 18));
/// ```
pub fn drops(board: &Board, piece: Piece, out: &mut Vec<Placement>) {
    let tops = board.tops();
    let first = piece.first_orientation();
    for id in (first..first + piece.orientations()).map(Orientation) {
        for x in 0..10 {
            if let Some(y) = drop_row(&tops, x, id) {
                out.push(Placement { y, id, x });
            }
        }
    }
}

/// Row of the centre of `id` dropped in column `x`; `None` if it does not fit there.
fn drop_row(tops: &[i8; 10], x: u8, id: Orientation) -> Option<u8> {
    let mut y = i8::MAX;
    let mut highest = 0;
    for &(dx, dy) in id.cells() {
        let top = tops.get(usize::try_from(x as i8 + dx).ok()?)?;
        y = y.min(top - 1 - dy);
        highest = highest.min(dy);
    }
    if y + highest >= 0 { u8::try_from(y).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_ends_where_the_piece_can_go_no_further_and_nowhere_else() {
        let mut seed = 3u64;
        for height in 0..19 {
            let mut rows = [0; 22];
            for row in &mut rows[22 - height..] {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *row = (seed >> 40) as u16;
            }
            let board = Board::from_rows(rows);
            for piece in Piece::ALL {
                let mut want = Vec::new();
                for turn in 0..piece.orientations() {
                    let id = Orientation(piece.first_orientation() + turn);
                    for x in 0..10 {
                        let fall = (0..20).take_while(|&y| board.is_valid(x, y, id)).last();
                        let inside = |y: u8| id.cells().iter().all(|&(_, dy)| y as i8 + dy >= 0);
                        // A piece that needs no room above begins below the top.
                        let begins = id.cells().iter().map(|&(_, dy)| -dy).max().unwrap_or(0).max(0) as u8;
                        let fits = (0..begins).all(|y| board.is_valid(x, y, id));
                        want.extend(fall.filter(|&y| fits && inside(y)).map(|y| Placement { y, id, x }));
                    }
                }
                let mut got = Vec::new();
                drops(&board, piece, &mut got);
                assert_eq!(got, want, "{piece}{board}");
            }
        }
    }

    #[test]
    fn what_is_straight_under_gravity_is_reachable_and_a_drop() {
        let board: Board = "##......##\n".repeat(12).parse().expect("art parses");
        let start = Start::spawn(Piece::T, 19);
        let (mut straight, mut all, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        Moves::StraightPad(InputRule::OnePerRow).list(&board, &start, &mut straight);
        Moves::Pad(InputRule::OnePerRow).list(&board, &start, &mut all);
        Moves::Drops.list(&board, &start, &mut dropped);
        let both = all.iter().copied().filter(|placement| dropped.contains(placement)).collect::<Vec<_>>();
        assert_eq!(straight, both);
        assert!(!straight.is_empty());
    }
}
