//! Figures: [`Statistics`] of one game from its locks, [`Sample`] gathers them over many, [`Summary`] is the spread
//! of one quantity, [`Closest`] how near a game came to a picture, [`par`] the pace to a target; [`rows`] tells from
//! where pieces lock how long a game would last.
//!
//! docs/reference/formats.md defines each figure.

mod game;
mod many;
mod picture;
pub mod rows;
mod summary;

pub use game::{
    Burn, DROUGHT, Droughts, Evenness, LevelPoints, Mark, PieceCounts, Points, Statistics, boards,
    is_tetris_ready, par,
};
pub use many::{PaceOfMany, Sample, Spread};
pub use picture::Closest;
pub use summary::Summary;
