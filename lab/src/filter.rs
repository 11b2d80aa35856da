//! The filters that experiments hold players to: [`LockRule`], and the [`Picture`] that one of them builds.

use std::cmp::Ordering;

use thiserror::Error;

use maxout_engine::movegen::{Filter, Likeness};
use maxout_rules::{Board, Placement};

/// A full row.
const FULL: u16 = 0x3FF;
/// The well of [`LockRule::Well`]: the rightmost column.
const WELL: i8 = 9;
/// The tallest column that [`LockRule::Well`] minds; above that, height is more urgent.
const HIGH: i8 = 10;

/// A rule about where pieces may lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockRule {
    /// Nothing in the rightmost column but what completes four rows, while no column is higher than ten rows.
    Well,
    /// Builds this picture row by row from the bottom: nothing into a row that is done, and only wanted cells into the
    /// lowest that is not, unless it holds others already; complete, it goes. Above, everything.
    Pattern(Picture),
}

impl Filter for LockRule {
    fn sift(&self, board: &Board, placements: &mut Vec<Placement>) {
        match self {
            Self::Well => {
                if board.tops().iter().all(|top| 20 - top <= HIGH) {
                    placements.retain(|&placement| spares_the_well(board, placement));
                }
            }
            Self::Pattern(picture) => {
                let (work, wanted) = picture.work(board);
                placements.retain(|placement| {
                    placement.orientation.cells().iter().all(|&(dx, dy)| {
                        match (placement.y as i8 + dy).cmp(&work) {
                            Ordering::Less => true,
                            Ordering::Equal => wanted >> (placement.x as i8 + dx) & 1 == 1,
                            Ordering::Greater => false,
                        }
                    })
                });
            }
        }
    }

    fn likeness(&self, board: &Board) -> Option<Likeness> {
        match self {
            Self::Well => None,
            Self::Pattern(picture) => Some(picture.judge(board)),
        }
    }
}

fn spares_the_well(board: &Board, placement: Placement) -> bool {
    let mut after = *board;
    placement.orientation.cells().iter().all(|&(dx, _)| placement.x as i8 + dx != WELL)
        || after.lock(placement.x, placement.y, placement.orientation) == 4
}

/// Cells that must be solid; the others must be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Row 0 on top; bit c is column c.
    rows: [u16; 20],
}

/// Rows that are no picture.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PictureError {
    /// A row that vanishes as soon as it is built.
    #[error("row {0} of the picture is all black, expected a white cell in each: complete rows are cleared")]
    Complete(usize),
    /// Nothing to build.
    #[error("the picture is all white, expected black cells")]
    Empty,
}

impl Picture {
    /// The picture with these visible rows, row 0 on top, bit c for column c.
    pub fn new(rows: [u16; 20]) -> Result<Self, PictureError> {
        let rows = rows.map(|row| row & FULL);
        if let Some(row) = rows.iter().position(|&row| row == FULL) {
            return Err(PictureError::Complete(row));
        }
        if rows == [0; 20] { Err(PictureError::Empty) } else { Ok(Self { rows }) }
    }

    /// The visible rows, row 0 on top, bit c for column c.
    pub const fn rows(&self) -> &[u16; 20] {
        &self.rows
    }

    /// Compares `board` with the picture.
    pub fn judge(&self, board: &Board) -> Likeness {
        let mut likeness = Likeness::default();
        for (wanted, solid) in self.rows.iter().zip(board.visible()) {
            likeness.filled += (wanted & solid).count_ones();
            likeness.wanted += wanted.count_ones();
            likeness.stray += (solid & !wanted).count_ones();
        }
        likeness
    }

    /// The lowest row that is not as it should be, and what may come into it; above the picture, if all is done.
    fn work(&self, board: &Board) -> (i8, u16) {
        let top = self.rows.iter().position(|&wanted| wanted != 0).unwrap_or(20);
        let rows = (0..).zip(self.rows.iter().zip(board.visible())).skip(top);
        let wrong = rows.filter(|(_, (wanted, solid))| wanted != solid).last();
        wrong.map_or((top as i8 - 1, FULL), |(row, (&wanted, &solid))| {
            (row, if solid & !wanted == 0 { wanted } else { FULL })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::movegen::drops;
    use maxout_rules::{Orientation, Piece};

    fn sifted(filter: LockRule, art: &str, piece: Piece) -> (Vec<Placement>, Vec<Placement>) {
        let board: Board = art.parse().expect("art parses");
        let mut all = Vec::new();
        drops(&board, piece, &mut all);
        let mut left = all.clone();
        filter.sift(&board, &mut left);
        (all, left)
    }

    #[test]
    fn the_well_takes_an_i_piece_that_completes_four_rows_and_nothing_else() {
        let ready = "#########.\n".repeat(4);
        for piece in Piece::ALL {
            let (_, left) = sifted(LockRule::Well, &ready, piece);
            let touches = |placement: &Placement| {
                placement.orientation.cells().iter().any(|&(dx, _)| placement.x as i8 + dx == WELL)
            };
            let inside: Vec<_> = left.iter().filter(|placement| touches(placement)).collect();
            let upright = Placement { y: 18, orientation: Orientation::IVertical, x: 9 };
            assert_eq!(inside, if piece == Piece::I { vec![&upright] } else { vec![] }, "{piece}");
        }
    }

    #[test]
    fn a_high_stack_switches_the_well_off() {
        let column = "#.........\n";
        for (height, in_force) in [(10, true), (11, false)] {
            let (all, left) = sifted(LockRule::Well, &column.repeat(height), Piece::O);
            assert_eq!(left.len() < all.len(), in_force);
        }
    }

    fn picture(art: &str) -> Picture {
        let board: Board = art.parse().expect("art parses");
        Picture::new(*board.visible()).expect("a picture")
    }

    #[test]
    fn a_pattern_is_worked_at_row_by_row_from_the_bottom() {
        let filter = LockRule::Pattern(picture("##........\n##........\n####......"));
        let squares = |art: &str| {
            let columns = sifted(filter, art, Piece::O).1.into_iter().map(|placement| placement.x);
            columns.collect::<Vec<_>>()
        };
        // A square covers the column of its centre and the one to its left. The second row is not minded yet.
        assert_eq!(squares(".........."), [1, 2, 3]);
        assert_eq!(squares("##........"), [1, 2, 3]);
        // The bottom row is done: nothing beside it, and the second row takes its own two cells.
        assert_eq!(squares("####......"), [1]);
        assert_eq!(squares("##........\n##........\n####......"), [1, 2]);
        // A cell too much: the row may be completed, which clears it, but the one below stays.
        assert_eq!(squares("..#.......\n####......"), [1, 2, 3, 4]);
        assert_eq!(squares(".........#"), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn likeness_counts_what_is_filled_and_what_is_too_much() {
        let picture = picture("##........\n####......");
        let likeness = picture.judge(&"###.......".parse().expect("art parses"));
        assert_eq!(likeness, Likeness { filled: 3, wanted: 6, stray: 0 });
        assert_eq!(likeness.right(), 197);
        let stray = picture.judge(&"###.....#.".parse().expect("art parses"));
        assert_eq!(stray.right(), 196);
    }

    #[test]
    fn refuses_a_picture_that_would_clear_itself_and_one_without_cells() {
        let mut rows = [0; 20];
        assert_eq!(Picture::new(rows), Err(PictureError::Empty));
        rows[17] = 0x3FF;
        assert_eq!(Picture::new(rows), Err(PictureError::Complete(17)));
    }
}
