//! Which game the frames show.

use std::fmt;

use serde::Serialize;

use super::ChampsFrame;
use crate::words::{count, number};

/// One game, as a display has shown it. Fields that no frame reports are `None`. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ChampsSummary {
    /// Number of the game.
    pub game: u32,
    /// Frames.
    pub frames: usize,
    /// Time from the first frame to the last.
    pub milliseconds: u64,
    /// Score, as last shown; 1,600,000 more for each time that the display began at 0 again.
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
        let steady = |number: fn(&ChampsFrame) -> Option<u32>, most: u32| {
            steady(&frames.iter().filter_map(number).collect::<Vec<u32>>(), most)
        };
        let lines = steady(|frame| frame.lines, 8);
        let level = steady(|frame| frame.level, 4);
        let score = steady(|frame| frame.score, u32::MAX);
        let pieces = steady(appeared, 8);
        let time = |frame: Option<&ChampsFrame>| frame.map_or(0, |frame| frame.time_ms);
        Self {
            game: frames.first().map_or(0, |frame| frame.game),
            frames: frames.len(),
            milliseconds: time(frames.last()).saturating_sub(time(frames.first())),
            score: unwrapped(&score),
            lines: lines.last().copied(),
            tetrises: lines.windows(2).filter(|pair| pair[1] == pair[0].saturating_add(4)).count() as u32,
            start_level: level.first().copied(),
            level: level.last().copied(),
            pieces: pieces
                .last()
                .copied()
                .or_else(|| seen(frames))
                .map(|appeared| appeared.saturating_sub(1)),
        }
    }
}

/// Displays of cartridges without a cap begin at 0 again from this score on.
const WRAPS_AT: u32 = 1_600_000;
/// Values that a new value is compared with before it is believed.
const LATER: usize = 4;

/// The values without those that most of the next ones contradict: a misread number does not stay. A value that stays
/// counts once. `most` is by how much the next ones may be higher.
fn steady(values: &[u32], most: u32) -> Vec<u32> {
    let mut steady: Vec<u32> = Vec::new();
    for (at, &value) in values.iter().enumerate() {
        if steady.last() == Some(&value) {
            continue;
        }
        let later = &values[at + 1..values.len().min(at + 1 + LATER)];
        let agree = later.iter().filter(|&&later| later >= value && later - value <= most).count();
        // A step at the very end has nothing after it that could confirm it.
        let small = steady.last().is_none_or(|&last| value >= last && value - last <= most);
        if 2 * agree > later.len() || later.is_empty() && small {
            steady.push(value);
        }
    }
    steady
}

/// The last score, with what a display lost each time that it began at 0 again.
fn unwrapped(score: &[u32]) -> Option<u32> {
    let wraps = score.windows(2).filter(|pair| pair[0] > pair[1] && pair[0] - pair[1] > WRAPS_AT / 2).count();
    score.last().map(|&last| last.saturating_add(WRAPS_AT.saturating_mul(wraps as u32)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_misread_for_a_frame_or_two_does_not_count() {
        assert_eq!(steady(&[0, 0, 4, 0, 0, 0, 0, 4, 4, 4, 4], 8), [0, 4]);
        assert_eq!(steady(&[7, 7, 7, 99, 99, 7, 7, 7, 8, 8], 8), [7, 8]);
        assert_eq!(steady(&[99, 1, 1, 1, 1, 1, 1, 3], 8), [1, 3], "the last step needs no other frame");
        assert_eq!(steady(&[1, 1, 1, 1, 1, 900], 8), [1]);
        assert_eq!(steady(&[], 8), [0u32; 0]);
    }

    #[test]
    fn scores_that_begin_at_0_again_go_on() {
        assert_eq!(unwrapped(&[1_599_000, 23_052]), Some(1_623_052));
        assert_eq!(unwrapped(&[10, 1_590_000, 4_000, 1_599_999, 572_380]), Some(3_772_380));
        assert_eq!(unwrapped(&[999_999, 999_999]), Some(999_999));
        assert_eq!(unwrapped(&[]), None);
    }
}
