//! M. Birken's bot of 2014. Without gravity its pieces move down on command only.

use super::{Chooser, EVERY_FRAME, Entry, Make, ONE_PER_ROW};
use crate::eval::Meatfighter2014;
use crate::movegen::{InputRule, Moves};
use crate::search::TwoPiece;

pub(super) const CODED: Entry = Entry {
    name: "meatfighter2014",
    plies: 2,
    source: "M. Birken 2014, six terms, wells as his program counts them",
    limits: ONE_PER_ROW,
    make: Make::Search(|moves| two_pieces(Meatfighter2014::CODED, moves), InputRule::OnePerRow),
};

pub(super) const TEXT: Entry = Entry {
    name: "meatfighter2014-text",
    plies: 2,
    source: "the same, wells as his text defines them",
    limits: ONE_PER_ROW,
    make: Make::Search(|moves| two_pieces(Meatfighter2014::TEXT, moves), InputRule::OnePerRow),
};

pub(super) const GAMEPAD: Entry = Entry {
    name: "gamepad2014",
    plies: 2,
    source: "the same as coded, by his search of controller states under gravity",
    limits: "each button for one frame, at most every second, no shift with Down, no reaction delay",
    make: Make::Taps(|moves| two_pieces(Meatfighter2014::CODED, moves)),
};

pub(super) const FALLS: Entry = Entry {
    name: "rotate-shift-drop",
    plies: 2,
    source: "M. Birken 2014, turned and shifted at the top, then let fall",
    limits: EVERY_FRAME,
    make: Make::Search(falls, InputRule::EveryFrame),
};

fn falls(moves: Moves) -> Box<dyn Chooser> {
    let straight = match moves {
        Moves::Pad(_) | Moves::StraightPad(_) | Moves::Top => Moves::Top,
        Moves::Taps | Moves::Drops | Moves::Commands => Moves::Drops,
    };
    Box::new(TwoPiece::new(Meatfighter2014::CODED, straight))
}

fn two_pieces(eval: Meatfighter2014, moves: Moves) -> Box<dyn Chooser> {
    let moves = if moves == Moves::Drops { Moves::Commands } else { moves };
    Box::new(TwoPiece::new(eval, moves))
}
