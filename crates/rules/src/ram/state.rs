//! The state machines of a game in play: [`PlayState`] for the piece, [`FrameStage`] for the frame's logic.

use super::bytes::{GameMode, LogicStage, RamValue};
use serde::{Deserialize, Serialize};

/// What the game does with the piece in this frame (RAM 68).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum PlayState {
    /// The game is finished.
    Finished = 0,
    /// The player controls the piece.
    #[default]
    Control = 1,
    /// The piece is being locked.
    Lock = 2,
    /// Rows are tested for completeness, one in each frame.
    CheckRows = 3,
    /// The line-clear animation runs.
    ClearAnimation = 4,
    /// The lines, the level and the score are counted.
    Score = 5,
    /// The goal of B-type is tested; in A-type nothing happens.
    Goal = 6,
    /// The garbage of the two-player game is added; in other games nothing happens.
    Garbage = 7,
    /// The next piece spawns.
    Spawn = 8,
    /// The game never enters this state.
    Unused = 9,
    /// The game has topped out, and the curtain falls.
    Curtain = 0x0A,
    /// The game never enters this state.
    Skip = 0x0B,
}

impl PlayState {
    /// Whether the game has topped out, or ended altogether.
    #[inline]
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Curtain | Self::Finished)
    }

    /// Whether a game is under way: the piece is in control, locks, is counted or spawns.
    #[inline]
    #[must_use]
    pub const fn is_live(self) -> bool {
        !self.is_over() && !matches!(self, Self::Unused | Self::Skip)
    }

    /// Returns the state that this byte of RAM stands for.
    pub const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0 => Self::Finished,
            1 => Self::Control,
            2 => Self::Lock,
            3 => Self::CheckRows,
            4 => Self::ClearAnimation,
            5 => Self::Score,
            6 => Self::Goal,
            7 => Self::Garbage,
            8 => Self::Spawn,
            9 => Self::Unused,
            0x0A => Self::Curtain,
            0x0B => Self::Skip,
            _ => return None,
        })
    }
}

impl RamValue for PlayState {
    #[inline]
    fn from_byte(byte: u8) -> Option<Self> {
        Self::from_byte(byte)
    }

    #[inline]
    fn byte(self) -> u8 {
        self as u8
    }
}

/// Where the frame's logic is at the frame boundary (RAM A7 and BD).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum FrameStage {
    /// A complete frame of logic comes next.
    #[default]
    Running,
    /// Down, Left and Right were held, so that only the pause test comes next.
    Split,
    /// The game is paused.
    Paused,
    /// The game has left play by a soft reset, or because the player went on after the curtain.
    Left,
}

impl FrameStage {
    /// Returns the part of the program that runs, as RAM holds it (C0).
    #[inline]
    #[must_use]
    pub const fn game_mode(self) -> GameMode {
        match self {
            Self::Left => GameMode::LevelMenu,
            Self::Running | Self::Split | Self::Paused => GameMode::Play,
        }
    }

    /// Returns the stage that RAM holds (A7).
    #[inline]
    #[must_use]
    pub const fn logic_stage(self) -> LogicStage {
        match self {
            Self::Paused | Self::Split => LogicStage::PauseTest,
            Self::Running | Self::Left => LogicStage::Counters,
        }
    }
}
