//! Folders in which work is continued: one process at a time, only the same work, nothing lost, nothing left behind.

use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

#[cfg(target_os = "linux")]
use super::in_folder::cut_at_every_call;
use super::in_folder::{at_work, contents, refuses, works};

/// A schedule of stages: name, level, chunks.
fn schedule(folder: &Path, name: &str, seed: u64, stages: &[(&str, u8, u32)]) -> String {
    let mut text = format!("seed = {seed}\nchunk_pieces = 500\ngames = 2\n");
    for (name, level, chunks) in stages {
        text += &format!("[[stage]]\nname = \"{name}\"\nlevel = {level}\nchunks = {chunks}\n");
    }
    fs::write(folder.join(name), text).expect("written");
    format!("train td --schedule {name} --dir d --jobs 1 -q")
}

const LIMITS: &str =
    "limits --player plateau17 --taps 30hz --reaction 0 --stop lines:5 --dir d -q --no-timings";
/// Writes a single file.
const ROWS: &str = "rows --player el-tetris --games 1 --limit 9 -q --json out.json";
const PSO: &str = "train pso --fitness garbage --games 2 --population 4 --dir d -q";

#[test]
fn fewer_games_than_before_drop_none() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    works(folder, &format!("{LIMITS} --games 30"));
    let block = folder.join("d/30hz-0/60000.json");
    let whole = fs::read_to_string(&block).expect("a block");
    // As a kill leaves it that comes when a later game is finished before an earlier one.
    let gap: String = whole
        .lines()
        .filter(|line| !line.contains("\"seed\":60003,"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&block, &gap).expect("written");
    let seeds = || fs::read_to_string(&block).expect("a block").matches("\"seed\"").count();
    assert_eq!(seeds(), 24);
    works(folder, &format!("{LIMITS} --games 5"));
    assert_eq!(seeds(), 25);
    works(folder, &format!("{LIMITS} --games 1"));
    assert_eq!(seeds(), 25);
    assert!(folder.join("d/30hz-0/60025.json").exists());
}

#[cfg(unix)]
#[test]
#[ignore = "slow; .ci/run has it"]
fn a_second_process_in_a_folder_is_refused_and_the_first_loses_nothing() {
    for (args, alike) in [
        (format!("{LIMITS} --games 100000").replace("lines:5", "lines:50"), LIMITS),
        (format!("{PSO} --generations 100000"), "train cmaes --dir d"),
        ("train hazard --dir d --jobs 1".to_owned(), "train td --dir d"),
        ("train cnn --dir d --jobs 1".to_owned(), "train cnn --dir d"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let folder = folder.path();
        let first = at_work(folder, &args);
        refuses(folder, alike, "d: another maxout process is at work in this folder");
        assert!(folder.join("d/.maxout.lock").exists(), "the first one goes on");
        drop(first);
        // A lock that a killed process left behind locks nothing out.
        assert!(folder.join("d/.maxout.lock").exists());
        if args.starts_with("train pso") {
            let file = folder.join("d/checkpoint.json");
            if file.exists() {
                refuses(
                    folder,
                    &format!("{PSO} --generations 1 --seed 20001"),
                    "first seed 20000, expected 20001",
                );
            }
        }
    }
}

#[test]
fn another_search_or_a_shorter_one_is_refused_and_a_longer_one_goes_on() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    works(folder, &format!("{PSO} --generations 2"));
    let before = contents(&folder.join("d"));
    for (change, told) in [
        ("--generations 2 --seed 20001", "d: holds a search of first seed 20000, expected 20001"),
        ("--generations 2 --population 5", "population 4, expected 5"),
        ("--generations 2 --patience 7", "patience 20, expected 7"),
        ("--generations 2 --start 7", "start 0, expected 7"),
        ("--generations 2 --limits row", "limits 30hz, expected row"),
        ("--generations 2 --method constriction", "method pso 0.729844 1.49618 1.49618, expected pso"),
        ("--generations 1", "d/checkpoint.json: generation 2 is done, expected at most 1"),
    ] {
        let args = PSO
            .replace("--population 4 ", if change.contains("population") { "" } else { "--population 4 " });
        refuses(folder, &format!("{args} {change}"), told);
    }
    refuses(folder, &PSO.replace("train pso", "train cmaes"), "expected cmaes");
    refuses(folder, &PSO.replace("garbage", "plateau"), "fitness garbage, expected plateau");
    refuses(folder, LIMITS, "identity.json: not a file of `maxout-lab limits`: format \"maxout-search 1\"");
    refuses(folder, "train hazard --dir d", "identity.json: not a file of `maxout-lab train hazard`");
    assert!(contents(&folder.join("d")) == before, "a refused command changes nothing");
    works(folder, &format!("{PSO} --generations 3"));
    // What nobody can know the settings of does not go on.
    fs::remove_file(folder.join("d/identity.json")).expect("there");
    refuses(folder, &format!("{PSO} --generations 3"), "d: holds checkpoint.json and no identity.json");
}

#[test]
fn a_folder_in_which_nothing_was_finished_is_free() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let begun = at_work(folder, "train hazard --dir d --jobs 1");
    while !folder.join("d/identity.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(begun);
    assert!(!folder.join("d/checkpoint.bin").exists());
    works(folder, &format!("{PSO} --generations 1"));
}

