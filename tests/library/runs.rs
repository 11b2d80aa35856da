//! The run library: nothing finished is lost, nothing damaged is touched, and every run can be played again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use maxout::library::export::Line;
use maxout::library::open_run;
use maxout::library::run::record_now;
use maxout::library::store::{FILE, Library, LibraryError, Run};
use maxout::stats::{Statistics, boards};
use maxout::words::count;
use maxout_engine::search::Foresight;
use maxout_host::Model;
use maxout_host::batch::{self, Batch};
use maxout_host::session;
use maxout_record::result::HostKind;
use maxout_record::run::{RomName, log_from_text};
use maxout_rules::{Board, PlayState, Seed, Stop};
use predicates::prelude::*;
use proptest::prelude::*;
use rusqlite::Connection;
use tempfile::TempDir;

use crate::maxout;

fn start(args: &[&str], runs: &Path) -> Child {
    let mut command = Process::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(args).arg("--runs").arg(runs).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("maxout starts")
}

/// The seeds that a library holds, in the order of their ids.
fn seeds(runs: &Path) -> Vec<u64> {
    let library = Library::open(runs).expect("the library opens");
    library.records(None).expect("every row is a record").into_iter().map(|(_, record)| record.seed).collect()
}

/// A library of short games: two from power-on, two of model seeds.
fn small_library(runs: &Path) {
    for seed in ["7", "50000"] {
        let args = ["sim", "--games", "2", "--seed", seed, "--player", "plateau17", "--stop", "lines:4"];
        maxout().args(args).arg("--runs").arg(runs).assert().success();
    }
}

/// The bytes of such a library.
fn bytes() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = TempDir::new().expect("a folder");
        small_library(folder.path());
        fs::read(folder.path().join(FILE)).expect("a library")
    })
}

