//! Evaluators: what a board is worth to a player. One file each, on shared [`Features`].
//!
//! An [`Evaluator`] is what the searches over the pieces on the screen ask; [`Meatfighter`] is one. Knows
//! [`maxout_rules`], placements and, to choose among the shipped [`weights`], input limits; nothing of searches or players.

pub mod cnn;
mod dellacherie;
mod evaluator;
mod features;
mod floor;
mod hazard;
mod measures2014;
mod meatfighter;
mod meatfighter2014;
pub mod ntuple;
mod packed;
mod packing;
mod parameters;
mod shape;
mod simple_tetris;
pub mod terms;
pub mod weights;
mod wells;

pub use cnn::Cnn;
pub use dellacherie::{Dellacherie, Eroded, Landed, LandingRow, Reading};
pub use evaluator::{Evaluator, Placed};
pub use features::{Features, can_clear_a_row, high_stack, lock_height, spawn_is_free};
pub use floor::Floor;
pub use hazard::Hazard;
pub use measures2014::{Regions, height_variance, occupied_columns, occupied_rows, total_fit};
pub use meatfighter::{CalmingRules, LockTrail, Meatfighter};
pub use meatfighter2014::{Meatfighter2014, Wells};
pub use packed::Packed;
pub use packing::Packing;
pub use parameters::{WEIGHTS_2014, WEIGHTS_2018};
pub use shape::Shape;
pub use simple_tetris::{Cleared, SimpleTetris};
pub use wells::{cumulative_wells, open_wells, walled_tops};
