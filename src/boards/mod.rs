//! Boards as people have them: drawn as text, as 200 digits, or as a picture of the screen ([`read`]); what is odd about
//! a board ([`oddities`]); and a board with a piece in it, drawn ([`draw`]).

mod picture;

use thiserror::Error;

use crate::words::count;
use maxout_engine::movegen::Placement;
use maxout_host::screenshot::{resting, without_piece};
use maxout_rules::{Board, ParseBoardError, Piece};

pub use picture::PictureBoardError;

/// Bytes that a file with a board may have.
pub const MAX_BYTES: u64 = 4 << 20;
/// Bytes that a drawn board may have.
const MAX_TEXT: usize = 64 << 10;

/// Why a file is no board.
#[derive(Debug, Error)]
pub enum BoardError {
    /// The text is too long.
    #[error("has more than {MAX_TEXT} bytes, expected a drawn board of at most that many")]
    TooLong,
    /// It is neither text nor a PNG.
    #[error("byte {0} is no UTF-8, expected a drawn board, 200 digits or a PNG picture")]
    NoText(usize),
    /// The drawing cannot be read.
    #[error(transparent)]
    Drawing(#[from] ParseBoardError),
    /// There are not 200 digits.
    #[error("has {0} digits, expected 200: ten columns of twenty rows, from the top left")]
    Digits(usize),
    /// The picture cannot be read.
    #[error(transparent)]
    Picture(#[from] PictureBoardError),
}

/// Reads a board: lines of `.` and `#`, 200 digits (0 is empty) from the top left with any spaces, or a PNG of the whole
/// screen. In a picture the piece in the air is left out if it is `piece`.
pub fn read(bytes: &[u8], piece: Piece) -> Result<Board, BoardError> {
    if bytes.starts_with(b"\x89PNG") {
        return Ok(without_piece(picture::read(bytes)?, piece));
    }
    if bytes.len() > MAX_TEXT {
        return Err(BoardError::TooLong);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| BoardError::NoText(error.valid_up_to()))?;
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    if text.trim().is_empty() || !letters.clone().all(|letter| letter.is_ascii_digit()) {
        return Ok(text.parse()?);
    }
    let digits: Vec<char> = letters.collect();
    if digits.len() != 200 {
        return Err(BoardError::Digits(digits.len()));
    }
    let mut rows = [0; 22];
    for (at, digit) in digits.iter().enumerate() {
        rows[2 + at / 10] |= u16::from(*digit != '0') << (at % 10);
    }
    Ok(Board::from_rows(rows))
}

/// Row and column of the four cells.
fn cells(x: u8, y: u8, id: maxout_rules::Orientation) -> impl Iterator<Item = (i8, i8)> {
    id.cells().iter().map(move |&(dx, dy)| (y as i8 + dy, x as i8 + dx))
}

/// Returns what is odd about a board, in words: full rows, cells that hang in the air, and numbers of cells that no game
/// has.
pub fn oddities(board: &Board) -> Vec<String> {
    let mut found = Vec::new();
    let full: Vec<String> =
        (0..20).filter(|&row| board.row(row) == 0x3FF).map(|row| row.to_string()).collect();
    if !full.is_empty() {
        found.push(format!("full rows ({}), which the game would have cleared", full.join(", ")));
    }
    let floating = board.cells() - resting(board).iter().map(|row| row.count_ones()).sum::<u32>();
    if floating > 0 {
        let (hang, them) = if floating == 1 { ("hangs", "it") } else { ("hang", "them") };
        let cells = count(floating, "cell");
        found.push(format!("{cells} {hang} in the air: no cell connects {them} with the lowest row"));
    }
    if board.cells() % 2 == 1 {
        // A piece brings four cells and a row takes ten.
        found.push(format!("{}, an odd number, which no game has", count(board.cells(), "cell")));
    }
    found
}

/// Draws a board with `#` for its cells and the piece's letter for a placement on it, from two rows above the highest
/// cell down.
pub fn draw(board: &Board, placement: Placement) -> String {
    let letter = placement.id.piece().map_or('?', Piece::letter);
    let piece: Vec<(i8, i8)> = cells(placement.x, placement.y, placement.id).collect();
    let used = |row: i8| board.row(row) != 0 || piece.iter().any(|&(of_piece, _)| of_piece == row);
    let top = (-2..20).find(|&row| used(row)).unwrap_or(19).saturating_sub(2).max(-2);
    let cell = |row: i8, column: i8| match (piece.contains(&(row, column)), board.is_solid(row, column)) {
        (true, _) => letter,
        (false, true) => '#',
        (false, false) => '.',
    };
    (top..20).map(|row| (0..10).map(|column| cell(row, column)).chain(['\n']).collect::<String>()).collect()
}

/// The headings of what [`place`] writes.
pub const PLACE: &str = "columns row rotation  ";

/// Where a piece goes, in the columns of a table: columns from 1 at the left, row of the lowest cell from 1 at the bottom.
pub fn place(placement: Placement) -> String {
    let columns = placement.columns();
    let columns = match (columns.start(), columns.end()) {
        (left, right) if left == right => left.to_string(),
        (left, right) => format!("{left}-{right}"),
    };
    format!("{columns:<7} {:>3} {:<10}", placement.row(), placement.id.rotation())
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Orientation;

    #[test]
    fn digits_are_a_board_and_a_wrong_number_of_them_is_refused() {
        let digits = "0".repeat(190) + "1110000007";
        let board = read(digits.as_bytes(), Piece::T).expect("a board");
        assert_eq!(board.row(19), 0b10_0000_0111);
        let error = read(&digits.as_bytes()[1..], Piece::T).expect_err("199").to_string();
        assert!(error.contains("199 digits"), "{error}");
        assert!(read(b"\xFF\xFF", Piece::T).expect_err("no text").to_string().contains("byte 0"));
        assert_eq!(read(b"", Piece::T).expect("an empty board"), Board::EMPTY);
    }

    #[test]
    fn odd_boards_are_told_of() {
        let told = |art: &str| oddities(&art.parse().expect("art")).join("; ");
        assert_eq!(told("####......"), "");
        assert!(told("##########").contains("full rows (19)"));
        assert!(told("##........\n..........\n##........").contains("2 cells hang"));
        assert!(told("###.......").contains("3 cells, an odd number"));
        let one = told("#.........\n..........");
        assert!(one.contains("1 cell hangs") && one.contains("1 cell, an odd number"), "{one}");
        // What touches only at a corner hangs in the air.
        assert!(told("..##......\n##........").contains("2 cells hang"));
    }

    #[test]
    fn a_placement_is_drawn() {
        let board: Board = "####......".parse().expect("art");
        let drawn = draw(&board, Placement { y: 17, id: Orientation(0x0A), x: 4 });
        assert!(
            drawn.contains("OO") && drawn.ends_with("####......\n") && drawn.lines().count() == 5,
            "{drawn}"
        );
    }
}
