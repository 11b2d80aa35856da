//! [`timeline`]: where each piece of a recorded game went.

use thiserror::Error;

use super::Record;
use crate::result::{Figure, GameResult, HostKind};
use crate::timeline::Timeline;
use maxout_rules::danger::WATCH_LEVEL;
use maxout_rules::input::InputLog;

/// Why a record has no timeline.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TimelineError {
    /// The game was read from a video or a recording.
    #[error("read from a {0}, which holds no buttons; expected a run that was played")]
    NoButtons(HostKind),
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
    /// The log leads to another result than the record states.
    #[error("the button log leads to {what} {got} on the model, expected {want} as recorded")]
    Differs {
        /// Which number.
        what: &'static str,
        /// What the model says.
        got: u64,
        /// What the record says.
        want: u64,
    },
}

/// Plays the log of `record` on the rules. Fails if the numbers of the result differ from the recorded ones.
pub fn timeline(record: &Record, log: &InputLog) -> Result<Timeline, TimelineError> {
    if record.host.is_read() {
        return Err(TimelineError::NoButtons(record.host));
    }
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
    // A machine that failed stands still after the last piece that it scored.
    let GameResult { crashed, pieces, .. } = record.result;
    let (timeline, result) = Timeline::film_until(record.start(), buttons, |scored, game| {
        crashed && game.progress.level >= WATCH_LEVEL && scored >= pieces as usize
    });
    for ((what, got), (_, want)) in result.columns().into_iter().zip(record.result.columns()) {
        if let (Figure::Count(got), Figure::Count(want)) = (got, want)
            && got != want
        {
            return Err(TimelineError::Differs { what, got, want });
        }
    }
    Ok(timeline)
}
