//! What a game may come to: when it stops ([`Stop`]), its [`GameResult`], what was played ([`GameOutcome`]), or why there is no
//! outcome ([`SessionError`]). They are public in [`crate::session`].

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::HostError;
use crate::pilot::PilotCounts;
use crate::text::quoted;
use maxout_engine::search::clairvoyant::Goal;
use maxout_rules::input::InputLog;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Game, Placement};

/// When a game is finished.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// The game ends at the clear that reaches level 29.
    Level29,
    /// The game ends at the clear that reaches this many lines.
    Lines(u32),
    /// The game ends when it tops out.
    TopOut,
}

impl Stop {
    pub(crate) fn is_reached(self, now: &Snapshot) -> bool {
        match self {
            Self::Level29 => now.progress.level >= 29,
            Self::TopOut => false,
            Self::Lines(lines) => now.progress.lines() >= lines,
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

/// The error that a text does not name a stop.
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

/// What ran a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HostKind {
    /// The emulator.
    Console,
    /// The model.
    Model,
}

impl fmt::Display for HostKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Console => "console",
            Self::Model => "model",
        })
    }
}

/// The error that a text does not name a host.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("host {}, expected \"console\" or \"model\"", quoted(.0))]
pub struct ParseHostError(String);

impl FromStr for HostKind {
    type Err = ParseHostError;

    fn from_str(text: &str) -> Result<Self, ParseHostError> {
        let all = [Self::Console, Self::Model];
        all.into_iter().find(|host| host.to_string() == text).ok_or_else(|| ParseHostError(text.to_owned()))
    }
}

/// Stops and hosts are written as their names.
#[cfg(feature = "serde")]
mod names {
    use super::{HostKind, Stop};
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Serialize, Serializer};

    macro_rules! by_name {
        ($($kind:ty),*) => { $(
            impl Serialize for $kind {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $kind {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
                }
            }
        )* };
    }

    by_name!(Stop, HostKind);
}

/// A piece that locked, and the result.
///
/// The board after each lock follows from the placements: lock them one after the other on an empty
/// [`maxout_rules::Board`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lock {
    /// The frame of play in which the piece was scored; the first frame is 1.
    pub frame: u64,
    /// Where the piece locked.
    pub placement: Placement,
    /// The number of lines that it cleared, 0 to 4.
    pub rows: u8,
    /// The level after the lock.
    pub level: u8,
    /// The score after the lock, without the game's cap and with soft drop.
    pub score: u64,
}

/// The result of a game. The names of its fields are those of every format that has them: the keys of JSON, the columns of
/// tables, the fields of Python.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameResult {
    /// Whether the stop was reached; false where it is not told.
    #[cfg_attr(feature = "serde", serde(default))]
    pub reached_stop: bool,
    /// Whether the game topped out.
    pub topped_out: bool,
    /// Whether the game itself failed, as the unmodified game can from level 154 on; false in older records.
    #[cfg_attr(feature = "serde", serde(default))]
    pub crashed: bool,
    /// The score as the game would have counted it without its cap, with soft drop.
    pub score: u64,
    /// The points from lines alone, without the cap.
    pub line_points: u64,
    /// The score as the game shows it; 0 where it is not told.
    #[cfg_attr(feature = "serde", serde(default))]
    pub shown_score: u32,
    /// The number of lines cleared.
    pub lines: u32,
    /// The level at the end.
    pub level: u8,
    /// The number of clears of one line.
    pub singles: u32,
    /// The number of clears of two lines.
    pub doubles: u32,
    /// The number of clears of three lines.
    pub triples: u32,
    /// The number of clears of four lines.
    pub tetrises: u32,
    /// The number of pieces that locked.
    pub pieces: u32,
}

impl GameResult {
    /// Counts a piece that locked and cleared this many lines, 0 to 4.
    pub(crate) const fn count_lock(&mut self, rows: u8) {
        self.pieces += 1;
        match rows {
            1 => self.singles += 1,
            2 => self.doubles += 1,
            3 => self.triples += 1,
            4 => self.tetrises += 1,
            _ => {}
        }
    }

    /// The numbers of singles, doubles, triples and tetrises.
    pub const fn clears(&self) -> [u32; 4] {
        [self.singles, self.doubles, self.triples, self.tetrises]
    }

    /// All columns: their names and their content.
    pub fn columns(&self) -> [(&'static str, Figure); 13] {
        macro_rules! columns {
            ($($name:ident: $kind:ident),*) => { [$((stringify!($name), Figure::$kind(self.$name.into()))),*] };
        }
        columns!(
            reached_stop: Flag, topped_out: Flag, crashed: Flag, score: Count, line_points: Count, shown_score: Count,
            lines: Count, level: Count, singles: Count, doubles: Count, triples: Count, tetrises: Count, pieces: Count
        )
    }
}

/// What a game came to by the rules, but for its clears and pieces, which it does not count. No stop is set.
impl From<&Game> for GameResult {
    fn from(game: &Game) -> Self {
        Self {
            topped_out: game.play_state.is_over(),
            score: game.full_score.value(),
            line_points: game.line_points,
            shown_score: game.score.value() as u32,
            lines: game.progress.lines(),
            level: game.progress.level,
            ..Self::default()
        }
    }
}

/// The content of a column of a [`GameResult`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    /// Yes or no.
    Flag(bool),
    /// A number.
    Count(u64),
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Count(count) => count.fmt(f),
        }
    }
}

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
