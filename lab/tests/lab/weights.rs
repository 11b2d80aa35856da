//! Other weights than the shipped ones: how they change a game, and what is refused.

use std::fs;

use tempfile::TempDir;

use super::{answer, refuses};

#[test]
fn refuses_terms_that_mean_nothing() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("terms.txt");
    fs::write(&file, "lines 1\nholes many\n").expect("a file");
    let file = file.to_string_lossy().into_owned();
    refuses(&["sim", "--player", "plateau17", "--terms", &file], "line 2");
    refuses(&["sim", "--player", "plateau17", "--terms", "/no/such/file"], "/no/such/file");
    refuses(&["sim", "--player", "maxout-fast", "--terms", &file], "--terms");
}

#[test]
fn terms_change_the_game_and_it_is_not_kept() {
    let folder = TempDir::new().expect("a folder");
    let terms = concat!(env!("CARGO_MANIFEST_DIR"), "/data/pso-terms.txt");
    let game = ["sim", "--player", "plateau17", "--seed", "3", "--stop", "lines:20", "--no-timings"];
    let with = answer(&[&game[..], &["--terms", terms]].concat());
    assert_ne!(with, answer(&game));
    let runs = folder.path().join("runs").display().to_string();
    refuses(&[&game[..], &["--terms", terms, "--runs", &runs]].concat(), "not together");
    refuses(&["sim", "--player", "plateau17", "--weights", terms], "learned value");
}
