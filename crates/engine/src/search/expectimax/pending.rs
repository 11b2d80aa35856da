//! A leaf whose value is on its way: [`Asked`].

use crate::eval::ntuple::Lookup;

/// The number of leaves whose table entries are prefetched together. 6 to 16 are equally fast; 4 is slightly slower.
pub(super) const ASKED: usize = 8;

/// The lookups of a leaf: its table entries, found and being fetched into the cache ([`Lookup`]).
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Asked {
    /// Whether there are lines left that a better board could pay off in. Otherwise nothing else was asked for.
    pub counts: bool,
    /// Solid cells of the board.
    pub cells: u32,
    /// The present speed of fall.
    pub speed: usize,
    /// The next speed of fall and how much its value counts, if the change is near.
    pub change: Option<(usize, f32)>,
    /// At the present speed.
    pub now: Lookup,
    /// At the next speed; only valid if `change` is set.
    pub then: Lookup,
}
