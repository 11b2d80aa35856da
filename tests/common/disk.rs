//! Programs on a disk of their own, which is small.

use std::process::{Command as Process, Output};

use tempfile::TempDir;

use super::PROGRAM;

/// Runs a shell script in a folder that is a disk of its own, with so many KiB, which nobody else sees. None, and a
/// word on stderr, where that cannot be had.
pub(super) fn on_a_small_disk(kib: u32, script: &str) -> Option<Output> {
    let folder = TempDir::new().expect("a folder");
    let mount = format!("mount -t tmpfs -o size={kib}k tmpfs . && cd \"$PWD\"");
    let run = |flags: &[&str], script: &str| {
        let mut command = Process::new("unshare");
        command.args(flags).args(["sh", "-c", script]).current_dir(folder.path());
        command.env("MAXOUT", PROGRAM).env("MAXOUT_RUNS", "runs").env_remove("RUST_LOG");
        command.output().ok()
    };
    for flags in [&["-m"][..], &["-U", "-r", "-m"]] {
        if run(flags, &mount).is_some_and(|output| output.status.success()) {
            return run(flags, &format!("{mount} && {script}"));
        }
    }
    eprintln!("skipped: no disk can be mounted here (unshare, mount)");
    None
}

/// One line on stderr with these words, exit code 2; what was on stdout.
pub(super) fn refused(output: &Output, words: &[&str]) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "expected {word:?} in {stderr}");
    }
    String::from_utf8_lossy(&output.stdout).into_owned()
}
