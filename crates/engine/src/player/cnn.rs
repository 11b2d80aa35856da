//! Players on the value of the convolutional network, with one piece and with two.

use super::{Chooser, Entry};
use crate::eval::Cnn;
use crate::limits::Limits;
use crate::movegen::Moves;
use crate::search::{OnePiece, Ties, TwoPiece};

const fn entry(
    name: &'static str,
    plies: u8,
    source: &'static str,
    make: fn(Moves) -> Box<dyn Chooser>,
) -> Entry {
    Entry::search(name, plies, source, Limits::EACH_BUTTON, make)
}

pub(super) const CNN: Entry =
    entry("cnn", 1, "a small convolutional network, learned from nothing by self-play", |moves| {
        Box::new(OnePiece::new(Cnn::embedded(), moves, Ties::First))
    });
pub(super) const CNN_2: Entry =
    entry("cnn-2", 2, "the same with two pieces", |moves| Box::new(TwoPiece::new(Cnn::embedded(), moves)));
