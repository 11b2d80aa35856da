//! Text for people: one thing is singular, numbers have commas, plies are those of the search.

use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::plain_words::faults;

fn answer(args: &[&str], runs: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").env("MAXOUT_RUNS", runs);
    let assert = command.args(args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
}

#[test]
fn counts_agree_with_their_things_and_large_numbers_have_commas() {
    let folder = TempDir::new().expect("a folder");
    let runs = folder.path();
    let sim = ["sim", "--player", "plateau17", "--runs"];
    // A single line; one tetris; enough for numbers with commas; two games at once.
    for more in [
        &["--seed", "50000", "--stop", "lines:1"][..],
        &["--seed", "3", "--stop", "lines:4"],
        &["--seed", "7", "--stop", "lines:60"],
        &["--seed", "8", "--stop", "lines:12", "--games", "2"],
    ] {
        let text = answer(&[&sim[..], more].concat(), runs);
        assert_eq!(faults(&text), Vec::<String>::new());
    }
    let one = answer(&["runs", "show", "1"], runs);
    assert!(one.contains("lines         1 (1 single, 0 doubles, 0 triples, 0 tetrises)"), "{one}");
    let commands: [&[&str]; 9] = [
        &["runs", "list"],
        &["runs", "best"],
        &["runs", "show", "1", "--target", "1000000"],
        &["runs", "show", "3"],
        &["runs", "stats"],
        &["runs", "verify", "--model"],
        &["watch", "3"],
        &["replay", "2"],
        &["conform", "tests/data/a1_l19_taps_3games.csv.gz"],
    ];
    for command in commands {
        let text = answer(command, runs);
        assert_eq!(faults(&text), Vec::<String>::new(), "{command:?}");
    }
}

#[test]
fn players_have_the_plies_of_their_search() {
    let folder = TempDir::new().expect("a folder");
    let text = answer(&["players"], folder.path());
    let plies = |player: &str| {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(player)).expect("a line");
        line.split_whitespace().skip(2).take(2).collect::<Vec<_>>().join(" ")
    };
    for (player, want) in [
        ("maxout", "5 plies"),
        ("maxout-fast", "3 plies"),
        ("maxout-2ply", "2 plies"),
        ("maxout-3ply", "3 plies"),
        ("maxout-49", "4 plies"),
        ("dellacherie", "1 ply"),
        ("clairvoyant", "30 plies"),
    ] {
        assert_eq!(plies(player), want, "{player}");
    }
}
