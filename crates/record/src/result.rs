//! The result of a game: its [`GameResult`], and the locks that led there ([`Lock`]).

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use thiserror::Error;

use crate::text::quoted;
use maxout_rules::{Game, Placement};

/// What ran a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HostKind {
    /// The emulator.
    Console,
    /// The model.
    Model,
    /// A machine whose pictures were read from a video: no buttons are known.
    Video,
    /// A machine whose score display was recorded: no buttons are known.
    Recording,
}

impl HostKind {
    /// The name in file formats.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Console => "console",
            Self::Model => "model",
            Self::Video => "video",
            Self::Recording => "recording",
        }
    }

    /// Whether the game was read from what a machine showed. Its placements are kept, it has no button log, and nothing can
    /// verify it.
    pub const fn is_read(self) -> bool {
        matches!(self, Self::Video | Self::Recording)
    }
}

/// What people read.
impl fmt::Display for HostKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Console => "emulator",
            Self::Model => "model",
            Self::Video => "video",
            Self::Recording => "recording",
        })
    }
}

/// The error that a text does not name a host.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("host {}, expected \"console\", \"model\", \"video\" or \"recording\"", quoted(.0))]
pub struct ParseHostError(String);

impl FromStr for HostKind {
    type Err = ParseHostError;

    fn from_str(text: &str) -> Result<Self, ParseHostError> {
        let all = [Self::Console, Self::Model, Self::Video, Self::Recording];
        all.into_iter().find(|host| host.name() == text).ok_or_else(|| ParseHostError(text.to_owned()))
    }
}

impl Serialize for HostKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for HostKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct GameResult {
    /// Whether the stop was reached.
    pub reached_stop: bool,
    /// Whether the game topped out.
    pub topped_out: bool,
    /// Whether the game itself failed, as the unmodified game can from level 154 on; false in older records.
    #[serde(default)]
    pub crashed: bool,
    /// The score as the game would have counted it without its cap, with soft drop.
    pub score: u64,
    /// The points from lines alone, without the cap.
    pub line_points: u64,
    /// The score as the game shows it.
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
    pub const fn count_lock(&mut self, rows: u8) {
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
