//! Folders for pictures: one process at a time, and after a power cut whole pictures only.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::in_folder::cut_at_every_call;
use crate::in_folder::{at_work, contents, refuses, run, works};

#[test]
#[ignore = "slow; .ci/run has it"]
fn pictures_of_two_processes_do_not_go_into_one_folder() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let play = "play --player plateau17 --no-runs --seed 3 --every 200 --png d -q";
    let first = at_work(folder, &format!("{play} --games 50"));
    refuses(folder, play, "--png d: ");
    drop(first);
    let folder = TempDir::new().expect("a folder");
    works(folder.path(), &format!("{play} --stop lines:1"));
    assert!(!folder.path().join("d/.maxout.lock").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_power_cut_while_pictures_are_made_leaves_whole_ones_only() {
    let whole = TempDir::new().expect("a folder");
    let movie = format!("version 3\nport0 1\nport1 0\nport2 0\n{}", "|0|........|||\n".repeat(100));
    fs::write(whole.path().join("movie.fm2"), movie).expect("written");
    let args = "replay movie.fm2 --every 20 --png d --sheet d.png -q";
    let is_picture = |name: &str| Path::new(name).extension().is_some_and(|ending| ending == "png");
    cut_at_every_call(args, whole.path(), &|folder, told| {
        // The next command that writes there removes what was being written.
        works(folder, "rom -q --json d/rom.json");
        fs::remove_file(folder.join("d/rom.json")).expect("there");
        for (name, picture) in contents(&folder.join("d")) {
            if is_picture(&name) {
                assert!(
                    fs::read(whole.path().join("d").join(&name)).expect(&name) == picture,
                    "{told}: {name}"
                );
            } else {
                // The lock of a killed process locks nothing.
                assert_eq!(name, ".maxout.lock", "{told}");
            }
        }
        let again = run(folder, args);
        let is_empty = contents(&folder.join("d")).iter().all(|(name, _)| !is_picture(name));
        assert!(again.0 == Some(0) || again.0 == Some(2) && !is_empty, "{told}: {again:?}");
    });
}
