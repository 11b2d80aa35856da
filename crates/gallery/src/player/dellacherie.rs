//! P. Dellacherie's player and El-Tetris, with one piece and with two.

use crate::eval::Dellacherie;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Moves;
use maxout_engine::player::{Entry, Policy};
use maxout_engine::search::{OnePiece, Ties, TwoPiece};

pub(super) const GAPS: Entry = Entry::search(
    "dellacherie",
    1,
    "P. Dellacherie, six features; a gap is one hole however tall",
    Limits::ONE_PER_ROW,
    |moves| one(Dellacherie::GAPS, moves),
);
pub(super) const GAPS_2: Entry =
    Entry::search("dellacherie-2", 2, "the same with two pieces", Limits::ONE_PER_ROW, |moves| {
        two(Dellacherie::GAPS, moves)
    });
pub(super) const CELLS: Entry = Entry::search(
    "dellacherie-cells",
    1,
    "P. Dellacherie, every covered cell a hole",
    Limits::ONE_PER_ROW,
    |moves| one(Dellacherie::CELLS, moves),
);
pub(super) const CELLS_2: Entry =
    Entry::search("dellacherie-cells-2", 2, "the same with two pieces", Limits::ONE_PER_ROW, |moves| {
        two(Dellacherie::CELLS, moves)
    });
pub(super) const EL_TETRIS: Entry = Entry::search(
    "el-tetris",
    1,
    "El-Tetris, the same features with other weights",
    Limits::ONE_PER_ROW,
    |moves| one(Dellacherie::EL_TETRIS, moves),
);
pub(super) const EL_TETRIS_2: Entry =
    Entry::search("el-tetris-2", 2, "the same with two pieces", Limits::ONE_PER_ROW, |moves| {
        two(Dellacherie::EL_TETRIS, moves)
    });

fn one(eval: Dellacherie, moves: Moves) -> Box<dyn Policy> {
    Box::new(OnePiece::new(eval, moves, Ties::Priority))
}

fn two(eval: Dellacherie, moves: Moves) -> Box<dyn Policy> {
    Box::new(TwoPiece::new(eval, moves).with_ties(Ties::Priority))
}
