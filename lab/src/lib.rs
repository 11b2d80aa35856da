//! The laboratory of maxout: what makes and measures its players, and what no player, streamer, analyst or user of the
//! Python package runs. `cargo run --release -p maxout-lab -- --help` lists the commands.
//!
//! The modules, in the order in which they may depend on each other: [`plots`], [`random`], [`weights_file`], [`resumed`], `ranks` (with the feature `mpi`), [`team`], [`research`],
//! [`averages`], [`measures2014`],
//! [`filter`], [`pattern`] and [`no_gravity`]; [`mod@bench`] and [`train`]; [`measure`];
//! [`fuzz`]; [`cli`]. All else is the program's: the library `maxout` and the crates below it.
//!
//! `lab/examples` are the research programs behind single tables and parameters, `lab/data` the files that they and the trainings
//! made, and `lab/notebook` says what was measured, when and how.

pub mod averages;
pub mod bench;
pub mod cli;
pub mod filter;
pub mod fuzz;
pub mod measure;
pub mod measures2014;
pub mod no_gravity;
pub mod pattern;
pub mod plots;
pub mod random;
#[cfg(feature = "mpi")]
pub mod ranks;
pub mod research;
pub mod resumed;
pub mod team;
pub mod train;
pub mod weights_file;
