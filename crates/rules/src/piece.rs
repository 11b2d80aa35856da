//! The seven pieces and their nineteen orientations (the-game.md 2.1).

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The seven pieces in the order of the game's spawn table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Piece {
    /// The T piece.
    T,
    /// The J piece.
    J,
    /// The Z piece.
    Z,
    /// The O piece, which has one orientation.
    O,
    /// The S piece.
    S,
    /// The L piece.
    L,
    /// The I piece, which is four cells long.
    I,
}

impl Piece {
    /// All pieces in the order of the spawn table.
    pub const ALL: [Self; 7] = [Self::T, Self::J, Self::Z, Self::O, Self::S, Self::L, Self::I];

    /// Returns the orientation in which the piece spawns.
    #[inline]
    pub const fn spawn(self) -> Orientation {
        Orientation([0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12][self as usize])
    }

    /// Returns the piece with this one-letter name, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.letter() == letter.to_ascii_uppercase())
    }

    /// Returns the piece's one-letter name.
    pub const fn letter(self) -> char {
        ['T', 'J', 'Z', 'O', 'S', 'L', 'I'][self as usize]
    }

    /// Returns the first orientation id of the piece. Its others follow in clockwise order.
    #[inline]
    pub const fn first_orientation(self) -> u8 {
        [0x00, 0x04, 0x08, 0x0A, 0x0B, 0x0D, 0x11][self as usize]
    }

    /// Returns the number of distinct orientations: 4, 2 or 1.
    #[inline]
    pub const fn orientations(self) -> u8 {
        [4, 4, 2, 1, 2, 4, 2][self as usize]
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Piece {
    type Err = ParsePieceError;

    /// Reads the piece's one-letter name, in either case.
    ///
    /// ```
    /// use maxout_rules::Piece;
    /// assert_eq!(["T", "i"].map(str::parse), [Ok(Piece::T), Ok(Piece::I)]);
    /// assert_eq!("X".parse::<Piece>().unwrap_err().to_string(), "expected one of T, J, Z, O, S, L, I");
    /// ```
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        let mut letters = text.chars();
        match (letters.next().and_then(Self::from_letter), letters.next()) {
            (Some(piece), None) => Ok(piece),
            _ => Err(ParsePieceError),
        }
    }
}

/// The error that a text is not the name of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePieceError;

impl ParsePieceError {
    /// What was expected.
    pub const EXPECTED: &str = "one of T, J, Z, O, S, L, I";
}

impl fmt::Display for ParsePieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", Self::EXPECTED)
    }
}

impl Error for ParsePieceError {}

/// An orientation id as the game stores it: 00–12, or 13 while no piece is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Orientation(pub u8);

/// (dx, dy) of the four cells from the piece's centre; dy > 0 is down.
type Cells = [(i8, i8); 4];

#[rustfmt::skip]
const CELLS: [Cells; 20] = [
    [(-1, 0), (0, 0), (1, 0), (0, -1)],   // 00 T up
    [(0, -1), (0, 0), (1, 0), (0, 1)],    // 01 T right
    [(-1, 0), (0, 0), (1, 0), (0, 1)],    // 02 T down
    [(0, -1), (-1, 0), (0, 0), (0, 1)],   // 03 T left
    [(0, -1), (0, 0), (-1, 1), (0, 1)],   // 04 J left
    [(-1, -1), (-1, 0), (0, 0), (1, 0)],  // 05 J up
    [(0, -1), (1, -1), (0, 0), (0, 1)],   // 06 J right
    [(-1, 0), (0, 0), (1, 0), (1, 1)],    // 07 J down
    [(-1, 0), (0, 0), (0, 1), (1, 1)],    // 08 Z horizontal
    [(1, -1), (0, 0), (1, 0), (0, 1)],    // 09 Z vertical
    [(-1, 0), (0, 0), (-1, 1), (0, 1)],   // 0A O
    [(0, 0), (1, 0), (-1, 1), (0, 1)],    // 0B S horizontal
    [(0, -1), (0, 0), (1, 0), (1, 1)],    // 0C S vertical
    [(0, -1), (0, 0), (0, 1), (1, 1)],    // 0D L right
    [(-1, 0), (0, 0), (1, 0), (-1, 1)],   // 0E L down
    [(-1, -1), (0, -1), (0, 0), (0, 1)],  // 0F L left
    [(1, -1), (-1, 0), (0, 0), (1, 0)],   // 10 L up
    [(0, -2), (0, -1), (0, 0), (0, 1)],   // 11 I vertical
    [(-2, 0), (-1, 0), (0, 0), (1, 0)],   // 12 I horizontal
    [(0, 0), (0, 0), (0, 0), (0, 0)],     // 13 hidden
];

