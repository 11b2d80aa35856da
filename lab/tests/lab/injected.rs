//! Each system call on the user's files fails in turn: see `tests/common/injected.rs`.

use std::fs;

use tempfile::TempDir;

use super::injected_calls::each_call_that_fails_is_told_in_one_line;

#[test]
#[ignore = "nightly: some hundred processes"]
fn nightly_each_system_call_that_fails_is_told_in_one_line() {
    let ready = TempDir::new().expect("a folder");
    fs::create_dir(ready.path().join("d")).expect("made");
    each_call_that_fails_is_told_in_one_line(
        ready.path(),
        &[
            "limits --player plateau17 --taps 30hz --reaction 0 --stop lines:1 --games 2 --jobs 1 --dir d/limits -q",
            "train pso --fitness garbage --games 1 --population 4 --generations 1 --jobs 1 --dir d/pso -q",
        ],
    );
}
