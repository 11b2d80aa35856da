//! What is kept of a game, through its public face: one file for each module.

mod champs;
mod champs_steady;
mod run_archive;
