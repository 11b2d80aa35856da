//! M. Birken's bot of 2018, with its own fingers and with ours.

use super::{Chooser, EVERY_FRAME, Entry, Make, ONE_PER_ROW};
use crate::eval::terms;
use crate::movegen::{InputRule, Moves};
use crate::search::{OnePiece, Ties, TwoPiece};

pub(super) const PLATEAU17: Entry = Entry {
    name: "plateau17",
    plies: 2,
    source: "the 2018 evaluation on everything a controller can reach",
    limits: EVERY_FRAME,
    make: Make::Search(two_pieces, InputRule::EveryFrame),
};

pub(super) const BOT_2018: Entry = Entry {
    name: "meatfighter2018",
    plies: 2,
    source: "M. Birken 2018, one button per row, 17 terms and four rules",
    limits: ONE_PER_ROW,
    make: Make::Search(two_pieces, InputRule::OnePerRow),
};

pub(super) const BOT_2018_1: Entry = Entry {
    name: "meatfighter2018-1",
    plies: 1,
    source: "the same without the next piece",
    limits: ONE_PER_ROW,
    make: Make::Search(one_piece, InputRule::OnePerRow),
};

/// Players that play with [chosen](terms::choose) weights.
pub(super) const WITH_TERMS: [&str; 3] = [PLATEAU17.name, BOT_2018.name, BOT_2018_1.name];

fn two_pieces(moves: Moves) -> Box<dyn Chooser> {
    Box::new(TwoPiece::new(terms::in_use(), moves))
}

fn one_piece(moves: Moves) -> Box<dyn Chooser> {
    Box::new(OnePiece::new(terms::in_use(), moves, Ties::First))
}
