//! The Qt robot: one piece, packed as tightly as it goes, ties by a coin.

use super::{Chooser, Entry};
use crate::eval::Packing;
use crate::limits::Limits;
use crate::movegen::Moves;
use crate::search::{OnePiece, Ties};

/// Any number: the coin falls as it and the board say.
const COIN: u64 = 2;

const fn entry(name: &'static str, source: &'static str, make: fn(Moves) -> Box<dyn Chooser>) -> Entry {
    Entry::search(name, 1, source, Limits::ONE_PER_ROW, make)
}

pub(super) const PUBLISHED: Entry =
    entry("packing", "the Qt robot, with the column slip of its program", |moves| robot(false, moves));
pub(super) const MENDED: Entry =
    entry("packing-mended", "the Qt robot without that slip", |moves| robot(true, moves));

fn robot(mended: bool, moves: Moves) -> Box<dyn Chooser> {
    Box::new(OnePiece::new(Packing { mended }, moves, Ties::Coin(COIN)))
}
