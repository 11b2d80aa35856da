//! Memory that trainings take.
#![cfg_attr(not(target_os = "linux"), expect(unused, reason = "only Linux says it"))]

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, Reaction, TapTable};
use tempfile::TempDir;

use super::PROGRAM;
use super::peak::{BOUND, check, peak, zeros};

/// Address space without a limit.
const ALL: &str = "unlimited";

#[test]
fn a_training_that_needs_more_memory_than_there_is_says_so() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux says how much memory a process has taken");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let told = "MiB of free memory, which the system does not give";
    check(folder.path(), &[("train td --dir td", told), ("train td --plateau --dir td", told)]);
}

#[test]
fn a_damaged_checkpoint_takes_little_memory() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux says how much memory a process has taken");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let dir = folder.join("td");
    // A training that has begun and has finished nothing.
    let mut begun = Command::new(PROGRAM)
        .current_dir(folder)
        .args(["train", "td", "--dir", "td", "--jobs", "1", "-q"])
        .spawn()
        .expect("it starts");
    while !dir.join("identity.json").exists() {
        assert!(begun.try_wait().expect("a process").is_none(), "it has ended");
        thread::sleep(Duration::from_millis(5));
    }
    begun.kill().expect("killed");
    begun.wait().expect("ended");
    zeros(&dir, "checkpoint.bin", b"maxout-checkpoint 2\ncrc.", 400 << 20);
    let (bytes, stderr, code) = peak(folder, "train td --dir td --jobs 1", ALL);
    assert!(stderr.contains("checkpoint.bin: damaged") && code == Some(2), "{code:?}, {stderr}");
    assert!(bytes < BOUND, "{bytes}");
}

/// The embedded tables of one speed for players who see the next piece too late.
fn speed_file(taps: &str, level: u8) -> &'static [u8] {
    let taps: TapTable = taps.parse().expect("a tap speed");
    let files = weights::embedded_files_for(Limits::taps(taps).with_reaction(Reaction::NextPiece));
    let head = format!("maxout-speed 1\nfeatures ntuple-90-a\nspeed {}\n", if level <= 18 { 1 } else { 7 });
    files.into_iter().find(|file| file.starts_with(head.as_bytes())).expect("such a file")
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn hostile_weights_take_little_memory() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux says how much memory a process has taken");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    let tables = |features: &str| format!("maxout-weights 4\nfeatures {features}\nentries 1\ncrc32 0\n\n");
    zeros(folder, "weights", tables("ntuple59").as_bytes(), 10 << 30);
    zeros(folder, "large", tables("ntuple59").as_bytes(), 117 << 20);
    write("parts", tables("ntuple59").repeat(1_000).as_bytes());
    // Weights that build on the embedded ones.
    write("speed.bin", speed_file("30hz", 18));
    write("both.bin", &[weights::embedded_plateau(), speed_file("30hz", 18)].concat());
    write("plateau.bin", weights::embedded_plateau());
    write("all.bin", &[&weights::embedded_files(), weights::embedded_plateau()].concat());
    check(
        folder,
        &[
            ("sim --weights /dev/zero", "expected a weights file"),
            ("sim --weights weights", "weights: has more than"),
            ("sim --weights large", "large"),
            ("sim --weights parts", "twice"),
            ("sim -q --player maxout-fast --stop lines:1 --weights speed.bin", ""),
            ("sim -q --player maxout-fast --stop lines:1 --weights plateau.bin", ""),
            ("sim -q --player maxout-fast --stop lines:1 --weights all.bin", ""),
            ("sim --player maxout-fast --weights both.bin", "MiB of memory"),
        ],
    );
}
