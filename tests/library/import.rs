//! `runs import`: what was exported comes back as it was, and nothing of a folder that is refused is kept.

use std::fs;
use std::path::{Path, PathBuf};

use maxout::library::store::{FILE, Library};
use predicates::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::maxout;

/// A folder with a library of two short games, `runs`, and what it exports, `out`.
struct Exported {
    folder: TempDir,
    games: Vec<PathBuf>,
}

impl Exported {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let run = |words: &str| {
            maxout().current_dir(folder.path()).args(words.split(' ')).assert().success();
        };
        run("sim --player plateau17 --stop lines:2 --seed 7 --games 2 --runs runs");
        run("runs export --format folder -o out --runs runs");
        let entries = fs::read_dir(folder.path().join("out")).expect("a folder");
        let mut games: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        games.sort();
        assert_eq!(games.len(), 2);
        Self { folder, games }
    }

    fn library(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn import(&self, library: &str, folders: &[&Path]) -> assert_cmd::assert::Assert {
        let mut command = maxout();
        command.args(["runs", "import", "--runs"]).arg(self.library(library)).args(folders).assert()
    }

    /// Changes the record of the second game.
    fn forge(&self, key: &str, value: Value) {
        let path = self.games[1].join("run.json");
        let mut record: Value = serde_json::from_slice(&fs::read(&path).expect("a record")).expect("JSON");
        record[key] = value;
        fs::write(&path, record.to_string()).expect("written");
    }

    /// Both games are offered; one line, which names the second and says this, and no library.
    fn refuses(&self, words: &str) {
        let said = self.import("new", &[&self.games[0], &self.games[1]]).failure().code(2).stdout("");
        let stderr = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
        let name = self.games[1].file_name().expect("a name").to_string_lossy();
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains(words) && stderr.contains(&*name), "expected {words:?} in {stderr}");
        assert!(!self.library("new").exists(), "{words}: something was written");
    }
}

#[test]
fn exported_runs_come_back_as_they_were() {
    let exported = Exported::new();
    let folders = [exported.games[0].as_path(), &exported.games[1].join("run.json"), &exported.games[0]];
    exported
        .import("new", &folders)
        .success()
        .stdout(predicate::str::contains("run 2 from ").and(predicate::str::contains("has it as run 1")));
    let (old, new) = (exported.library("runs"), exported.library("new"));
    let (old, new) = (Library::open(&old).expect("opens"), Library::open(&new).expect("opens"));
    for id in old.ids(None).expect("ids") {
        assert_eq!(new.run(id).expect("a run"), old.run(id).expect("a run"));
        assert_eq!(new.record_and_log(id).expect("a log"), old.record_and_log(id).expect("a log"));
    }
    assert_eq!(new.ids(None).expect("ids").len(), 2);
    let verify = ["runs", "verify", "--model", "--runs"];
    maxout().args(verify).arg(exported.library("new")).assert().success();
}

#[test]
fn what_the_library_has_is_told_and_not_taken_again() {
    let exported = Exported::new();
    let file = exported.library("runs").join(FILE);
    let before = fs::read(&file).expect("a library");
    exported.forge("made_at", json!("2001-01-01T00:00:00Z"));
    let known = predicate::str::contains("has it as run 1").and(predicate::str::contains("has it as run 2"));
    exported.import("runs", &[&exported.games[0], &exported.games[1]]).success().stdout(known);
    assert!(fs::read(&file).expect("a library") == before, "the library was changed");
}

#[test]
fn a_run_of_somebody_elses_player_is_taken_and_found() {
    let exported = Exported::new();
    exported.forge("player", json!("python"));
    exported.import("new", &[&exported.games[1]]).success();
    let list = ["runs", "list", "--player", "python", "--runs"];
    let found = maxout().args(list).arg(exported.library("new")).assert().success();
    found.stdout(predicate::str::contains("python"));
}

#[test]
fn a_run_that_is_not_as_its_record_says_is_refused_with_all_others() {
    for (key, value, words) in [
        ("score", json!(999_999), "score 999999 recorded"),
        ("seed", json!(8_000), "differs on the model"),
        ("topped_out", json!(true), "topped_out true recorded"),
        ("stop", json!("never"), "never"),
        ("start_level", json!(77), "start level 77"),
        ("host", json!("toaster"), "host \"toaster\", expected"),
        ("decisions", json!(u64::MAX), "expected at most 9223372036854775807"),
        ("frames", json!(3), "promises"),
        ("format", json!("maxout-run 9"), "expected \"maxout-run 1\""),
        ("player", json!("a\u{1b}[31m"), "no control characters"),
        ("player", json!(null), "not a run record"),
    ] {
        let exported = Exported::new();
        exported.forge(key, value);
        exported.refuses(words);
    }
    let exported = Exported::new();
    fs::write(exported.games[1].join("buttons.txt"), "maxout-buttons 1\n5 nothing\n").expect("written");
    exported.refuses("line 2");
    fs::remove_file(exported.games[1].join("buttons.txt")).expect("removed");
    exported.refuses("buttons.txt");
    fs::remove_dir_all(&exported.games[1]).expect("removed");
    exported.refuses("No such file");
}

#[test]
fn a_library_that_is_damaged_stays_as_it_is() {
    let exported = Exported::new();
    let file = exported.library("runs").join(FILE);
    fs::write(&file, "no library").expect("written");
    exported.import("runs", &[&exported.games[0]]).failure().code(2);
    assert_eq!(fs::read(&file).expect("it is there"), b"no library");
}
