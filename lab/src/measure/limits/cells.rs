//! The cells of `maxout-lab limits`, each a tap speed and a reaction delay ([`HandsCell`], [`HandsGrid`]); the format in
//! which they are played ([`LimitsFormat`]); and what is kept of each game ([`HandsGame`]).

use maxout_rules::FallRule;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use maxout_engine::limits::{Limits, ParsePressesError, ParseReactionError, Presses, Reaction, TapTable};
use maxout_engine::player::Entry;
use maxout_host::batch::Finished;
use maxout_rules::Stop;

/// The most cells.
pub const MOST_CELLS: usize = 1_000;
/// The most games of all cells together. A game takes less than 100 bytes of memory.
pub const MOST_GAMES: u64 = 2_000_000;

/// How a game begins and when it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitsFormat {
    /// The start level, 0 to 19.
    pub start_level: u8,
    /// When a game ends.
    pub stop: Stop,
    /// How fast pieces fall.
    pub fall_rule: FallRule,
}

/// Tap speeds, each with the name under which its cells are shown.
///
/// ```
/// use maxout_lab::measure::limits::cells::TapSpeeds;
/// let speeds: TapSpeeds = "24hz,0,2,5,slow-5".parse().unwrap();
/// assert_eq!(speeds.names(), ["24hz", "0,2,5", "slow5"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TapSpeeds(Vec<(String, Presses)>);

/// Reaction delays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReactionDelays(Vec<Reaction>);

/// The error for a text that is not a list of tap speeds or reaction delays.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ParseHandsError {
    /// An item is not a tap speed.
    #[error(transparent)]
    Taps(#[from] ParsePressesError),
    /// An item is not a reaction delay.
    #[error(transparent)]
    Reaction(#[from] ParseReactionError),
    /// An item is in the list twice.
    #[error("{0} is listed twice, expected each once")]
    Twice(String),
}

/// Reads the presses of NTSC games, which the laboratory plays.
pub fn presses(text: &str) -> Result<Presses, ParsePressesError> {
    let presses: Presses = text.parse()?;
    if presses.only_on_pal() {
        // The rate before `+das` is to blame.
        text.split('+').next().unwrap_or_default().parse::<TapTable>()?;
    }
    Ok(presses)
}

impl TapSpeeds {
    /// Returns the names of the tap speeds, in order.
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }
}

impl FromStr for TapSpeeds {
    type Err = ParseHandsError;

    /// Reads tap speeds that are separated by commas. A 0 begins a table, to which the numbers after it belong.
    fn from_str(text: &str) -> Result<Self, ParseHandsError> {
        let mut items: Vec<String> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let number = |part: &str| part.parse::<u8>().ok();
            let table = |item: &&mut String| item.split(',').all(|part| number(part).is_some());
            let last = part.split_once('+').map_or(part, |(last, _)| last);
            match items.last_mut().filter(table).filter(|_| number(last).is_some_and(|n| n > 0)) {
                Some(table) => *table = format!("{table},{part}"),
                None => items.push(part.to_owned()),
            }
        }
        let mut speeds: Vec<(String, Presses)> = Vec::new();
        for item in items {
            let presses = presses(&item)?;
            let name = match presses {
                Presses::Table(table) => table.to_string(),
                Presses::Das(das) => das.to_string(),
                other => other.to_string(),
            };
            if speeds.iter().any(|(known, _)| *known == name) {
                return Err(ParseHandsError::Twice(name));
            }
            speeds.push((name, presses));
        }
        Ok(Self(speeds))
    }
}

impl ReactionDelays {
    /// Returns the number of delays.
    pub const fn count(&self) -> usize {
        self.0.len()
    }
}

impl FromStr for ReactionDelays {
    type Err = ParseHandsError;

    /// Reads reaction delays that are separated by commas.
    fn from_str(text: &str) -> Result<Self, ParseHandsError> {
        let mut delays = Vec::new();
        for part in text.split(',').map(str::trim) {
            let delay: Reaction = part.parse()?;
            if delays.contains(&delay) {
                return Err(ParseHandsError::Twice(delay.typed()));
            }
            delays.push(delay);
        }
        Ok(Self(delays))
    }
}

/// A cell: the games at one tap speed and one reaction delay.
#[derive(Clone, Debug)]
pub struct HandsCell {
    /// The limits in short, as in `20hz-18`; also the name of a folder.
    pub name: String,
    /// The name of the tap speed.
    pub taps: String,
    /// The reaction delay.
    pub reaction: Reaction,
    /// Whether the tap speed is a steady rate: equally spaced presses, or 24 Hz.
    pub is_rate: bool,
    /// The player, with the limits.
    pub player: Entry,
}

/// All cells.
#[derive(Clone, Debug)]
pub struct HandsGrid {
    /// The cells: one tap speed after the other, each with all delays. No two of them have the same limits.
    pub cells: Vec<HandsCell>,
}

