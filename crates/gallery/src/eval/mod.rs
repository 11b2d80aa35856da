//! What a board is worth to the published players. One file each, on what [`maxout_engine::eval`] measures.
//!
//! Each is an [`Evaluator`](maxout_engine::eval::Evaluator), which the engine's searches over the pieces on the screen ask.

pub mod cnn;
mod dellacherie;
mod floor;
mod meatfighter;
mod meatfighter2014;
mod packing;
mod parameters;
mod simple_tetris;
mod wells;

pub use dellacherie::{Dellacherie, Eroded, Landed, LandingRow, Reading};
pub use floor::Floor;
pub use meatfighter::{CalmingRules, LockTrail, Meatfighter};
pub use meatfighter2014::{Meatfighter2014, Wells};
pub use packing::Packing;
pub use parameters::{WEIGHTS_2014, WEIGHTS_2018};
pub use simple_tetris::{Cleared, SimpleTetris};
pub use wells::{cumulative_wells, open_wells, walled_tops};
