//! Temporal-difference learning of [`crate::eval::ntuple`] from nothing, by self-play.
//!
//! An endless game at one gravity, rewards in tetrises, 0.99 per piece. The value of a stack is learned for each
//! next piece; the policy that plays is greedy in it, so it knows the preview. Targets are expectations over the
//! piece that follows. Tables start optimistic, or nothing is learned; step sizes are those of temporal
//! coherence (Beal and Smith 1999): each weight by |sum of its errors| / sum of their sizes.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::eval::ntuple::{ENTRIES, LANES, Network, PATTERNS, indices, odds};
use crate::game::{Board, Piece};
use crate::movegen::{InputRule, Placement, Start, placements};

/// Discount per piece.
pub const GAMMA: f32 = 0.99;
/// Value of every stack before anything is learned, in tetrises.
const OPTIMISM: f32 = 4.0;
/// Reward by lines cleared, in tetrises.
pub const REWARD: [f32; 5] = [0.0, 1.0 / 30.0, 1.0 / 12.0, 0.25, 1.0];

/// Shared tables. Threads read and write them without locks; a lost update is noise among noise.
pub struct Tables {
    weights: Vec<AtomicU32>,
    error_sum: Vec<AtomicU32>,
    error_size: Vec<AtomicU32>,
}

fn get(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Relaxed))
}

fn set(cell: &AtomicU32, value: f32) {
    cell.store(value.to_bits(), Relaxed);
}

impl Default for Tables {
    fn default() -> Self {
        Self::new()
    }
}

impl Tables {
    /// Tables that know nothing and hope.
    pub fn new() -> Self {
        let filled =
            |value: f32| (0..ENTRIES * LANES).map(|_| AtomicU32::new(value.to_bits())).collect::<Vec<_>>();
        Self { weights: filled(OPTIMISM / PATTERNS as f32), error_sum: filled(0.0), error_size: filled(0.0) }
    }

    /// Values of a stack for each next piece.
    fn values(&self, at: &[u32; PATTERNS]) -> [f32; LANES] {
        let mut sum = [0.0; LANES];
        for &entry in at {
            let from = entry as usize * LANES;
            for (sum, cell) in sum.iter_mut().zip(&self.weights[from..from + LANES]) {
                *sum += get(cell);
            }
        }
        sum
    }

    fn value(&self, at: &[u32; PATTERNS], next: Piece) -> f32 {
        at.iter().map(|&entry| get(&self.weights[entry as usize * LANES + next as usize])).sum()
    }

    fn learn(&self, at: &[u32; PATTERNS], next: Piece, error: f32) {
        let step = error / PATTERNS as f32;
        for &entry in at {
            let cell = entry as usize * LANES + next as usize;
            let (sum, size) = (get(&self.error_sum[cell]), get(&self.error_size[cell]));
            let rate = if size > 0.0 { sum.abs() / size } else { 1.0 };
            set(&self.weights[cell], get(&self.weights[cell]) + rate * step);
            set(&self.error_sum[cell], sum + error);
            set(&self.error_size[cell], size + error.abs());
        }
    }

    /// Forgets the step sizes: learning goes on as if all errors were new.
    pub fn restart_steps(&self) {
        for cell in self.error_sum.iter().chain(&self.error_size) {
            set(cell, 0.0);
        }
    }

    /// What was learned, rounded for play. Weights that were never touched still hold nothing but hope: they
    /// become 0.
    pub fn network(&self) -> Network {
        let touched = |(weight, size): (&AtomicU32, &AtomicU32)| {
            if get(size) > 0.0 { get(weight) } else { 0.0 }
        };
        let weights: Vec<f32> = self.weights.iter().zip(&self.error_size).map(touched).collect();
        Network::from_weights(&weights)
    }

    /// All three tables as bytes, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.weights, &self.error_sum, &self.error_size]
            .into_iter()
            .flatten()
            .flat_map(|cell| cell.load(Relaxed).to_le_bytes())
            .collect()
    }

    /// Tables from [`Tables::to_bytes`]; `None` if the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (cells, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || cells.len() != 3 * ENTRIES * LANES {
            return None;
        }
        let part = |i: usize| {
            cells[i * ENTRIES * LANES..(i + 1) * ENTRIES * LANES]
                .iter()
                .map(|&bytes| AtomicU32::new(u32::from_le_bytes(bytes)))
                .collect()
        };
        Some(Self { weights: part(0), error_sum: part(1), error_size: part(2) })
    }
}

/// What a learner counted.
#[derive(Default)]
pub struct Progress {
    /// Pieces placed.
    pub pieces: AtomicU64,
    /// Lines cleared.
    pub lines: AtomicU64,
    /// Lines cleared four at a time.
    pub tetris_lines: AtomicU64,
    /// Games lost.
    pub deaths: AtomicU64,
}

/// Small fast random numbers (xorshift64*, Vigna 2016); enough for sampling pieces.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u32 << 24) as f32
    }

    fn piece_after(&mut self, last: Piece) -> Piece {
        let mut left = self.roll();
        for piece in Piece::ALL {
            left -= odds(last)[piece as usize];
            if left < 0.0 {
                return piece;
            }
        }
        Piece::I
    }
}

/// Plays `pieces` pieces from an empty board at the speed of `level` and learns from each. One thread of it with
/// one seed is deterministic. Ends early when `stop` becomes true.
pub fn learn(tables: &Tables, level: u8, seed: u64, pieces: u64, progress: &Progress, stop: &AtomicBool) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut board = Board::EMPTY;
    let mut here = indices(&board);
    let mut piece = dice.piece_after(Piece::O);
    let mut reachable: Vec<Placement> = Vec::new();
    let mut after: Vec<(Board, [u32; PATTERNS], u8)> = Vec::new();
    for _ in 0..pieces {
        if stop.load(Relaxed) {
            return;
        }
        placements(&board, &Start::spawn(piece, level), InputRule::EveryFrame, &mut reachable);
        after.clear();
        let mut best = [(0.0f32, usize::MAX); 7];
        for placement in &reachable {
            let mut next = board;
            let lines = next.lock(placement.x, placement.y, placement.id).min(4);
            let at = indices(&next);
            let values = tables.values(&at);
            for (best, value) in best.iter_mut().zip(values) {
                let total = REWARD[usize::from(lines)] + GAMMA * value.max(0.0);
                if best.1 == usize::MAX || total > best.0 {
                    *best = (total, after.len());
                }
            }
            after.push((next, at, lines));
        }
        let target: f32 = best.iter().zip(odds(piece)).map(|(best, odds)| best.0 * odds).sum();
        tables.learn(&here, piece, target - tables.value(&here, piece));
        let next_piece = dice.piece_after(piece);
        progress.pieces.fetch_add(1, Relaxed);
        if let Some((next, at, lines)) = after.get(best[next_piece as usize].1) {
            (board, here) = (*next, *at);
            progress.lines.fetch_add(u64::from(*lines), Relaxed);
            if *lines == 4 {
                progress.tetris_lines.fetch_add(4, Relaxed);
            }
        } else {
            board = Board::EMPTY;
            here = indices(&board);
            progress.deaths.fetch_add(1, Relaxed);
        }
        piece = next_piece;
    }
}