fn library_of(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join(FILE);
    fs::write(&file, bytes).expect("written");
    (folder, file)
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn games_finished_before_a_kill_are_all_there_and_verify() {
    let runs = TempDir::new().expect("a folder");
    // From this seed on a few games are short.
    let args = ["play", "--games", "20", "--seed", "772", "--player", "plateau17", "--stop", "lines:2"];
    let mut child = start(&args, runs.path());
    let kept = || Library::open(runs.path()).map_or(0, |library| library.ids(None).expect("ids").len());
    while kept() < 2 {
        assert!(child.try_wait().expect("a status").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("SIGKILL");
    child.wait().expect("it is dead");
    let seeds = seeds(runs.path());
    assert!((2..20).contains(&seeds.len()));
    assert_eq!(seeds, (772..).take(seeds.len()).collect::<Vec<u64>>());
    maxout()
        .args(["runs", "verify", "--runs"])
        .arg(runs.path())
        .assert()
        .success()
        .stdout(predicate::str::contains("RAM").and(predicate::str::contains("verified on the emulator")));
}

#[test]
fn a_library_survives_kills_in_the_middle_of_writing() {
    let runs = TempDir::new().expect("a folder");
    let mut kept = 0;
    for round in 0..6 {
        let seed = (50_000 + 1_000 * round).to_string();
        let args = ["sim", "--games", "1000", "--player", "plateau17", "--stop", "lines:2", "--seed", &seed];
        let mut child = start(&args, runs.path());
        // On a slow machine it takes a while until there is a library.
        while !runs.path().join(FILE).exists() {
            assert!(child.try_wait().expect("a status").is_none(), "it ended by itself");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(80 + 17 * round));
        child.kill().expect("SIGKILL");
        child.wait().expect("it is dead");
        let now = seeds(runs.path()).len();
        assert!(now >= kept, "{kept} runs before round {round}, {now} after it");
        kept = now;
    }
    assert!(kept > 0, "nothing was written at all");
    maxout().args(["runs", "verify", "--model", "--runs"]).arg(runs.path()).assert().success();
}

#[test]
fn two_processes_write_at_once() {
    let runs = TempDir::new().expect("a folder");
    let half = |seed: &'static str| {
        start(
            &["sim", "--games", "60", "--seed", seed, "--player", "plateau17", "--stop", "lines:3"],
            runs.path(),
        )
    };
    // The library is not there yet, so they race for making it, too.
    let mut both = [half("50000"), half("60000")];
    for child in &mut both {
        assert!(child.wait().expect("it ends").success());
    }
    let mut seeds = seeds(runs.path());
    seeds.sort_unstable();
    assert_eq!(seeds, (50_000..50_060).chain(60_000..60_060).collect::<Vec<_>>());
    let names: Vec<_> =
        fs::read_dir(runs.path()).expect("a folder").map(|e| e.expect("entry").file_name()).collect();
    assert_eq!(names, [FILE], "nothing else is left in the folder");
}

#[test]
fn a_damaged_library_is_named_in_one_line_and_stays_as_it_is() {
    let foreign = {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join(FILE);
        let connection = Connection::open(&file).expect("SQLite works");
        connection.execute_batch("CREATE TABLE runs (id INTEGER PRIMARY KEY, score INTEGER)").expect("made");
        drop(connection);
        fs::read(file).expect("a database")
    };
    let changed = |sql: &str| {
        let (_folder, file) = library_of(bytes());
        Connection::open(&file).expect("SQLite works").execute_batch(sql).expect("changed");
        fs::read(file).expect("a database")
    };
    let mut torn = bytes().to_vec();
    let middle = torn.len() / 2;
    torn[middle..middle + 3_000].fill(0xA5);
    let cases: [(&str, Vec<u8>, &str); 8] = [
        ("text", b"this is no library\n".repeat(300), "no SQLite database"),
        ("empty", Vec::new(), "application id"),
        ("cut off", bytes()[..bytes().len() - 100].to_vec(), "damaged"),
        ("cut to one page", bytes()[..4096].to_vec(), "damaged"),
        ("torn", torn, "damaged"),
        ("another program's", foreign, "application id"),
        ("of the future", changed("PRAGMA user_version = 99"), "version 99"),
        ("another table", changed("ALTER TABLE runs RENAME COLUMN score TO points"), "damaged"),
    ];
    for (name, bytes, culprit) in cases {
        let (folder, file) = library_of(&bytes);
        let commands: [&[&str]; 6] = [
            &["play", "--stop", "lines:1"],
            &["sim", "--stop", "lines:1", "--player", "plateau17"],
            &["replay", "1"],
            &["runs", "list"],
            &["runs", "verify"],
            &["runs", "export"],
        ];
        for command in commands {
            let assert = maxout().args(command).arg("--runs").arg(folder.path()).assert().code(2).stdout("");
            let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            assert_eq!(stderr.lines().count(), 1, "{name}, {command:?}: {stderr}");
            assert!(stderr.contains(FILE) && stderr.contains(culprit), "{name}, {command:?}: {stderr}");
            assert!(
                fs::read(&file).expect("it is there") == bytes,
                "{name}, {command:?}: the file was changed"
            );
        }
    }
}

#[test]
fn refuses_numbers_of_runs_that_are_not_there() {
    let runs = TempDir::new().expect("a folder");
    small_library(runs.path());
    let commands: [&[&str]; 6] = [
        &["runs", "show", "99"],
        &["runs", "verify", "99"],
        &["runs", "export", "99"],
        &["replay", "99"],
        &["runs", "show", "-99"],
        &["runs", "verify", "99x"],
    ];
    for command in commands {
        let assert = maxout().args(command).arg("--runs").arg(runs.path()).assert().code(2).stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.lines().count() == 1 && stderr.contains("99"), "{command:?}: {stderr}");
    }
    let nowhere = runs.path().join("nowhere");
    maxout()
        .args(["runs", "list", "--runs"])
        .arg(&nowhere)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("nowhere"));
    assert!(!nowhere.exists(), "reading makes nothing");
}

