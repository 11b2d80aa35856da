#![doc = include_str!("../README.md")]

pub mod cartridge;
pub mod champs;
pub mod members;
pub mod movie;
pub mod result;
pub mod run;
pub mod text;
pub mod timeline;
