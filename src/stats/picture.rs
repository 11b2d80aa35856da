//! [`Closest`]: the moment in which a board was most like a picture.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::boards;
use crate::words::count;
use maxout_engine::movegen::{Filter, Likeness};
use maxout_record::result::Lock;
use maxout_rules::Board;

/// The best moment of a game, the first of equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Closest {
    /// How like the picture the board was.
    #[serde(flatten)]
    pub likeness: Likeness,
    /// Pieces locked until then.
    pub pieces: u64,
}

impl Closest {
    /// Of a game that has not begun; `None` if the filter builds no picture.
    pub fn new(filter: &dyn Filter) -> Option<Self> {
        Some(Self { likeness: filter.likeness(&Board::EMPTY)?, pieces: 0 })
    }

    /// The best moment of the game of `locks`.
    pub fn of(filter: &dyn Filter, locks: &[Lock]) -> Option<Self> {
        let mut closest = Self::new(filter)?;
        boards(locks).zip(1..).for_each(|(board, pieces)| closest.see(filter, &board, pieces));
        Some(closest)
    }

    /// Compares with `board` after this many pieces.
    pub fn see(&mut self, filter: &dyn Filter, board: &Board, pieces: u64) {
        let now = filter.likeness(board).map(|likeness| Self { likeness, pieces });
        *self = now.filter(|now| now.is_better(*self)).unwrap_or(*self);
    }

    /// The best moment of these games, each given with its seed; the first of equals.
    pub fn best(games: impl IntoIterator<Item = (u64, Self)>) -> Option<(u64, Self)> {
        games.into_iter().reduce(|best, game| if game.1.is_better(best.1) { game } else { best })
    }

    fn is_better(self, other: Self) -> bool {
        self.likeness.right() > other.likeness.right()
    }
}

impl fmt::Display for Closest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { likeness: Likeness { filled, wanted, stray }, pieces } = self;
        let share = 100.0 * f64::from(*filled) / f64::from((*wanted).max(1));
        let (wanted, stray) = (count(*wanted, "cell"), count(*stray, "other"));
        write!(f, "{filled} of {wanted} ({share:.1} %) and {stray}, after {}", count(*pieces, "piece"))
    }
}
