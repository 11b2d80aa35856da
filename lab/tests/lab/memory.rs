//! Memory that trainings take.
#![cfg_attr(not(target_os = "linux"), expect(unused, reason = "only Linux says it"))]

use std::process::Command;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::PROGRAM;
use super::peak::{BOUND, check, peak, zeros};

/// Address space without a limit.
const ALL: &str = "unlimited";

#[test]
fn a_training_that_needs_more_memory_than_there_is_says_so() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux says how much memory a process has taken");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let told = "MiB of free memory, which the system does not give";
    check(folder.path(), &[("train td --dir td", told), ("train td --plateau --dir td", told)]);
}

#[test]
fn a_damaged_checkpoint_takes_little_memory() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux says how much memory a process has taken");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let dir = folder.join("td");
    // A training that has begun and has finished nothing.
    let mut begun = Command::new(PROGRAM)
        .current_dir(folder)
        .args(["train", "td", "--dir", "td", "--jobs", "1", "-q"])
        .spawn()
        .expect("it starts");
    while !dir.join("identity.json").exists() {
        assert!(begun.try_wait().expect("a process").is_none(), "it has ended");
        thread::sleep(Duration::from_millis(5));
    }
    begun.kill().expect("killed");
    begun.wait().expect("ended");
    zeros(&dir, "checkpoint.bin", b"maxout-checkpoint 2\ncrc.", 400 << 20);
    let (bytes, stderr, code) = peak(folder, "train td --dir td --jobs 1", ALL);
    assert!(stderr.contains("checkpoint.bin: damaged") && code == Some(2), "{code:?}, {stderr}");
    assert!(bytes < BOUND, "{bytes}");
}
