//! [`Tables`]: what is learned, one weight for each entry and next piece, with the step size of each.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use maxout_engine::eval::ntuple::{
    BASE_SPEEDS, ENTRIES, LANES, Network, PATTERNS, SPEEDS, entries_of, is_own, parent, spread, spread_to,
};
use maxout_rules::Piece;

/// Value of every afterstate before anything is learned, in tetrises.
pub(super) const OPTIMISM: f32 = 4.0;
/// A weight before anything is learned.
pub(super) const HOPE: f32 = OPTIMISM / PATTERNS as f32;
/// Shared tables. Threads read and write them without locks; a lost update is noise among noise.
pub struct Tables {
    pub(super) weights: Vec<AtomicU32>,
    pub(super) error_sum: Vec<AtomicU32>,
    pub(super) error_size: Vec<AtomicU32>,
}

#[inline]
pub(super) fn get(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Relaxed))
}

#[inline]
pub(super) fn set(cell: &AtomicU32, value: f32) {
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
        Self { weights: filled(HOPE), error_sum: filled(0.0), error_size: filled(0.0) }
    }

    /// The tables of a network that is ready to play. Speeds that it has no tables for know nothing.
    pub fn of(network: &Network) -> Self {
        let tables = Self::new();
        for (cell, weight) in tables.weights.iter().zip(network.weights()) {
            set(cell, weight);
        }
        tables
    }

    /// Values of an afterstate for each next piece.
    // This crate is built in parts that do not inline each other's code: chains of iterators took twice as long here.
    pub(super) fn values(&self, at: &[u32; PATTERNS]) -> [f32; LANES] {
        let mut sum = [0.0; LANES];
        for &entry in at {
            let from = entry as usize * LANES;
            let cells = &self.weights[from..from + LANES];
            for lane in 0..LANES {
                sum[lane] += get(&cells[lane]);
            }
        }
        sum
    }

    pub(super) fn value(&self, at: &[u32; PATTERNS], next: Piece) -> f32 {
        at.iter().map(|&entry| get(&self.weights[entry as usize * LANES + next as usize])).sum()
    }

    /// Moves the value towards what it should be by the error. At a speed with tables of its own only these learn. The step is
    /// |sum of the errors| / (sum of their sizes + `patience`) of the error; without patience, the first step is whole.
    pub(super) fn learn(&self, at: &[u32; PATTERNS], next: Piece, error: f32, patience: f32) {
        let own = at.iter().filter(|&&entry| is_own(entry as usize)).count();
        let step = error / if own > 0 { own } else { PATTERNS } as f32;
        for &entry in at.iter().filter(|&&entry| own == 0 || is_own(entry as usize)) {
            let cell = entry as usize * LANES + next as usize;
            let (sum, size) = (get(&self.error_sum[cell]), get(&self.error_size[cell]));
            let seen = size + patience;
            let rate = if seen > 0.0 { sum.abs() / seen } else { 1.0 };
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

    /// Gives every band of max heights what was learned for all of them, and forgets the step sizes.
    pub fn spread(&self) {
        self.restart_steps();
        spread(|from, to| {
            for lane in 0..LANES {
                set(&self.weights[to * LANES + lane], get(&self.weights[from * LANES + lane]));
            }
        });
    }

    /// Gives one of the speeds the tables of its [`parent`], if it has learned nothing yet.
    pub fn spread_to(&self, speed: usize) {
        if speed == 0 || self.has_learned(speed) {
            return;
        }
        self.spread_to(parent(speed));
        spread_to(speed, |from, to| {
            for lane in 0..LANES {
                set(&self.weights[to * LANES + lane], get(&self.weights[from * LANES + lane]));
            }
        });
    }

    /// Whether tables of the speed's own are other than hope.
    fn has_learned(&self, speed: usize) -> bool {
        let mut learned = false;
        spread_to(speed, |_, own| learned |= get(&self.weights[own * LANES]) != HOPE);
        learned
    }

    /// Takes over these weights, of which there must be [`Tables::WEIGHTS`]; the step sizes stay. What was never touched
    /// keeps its hope to the last bit, which a mean may not.
    pub fn assign(&self, weights: &[f32]) {
        let touched = self.weights.iter().zip(weights).filter(|(cell, _)| get(cell) != HOPE);
        touched.for_each(|(cell, &weight)| set(cell, weight));
    }

    /// Number of weights.
    pub const WEIGHTS: usize = ENTRIES * LANES;

    /// The weights, entry by entry.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.weights.iter().map(get)
    }

    /// What was learned, rounded for play; `by_height` as in the last of [`super::StageRules`] they learned by.
    pub fn network(&self, by_height: bool) -> Network {
        self.network_of(&self.weights().collect::<Vec<_>>(), by_height)
    }

    /// `weights` (as many as these tables have) rounded for play. Where these tables were never touched there is
    /// nothing but hope: that becomes 0. Play always tells bands of max heights apart, so what was learned for all of
    /// them, not `by_height`, is given to each.
    pub fn network_of(&self, weights: &[f32], by_height: bool) -> Network {
        let learned = |(own, &weight): (f32, &f32)| if own == HOPE { 0.0 } else { weight };
        let mut learned: Vec<f32> = self.weights().zip(weights).map(learned).collect();
        if !by_height {
            spread(|from, to| learned.copy_within(from * LANES..(from + 1) * LANES, to * LANES));
        }
        let last = (1..SPEEDS).rfind(|&speed| self.has_learned(speed)).unwrap_or(0);
        for speed in (1..SPEEDS).filter(|&speed| !self.has_learned(speed)) {
            spread_to(speed, |from, to| learned.copy_within(from * LANES..(from + 1) * LANES, to * LANES));
        }
        learned.truncate(entries_of(BASE_SPEEDS.max(last + 1)) * LANES);
        Network::from_weights(&learned)
    }

    /// All three tables as bytes, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 3 * 4 * Self::WEIGHTS];
        let cells = [&self.weights, &self.error_sum, &self.error_size].into_iter().flatten();
        for (bytes, cell) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(cells) {
            *bytes = cell.load(Relaxed).to_le_bytes();
        }
        bytes
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