#[test]
fn verify_says_what_differs_and_which_run_is_damaged() {
    let runs = TempDir::new().expect("a folder");
    small_library(runs.path());
    let json = runs.path().join("out.json");
    let verify = |what: &[&str]| {
        let mut command = maxout();
        command.args(["runs", "verify", "--model"]).args(what);
        command.arg("--json").arg(&json).arg("--runs").arg(runs.path());
        command.assert()
    };
    verify(&[]).success().stdout(predicate::str::contains("4 of 4 runs verified"));
    let file = Connection::open(runs.path().join(FILE)).expect("SQLite works");
    file.execute_batch("UPDATE runs SET score = score + 1 WHERE id = 3").expect("changed");
    verify(&["3"]).code(1).stdout(predicate::str::contains("score"));
    let text = fs::read_to_string(&json).expect("written");
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(answer[0]["verified"], false);
    assert_eq!(answer[0]["differences"][0]["what"], "score");
    file.execute_batch("UPDATE runs SET log = x'78016304' WHERE id = 2").expect("changed");
    verify(&["2"]).code(2).stderr(predicate::str::contains("run 2"));
    verify(&[]).code(1).stdout(predicate::str::contains("2 of 4 runs verified"));
    file.execute_batch("UPDATE runs SET level = 300 WHERE id = 4").expect("changed");
    verify(&["4"]).code(2).stderr(predicate::str::contains("run 4"));
}

#[test]
fn exports_read_back_as_what_was_kept() {
    let runs = TempDir::new().expect("a folder");
    small_library(runs.path());
    let library = Library::open(runs.path()).expect("the library opens");
    let kept: Vec<Run> =
        library.ids(None).expect("ids").into_iter().map(|id| library.run(id).expect("a run")).collect();
    assert_eq!(kept.len(), 4);
    let export = |more: &[&str]| {
        let assert =
            maxout().args(["runs", "export"]).args(more).arg("--runs").arg(runs.path()).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
    };

    let jsonl = export(&["--format", "jsonl", "--logs"]);
    assert_eq!(jsonl.lines().count(), 4);
    for (line, run) in jsonl.lines().zip(&kept) {
        let line: Line = serde_json::from_str(line).expect("JSON");
        assert_eq!(&line.run, run);
        let log = log_from_text(&line.buttons.expect("the log was asked for")).expect("a log");
        assert_eq!((run.record.clone(), log), library.record_and_log(run.id).expect("a run"));
    }

    let csv = export(&[]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().expect("a header").clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 4);
    for (row, run) in rows.iter().zip(&kept) {
        let cell =
            |name: &str| row.get(headers.iter().position(|h| h == name).expect("a column")).expect("a cell");
        assert_eq!(cell("id"), run.id.to_string());
        assert_eq!(cell("seed"), run.record.seed.to_string());
        assert_eq!(cell("score"), run.record.result.score.to_string());
        assert_eq!(cell("stop"), "lines:4");
        assert_eq!(cell("burned"), run.statistics.burn.total.to_string());
        let rate: f64 = cell("tetris_rate").parse().expect("a number");
        assert!((rate - run.statistics.tetris_rate).abs() < 1e-15);
    }

    let out = runs.path().join("out");
    let folders = export(&["2", "4", "--format", "folder", "-o", &out.to_string_lossy()]);
    for (folder, run) in folders.lines().zip([&kept[1], &kept[3]]) {
        let from_library = open_run(run.id.to_string().as_ref(), Some(runs.path())).expect("a run");
        assert_eq!(open_run(folder.as_ref(), None).expect("a run"), from_library);
    }
    assert_eq!(folders.lines().count(), 2);
}

