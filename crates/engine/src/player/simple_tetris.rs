//! `SimpleTetris`: whole-number weights with one piece, and three hand-made evaluations with two.

use super::{Chooser, Entry};
use crate::eval::{Dellacherie, Evaluator, SimpleTetris};
use crate::limits::Limits;
use crate::movegen::Moves;
use crate::search::{OnePiece, Ties, TwoPiece};

const fn entry(
    name: &'static str,
    plies: u8,
    source: &'static str,
    make: fn(Moves) -> Box<dyn Chooser>,
) -> Entry {
    Entry::search(name, plies, source, Limits::ONE_PER_ROW, make)
}

pub(super) const INTENDED: Entry =
    entry("simple-tetris", 1, "SimpleTetris, six features with whole weights, as its text says", |moves| {
        one(Dellacherie::WHOLE, moves)
    });
pub(super) const CODED: Entry =
    entry("simple-tetris-coded", 1, "the same as its program computes: no holes, clears punished", |moves| {
        one(Dellacherie::WHOLE_AS_CODED, moves)
    });
pub(super) const A: Entry =
    entry("simple-tetris-a", 2, "SimpleTetris' two pieces: rows and height", |moves| {
        two(SimpleTetris::A, moves)
    });
pub(super) const B: Entry =
    entry("simple-tetris-b", 2, "the same and holes", |moves| two(SimpleTetris::B, moves));
pub(super) const C: Entry =
    entry("simple-tetris-c", 2, "the same and the surface", |moves| two(SimpleTetris::C, moves));

fn one(eval: Dellacherie, moves: Moves) -> Box<dyn Chooser> {
    Box::new(OnePiece::new(eval, moves, Ties::First))
}

fn two(eval: impl Evaluator + Send + 'static, moves: Moves) -> Box<dyn Chooser> {
    Box::new(TwoPiece::new(eval, moves))
}
