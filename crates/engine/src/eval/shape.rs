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

    /// Whether the open column is the right one: at least this number of rows more wait for a cell there than for one in the left column.
    ///
    /// The players keep the left column open, so their values know little of such boards, but all about the mirrored ones. The board is
    /// symmetric, and so are the pieces, J with L and S with Z. Only pieces begin beside the middle, which costs a tap more on one side.
    #[inline]
    pub(crate) fn opens_right(&self, more: u32) -> bool {
        let [left, between @ .., right] = &self.columns;
        let between = between.iter().fold(!GROUND, |all, column| all & column);
        let rows = |solid: &u32, open: &u32| (between & solid & !open).count_ones();
        rows(left, right) >= rows(right, left) + more
    }

    /// This shape in a mirror: its left column is the right one.
    #[inline]
    pub fn mirrored(&self) -> Self {
        let mut shape = *self;
        shape.columns.reverse();
        shape.heights.reverse();
        shape.holes.reverse();
        shape.cover.reverse();
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

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::random::Dice;

    /// A board of some rows that are full but for one column, and some that are anything.
    fn board(dice: &mut Dice) -> Board {
        let full = |column: usize| 0x3ff & !(1 << column);
        let mut rows = [0; 22];
        for row in &mut rows[22 - dice.below(20)..] {
            *row = match dice.below(5) {
                0 => full(dice.below(10)),
                1 => dice.below(0x3ff) as u16,
                2 => full(0),
                _ => full(9),
            };
        }
        Board::from_rows(rows)
    }

    #[test]
    fn the_right_column_is_open_if_four_more_rows_wait_for_it_than_for_the_left_one() {
        let (mut dice, mut found) = (Dice::new(8), [0; 2]);
        for _ in 0..2_000 {
            let board = board(&mut dice);
            let waiting = |row: &str| board.to_string().lines().filter(|line| *line == row).count();
            let opens = waiting("#########.") >= waiting(".#########") + 4;
            assert_eq!(Shape::of(&board).opens_right(4), opens, "{board}");
            found[usize::from(opens)] += 1;
        }
        assert!(found.iter().all(|&found| found > 500), "{found:?}");
    }

    #[test]
    fn a_shape_in_a_mirror_is_that_of_the_board_in_a_mirror() {
        let mut dice = Dice::new(9);
        for _ in 0..500 {
            let board = board(&mut dice);
            let shape = Shape::of(&board);
            assert_eq!(shape.mirrored(), Shape::of(&board.mirrored()), "{board}");
            assert!(!(shape.opens_right(1) && shape.mirrored().opens_right(1)));
        }
    }
}
