//! Statistics. [`Statistics`] are the figures of one game, from its locks; [`Sample`] gathers them over many games;
//! [`Summary`] is the spread of one quantity; [`Closest`] says how near a game came to a picture; [`par`] is the pace
//! to a target.
//!
//! docs/reference/formats.md defines each figure.

mod game;
mod many;
mod picture;
mod summary;

pub use game::{
    Burn, DROUGHT, Droughts, Evenness, LevelPoints, Mark, PieceCounts, Points, Statistics, boards,
    is_tetris_ready, par,
};
pub use many::{PaceOfMany, Sample, Spread};
pub use picture::Closest;
pub use summary::Summary;
