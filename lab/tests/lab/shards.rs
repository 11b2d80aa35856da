//! Shares of a batch that is held to a filter: `maxout merge` puts them together as those of `maxout sim`.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use super::{lab, program, words};

/// `sim` of the laboratory or `merge` of the program in this folder; none if that was not built.
fn maxout(folder: &Path, args: &str) -> Option<Command> {
    let mut command = if args.starts_with("sim") { lab() } else { Command::new(program()?) };
    command.env_remove("RUST_LOG").current_dir(folder).args(words(args));
    Some(command)
}

/// Plays into `file`.
fn sim(folder: &Path, args: &str, file: &str) {
    lab()
        .current_dir(folder)
        .args(words(&format!("sim --no-timings --json {file} {args}")))
        .assert()
        .success();
}

/// Exit code 2, nothing written and exactly one line on stderr, which names the culprit.
fn refuses(folder: &Path, args: &str, culprit: &str) {
    let Some(mut command) = maxout(folder, args) else { return };
    let assert = command.assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        stderr.lines().count() == 1 && stderr.contains(culprit),
        "{args}: expected {culprit:?} in {stderr}"
    );
    assert!(!folder.join("out.json").exists());
}

/// A folder with two pictures of one name.
fn pictures() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let patterns = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/patterns");
    fs::create_dir(folder.path().join("other")).expect("a folder");
    for (from, to) in [("staircase.png", "steps.png"), ("castle.png", "other/steps.png")] {
        fs::copy(patterns.join(from), folder.path().join(to)).expect("a picture");
    }
    folder
}

const FILTERED: &str = "--player meatfighter2014 --seed 7 --games 5 --stop lines:2 --filter";

#[test]
fn filtered_shards_are_the_bytes_of_one_run_and_tell_of_the_same_picture() {
    let folder = pictures();
    let folder = folder.path();
    for (filter, builds) in [("well", false), ("pattern:steps.png", true)] {
        let batch = format!("{FILTERED} {filter}");
        let args = format!("sim --no-timings --json one.json {batch}");
        let one = lab().current_dir(folder).args(words(&args)).assert().success();
        let text = String::from_utf8_lossy(&one.get_output().stdout).into_owned();
        assert_eq!(text.contains("\npicture "), builds, "{text}");
        for number in 1..=3 {
            sim(folder, &format!("{batch} --shard {number}/3"), &format!("{number}.json"));
        }
        let Some(mut merge) = maxout(folder, "merge 3.json 1.json 2.json --json merged.json") else { return };
        merge.assert().success().stdout(text.replace("one.json: ", "merged.json: "));
        let bytes = |file: &str| fs::read(folder.join(file)).expect("a file");
        assert!(bytes("merged.json") == bytes("one.json"), "{filter}");
    }
}

#[test]
fn refuses_shards_of_different_filters_and_shards_without_gravity() {
    let folder = pictures();
    let folder = folder.path();
    sim(folder, &format!("{FILTERED} pattern:steps.png --shard 1/2"), "1.json");
    sim(folder, &format!("{FILTERED} pattern:other/steps.png --shard 2/2"), "other.json");
    sim(folder, &format!("{FILTERED} well --shard 2/2"), "well.json");
    let free = FILTERED.strip_suffix(" --filter").expect("a batch");
    sim(folder, &format!("{free} --shard 2/2"), "free.json");
    refuses(folder, "merge 1.json other.json --json out.json", "other.json: filter Pattern");
    refuses(folder, "merge 1.json well.json --json out.json", "player meatfighter2014+well");
    refuses(folder, "merge 1.json free.json --json out.json", "player meatfighter2014,");
    let still = format!("sim {FILTERED} well --no-gravity --shard 1/2 --json out.json");
    refuses(folder, &still, "--shard: games without gravity");
}
