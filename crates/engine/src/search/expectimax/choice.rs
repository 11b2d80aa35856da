//! A choice between placements that is made when the piece after is known: [`Choice`].

use crate::eval::ntuple::odds;
use crate::search::parameters::REPLIES;
use maxout_rules::{Piece, Placement};

/// Placements of a piece, the most likely first.
pub(super) type Replies = [Option<Placement>; REPLIES];

/// The best of some placements of a piece, for each piece that may come after it: when a piece is placed, the next one is
/// seen already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    best: [f32; 7],
    at: [Option<Placement>; 7],
}

impl Default for Choice {
    fn default() -> Self {
        Self { best: [f32::MIN; 7], at: [None; 7] }
    }
}

impl Choice {
    /// Considers a placement that is worth this for each piece that may come after it. Of equals the first is kept.
    #[inline]
    pub fn offer(&mut self, placement: Placement, values: [f32; 7]) {
        for ((best, at), value) in self.best.iter_mut().zip(&mut self.at).zip(values) {
            if value > *best {
                (*best, *at) = (value, Some(placement));
            }
        }
    }

    /// Returns the value for each piece that may come after, or `None` if no placement was considered.
    pub fn values(&self) -> Option<[f32; 7]> {
        self.at[0].map(|_| self.best)
    }

    /// Returns the expected value before the piece after `piece` is known, or `None` if no placement was considered.
    #[inline]
    pub fn value(&self, piece: Piece) -> Option<f32> {
        self.at[0]?;
        Some(odds(piece).iter().zip(self.best).map(|(odds, value)| odds * value).sum())
    }

    /// Returns the placements that are best for some piece after `piece`, the most likely first, and how many they are.
    pub fn ranked(&self, piece: Piece) -> ([Option<Placement>; 7], usize) {
        let mut found: [(f32, Option<Placement>); 7] = [(0.0, None); 7];
        let mut count = 0;
        for (odds, at) in odds(piece).iter().zip(self.at).filter(|(_, at)| at.is_some()) {
            let known = found[..count].iter().position(|(_, other)| *other == at).unwrap_or(count);
            found[known] = (found[known].0 + odds, at);
            count = count.max(known + 1);
        }
        found[..count].sort_by(|a, b| b.0.total_cmp(&a.0));
        (found.map(|(_, at)| at), count)
    }

    /// Returns the most likely of [`Choice::ranked`].
    pub fn replies(&self, piece: Piece) -> Replies {
        let (ranked, _) = self.ranked(piece);
        std::array::from_fn(|at| ranked[at])
    }
}
