//! M. Birken's bot of 2018, with its own input limits and with ours.

use crate::eval::Meatfighter;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Moves;
use maxout_engine::player::{Entry, Policy};
use maxout_engine::search::{OnePiece, Ties, TwoPiece};

pub(super) const PLATEAU17: Entry = Entry::search(
    "plateau17",
    2,
    "the 2018 evaluation on everything a controller can reach",
    Limits::EACH_BUTTON,
    two_pieces,
);

pub(super) const BOT_2018: Entry = Entry::search(
    "meatfighter2018",
    2,
    "M. Birken 2018, one button per row, 17 terms and four rules",
    Limits::ONE_PER_ROW,
    two_pieces,
);

pub(super) const BOT_2018_1: Entry =
    Entry::search("meatfighter2018-1", 1, "the same without the next piece", Limits::ONE_PER_ROW, one_piece);

fn two_pieces(moves: Moves) -> Box<dyn Policy> {
    Box::new(TwoPiece::new(Meatfighter::PUBLISHED, moves))
}

fn one_piece(moves: Moves) -> Box<dyn Policy> {
    Box::new(OnePiece::new(Meatfighter::PUBLISHED, moves, Ties::First))
}
