//! What `src/board.rs` promises.

use maxout_rules::*;

#[test]
fn a_drawn_board_prints_as_it_was_drawn() {
    let art = "..........\n".repeat(18) + "#...#....#\n#########.\n";
    let board: Board = art.parse().expect("art parses");
    assert_eq!(board.to_string(), art);
    assert_eq!(board.cells(), 12);
}

#[test]
fn completing_row_0_counts_twice_and_pushes_everything_down() {
    let mut rows = [0; 22];
    rows[2] = 0x3C7; // row 0, columns 3-5 open
    rows[3] = 0x001;
    rows[21] = 0x00F;
    let mut board = Board::from_rows(rows);
    // T down at (4, 0): row 0 columns 3-5, row 1 column 4.
    assert_eq!(board.lock(4, 0, maxout_rules::Orientation::TDown), 2);
    assert_eq!((board.row(0), board.row(1), board.row(2)), (0, 0, 0x011));
    assert_eq!(board.row(19), 0);
}
