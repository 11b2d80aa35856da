//! What goes over the controller cable: [`Buttons`] for one frame, [`InputLog`] for many.
//!
//! This module depends on no other, so that rules, players and hosts can all use it.

use std::error::Error;
use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};
use std::str::FromStr;

/// The buttons held during one frame, in the game's own bit order
/// (A 80, B 40, Select 20, Start 10, Up 08, Down 04, Left 02, Right 01).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Buttons(pub u8);

impl Buttons {
    /// No button.
    pub const NONE: Self = Self(0x00);
    /// A rotates the piece clockwise.
    pub const A: Self = Self(0x80);
    /// B rotates the piece counterclockwise.
    pub const B: Self = Self(0x40);
    /// Select hides and shows the next box in play.
    pub const SELECT: Self = Self(0x20);
    /// Start accepts in menus and pauses in play.
    pub const START: Self = Self(0x10);
    /// Up has no meaning in play.
    pub const UP: Self = Self(0x08);
    /// Down drops the piece softly.
    pub const DOWN: Self = Self(0x04);
    /// Left shifts the piece to the left.
    pub const LEFT: Self = Self(0x02);
    /// Right shifts the piece to the right.
    pub const RIGHT: Self = Self(0x01);
    /// Down, Left and Right. Held together in play, and no others, they split a frame's logic in two (the-game.md 3.2).
    pub const SPLIT: Self = Self::DOWN.with(Self::LEFT).with(Self::RIGHT);
    /// A, B, Select and Start. Held together in play, and no others, they lead back to the legal screen.
    pub const SOFT_RESET: Self = Self::A.with(Self::B).with(Self::SELECT).with(Self::START);

    /// Whether every button of `other` is held.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any button of `other` is held.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the buttons of both sets; unlike `|` it can be used in constants.
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the letters of the held buttons in the order `RLDUTSBA` (T = Start), without dots for the others.
    pub fn letters(self) -> String {
        let held = COLUMNS.chars().enumerate().filter(|(bit, _)| self.0 >> bit & 1 == 1);
        held.map(|(_, letter)| letter).collect()
    }
}

/// The letters of the buttons, from the lowest bit.
const COLUMNS: &str = "RLDUTSBA";

impl BitOr for Buttons {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

impl BitOrAssign for Buttons {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = self.with(other);
    }
}

impl BitAnd for Buttons {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for Buttons {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Display for Buttons {
    /// Writes eight columns `RLDUTSBA` (T = Start), with a dot for each released button.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (bit, letter) in COLUMNS.chars().enumerate() {
            let held = self.0 >> bit & 1 == 1;
            write!(f, "{}", if held { letter } else { '.' })?;
        }
        Ok(())
    }
}

impl FromStr for Buttons {
    type Err = ParseButtonsError;

    /// Reads the eight columns that [`Buttons`] are written as.
    ///
    /// ```
    /// use maxout_rules::input::Buttons;
    /// let held = Buttons::LEFT | Buttons::A;
    /// assert_eq!((held.to_string().as_str(), held.letters().as_str()), (".L.....A", "LA"));
    /// assert_eq!(".L.....A".parse(), Ok(held));
    /// assert_eq!("LA".parse::<Buttons>().unwrap_err().to_string(), "expected eight columns RLDUTSBA");
    /// ```
    fn from_str(text: &str) -> Result<Self, ParseButtonsError> {
        if text.len() != COLUMNS.len() {
            return Err(ParseButtonsError);
        }
        let mut held = 0;
        for (bit, (got, letter)) in text.bytes().zip(COLUMNS.bytes()).enumerate() {
            match got {
                b'.' => {}
                _ if got == letter => held |= 1 << bit,
                _ => return Err(ParseButtonsError),
            }
        }
        Ok(Self(held))
    }
}

/// The error that a text does not have the eight columns of [`Buttons`], each its letter or a dot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseButtonsError;

impl fmt::Display for ParseButtonsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected eight columns {COLUMNS}")
    }
}

impl Error for ParseButtonsError {}

impl fmt::Debug for Buttons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buttons({self})")
    }
}

/// The buttons of consecutive frames, with one entry for each frame.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct InputLog {
    frames: Vec<Buttons>,
}

impl InputLog {
    /// Returns a log without frames.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the buttons of one frame.
    pub fn push(&mut self, buttons: Buttons) {
        self.frames.push(buttons);
    }

    /// Returns the frames in order.
    pub fn frames(&self) -> &[Buttons] {
        &self.frames
    }

    /// Returns the number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether the log has no frames.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

impl FromIterator<Buttons> for InputLog {
    fn from_iter<I: IntoIterator<Item = Buttons>>(frames: I) -> Self {
        Self { frames: frames.into_iter().collect() }
    }
}
