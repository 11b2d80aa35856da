//! Where a piece is: [`Placement`].

use std::fmt;
use std::ops::RangeInclusive;

use crate::{Board, Orientation, Piece};

/// A piece in its place: where it is in the air, or where it locks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Placement {
    /// Row of the centre.
    pub y: u8,
    /// How it is turned; its piece is [`Orientation::piece`].
    pub orientation: Orientation,
    /// Column of the centre.
    pub x: u8,
}

impl Placement {
    /// The columns that the piece takes, from 1 at the left.
    ///
    /// ```
    /// use maxout_rules::{Piece, Placement};
    /// let flat = Placement { x: 5, y: 19, orientation: Piece::I.spawn() };
    /// assert_eq!((flat.columns(), flat.row()), (4..=7, 1));
    /// assert_eq!(flat.to_string(), "columns 4-7, row 1, horizontal");
    /// ```
    pub fn columns(self) -> RangeInclusive<i16> {
        let columns = self.orientation.cells().map(|(dx, _)| i16::from(self.x) + i16::from(dx) + 1);
        columns.into_iter().min().unwrap_or(0)..=columns.into_iter().max().unwrap_or(0)
    }

    /// The row of the lowest cell, from 1 at the bottom of the board.
    pub fn row(self) -> i16 {
        let lowest = self.orientation.cells().iter().map(|&(_, dy)| i16::from(dy)).max().unwrap_or(0);
        20 - i16::from(self.y) - lowest
    }

    /// Whether it is on free cells of the board and can fall no further.
    pub fn rests_on(self, board: &Board) -> bool {
        let Self { y, orientation, x } = self;
        y < 20 && board.is_valid(x, y, orientation) && !board.is_valid(x, y + 1, orientation)
    }

    /// Whether `piece` fits there and can fall no further.
    pub fn can_rest(self, board: &Board, piece: Piece) -> bool {
        self.orientation.piece() == piece && self.rests_on(board)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, row) = (self.columns(), self.row());
        match (columns.start(), columns.end()) {
            (left, right) if left == right => write!(f, "column {left}, row {row}")?,
            (left, right) => write!(f, "columns {left}-{right}, row {row}")?,
        }
        match self.orientation.rotation() {
            "" => Ok(()),
            rotation => write!(f, ", {rotation}"),
        }
    }
}
