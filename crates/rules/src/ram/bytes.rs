//! What single bytes of RAM mean: [`GameMode`], [`RenderMode`], [`LogicStage`] and [`GameType`]. [`RamByte`] holds such
//! a value, or a byte without a meaning.

/// A type whose values the game keeps as one byte of RAM.
pub trait RamValue: Copy {
    /// Returns the value that this byte stands for, or `None` if the game gives it no meaning.
    fn from_byte(byte: u8) -> Option<Self>;

    /// Returns the byte that encodes this value.
    fn byte(self) -> u8;
}

/// A byte of RAM: a value to which the game gives a meaning, or any other byte. The game itself writes only such
/// values; a foreign cartridge may write anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RamByte<T> {
    /// The byte encodes this value.
    Known(T),
    /// The game gives this byte no meaning.
    Other(u8),
}

impl<T: RamValue> RamByte<T> {
    /// Returns the value, if the byte encodes one.
    #[inline]
    pub const fn known(self) -> Option<T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Other(_) => None,
        }
    }

    /// Returns the byte as it is in RAM.
    #[inline]
    pub fn byte(self) -> u8 {
        match self {
            Self::Known(value) => value.byte(),
            Self::Other(byte) => byte,
        }
    }
}

impl<T: RamValue> From<u8> for RamByte<T> {
    #[inline]
    fn from(byte: u8) -> Self {
        T::from_byte(byte).map_or(Self::Other(byte), Self::Known)
    }
}

impl<T: PartialEq> PartialEq<T> for RamByte<T> {
    #[inline]
    fn eq(&self, value: &T) -> bool {
        matches!(self, Self::Known(known) if known == value)
    }
}

/// Implements [`RamValue`] for an enum whose discriminants are the bytes.
macro_rules! ram_value {
    ($type:ident: $($value:ident),*) => {
        impl RamValue for $type {
            #[inline]
            fn from_byte(byte: u8) -> Option<Self> {
                $(if byte == Self::$value as u8 { return Some(Self::$value); })*
                None
            }

            #[inline]
            fn byte(self) -> u8 {
                self as u8
            }
        }
    };
}

/// Which part of the program runs (C0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum GameMode {
    /// The legal screen after power-on or a reset.
    Legal = 0,
    /// The title screen.
    Title = 1,
    /// The menu of game types.
    TypeMenu = 2,
    /// The menu of levels.
    LevelMenu = 3,
    /// A game, its ending and the entry of a name.
    Play = 4,
    /// The demo that the title screen leads to.
    Demo = 5,
    /// The demo begins; the game holds this value for an instant only.
    DemoStart = 6,
}

ram_value!(GameMode: Legal, Title, TypeMenu, LevelMenu, Play, Demo, DemoStart);

/// What the screen shows (BD).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum RenderMode {
    /// The legal screen, the title screen or the pause.
    Still = 0,
    /// A menu.
    Menu = 1,
    /// The entry of a name.
    NameEntry = 2,
    /// Play.
    Play = 3,
    /// The ending after a high score.
    Ending = 4,
}

ram_value!(RenderMode: Still, Menu, NameEntry, Play, Ending);

/// The stage of the frame's logic that comes next (A7; docs/how-it-works/the-game.md 3.2). At the end of a normal frame
/// of play it is [`LogicStage::Counters`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum LogicStage {
    /// The background is loaded, which takes several frames.
    Load = 0,
    /// The game is set up: at the end of the init frame this stage is done.
    Init = 1,
    /// A whole frame of logic comes next, which begins with its counters.
    Counters = 2,
    /// The test for the end of the game; the entry of a name stays here.
    GameOver = 3,
    /// The first player's piece.
    PlayerOne = 4,
    /// The second player's piece.
    PlayerTwo = 5,
    /// The test for the buttons of a soft reset.
    ResetTest = 6,
    /// The test for a pause; a pause stays here.
    PauseTest = 7,
    /// The end of the frame.
    End = 8,
}

ram_value!(LogicStage: Load, Init, Counters, GameOver, PlayerOne, PlayerTwo, ResetTest, PauseTest, End);

/// The kind of game (C1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum GameType {
    /// A-type: an endless game on an empty field.
    A = 0,
    /// B-type: 25 lines on a field that may hold garbage.
    B = 1,
}

ram_value!(GameType: A, B);
