//! Games that were read: what is kept of them is what is read of them again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use maxout::library::read::{ReadRun, games};
use maxout::library::store::{FILE, Library, RunId, Taken};
use maxout_host::review::{PlayedGame, SETS_LEVEL, Unread};
use maxout_record::result::HostKind;
use maxout_rules::{Board, Placement};
use predicates::prelude::*;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::export::champs::{CLASSIC, put_together, take_apart};
use crate::maxout;

/// A library `runs` with a short game that was played, and its recording `game.ngf`.
struct Recorded {
    folder: TempDir,
}

impl Recorded {
    /// The game is played once and in the emulator, which takes seconds, replayed once. Each test has a copy of its own.
    fn new() -> Self {
        static FILES: LazyLock<[(&str, Vec<u8>); 2]> = LazyLock::new(|| {
            let recorded = Recorded { folder: TempDir::new().expect("a folder") };
            recorded.run("sim --player plateau17 --seed 3 --stop lines:9").success();
            recorded.run("replay 1 --champs game.ngf").success();
            let runs = fs::read_dir(recorded.path("runs")).expect("a library").count();
            assert_eq!(runs, 1, "the library is one file");
            ["runs/library.sqlite", "game.ngf"].map(|name| (name, fs::read(recorded.path(name)).expect(name)))
        });
        let recorded = Self { folder: TempDir::new().expect("a folder") };
        fs::create_dir(recorded.path("runs")).expect("a folder");
        for (name, bytes) in &*FILES {
            fs::write(recorded.path(name), bytes).expect("a copy");
        }
        recorded
    }

