//! Files that are made to fill memory or to stop the program: each is refused in one line, soon.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::refuses;

#[cfg(unix)]
#[test]
fn endless_devices_are_refused_by_every_reader() {
    let folder = TempDir::new().expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("checkpoint.bin")).expect("a link");
    let dir = folder.path().display().to_string();
    for args in [
        &["fuzz", "--replay", "/dev/zero"][..],
        &["bench", "--boards", "/dev/zero"],
        &["train", "td", "--schedule", "/dev/zero", "--dir", &dir],
        &["train", "td", "--dir", &dir],
    ] {
        refuses(args, "");
    }
}

#[test]
fn a_refused_schedule_leaves_no_folder() {
    let folder = TempDir::new().expect("a folder");
    let schedule = folder.path().join("schedule.toml");
    fs::write(&schedule, "chunk_pieces = 0\n").expect("a file");
    let dir = folder.path().join("made").display().to_string();
    let file = schedule.display().to_string();
    refuses(&["train", "td", "--schedule", &file, "--dir", &dir], "schedule.toml");
    assert!(!Path::new(&dir).exists());
}