#[cfg(unix)]
#[test]
fn an_export_into_a_pipe_that_nobody_reads_is_no_error() {
    let runs = TempDir::new().expect("a folder");
    let args = ["sim", "--games", "150", "--seed", "50000", "--player", "plateau17", "--stop", "lines:1"];
    maxout().args(args).arg("--runs").arg(runs.path()).assert().success();
    for format in ["csv", "jsonl"] {
        let mut export = Process::new(env!("CARGO_BIN_EXE_maxout"))
            .args(["runs", "export", "--format", format, "--runs"])
            .arg(runs.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("maxout starts");
        drop(export.stdout.take());
        assert!(export.wait().expect("it ends").success(), "{format}");
    }
}

#[test]
fn list_best_show_and_stats_answer_with_what_is_there() {
    let runs = TempDir::new().expect("a folder");
    small_library(runs.path());
    let args = ["sim", "--seed", "9", "--player", "meatfighter2018", "--stop", "lines:1", "--runs"];
    maxout().args(args).arg(runs.path()).assert().success();
    let answer = |what: &[&str]| {
        let assert = maxout().arg("runs").args(what).arg("--runs").arg(runs.path()).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
    };
    let json = |what: &[&str]| -> serde_json::Value {
        serde_json::from_str(&answer(&[what, &["--json", "-"]].concat())).expect("JSON")
    };
    let ids = |list: &serde_json::Value| -> Vec<u64> {
        list.as_array().expect("a list").iter().filter_map(|run| run["id"].as_u64()).collect()
    };
    assert_eq!(ids(&json(&["list"])), [5, 4, 3, 2, 1], "newest first");
    assert_eq!(ids(&json(&["list", "--player", "plateau17", "--limit", "2"])), [4, 3]);
    assert_eq!(answer(&["list"]).lines().count(), 6);
    let best = json(&["best"]);
    assert_eq!(ids(&best).len(), 2, "one run of each player");
    assert!(best[0]["score"].as_u64() >= best[1]["score"].as_u64());
    let run = json(&["show", "3"]);
    assert_eq!((&run["seed"], &run["statistics"]["lines"]), (&50_000.into(), &run["lines"]));
    assert!(answer(&["show", "3"]).contains("droughts"));
    let groups = json(&["stats"]);
    assert_eq!(groups.as_array().expect("groups").len(), 2);
    assert_eq!(groups[1]["games"], 4);
    assert!(answer(&["stats"]).contains("tetris-ready"));
}

#[test]
fn statistics_of_no_run_say_so_in_one_line() {
    let runs = TempDir::new().expect("a folder");
    small_library(runs.path());
    let none = |more: &[&str]| {
        let mut command = maxout();
        let assert = command.args(["runs", "stats", "--runs"]).arg(runs.path()).args(more).assert();
        String::from_utf8(assert.code(1).stderr("").get_output().stdout.clone()).expect("UTF-8")
    };
    assert_eq!(none(&["--player", "maxout"]), "the library has no run of the player maxout\n");
    assert_eq!(
        none(&["--player", "maxout-fast", "--note", "#Good"]),
        "the library has no run of the player maxout-fast and with the tag #good\n"
    );
    assert_eq!(none(&["--note", "a b"]), "the library has no run with \"a b\" in its note\n");
    assert_eq!(none(&["--player", "maxout", "--json", "-"]), "[]\n");
}

#[test]
fn watch_without_a_terminal_plays_the_run_through_and_says_how_it_ended() {
    let (folder, _) = library_of(bytes());
    let records = Library::open(folder.path()).and_then(|library| library.records(None)).expect("records");
    let (_, record) = records.iter().find(|(id, _)| id.to_string() == "1").expect("run 1");
    let result = format!("{}, {} lines", count(record.result.score, "point"), record.result.lines);
    let watch = |run: &str| {
        let mut command = maxout();
        command.args(["watch", run, "--runs"]).arg(folder.path());
        command
    };
    watch("1").assert().success().stdout(predicate::str::contains(result));
    watch("99").assert().code(2).stderr(predicate::str::contains("99"));
}

#[cfg(target_os = "linux")]
#[test]
fn play_keeps_its_games_by_default_and_none_when_asked() {
    let home = TempDir::new().expect("a folder");
    let play = || {
        let mut command = maxout();
        command.args(["play", "--seed", "274", "--player", "plateau17", "--stop", "lines:1"]);
        command.env("HOME", home.path()).env("XDG_DATA_HOME", home.path().join("data"));
        command
    };
    let folder = home.path().join("data/maxout/runs");
    play().env_remove("MAXOUT_RUNS").arg("--no-runs").assert().success();
    assert!(!folder.exists());
    play().env_remove("MAXOUT_RUNS").assert().success().stdout(predicate::str::contains("as run 1 in"));
    assert_eq!(seeds(&folder), [274]);
    let file = home.path().join("file");
    fs::write(&file, "x").expect("written");
    play().env("MAXOUT_RUNS", &file).assert().code(2).stderr(predicate::str::contains("--no-runs"));
}

#[test]
fn a_replayed_log_gives_the_game_again_and_its_locks_give_the_boards() {
    let stop = Stop::Lines(40);
    let seed = Seed::new(50_001);
    let mut player = maxout_gallery::find("plateau17").expect("a player").make(Foresight::DEFAULT, stop);
    let mut model = Model::new(seed.start(19));
    let mut seen: Vec<Board> = Vec::new();
    let mut lines = 0;
    let game = session::play(&mut model, &mut player, seed.opening(), stop, &mut |_, now, _| {
        // The frame in which a lock was scored.
        if now.play_state == PlayState::Goal {
            seen.push(now.board);
            lines = now.progress.lines();
        }
        true
    })
    .expect("a game");
    assert!(boards(&game.locks).eq(seen.iter().copied()));
    let statistics = Statistics::of(&game.locks, 19);
    assert_eq!((statistics.lines, statistics.pieces), (lines, game.result.pieces));
    let points = statistics.points;
    let from_lines = points.singles + points.doubles + points.triples + points.tetrises;
    assert_eq!((from_lines, from_lines + points.soft_drop), (game.result.line_points, game.result.score));
    let [singles, doubles, triples, _] = game.result.clears();
    assert_eq!(statistics.burn.total, singles + 2 * doubles + 3 * triples);

    let mut model = Model::new(seed.start(19));
    let mut again =
        session::replay(&mut model, game.log.frames(), stop, &mut |_, _, _| true).expect("the same game");
    (again.wall, again.thinking, again.counts) = (game.wall, game.thinking, game.counts);
    assert!(again == game);
}

#[test]
fn a_model_seed_beyond_sqlite_s_integers_is_kept_as_it_is() {
    let runs = TempDir::new().expect("a folder");
    let player = maxout_gallery::find("plateau17").expect("a player");
    let first_seed = u64::MAX - 1;
    let stop = Stop::Lines(2);
    let batch = Batch { first_seed, stop, ..Batch::new(player.clone(), 1) };
    let mut library = Library::open_or_create(runs.path()).expect("a library");
    let mut kept = None;
    batch::sim(&batch, 1, &false.into(), &mut |game| {
        let rom = RomName { name: "model".to_owned(), sha1: None };
        let record = record_now(&game, &batch, HostKind::Model, rom);
        let statistics = Statistics::of(&game.outcome.locks, batch.start_level);
        let id = library.add(&record, &statistics, &game.log())?;
        kept = Some((Run { id, record, note: String::new(), statistics }, game.log()));
        Ok(())
    })
    .expect("a game");
    let (run, log) = kept.expect("it was kept");
    assert_eq!(library.run(run.id).expect("a run"), run);
    assert_eq!(library.record_and_log(run.id).expect("a run"), (run.record, log));
}

/// Opens the library, reads everything in it, and compares the file afterwards.
fn read_it_all(bytes: &[u8]) -> Result<(), LibraryError> {
    let (folder, file) = library_of(bytes);
    let result = Library::open(folder.path()).and_then(|library| {
        for id in library.ids(None)? {
            let _ = library.run(id);
            let _ = library.record_and_log(id);
        }
        library.records(None).map(|_| ())
    });
    assert!(fs::read(file).expect("it is there") == bytes, "the file was changed");
    result
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn arbitrary_bytes_are_no_library_and_no_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..6_000),
        like_sqlite: bool,
    ) {
        let magic: &[u8] = if like_sqlite { b"SQLite format 3\0" } else { b"" };
        prop_assert!(read_it_all(&[magic, &bytes].concat()).is_err());
    }

    #[test]
    fn a_library_with_changed_bytes_is_read_or_refused(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = bytes().to_vec();
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
            prop_assert!(read_it_all(&bytes).is_err());
        } else {
            let _ = read_it_all(&bytes);
        }
    }
}
