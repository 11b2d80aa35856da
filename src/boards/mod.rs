//! Boards as people have them: as text in any form, or as a picture of the screen ([`read`]); and a board with a piece in it,
//! drawn ([`draw`]).

mod picture;

use thiserror::Error;

use crate::files::text_of;
use crate::text::brief;
use crate::video::still;
use maxout_engine::analysis::warnings;
use maxout_host::boards::{PictureBoard, of_picture};
use maxout_rules::{Board, ParseBoardError, Piece, Placement};
use maxout_sight::{ScreenshotError, SeenBoard};

pub use picture::PictureBoardError;

/// Bytes that a file with a board may have.
pub const MAX_BYTES: u64 = 16 << 20;
/// Bytes that a drawn board may have.
const MAX_TEXT: usize = 64 << 10;

/// Why a file is no board.
#[derive(Debug, Error)]
pub enum BoardError {
    /// The text is too long.
    #[error("has more than {MAX_TEXT} bytes, expected a drawn board of at most that many")]
    TooLong,
    /// It is neither text nor a PNG.
    #[error("byte {0} is no UTF-8 or UTF-16, expected a drawn board, 200 digits or a PNG picture")]
    NoText(usize),
    /// It is a picture of another format that cannot be read.
    #[error("is a {0} picture, which cannot be read ({1}), expected a PNG or a whole picture")]
    OtherPicture(&'static str, String),
    /// It is a picture without a board.
    #[error(transparent)]
    Screenshot(#[from] ScreenshotError),
    /// The drawing cannot be read.
    #[error(transparent)]
    Drawing(#[from] ParseBoardError),
    /// The picture cannot be read.
    #[error(transparent)]
    Picture(#[from] PictureBoardError),
}

/// The first bytes of pictures that are no PNG, and what those are called.
const OTHER_PICTURES: [(&[u8], &str); 6] = [
    (b"\xFF\xD8\xFF", "JPEG"),
    (b"GIF8", "GIF"),
    (b"RIFF", "WebP"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
];

/// A board, and what else a file says of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadBoard {
    /// The locked cells.
    pub board: Board,
    /// The piece in the air, and the next one: those that a picture shows.
    pub piece: Option<Piece>,
    /// See `piece`.
    pub next: Option<Piece>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

/// Reads a board: a text in any form that [`Board`] is read from, in UTF-8 or UTF-16, or a picture in which the screen is. What is
/// no PNG is decoded by ffmpeg. From a picture the piece in the air is taken out; `named` is the one that someone says it is.
pub fn read(bytes: &[u8], named: Option<Piece>) -> Result<ReadBoard, BoardError> {
    let seen = if bytes.starts_with(b"\x89PNG") {
        picture::read(bytes)?
    } else if let Some((_, kind)) = OTHER_PICTURES.iter().find(|(first, _)| bytes.starts_with(first)) {
        still::board(bytes).map_err(|error| BoardError::OtherPicture(kind, brief(&error)))??
    } else {
        let board = read_text(bytes)?;
        return Ok(ReadBoard { board, piece: None, next: None, warnings: warnings(&board) });
    };
    let SeenBoard { board, next, .. } = seen;
    let PictureBoard { board, piece, mut warnings } = of_picture(board, named);
    warnings.extend(seen.notes());
    Ok(ReadBoard { board, piece, next, warnings })
}

/// Reads a board that is no picture.
fn read_text(bytes: &[u8]) -> Result<Board, BoardError> {
    if bytes.len() > MAX_TEXT {
        return Err(BoardError::TooLong);
    }
    let text = text_of(bytes).map_err(BoardError::NoText)?;
    // A file that nothing was written to is no empty board.
    if text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}').is_empty() {
        return Err(ParseBoardError::Empty.into());
    }
    Ok(text.parse()?)
}

/// Row and column of the four cells.
fn cells(x: u8, y: u8, id: maxout_rules::Orientation) -> impl Iterator<Item = (i8, i8)> {
    id.cells().iter().map(move |&(dx, dy)| (y as i8 + dy, x as i8 + dx))
}

/// Draws a board with `#` for its cells and the piece's letter for a placement on it, from two rows above the highest
/// cell down.
pub fn draw(board: &Board, placement: Placement) -> String {
    let letter = placement.orientation.piece().letter();
    let piece: Vec<(i8, i8)> = cells(placement.x, placement.y, placement.orientation).collect();
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
pub const PLACE: &str = "columns row rotation   ";

/// Where a piece goes, in the columns of a table: columns from 1 at the left, row of the lowest cell from 1 at the bottom.
pub fn place(placement: Placement) -> String {
    let columns = placement.columns();
    let columns = match (columns.start(), columns.end()) {
        (left, right) if left == right => left.to_string(),
        (left, right) => format!("{left}-{right}"),
    };
    format!("{columns:<7} {:>3} {:<11}", placement.row(), placement.orientation.rotation())
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Orientation;

    #[test]
    fn digits_are_a_board_and_a_wrong_number_of_them_is_refused() {
        let digits = "0".repeat(190) + "1110000007";
        let ReadBoard { board, .. } = read(digits.as_bytes(), None).expect("a board");
        assert_eq!(board.row(19), 0b10_0000_0111);
        let error = read(&digits.as_bytes()[1..], None).expect_err("199").to_string();
        assert!(error.contains("199 digits"), "{error}");
        assert!(read(b"\xFF\xFF", None).expect_err("no text").to_string().contains("byte 0"));
        assert_eq!(read(b"..........", None).expect("an empty board").board, Board::EMPTY);
        // As a program that failed leaves its file, and a pipe from one.
        for nothing in [&b""[..], b"\n \r\n", b"\xEF\xBB\xBF", b"[]"] {
            let error = read(nothing, None).expect_err("nothing").to_string();
            assert!(error.starts_with("board has no row, expected rows"), "{error}");
        }
        let error = read(b"\xFF\xD8\xFF\xE0\0\x10JFIF", None).expect_err("a JPEG").to_string();
        assert!(error.contains("is a JPEG picture") && error.contains("expected a PNG"), "{error}");
    }

    /// As editors and shells of Windows save it.
    #[test]
    fn byte_order_marks_and_utf_16_are_read() {
        let art = "#...##....\r\n#########.\r\n";
        let wide = |bytes: fn(u16) -> [u8; 2]| art.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let (little, big) = (wide(u16::to_le_bytes), wide(u16::to_be_bytes));
        for file in [
            [b"\xEF\xBB\xBF", art.as_bytes()].concat(),
            [&[0xFF, 0xFE], &*little].concat(),
            [&[0xFE, 0xFF], &*big].concat(),
            little.clone(),
            big,
        ] {
            let ReadBoard { board, warnings: odd, .. } = read(&file, None).expect("a board");
            assert_eq!((board.row(18), board.row(19), odd.len()), (0b00_0011_0001, 0x1FF, 0));
        }
        for (file, byte) in [(&little[..little.len() - 1], 46), (&[0xFF, 0xFE, 0, 0xD8, b'.', 0], 2)] {
            let error = read(file, None).expect_err("cut off").to_string();
            assert!(error.starts_with(&format!("byte {byte} is no UTF-8 or UTF-16")), "{error}");
        }
    }

    #[test]
    fn a_placement_is_drawn() {
        let board: Board = "####......".parse().expect("art");
        let drawn = draw(&board, Placement { y: 17, orientation: Orientation::O, x: 4 });
        assert!(
            drawn.contains("OO") && drawn.ends_with("####......\n") && drawn.lines().count() == 5,
            "{drawn}"
        );
    }
}
