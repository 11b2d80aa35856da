//! The 2014 bot's evaluation: six terms, a minimised sum.
//!
//! Source: meatfighter, "Applying Artificial Intelligence to Nintendo Tetris" (2014).

use super::meatfighter::LockTrail;
use super::parameters::WEIGHTS_2014;
use super::wells::walled_tops;
use maxout_engine::eval::{Evaluator, Features, Placed};
use maxout_rules::Board;

/// Which cells are well cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wells {
    /// The empty ones above a column's top, as the text says.
    Text,
    /// The top cell too, as the program counts.
    Coded,
}

/// The evaluator.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meatfighter2014 {
    /// In the order of [`WEIGHTS_2014`].
    pub weights: [f64; 6],
    /// What a well cell is.
    pub wells: Wells,
}

impl Meatfighter2014 {
    /// As the text defines it.
    pub const TEXT: Self = Self { weights: WEIGHTS_2014, wells: Wells::Text };
    /// As the program computes it.
    pub const CODED: Self = Self { wells: Wells::Coded, ..Self::TEXT };

    /// The six terms of a board reached by `locks`.
    pub fn terms(&self, board: &Board, locks: LockTrail) -> [u32; 6] {
        let features = Features::of(board);
        let extra = match self.wells {
            Wells::Text => 0,
            Wells::Coded => walled_tops(board),
        };
        [
            locks.lines,
            locks.heights,
            features.well_cells + extra,
            features.holes,
            features.column_transitions,
            features.row_transitions,
        ]
    }
}

impl Evaluator for Meatfighter2014 {
    type Trail = LockTrail;

    fn follow(&self, trail: LockTrail, placed: &Placed<'_>) -> LockTrail {
        trail.and(placed.placement.y, placed.placement.orientation, placed.lines)
    }

    fn cost(&self, board: &Board, trail: LockTrail) -> Option<f64> {
        let terms = self.terms(board, trail);
        Some(self.weights.iter().zip(terms).map(|(weight, term)| weight * f64::from(term)).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grids::{Dice, bits};

    /// Well cells as the program counts: up from each column's top, or from row 19 if it is empty.
    fn coded_wells(board: &Board) -> u32 {
        let solid = |row: i8, column: i8| !(0..10).contains(&column) || board.is_solid(row, column);
        let mut count = 0;
        for column in 0..10 {
            let top = board.tops()[column as usize].min(19);
            count += (0..=top).filter(|&row| solid(row, column - 1) && solid(row, column + 1)).count() as u32;
        }
        count
    }

    #[test]
    fn coded_wells_are_those_of_the_program_s_loop() {
        let mut dice = Dice::new(5);
        for round in 0..10_000 {
            let board = bits(&mut dice, round % 21, 1);
            let terms = Meatfighter2014::CODED.terms(&board, LockTrail::default());
            assert_eq!(terms[2], coded_wells(&board), "{board}");
        }
    }
}
