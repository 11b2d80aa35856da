//! A player with 40 combined actions: ten columns times four rotations, then the straight drop.
//!
//! An action that a wall cuts short ends where another action ends. So each straight drop is considered once, in the
//! order of the actions. An action for which gravity is too fast is left out.

use crate::eval::Dellacherie;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Moves;
use maxout_engine::player::{Entry, Policy};
use maxout_engine::search::{OnePiece, Ties};

pub(super) const MACRO_40: Entry = Entry::search(
    "macro40",
    1,
    "40 combined actions, El-Tetris' weights, landing by centre of mass",
    Limits::ONE_PER_ROW,
    policy,
);

fn policy(moves: Moves) -> Box<dyn Policy> {
    let straight = match moves {
        Moves::Pad(rule) | Moves::StraightPad(rule) => Moves::StraightPad(rule),
        Moves::Top => Moves::Top,
        Moves::Drops | Moves::Commands => Moves::Drops,
    };
    Box::new(OnePiece::new(Dellacherie::MACRO_40, straight, Ties::Leftmost))
}
