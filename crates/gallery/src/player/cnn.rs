//! Players on the value of the convolutional network, with one piece and with two.

use crate::eval::cnn::Cnn;
use maxout_engine::limits::Limits;
use maxout_engine::player::Entry;
use maxout_engine::search::{OnePiece, Ties, TwoPiece};

pub(super) const CNN: Entry = Entry::search(
    "cnn",
    1,
    "a small convolutional network, learned from nothing by self-play",
    Limits::EACH_BUTTON,
    |moves| Box::new(OnePiece::new(Cnn::embedded(), moves, Ties::First)),
);
pub(super) const CNN_2: Entry =
    Entry::search("cnn-2", 2, "the same with two pieces", Limits::EACH_BUTTON, |moves| {
        Box::new(TwoPiece::new(Cnn::embedded(), moves))
    });
