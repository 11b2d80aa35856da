//! Evaluators: what a board is worth to a player. One file each, on shared [`Features`].
//!
//! [`Meatfighter::score`] is the one function you want. Knows [`crate::game`]; nothing of searches, players or
//! the controller.

mod features;
mod floor;
mod meatfighter;
pub mod ntuple;
mod packed;
mod shape;
pub mod weights;

pub use features::{Features, can_clear_a_row, high_stack, lock_height, spawn_is_free};
pub use floor::Floor;
pub use meatfighter::{Locks, Meatfighter, Rules, WEIGHTS_2018};
pub use packed::Packed;
pub use shape::Shape;
