//! The program and its library from outside. One folder a room, one file a subject, all in one test binary, so that it is linked once and both
//! cores have work to the end: `cargo test --release --test program -- outputs::` runs one subject.

mod analyze {
    mod analysis;
    mod recordings;
    mod review;
}

mod cli {
    mod answers;
    mod bounds;
    mod help;
    #[cfg(unix)]
    mod interrupts;
    mod manual;
    mod memory;
    mod parsers;
    mod sources;
    mod stderr;
    mod words;
}

mod export {
    pub mod champs;
    mod movies;
    pub mod outputs;
    mod page;
    mod pictures;
    mod steering_picture;
    mod video;
}

mod library {
    mod folders;
    mod import;
    #[cfg(target_os = "linux")]
    mod injected;
    mod listing;
    mod read;
    mod round_trips;
    mod runs;
    mod storage;
}

mod play {
    mod cartridge_files;
    mod cartridges;
    mod clairvoyant;
    mod faults;
    mod games;
    mod hands;
    mod pilot;
    mod practice;
    mod progress;
    mod shards;
    mod terminal;
    mod threads;
    mod watch;
}

mod rules {
    mod conformance;
    mod crash_zone;
    mod tables;
}

mod serve;

mod sight {
    mod screens;
    mod videos;
}

// What the laboratory's tests need, too.
#[path = "common/damage.rs"]
mod damage;
#[path = "common/disk.rs"]
mod disk;
#[cfg(unix)]
#[path = "common/few_threads.rs"]
mod few_threads;
#[path = "common/in_folder.rs"]
mod in_folder;
#[cfg(target_os = "linux")]
#[path = "common/injected.rs"]
mod injected_calls;
#[cfg(unix)]
#[path = "common/interrupted.rs"]
mod interrupted;
#[path = "common/peak.rs"]
mod peak;
#[path = "common/plain_words.rs"]
mod plain_words;
#[path = "common/skipped.rs"]
mod skipped;
#[cfg(unix)]
#[path = "common/written.rs"]
mod written;

use std::path::Path;

use assert_cmd::Command;
use export::outputs;
use skipped::skipped;

/// The program that is tested.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maxout");

/// The program. Nothing is ever written to a home.
fn maxout() -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("RUST_LOG").env("MAXOUT_RUNS", Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-runs"));
    command
}

/// The variables that make a program's clock say this time (`@` and seconds from 1970, or a date); none where that cannot be had.
fn clock_at(time: &str) -> Option<Vec<(&'static str, String)>> {
    let names = ["LD_PRELOAD", "FAKETIME"];
    let mut faketime = std::process::Command::new("faketime");
    faketime.args([time, "printenv"]).args(names);
    // Its shared memory has a process number as its name: it fails where an ended process of that number has left its own.
    let mut last = None;
    for _ in 0..5 {
        match faketime.output() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                skipped("faketime is not installed");
                return None;
            }
            Ok(output) if output.status.success() => {
                let values = String::from_utf8(output.stdout).expect("text");
                return Some(names.into_iter().zip(values.lines().map(ToOwned::to_owned)).collect());
            }
            failed => last = Some(failed),
        }
    }
    panic!("faketime {time:?} fails five times: {last:?}");
}
