//! Players side by side.

use std::fs;

use tempfile::TempDir;

use super::{answer, refuses, stderr, words};

#[test]
fn the_table_plays_under_limits_and_leaves_out_what_was_measured_under_others() {
    let args = "table --players maxout-fast --games 2 --seed 50000 --stop lines:2 --start-level 18 --taps 20hz \
                --reaction 24 --double-killscreen";
    let text = answer(&words(args));
    assert!(text.starts_with("From level 18, stop lines:2, double killscreen\n"), "{text}");
    let row = text.lines().last().unwrap_or_default();
    assert!(row.starts_with("| `maxout-fast` | taps 20hz, reaction delay of 24 frames | "), "{text}");
    assert!(row.ends_with("| | |"), "{text}");
    let text = answer(&words("table --players plateau17 --games 1 --seed 50000 --misdrop 0.01"));
    let row = text.lines().last().unwrap_or_default();
    assert!(row.contains(", misdrop rate 0.01 | ") && row.ends_with("| | |"), "{text}");
}

#[test]
fn the_table_has_a_row_for_each_player_and_its_baseline() {
    let args = ["table", "--players", "el-tetris,packing-mended", "--games", "2", "--jobs", "2"];
    let text = answer(&args);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 4, "{text}");
    assert!(rows[2].starts_with("| `el-tetris` | ") && rows[2].contains("224,772 ± 164"), "{text}");
    assert!(rows[3].starts_with("| `packing-mended` | ") && rows[3].ends_with("| | |"), "{text}");
    assert!(rows.iter().all(|row| row.matches('|').count() == 11), "{text}");
    refuses(&["table", "--players", "el-tetris,nobody"], "nobody");
    refuses(&["table", "--seed", "18446744073709551615", "--games", "2"], "18446744073709551615");
}

#[test]
fn each_aggression_has_a_row_and_a_point_in_the_plot() {
    let folder = TempDir::new().expect("a folder");
    let svg = folder.path().join("pace.svg");
    let table = "table --players maxout-fast --games 2 --seed 50001 --stop lines:8";
    let args = format!("{table} --aggression safest,normal,1.5 --svg {}", svg.display());
    let text = answer(&words(&args));
    for player in ["`maxout-fast+safest`", "`maxout-fast`", "`maxout-fast+1.5`"] {
        assert_eq!(text.lines().filter(|line| line.contains(player)).count(), 1, "{text}");
    }
    let svg = fs::read_to_string(&svg).expect("drawn");
    assert!(svg.contains("maxout-fast: line points by aggression") && svg.contains("100.0 %"), "{svg}");
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    let refused = |args: &str, culprit: &str| refuses(&words(args), culprit);
    for player in ["clairvoyant", "gamepad2014"] {
        let culprit = format!("--double-killscreen: {player} does not know it, expected --player");
        refused(&format!("table --players maxout-fast,{player} --double-killscreen"), &culprit);
    }
    refused("table --double-killscreen", "--double-killscreen: gamepad2014 does not know it");
    refused("table --players maxout-fast,cnn --reaction 18", "--reaction: cnn does not take it");
    refused("table --misdrop 1%", "--misdrop 1%: expected a probability from 0 to 1, without 1");
    refused("table --players plateau17 --aggression bold", "--aggression: plateau17");
    refused("table --aggression bold --svg pace.svg", "--svg: a plot shows one player");
    refused("bench --reaction 300", "expected frames from 0 to 255, or none-after-spawn");
    refused("rows --player maxout", "maxout-lab rows: --player: maxout plays the");
    refused("train td --taps 0,3,7", "--taps 0,3,7: expected 30hz, 24hz, 20hz");
    let said = |args: &str, line: &str| assert_eq!(stderr(&words(args)), format!("{line}\n"), "{args}");
    said(
        "table --players cnn,el-tetri",
        "maxout-lab table: --players el-tetri: no such player, did you mean el-tetris? (`maxout players` lists all 30)",
    );
    said(
        "train pso --seed 40000",
        "maxout-lab train pso: --seed 40000: expected a whole number from 20000 to 39999",
    );
    said(
        "tabel",
        "maxout-lab: tabel: no such command, did you mean table? (maxout-lab --help lists the commands)",
    );
}
