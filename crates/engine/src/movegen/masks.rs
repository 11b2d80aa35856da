//! Where a piece fits: for each row, the columns its centre may have, four orientations in one word.

use maxout_rules::{Board, Piece};

/// Rows of centre positions that matter: 0..=19, and row 20, where nothing fits.
pub(super) const ROWS: usize = 21;
/// The ten columns of one lane.
const TEN: u64 = 0x3FF;

/// A set of (orientation, column): lane `k` (16 bits) holds the columns of the piece's k-th orientation
/// clockwise. A piece with two orientations fills the lanes with both, twice; O uses lane 0 only.
pub(super) type Set = u64;

/// The positions where `piece` fits, by row of its centre.
pub(super) fn fits(board: &Board, piece: Piece) -> [Set; ROWS] {
    // Free cells of a row as a run of columns c: alone, with the right neighbour, with both neighbours.
    // Index 0 is row -2. The two rows below the floor are solid.
    let mut free = [0u64; 24];
    for (bits, row) in free.iter_mut().zip(board.rows()) {
        *bits = u64::from(!row) & TEN;
    }
    match piece {
        Piece::T => each_row(&free, |[_, a, b, c]| {
            let (b2, b3) = (pair(b), triple(b));
            lanes([b3 & a, a & b2 & c, b3 & c, a & left(b) & c])
        }),
        Piece::J => each_row(&free, |[_, a, b, c]| {
            let b3 = triple(b);
            // Left: foot at the lower left. Right: head at the upper right.
            lanes([a & b & left(c), b3 & a << 1, pair(a) & b & c, b3 & c >> 1])
        }),
        Piece::L => each_row(&free, |[_, a, b, c]| {
            let b3 = triple(b);
            lanes([a & b & pair(c), b3 & c << 1, left(a) & b & c, b3 & a >> 1])
        }),
        Piece::Z => each_row(&free, |[_, a, b, c]| twice(left(b) & pair(c), a >> 1 & pair(b) & c)),
        Piece::S => each_row(&free, |[_, a, b, c]| twice(pair(b) & left(c), a & pair(b) & c >> 1)),
        Piece::O => each_row(&free, |[_, _, b, c]| left(b) & left(c)),
        Piece::I => each_row(&free, |[z, a, b, c]| twice(z & a & b & c, triple(b) & b << 2)),
    }
}

/// Columns whose cell and right neighbour are free.
const fn pair(row: u64) -> u64 {
    row & row >> 1
}

/// Columns whose cell and left neighbour are free.
const fn left(row: u64) -> u64 {
    row & row << 1
}

/// Columns whose cell and both neighbours are free.
const fn triple(row: u64) -> u64 {
    row & row << 1 & row >> 1
}

/// Four orientations into their lanes.
const fn lanes(o: [u64; 4]) -> Set {
    o[0] & TEN | (o[1] & TEN) << 16 | (o[2] & TEN) << 32 | (o[3] & TEN) << 48
}

const fn twice(first: u64, second: u64) -> Set {
    lanes([first, second, first, second])
}

/// Applies `f` to the rows y-2, y-1, y, y+1 of every centre row y.
#[inline]
fn each_row(free: &[u64; 24], f: impl Fn([u64; 4]) -> Set) -> [Set; ROWS] {
    std::array::from_fn(|y| f([free[y], free[y + 1], free[y + 2], free[y + 3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_masks_are_the_validity_test_for_every_position() {
        let mut seed = 7u64;
        for _ in 0..if cfg!(miri) { 1 } else { 300 } {
            let rows = std::array::from_fn(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 40) as u16 & (seed >> 52) as u16
            });
            let board = Board::from_rows(rows);
            for piece in Piece::ALL {
                let sets = fits(&board, piece);
                for y in 0..ROWS as u8 {
                    for lane in 0..4 {
                        let turns = piece.orientations();
                        if piece == Piece::O && lane > 0 {
                            continue;
                        }
                        let id = piece.turned(lane % turns);
                        for x in 0..16 {
                            let got = sets[usize::from(y)] >> (16 * lane + x) & 1 == 1;
                            let want = x < 10 && y < 20 && board.is_valid(x, y, id);
                            assert_eq!(got, want, "{piece} {id:?} x {x} y {y}\n{board}");
                        }
                    }
                }
            }
        }
    }
}
