//! Lines and levels of a game that was read: counted, and the start level from how fast pieces fall.

use crate::decode::{FRAME_MS, ReadGame};
use maxout_rules::{Progress, gravity};

/// Levels that people start on, the most usual first; of levels with the same speed the first is taken.
const USUAL: [u8; 30] = [
    18, 19, 29, 0, 9, 15, 12, 10, 16, 5, 8, 7, 6, 4, 3, 2, 1, 11, 13, 14, 17, 20, 21, 22, 23, 24, 25, 26, 27,
    28,
];
/// What a piece that falls faster than expected speaks against a level, beside one that falls slower: players push pieces down.
const PUSHED: f32 = 0.1;
/// How much the time of a fall may be wrong, as a logarithm: half of what is between the speeds of two levels.
const NEAR: f32 = 0.09;
/// The most that one piece can speak against a level.
const MOST: f32 = 0.5;

impl ReadGame {
    /// The start level that the speed of the pieces tells, if any was seen to fall: of levels with the same speed, the one that
    /// people start on most.
    pub fn start_level(&self) -> Option<u8> {
        if !self.placements.iter().any(|placement| placement.fall_ms.is_some()) {
            return None;
        }
        let error = |start: u8| -> f32 {
            let falls = self.placements.iter().zip(self.progress(start));
            falls
                .filter_map(|(placement, progress)| {
                    let expected = FRAME_MS * f32::from(gravity(progress.level));
                    let apart = (placement.fall_ms?.max(1.0) / expected).ln();
                    let error = (apart.abs() - NEAR).max(0.0);
                    Some(if apart < 0.0 { PUSHED * error.min(MOST) } else { error.min(MOST) })
                })
                .sum()
        };
        let errors = USUAL.map(|start| (start, error(start)));
        let least = errors.iter().map(|(_, error)| *error).fold(f32::INFINITY, f32::min);
        errors.into_iter().find(|(_, error)| *error <= least * 1.02 + 0.01).map(|(start, _)| start)
    }

    /// Lines and level before each placement, if the game started on this level. Lines that were cleared in a gap are not counted.
    pub fn progress(&self, start_level: u8) -> Vec<Progress> {
        let mut now = Progress::at(0, start_level);
        let before = self.placements.iter().map(|placement| {
            let before = now;
            now.add_rows(placement.lines);
            before
        });
        before.collect()
    }
}
