//! `BinaryFrame` of `NestrisChamps`: the data that a score display gets for every frame of play.
//! [`ChampsFrame::encode`] makes the bytes of one, [`read`] reads a file of them (`.ngf`), [`Display`] makes frames
//! from RAM, and [`ChampsSummary`] says which game they show.
//!
//! The layout of all four versions is in docs/reference/formats.md.

mod display;
mod frame;
mod summary;

pub use display::Display;
pub use frame::{ChampsError, ChampsFrame, MAX_BYTES, Version, read};
pub use summary::ChampsSummary;
