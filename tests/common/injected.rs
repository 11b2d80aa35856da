//! Each system call on the user's files fails in turn, by strace: one clear line and exit code 2, or the same answer as without the
//! failure; nothing half-written stays, and the same command works afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::in_folder::{self, command, traced};

/// System calls, and the errors with which each of them fails.
const FAULTS: [(&str, &[&str]); 16] = [
    ("openat", &["EIO", "EMFILE", "ENOMEM", "EINTR"]),
    ("read", &["EIO", "ENOMEM", "EINTR"]),
    ("pread64", &["EIO", "EINTR"]),
    ("write", &["EIO", "ENOSPC", "EINTR"]),
    ("pwrite64", &["EIO", "ENOSPC", "EINTR"]),
    ("fsync", &["EIO", "ENOSPC", "EINTR"]),
    ("fdatasync", &["EIO", "EINTR"]),
    ("ftruncate", &["EIO", "EINTR"]),
    ("rename", &["EIO", "ENOSPC"]),
    ("unlink", &["EIO"]),
    ("statx", &["EIO", "ENOMEM"]),
    ("newfstatat", &["EIO"]),
    ("lseek", &["EIO"]),
    ("fcntl", &["EIO", "ENOLCK"]),
    ("flock", &["EIO", "ENOLCK", "EINTR"]),
    ("mkdir", &["EIO", "ENOSPC"]),
];

/// Most calls of a kind that fail for each command and error: the first, the last, and some between them.
const MOST: usize = 5;

/// Some of these, the first and the last among them.
fn spread(all: &[u64]) -> Vec<u64> {
    let count = all.len().min(MOST);
    (0..count).map(|at| all[at * (all.len() - 1) / (count - 1).max(1)]).collect()
}

/// Copies files and folders.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).expect("made");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// Names of the files in a folder and below, without those that SQLite leaves for the next who opens its database.
fn hidden(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(hidden(&entry.path()));
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            found.push(name);
        }
    }
    found
}

/// Runs each command again and again, each time with another call that fails. `ready` has the files that they read, and the folder `d`
/// for all that they write.
pub(super) fn each_call_that_fails_is_told_in_one_line(ready: &Path, commands: &[&str]) {
    let mut outcomes: BTreeMap<(&str, &str), [u64; 2]> = BTreeMap::new();
    for args in commands {
        let whole = TempDir::new().expect("a folder");
        copy(ready, whole.path());
        let names: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
        let set = format!("-e trace=?{}", names.join(",?"));
        let Some(trace) = traced(whole.path(), &set, args) else { return };
        let place = whole.path().to_string_lossy().into_owned();
        let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        let mut calls: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for line in trace.lines() {
            let Some((thread, call)) = line.split_once(' ') else { continue };
            let Some((name, rest)) = call.trim_start().split_once('(') else { continue };
            // strace counts so, too.
            let count = counts.entry((thread, name)).or_default();
            *count += 1;
            // Only the user's files: what the program loads itself is none of its business. The current folder is in every call.
            let rest = rest.replace(&format!("AT_FDCWD<{place}>"), "");
            if rest.contains(&place)
                || ["\"d/", "\"d\"", "\"movie", "\"board"].iter().any(|own| rest.contains(own))
            {
                calls.entry(name).or_default().push(*count);
            }
        }
        for (name, errors) in FAULTS {
            let some = spread(calls.get(name).map(Vec::as_slice).unwrap_or_default());
            for (error, when) in errors.iter().flat_map(|error| some.iter().map(move |when| (*error, when))) {
                let folder = TempDir::new().expect("a folder");
                let folder = folder.path();
                copy(ready, folder);
                let told = format!("{args}: {name} {when} fails with {error}");
                let inject = format!("-qq -e trace={name} -e inject={name}:error={error}:when={when}");
                let output = in_folder::trace(folder, &inject, args).expect("as before");
                let stderr = String::from_utf8_lossy(&output.stderr);
                match output.status.code() {
                    Some(0) => outcomes.entry((name, error)).or_default()[0] += 1,
                    Some(2) => {
                        outcomes.entry((name, error)).or_default()[1] += 1;
                        assert_eq!(stderr.lines().count(), 1, "{told}: {stderr}");
                        assert!(stderr.starts_with("maxout"), "{told}: {stderr}");
                    }
                    code => panic!("{told}: {code:?}: {stderr}"),
                }
                assert!(!stderr.contains("panicked"), "{told}: {stderr}");
                // A file in the making whose removal failed is removed by the next command.
                if name != "unlink" {
                    let left: Vec<_> =
                        hidden(folder).into_iter().filter(|name| name != ".maxout.lock").collect();
                    assert!(left.is_empty(), "{told}: {left:?} stays");
                }
                let _ = fs::remove_dir_all(folder.join("d/pictures"));
                let again = command(folder, args).output().expect("it starts");
                let stderr = String::from_utf8_lossy(&again.stderr);
                assert!(again.status.success(), "{told}, and then again: {stderr}");
            }
        }
    }
    for ((name, error), [well, refused]) in &outcomes {
        println!("| {name} | {error} | {} | {well} | {refused} |", well + refused);
    }
}
