//! [`Closest`]: the moment in which a stack was most like a picture.

use std::fmt;

use super::boards;
use crate::game::Board;
use crate::movegen::{Likeness, Picture};
use crate::session::Lock;

/// The best moment of a game, the first of equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Closest {
    /// How like the stack was.
    pub likeness: Likeness,
    /// Pieces locked until then.
    pub pieces: usize,
}

impl Closest {
    /// The best moment of the game of `locks`.
    pub fn of(picture: &Picture, locks: &[Lock]) -> Self {
        let empty = Self { likeness: picture.judge(&Board::EMPTY), pieces: 0 };
        boards(locks).zip(1..).fold(empty, |best, (board, pieces)| {
            let likeness = picture.judge(&board);
            if likeness.right() > best.likeness.right() { Self { likeness, pieces } } else { best }
        })
    }
}

impl fmt::Display for Closest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { likeness: Likeness { filled, wanted, stray }, pieces } = self;
        let share = 100.0 * f64::from(*filled) / f64::from((*wanted).max(1));
        write!(f, "{filled} of {wanted} cells ({share:.1} %) and {stray} others, after {pieces} pieces")
    }
}
