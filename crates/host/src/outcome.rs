//! What was played ([`GameOutcome`]), or why there is no outcome ([`SessionError`]). They are public in [`crate::session`].

use std::time::Duration;

use thiserror::Error;

use crate::HostError;
use crate::pilot::PilotCounts;
use maxout_record::result::{GameResult, Lock};
use maxout_rules::input::InputLog;

/// A game that was played: its result, and how it came about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameOutcome {
    /// The result.
    pub result: GameResult,
    /// Each piece that locked, in order; without those of which the lock was not seen, as when a game fails.
    pub locks: Vec<Lock>,
    /// The number of frames from the first control frame to the stop.
    pub frames: u64,
    /// The numbers that the pilot counted.
    pub counts: PilotCounts,
    /// The CPU time of the decisions.
    pub thinking: Duration,
    /// The time that the game took by the wall clock.
    pub wall: Duration,
    /// The buttons of the frames from the first control frame to the stop.
    pub log: InputLog,
}

/// Why a game has no outcome.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The host failed.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The game left play without topping out.
    #[error("the game left play in frame {frame}: game mode {mode:02x}, expected 04")]
    LeftPlay {
        /// The control frame.
        frame: u64,
        /// The byte that RAM holds for the game mode (C0).
        mode: u8,
    },
    /// The machine does not hold what follows from the play.
    #[error("frame {frame}: {what} {got}, expected {expected}: game memory was modified externally")]
    Tampered {
        /// The control frame.
        frame: u64,
        /// What differs.
        what: &'static str,
        /// The value that should be there.
        expected: String,
        /// The value that is there.
        got: String,
    },
    /// The game would go on forever.
    #[error("the game was not over after {0} frames")]
    Endless(u64),
    /// No piece locked for a long time.
    #[error("no piece locked for {frames} frames: the game hangs in play state {play_state:02x}")]
    Hangs {
        /// The number of frames since the last lock.
        frames: u64,
        /// The byte that RAM holds for the play state (68).
        play_state: u8,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}
