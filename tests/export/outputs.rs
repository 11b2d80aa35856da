//! The commands whose flags name files to write; `common/written.rs` tries them.
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::PROGRAM;
use crate::written::{Case, maxout, words};

/// A folder with a run library and a shard.
pub fn scene() -> &'static Path {
    static SCENE: OnceLock<PathBuf> = OnceLock::new();
    SCENE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let sim = |more: &[&str]| {
            let mut command = Command::new(PROGRAM);
            command.args(["sim", "--player", "plateau17", "--seed", "5", "--stop", "lines:1"]).args(more);
            assert!(command.current_dir(&folder).output().expect("maxout starts").status.success());
        };
        sim(&["--runs", "runs"]);
        sim(&["--shard", "1/1", "--json", "shard.json"]);
        folder
    })
}

pub fn make_cases() -> Vec<Case> {
    let mut replay = "--movie --sheet --html --champs --json".to_owned();
    if Command::new("ffmpeg").arg("-version").output().is_ok_and(|output| output.status.success()) {
        replay += " --video";
    } else {
        crate::skipped("videos, there is no ffmpeg here");
    }
    vec![
        Case::new("sim --player plateau17 --stop lines:1 --no-timings", "--json"),
        Case::new("play --player plateau17 --stop lines:1 --no-runs --no-timings", "--json"),
        Case::new("merge SCENE/shard.json --no-timings", "--json"),
        Case::new("replay 1 --every 50", replay.leak()),
        Case::new("rom", "--json"),
        Case::new("runs list", "--json"),
        Case::new("runs best", "--json"),
        Case::new("runs show 1", "--json"),
        Case::new("runs stats", "--json"),
        Case::new("runs verify 1 --model", "--json"),
        Case::new("runs export", "--output"),
        Case::new("runs export --format jsonl --logs", "-o"),
        Case::new("report 1", "--output --timeline-json"),
    ]
}

/// Those that take long.
pub fn slow_cases() -> Vec<Case> {
    vec![Case::new("sim --games 100000", "--json"), Case::new("play --games 1000 --no-runs", "--json")]
}

/// Commands that write into a folder, or begin a library.
pub fn folder_cases() -> Vec<Case> {
    vec![
        Case::new("play --games 1000 --no-runs", "--png"),
        Case::new("play --games 1000", "--runs"),
        Case::new("sim --games 1000", "--runs"),
        Case::new("replay 1", "--png"),
        Case::new("runs export --format folder", "--output"),
    ]
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_folder_of_pictures_is_named_with_all_that_it_holds() {
    let folder = TempDir::new().expect("a folder");
    let frames = folder.path().join("frames");
    let mut command = maxout();
    let play = "play --player plateau17 --stop lines:1 --games 2 --no-runs --every 400 -q --png";
    let output = command.args(words(play)).arg(&frames).output().expect("maxout starts");
    let (mut pictures, mut bytes) = (0, 0);
    for game in fs::read_dir(&frames).expect("a folder for each game") {
        for picture in fs::read_dir(game.expect("listed").path()).expect("pictures") {
            pictures += 1;
            bytes += picture.expect("listed").metadata().expect("there").len();
        }
    }
    let named = format!("{}: {} KB, {pictures} pictures\n", frames.display(), bytes.div_ceil(1000));
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(pictures >= 2 && answer.ends_with(&named), "{named} is not at the end of {answer}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_answer_is_told_though_its_file_cannot_be_written() {
    for (args, told) in [
        ("rom", "sha1"),
        ("merge SCENE/shard.json", "plateau17"),
        ("runs list", "plateau17"),
        ("runs best", "plateau17"),
        ("runs show 1", "plateau17"),
        ("runs stats", "plateau17"),
        ("runs verify 1 --model", "1 of 1 run verified"),
        ("sim --player plateau17 --stop lines:1", "plateau17"),
    ] {
        let mut command = Case::new(args, "--json").with_one("--json", "/dev/full");
        // Without progress, which begins after five seconds.
        let output = command.arg("-q").output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args}: {said}");
        assert!(said.contains("--json /dev/full: "), "{args}: {said}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(told), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_that_finds_no_room_names_stdout() {
    for format in ["csv", "jsonl"] {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let mut command = maxout();
        let output = command.args(["runs", "export", "--format", format]).stdout(full).output();
        let output = output.expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("maxout runs export: stdout: "), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_versions_and_the_address_of_a_server_that_find_no_room_name_stdout() {
    for args in ["--help", "-h", "--version", "play --help", "help runs list", "serve --port 0", "players"] {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let output = maxout().args(args.split(' ')).stdout(full).output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args}: {said}");
        assert!(said.contains("stdout: "), "{args}: {said}");
    }
}

#[test]
fn a_library_that_is_a_link_is_made_and_used_where_it_leads() {
    let folder = TempDir::new().expect("a folder");
    let (runs, far) = (folder.path().join("runs"), folder.path().join("far"));
    fs::create_dir(&runs).expect("a folder");
    fs::create_dir(&far).expect("a folder");
    let link = runs.join("library.sqlite");
    symlink("../far/games.sqlite", &link).expect("a link");
    let case = Case::new("sim --player plateau17 --stop lines:1", "--runs");
    for games in [1, 2] {
        case.done(case.with(std::slice::from_ref(&runs)));
        assert!(link.is_symlink() && far.join("games.sqlite").is_file());
        let library = maxout::library::store::Library::open(&runs).expect("a library");
        assert_eq!(library.ids(None).expect("whole").len(), games);
    }
    assert_eq!(fs::read_dir(&far).expect("a folder").count(), 1);
}
