//! The seven pieces and their nineteen orientations (the-game.md 2.1).

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The seven pieces in the order of the game's spawn table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
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
        [
            Orientation::TDown,
            Orientation::JDown,
            Orientation::ZHorizontal,
            Orientation::O,
            Orientation::SHorizontal,
            Orientation::LDown,
            Orientation::IHorizontal,
        ][self as usize]
    }

    /// Returns the piece with this one-letter name, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.letter() == letter.to_ascii_uppercase())
    }

    /// Returns the piece's one-letter name.
    pub const fn letter(self) -> char {
        ['T', 'J', 'Z', 'O', 'S', 'L', 'I'][self as usize]
    }

    /// Returns the piece in a mirror: J is L there, and S is Z.
    #[inline]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::J => Self::L,
            Self::L => Self::J,
            Self::S => Self::Z,
            Self::Z => Self::S,
            Self::T | Self::O | Self::I => self,
        }
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

    /// Returns the background tile that its cells become when they lock.
    pub const fn tile(self) -> u8 {
        match self {
            Self::Z | Self::L => 0x7C,
            Self::J | Self::S => 0x7D,
            Self::T | Self::O | Self::I => 0x7B,
        }
    }

    /// Returns the orientation that is `turns` clockwise turns from the first one.
    #[inline]
    pub const fn turned(self, turns: u8) -> Orientation {
        let count = self.orientations();
        Orientation::ALL
            [(self.first_orientation() + if turns < count { turns } else { turns % count }) as usize]
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

/// One of the nineteen ways in which a piece can lie. `up`, `right`, `down` or `left` is where the fourth cell or the short arm points.
/// As a number (in JSON too) it is the id that the game gives it, 0 to 18.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(into = "u8", try_from = "u8")]
#[repr(u8)]
pub enum Orientation {
    /// The T, up.
    TUp,
    /// The T, right.
    TRight,
    /// The T, down.
    TDown,
    /// The T, left.
    TLeft,
    /// The J, left.
    JLeft,
    /// The J, up.
    JUp,
    /// The J, right.
    JRight,
    /// The J, down.
    JDown,
    /// The Z, horizontal.
    ZHorizontal,
    /// The Z, vertical.
    ZVertical,
    /// The O.
    O,
    /// The S, horizontal.
    SHorizontal,
    /// The S, vertical.
    SVertical,
    /// The L, right.
    LRight,
    /// The L, down.
    LDown,
    /// The L, left.
    LLeft,
    /// The L, up.
    LUp,
    /// The I, vertical.
    IVertical,
    /// The I, horizontal.
    IHorizontal,
}

/// A byte where the game stores an orientation: 00–12 are the ids of orientations, 13 and all above mean that no piece is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct PieceId(pub u8);

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

impl Orientation {
    /// All orientations, in the order of their ids.
    pub const ALL: [Self; 19] = [
        Self::TUp,
        Self::TRight,
        Self::TDown,
        Self::TLeft,
        Self::JLeft,
        Self::JUp,
        Self::JRight,
        Self::JDown,
        Self::ZHorizontal,
        Self::ZVertical,
        Self::O,
        Self::SHorizontal,
        Self::SVertical,
        Self::LRight,
        Self::LDown,
        Self::LLeft,
        Self::LUp,
        Self::IVertical,
        Self::IHorizontal,
    ];

    /// Returns the orientation with this id, or `None` for 19 and above.
    #[inline]
    pub const fn from_id(id: u8) -> Option<Self> {
        if (id as usize) < Self::ALL.len() { Some(Self::ALL[id as usize]) } else { None }
    }

    /// Returns the number that the game gives it, 0 to 18.
    #[inline]
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// Returns the four cells as (dx, dy) from the centre.
    #[inline]
    pub const fn cells(self) -> &'static Cells {
        &CELLS[self as usize]
    }

    /// Returns the orientation after A was pressed.
    #[inline]
    pub const fn clockwise(self) -> Self {
        const CLOCKWISE: [Orientation; 19] = every_after(1);
        CLOCKWISE[self as usize]
    }

    /// Returns the orientation after B was pressed.
    #[inline]
    pub const fn counterclockwise(self) -> Self {
        const COUNTERCLOCKWISE: [Orientation; 19] = every_after(3);
        COUNTERCLOCKWISE[self as usize]
    }

    /// Returns the piece that has this orientation.
    #[inline]
    pub const fn piece(self) -> Piece {
        match self.id() {
            0x00..=0x03 => Piece::T,
            0x04..=0x07 => Piece::J,
            0x08..=0x09 => Piece::Z,
            0x0A => Piece::O,
            0x0B..=0x0C => Piece::S,
            0x0D..=0x10 => Piece::L,
            _ => Piece::I,
        }
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
        match self {
            Self::TUp | Self::JUp | Self::LUp => "up",
            Self::TRight | Self::JRight | Self::LRight => "right",
            Self::TDown | Self::JDown | Self::LDown => "down",
            Self::TLeft | Self::JLeft | Self::LLeft => "left",
            Self::ZHorizontal | Self::SHorizontal | Self::IHorizontal => "horizontal",
            Self::ZVertical | Self::SVertical | Self::IVertical => "vertical",
            Self::O => "",
        }
    }
}

