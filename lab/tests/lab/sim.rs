//! `sim` of the laboratory: `maxout sim`, with wider searches.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use super::{answer, lab, program, refuses};

#[test]
fn without_flags_of_its_own_it_plays_as_the_program_does() {
    let Some(program) = program() else { return };
    let game = ["sim", "--player", "plateau17", "--seed", "3", "--stop", "lines:9", "--no-timings"];
    let output = Command::new(program).args(game).output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout), answer(&game));
}

#[test]
fn refuses_searches_that_a_player_does_not_know() {
    for option in ["--beam", "--horizon"] {
        refuses(&["sim", "--player", "plateau17", option, "3"], option);
        refuses(&["sim", "--player", "clairvoyant", option, "0"], option);
    }
    refuses(&["sim", "--beam", "3"], "--beam: maxout does not take it, expected --player clairvoyant");
    refuses(&["sim", "--search-seeds", "0..3"], "--search-seeds");
    for seeds in ["3", "5..5", "9..2", "a..b", "..4", "0..18446744073709551615"] {
        refuses(&["sim", "--player", "clairvoyant", "--search-seeds", seeds], "--search-seeds");
    }
    for more in [["--seed", "1"], ["--shard", "1/2"]] {
        let search = ["sim", "--player", "clairvoyant", "--search-seeds", "0..3"];
        refuses(&[&search[..], &more].concat(), "--search-seeds");
    }
}

#[test]
fn the_best_start_is_searched_and_the_record_says_that_it_was_not_fair() {
    let folder = TempDir::new().expect("a folder");
    let json = folder.path().join("out.json");
    let args = ["sim", "--player", "clairvoyant", "--beam", "10", "--horizon", "6", "--stop", "lines:4"];
    let run = |more: &[&str]| {
        lab().args(args).args(more).arg("--json").arg(&json).assert().success();
        let text = fs::read_to_string(&json).expect("the file was written");
        serde_json::from_str::<serde_json::Value>(&text).expect("it is JSON")
    };
    let all = run(&["--games", "6", "--seed", "50000"]);
    let best = run(&["--search-seeds", "50000..50006"]);
    assert_eq!((&best["fair"], &best["games"]), (&false.into(), &1.into()));
    assert_eq!(best["per_game"][0]["score"].as_f64(), all["score"]["max"].as_f64());
}
