//! One game from its first control frame to its stop: [`play`], and what it came to ([`Outcome`]).
//!
//! The same loop drives every host, so a game on the model and on the console differ in nothing but the host.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::game::danger::{Health, WATCH_LEVEL};
use crate::game::{Opening, PlayState, Score, line_points};
use crate::host::ram::Snapshot;
use crate::host::{Host, HostError};
use crate::input::{Buttons, InputLog};
use crate::pilot::{Counts, Pilot};
use crate::player::Mind;
use crate::search::clairvoyant::Goal;

/// When a game is finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// At the clear that reaches level 29.
    Level29,
    /// When the stack reaches the top.
    TopOut,
    /// At the clear that reaches this many lines.
    Lines(u32),
}

impl Stop {
    fn is_reached(self, now: &Snapshot) -> bool {
        match self {
            Self::Level29 => now.level >= 29,
            Self::TopOut => false,
            Self::Lines(lines) => now.lines >= lines,
        }
    }
}

impl From<Stop> for Goal {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Level29 => Self::Level29,
            Stop::TopOut => Self::Never,
            Stop::Lines(lines) => Self::Lines(lines),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level29 => f.write_str("level29"),
            Self::TopOut => f.write_str("topout"),
            Self::Lines(lines) => write!(f, "lines:{lines}"),
        }
    }
}

/// Text that names no stop.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("unknown stop {0:?}: expected level29, topout or lines:N with N from 1 to 3300")]
pub struct ParseStopError(String);

impl FromStr for Stop {
    type Err = ParseStopError;

    fn from_str(text: &str) -> Result<Self, ParseStopError> {
        match text {
            "level29" => Ok(Self::Level29),
            "topout" => Ok(Self::TopOut),
            _ => text
                .strip_prefix("lines:")
                .and_then(|n| n.parse().ok())
                .filter(|n| (1..=3300).contains(n))
                .map(Self::Lines)
                .ok_or_else(|| ParseStopError(text.to_owned())),
        }
    }
}

/// What a game came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Points as the game would have given them without its cap.
    pub score: u64,
    /// The same without soft drop.
    pub line_points: u64,
    /// Points as the game shows them.
    pub shown_score: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Level at the end.
    pub level: u8,
    /// Clears by size, singles first.
    pub clears: [u32; 4],
    /// Pieces locked.
    pub pieces: u32,
    /// Frames from the first control frame to the stop.
    pub frames: u64,
    /// Whether the stack reached the top.
    pub topped_out: bool,
    /// Whether the stop was reached.
    pub reached_stop: bool,
    /// Whether the game itself failed, as the unmodified game can from level 154 on.
    pub crashed: bool,
    /// The pilot's counts.
    pub counts: Counts,
    /// CPU time of the decisions.
    pub thinking: Duration,
    /// The buttons of those frames.
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
        /// Control frame.
        frame: u64,
        /// What RAM C0 says.
        mode: u8,
    },
    /// No piece locked for a long time.
    #[error("no piece locked for {frames} frames: the game hangs in play state {play_state:02x}")]
    Hangs {
        /// Frames since the last lock.
        frames: u64,
        /// What RAM 68 says.
        play_state: u8,
    },
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Frames without a lock after which a game counts as hanging; the slowest fall takes about 1,060.
const WATCHDOG: u64 = 3_000;

/// Something that looks on: called after every frame with the host, and true to go on.
pub type Watcher<'a, H> = dyn FnMut(&H, &Snapshot, Buttons) -> bool + 'a;

/// Plays from the end of the init frame to `stop` or the top. `watch` sees each frame and may end the game
/// by answering false.
pub fn play<H: Host>(
    host: &mut H,
    mind: &mut Mind,
    opening: Opening,
    stop: Stop,
    watch: &mut Watcher<'_, H>,
) -> Result<Outcome, SessionError> {
    let mut pilot = Pilot::new(mind, opening);
    let mut outcome = Outcome::default();
    let mut score = Score::default();
    let mut last_lock = 0;
    let mut now = host.snapshot();
    loop {
        let buttons = pilot.buttons(&now, &mut |tried| host.probe(tried).unwrap_or(Health::Crashed));
        host.step(buttons)?;
        let after = host.snapshot();
        pilot.verify(&after);
        outcome.frames += 1;
        outcome.log.push(buttons);
        if scored(&now, &after) {
            let rows = now.completed_lines.min(4);
            score.add_lock(rows, after.level, now.hold_down_points, false);
            outcome.line_points += line_points(rows, after.level);
            if rows > 0 {
                outcome.clears[usize::from(rows) - 1] += 1;
            }
            outcome.pieces += 1;
            last_lock = outcome.frames;
        }
        if !watch(host, &after, buttons) {
            return Err(SessionError::Interrupted);
        }
        outcome.topped_out =
            matches!(PlayState::from_byte(after.play_state), Some(PlayState::Curtain | PlayState::Finished));
        outcome.reached_stop = stop.is_reached(&after) || stop == Stop::TopOut && outcome.topped_out;
        let failure = failure(&after, outcome.frames, outcome.frames - last_lock);
        // From the dangerous levels on a failure is a way for a game to end, not a fault of the machine.
        outcome.crashed = failure.is_some() && after.level >= WATCH_LEVEL;
        if outcome.topped_out || outcome.reached_stop || outcome.crashed {
            if let (true, Some(reason)) = (outcome.crashed, failure) {
                log::warn!("level {}, {} lines: {reason}", after.level, after.lines);
            }
            outcome.score = score.value();
            outcome.shown_score = after.score;
            outcome.lines = after.lines;
            outcome.level = after.level;
            outcome.counts = pilot.counts();
            outcome.thinking = pilot.thinking();
            return Ok(outcome);
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        now = after;
    }
}

/// Why a game cannot go on.
fn failure(now: &Snapshot, frame: u64, since_lock: u64) -> Option<SessionError> {
    if now.game_mode != 4 {
        return Some(SessionError::LeftPlay { frame, mode: now.game_mode });
    }
    (since_lock > WATCHDOG).then_some(SessionError::Hangs { frames: since_lock, play_state: now.play_state })
}

/// Whether this frame ran the game's scoring step (game.md 3.4, state 5).
fn scored(before: &Snapshot, after: &Snapshot) -> bool {
    after.play_state == PlayState::Goal as u8 && before.play_state != PlayState::Goal as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_read_as_they_print() {
        for text in ["level29", "topout", "lines:1390"] {
            assert_eq!(text.parse::<Stop>().expect("a stop").to_string(), text);
        }
        assert!("lines:0".parse::<Stop>().is_err());
        assert!("forever".parse::<Stop>().is_err());
    }
}
