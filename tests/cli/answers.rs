//! The program from outside: answers, exit codes, and one clear line for everything that is wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use assert_cmd::Command;
use maxout::library::store::Library;
use predicates::prelude::*;
use tempfile::TempDir;

fn maxout() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG");
    // Nothing is ever written to a home.
    command.env("MAXOUT_RUNS", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-runs"));
    command
}

fn test_cartridge() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("roms/testcart/maxout-testcart.nes")
}

/// Exit code 2 and exactly one line on stderr, which names the culprit.
pub fn refuses(args: &[&str], culprit: &str) {
    let assert = maxout().args(args).assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    assert!(stderr.contains(culprit), "{args:?}: expected {culprit:?} in {stderr}");
}

#[test]
fn refuses_every_bad_cartridge_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    let image = fs::read(test_cartridge()).expect("the test cartridge");
    let with = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let changed = |at: usize, value: u8| {
        let mut bytes = image.clone();
        bytes[at] = value;
        bytes
    };
    // The PAL gravity table anywhere in the program makes a PAL image, whatever the rest.
    let pal_table = [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2];
    let mut pal = image.clone();
    pal[16 + 0x100..16 + 0x100 + pal_table.len()].copy_from_slice(&pal_table);
    pal[16 + 0x100 + pal_table.len()..16 + 0x100 + 30].fill(1);
    let cases: [(String, &str); 11] = [
        (folder.path().join("missing.nes").to_string_lossy().into_owned(), "missing.nes"),
        (folder.path().to_string_lossy().into_owned(), "directory"),
        (with("empty.nes", b""), "empty"),
        (with("short.nes", &image[..15]), "15 bytes"),
        (with("text.nes", b"this is a text file, not a cartridge image\n"), "iNES"),
        (with("truncated.nes", &image[..16 + 0x3000]), "truncated.nes"),
        (with("promise.nes", &changed(4, 255)), "255"),
        (with("mapper.nes", &changed(6, image[6] & 0x0F | 0xC0)), "mapper"),
        (with("zeros.nes", &vec![0; 5_000_000]), "5000000"),
        (with("pal.nes", &pal), "PAL"),
        (with("unknown.nes", &changed(16 + 0x200, !image[16 + 0x200])), "--allow-unknown"),
    ];
    for (path, culprit) in &cases {
        refuses(&["play", path], culprit);
    }
}

#[test]
fn refuses_bad_options_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "x").expect("a file");
    let under_a_file = file.join("runs").to_string_lossy().into_owned();
    refuses(&["play", "--start-level", "20"], "20");
    refuses(&["sim", "--start-level", "20"], "--start-level");
    refuses(&["play", "--seed", "many"], "many");
    refuses(&["play", "--seed", "9600"], "9600");
    refuses(&["play", "--seed", "9599", "--games", "2"], "9600");
    refuses(&["sim", "--seed", "18446744073709551615", "--games", "2"], "18446744073709551615");
    refuses(&["sim", "--player", "nobody"], "nobody");
    refuses(&["sim", "--stop", "someday"], "someday");
    refuses(&["sim", "--games", "0"], "--games");
    refuses(&["sim", "--player", "clairvoyant", "--nodes", "3"], "--nodes");
    refuses(&["sim", "--player", "plateau17", "--nodes", "3"], "--nodes");
    refuses(&["play", "--runs", &under_a_file], "--runs");
    refuses(&["play", "--png", &under_a_file], "--png");
    refuses(&["sim", "--json", &under_a_file], "--json");
    refuses(&["sim", "--colour", "blue"], "--colour");
    refuses(&["dance"], "dance");
    refuses(&["dance", "play"], "maxout: dance: no such command");
    refuses(&["sim", "--stop", "lines:0"], "maxout sim: --stop lines:0: expected level29, topout");
    refuses(&["sim", "--shard", "3/2"], "maxout sim: --shard 3/2: expected I/N");
    refuses(&["runs", "show", "-1"], "maxout runs show: -1: expected a run's number");
    refuses(&["runs", "export", "--logs"], "maxout runs export: --logs: a table in CSV has no button logs");
}

