//! Where each piece of a recorded game went: [`timeline`] plays the button log on the rules, which are exact,
//! and checks the end against the record.

use serde_json::{Value, json};
use thiserror::Error;

use super::run::Record;
use maxout_rules::input::InputLog;
use maxout_rules::{Piece, Seed};

pub use maxout_host::timeline::{GameTotals, LockEvent, Move, Timeline};

/// Why a record has no timeline.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TimelineError {
    /// No game starts on this level.
    #[error("start level {0}, expected 0 to 19")]
    StartLevel(u8),
    /// The log is shorter than the way through the menus.
    #[error("the button log has {frames} frames, expected more than the {menu} frames of menus")]
    Short {
        /// Frames of the log.
        frames: usize,
        /// Frames of menus that the record promises.
        menu: u64,
    },
    /// The log leads somewhere else.
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

/// Plays the log of `record` on the rules. Fails if the end is not the recorded one.
pub fn timeline(record: &Record, log: &InputLog) -> Result<Timeline, TimelineError> {
    if record.start_level > 19 {
        return Err(TimelineError::StartLevel(record.start_level));
    }
    let buttons = usize::try_from(record.menu_frames)
        .ok()
        .and_then(|menu| log.frames().get(menu..))
        .ok_or(TimelineError::Short { frames: log.len(), menu: record.menu_frames })?;
    let (timeline, totals) = Timeline::film(Seed::new(record.seed).start(record.start_level), buttons);
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

/// The placements as JSON for other programs (docs/reference/formats.md).
pub fn to_json(timeline: &Timeline) -> Value {
    let locks: Vec<Value> = timeline.locks.iter().map(lock_json).collect();
    let in_air = timeline.last_spawn.and_then(|_| timeline.pieces.get(timeline.locks.len()));
    json!({
        "frames": timeline.buttons.len(),
        "in_air": in_air.map(Piece::to_string),
        "next": timeline.pieces.last().map(Piece::to_string),
        "locks": locks,
    })
}

fn lock_json(lock: &LockEvent) -> Value {
    let rows = lock.board_after.visible().iter();
    let drawn = |row: &u16| (0..10).map(|c| if row >> c & 1 == 1 { '#' } else { '.' }).collect::<String>();
    json!({
        "spawned": lock.spawned,
        "locked": lock.locked,
        "frame": lock.frame,
        "piece": lock.piece.to_string(),
        "orientation": lock.orientation.0,
        "x": lock.x,
        "y": lock.y,
        "rows_cleared": lock.rows_cleared,
        "score": lock.score,
        "line_points": lock.line_points,
        "lines": lock.lines,
        "level": lock.level,
        "next": lock.next.to_string(),
        "board_after": rows.map(drawn).collect::<Vec<_>>(),
    })
}
