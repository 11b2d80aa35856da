//! [`Packed`]: the visible rows, four to a word, and a placement on them that completes no row.

use maxout_rules::{Board, Orientation, Placement};

/// Bit 0 of each lane; times a row it is that row in each lane.
pub(super) const LANES: u64 = 0x0001_0001_0001_0001;
/// Rows of a word.
const ROWS: usize = 4;

/// Cells of each orientation with its centre in each column: rows -2 to 1 from the centre, one to a lane.
const CELLS: [[u64; 10]; 19] = {
    let mut cells = [[0; 10]; 19];
    let mut id = 0;
    while id < Orientation::ALL.len() {
        let shape = Orientation::ALL[id].cells();
        let mut x = 0;
        while x < 10 {
            let mut i = 0;
            while i < 4 {
                let (column, row) = (x as i8 + shape[i].0, shape[i].1 + 2);
                if 0 <= column && column < 10 {
                    cells[id][x] |= 1 << (16 * row + column);
                }
                i += 1;
            }
            x += 1;
        }
        id += 1;
    }
    cells
};

/// The visible rows of a board: five words of four lanes of 16 bits, top row first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    pub(super) words: [u64; 5],
}

impl Packed {
    /// The rows of `board`.
    #[inline]
    pub fn of(board: &Board) -> Self {
        let mut words = [0; 5];
        for (word, four) in words.iter_mut().zip(board.visible().as_chunks::<4>().0) {
            let [a, b, c, d] = four.map(u64::from);
            *word = a | b << 16 | c << 32 | d << 48;
        }
        Self { words }
    }

    /// The rows as a board has them.
    pub(super) fn rows(&self) -> [u16; 20] {
        std::array::from_fn(|row| (self.words[row / ROWS] >> (16 * (row % ROWS))) as u16)
    }

    /// These rows with a piece at `placement`, which must be valid; complete rows stay.
    #[inline]
    pub fn with(&self, placement: Placement) -> Self {
        let Placement { y, orientation: id, x } = placement;
        let cells = CELLS[id as usize][usize::from(x.min(9))];
        let mut words = self.words;
        if y < 2 {
            words[0] |= cells >> (16 * (2 - y));
        } else {
            let (first, lane) = (usize::from(y - 2) / ROWS, usize::from(y - 2) % ROWS);
            // 64 bits in two words, whatever the lane; the last word's overhang is below the floor.
            let first = first.min(ROWS);
            words[first] |= cells << (16 * lane);
            if first < ROWS {
                words[first + 1] |= cells >> 1 >> (63 - 16 * lane);
            }
        }
        Self { words }
    }

    /// Whether a row is complete.
    #[inline]
    pub fn has_full_row(&self) -> bool {
        // A full row and one make bit 10.
        self.words.iter().fold(0, |full, word| full | (word + LANES)) & (LANES << 10) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grids::{Dice, gapped};
    use crate::limits::Limits;
    use crate::movegen::{Start, placements};
    use maxout_rules::Piece;

    #[test]
    fn a_placement_is_what_the_board_makes_of_it() {
        let mut dice = Dice::new(5);
        let mut out = Vec::new();
        let (mut plain, mut clears) = (0, 0);
        for height in 0..22 {
            for _ in 0..20 {
                let board = gapped(&mut dice, height);
                let packed = Packed::of(&board);
                assert_eq!(packed.rows(), *board.visible());
                for piece in Piece::ALL {
                    placements(&board, &Start::spawn(piece, 18), Limits::EACH_BUTTON, &mut out);
                    for &placement in &out {
                        let mut after = board;
                        let lines = after.lock(placement.x, placement.y, placement.orientation);
                        let got = packed.with(placement);
                        assert_eq!(got.has_full_row(), lines > 0, "{placement:?}\n{board}");
                        if lines == 0 {
                            assert_eq!(got, Packed::of(&after), "{placement:?}\n{board}");
                        }
                        *if lines == 0 { &mut plain } else { &mut clears } += 1;
                    }
                }
            }
        }
        assert!(plain > 10_000 && clears > 1_000, "{plain} {clears}");
    }
}
