//! M. Birken's bot of 2014. In games without gravity its pieces move down only on command.

use crate::eval::Meatfighter2014;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Moves;
use maxout_engine::player::{Entry, Policy};
use maxout_engine::search::TwoPiece;

pub(super) const CODED: Entry = Entry::search(
    "meatfighter2014",
    2,
    "M. Birken 2014, six terms, wells as his program counts them",
    Limits::ONE_PER_ROW,
    |moves| two_pieces(Meatfighter2014::CODED, moves),
);

pub(super) const TEXT: Entry = Entry::search(
    "meatfighter2014-text",
    2,
    "the same, wells as his text defines them",
    Limits::ONE_PER_ROW,
    |moves| two_pieces(Meatfighter2014::TEXT, moves),
);

pub(super) const GAMEPAD: Entry = Entry::search(
    "gamepad2014",
    2,
    "the same as coded, by his search of controller states under gravity",
    Limits::CONTROLLER_STATES,
    |moves| two_pieces(Meatfighter2014::CODED, moves),
);

pub(super) const FALLS: Entry = Entry::search(
    "rotate-shift-drop",
    2,
    "M. Birken 2014, turned and shifted at the top, then let fall",
    Limits::EACH_BUTTON,
    falls,
);

fn falls(moves: Moves) -> Box<dyn Policy> {
    let straight = match moves {
        Moves::Pad(_) | Moves::StraightPad(_) | Moves::Top => Moves::Top,
        Moves::Drops | Moves::Commands => Moves::Drops,
    };
    Box::new(TwoPiece::new(Meatfighter2014::CODED, straight))
}

fn two_pieces(eval: Meatfighter2014, moves: Moves) -> Box<dyn Policy> {
    let moves = if moves == Moves::Drops { Moves::Commands } else { moves };
    Box::new(TwoPiece::new(eval, moves))
}
