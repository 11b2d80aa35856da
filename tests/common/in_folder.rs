//! Programs at work in a folder: how they end, what they leave, and what they ask of the system (by strace).

use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Output;
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use tempfile::TempDir;

use super::PROGRAM;
#[cfg(target_os = "linux")]
use super::skipped;

pub(super) fn command(folder: &Path, args: &str) -> Process {
    let mut command = Process::new(PROGRAM);
    command.env_remove("RUST_LOG").current_dir(folder).args(args.split_whitespace());
    command
}

/// Exit code, stdout, stderr.
pub(super) fn run(folder: &Path, args: &str) -> (Option<i32>, String, String) {
    let output = command(folder, args).output().expect("maxout starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

pub(super) fn works(folder: &Path, args: &str) {
    let (code, _, stderr) = run(folder, args);
    assert_eq!(code, Some(0), "{args}: {stderr}");
}

/// Exit code 2, and exactly one line on stderr, which names the culprit.
pub(super) fn refuses(folder: &Path, args: &str, culprit: &str) {
    let (code, _, stderr) = run(folder, args);
    assert_eq!((code, stderr.lines().count()), (Some(2), 1), "{args}: {stderr}");
    assert!(stderr.contains(culprit), "{args}: expected {culprit:?} in {stderr}");
}

/// The files of a folder with their contents, but for times.
pub(super) fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), path))
        .map(|(name, path)| (name, fs::read(path).expect("a file")))
        .collect();
    files.sort();
    files
}

/// A process that is ended when the test ends.
pub(super) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a command and waits until it is at work in the folder `d`.
pub(super) fn at_work(folder: &Path, args: &str) -> Running {
    let child =
        command(folder, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("maxout starts");
    let child = Running(child);
    let begun = Instant::now();
    while !folder.join("d/.maxout.lock").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{args}: no lock");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// Runs a command under strace, with more options for strace. None, and a word on stderr, where that cannot be had.
#[cfg(target_os = "linux")]
pub(super) fn trace(folder: &Path, options: &str, args: &str) -> Option<Output> {
    let run = |program: &str, args: &str, options: &str| {
        let mut command = Process::new("strace");
        command.current_dir(folder).env_remove("RUST_LOG").args(["-f", "-y", "-o", "trace"]);
        command.args(options.split_whitespace()).arg(program).args(args.split_whitespace()).output().ok()
    };
    if !run("true", "", "").is_some_and(|output| output.status.success()) {
        skipped("no process can be traced (strace)");
        return None;
    }
    run(PROGRAM, args, options)
}

/// As [`trace`]; returns the calls.
#[cfg(target_os = "linux")]
pub(super) fn traced(folder: &Path, options: &str, args: &str) -> Option<String> {
    trace(folder, options, args)?;
    Some(fs::read_to_string(folder.join("trace")).expect("a trace"))
}

/// The calls of a trace that have to do with the folder `d`: name, then the rest of the line.
#[cfg(target_os = "linux")]
fn calls(trace: &str) -> Vec<(&str, &str)> {
    trace
        .lines()
        .filter_map(|line| line.split_once(' ')?.1.trim_start().split_once('('))
        .filter(|(_, rest)| rest.contains("/d/") || rest.contains("/d>") || rest.contains("\"d/"))
        .collect()
}

/// A power cut keeps what was synced, and of all else any part. So it is enough that a file is synced before it gets its
/// name, that the name is synced before anything else is made there, and that a kill between any two of these calls
/// is survived. Runs the command, checks the order of its calls, and runs it again and again in new folders, each time killed at
/// another of them; `look` looks at what is left there. False where nothing can be traced.
#[cfg(target_os = "linux")]
pub(super) fn cut_at_every_call(args: &str, whole: &Path, look: &dyn Fn(&Path, &str)) -> bool {
    let Some(trace) = traced(whole, "-e trace=openat,write,fsync,?rename,?renameat,renameat2", args) else {
        return false;
    };
    let calls = calls(&trace);
    let (mut unsynced, mut renames, mut syncs) = (None, 0, 0);
    for (at, (call, rest)) in calls.iter().enumerate() {
        let is_named = rest.contains(".tmp>");
        match *call {
            "openat" if rest.contains("O_EXCL") => assert_eq!(unsynced, None, "{args}: {rest}"),
            "write" if is_named => {
                let next = calls[at + 1];
                assert!(
                    next.0 == "write" || next.0 == "fsync" && next.1.contains(".tmp>"),
                    "{args}: {next:?}"
                );
            }
            "fsync" => {
                syncs += 1;
                if !is_named {
                    unsynced = None;
                }
            }
            name if name.starts_with("rename") => {
                renames += 1;
                assert_eq!(unsynced.replace(rest), None, "{args}");
            }
            _ => {}
        }
    }
    assert!(unsynced.is_none() && renames > 3, "{args}: {unsynced:?}, {renames} files");
    for (set, count) in [("fsync", syncs), ("?rename,?renameat,renameat2", renames)] {
        for when in 1..=count {
            let folder = TempDir::new().expect("a folder");
            let folder = folder.path();
            for entry in fs::read_dir(whole).expect("a folder").flatten() {
                if entry.path().extension().is_some_and(|ending| ending == "toml" || ending == "fm2") {
                    fs::copy(entry.path(), folder.join(entry.file_name())).expect("copied");
                }
            }
            traced(folder, &format!("-e inject={set}:signal=KILL:when={when}"), args).expect("as before");
            look(folder, &format!("{args}: killed at {set} {when}"));
        }
    }
    println!("{args}: {} kills", syncs + renames);
    true
}
