//! The program and its library from outside. One file a subject, all in one test binary, so that it is linked once and both
//! cores have work to the end: `cargo test --release --test program -- outputs::` runs one subject.

mod analysis;
mod bench;
mod bounds;
mod cartridge_files;
mod cartridges;
mod champs;
mod clairvoyant;
mod cli;
mod conformance;
mod crash_zone;
mod faults;
mod folders;
mod fuzz;
mod games;
mod hands;
mod help;
mod import;
mod learning;
mod library;
mod limits;
mod manual;
mod movies;
mod outputs;
mod page;
mod parsers;
mod patterns;
mod pictures;
mod pilot;
mod progress;
mod recordings;
mod review;
mod runs;
mod screens;
#[cfg(feature = "serve")]
mod serve;
mod shards;
mod sources;
mod stderr;
mod steering_picture;
mod storage;
mod tables;
#[cfg(feature = "watch")]
mod terminal;
mod threads;
mod video;
#[cfg(feature = "watch")]
mod watch;
mod words;

use std::path::Path;

use assert_cmd::Command;

/// The program. Nothing is ever written to a home.
fn maxout() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").env("MAXOUT_RUNS", Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-runs"));
    command
}
