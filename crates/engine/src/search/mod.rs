//! Searches: which placement to play, by an evaluator of [`crate::eval`].
//!
//! [`OnePiece::best`], [`TwoPiece::best`] and [`Expectimax::best`] are what you want, and [`clairvoyant::Beam`] for
//! play that knows the generator; [`average_rank`] and [`Playouts::average`] say what a board may come to. Depends on
//! rules, move generator, placement-level game and evaluators; knows neither players nor consoles.

mod averages;
pub mod clairvoyant;
mod expectimax;
mod one_piece;
mod parameters;
mod ties;
mod two_piece;

pub use averages::{Playouts, average_rank};
pub use expectimax::{Expectimax, Ranked};
pub use one_piece::OnePiece;
pub use parameters::{
    BeamParameters, BoardWeights, Clock, ExpectimaxParameters, Foresight, Ply, Think, Widths,
};
pub use ties::Ties;
pub use two_piece::{PairChoice, TwoPiece};