#[rustfmt::skip]
const CLOCKWISE: [u8; 20] = [
    0x01, 0x02, 0x03, 0x00, 0x05, 0x06, 0x07, 0x04, 0x09, 0x08,
    0x0A, 0x0C, 0x0B, 0x0E, 0x0F, 0x10, 0x0D, 0x12, 0x11, 0x13,
];

#[rustfmt::skip]
const COUNTERCLOCKWISE: [u8; 20] = [
    0x03, 0x00, 0x01, 0x02, 0x07, 0x04, 0x05, 0x06, 0x09, 0x08,
    0x0A, 0x0C, 0x0B, 0x10, 0x0D, 0x0E, 0x0F, 0x12, 0x11, 0x13,
];

impl Orientation {
    /// No piece is on the screen, as during a line clear or behind the curtain.
    pub const HIDDEN: Self = Self(0x13);

    /// Returns the four cells as (dx, dy) from the centre. Ids past 13 read as 13.
    #[inline]
    pub const fn cells(self) -> &'static Cells {
        &CELLS[self.index()]
    }

    /// Returns the orientation after A was pressed.
    #[inline]
    pub const fn clockwise(self) -> Self {
        Self(CLOCKWISE[self.index()])
    }

    /// Returns the orientation after B was pressed.
    #[inline]
    pub const fn counterclockwise(self) -> Self {
        Self(COUNTERCLOCKWISE[self.index()])
    }

    /// Returns the piece that has this orientation, or `None` for 13 and above.
    #[inline]
    pub const fn piece(self) -> Option<Piece> {
        Some(match self.0 {
            0x00..=0x03 => Piece::T,
            0x04..=0x07 => Piece::J,
            0x08..=0x09 => Piece::Z,
            0x0A => Piece::O,
            0x0B..=0x0C => Piece::S,
            0x0D..=0x10 => Piece::L,
            0x11..=0x12 => Piece::I,
            _ => return None,
        })
    }

    /// Returns the rotation in a word: `up`, `right`, `down` or `left` is where the fourth cell or the short arm points. The O has
    /// none.
    ///
    /// ```
    /// use maxout_rules::Piece;
    /// let names = Piece::ALL.map(|piece| piece.spawn().rotation());
    /// assert_eq!(names, ["down", "down", "horizontal", "", "horizontal", "down", "horizontal"]);
    /// ```
    pub const fn rotation(self) -> &'static str {
        match self.0 {
            0x00 | 0x05 | 0x10 => "up",
            0x01 | 0x06 | 0x0D => "right",
            0x02 | 0x07 | 0x0E => "down",
            0x03 | 0x04 | 0x0F => "left",
            0x08 | 0x0B | 0x12 => "horizontal",
            0x09 | 0x0C | 0x11 => "vertical",
            _ => "",
        }
    }

    /// Returns the background tile that its cells become when they lock.
    pub const fn tile(self) -> u8 {
        match self.piece() {
            Some(Piece::Z | Piece::L) => 0x7C,
            Some(Piece::J | Piece::S) => 0x7D,
            _ => 0x7B,
        }
    }

    #[inline]
    const fn index(self) -> usize {
        if self.0 > 0x13 { 0x13 } else { self.0 as usize }
    }
}

impl fmt::Debug for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_one_letter_and_nothing_else() {
        for (piece, letter) in Piece::ALL.into_iter().zip("TJZOSLI".chars()) {
            for text in [letter.to_string(), letter.to_ascii_lowercase().to_string()] {
                assert_eq!(text.parse(), Ok(piece), "{text}");
            }
            assert_eq!(piece.to_string(), letter.to_string());
        }
        for text in ["", "TT", "T ", " T", "X", "0", "ı", "ſ", "İ", "T\u{301}"] {
            assert_eq!(text.parse::<Piece>(), Err(ParsePieceError), "{text}");
        }
    }

    #[test]
    fn turning_both_ways_returns_and_orientations_of_a_piece_are_consecutive() {
        for piece in Piece::ALL {
            let first = piece.first_orientation();
            for turn in 0..piece.orientations() {
                let id = Orientation(first + turn);
                assert_eq!(id.piece(), Some(piece));
                assert_eq!(id.clockwise().0, first + (turn + 1) % piece.orientations());
                assert_eq!(id.clockwise().counterclockwise(), id);
            }
            assert_eq!(piece.spawn().piece(), Some(piece));
        }
    }
}