/// The error for a player that does not take some input limits.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{player} does not take {limits}, expected --player maxout-fast or another on the learned value")]
pub struct FixedHandsError {
    /// The player's name.
    player: String,
    /// The limits.
    limits: Limits,
}

impl HandsGrid {
    /// Makes a cell of `player` for each tap speed with each delay.
    pub fn new(player: &Entry, taps: &TapSpeeds, delays: &ReactionDelays) -> Result<Self, FixedHandsError> {
        let mut cells = Vec::new();
        for (taps, presses) in &taps.0 {
            for &reaction in &delays.0 {
                let limits = Limits::new(*presses).with_reaction(reaction);
                let fixed = || FixedHandsError { player: player.name.to_string(), limits };
                cells.push(HandsCell {
                    name: format!("{taps}-{}", reaction.typed()),
                    taps: taps.clone(),
                    reaction,
                    is_rate: matches!(presses, Presses::Table(table) if table.is_rate()),
                    player: player.with_limits(limits).ok_or_else(fixed)?,
                });
            }
        }
        Ok(Self { cells })
    }
}

/// What is kept of a game. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsGame {
    /// The seed.
    pub seed: u64,
    /// The final score: points with soft drop, uncapped.
    pub score: u64,
    /// Points without soft drop, uncapped.
    pub line_points: u64,
    /// The number of lines.
    pub lines: u32,
    /// The level at the end.
    pub level: u8,
    /// The number of tetrises.
    pub tetrises: u32,
    /// Whether the game topped out.
    pub topped_out: bool,
    /// Whether it reached the stop.
    pub reached_stop: bool,
    /// The number of decisions.
    pub decisions: u64,
    /// The CPU time of the decisions, in microseconds.
    pub thinking_us: u64,
}

impl HandsGame {
    /// Returns what is kept of a finished game.
    pub fn of(game: &Finished) -> Self {
        let outcome = &game.outcome;
        Self {
            seed: game.seed,
            score: outcome.result.score,
            line_points: outcome.result.line_points,
            lines: outcome.result.lines,
            level: outcome.result.level,
            tetrises: outcome.result.tetrises,
            topped_out: outcome.result.topped_out,
            reached_stop: outcome.result.reached_stop,
            decisions: outcome.counts.decisions,
            thinking_us: outcome.thinking.as_micros().try_into().unwrap_or(u64::MAX),
        }
    }

    /// Whether the two games are equal, apart from the time that they took.
    pub fn is_same_as(&self, other: &Self) -> bool {
        Self { thinking_us: 0, ..*self } == Self { thinking_us: 0, ..*other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_gallery::find;

    fn speeds(text: &str) -> Result<TapSpeeds, ParseHandsError> {
        text.parse()
    }

    #[test]
    fn tables_stand_among_names_and_each_stands_once() {
        let names = |text| speeds(text).map(|speeds| speeds.names().join(" "));
        assert_eq!(names("0,2,5,0,7,20, X..,30hz").as_deref(), Ok("0,2,5 0,7,20 20hz 30hz"));
        assert_eq!(names("24HZ,20hz,X..X.X..,0,7+DAS,das").as_deref(), Ok("24hz 20hz X..X.X.. 0,7+das das"));
        for (text, culprit) in [
            ("30hz,X.", "30hz is listed twice"),
            ("X..X.,24hz", "24hz is listed twice"),
            ("30hz,", "\"\": expected a tap speed"),
            ("2,4", "\"2,4\": expected a tap speed"),
            ("0,3,30hz,4", "\"4\": expected a tap speed"),
            ("30hz,12.5hz", "\"12.5hz\": only the PAL version has this rate"),
            ("25hz+das", "\"25hz\": only the PAL version has this rate"),
        ] {
            let error = speeds(text).expect_err(text).to_string();
            assert!(error.starts_with(culprit), "{error}");
        }
        let delays = |text: &str| text.parse::<ReactionDelays>();
        assert!(delays("0,18,none-after-spawn").is_ok());
        assert_eq!(delays("18,0,18"), Err(ParseHandsError::Twice("18".to_owned())));
        assert!(delays("0,never").is_err());
    }

    #[test]
    fn each_tap_speed_has_a_cell_for_each_delay() {
        let player = find("maxout-fast").expect("a registered player");
        let taps = speeds("24hz,20hz,slow5").expect("speeds");
        let delays = "0,18".parse().expect("delays");
        let grid = HandsGrid::new(player, &taps, &delays).expect("it takes all limits");
        let cells: Vec<_> = grid.cells.iter().map(|cell| (&*cell.name, cell.is_rate)).collect();
        assert_eq!(cells[..4], [("24hz-0", true), ("24hz-18", true), ("20hz-0", true), ("20hz-18", true)]);
        assert_eq!(cells[4..], [("slow5-0", false), ("slow5-18", false)]);
        let player = find("plateau17").expect("a registered player");
        let error = HandsGrid::new(player, &taps, &delays).expect_err("a delay").to_string();
        assert!(error.starts_with("plateau17 does not take taps 24hz, reaction delay of 18"), "{error}");
    }
}
