#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod env;
pub mod eval;
pub mod movegen;
mod observation;
pub mod player;
pub mod search;

pub use env::Env;
