//! The rows in which pieces lock.

use std::fs;

use predicates::prelude::*;
use tempfile::TempDir;

use super::{lab, refuses};

#[test]
fn row_statistics_are_a_table_json_and_two_heat_maps() {
    let folder = TempDir::new().expect("a folder");
    let [json, svg, png] = ["rows.json", "rows.svg", "rows.png"].map(|name| folder.path().join(name));
    let args = ["rows", "--player", "el-tetris", "--games", "3", "--limit", "2000", "--seed", "60000"];
    lab()
        .args(args)
        .arg("--json")
        .arg(&json)
        .arg("--svg")
        .arg(&svg)
        .arg("--png")
        .arg(&png)
        .assert()
        .success()
        .stdout(predicate::str::contains("full clears").and(predicate::str::contains("28.5687976371")));
    let result: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&json).expect("written")).expect("JSON");
    assert_eq!((result["games"].as_u64(), result["pieces"].as_u64()), (Some(3), Some(6_000)));
    for key in ["locks", "shares", "shares_se", "ratios"] {
        assert_eq!(result[key].as_array().map(Vec::len), Some(20), "{key}");
    }
    assert!(fs::read_to_string(&svg).expect("written").starts_with("<svg"));
    assert!(fs::read(&png).expect("written").starts_with(b"\x89PNG"));
    refuses(&["rows", "--player", "maxout"], "maxout");
    refuses(&["rows", "--svg", "no/such/folder.svg"], "--svg");
    refuses(&["rows", "--pieces", "many"], "uniform");
}

#[test]
fn the_last_seed_can_be_played_and_none_after_it() {
    let last = "18446744073709551615";
    let args = ["rows", "--player", "el-tetris", "--games", "1", "--limit", "9", "--seed", last];
    lab().args(args).assert().success().stdout(predicate::str::contains(last));
    refuses(&["rows", "--games", "2", "--seed", last], "expected seeds below 2^64");
}
