#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod analysis;
pub mod env;
pub mod eval;
pub mod limits;
pub mod movegen;
mod observation;
pub mod player;
pub mod search;

#[cfg(test)]
#[path = "../tests/twins/grids.rs"]
mod grids;

pub use env::Env;
