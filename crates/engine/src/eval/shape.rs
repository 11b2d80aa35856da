//! [`Shape`]: a board column by column, as the learned value looks at it, and how a placement changes it.

use maxout_rules::{Board, Placement};

/// Rows of the field.
const ROWS: u32 = 20;
/// The ground: solid below row 19.
const GROUND: u32 = !0 << ROWS;

/// The visible rows of a board by columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Bit r of a column is row r; the ground below row 19 is solid.
    pub columns: [u32; 10],
    /// Rows from the highest solid cell down to the floor.
    pub heights: [u8; 10],
    /// Empty cells below the highest solid one.
    pub holes: [u8; 10],
    /// Solid cells above the first hole; 0 without holes.
    pub cover: [u8; 10],
}

impl Shape {
    /// The shape of `board`.
    pub fn of(board: &Board) -> Self {
        let mut columns = [GROUND; 10];
        for (r, &row) in board.visible().iter().enumerate() {
            for (c, column) in columns.iter_mut().enumerate() {
                *column |= u32::from(row >> c & 1) << r;
            }
        }
        let mut shape = Self { columns, heights: [0; 10], holes: [0; 10], cover: [0; 10] };
        for column in 0..10 {
            shape.measure(column);
        }
        shape
    }

    /// Holes of all columns.
    #[inline]
    pub fn all_holes(&self) -> u8 {
        self.holes.iter().sum()
    }

    /// Solid cells.
    #[inline]
    pub fn cells(&self) -> u32 {
        self.heights.iter().zip(&self.holes).map(|(&h, &o)| u32::from(h) - u32::from(o)).sum()
    }

    /// This shape with a piece locked at `placement` that completed no line.
    #[inline]
    pub fn with(&self, placement: Placement) -> Self {
        let mut shape = *self;
        for &(dx, dy) in placement.orientation.cells() {
            let row = placement.y as i8 + dy;
            if row >= 0 {
                shape.columns[(placement.x as i8 + dx) as usize] |= 1 << row;
            }
        }
        for &(dx, _) in placement.orientation.cells() {
            shape.measure((placement.x as i8 + dx) as usize);
        }
        shape
    }

    /// Heights, holes and cover of a column from its cells.
    #[inline]
    fn measure(&mut self, column: usize) {
        let top = self.columns[column].trailing_zeros();
        let height = ROWS - top;
        let body = self.columns[column] >> top;
        self.heights[column] = height as u8;
        let solid = (1 << height) - 1;
        if body & solid == solid {
            (self.holes[column], self.cover[column]) = (0, 0);
        } else {
            self.holes[column] = (height - (body & solid).count_ones()) as u8;
            self.cover[column] = body.trailing_ones() as u8;
        }
    }
}
