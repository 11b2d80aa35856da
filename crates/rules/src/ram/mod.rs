//! The game's memory map (docs/how-it-works/the-game.md 1), what its bytes mean, and [`Snapshot`], which reads them
//! all.
//!
//! The map is the only place that knows addresses. Each variable has a constant with its first address, and [`MAP`]
//! lists all variables with their names, lengths and addresses in the practice edition ([`Edition::address`]).

mod bytes;
mod edition;
mod snapshot;
mod state;

pub use bytes::{GameMode, GameType, LogicStage, RamByte, RamValue, RenderMode};
pub use edition::Edition;
pub use snapshot::{Snapshot, page};
pub use state::{FrameStage, PlayState};

/// The size of the console's RAM.
pub const SIZE: usize = 0x800;

/// The first address of the current player's variables, which end at 7F.
pub const PLAYER_BLOCK: u16 = 0x60;
/// The first address of the working copy of the player block, which ends at 5F. The copy equals the player block at the
/// end of every frame of play.
pub const WORKING_COPY: u16 = 0x40;

/// A variable of the game: one byte or several that lie next to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// What the variable is, in one to four words.
    pub name: &'static str,
    /// The address of its first byte.
    pub first: u16,
    /// The address of its first byte in the practice edition ([`Edition::Practice`]).
    pub practice: u16,
    /// The number of its bytes.
    pub bytes: u16,
}

impl Variable {
    /// The address of its last byte.
    #[must_use]
    pub const fn last(self) -> u16 {
        self.first + self.bytes - 1
    }
}

