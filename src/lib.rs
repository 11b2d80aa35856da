//! maxout plays NES Tetris in an embedded emulator, through the controller, for the highest score.
//!
//! The modules in the order in which they may know each other:
//! [`input`], [`game`], [`movegen`], [`eval`] and [`search`], [`player`], [`host`], [`pilot`] and [`session`],
//! [`batch`] (on a [`pool`] of threads), [`still`] and [`conform`], [`record`], [`stats`] and [`report`], [`train`],
//! [`fuzz`] and [`mod@bench`], [`pace`] and [`watch`], [`cli`]; [`files`], [`text`] and [`words`] know none of them. docs/architecture.md says more.
//!
//! With the feature `mpi` there is a module `ranks`: the processes of an MPI job.

pub mod bench;
pub mod cli;
pub mod conform;
pub mod files;
pub mod fuzz;
pub mod library;
pub mod movie;
pub mod pace;
#[cfg(feature = "mpi")]
pub mod ranks;
pub mod render;
pub mod report;
pub mod results;
pub mod stats;
pub mod still;
pub mod text;
pub mod train;
pub mod watch;
pub mod words;