#[test]
fn names_the_screen_that_a_hanging_cartridge_never_reaches() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("jam.nes");
    let mut image = fs::read(test_cartridge()).expect("the test cartridge");
    image[16..16 + 0x8000].fill(0x02);
    fs::write(&path, image).expect("a file");
    let path = path.to_string_lossy().into_owned();
    maxout()
        .args(["play", &path, "--allow-unknown"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("never reached"));
}

#[test]
fn sim_answers_with_a_table_and_json() {
    let folder = TempDir::new().expect("a folder");
    let json = folder.path().join("out.json");
    let args = ["sim", "--games", "3", "--seed", "50000", "--stop", "lines:20", "--jobs", "2", "--json"];
    maxout()
        .args(args)
        .arg(&json)
        // A quick player: of games that take long, stderr would tell how far they are.
        .args(["--player", "plateau17"])
        .assert()
        .success()
        .stderr("")
        .stdout(predicate::str::contains("tetris rate").and(predicate::str::contains("3 games")));
    let text = fs::read_to_string(&json).expect("the file was written");
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    for key in [
        "player",
        "fair",
        "limits",
        "host",
        "rom",
        "games",
        "first_seed",
        "start_level",
        "stop",
        "score",
        "line_points",
        "reached_stop",
        "tetris_rate",
        "lines",
        "burned",
        "statistics",
        "decisions",
        "cpu_ms_per_decision",
        "wall_s",
        "per_game",
    ] {
        assert!(value.get(key).is_some(), "key {key} is missing");
    }
    for key in ["mean", "se", "sd", "median", "min", "max", "p5", "p25", "p75", "p95"] {
        assert!(value["score"][key].is_number(), "score.{key} is missing");
        assert!(value["burned"][key].is_number(), "burned.{key} is missing");
    }
    for key in [
        "seed",
        "score",
        "line_points",
        "lines",
        "level",
        "singles",
        "doubles",
        "triples",
        "tetrises",
        "topped_out",
        "frames",
        "pieces",
    ] {
        assert!(value["per_game"][2].get(key).is_some(), "per_game.{key} is missing");
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_recorded_game_replays_to_the_same_ram_and_pictures() {
    let folder = TempDir::new().expect("a folder");
    let (runs, live, again) =
        (folder.path().join("runs"), folder.path().join("live"), folder.path().join("again"));
    maxout()
        .args(["play", "--seed", "3", "--stop", "lines:2", "--every", "150", "--runs"])
        .arg(&runs)
        .arg("--png")
        .arg(&live)
        .assert()
        .success()
        .stdout(predicate::str::contains("score"));
    maxout()
        .args(["replay", "1", "--runs"])
        .arg(&runs)
        .args(["--every", "150", "--png"])
        .arg(&again)
        .assert()
        .success()
        .stdout(predicate::str::contains("the same RAM as recorded"));
    let mut names: Vec<_> =
        fs::read_dir(&live).expect("frames").map(|e| e.expect("entry").file_name()).collect();
    names.sort();
    assert!(names.len() >= 2, "{names:?}");
    for name in names {
        assert_eq!(
            fs::read(live.join(&name)).expect("frame"),
            fs::read(again.join(&name)).expect("frame"),
            "{name:?}"
        );
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn replay_notices_a_log_that_was_changed() {
    let folder = TempDir::new().expect("a folder");
    let args = ["sim", "--seed", "5", "--stop", "lines:2", "--runs"];
    maxout().args(args).arg(folder.path()).assert().success();
    let out = folder.path().join("out");
    let args = ["runs", "export", "1", "--format", "folder", "--runs"];
    maxout().args(args).arg(folder.path()).arg("-o").arg(&out).assert().success();
    let run = fs::read_dir(&out).expect("runs").next().expect("one run").expect("readable").path();
    let record = run.join("run.json");
    let text = fs::read_to_string(&record).expect("a record");
    maxout().arg("replay").arg(&run).assert().success();
    let shown = text.lines().find(|line| line.contains("shown_score")).expect("the key is there").to_owned();
    fs::write(&record, text.replace(&shown, "  \"shown_score\": 7,")).expect("written");
    maxout().arg("replay").arg(&run).assert().code(1);
    fs::write(&record, "{").expect("written");
    refuses(&["replay", &run.to_string_lossy()], "run.json");
    fs::write(&record, &text).expect("written");
    fs::write(run.join("buttons.txt"), "maxout-buttons 1\n12 nonsense\n").expect("written");
    refuses(&["replay", &run.to_string_lossy()], "line 2");
}

#[cfg(unix)]
#[test]
#[ignore = "slow; .ci/run has it"]
fn an_interrupted_batch_keeps_the_games_that_were_finished() {
    let folder = TempDir::new().expect("a folder");
    let json = folder.path().join("out.json");
    let runs = folder.path().join("runs");
    let mut child = Process::new(env!("CARGO_BIN_EXE_maxout"))
        .args(["sim", "--games", "100000", "--seed", "50000", "--stop", "lines:30", "--runs"])
        .arg(&runs)
        .arg("--json")
        .arg(&json)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("maxout starts");
    let finished = |folder: &Path| {
        Library::open(folder).map_or(0, |library| library.ids(None).expect("a whole library").len())
    };
    while finished(&runs) < 5 {
        assert!(child.try_wait().expect("a status").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let kill = Process::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let text = fs::read_to_string(&json).expect("results were written");
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let games = value["games"].as_u64().expect("a count");
    assert!((5..100_000).contains(&games));
    assert_eq!(value["per_game"].as_array().expect("games").len() as u64, games);
    assert_eq!(finished(&runs) as u64, games);
}

#[test]
fn conform_says_where_a_trace_differs() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/a1_l19_taps_3games.csv.gz");
    maxout().arg("conform").arg(&data).assert().success().stdout(predicate::str::contains("0 differences"));
    let folder = TempDir::new().expect("a folder");
    let bad = folder.path().join("bad.csv");
    fs::write(&bad, "f,btn\n1,00\n").expect("written");
    refuses(&["conform", &bad.to_string_lossy()], "bad.csv");
    let mut text = String::new();
    std::io::Read::read_to_string(
        &mut flate2::read::GzDecoder::new(fs::File::open(&data).expect("the trace")),
        &mut text,
    )
    .expect("text");
    // Another x in one row.
    let row = text.lines().find(|line| line.starts_with("400,")).expect("row 400");
    let mut fields: Vec<&str> = row.split(',').collect();
    fields[6] = "1f";
    let changed = folder.path().join("changed.csv");
    fs::write(&changed, text.replace(row, &fields.join(","))).expect("written");
    maxout()
        .arg("conform")
        .arg(&changed)
        .assert()
        .code(1)
        .stdout(predicate::str::contains("frame 400, column x"));
}

#[test]
fn analyze_ranks_placements_and_shows_buttons() {
    let folder = TempDir::new().expect("a folder");
    let board = folder.path().join("board.txt");
    fs::write(&board, "#########.\n".repeat(4)).expect("written");
    let output = maxout().arg("analyze").arg(&board).args(["--piece", "I", "--next", "O"]).assert().success();
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let best = text.lines().find(|line| line.starts_with("   1")).expect("a best placement");
    assert!(best.contains(" 10 ") && best.contains("vertical"), "the bar goes down the well: {best}");
    assert!(text.contains("#########I") && text.contains("points"), "{text}");
    let own = maxout()
        .arg("analyze")
        .arg(&board)
        .args(["--piece", "T", "--player", "plateau17"])
        .assert()
        .success();
    assert!(String::from_utf8_lossy(&own.get_output().stdout).contains("own number"));
    fs::write(&board, "####\n").expect("written");
    refuses(&["analyze", &board.to_string_lossy(), "--piece", "I"], "expected 10");
    refuses(&["analyze", &board.to_string_lossy(), "--piece", "Q"], "expected one of");
}

#[test]
fn players_and_rom_say_what_they_know() {
    maxout().arg("players").assert().success().stdout(predicate::str::contains("plateau17"));
    maxout().arg("rom").assert().success().stdout(predicate::str::contains("test cartridge"));
}

/// A pipe that is named as a file for results stays one, and gets them.
#[cfg(unix)]
#[test]
fn results_go_into_a_pipe_and_leave_it_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        println!("skipped: no mkfifo here");
        return;
    }
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).expect("readable")
    });
    maxout()
        .args(["sim", "--player", "plateau17", "--stop", "lines:2", "--json"])
        .arg(&pipe)
        .assert()
        .success();
    assert!(reader.join().expect("a reader").contains("plateau17"));
    assert!(std::fs::metadata(&pipe).expect("still there").file_type().is_fifo());
}