/// Declares a constant for the first address of each variable, and the table of them all.
macro_rules! map {
    ($($(#[$doc:meta])* $constant:ident: $first:literal $(/ $practice:literal)?, $bytes:literal, $name:literal;)*) => {
        $($(#[$doc])* pub const $constant: u16 = $first;)*

        /// Every variable that the rules model, in the order of addresses.
        pub const MAP: &[Variable] = &[$(Variable {
            name: $name,
            first: $first,
            practice: map!(@practice $first $($practice)?),
            bytes: $bytes,
        }),*];
    };
    (@practice $first:literal) => { $first };
    (@practice $first:literal $practice:literal) => { $practice };
}

map! {
    /// The random-number register of the piece generator: its high byte, then its low byte.
    RNG: 0x17, 2, "generator";
    /// The orientation that the generator picked last.
    SPAWN_ID: 0x19, 1, "spawn id";
    /// The number of picks since the reset.
    SPAWN_COUNT: 0x1A, 1, "spawn count";
    /// The column of the piece's centre.
    X: 0x60 / 0x40, 1, "x";
    /// The row of the piece's centre.
    Y: 0x61 / 0x41, 1, "y";
    /// The orientation of the piece in play.
    CURRENT_PIECE: 0x62 / 0x42, 1, "piece";
    /// The level, in binary.
    LEVEL: 0x64 / 0x44, 1, "level";
    /// The number of frames since the piece last dropped.
    FALL_TIMER: 0x65 / 0x45, 1, "fall timer";
    /// The counter of the delayed auto-shift (DAS).
    AUTOREPEAT_X: 0x66 / 0x46, 1, "autorepeat x";
    /// The level that was chosen in the menu, 0 to 19.
    START_LEVEL: 0x67 / 0x47, 1, "start level";
    /// The play state ([`crate::PlayState`]).
    PLAY_STATE: 0x68 / 0x48, 1, "play state";
    /// The next row of the field to draw.
    VRAM_ROW: 0x69 / 0x49, 1, "vram row";
    /// The row numbers of the completed rows; 0 means none.
    COMPLETED_ROWS: 0x6A / 0x4A, 4, "completed rows";
    /// The state of the soft drop.
    AUTOREPEAT_Y: 0x6E / 0x4E, 1, "autorepeat y";
    /// The number of rows that were soft-dropped while Down has been held.
    HOLD_DOWN_POINTS: 0x6F / 0x4F, 1, "hold-down points";
    /// The lines: tens and ones in BCD, then the hundreds.
    LINES: 0x70 / 0x50, 2, "lines";
    /// The step of the line-clear animation.
    CLEAR_STEP: 0x72 / 0x52, 1, "row y";
    /// The score in BCD, low byte first.
    SCORE: 0x73 / 0x0C, 3, "score";
    /// The number of lines that the current lock completed.
    COMPLETED_LINES: 0x76 / 0x53, 1, "completed lines";
    /// Which of the four rows of a lock is tested next.
    LINE_INDEX: 0x77 / 0x54, 1, "line index";
    /// How far the curtain has fallen after a top-out.
    CURTAIN_ROW: 0x78 / 0x5C, 1, "curtain row";
    /// The stage of the frame's logic ([`LogicStage`]).
    GAME_MODE_STATE: 0xA7, 1, "stage";
    /// The frame counter, low byte first.
    FRAME_COUNTER: 0xB1, 2, "frame counter";
    /// What the screen shows ([`RenderMode`]).
    RENDER_MODE: 0xBD, 1, "render mode";
    /// The piece in the next box.
    NEXT_PIECE: 0xBF, 1, "next piece";
    /// Which part of the program runs ([`GameMode`]).
    GAME_MODE: 0xC0, 1, "game mode";
    /// The kind of game ([`GameType`]).
    GAME_TYPE: 0xC1, 1, "game type";
    /// The number of frames for which the logic still sleeps.
    SLEEP: 0xC3, 1, "sleep counter";
    /// The numbers of singles, doubles, triples and tetrises, in BCD.
    CLEAR_COUNTS: 0xD8, 4, "clear counts";
    /// Whether the next box is hidden; Select toggles it in play.
    NEXT_HIDDEN: 0xDF, 1, "next hidden";
    /// The buttons that are newly pressed.
    PRESSED: 0xF5, 1, "pressed";
    /// The buttons that are held.
    HELD: 0xF7, 1, "held";
    /// The piece counts in the order T J Z O S L I, two bytes each: tens and ones in BCD, then the hundreds.
    STATISTICS: 0x3F0, 14, "piece counts";
    /// The tiles of the field, row 0 first; the field page begins here.
    FIELD: 0x400, 200, "field";
    /// The row of the field page that follows the last visible one.
    ROW_20: 0x4C8, 10, "row 20";
    /// The bytes of the field page that belong to no row near the field.
    FIELD_PAGE_REST: 0x4D2, 26, "rest of the field page";
    /// The upper of the two rows above the field.
    ROW_MINUS_2: 0x4EC, 10, "row -2";
    /// The lower of the two rows above the field; the field page ends with it.
    ROW_MINUS_1: 0x4F6, 10, "row -1";
}

/// The score of the practice edition in binary: four bytes, low byte first. Its BCD digits are [`SCORE`].
pub const BINARY_SCORE: u16 = 0x08;
/// The level of the practice edition's level menu that Up and Down change.
pub const CUSTOM_LEVEL: u16 = 0x765;

/// Returns the address of the last byte of the variable that begins at `first`. If none begins there, it is `first`.
#[must_use]
pub const fn last(first: u16) -> u16 {
    let mut index = 0;
    while index < MAP.len() {
        if MAP[index].first == first {
            return MAP[index].last();
        }
        index += 1;
    }
    first
}

/// Returns the address of the working copy of a variable of the player block. Any other address is returned unchanged.
#[must_use]
pub const fn working_copy(address: u16) -> u16 {
    if address >= PLAYER_BLOCK && address < PLAYER_BLOCK + BLOCK {
        address - PLAYER_BLOCK + WORKING_COPY
    } else {
        address
    }
}

/// Returns the address of the variable of the player block whose working copy is at `address`. Any other address stands
/// for itself.
#[must_use]
pub const fn player_block(address: u16) -> u16 {
    if address >= WORKING_COPY && address < WORKING_COPY + BLOCK {
        address - WORKING_COPY + PLAYER_BLOCK
    } else {
        address
    }
}

/// The size of the player block.
const BLOCK: u16 = PLAYER_BLOCK - WORKING_COPY;
