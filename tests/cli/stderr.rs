//! Messages that cannot be written are dropped: the answer, the files and the exit code are the same.
#![cfg(target_os = "linux")]

use std::fs::OpenOptions;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

fn maxout(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(args.split(' ')).env_remove("RUST_LOG");
    command
}

/// A device that refuses every byte.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("/dev/full").into()
}

fn on_a_full_stderr(args: &str) -> Output {
    maxout(args).env("RUST_LOG", "trace").stderr(full()).output().expect("maxout runs")
}

#[test]
fn a_full_stderr_changes_neither_answer_nor_exit_code() {
    let args = "sim --player plateau17 --games 3 --seed 50000 --stop lines:8 --no-timings --json -";
    let plain = maxout(args).output().expect("maxout runs");
    let dropped = on_a_full_stderr(args);
    assert_eq!(dropped.status.code(), Some(0));
    assert_eq!(dropped.stdout, plain.stdout);
    for (args, code) in [
        ("play missing.nes", 2),
        ("sim --player nobody", 2),
        ("sim --jobs 0", 2),
        ("frobnicate", 2),
        ("runs show 1 --runs missing", 2),
        ("--help", 0),
        ("players", 0),
    ] {
        let dropped = on_a_full_stderr(args);
        assert_eq!(dropped.status.code(), Some(code), "{args}");
    }
}

#[test]
fn a_warning_on_a_full_stderr_is_dropped() {
    let folder = TempDir::new().expect("a folder");
    let runs = folder.path().to_str().expect("text");
    let made = maxout(&format!("sim --player plateau17 --seed 7 --stop lines:2 --runs {runs}")).output();
    assert!(made.expect("maxout runs").status.success());
    // Without a terminal `watch` warns.
    let watched = on_a_full_stderr(&format!("watch 1 --runs {runs}"));
    assert_eq!(watched.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&watched.stdout).contains("points"));
}

#[test]
fn an_interrupt_on_a_full_stderr_ends_as_any_other() {
    let folder = TempDir::new().expect("a folder");
    let json = folder.path().join("out.json");
    let mut child = maxout("sim --player plateau17 --games 1000000 --seed 50000 --json")
        .arg(&json)
        .stdout(Stdio::null())
        .stderr(full())
        .spawn()
        .expect("maxout runs");
    std::thread::sleep(Duration::from_millis(1_500));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(json.exists(), "what was finished is kept");
}

#[test]
fn a_reader_of_both_streams_who_leaves_is_no_error() {
    for args in ["sim --player plateau17 --games 3 --stop lines:2", "sim --jobs 0"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let mut child = maxout(args)
            .stdout(writer.try_clone().expect("a copy"))
            .stderr(writer)
            .spawn()
            .expect("maxout runs");
        drop(reader);
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, Some(if args.contains("--jobs 0") { 2 } else { 0 }), "{args}");
    }
}
