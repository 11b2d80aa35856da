//! The Qt robot: it packs one piece as tightly as possible, and a coin is its tie-break.

use crate::eval::Packing;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Moves;
use maxout_engine::player::{Entry, Policy};
use maxout_engine::search::{OnePiece, Ties};

/// The seed of the coin; any number would do. The coin depends on it and on the board.
const COIN: u64 = 2;

const fn entry(name: &'static str, source: &'static str, make: fn(Moves) -> Box<dyn Policy>) -> Entry {
    Entry::search(name, 1, source, Limits::ONE_PER_ROW, make)
}

pub(super) const PUBLISHED: Entry =
    entry("packing", "the Qt robot, with the column slip of its program", |moves| robot(false, moves));
pub(super) const MENDED: Entry =
    entry("packing-mended", "the Qt robot without that slip", |moves| robot(true, moves));

fn robot(mended: bool, moves: Moves) -> Box<dyn Policy> {
    Box::new(OnePiece::new(Packing { mended }, moves, Ties::Coin(COIN)))
}
