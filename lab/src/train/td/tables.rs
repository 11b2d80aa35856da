//! [`Tables`]: what is learned, one weight for each entry and next piece, with the step size of each.

use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use maxout_engine::eval::ntuple::{BASE_SPEEDS, LANES, NetworkOf, TableList, parent};
use maxout_rules::Piece;
use prefetch_index::prefetch_index;

/// Value of every afterstate before anything is learned, in tetrises.
pub(super) const OPTIMISM: f32 = 4.0;
/// Shared tables of the list `L`. Threads read and write them without locks; a lost update is noise among noise.
pub struct Tables<L> {
    pub(super) weights: Vec<AtomicU32>,
    pub(super) error_sum: Vec<AtomicU32>,
    pub(super) error_size: Vec<AtomicU32>,
    list: PhantomData<L>,
}

#[inline]
pub(super) fn get(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Relaxed))
}

#[inline]
pub(super) fn set(cell: &AtomicU32, value: f32) {
    cell.store(value.to_bits(), Relaxed);
}

impl<L: TableList> Default for Tables<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: TableList> Tables<L> {
    /// Number of weights.
    pub const WEIGHTS: usize = L::ENTRIES * LANES;
    /// A weight before anything is learned.
    pub(in crate::train) const HOPE: f32 = OPTIMISM / L::PATTERNS as f32;

    /// Tables that know nothing and hope.
    pub fn new() -> Self {
        Self::of(std::iter::empty(), Self::HOPE)
    }

    /// Tables that begin with these weights, entry by entry. What comes behind them is `rest`.
    pub fn of(weights: impl Iterator<Item = f32>, rest: f32) -> Self {
        let cell = |value: f32| AtomicU32::new(value.to_bits());
        let zeros = || (0..Self::WEIGHTS).map(|_| cell(0.0)).collect();
        let weights = weights.chain(std::iter::repeat(rest)).take(Self::WEIGHTS).map(cell).collect();
        Self { weights, error_sum: zeros(), error_size: zeros(), list: PhantomData }
    }

    /// Has the weights of an afterstate brought from memory to the cache.
    pub(super) fn ask(&self, at: &L::Indices) {
        for &entry in at.as_ref() {
            // The lanes of an entry may lie on two lines of the cache.
            let from = entry as usize * LANES;
            prefetch_index(&self.weights, from);
            prefetch_index(&self.weights, from + LANES - 1);
        }
    }

    /// Values of an afterstate for each next piece.
    // This crate is built in parts that do not inline each other's code: chains of iterators took twice as long here.
    pub(super) fn values(&self, at: &L::Indices) -> [f32; LANES] {
        let mut sum = [0.0; LANES];
        for &entry in at.as_ref() {
            let from = entry as usize * LANES;
            let cells = &self.weights[from..from + LANES];
            for lane in 0..LANES {
                sum[lane] += get(&cells[lane]);
            }
        }
        sum
    }

    pub(in crate::train) fn value(&self, at: &[u32], next: Piece) -> f32 {
        at.iter().map(|&entry| get(&self.weights[entry as usize * LANES + next as usize])).sum()
    }

