//! Each system call on the user's files fails in turn: see `common/injected.rs`.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::in_folder::command;
use crate::injected_calls::each_call_that_fails_is_told_in_one_line;

/// Files that a command reads: a movie, and a library with two runs.
fn prepare(folder: &Path) {
    let movie = format!("version 3\nport0 1\nport1 0\nport2 0\n{}", "|0|........|||\n".repeat(40));
    fs::write(folder.join("movie.fm2"), movie).expect("written");
    fs::write(folder.join("board.txt"), "..........\n".repeat(19) + "#########.\n").expect("written");
    fs::create_dir(folder.join("d")).expect("made");
    let sim = "sim --player plateau17 --stop lines:1 --games 2 --runs d/runs -q";
    assert!(command(folder, sim).output().expect("it starts").status.success());
}

#[test]
#[ignore = "nightly: some hundred processes"]
fn nightly_each_system_call_that_fails_is_told_in_one_line() {
    let ready = TempDir::new().expect("a folder");
    prepare(ready.path());
    each_call_that_fails_is_told_in_one_line(
        ready.path(),
        &[
            "rom -q --json d/out.json",
            "analyze board.txt --piece T --player maxout-2ply -q --json d/out.json",
            "replay movie.fm2 -q --every 20 --png d/pictures --video d/out.gif --json d/out.json",
            "runs list --runs d/runs -q",
            "runs note 1 good --runs d/runs -q",
            "runs export --runs d/runs --format folder -o d/out -q",
            "sim --player plateau17 --stop lines:1 --games 2 --runs d/runs -q --no-timings --json d/out.json",
        ],
    );
}