/// Each orientation after `turns` clockwise turns.
const fn every_after(turns: u8) -> [Orientation; 19] {
    let mut all = Orientation::ALL;
    let mut id = 0;
    while id < all.len() {
        let piece = all[id].piece();
        all[id] = piece.turned(id as u8 - piece.first_orientation() + turns);
        id += 1;
    }
    all
}

impl From<Orientation> for u8 {
    fn from(orientation: Orientation) -> Self {
        orientation.id()
    }
}

impl TryFrom<u8> for Orientation {
    type Error = ParseOrientationError;

    fn try_from(id: u8) -> Result<Self, ParseOrientationError> {
        Self::from_id(id).ok_or(ParseOrientationError)
    }
}

/// The error that a number is not the id of an orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseOrientationError;

impl fmt::Display for ParseOrientationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an orientation from 0 to 18")
    }
}

impl Error for ParseOrientationError {}

impl fmt::Debug for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id())
    }
}

impl PieceId {
    /// No piece is on the screen, as during a line clear or behind the curtain.
    pub const HIDDEN: Self = Self(0x13);

    /// Returns the orientation, or `None` for 13 and above.
    #[inline]
    pub const fn orientation(self) -> Option<Orientation> {
        Orientation::from_id(self.0)
    }

    /// Returns the piece that has this orientation, or `None` for 13 and above.
    #[inline]
    pub const fn piece(self) -> Option<Piece> {
        match self.orientation() {
            Some(orientation) => Some(orientation.piece()),
            None => None,
        }
    }

    /// Returns the four cells as (dx, dy) from the centre. Ids past 13 read as 13.
    #[inline]
    pub const fn cells(self) -> &'static Cells {
        &CELLS[if self.0 > Self::HIDDEN.0 { Self::HIDDEN.0 } else { self.0 } as usize]
    }

    /// Returns what the byte is after A was pressed. Ids past 13 become 13.
    #[inline]
    pub const fn clockwise(self) -> Self {
        match self.orientation() {
            Some(orientation) => Self(orientation.clockwise().id()),
            None => Self::HIDDEN,
        }
    }

    /// Returns what the byte is after B was pressed. Ids past 13 become 13.
    #[inline]
    pub const fn counterclockwise(self) -> Self {
        match self.orientation() {
            Some(orientation) => Self(orientation.counterclockwise().id()),
            None => Self::HIDDEN,
        }
    }

    /// Returns the background tile that its cells become when they lock.
    pub const fn tile(self) -> u8 {
        match self.piece() {
            Some(piece) => piece.tile(),
            None => Piece::T.tile(),
        }
    }
}

impl From<Orientation> for PieceId {
    #[inline]
    fn from(orientation: Orientation) -> Self {
        Self(orientation.id())
    }
}

impl From<Piece> for PieceId {
    /// The orientation in which the piece spawns.
    #[inline]
    fn from(piece: Piece) -> Self {
        piece.spawn().into()
    }
}

impl fmt::Debug for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
