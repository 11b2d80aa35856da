//! How boards, placements and games are written as actions and as cells of arrays.

use maxout_rules::{Board, Game, Piece, Placement};

/// The cells of a board: 20 rows of 10, the top row first.
pub(crate) const CELLS: usize = 200;
/// The number of actions: 4 turns of a piece, 20 rows and 10 columns of its centre.
pub(crate) const ACTIONS: usize = 800;
/// The number of pieces, which is the length of a one-hot piece.
pub(crate) const PIECES: usize = 7;

/// The ten cells of each row of bits.
static ROWS: [[u8; 10]; 1024] = {
    let mut rows = [[0; 10]; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let mut column = 0;
        while column < 10 {
            rows[bits][column] = (bits >> column & 1) as u8;
            column += 1;
        }
        bits += 1;
    }
    rows
};

/// The action of a placement: turn of the piece × 200 + row × 10 + column.
pub(crate) fn action(placement: Placement) -> usize {
    let Placement { y, orientation: id, x } = placement;
    let turn = id.id() - id.piece().first_orientation();
    usize::from(turn) * CELLS + usize::from(y) * 10 + usize::from(x)
}

/// Writes the visible cells of `board`.
pub(crate) fn write_board(board: &Board, cells: &mut [u8]) {
    for (row, cells) in board.visible().iter().zip(cells.chunks_exact_mut(10)) {
        cells.copy_from_slice(&ROWS[usize::from(*row & 0x3FF)]);
    }
}

/// Writes the visible cells of `game`: 1 for a locked one, 2 for the piece in the air.
pub(crate) fn write_game(game: &Game, cells: &mut [u8]) {
    for (row, cells) in (0..20).zip(cells.chunks_exact_mut(10)) {
        cells.copy_from_slice(&ROWS[usize::from(game.page.row(row))]);
    }
    if let Some(piece) = game.placement() {
        write_piece(piece, 2, cells);
    }
}

/// Writes `value` to the cells of a piece, as far as they are in the field.
pub(crate) fn write_piece(piece: Placement, value: u8, cells: &mut [u8]) {
    for &(dx, dy) in piece.orientation.cells() {
        let (row, column) = ((piece.y as i8).wrapping_add(dy), (piece.x as i8).wrapping_add(dx));
        if (0..20).contains(&row) && (0..10).contains(&column) {
            cells[row as usize * 10 + column as usize] = value;
        }
    }
}

/// Writes a piece one-hot; all is zero without a piece.
pub(crate) fn write_one_hot(piece: Option<Piece>, out: &mut [u8]) {
    let piece = piece.map(|piece| piece as usize);
    for (index, out) in out.iter_mut().enumerate() {
        *out = u8::from(piece == Some(index));
    }
}
