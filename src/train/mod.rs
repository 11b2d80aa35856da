//! Makes weights: [`td`] learns the table value by self-play, [`schedule`] runs it in stages with checkpoints; [`tuning`]
//! looks for the 17 weights of the bot of 2018, by [`pso`] or [`cmaes`]. The work can be shared by a [`Team`](crate::parallel::Team) of processes.

pub mod cmaes;
pub mod cnn;
pub mod curve;
pub mod fitness;
pub mod pso;
pub mod schedule;
pub mod td;
pub mod tuning;
