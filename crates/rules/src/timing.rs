//! Gravity and the few delays that have names (the-game.md 3.3, 3.5).

use serde::{Deserialize, Serialize};

/// The frames per row by level. At level 29 and above, pieces fall one row per frame.
const GRAVITY: [u8; 29] =
    [48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];

/// Returns the number of frames that a piece takes to fall one row at `level`.
#[inline]
pub const fn gravity(level: u8) -> u8 {
    if level < 29 { GRAVITY[level as usize] } else { 1 }
}

/// The frames per row by level in the PAL version.
const PAL_GRAVITY: [u8; 29] =
    [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// The version of the game, by the television that it was made for. What differs between the two is asked of the region
/// (the-game.md 9.2); all other rules are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Region {
    /// 60.1 frames a second.
    #[default]
    Ntsc,
    /// 50 frames a second.
    Pal,
}

impl Region {
    /// Returns the number of frames for which a direction is held before it repeats.
    #[inline]
    #[must_use]
    pub const fn das_full(self) -> u8 {
        match self {
            Self::Ntsc => DAS_FULL,
            Self::Pal => 12,
        }
    }

    /// Returns the value of the auto-repeat counter after a repeat: the next one comes 6 frames later, or 4 on PAL.
    #[inline]
    #[must_use]
    pub const fn das_repeat(self) -> u8 {
        match self {
            Self::Ntsc => DAS_REPEAT,
            Self::Pal => 8,
        }
    }

    /// Returns the value of `autorepeat_y` when a game starts: the first piece hangs for 96 frames, or 76 on PAL.
    #[must_use]
    pub const fn first_piece_delay(self) -> u8 {
        match self {
            Self::Ntsc => FIRST_PIECE_DELAY,
            Self::Pal => 0xB4,
        }
    }

    /// Returns the first frame after power-on in which the legal screen accepts Start: it sleeps 255 frames, or 204 on
    /// PAL.
    #[must_use]
    pub const fn legal_start(self) -> usize {
        match self {
            Self::Ntsc => 266,
            Self::Pal => 266 - (255 - 204),
        }
    }

    /// Returns the number of frames a second.
    #[must_use]
    pub const fn frames_per_second(self) -> f64 {
        match self {
            Self::Ntsc => 60.098_813_897_440_5,
            Self::Pal => 50.007,
        }
    }

    /// Returns what the region is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ntsc => "NTSC",
            Self::Pal => "PAL",
        }
    }
}

/// The level from which on a piece falls two rows a frame, where the double killscreen is played.
pub const DOUBLE_KILLSCREEN: u8 = 39;

/// How fast pieces fall at which level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum FallRule {
    /// As in the NTSC version: one row a frame from level 29 on.
    #[default]
    Ntsc,
    /// As in the PAL version: one row a frame from level 19 on.
    Pal,
    /// As in the NTSC version, but two rows a frame from [`DOUBLE_KILLSCREEN`] on: a rule of competitions that no cartridge
    /// has, so it is played on the model only.
    DoubleKillscreen,
}

impl FallRule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ntsc, Self::Pal, Self::DoubleKillscreen];

    /// Returns the rule of an NTSC game with or without the double killscreen.
    #[must_use]
    pub const fn with_double_killscreen(double: bool) -> Self {
        if double { Self::DoubleKillscreen } else { Self::Ntsc }
    }

    /// Returns the version of the game whose other rules hold.
    #[inline]
    #[must_use]
    pub const fn region(self) -> Region {
        match self {
            Self::Ntsc | Self::DoubleKillscreen => Region::Ntsc,
            Self::Pal => Region::Pal,
        }
    }

    /// Returns the number of frames between two drops at `level`.
    #[inline]
    #[must_use]
    pub const fn gravity(self, level: u8) -> u8 {
        match self {
            Self::Ntsc | Self::DoubleKillscreen => gravity(level),
            Self::Pal if level < 29 => PAL_GRAVITY[level as usize],
            Self::Pal => 1,
        }
    }

    /// Returns the number of rows that a drop takes a piece down at `level`: 1 or 2.
    #[inline]
    #[must_use]
    pub const fn rows_per_drop(self, level: u8) -> u8 {
        if matches!(self, Self::DoubleKillscreen) && level >= DOUBLE_KILLSCREEN { 2 } else { 1 }
    }

    /// Returns the NTSC level at which pieces fall as fast as at this level, or the next faster one. What was learned or
    /// measured by level on NTSC is asked for by it.
    #[inline]
    #[must_use]
    pub const fn ntsc_level(self, level: u8) -> u8 {
        const SAME: [u8; 19] = [3, 4, 4, 5, 6, 6, 7, 8, 9, 10, 13, 13, 13, 16, 16, 16, 19, 19, 19];
        match (self, level) {
            (Self::Pal, 0..19) => SAME[level as usize],
            (Self::Pal, 19..29) => 29,
            _ => level,
        }
    }
}

impl From<Region> for FallRule {
    fn from(region: Region) -> Self {
        match region {
            Region::Ntsc => Self::Ntsc,
            Region::Pal => Self::Pal,
        }
    }
}

/// The number of frames for which a direction is held before it repeats.
pub const DAS_FULL: u8 = 16;
/// The value of the auto-repeat counter after a repeat, so that the next one comes 6 frames later.
pub const DAS_REPEAT: u8 = 10;
/// The value of `autorepeat_y` when a game starts. It counts up to 0 and holds the first piece for 96 frames.
pub const FIRST_PIECE_DELAY: u8 = 0xA0;

/// Returns the frames from the failed drop to the first control frame of the next piece, if no line clears (the-game.md
/// 3.5): 11 on the floor, 19 at the top.
#[inline]
pub const fn entry_delay(lock_row: u8) -> u8 {
    let top = lock_row.saturating_sub(2);
    let draws = (20 - top).div_ceil(4);
    2 * draws + 9
}
