//! The table entries of a value, found but not yet added up: [`Lookup`].

use super::MOST_PATTERNS;

/// The table entries whose sum is the value of a board at one speed.
///
/// To *ask* for a board's value ([`NetworkOf::ask`](super::NetworkOf::ask)) is to find its table entries and prefetch them: they
/// are on their way from memory to the cache while those of other boards are found. The tables (84 MB and more) do not fit in most
/// caches. Asking for eight boards before adding takes about two thirds as long as looking up and adding one board at a time
/// (lab/notebook/speed.md).
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// One entry per pattern. Slots beyond the list's patterns are unused.
    pub(super) at: [u32; MOST_PATTERNS],
    /// Whether they are those of the mirrored board, and so the values those of the mirrored pieces.
    pub(super) mirrored: bool,
}

impl Default for Lookup {
    fn default() -> Self {
        Self { at: [0; MOST_PATTERNS], mirrored: false }
    }
}

impl Lookup {
    /// Whether they are the entries of the mirrored board.
    pub(crate) const fn is_mirrored(&self) -> bool {
        self.mirrored
    }
}
