//! `BinaryFrame` of `NestrisChamps`: the data that a score display gets for every frame of play.
//! The frame and its reader are part of `maxout-host`: [`ChampsFrame::encode`] makes the bytes of one, [`Frames`] reads a file of them
//! (`.ngf`), [`Display`] makes frames from RAM, and [`ChampsSummary`] says which game they show.
//!
//! The layout of all four versions is in docs/reference/formats.md.

mod display;
mod summary;

pub use display::Display;
pub use maxout_record::champs::{ChampsError, ChampsFrame, Frames, MAX_BYTES, Version, read};
pub use summary::ChampsSummary;