    fn run(&self, words: &str) -> Assert {
        let mut command: Command = maxout();
        command.current_dir(self.folder.path()).args(words.split(' ')).args(["--runs", "runs", "-q"]).assert()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The game as its recording tells it.
    fn game(&self) -> PlayedGame {
        let bytes = fs::read(self.path("game.ngf")).expect("a recording");
        games(&bytes, "").expect("frames").remove(0)
    }

    /// Exports a run, and returns the name of its folder.
    fn export(&self, id: u32) -> String {
        self.run(&format!("runs export {id} --format folder -o out")).success();
        let folder = fs::read_dir(self.path("out")).expect("a folder").next().expect("a run").expect("a run");
        format!("out/{}", folder.file_name().to_string_lossy())
    }
}

/// Where its pieces were placed.
fn placed(game: &PlayedGame) -> Vec<(Board, Placement)> {
    game.pieces.iter().map(|placed| (placed.board, placed.placement)).collect()
}

#[test]
fn a_game_keeps_its_last_piece_whether_or_not_the_next_box_is_seen() {
    let recorded = Recorded::new();
    let game = recorded.game();
    assert!(game.pieces.len() > 20, "{}", game.pieces.len());
    let mut library = Library::open_or_create(&recorded.path("runs")).expect("a library");
    let second: RunId = "2".parse().expect("a number");
    for is_covered in [false, true] {
        for number in 1..=game.pieces.len() {
            let mut cut = game.clone();
            cut.pieces.truncate(number);
            if is_covered {
                cut.pieces.iter_mut().for_each(|placed| placed.next = None);
            }
            let run = ReadRun::new(&cut, HostKind::Video, Path::new("game.mp4"));
            assert_eq!(run.record().result.pieces as usize, number, "covered: {is_covered}");
            if is_covered && number == game.pieces.len() {
                assert_eq!(library.take_read(&run).expect("a run"), Taken::Kept(second));
            }
        }
    }
    let (record, frames) = library.record_and_frames(second).expect("its recording");
    let again = games(&frames, "").expect("frames").remove(0);
    assert_eq!(placed(&again), placed(&game));
    assert_eq!(record.result.pieces as usize, again.pieces.len());
    let folder = recorded.export(2);
    recorded
        .run(&format!("runs import {folder}"))
        .success()
        .stdout(predicate::str::contains("has it as run 2"));
}

#[test]
fn games_that_are_written_one_after_the_other_come_back_as_many() {
    let recorded = Recorded::new();
    let written = recorded.run("review game.ngf game.ngf --nodes 1 --worst 0 --champs -").success();
    let again = games(&written.get_output().stdout, "").expect("frames");
    let game = placed(&recorded.game());
    assert_eq!(again.iter().map(placed).collect::<Vec<_>>(), [game.clone(), game]);
}

#[test]
fn a_damaged_note_is_cleaned_and_takes_no_run_away() {
    let recorded = Recorded::new();
    recorded.run("review game.ngf --nodes 1 --worst 0 --keep").success();
    let library = Connection::open(recorded.path("runs").join(FILE)).expect("a database");
    library.execute("UPDATE runs SET note = 'good ' || char(0x200f) || 'game'", []).expect("two notes");
    // The buttons of the run that was played are whole.
    recorded.run("review 1 --nodes 1 --worst 0").success();
    let said = recorded.run("runs repair").success();
    let said = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
    for line in ["run 1: note cleaned: ", "run 2: note cleaned: ", "2 runs can be read"] {
        assert!(said.contains(line), "expected {line:?} in {said}");
    }
    assert!(!recorded.path("damaged").exists() && !recorded.path("runs/damaged").exists());
    recorded.run("review 2 --nodes 1 --worst 0").success();
}

#[test]
fn a_library_that_cannot_keep_games_is_told_before_they_are_read() {
    let recorded = Recorded::new();
    fs::create_dir(recorded.path("foreign")).expect("a folder");
    fs::write(recorded.path("foreign").join(FILE), "no library").expect("a file");
    // What is read is no recording, which would be told later.
    fs::write(recorded.path("broken.ngf"), "no frames").expect("a file");
    for (library, message) in [("foreign", "no SQLite database"), ("game.ngf", "game.ngf")] {
        let mut command: Command = maxout();
        let args =
            ["review", "broken.ngf", "--playouts", "0", "--keep", "--champs", "new.ngf", "--runs", library];
        command.current_dir(recorded.folder.path()).args(args);
        command.assert().code(2).stderr(predicate::str::contains(message));
        assert!(!recorded.path("new.ngf").exists(), "{library}");
    }
}

#[test]
fn where_no_placement_is_read_nothing_is_written_or_kept_and_a_start_level_helps() {
    let recorded = Recorded::new();
    let mut frames = take_apart(&fs::read(recorded.path("game.ngf")).expect("a recording"), 3, CLASSIC);
    for frame in &mut frames {
        frame.numbers.insert("lines", u64::MAX);
        frame.numbers.insert("level", u64::MAX);
    }
    let bytes: Vec<u8> = frames.iter().flat_map(|frame| put_together(frame, 3, CLASSIC)).collect();
    fs::write(recorded.path("dark.ngf"), bytes).expect("a file");
    let mut command: Command = maxout();
    let words = "review dark.ngf --nodes 1 --playouts 0 --keep --champs new.ngf --json new.json --runs runs";
    let said = command.current_dir(recorded.folder.path()).args(words.split(' ')).assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
    let told = "dark.ngf: has no placement of an A-type game, expected at least one; from frame ";
    assert!(stderr.contains(told) && stderr.contains("lines or level are unknown"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(!recorded.path("new.ngf").exists() && !recorded.path("new.json").exists());
    recorded.run("runs list").success().stdout(predicate::str::contains("recording dark.ngf").not());
    // The rules count from the level that is named, as the frames did.
    let judged = |file: &str, more: &str| {
        let words =
            format!("review {file} --nodes 1 --player maxout-fast --playouts 0 --json out.json{more}");
        recorded.run(&words).success();
        let told = fs::read(recorded.path("out.json")).expect("a file");
        let mut told: Value = serde_json::from_slice(&told).expect("JSON");
        told[0]["source"].take();
        told
    };
    assert_eq!(judged("dark.ngf", " --start-level 19"), judged("game.ngf", ""));
    // What the frames tell counts.
    assert_eq!(judged("game.ngf", " --start-level 5"), judged("game.ngf", ""));
    recorded
        .run("review 1 --nodes 1 --playouts 0 --start-level 5")
        .code(2)
        .stderr(predicate::str::contains("--start-level: only for videos and recordings"));
}

#[test]
fn a_folder_whose_record_is_not_that_of_its_recording_is_refused() {
    let recorded = Recorded::new();
    recorded.run("review game.ngf --nodes 1 --worst 0 --keep").success();
    let folder = recorded.export(2);
    let path = recorded.path(&folder).join("run.json");
    let record: Value = serde_json::from_slice(&fs::read(&path).expect("a record")).expect("JSON");
    for (key, value, words) in [
        ("start_level", json!(18), "begins on level 19, the record says 18"),
        ("decisions", json!(u64::MAX), "decisions 18446744073709551615, expected at most"),
        ("replans", json!(u64::MAX), "replans 18446744073709551615, expected at most"),
        ("frames", json!(u64::MAX), "frames 18446744073709551615, expected at most"),
        ("note", json!(5), "note: invalid type: integer `5`, expected a string"),
        ("menu_frames", json!(u64::MAX), "menu_frames 18446744073709551615, expected at most"),
    ] {
        let mut forged = record.clone();
        forged[key] = value;
        fs::write(&path, forged.to_string()).expect("a file");
        recorded.run(&format!("runs import {folder}")).code(2).stderr(predicate::str::contains(words));
    }
    fs::write(&path, record.to_string()).expect("a file");
    recorded.run(&format!("runs import {folder}")).success();
}

#[test]
fn the_note_of_a_game_does_not_name_flags_that_are_refused_for_it() {
    let recorded = Recorded::new();
    let mut game = recorded.game();
    game.unread.push(Unread { frame: 0, reason: format!("the level; 18 is taken{SETS_LEVEL}") });
    let run = ReadRun::new(&game, HostKind::Video, Path::new("game.mp4"));
    let mut library = Library::open_or_create(&recorded.path("runs")).expect("a library");
    let Taken::Kept(id) = library.take_read(&run).expect("a run") else { panic!("it is new") };
    let note = library.listed(id).expect("a run").note;
    assert!(note.contains("not read: ") && note.ends_with("the level; 18 is taken"), "{note}");
    drop(library);
    recorded.run(&format!("runs note {id} #good")).success().stdout(format!("run {id}: #good; {note}\n"));
    let said = recorded.run(&format!("review {id} --nodes 1 --worst 0")).success();
    said.stdout(predicate::str::contains("the level; 18 is taken"));
}
