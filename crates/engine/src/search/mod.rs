//! Searches: which placement to play, by an evaluator of [`crate::eval`].
//!
//! Start with [`OnePiece::best`], [`TwoPiece::best`] and [`Expectimax::best`]. [`clairvoyant::Beam`] plays with
//! knowledge of the piece generator. This
//! module depends on the rules, the input limits, the move generator, the placement-level game and the evaluators; it does
//! not depend on players or hosts.

mod aggression;
pub mod clairvoyant;
mod expectimax;
mod one_piece;
mod parameters;
mod ties;
mod two_piece;

pub use aggression::{Aggression, ParseAggressionError};
pub use expectimax::{Expectimax, PlacementValue, Weighed};
pub use one_piece::OnePiece;
pub use parameters::{ExpectimaxParameters, Foresight, LAST_LINES, Ply, Widths};
pub use ties::Ties;
pub use two_piece::{PairChoice, TwoPiece};
