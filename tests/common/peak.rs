//! Programs and the most memory that they take. Only Linux says it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::PROGRAM;

/// The most memory that a process may take, in bytes.
pub(super) const BOUND: u64 = 300_000_000;

/// Address space with which every command that reads a file works, in KiB (docs/reference/formats.md).
pub(super) const FLOOR: &str = "524288";

/// The peak memory of a run of the program with this address space, in bytes, what it says on stderr, and its exit code.
pub(super) fn peak(folder: &Path, words: &str, space: &str) -> (u64, String, Option<i32>) {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {space}; exec \"$0\" \"$@\""), PROGRAM])
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .args(words.split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a process").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        // A process that has ended has no memory.
        peak = peak.max(kilobytes.unwrap_or(0) * 1024);
        thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("a process");
    (peak, String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
}

/// A file of so many zero bytes behind these, which takes no room.
pub(super) fn zeros(folder: &Path, name: &str, begin: &[u8], length: u64) {
    fs::write(folder.join(name), begin).expect("a file");
    let file = File::options().write(true).open(folder.join(name)).expect("a file");
    file.set_len(length).expect("a sparse file");
}

/// Runs the program with these words, and fails if it takes too much memory, or does not say what it is to say.
pub(super) fn check(folder: &Path, cases: &[(&str, &str)]) {
    let mut over = Vec::new();
    for &(words, told) in cases {
        let (bytes, stderr, code) = peak(folder, words, FLOOR);
        println!("{words}: {} MB: {}", bytes / 1_000_000, stderr.lines().last().unwrap_or_default());
        let ends_well =
            code.is_some_and(|code| code <= 2) && (code != Some(2) || stderr.lines().count() == 1);
        if bytes > BOUND || !stderr.contains(told) || stderr.contains("panicked") || !ends_well {
            over.push(format!("{words}: {} MB, {code:?}, {stderr}", bytes / 1_000_000));
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}
