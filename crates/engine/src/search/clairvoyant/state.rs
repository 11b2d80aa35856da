//! The state of a game at a spawn, as far as the future depends on it: [`State`], and the state after a landing.

use crate::movegen::{Landing, MAX_HOLD};
use maxout_rules::{Board, Generator, Piece, Progress, Score};

/// Everything at a spawn that decides which futures are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The board.
    pub board: Board,
    /// The piece in play.
    pub current: Piece,
    /// The piece in the next box.
    pub next: Piece,
    /// The piece generator.
    pub generator: Generator,
    /// The frame counter; its two low bits time the line clears.
    pub frame_counter: u16,
    /// Lines and level.
    pub progress: Progress,
    /// The last two digits of the score without its cap, 0–99. The points for soft drops depend on them.
    pub cents: u8,
}

/// Returns the frames from the failed drop to the spawn of the next piece (the-game.md 3.5). `frame_counter` is that of
/// the failed drop, and `y` is the row of the piece's centre.
pub(super) fn frames_to_spawn(y: u8, rows: u8, frame_counter: u16) -> u16 {
    let draws = u16::from((20 - y.saturating_sub(2)).div_ceil(4));
    let tested = 2 * draws + 3;
    if rows == 0 {
        return tested + 5;
    }
    let phase = frame_counter.wrapping_add(tested) & 3;
    tested + [17, 20, 19, 18][usize::from(phase)] + 5
}

/// The generator's register in each of the coming frames.
pub(super) struct Clock {
    registers: [u16; Self::FRAMES],
}

impl Clock {
    /// More frames than any piece takes whose lock frame is considered, clear included: 64 or 60 frames, then at most
    /// 38.
    const FRAMES: usize = 128;

    pub fn new(generator: &Generator) -> Self {
        let mut lfsr = generator.lfsr;
        let registers = std::array::from_fn(|_| {
            let now = lfsr.0;
            lfsr.clock();
            now
        });
        Self { registers }
    }

    /// Returns the generator `frames` frames later, before it picks a piece.
    pub fn after(&self, generator: &Generator, frames: u16) -> Generator {
        let mut later = *generator;
        if let Some(&register) = self.registers.get(usize::from(frames)) {
            later.lfsr.0 = register;
        } else {
            (0..frames).for_each(|_| later.lfsr.clock());
        }
        later
    }
}

/// The points for each number of soft-drop rows, by the last two digits of the score, and the digits afterwards.
pub(super) struct SoftDrop {
    points: Vec<[i32; MAX_HOLD]>,
}

impl SoftDrop {
    pub fn new() -> Self {
        let points = (0..100u8)
            .map(|cents| {
                let before = Score { digits: [((cents / 10) << 4) | (cents % 10), 0, 0], millions: 0 };
                std::array::from_fn(|hold| {
                    let mut after = before;
                    after.add_lock(0, 0, hold as u8, false);
                    after.value() as i32 - before.value() as i32
                })
            })
            .collect();
        Self { points }
    }

    /// Returns the points by number of rows.
    pub fn points(&self, cents: u8) -> &[i32; MAX_HOLD] {
        &self.points[usize::from(cents)]
    }
}

/// Returns the frames of a landing until the next spawn, including the control frames.
pub(super) fn spawn_after(landing: &Landing, rows: u8, frame_counter: u16) -> u16 {
    let at_lock = frame_counter.wrapping_add(landing.frame);
    landing.frame + frames_to_spawn(landing.placement.y, rows, at_lock)
}
