//! The fingerprint: what every registered player does in a few short games.

use std::fs;
use std::path::Path;

use maxout_lab::bench::{fingerprint, known_boards};

/// Plays differ if and only if this text does; a commit that changes it says so.
#[test]
fn the_fingerprint_is_pinned() {
    let got = fingerprint(2, &mut |_| {}).expect("the players play").to_string();
    let pinned = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/fingerprint.txt");
    if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
        fs::write(&pinned, &got).expect("the fingerprint can be written");
    }
    let want = fs::read_to_string(&pinned).expect("the fingerprint is there");
    let changed: Vec<&str> = got.lines().filter(|line| !want.lines().any(|old| old == *line)).collect();
    assert!(
        got == want,
        "tests/data/fingerprint.txt differs; if players were meant to change, renew it with\n    \
         UPDATE_SNAPSHOT=1 cargo test --release -p maxout-lab --test lab -- bench::\nand say so in the commit. Now different:\n{}",
        changed.join("\n")
    );
}

#[test]
fn the_embedded_boards_are_those_of_the_tests() {
    let drawn = include_str!("../../../tests/data/boards.txt");
    let boards = maxout_lab::bench::boards(drawn).expect("boards");
    assert_eq!(boards.len(), 2_000);
    assert!(boards == known_boards());
}

#[test]
fn refuses_text_without_boards_and_names_the_broken_board() {
    let refused = |text| maxout_lab::bench::boards(text).expect_err("no boards").to_string();
    assert!(refused("# nothing\n").contains("no board"));
    assert_eq!(refused("#########.\n\n\n#...\n"), "board 2: board row 1 has 4 cells, expected 10");
}

#[test]
fn refuses_bad_files_in_one_line_before_anything_is_measured() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let boards = folder.path().join("boards.txt");
    fs::write(&boards, "#########.\n\n........\n").expect("a file");
    let boards = boards.to_string_lossy().into_owned();
    let nowhere = folder.path().join("no/where.json").to_string_lossy().into_owned();
    for (args, culprit) in [
        (["--boards", &boards], "board 2: board row 1 has 8 cells, expected 10"),
        (["--boards", "none.txt"], "none.txt"),
        (["--json", &nowhere], "does not exist"),
    ] {
        let assert = assert_cmd::Command::new(env!("CARGO_BIN_EXE_maxout-lab"))
            .arg("bench")
            .args(args)
            .assert()
            .code(2)
            .stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains(culprit) && stderr.contains(args[0]), "{stderr}");
    }
}
