//! Links, pipes, folders and databases as outputs and inputs.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::thread;

use tempfile::TempDir;

use super::output::SQLITE;
use super::*;

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

#[test]
fn a_link_stays_and_its_target_keeps_its_mode() {
    let folder = folder();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    fs::write(&target, "old").expect("a file");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink("target", &link).expect("a link");
    check_output(&link).expect("can be written");
    write(&link, b"new").expect("written");
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert_eq!(fs::read(&target).expect("there"), b"new");
    assert_eq!(fs::metadata(&target).expect("there").permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing is left behind");
}

#[test]
fn a_link_to_nothing_makes_its_target_and_a_loop_is_refused() {
    let folder = folder();
    let (link, round) = (folder.path().join("link"), folder.path().join("round"));
    symlink("target", &link).expect("a link");
    symlink("round", &round).expect("a link");
    write(&link, b"new").expect("written");
    assert_eq!(fs::read(folder.path().join("target")).expect("there"), b"new");
    assert!(check_output(&round).is_err() && write(&round, b"").is_err());
}

#[test]
fn refuses_folders_databases_and_names_that_cannot_be() {
    let folder = folder();
    let inside = |name: &str| folder.path().join(name);
    fs::write(inside("library"), [SQLITE, b"..."].concat()).expect("a file");
    symlink("library", inside("link")).expect("a link");
    let refused = |path: &Path, word: &str| {
        let error = check_output(path).expect_err("refused").to_string();
        assert!(error.contains(word), "{error}: expected {word}");
    };
    refused(&inside("library"), "run library");
    refused(&inside("link"), "run library");
    refused(folder.path(), "is a folder");
    refused(&inside("none/x"), "does not exist");
    refused(&inside("x/"), "names a folder");
    refused(&inside(&"x".repeat(300)), "too long");
    assert!(check_output(&inside(&"x".repeat(255))).is_ok());
    write(&inside(&"x".repeat(255)), b"long").expect("a long name is a name");
}

#[test]
fn a_pipe_is_written_and_read_and_stays_a_pipe() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    check_output(&pipe).expect("can be written");
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || read(&pipe, 100)
    });
    write(&pipe, b"through").expect("written");
    assert_eq!(reader.join().expect("read").expect("read"), b"through");
    assert!(!fs::metadata(&pipe).expect("there").is_file());
}

#[test]
fn a_pipe_with_one_end_only_is_given_up() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || read(&pipe, 100).expect_err("no writer").to_string()
    });
    assert!(reader.join().expect("read").contains("expected a file or a pipe with a writer"));
    let error = write(&pipe, b"lost").expect_err("no reader").to_string();
    assert!(error.contains("expected a file or a pipe with a reader"), "{error}");
}

#[test]
fn a_read_is_bounded_and_says_by_what() {
    let error = read(Path::new("/dev/zero"), 1000).expect_err("endless").to_string();
    assert!(error.contains("more than 1000 bytes"), "{error}");
    assert!(read(Path::new("/"), 1000).is_err());
}

#[test]
fn what_waits_under_a_name_that_was_used_before_is_not_written_to() {
    let folder = folder();
    let victim = folder.path().join("victim");
    fs::write(&victim, "kept").expect("a file");
    // In containers every process may be number 1, and somebody may wait under a name that it used before.
    for number in 0..3 {
        let waiting = folder.path().join(format!(".maxout-{}-{number}.tmp", std::process::id()));
        symlink("victim", waiting).expect("a link");
    }
    let drafts: Vec<_> = (0..3).map(|_| Draft::create(&folder.path().join("out")).expect("begun")).collect();
    let names: Vec<_> = drafts.iter().filter_map(Draft::temporary).collect();
    assert!(names.len() == 3 && names[0] != names[1] && names[1] != names[2] && names[0] != names[2]);
    for draft in drafts {
        draft.finish().expect("written");
    }
    assert_eq!(fs::read(&victim).expect("there"), b"kept");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 5, "nothing is left behind");
}

#[test]
fn a_database_that_has_come_meanwhile_is_not_replaced() {
    let folder = folder();
    let path = folder.path().join("out");
    check_output(&path).expect("nothing there");
    let draft = Draft::create(&path).expect("begun");
    let database = [SQLITE, b"..."].concat();
    fs::write(&path, &database).expect("a file");
    let error = draft.finish().expect_err("refused").to_string();
    assert!(error.contains("run library"), "{error}");
    assert!(fs::read(&path).expect("there") == database);
}

#[test]
fn standard_output_of_another_process_is_not_ours() {
    let mut sleep = Command::new("sleep").arg("60").spawn().expect("sleep");
    let theirs = format!("/proc/{}/fd/1", sleep.id());
    assert!(!is_stdout(Path::new(&theirs)) || !Path::new("/proc/self").exists());
    assert!(is_stdout(Path::new("/dev/stdout")) && is_stdout(Path::new("-")));
    sleep.kill().and_then(|()| sleep.wait()).expect("ended");
}
