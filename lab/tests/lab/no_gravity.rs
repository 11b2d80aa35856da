//! Games without gravity: their result, and demonstrations that go round for ever.

use std::fs;

use maxout::words::count;
use predicates::prelude::*;
use tempfile::TempDir;

use super::plain_words::faults;
use super::{answer, lab, refuses};

#[test]
fn games_without_gravity_count_lines_and_say_who_cannot_play_them() {
    let folder = TempDir::new().expect("a folder");
    let json = folder.path().join("still.json");
    let args = ["sim", "--no-gravity", "--pieces", "uniform", "--player", "packing", "--games", "3"];
    let stop = ["--stop", "topout", "--limit", "300", "--seed", "60000", "--json"];
    lab().args(args).args(stop).arg(&json).assert().success().stdout(predicate::str::contains("no gravity"));
    let result: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&json).expect("written")).expect("JSON");
    assert_eq!(result["per_game"].as_array().map(Vec::len), Some(3));
    assert!(result["placed"].as_u64().is_some_and(|placed| placed <= 900));
    refuses(&["sim", "--no-gravity", "--player", "clairvoyant"], "clairvoyant");
    refuses(&["sim", "--no-gravity", "--player", "packing", "--runs", "x"], "--runs");
    refuses(&["sim", "--pieces", "uniform"], "--no-gravity");
}

#[test]
fn a_demo_loop_is_told_and_kept_and_none_within_the_limit_is_exit_code_1() {
    let folder = TempDir::new().expect("a folder");
    let look = |name: &str, limit: &str, code: i32| {
        let json = folder.path().join(name);
        let args = ["sim", "--demo-loop", "--player", "el-tetris", "--pieces", "uniform", "--seed", "60000"];
        let assert = lab().args(args).args(["--limit", limit, "--json"]).arg(&json).assert().code(code);
        let answer = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        (answer, fs::read_to_string(&json).expect("written"))
    };
    let found = look("found.json", "3000000", 0);
    let result: serde_json::Value = serde_json::from_str(&found.1).expect("JSON");
    let pieces = result["per_game"][0]["pieces"].as_u64().expect("a number");
    assert!(found.0.contains(&format!("closes after {}", count(pieces, "piece"))), "{}", found.0);
    let none = look("none.json", &(pieces - 1).to_string(), 1);
    assert!(none.0.contains("no loop") && none.1.contains("\"closes\": false"), "{none:?}");
    refuses(&["sim", "--demo-loop", "--player", "maxout"], "--demo-loop");
    refuses(&["sim", "--demo-loop", "--player", "packing", "--runs", "x"], "--runs");
}

#[test]
fn games_without_gravity_have_no_hands_no_speed_and_no_shares() {
    let game = ["sim", "--no-gravity", "--player", "el-tetris"];
    for more in [
        &["--taps", "12hz"][..],
        &["--misdrop", "0.1"],
        &["--pal"],
        &["--double-killscreen"],
        &["--games", "2", "--shard", "1/2"],
    ] {
        refuses(&[&game[..], more].concat(), if more.len() == 4 { "--shard" } else { more[0] });
    }
}

#[test]
fn the_result_of_games_without_gravity_is_plain_and_one_game_has_no_standard_error() {
    let game = ["sim", "--no-gravity", "--player", "el-tetris", "--stop", "lines:20", "--games"];
    let text = |games| answer(&[&game[..], &[games]].concat());
    assert_eq!((text("1").matches('±').count(), text("2").matches('±').count()), (0, 1));
    for games in ["1", "2"] {
        assert_eq!(faults(&text(games)), Vec::<String>::new());
    }
}
