#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod eval;
mod player;

#[cfg(test)]
#[path = "../../engine/tests/twins/grids.rs"]
mod grids;

pub use player::{PUBLISHED, find, players};
