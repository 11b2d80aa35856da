//! Evaluators: what a board is worth to a player.
//!
//! The searches over the pieces on the screen ask an [`Evaluator`]; [`Features`] measures what many of them weigh. The
//! learned value is [`ntuple`]. Knows [`maxout_rules`], placements and, to choose among the shipped [`weights`], input limits;
//! nothing of searches or players. The evaluations of published players are in the crate `maxout-gallery`.

mod evaluator;
mod features;
mod hazard;
pub mod ntuple;
mod packed;
mod parameters;
mod rescue;
mod shape;
pub mod weights;

pub use evaluator::{Evaluator, Placed};
pub use features::{Features, can_clear_a_row, flood, high_stack, lock_height, spawn_is_free};
pub use hazard::Hazard;
pub use packed::Packed;
pub use rescue::Rescue;
pub use shape::Shape;