    /// Moves the value towards what it should be by the error. At a speed with tables of its own only these learn. The step is
    /// |sum of the errors| / (sum of their sizes + `patience`) of the error; without patience, the first step is whole.
    pub(super) fn learn(&self, at: &[u32], next: Piece, error: f32, patience: f32) {
        let own = at.iter().filter(|&&entry| L::is_own(entry as usize)).count();
        let step = error / if own > 0 { own } else { L::PATTERNS } as f32;
        for &entry in at.iter().filter(|&&entry| own == 0 || L::is_own(entry as usize)) {
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
        L::spread(|from, to| {
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
        L::spread_to(speed, |from, to| {
            for lane in 0..LANES {
                set(&self.weights[to * LANES + lane], get(&self.weights[from * LANES + lane]));
            }
        });
    }

    /// Whether a weight is what it was before anything was learned, to the last bit.
    fn is_hope(weight: f32) -> bool {
        weight.to_bits() == Self::HOPE.to_bits()
    }

    /// Whether tables of the speed's own are other than hope.
    fn has_learned(&self, speed: usize) -> bool {
        let mut learned = false;
        L::spread_to(speed, |_, own| learned |= !Self::is_hope(get(&self.weights[own * LANES])));
        learned
    }

    /// Takes over these weights, of which there must be [`Tables::WEIGHTS`]; the step sizes stay. What was never touched
    /// keeps its hope to the last bit, which a mean may not.
    pub fn assign(&self, weights: &[f32]) {
        let touched = self.weights.iter().zip(weights).filter(|(cell, _)| !Self::is_hope(get(cell)));
        touched.for_each(|(cell, &weight)| set(cell, weight));
    }

    /// The weights, entry by entry.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.weights.iter().map(get)
    }

    /// What was learned, rounded for play; `by_height` as in the last of [`super::StageRules`] they learned by.
    pub fn network(&self, by_height: bool) -> NetworkOf<L> {
        self.network_of(&self.weights().collect::<Vec<_>>(), by_height)
    }

    /// `weights` (as many as these tables have) rounded for play. Where these tables were never touched there is
    /// nothing but hope: that becomes 0. Play always tells bands of max heights apart, so what was learned for all of
    /// them, not `by_height`, is given to each.
    pub fn network_of(&self, weights: &[f32], by_height: bool) -> NetworkOf<L> {
        let learned = |(own, &weight): (f32, &f32)| if Self::is_hope(own) { 0.0 } else { weight };
        let mut learned: Vec<f32> = self.weights().zip(weights).map(learned).collect();
        if !by_height {
            L::spread(|from, to| learned.copy_within(from * LANES..(from + 1) * LANES, to * LANES));
        }
        let last = (1..L::SPEEDS).rfind(|&speed| self.has_learned(speed)).unwrap_or(0);
        for speed in (1..L::SPEEDS).filter(|&speed| !self.has_learned(speed)) {
            L::spread_to(speed, |from, to| learned.copy_within(from * LANES..(from + 1) * LANES, to * LANES));
        }
        learned.truncate(L::entries_of(BASE_SPEEDS.clamp(last + 1, L::SPEEDS)) * LANES);
        NetworkOf::from_weights(&learned)
    }

    /// All three tables as bytes, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(3 * 4 * Self::WEIGHTS);
        // Memory takes everything.
        let _ = self.blocks(&mut |block| {
            bytes.extend_from_slice(block);
            Ok(())
        });
        bytes
    }

    /// Gives these bytes block by block: together they are half a gigabyte.
    pub(in crate::train) fn blocks(&self, give: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        [&self.weights, &self.error_sum, &self.error_size]
            .into_iter()
            .try_for_each(|table| blocks(table.iter().map(|cell| cell.load(Relaxed)), give))
    }

    /// Tables from [`Tables::to_bytes`]; `None` if the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (cells, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || cells.len() != 3 * Self::WEIGHTS {
            return None;
        }
        let part = |i: usize| {
            cells[i * Self::WEIGHTS..(i + 1) * Self::WEIGHTS]
                .iter()
                .map(|&bytes| AtomicU32::new(u32::from_le_bytes(bytes)))
                .collect()
        };
        Some(Self { weights: part(0), error_sum: part(1), error_size: part(2), list: PhantomData })
    }
}

/// Gives numbers as bytes, little-endian, in blocks of 64 KiB.
pub(in crate::train) fn blocks(
    mut numbers: impl ExactSizeIterator<Item = u32>,
    give: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut block = vec![0; 1 << 16];
    while numbers.len() > 0 {
        let size = block.len().min(4 * numbers.len());
        for (bytes, number) in block[..size].as_chunks_mut::<4>().0.iter_mut().zip(&mut numbers) {
            *bytes = number.to_le_bytes();
        }
        give(&block[..size])?;
    }
    Ok(())
}
