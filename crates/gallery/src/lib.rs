#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod averages;
pub mod eval;
mod player;

#[cfg(test)]
#[path = "../../engine/tests/twins/grids.rs"]
mod grids;

pub use averages::{Playouts, average_rank};
pub use player::{PUBLISHED, find, players};
