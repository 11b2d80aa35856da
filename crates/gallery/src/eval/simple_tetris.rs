//! The three hand-made evaluations of `SimpleTetris` for two pieces: [`SimpleTetris`].
//!
//! The value is maximised; as a cost it is negative. Rows count from the top, so a lower board has a larger one.

use maxout_engine::eval::{Evaluator, Features, Placed};
use maxout_rules::Board;

/// One of the three.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimpleTetris {
    /// Rows cleared and the max height.
    A,
    /// As [`SimpleTetris::A`], and the holes.
    B,
    /// As [`SimpleTetris::B`], and the surface.
    C,
}

/// Rows that the pieces on the way have cleared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cleared {
    /// Pieces so far.
    pub pieces: u32,
    /// Twice the rows of the first and once those of the others.
    pub rows: i32,
}

impl SimpleTetris {
    /// The value of a board, `cleared` on the way to it; higher is better.
    pub fn value(self, board: &Board, cleared: Cleared) -> i32 {
        let features = Features::of(board);
        let top = 20 - features.max_height as i32;
        let holes = (features.column_heights - features.solid_cells) as i32;
        match self {
            // The first blank row above all columns.
            Self::A => top - 1 + 2 * cleared.rows,
            Self::B => 25 * top - 5 * holes + cleared.rows,
            Self::C => 19 * top + surface(board) + cleared.rows - 7 * holes,
        }
    }
}

/// Mean height, pits, mountains and steps, as the program weighs them.
fn surface(board: &Board) -> i32 {
    let tops = board.tops().map(i32::from);
    let mean = tops.iter().sum::<i32>() / 19;
    // The first column is compared with row 0, so it is praised for being high.
    let mut steps = tops[0];
    steps += tops.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum::<i32>();
    let (mut pits, mut mountains) = (0, 0);
    for column in 0..10 {
        // Walls are higher than anything.
        let left = if column == 0 { -2 } else { tops[column - 1] };
        let right = tops.get(column + 1).copied().unwrap_or(-2);
        pits += i32::from(tops[column] >= left + 2 && tops[column] >= right + 2);
        mountains += i32::from(tops[column] + 2 <= left && tops[column] + 2 <= right);
    }
    15 * mean - 4 * pits - 2 * mountains - steps
}

impl Evaluator for SimpleTetris {
    type Trail = Cleared;

    fn follow(&self, trail: Cleared, placed: &Placed<'_>) -> Cleared {
        let weight = if trail.pieces == 0 { 2 } else { 1 };
        Cleared { pieces: trail.pieces + 1, rows: trail.rows + weight * i32::from(placed.lines) }
    }

    fn cost(&self, board: &Board, trail: Cleared) -> Option<f64> {
        Some(f64::from(-self.value(board, trail)))
    }
}
