//! Which placements a search may see at all: [`Filter`].
//!
//! Filters see where pieces lock, not the way there.

use std::fmt::Debug;

use maxout_rules::{Board, Placement};

/// A rule about where pieces may lock. Its `Debug` text says which rule it is: shards of one batch have the same.
pub trait Filter: Debug + Send + Sync {
    /// Leaves of the placements on `board` those that the filter allows.
    fn sift(&self, board: &Board, placements: &mut Vec<Placement>);

    /// Compares `board` with the picture that the filter builds; `None` if it builds none.
    fn likeness(&self, _board: &Board) -> Option<Likeness> {
        None
    }
}

/// How far a board is a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Likeness {
    /// Cells of the picture that are solid.
    pub filled: u32,
    /// Cells of the picture.
    pub wanted: u32,
    /// Solid cells outside it.
    pub stray: u32,
}

impl Likeness {
    /// Cells that are as the picture wants them, solid or empty; compares two boards.
    pub fn right(self) -> i64 {
        200 - i64::from(self.wanted) + i64::from(self.filled) - i64::from(self.stray)
    }
}
