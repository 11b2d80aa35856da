//! Files that are made to fill memory or to stop the program: each is refused in one line, soon.

use std::fs;
use std::io::Write;
use std::time::Duration;

use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;
use maxout::library::store::{FILE, Library};
use rusqlite::Connection;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Exit code 2 and exactly one short line on stderr, which has all of these words in it.
fn refuses(args: &[&str], words: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").args(args).timeout(Duration::from_secs(60));
    let assert = command.assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.lines().count() == 1 && stderr.chars().count() < 520, "{args:?}: {stderr}");
    assert!(words.iter().all(|word| stderr.contains(word)), "{args:?}: {stderr}");
}

fn path(folder: &TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    path.display().to_string()
}

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (member, bytes) in members {
        archive.start_file(*member, SimpleFileOptions::default()).expect("a member");
        archive.write_all(bytes).expect("it packs");
    }
    archive.finish().expect("it packs").into_inner()
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let header = ("Header.txt", &b"Platform NES\n"[..]);
    let log = ("Input Log.txt", &b"LogKey:#Reset|Power|\n|..|\n"[..]);
    let long = "LogKey:".to_owned() + &"#Reset|".repeat(10_000);
    let remarks = "\n".repeat(2_000_000);
    for (members, words) in [
        (vec![header, ("Comments.txt", remarks.as_bytes()), log], ["Comments.txt", "1048576 bytes"]),
        (vec![header, ("Subtitles.txt", remarks.as_bytes()), log], ["Subtitles.txt", "1048576 bytes"]),
        (vec![header, ("Input Log.txt", long.as_bytes())], ["Input Log.txt", "4096 bytes"]),
    ] {
        refuses(&["replay", &path(&folder, "x.bk2", &archive(&members))], &words);
    }
    let names: Vec<String> = (0..1_001).map(|i| i.to_string()).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    refuses(&["replay", &path(&folder, "many.bk2", &archive(&many))], &["at most 1000"]);
    let comments = "version 3\n".to_owned() + &"comment x\n".repeat(200_000) + "|0||||\n";
    refuses(&["replay", &path(&folder, "x.fm2", comments.as_bytes())], &["header", "1 MiB"]);
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&b",".repeat(1 << 20)).expect("it packs");
    let commas = packer.finish().expect("it packs");
    refuses(&["conform", &path(&folder, "x.csv.gz", &commas)], &["line 1", "16384 bytes"]);
    let board = path(&folder, "board.txt", &b"..........\n".repeat(10_000));
    refuses(&["analyze", &board, "--piece", "T"], &["65536 bytes"]);
}

#[cfg(unix)]
#[test]
fn endless_devices_and_folders_are_refused_by_every_reader() {
    let folder = TempDir::new().expect("a folder");
    let link = |name: &str| {
        let path = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
        path.display().to_string()
    };
    let (fm2, bk2, rom) = (link("x.fm2"), link("x.bk2"), link("x.nes"));
    link(FILE);
    let runs = folder.path().display().to_string();
    for args in [
        &["replay", &fm2][..],
        &["replay", &bk2],
        &["rom", &rom],
        &["conform", "/dev/zero"],
        &["merge", "/dev/zero"],
        &["analyze", "/dev/zero", "--piece", "T"],
        &["runs", "list", "--runs", &runs],
    ] {
        refuses(args, &[]);
    }
}

#[test]
fn a_library_that_is_none_inside_is_refused() {
    for (sql, culprit) in [
        // Rows without end, which pass every look at columns.
        (
            "ALTER TABLE runs RENAME TO kept; CREATE VIEW runs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 \
          FROM n) SELECT kept.*, i FROM n, kept",
            "runs is no table",
        ),
        ("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END", "there is a trigger"),
        (
            "ALTER TABLE runs ADD COLUMN more TEXT AS (printf('%1000000000d', 1)) VIRTUAL",
            "a column is generated",
        ),
    ] {
        let folder = TempDir::new().expect("a folder");
        drop(Library::open_or_create(folder.path()).expect("a library"));
        let connection = Connection::open(folder.path().join(FILE)).expect("SQLite works");
        connection.execute_batch(sql).expect("changed");
        drop(connection);
        let runs = folder.path().display().to_string();
        refuses(&["runs", "list", "--runs", &runs], &["damaged", culprit]);
        refuses(&["play", "--stop", "lines:1", "--runs", &runs], &["damaged", culprit]);
    }
}

#[test]
fn a_record_with_control_characters_is_damaged_and_does_not_reach_the_terminal() {
    let folder = TempDir::new().expect("a folder");
    let runs = folder.path().display().to_string();
    let mut maxout = Command::new(env!("CARGO_BIN_EXE_maxout"));
    let args = ["sim", "--player", "plateau17", "--games", "1", "--stop", "lines:1", "--runs", &runs];
    maxout.args(args).assert().success();
    let connection = Connection::open(folder.path().join(FILE)).expect("SQLite works");
    connection.execute("UPDATE runs SET player = 'a' || char(27) || '[2J'", []).expect("changed");
    drop(connection);
    refuses(&["runs", "show", "1", "--runs", &runs], &["run 1", r"a\u{1b}[2J", "no control characters"]);
    let mut maxout = Command::new(env!("CARGO_BIN_EXE_maxout"));
    let list = maxout.args(["runs", "list", "--runs", &runs]).assert().success();
    let [stdout, stderr] =
        [&list.get_output().stdout, &list.get_output().stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(stderr.contains("1 of 1 run is damaged: 1 (") && stderr.contains(r"a\u{1b}[2J"), "{stderr}");
    assert!(!stdout.contains('\u{1b}') && !stderr.contains('\u{1b}'));
}
