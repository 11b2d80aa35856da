#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analysis;
pub mod env;
pub mod eval;
pub mod limits;
pub mod movegen;
pub mod player;
mod position;
pub mod search;

#[cfg(test)]
#[path = "../tests/twins/grids.rs"]
mod grids;

pub use env::Env;
pub use position::Position;