#[cfg(unix)]
#[test]
fn what_killed_processes_left_goes_at_the_next_start_also_beside_single_files() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    works(folder, &format!("{LIMITS} --games 1"));
    works(folder, ROWS);
    let left = [".maxout-AbC123.tmp", "d/.maxout-17-0.tmp", "d/30hz-0/.maxout-zzzzzz.tmp", "d/.maxout.lock"];
    for file in left {
        fs::write(folder.join(file), "left").expect("written");
    }
    works(folder, &format!("{LIMITS} --games 1"));
    works(folder, ROWS);
    for file in left {
        assert!(!folder.join(file).exists(), "{file}");
    }
}

#[test]
#[ignore = "writes 3 GB of checkpoints; runs in .ci/run"]
fn a_training_goes_on_only_where_what_is_done_is_what_the_schedule_says() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let train = schedule(folder, "two.toml", 1, &[("a", 19, 1), ("b", 19, 1)]);
    works(folder, &train);
    let before = contents(&folder.join("d"));
    for (name, seed, stages, told) in [
        ("seed.toml", 77, &[("a", 19, 1), ("b", 19, 1)][..], "d: holds a training of seed 1, expected 77"),
        ("level.toml", 1, &[("a", 19, 1), ("b", 18, 1)], "stage \"b\" with level 19, expected 18"),
        ("name.toml", 1, &[("c", 19, 1), ("b", 19, 1)], "stage \"c\" with name a, expected c"),
        ("long.toml", 1, &[("a", 19, 2)], "stage \"a\" with chunks 1, expected 2"),
        ("short.toml", 1, &[("a", 19, 1)], "d/checkpoint.bin: chunk 2 is done, expected at most 1"),
    ] {
        refuses(folder, &schedule(folder, name, seed, stages), told);
    }
    assert!(contents(&folder.join("d")) == before, "a refused command changes nothing");
    works(folder, &train);
    // What is not begun may change, and it is kept what it is now.
    let longer = schedule(folder, "longer.toml", 1, &[("a", 19, 1), ("b", 19, 2), ("c", 18, 0)]);
    works(folder, &longer);
    let identity = fs::read_to_string(folder.join("d/identity.json")).expect("text");
    assert!(identity.contains("\"c\""), "{identity}");
    let curve = fs::read_to_string(folder.join("d/curve.csv")).expect("text");
    assert_eq!(curve.lines().count(), 4);
}

/// Nothing hidden is in the folder: neither a lock nor a file in the making.
#[cfg(target_os = "linux")]
fn is_tidy(folder: &Path, told: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let name = entry.expect("an entry").file_name();
        assert!(!name.as_encoded_bytes().starts_with(b"."), "{told}: {} stays", name.display());
    }
}

/// A learning curve without the column `seconds`, if it has one.
#[cfg(target_os = "linux")]
fn without_seconds(curve: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(curve);
    let seconds = text.lines().next().unwrap_or_default().split(',').position(|name| name == "seconds");
    let cells = |line: &str| {
        let kept = line.split(',').enumerate().filter(|(at, _)| Some(*at) != seconds);
        kept.map(|(_, cell)| format!("{cell},")).collect::<String>() + "\n"
    };
    text.lines().map(cells).collect::<String>().into_bytes()
}

/// As [`cut_at_every_call`]; then the command goes on to the same results.
#[cfg(target_os = "linux")]
fn goes_on_after_every_call(args: &str, whole: &Path, results: &[&str]) {
    let read = |folder: &Path| -> Vec<Vec<u8>> {
        let read = |file: &&str| {
            let bytes = fs::read(folder.join(file)).expect(file);
            // How long a chunk took is no result.
            if file.ends_with("curve.csv") { without_seconds(&bytes) } else { bytes }
        };
        results.iter().map(read).collect()
    };
    let want = std::cell::OnceCell::new();
    cut_at_every_call(args, whole, &|folder, told| {
        works(folder, args);
        for ((got, want), file) in read(folder).iter().zip(want.get_or_init(|| read(whole))).zip(results) {
            assert!(got == want, "{told}: {file}");
        }
        is_tidy(&folder.join("d"), told);
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_power_cut_after_any_call_leaves_a_folder_that_goes_on_to_the_same_results() {
    let pso = PSO.replace("--games 2", "--games 1") + " --generations 2 --jobs 1";
    let limits = format!("{LIMITS} --games 2 --jobs 1 --json out.json").replace("lines:5", "lines:1");
    for (args, results) in
        [(pso, &["d/checkpoint.json", "d/curve.csv", "d/terms.txt"][..]), (limits, &["out.json"])]
    {
        let whole = TempDir::new().expect("a folder");
        goes_on_after_every_call(&args, whole.path(), results);
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "nightly: writes 30 GB of checkpoints, 2 GB at a time"]
fn nightly_a_power_cut_after_any_call_of_a_training_loses_nothing() {
    let whole = TempDir::new().expect("a folder");
    let args = schedule(whole.path(), "two.toml", 1, &[("a", 19, 1), ("b", 19, 1)]);
    let text = fs::read_to_string(whole.path().join("two.toml")).expect("text");
    let text = text.replace("= 500", "= 50").replace("level", "average = true\nlevel");
    fs::write(whole.path().join("two.toml"), text).expect("written");
    goes_on_after_every_call(
        &args,
        whole.path(),
        &["d/checkpoint.bin", "d/curve.csv", "d/mean.bin", "d/weights.bin"],
    );
}
