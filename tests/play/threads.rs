//! Fewer threads than were asked for, and games that are finished before those of earlier seeds.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use maxout::library::store::Library;
use tempfile::TempDir;

use crate::few_threads::with_threads;

#[test]
fn a_thread_limit_is_said_and_changes_no_result() {
    let args = "sim --player plateau17 --seed 50000 --games 40 --stop lines:8 --no-timings --json -";
    let plain = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(args.split(' '))
        .args(["--jobs", "1"])
        .output()
        .expect("maxout runs");
    assert!(plain.status.success());
    // One process and no thread; for root's stand-in also a few.
    for limit in [1, 5] {
        let limited = with_threads(limit, &format!("{args} --jobs 1024"));
        let stderr = String::from_utf8_lossy(&limited.stderr);
        assert_eq!(limited.status.code(), Some(0), "{stderr}");
        assert!(stderr.contains("of 40 threads could be started"), "{stderr}");
        assert!(stderr.lines().count() <= 2, "{stderr}");
        assert_eq!(limited.stdout, plain.stdout, "limit {limit}");
    }
}

#[test]
fn a_kill_keeps_games_that_are_finished_before_one_of_an_earlier_seed() {
    // The first of these games is long, the second is short.
    let args = "sim --player maxout-fast --seed 50008 --games 2 --stop topout --jobs 2 --runs";
    let seeds = |runs: &Path| -> Vec<u64> {
        let records = Library::open(runs).and_then(|library| library.records(None));
        records.map_or_else(|_| Vec::new(), |runs| runs.iter().map(|(_, record)| record.seed).collect())
    };
    // A loaded machine may let the long game end first, but not always.
    let kept_early = (0..20).any(|_| {
        let runs = TempDir::new().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_maxout"))
            .args(args.split(' '))
            .arg(runs.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("maxout runs");
        let begun = Instant::now();
        while seeds(runs.path()).is_empty() && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("it is dead");
        seeds(runs.path()) == [50_009]
    });
    assert!(kept_early);
}

#[test]
fn runs_are_numbered_in_the_order_of_their_seeds_for_any_number_of_threads() {
    let with_jobs = |jobs: &str| {
        let folder = TempDir::new().expect("a folder");
        let args = "sim --player plateau17 --seed 50000 --games 30 --stop lines:20 --no-timings --json out.json --runs .";
        let done = Command::new(env!("CARGO_BIN_EXE_maxout"))
            .args(args.split(' '))
            .args(["--jobs", jobs])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("maxout runs");
        assert!(done.success());
        let library = Library::open(folder.path()).expect("a library");
        let seeds = library.records(None).expect("records").into_iter().map(|(_, record)| record.seed);
        assert!(seeds.eq(50_000..50_030), "--jobs {jobs}");
        fs::read(folder.path().join("out.json")).expect("results")
    };
    assert!(with_jobs("1") == with_jobs("4"), "the same bytes");
}
