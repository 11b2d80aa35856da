#![doc = include_str!("../README.md")]

pub mod cartridge;
#[cfg(feature = "movies")]
pub mod champs;
#[cfg(feature = "movies")]
pub mod members;
pub mod movie;
pub mod result;
pub mod run;
pub mod text;
pub mod timeline;
