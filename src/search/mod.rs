//! Searches: which placement to play, by an evaluator of [`crate::eval`].
//!
//! [`TwoPiece::best`] and [`Expectimax::best`] are what you want, and [`clairvoyant::Beam`] for play that knows the
//! generator. Depends on rules, move generator and evaluators; knows
//! neither players nor consoles.

pub mod clairvoyant;
mod expectimax;
mod parameters;
mod two_piece;

pub use expectimax::{Expectimax, Ranked};
pub use parameters::{Foresight, Ply, Widths};
pub use two_piece::{Choice, TwoPiece};
