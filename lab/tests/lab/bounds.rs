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
    let picture = folder.path().join("x.png");
    std::os::unix::fs::symlink("/dev/zero", &picture).expect("a link");
    let filter = format!("pattern:{}", picture.display());
    for args in [
        &["fuzz", "--replay", "/dev/zero"][..],
        &["bench", "--boards", "/dev/zero"],
        &["train", "td", "--schedule", "/dev/zero", "--dir", &dir],
        &["train", "td", "--dir", &dir],
        &["sim", "--terms", "/dev/zero", "--player", "plateau17"],
        &["sim", "--weights", "/dev/zero"],
        &["sim", "--player", "meatfighter2014", "--filter", &filter],
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

#[test]
fn a_picture_with_a_broken_palette_and_long_terms_are_refused() {
    for name in ["plte0.png", "plte2.png", "plte4.png"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hostile").join(name);
        let filter = format!("pattern:{}", file.display());
        let args = ["sim", "--player", "meatfighter2014", "--no-gravity", "--filter", &filter];
        refuses(&args, "expected a PNG picture");
    }
    let folder = TempDir::new().expect("a folder");
    let terms = folder.path().join("terms.txt");
    fs::write(&terms, b"#\n".repeat(50_000)).expect("a file");
    refuses(&["sim", "--player", "plateau17", "--terms", &terms.display().to_string()], "65536 bytes");
}
