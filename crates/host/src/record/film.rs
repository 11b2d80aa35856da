//! [`timeline`]: where each piece of a recorded game went.

use thiserror::Error;

use super::Record;
use crate::timeline::{GameTotals, Timeline};
use maxout_rules::input::InputLog;

/// Why a record has no timeline.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TimelineError {
    /// No game starts on this level.
    #[error("start level {0}, expected 0 to 19")]
    StartLevel(u8),
    /// The record does not say how the game began.
    #[error(
        "seed {0} on a practice cartridge begins as its menus leave it, expected a seed gym:XXXXXX or a movie"
    )]
    UnknownStart(u64),
    /// The log is shorter than the way through the menus.
    #[error("the button log has {frames} frames, expected more than the {menu} frames of menus")]
    Short {
        /// Frames of the log.
        frames: usize,
        /// Frames of menus that the record promises.
        menu: u64,
    },
    /// The log leads to other totals than the record states.
    #[error("the button log leads to {what} {got} on the model, expected {want} as recorded")]
    Differs {
        /// Which total.
        what: &'static str,
        /// What the model says.
        got: u64,
        /// What the record says.
        want: u64,
    },
}

/// Plays the log of `record` on the rules. Fails if the totals at the end differ from the recorded ones.
pub fn timeline(record: &Record, log: &InputLog) -> Result<Timeline, TimelineError> {
    if record.start_level > record.edition().last_start_level() {
        return Err(TimelineError::StartLevel(record.start_level));
    }
    if !record.has_start() {
        return Err(TimelineError::UnknownStart(record.seed));
    }
    let buttons = usize::try_from(record.menu_frames)
        .ok()
        .and_then(|menu| log.frames().get(menu..))
        .ok_or(TimelineError::Short { frames: log.len(), menu: record.menu_frames })?;
    let (timeline, totals) = Timeline::film(record.start(), buttons);
    match totals.difference(&recorded(record)) {
        Some((what, got, want)) => Err(TimelineError::Differs { what, got, want }),
        None => Ok(timeline),
    }
}

/// The totals that the record states.
fn recorded(record: &Record) -> GameTotals {
    let Record { singles, doubles, triples, tetrises, .. } = *record;
    GameTotals {
        score: record.score,
        line_points: record.line_points,
        lines: record.lines.into(),
        level: record.level.into(),
        pieces: record.pieces.into(),
        clears: [singles, doubles, triples, tetrises].map(u64::from),
    }
}
