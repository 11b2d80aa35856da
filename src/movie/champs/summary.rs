//! Which game the frames show.

use std::fmt;

use serde::Serialize;

use super::ChampsFrame;
use crate::words::{count, number};

/// One game, as a display has shown it. What no frame tells is none. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ChampsSummary {
    /// Number of the game.
    pub game: u32,
    /// Frames.
    pub frames: usize,
    /// Time from the first frame to the last.
    pub milliseconds: u64,
    /// Score, as last shown.
    pub score: Option<u32>,
    /// Lines, as last shown.
    pub lines: Option<u32>,
    /// Times that the lines grew by four.
    pub tetrises: u32,
    /// Level, as first shown.
    pub start_level: Option<u32>,
    /// Level, as last shown.
    pub level: Option<u32>,
    /// Pieces that had locked when the last one appeared.
    pub pieces: Option<u32>,
}

impl ChampsSummary {
    /// The games of a file, in its order.
    pub fn of_all(frames: &[ChampsFrame]) -> Vec<Self> {
        frames.chunk_by(|one, next| one.game == next.game).map(Self::of).collect()
    }

    fn of(frames: &[ChampsFrame]) -> Self {
        let last = |number: fn(&ChampsFrame) -> Option<u32>| frames.iter().rev().find_map(number);
        let lines: Vec<u32> = frames.iter().filter_map(|frame| frame.lines).collect();
        let time = |frame: Option<&ChampsFrame>| frame.map_or(0, |frame| frame.time_ms);
        Self {
            game: frames.first().map_or(0, |frame| frame.game),
            frames: frames.len(),
            milliseconds: time(frames.last()).saturating_sub(time(frames.first())),
            score: last(|frame| frame.score),
            lines: lines.last().copied(),
            tetrises: lines.windows(2).filter(|pair| pair[1] == pair[0].saturating_add(4)).count() as u32,
            start_level: frames.iter().find_map(|frame| frame.level),
            level: last(|frame| frame.level),
            pieces: last(appeared).or_else(|| seen(frames)).map(|appeared| appeared.saturating_sub(1)),
        }
    }
}

/// Pieces that have appeared, by the counts.
fn appeared(frame: &ChampsFrame) -> Option<u32> {
    frame.counts.iter().copied().sum()
}

/// Pieces that have appeared, by the field: four cells more than before, the cells of cleared lines apart.
fn seen(frames: &[ChampsFrame]) -> Option<u32> {
    let cells = |frame: &ChampsFrame| frame.field.iter().filter(|&&cell| cell > 0).count() as u32;
    let first = frames.first()?;
    let (mut settled, mut lines, mut count) = (cells(first), first.lines?, 1);
    for frame in frames {
        if let Some(now) = frame.lines {
            settled = settled.saturating_sub(10 * now.saturating_sub(lines));
            lines = now;
        }
        if cells(frame) == settled + 4 {
            settled += 4;
            count += 1;
        }
    }
    Some(count)
}

impl fmt::Display for ChampsSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = |value: Option<u32>| value.map_or_else(|| "unknown".to_owned(), number);
        let counted = |value: Option<u32>, thing: &str| {
            value.map_or_else(|| format!("unknown {thing}s"), |value| count(value, thing))
        };
        write!(
            f,
            "from level {}: score {}, {}, {}, level {}, {}, {} in {}.{:03} s",
            known(self.start_level),
            known(self.score),
            counted(self.lines, "line"),
            count(self.tetrises, "tetris"),
            known(self.level),
            counted(self.pieces, "piece"),
            count(self.frames as u64, "frame"),
            number(self.milliseconds / 1000),
            self.milliseconds % 1000
        )
    }
}
