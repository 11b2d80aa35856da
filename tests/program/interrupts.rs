//! Ctrl-C ends every long command within two seconds, with exit code 130 or by the signal, and leaves nothing behind; also while an
//! ffmpeg hangs.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::maxout;

/// Two seconds, and twice as many for the rest of a busy machine.
const SOON: Duration = Duration::from_secs(6);

fn begin(folder: &Path, args: &str, path: Option<&str>) -> Child {
    // A job in the background of a script ignores Ctrl-C, and its children do, too, until they listen for it.
    let mut command = Process::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_maxout")]);
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
fn interrupt(mut child: Child, what: &str) {
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

/// Work that takes minutes.
const LONG: [&str; 20] = [
    "analyze board.txt --piece T --playouts 100000",
    "bench",
    "conform t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz",
    "conform --rom cartridge.nes t.csv.gz t.csv.gz t.csv.gz",
    "fuzz --streams 100000",
    "fuzz --readers",
    "limits --player maxout-fast --taps 10hz --reaction 18 --games 100 --dir limits",
    // Nobody writes into the pipe.
    "merge pipe",
    "play --player maxout --games 100 --no-runs",
    "review 1 --player maxout-4ply",
    "review 1 --player maxout-fast --luck 100000",
    "review 1 --player maxout-fast --worst 100 --playouts 100000",
    "runs verify --all",
    "sim --player maxout --games 100",
    "sim --player maxout-fast --games 1000 --runs",
    "train cmaes --fitness plateau --dir cmaes",
    "train cnn --dir cnn",
    "train hazard --dir hazard",
    "train pso --fitness plateau --dir pso",
    "train td --dir td",
];

#[test]
#[ignore = "slow; .ci/run has it"]
fn ctrl_c_ends_every_long_command_soon() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let runs = folder.join("runs");
    let args = ["sim", "--player", "plateau17", "--stop", "lines:150", "--seed", "50000", "--games", "60"];
    maxout().args(args).arg("--runs").arg(&runs).assert().success();
    assert!(Process::new("mkfifo").arg(folder.join("pipe")).status().expect("mkfifo").success());
    fs::write(folder.join("board.txt"), "..........\n".repeat(18) + "##...#...#\n#########.\n")
        .expect("written");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::copy(root.join("tests/data/d1_l19_clears.csv.gz"), folder.join("t.csv.gz")).expect("a trace");
    fs::copy(root.join("roms/testcart/maxout-testcart.nes"), folder.join("cartridge.nes")).expect("an image");
    let waiting = Mutex::new(LONG.to_vec());
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

#[test]
fn ctrl_c_ends_a_replay_whose_ffmpeg_hangs_and_the_ffmpeg_with_it() {
    let movie = format!("version 3\nport0 1\nport1 0\nport2 0\n{}", "|0|........|||\n".repeat(60));
    // It hangs before it says its version, while it takes pictures, after the last of them, and while it reads the file again.
    for when in ["*-version*", "*pipe:0*", "*'-c:v copy'*", "*framecrc*"] {
        let folder = TempDir::new().expect("a folder");
        let folder = folder.path();
        fs::write(folder.join("movie.fm2"), &movie).expect("written");
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in\n{when}) echo $$ >hangs; sleep 1000; exit 0;;\n*pipe:0*) cat >/dev/null;;\nesac\n"
        );
        fs::write(folder.join("ffmpeg"), script).expect("written");
        fs::set_permissions(folder.join("ffmpeg"), fs::Permissions::from_mode(0o755)).expect("a mode");
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a path"));
        let child = begin(folder, "replay movie.fm2 --mp4 out.mp4", Some(&path));
        let begun = Instant::now();
        while !fs::read_to_string(folder.join("hangs")).is_ok_and(|text| text.ends_with('\n')) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{when}: it does not begin");
            thread::sleep(Duration::from_millis(10));
        }
        interrupt(child, when);
        let pid: i32 =
            fs::read_to_string(folder.join("hangs")).expect("there").trim().parse().expect("a number");
        let pid = Pid::from_raw(pid).expect("a number");
        assert!(rustix::process::test_kill_process(pid).is_err(), "{when}: ffmpeg goes on");
        let names: Vec<_> =
            fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names.len(), 3, "{when}: {names:?}");
    }
}
