//! Makes weights: [`td`] learns the table value by self-play, [`schedule`] runs it in stages with checkpoints.

pub mod cnn;
pub mod curve;
pub mod schedule;
pub mod td;
