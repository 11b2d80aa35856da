//! Every tuned number of the searches.

/// How many possibilities an expectimax keeps at each ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Widths {
    /// Placements of the piece in play.
    pub first: usize,
    /// Stacks after the piece in play and the next one.
    pub pairs: usize,
    /// Placements of each unknown piece, by depth; the last depth is not narrowed, so its entry only says that
    /// it is there. Empty: only the two pieces that are seen.
    pub unknown: &'static [usize],
}

impl Widths {
    /// The default player's: three plies.
    pub const DEFAULT: Self = Self { first: 12, pairs: 16, unknown: &[0] };
    /// The deep player's: four plies.
    pub const DEEP: Self = Self { first: 12, pairs: 12, unknown: &[0, 2] };
    /// The quick player's: two plies.
    pub const FAST: Self = Self { first: 10, pairs: 0, unknown: &[] };
}
