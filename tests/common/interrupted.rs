//! Programs that get Ctrl-C.

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::PROGRAM;

/// Two seconds, and twice as many for the rest of a busy machine.
const SOON: Duration = Duration::from_secs(6);

pub(super) fn begin(folder: &Path, args: &str, path: Option<&str>) -> Child {
    // A job in the background of a script ignores Ctrl-C, and its children do, too, until they listen for it.
    let mut command = Process::new("env");
    command.args(["--default-signal=INT", PROGRAM]);
    command.env_remove("RUST_LOG").env("MAXOUT_RUNS", folder.join("runs")).current_dir(folder);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command
        .args(args.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

/// Sends Ctrl-C, and waits for the end.
pub(super) fn interrupt(mut child: Child, what: &str) {
    assert!(child.try_wait().expect("a child").is_none(), "{what}: it has ended before");
    let pid = Pid::from_raw(child.id().cast_signed()).expect("a number");
    kill_process(pid, Signal::INT).expect("sent");
    let sent = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if sent.elapsed() > SOON {
            child.kill().expect("ended");
            panic!("{what}: still there after {SOON:?}");
        }
        thread::sleep(Duration::from_millis(10));
    };
    let mut stderr = String::new();
    child.stderr.take().expect("stderr").read_to_string(&mut stderr).expect("text");
    println!("{:>5} ms  {what}", sent.elapsed().as_millis());
    assert!(status.code() == Some(130) || status.signal() == Some(2), "{what}: {status}: {stderr}");
    assert!(!stderr.contains("panicked"), "{what}: {stderr}");
}

/// Begins each of these commands in the folder, sends Ctrl-C, and looks whether it ends soon and leaves nothing behind.
pub(super) fn each_ends_soon(folder: &Path, long: &[&str]) {
    let waiting = Mutex::new(long.to_vec());
    let work = || {
        while let Some(args) = { waiting.lock().expect("no panic").pop() } {
            let child = begin(folder, args, None);
            // Some load weights then, some are at work.
            let short = ["merge", "conform", "runs"].iter().any(|name| args.starts_with(name));
            thread::sleep(Duration::from_millis(if short { 30 } else { 1_200 }));
            interrupt(child, args);
        }
    };
    thread::scope(|scope| (0..2).map(|_| scope.spawn(work)).for_each(drop));
    let left: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.as_encoded_bytes().starts_with(b"."))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
