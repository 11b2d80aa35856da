//! Pierre Dellacherie's six features of one placement, with the weights and the readings of those who took them
//! over: [`Dellacherie`].
//!
//! The value is maximised; as a cost it is negative.

use super::parameters::{EL_TETRIS, SIX_TERMS, WHOLE_NUMBERS, WHOLE_NUMBERS_AS_CODED};
use super::wells::{cumulative_wells, open_wells};
use maxout_engine::eval::{Evaluator, Features, Placed};
use maxout_rules::{Board, Orientation};

/// What counts as a hole, and how wells add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// A gap counts once however tall; wells are walled on both sides all the way down.
    Gaps,
    /// Every empty cell with a solid one above; a well goes on downwards through any empty cell.
    Cells,
}

/// How high a piece has landed. Only differences matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LandingRow {
    /// The mean of its lowest and its highest cell.
    Middle,
    /// The mean of its lowest and its highest cell, rounded down.
    WholeMiddle,
    /// The mean of all its cells.
    CentreOfMass,
}

/// What is counted of the piece that completed rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eroded {
    /// The piece's cells in those rows, times the rows.
    Removed,
    /// The cells of the piece's place that are empty afterwards, times the rows, with a minus sign: a slip in a program,
    /// which punishes clearing.
    Emptied,
}

/// Six weights and how to read what they weigh.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dellacherie {
    /// The weights of landing height, eroded cells, row transitions, column transitions, holes and wells.
    pub weights: [f64; 6],
    /// How holes and wells are counted.
    pub reading: Reading,
    /// How the landing height is measured.
    pub landing: LandingRow,
    /// How eroded cells are counted.
    pub eroded: Eroded,
}

/// Landing heights and eroded cells of the pieces on the way, added up.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Landed {
    /// The sum of the landing heights.
    pub height: f64,
    /// The sum of the eroded cells.
    pub eroded: i32,
}

impl Dellacherie {
    /// P. Dellacherie's own weights, gaps as holes.
    pub const GAPS: Self = Self {
        weights: SIX_TERMS,
        reading: Reading::Gaps,
        landing: LandingRow::Middle,
        eroded: Eroded::Removed,
    };
    /// P. Dellacherie's own weights, covered cells as holes.
    pub const CELLS: Self = Self { reading: Reading::Cells, ..Self::GAPS };
    /// El-Tetris' weights; covered cells as holes.
    pub const EL_TETRIS: Self = Self { weights: EL_TETRIS, ..Self::CELLS };
    /// El-Tetris with the centre of mass, as the player of 40 combined actions has it.
    pub const MACRO_40: Self = Self { landing: LandingRow::CentreOfMass, ..Self::EL_TETRIS };
    /// `SimpleTetris` as its text says: ten times El-Tetris in whole numbers.
    pub const WHOLE: Self = Self { weights: WHOLE_NUMBERS, landing: LandingRow::WholeMiddle, ..Self::CELLS };
    /// `SimpleTetris` as its program computes: holes are read from a stale board and change nothing.
    pub const WHOLE_AS_CODED: Self =
        Self { weights: WHOLE_NUMBERS_AS_CODED, eroded: Eroded::Emptied, ..Self::WHOLE };

    /// Row transitions, column transitions, holes and wells of a board. All twenty rows count, an empty one two;
    /// the floor is solid and what is above the board empty, so an empty column counts one.
    pub fn features(&self, board: &Board) -> [u32; 4] {
        let features = Features::of(board);
        let rows = features.row_transitions + 2 * (20 - features.max_height);
        // Into each column's top, and into the floor unless the lowest cell is solid.
        let used = board.visible().iter().fold(0, |all, row| all | row);
        let floating = (used & !board.row(19)).count_ones();
        let columns = features.column_transitions + 10 + floating;
        let (holes, wells) = match self.reading {
            Reading::Gaps => (features.holes, cumulative_wells(board)),
            Reading::Cells => (features.column_heights - features.solid_cells, open_wells(board)),
        };
        [rows, columns, holes, wells]
    }

    /// The value of a board after pieces have landed on it; higher is better.
    ///
    /// ```
    /// use maxout_gallery::eval::{Dellacherie, Landed};
    /// use maxout_rules::Board;
    /// let value = Dellacherie::GAPS.value(&Board::EMPTY, Landed::default());
    /// // 20 rows of two transitions each, and ten columns of one.
    /// assert!((value + 50.0).abs() < 1e-9);
    /// ```
    pub fn value(&self, board: &Board, landed: Landed) -> f64 {
        let [rows, columns, holes, wells] = self.features(board).map(f64::from);
        let terms = [landed.height, f64::from(landed.eroded), rows, columns, holes, wells];
        self.weights.iter().zip(terms).map(|(weight, term)| weight * term).sum()
    }

    fn height(&self, y: u8, id: Orientation) -> f64 {
        let rows = id.cells().map(|(_, dy)| y as i8 + dy);
        let (highest, lowest) = rows.iter().fold((20, 0), |(a, b), &row| (row.min(a), row.max(b)));
        let ends = 40 - i32::from(highest) - i32::from(lowest);
        match self.landing {
            LandingRow::Middle => f64::from(ends) / 2.0,
            LandingRow::WholeMiddle => f64::from(ends / 2),
            LandingRow::CentreOfMass => 20.0 - rows.iter().map(|&row| f64::from(row)).sum::<f64>() / 4.0,
        }
    }

    fn eroded(&self, placed: &Placed<'_>) -> i32 {
        if placed.lines == 0 {
            return 0;
        }
        let cells = match self.eroded {
            Eroded::Removed => placed.cells_removed() as i32,
            Eroded::Emptied => {
                let cells = placed.placement.orientation.cells().iter();
                let (x, y) = (placed.placement.x as i8, placed.placement.y as i8);
                -(cells.filter(|&&(dx, dy)| !placed.after.is_solid(y + dy, x + dx)).count() as i32)
            }
        };
        cells * i32::from(placed.lines)
    }
}

impl Evaluator for Dellacherie {
    type Trail = Landed;

    fn follow(&self, trail: Landed, placed: &Placed<'_>) -> Landed {
        Landed {
            height: trail.height + self.height(placed.placement.y, placed.placement.orientation),
            eroded: trail.eroded + self.eroded(placed),
        }
    }

    fn cost(&self, board: &Board, trail: Landed) -> Option<f64> {
        Some(-self.value(board, trail))
    }
}
