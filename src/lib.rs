//! maxout plays NES Tetris in an embedded emulator, through the controller, for the highest score.

pub mod conform;
pub mod game;
pub mod input;
pub mod movegen;
