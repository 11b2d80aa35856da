//! [`Board`]: the field as a search sees it, 22 rows of bits, and what a lock does to it.

use std::fmt;

use super::page::Page;
use super::piece::PieceId;

/// A full row.
const FULL: u16 = 0x3FF;

/// The solid cells of rows -2 to 19. Bit c of a row is column c.
///
/// Unlike [`Page`], a board has no colours, and it forgets what the row-0 quirk pushes below row 19. If that has
/// happened four times or more, a board made from the page may differ from the machine in row -2.
///
/// ```
/// use maxout_rules::Board;
/// let board: Board = "#########.".parse().unwrap();
/// assert_eq!(board.row(19), 0b01_1111_1111);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Board {
    /// The rows; row r is at index r + 2.
    rows: [u16; 22],
}

impl Board {
    /// The board without a solid cell.
    pub const EMPTY: Self = Self { rows: [0; 22] };

    /// Makes a board from its 22 rows, row -2 first. Bits above 9 are dropped.
    #[inline]
    pub fn from_rows(rows: [u16; 22]) -> Self {
        Self { rows: rows.map(|row| row & FULL) }
    }

    /// Returns a row, which is -2 to 19.
    #[inline]
    pub const fn row(&self, row: i8) -> u16 {
        self.rows[(row + 2) as usize]
    }

    /// Returns all 22 rows, row -2 first.
    #[inline]
    pub const fn rows(&self) -> &[u16; 22] {
        &self.rows
    }

    /// Returns the twenty visible rows, the top one first.
    #[inline]
    pub fn visible(&self) -> &[u16; 20] {
        let [_, _, visible @ ..] = &self.rows;
        visible
    }

    /// Whether the cell is solid. It is false outside the board.
    #[inline]
    pub fn is_solid(&self, row: i8, column: i8) -> bool {
        (-2..20).contains(&row) && (0..10).contains(&column) && self.row(row) >> column & 1 == 1
    }

    /// Returns the row of each column's highest visible solid cell, or 20 for an empty column.
    #[inline]
    pub fn tops(&self) -> [i8; 10] {
        let mut tops = [20; 10];
        let mut covered = 0;
        for (row, &bits) in (0..).zip(self.visible()) {
            let mut new = bits & !covered;
            covered |= bits;
            while new != 0 {
                tops[new.trailing_zeros() as usize] = row;
                new &= new - 1;
            }
        }
        tops
    }

    /// Whether `id` at (x, y) lies inside the board on free cells (the-game.md 2.2).
    #[inline]
    pub fn is_valid(&self, x: u8, y: u8, id: impl Into<PieceId>) -> bool {
        id.into().cells().iter().all(|&(dx, dy)| {
            let (row, column) = ((y as i8).wrapping_add(dy), (x as i8).wrapping_add(dx));
            (-2..20).contains(&row) && (0..10).contains(&column) && !self.is_solid(row, column)
        })
    }

    /// Locks `id` at (x, y), which must be valid, and clears the rows that it completes. Returns the number of lines as
    /// the game counts them, at most 4: a completed row 0 counts twice (the-game.md 2.5).
    #[inline]
    pub fn lock(&mut self, x: u8, y: u8, id: impl Into<PieceId>) -> u8 {
        for &(dx, dy) in id.into().cells() {
            self.rows[(y as i8 + dy + 2) as usize] |= 1 << (x as i8 + dx);
        }
        let top = usize::from(y.saturating_sub(2));
        let mut lines = 0;
        for row in top..(top + 4).min(20) {
            if self.rows[row + 2] == FULL {
                lines += 1;
                self.clear_row(row);
            }
        }
        lines
    }

    #[inline]
    fn clear_row(&mut self, row: usize) {
        if row == 0 {
            // The quirk: everything moves down by one, row -2 into row -1, row 19 out of play.
            self.rows.copy_within(2..21, 3);
            self.rows[1] = self.rows[0];
            self.rows[0] = 0;
        } else {
            self.rows.copy_within(2..row + 2, 3);
        }
        self.rows[2] = 0;
    }

    /// Returns the number of solid cells.
    #[inline]
    pub fn cells(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// Returns the board in a mirror: its left column is the right one.
    ///
    /// ```
    /// use maxout_rules::Board;
    /// let board: Board = "##.......#".parse().unwrap();
    /// assert_eq!(board.mirrored(), "#.......##".parse().unwrap());
    /// ```
    #[inline]
    pub fn mirrored(&self) -> Self {
        Self { rows: self.rows.map(|row| row.reverse_bits() >> 6) }
    }

    /// Returns the solid cells of `from`, and those that hang together with them, by way of cells that touch.
    pub fn connected(&self, from: &Self) -> Self {
        let mut found: [u16; 22] = std::array::from_fn(|row| self.rows[row] & from.rows[row]);
        loop {
            let before = found;
            for row in 0..22 {
                let above = if row > 0 { found[row - 1] } else { 0 };
                let below = if row < 21 { found[row + 1] } else { 0 };
                found[row] |= self.rows[row] & (above | below | found[row] << 1 | found[row] >> 1);
            }
            if found == before {
                return Self { rows: found };
            }
        }
    }

    /// Returns the cells that hang together with the lowest row. The others hang in the air.
    ///
    /// ```
    /// use maxout_rules::Board;
    /// let board: Board = "..##......\n##........".parse().unwrap();
    /// assert_eq!(board.resting(), "##........".parse().unwrap());
    /// ```
    pub fn resting(&self) -> Self {
        let mut lowest = [0; 22];
        lowest[21] = self.rows[21];
        self.connected(&Self { rows: lowest })
    }
}

impl From<&Page> for Board {
    fn from(page: &Page) -> Self {
        let mut rows = [0; 22];
        for (row, bits) in (-2..20).zip(&mut rows) {
            *bits = page.row(row);
        }
        Self { rows }
    }
}

impl fmt::Display for Board {
    /// Writes twenty lines of `.` and `#`, top row first. Rows above the field are written only if they hold something.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.rows[..2].iter().position(|&row| row != 0).unwrap_or(2);
        for bits in &self.rows[first..] {
            for column in 0..10 {
                f.write_str(if bits >> column & 1 == 1 { "#" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

impl serde::Serialize for Board {
    /// Writes the drawing.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Board {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let drawing = String::deserialize(deserializer)?;
        drawing.parse().map_err(serde::de::Error::custom)
    }
}
