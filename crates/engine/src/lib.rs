#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod eval;
pub mod limits;
pub mod movegen;
pub mod player;
pub mod search;
