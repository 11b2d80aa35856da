//! `SimpleTetris`: whole-number weights with one piece, and three hand-made evaluations with two.

use crate::eval::{Dellacherie, SimpleTetris};
use maxout_engine::eval::Evaluator;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Moves;
use maxout_engine::player::{Entry, Policy};
use maxout_engine::search::{OnePiece, Ties, TwoPiece};

pub(super) const INTENDED: Entry = Entry::search(
    "simple-tetris",
    1,
    "SimpleTetris, six features with whole weights, as its text says",
    Limits::ONE_PER_ROW,
    |moves| one(Dellacherie::WHOLE, moves),
);
pub(super) const CODED: Entry = Entry::search(
    "simple-tetris-coded",
    1,
    "the same as its program computes: no holes, clears punished",
    Limits::ONE_PER_ROW,
    |moves| one(Dellacherie::WHOLE_AS_CODED, moves),
);
pub(super) const A: Entry = Entry::search(
    "simple-tetris-a",
    2,
    "SimpleTetris' two pieces: rows and height",
    Limits::ONE_PER_ROW,
    |moves| two(SimpleTetris::A, moves),
);
pub(super) const B: Entry =
    Entry::search("simple-tetris-b", 2, "the same and holes", Limits::ONE_PER_ROW, |moves| {
        two(SimpleTetris::B, moves)
    });
pub(super) const C: Entry =
    Entry::search("simple-tetris-c", 2, "the same and the surface", Limits::ONE_PER_ROW, |moves| {
        two(SimpleTetris::C, moves)
    });

fn one(eval: Dellacherie, moves: Moves) -> Box<dyn Policy> {
    Box::new(OnePiece::new(eval, moves, Ties::First))
}

fn two(eval: impl Evaluator + Send + 'static, moves: Moves) -> Box<dyn Policy> {
    Box::new(TwoPiece::new(eval, moves))
}
