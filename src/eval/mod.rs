//! Evaluators: what a board is worth to a player. One file each, on shared [`Features`].
//!
//! An [`Evaluator`] is what the searches over the pieces on the screen ask; [`Meatfighter`] is one. Knows
//! [`crate::game`] and placements; nothing of searches, players or the controller.

mod evaluator;
mod features;
mod meatfighter;
pub mod ntuple;
mod shape;
pub mod weights;

pub use evaluator::{Evaluator, Placed};
pub use features::{Features, can_clear_a_row, high_stack, lock_height, spawn_is_free};
pub use meatfighter::{Locks, Meatfighter, Rules, WEIGHTS_2018};
pub use shape::Shape;
