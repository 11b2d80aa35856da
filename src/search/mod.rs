//! Searches: which placement to play, by an evaluator of [`crate::eval`].
//!
//! [`TwoPiece::best`] and [`Expectimax::best`] are what you want. Depends on rules, move generator and evaluators; knows
//! neither players nor consoles.

mod expectimax;
mod parameters;
mod two_piece;

pub use expectimax::{Expectimax, Ranked};
pub use parameters::{Ply, Widths};
pub use two_piece::{Choice, TwoPiece};
