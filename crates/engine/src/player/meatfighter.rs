//! M. Birken's bot of 2018, with its own input limits and with ours.

use super::{Entry, Policy};
use crate::eval::Meatfighter;
use crate::limits::Limits;
use crate::movegen::Moves;
use crate::search::{OnePiece, Ties, TwoPiece};

pub(super) const PLATEAU17: Entry = Entry::terms(
    "plateau17",
    2,
    "the 2018 evaluation on everything a controller can reach",
    Limits::EACH_BUTTON,
    two_pieces,
);

pub(super) const BOT_2018: Entry = Entry::terms(
    "meatfighter2018",
    2,
    "M. Birken 2018, one button per row, 17 terms and four rules",
    Limits::ONE_PER_ROW,
    two_pieces,
);

pub(super) const BOT_2018_1: Entry =
    Entry::terms("meatfighter2018-1", 1, "the same without the next piece", Limits::ONE_PER_ROW, one_piece);

fn two_pieces(eval: Meatfighter, moves: Moves) -> Box<dyn Policy> {
    Box::new(TwoPiece::new(eval, moves))
}

fn one_piece(eval: Meatfighter, moves: Moves) -> Box<dyn Policy> {
    Box::new(OnePiece::new(eval, moves, Ties::First))
}
