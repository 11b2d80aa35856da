//! The board on a picture of the whole screen, whoever made the picture: [`board_on_screen`].

use thiserror::Error;

use maxout_rules::{Board, Orientation, Piece};

/// The size of the screen, in pixels.
const SCREEN: (u32, u32) = (256, 240);
/// The upper left corner of the field on the screen.
const FIELD: (u32, u32) = (96, 40);
/// The width and height of a cell.
const CELL: u32 = 8;
/// The largest factor by which a picture may be scaled.
const MOST: u32 = 16;
/// A pixel is dark if none of its colours is brighter than this. Pictures that were packed with losses are not quite
/// black where they should be.
const DARK: u8 = 40;

/// The error that a picture is not one of the whole screen.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "the picture has {0} x {1} pixels, expected the whole screen: 256 x 240, or a multiple of it up to 4096 x 3840"
)]
pub struct ScreenSizeError(pub u32, pub u32);

/// Returns how many times as large as the screen a picture is.
pub fn screen_scale(width: u32, height: u32) -> Result<u32, ScreenSizeError> {
    let scale = width / SCREEN.0;
    let whole = (1..=MOST).contains(&scale) && (width, height) == (SCREEN.0 * scale, SCREEN.1 * scale);
    whole.then_some(scale).ok_or(ScreenSizeError(width, height))
}

/// Returns whether a pixel of these colours (without its opacity) is brighter than the background.
pub fn is_bright(colours: &[u8]) -> bool {
    colours.iter().any(|&colour| colour > DARK)
}

/// Reads the board from a picture of the whole screen. `bright` says whether the pixel at a column and row is brighter
/// than the background. A cell is solid if the middle of it is.
pub fn board_on_screen(
    width: u32,
    height: u32,
    bright: impl Fn(u32, u32) -> bool,
) -> Result<Board, ScreenSizeError> {
    let scale = screen_scale(width, height)?;
    // Blocks are seven pixels wide and high, from the cell's corner.
    let middle = |corner: u32, cell: u32| (corner + cell * CELL + CELL / 2) * scale - scale / 2;
    let mut rows = [0; 22];
    for (row, bits) in (0..20).zip(&mut rows[2..]) {
        for column in 0..10 {
            *bits |= u16::from(bright(middle(FIELD.0, column), middle(FIELD.1, row))) << column;
        }
    }
    Ok(Board::from_rows(rows))
}

/// Returns the cells that hang together with the lowest row, by way of cells that touch.
pub fn resting(board: &Board) -> [u16; 22] {
    let rows = board.rows();
    let mut rest = [0; 22];
    rest[21] = rows[21];
    loop {
        let before = rest;
        for row in 0..22 {
            let above = if row > 0 { rest[row - 1] } else { 0 };
            let below = if row < 21 { rest[row + 1] } else { 0 };
            rest[row] |= rows[row] & (above | below | rest[row] << 1 | rest[row] >> 1);
        }
        if rest == before {
            return rest;
        }
    }
}

/// Returns the board without four floating cells that together are `piece`: the piece in the air of a picture.
pub fn without_piece(board: Board, piece: Piece) -> Board {
    let rest = resting(&board);
    let mut floating = *board.rows();
    floating.iter_mut().zip(rest).for_each(|(row, rest)| *row &= !rest);
    let floating = Board::from_rows(floating);
    let first = piece.first_orientation();
    let mut places = (first..first + piece.orientations())
        .flat_map(|id| (0..20_i8).flat_map(move |y| (0..10_i8).map(move |x| (Orientation(id), x, y))));
    let is_it = |&(id, x, y): &(Orientation, i8, i8)| {
        floating.cells() == 4 && id.cells().iter().all(|&(dx, dy)| floating.is_solid(y + dy, x + dx))
    };
    // A piece that sticks out at the top shows fewer cells; it is left where it is.
    if places.any(|place| is_it(&place)) { Board::from_rows(rest) } else { board }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_piece_in_the_air_is_taken_out_of_a_picture() {
        let board: Board =
            "...TTT....\n....T.....\n..........\n####......".replace('T', "#").parse().expect("art");
        let rest: Board = "####......".parse().expect("art");
        assert_eq!(without_piece(board, Piece::T), rest);
        assert_eq!(without_piece(board, Piece::J), board);
    }

    #[test]
    fn only_pictures_of_the_whole_screen_are_read() {
        let lit = |x: u32, y: u32| x / 2 == 99 && y / 2 == 195;
        let board = board_on_screen(512, 480, lit).expect("twice the screen");
        assert_eq!((board.cells(), board.is_solid(19, 0)), (1, true));
        for (width, height) in [(0, 0), (256, 224), (512, 240), (4352, 4080)] {
            assert_eq!(board_on_screen(width, height, lit), Err(ScreenSizeError(width, height)));
        }
    }
}
