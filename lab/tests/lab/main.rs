//! The laboratory from outside. One file a subject: `cargo test --release -p maxout-lab --test lab -- limits::` runs one.

mod averages;
mod bench;
mod bounds;
mod folders;
mod fuzz;
#[cfg(target_os = "linux")]
mod injected;
#[cfg(unix)]
mod interrupts;
mod learning;
mod limits;
mod measures2014;
mod memory;
mod no_gravity;
#[cfg(unix)]
mod outputs;
mod parsers;
mod patterns;
mod round_trips;
mod rows;
mod searches;
mod shards;
mod sim;
mod storage;
mod table;
#[cfg(unix)]
mod threads;
mod weights;
mod words;

// What the tests of other packages need, too.
#[path = "../../../crates/engine/tests/twins/grids.rs"]
mod grids;
#[path = "../../../crates/gallery/tests/twins/scene.rs"]
mod scene;

// What the program's tests need, too.
#[path = "../../../tests/common/damage.rs"]
mod damage;
#[path = "../../../tests/common/disk.rs"]
mod disk;
#[cfg(unix)]
#[path = "../../../tests/common/few_threads.rs"]
mod few_threads;
#[path = "../../../tests/common/in_folder.rs"]
mod in_folder;
#[cfg(target_os = "linux")]
#[path = "../../../tests/common/injected.rs"]
mod injected_calls;
#[cfg(unix)]
#[path = "../../../tests/common/interrupted.rs"]
mod interrupted;
#[path = "../../../tests/common/peak.rs"]
mod peak;
#[path = "../../../tests/common/plain_words.rs"]
mod plain_words;
#[cfg(unix)]
#[path = "../../../tests/common/written.rs"]
mod written;

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// The program that is tested.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maxout-lab");

/// The program `maxout`, if it was built beside the laboratory.
fn program() -> Option<PathBuf> {
    let program = Path::new(PROGRAM).with_file_name("maxout");
    if !program.exists() {
        skipped(&format!("{} is not there: cargo build --release makes it", program.display()));
        return None;
    }
    Some(program)
}

/// The laboratory.
fn lab() -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("RUST_LOG");
    command
}

fn words(args: &str) -> Vec<&str> {
    args.split_whitespace().collect()
}

/// What it answers on stdout.
fn answer(args: &[&str]) -> String {
    let assert = lab().args(args).assert().success();
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

/// What it says on stderr.
fn stderr(args: &[&str]) -> String {
    String::from_utf8(lab().args(args).output().expect("it starts").stderr).expect("text")
}

/// Exit code 2, nothing on stdout, and exactly one line on stderr, which names the culprit.
fn refuses(args: &[&str], culprit: &str) {
    let mut command = lab();
    let assert = command.args(args).timeout(std::time::Duration::from_secs(60)).assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.lines().count() == 1 && stderr.chars().count() < 520, "{args:?}: {stderr}");
    assert!(stderr.contains(culprit), "{args:?}: expected {culprit:?} in {stderr}");
}

/// Tells why a test is left out; with `MAXOUT_STRICT` it fails instead.
fn skipped(why: &str) {
    assert!(std::env::var_os("MAXOUT_STRICT").is_none(), "MAXOUT_STRICT is set, and {why}");
    eprintln!("skipped: {why}");
}
