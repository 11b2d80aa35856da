//! Ctrl-C ends every long command within two seconds, with exit code 130 or by the signal, and leaves nothing behind; also while an
//! ffmpeg hangs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command as Process;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;
use tempfile::TempDir;

use crate::interrupted::{begin, each_ends_soon, interrupt};
use crate::maxout;

/// Work that takes minutes.
const LONG: [&str; 11] = [
    "analyze board.txt --piece T --playouts 100000",
    "conform t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz t.csv.gz",
    "conform --rom cartridge.nes t.csv.gz t.csv.gz t.csv.gz",
    // Nobody writes into the pipe.
    "merge pipe",
    "play --player maxout --games 100 --no-runs",
    "review 1 --player maxout-4ply",
    "review 1 --player maxout-fast --playouts 0 --luck 100000",
    "review 1 --player maxout-fast --worst 100 --playouts 100000",
    "runs verify",
    "sim --player maxout --games 100",
    "sim --player maxout-fast --games 1000 --runs",
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
    each_ends_soon(folder, &LONG);
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
        let child = begin(folder, "replay movie.fm2 --video out.mp4", Some(&path));
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
