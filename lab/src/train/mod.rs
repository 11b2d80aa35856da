//! Makes weights: [`td`] learns the table value by self-play, and [`train()`] runs a [`schedule`] of it with checkpoints;
//! [`hazard`] learns the probability of losing the game from each board; [`tuning`] looks for the 17 weights of the bot
//! of 2018, by [`pso`] or [`cmaes`]. The work can be shared by a [`Team`](crate::team::Team) of processes.

pub mod cmaes;
pub mod cnn;
mod cnn_gradient;
pub mod curve;
mod error;
pub mod fall_speed;
pub mod fitness;
mod folder;
pub mod hazard;
mod lists;
pub mod outcomes;
pub mod pso;
pub mod schedule;
pub mod td;
pub mod terms;
mod training;
pub mod tuning;

pub use error::TrainError;
pub(crate) use folder::{CHECKPOINT, look};
pub use training::{Chunk, TrainingNews, train};
