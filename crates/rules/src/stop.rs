//! [`Stop`]: when a game is finished.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::Progress;

/// When a game is finished. Every game also ends when it tops out.
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
    /// Whether the game is finished, unless it ends by a top-out.
    pub fn is_reached(self, now: Progress) -> bool {
        match self {
            Self::Level29 => now.level >= 29,
            Self::Lines(lines) => now.lines() >= lines,
            Self::TopOut => false,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level29 => f.write_str("level29"),
            Self::Lines(lines) => write!(f, "lines:{lines}"),
            Self::TopOut => f.write_str("topout"),
        }
    }
}

/// The error that a text does not name a stop.
#[derive(Debug, PartialEq, Eq)]
pub struct ParseStopError(String);

impl fmt::Display for ParseStopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown stop {:?}: expected level29, topout or lines:N with N from 1 to 3300", self.0)
    }
}

impl Error for ParseStopError {}

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

impl serde::Serialize for Stop {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Stop {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
