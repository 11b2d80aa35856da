//! Searches: which placement to play, by an evaluator of [`crate::eval`].
//!
//! [`TwoPiece::best`] is the one function you want. Depends on rules, move generator and evaluators; knows
//! neither players nor consoles.

mod two_piece;

pub use two_piece::{Choice, TwoPiece};
