//! Shares of a batch, played apart and merged: the same bytes as one run, or one line that says why not.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assert_cmd::Command;
use maxout::results::merge::{Room, merge, read};
use proptest::prelude::*;
use proptest::sample::Index;
use tempfile::TempDir;

fn maxout(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").current_dir(folder).args(args.split_whitespace());
    command
}

/// Plays into `file` and gives its bytes.
fn sim(folder: &Path, args: &str, file: &str) -> Vec<u8> {
    maxout(folder, &format!("sim --no-timings --json {file} {args}")).assert().success();
    fs::read(folder.join(file)).expect("the file is written")
}

/// Exit code 2, nothing written and exactly one line on stderr, which names the culprit.
fn refuses(folder: &Path, args: &str, culprit: &str) {
    let assert = maxout(folder, args).assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
    assert!(stderr.contains(culprit), "{args}: expected {culprit:?} in {stderr}");
    assert!(!folder.join("out.json").exists());
}

const BATCH: &str = "--player plateau17 --seed 50000 --games 7 --stop lines:24";

fn shards(folder: &Path, of: u32) -> Vec<PathBuf> {
    (1..=of)
        .map(|number| {
            let file = format!("{number}of{of}.json");
            sim(folder, &format!("{BATCH} --shard {number}/{of} --jobs {number}"), &file);
            file.into()
        })
        .collect()
}

#[test]
fn merged_shards_are_the_bytes_of_one_run() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let one = sim(folder, BATCH, "one.json");
    for of in [1, 3] {
        let mut files = shards(folder, of);
        files.reverse();
        maxout(folder, "merge --json merged.json").args(&files).assert().success();
        assert!(fs::read(folder.join("merged.json")).expect("merged") == one, "{of} shards");
    }
    // Games that end before they leave the start level, and start levels that gain points by soft drop.
    let batch = "--player meatfighter2018 --seed 3 --games 4 --stop lines:12 --start-level 0";
    let one = sim(folder, batch, "one.json");
    for number in [1, 2] {
        sim(folder, &format!("{batch} --shard {number}/2"), &format!("{number}.json"));
    }
    maxout(folder, "merge 1.json 2.json --json merged.json").assert().success();
    assert!(fs::read(folder.join("merged.json")).expect("merged") == one);
}

#[test]
fn a_batch_of_more_games_than_merge_reads_is_refused_before_the_first() {
    let folder = TempDir::new().expect("a folder");
    let sim = "sim --player plateau17 --stop lines:1 --json out.json";
    refuses(
        folder.path(),
        &format!("{sim} --games 400002 --shard 1/2"),
        "--shard: a batch of 400,002 games, expected at most 200,000",
    );
}

#[test]
fn times_are_added_up_unless_they_are_left_out() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let one = sim(folder, BATCH, "one.json");
    for number in [1, 2] {
        maxout(folder, &format!("sim {BATCH} --shard {number}/2 --json {number}.json")).assert().success();
    }
    maxout(folder, "merge 1.json 2.json --json timed.json").assert().success();
    let value = |file: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(folder.join(file)).expect("a file")).expect("JSON")
    };
    let (timed, first, second) = (value("timed.json"), value("1.json"), value("2.json"));
    let number = |value: &serde_json::Value, key: &str| value[key].as_f64().expect("a number");
    let cpu = |value| number(value, "cpu_ms_per_decision") * number(value, "decisions");
    assert!((cpu(&timed) - cpu(&first) - cpu(&second)).abs() < 1e-3);
    assert!(number(&timed, "wall_s") >= number(&first, "wall_s").max(number(&second, "wall_s")));
    assert!(timed.get("shard").is_none() && first.get("shard").is_some());
    maxout(folder, "merge 1.json 2.json --no-timings --json merged.json").assert().success();
    assert!(fs::read(folder.join("merged.json")).expect("merged") == one);
}

#[test]
fn refuses_shards_that_do_not_make_a_whole() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    shards(folder, 3);
    shards(folder, 2);
    sim(folder, BATCH, "whole.json");
    let other = |args: &str, file| sim(folder, &format!("--games 7 {args} --shard 3/3"), file);
    other("--stop lines:24 --player meatfighter2018 --seed 50000", "player.json");
    other("--stop lines:24 --player plateau17 --seed 50001", "seed.json");
    other("--stop lines:2 --player plateau17 --seed 50000", "stop.json");
    fs::write(folder.join("text.json"), "not JSON\n").expect("a file");
    fs::write(folder.join("other.json"), "{\"format\": 1}\n").expect("a file");
    let text = fs::read_to_string(folder.join("3of3.json")).expect("a shard");
    fs::write(folder.join("cut.json"), &text[..text.len() / 2]).expect("a file");
    fs::write(folder.join("new.json"), text.replace("maxout-shard 1", "maxout-shard 9")).expect("a file");
    fs::write(folder.join("lied.json"), text.replace("\"seed\": 50006", "\"seed\": 50007")).expect("a file");
    fs::write(folder.join("nobody.json"), text.replace("plateau17", "nobody")).expect("a file");
    fs::write(folder.join("when.json"), text.replace("\"lines:24\"", "\"someday\"")).expect("a file");
    let cases = [
        ("1of3.json 2of3.json", "seeds 50004 to 50006 are in no shard"),
        ("2of3.json 3of3.json", "seeds 50000 to 50001 are in no shard"),
        ("1of3.json 2of3.json 2of3.json 3of3.json", "seed 50002 is in 2of3.json and in 2of3.json"),
        ("1of3.json 2of2.json 3of3.json", "seed 50004 is in 2of2.json and in 3of3.json"),
        ("1of3.json 2of3.json player.json", "player meatfighter2018, expected plateau17"),
        ("1of3.json 2of3.json seed.json", "first seed of the whole 50001, expected 50000"),
        ("1of3.json 2of3.json stop.json", "stop lines:2, expected lines:24"),
        ("1of3.json 2of3.json whole.json", "whole.json: not a shard"),
        ("1of3.json 2of3.json text.json", "text.json: not a shard"),
        ("1of3.json 2of3.json other.json", "other.json: not a shard"),
        ("1of3.json 2of3.json cut.json", "cut.json: not a shard"),
        ("1of3.json 2of3.json new.json", "maxout-shard 9"),
        ("1of3.json 2of3.json lied.json", "seed 50007"),
        ("1of3.json none.json", "none.json"),
        ("nobody.json", "nobody.json: player \"nobody\": no such player"),
        (
            "when.json",
            "when.json: not a shard: JSON of something else (unknown stop \"someday\": expected level29",
        ),
        ("", "SHARD"),
    ];
    for (files, culprit) in cases {
        refuses(folder, &format!("merge {files} --json out.json"), culprit);
    }
    refuses(folder, "merge 1of3.json 2of3.json 3of3.json --json nowhere/out.json", "nowhere");
    for share in ["0/2", "3/2", "x", "1/0"] {
        refuses(folder, &format!("sim {BATCH} --shard {share} --json out.json"), share);
    }
    refuses(folder, &format!("sim {BATCH} --shard 1/8 --json out.json"), "at least as many games as shares");
}

/// The scripts of docs/scaling, with what their schedulers would set.
#[test]
fn the_scripts_for_clusters_play_their_shards() {
    let folder = TempDir::new().expect("a folder");
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scaling");
    let games = "--player plateau17 --seed 50000 --games 2 --stop lines:4";
    let program = Path::new(env!("CARGO_BIN_EXE_maxout")).parent().expect("a folder");
    let manifest = fs::read_to_string(docs.join("job.yaml")).expect("the manifest");
    let (_, script) = manifest.split_once("- |\n").expect("a script");
    let (script, _) = script.split_once("          resources:").expect("an end");
    let (before, _) = script.split_once("--player").expect("a player");
    let (_, after) = script.split_once("--no-timings").expect("options");
    let script = format!("{before}{games} --no-timings{after}");
    let script = script.replace("/results", &folder.path().to_string_lossy());
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    for number in 1..=2 {
        let run = |program: &str, arguments: &[&str]| {
            let result = std::process::Command::new(program)
                .args(arguments)
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("SHARDS", "2")
                .env("JOB_COMPLETION_INDEX", format!("{}", number - 1))
                .env("SLURM_ARRAY_TASK_ID", format!("{number}"))
                .env("SLURM_CPUS_PER_TASK", "1")
                .output();
            match result {
                Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
                Err(error) => {
                    crate::skipped(&format!("{program} does not run here: {error}"));
                    return false;
                }
            }
            true
        };
        let slurm = docs.join("slurm.sh").to_string_lossy().into_owned();
        let slurm =
            [&[slurm.as_str(), "slurm"], &games.split(' ').collect::<Vec<_>>()[..], &["--no-timings"]];
        if !run("/bin/sh", &["-ec", &script]) || !run("bash", &slurm.concat()) {
            return;
        }
        let name = format!("shard-{number}.json");
        let file = |name: &Path| fs::read(folder.path().join(name)).expect("a shard");
        assert!(file(Path::new(&name)) == file(&Path::new("slurm").join(&name)));
    }
    maxout(folder.path(), "merge shard-1.json shard-2.json").assert().success();
}

/// Two shards of a small batch.
fn small() -> &'static [String; 2] {
    static SHARDS: OnceLock<[String; 2]> = OnceLock::new();
    SHARDS.get_or_init(|| {
        let folder = TempDir::new().expect("a folder");
        ["1/2", "2/2"].map(|share| {
            let args = format!("--player el-tetris --games 5 --stop lines:3 --shard {share}");
            String::from_utf8(sim(folder.path(), &args, "shard.json")).expect("text")
        })
    })
}

/// The text with one of its numbers replaced.
fn with_number(text: &str, which: Index, number: &str) -> String {
    let digit = |at: usize| matches!(text.as_bytes()[at], b'0'..=b'9' | b'.' | b'-' | b'e');
    let begins: Vec<usize> =
        (1..text.len()).filter(|&at| text.as_bytes()[at].is_ascii_digit() && !digit(at - 1)).collect();
    let begin = begins[which.index(begins.len())];
    let end = (begin..text.len()).find(|&at| !digit(at)).unwrap_or(text.len());
    format!("{}{number}{}", &text[..begin], &text[end..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever numbers stand in a shard and wherever it was cut: a report or an error.
    #[test]
    fn a_damaged_shard_is_merged_or_refused(
        numbers in proptest::collection::vec((any::<Index>(), "(0|1|5|-1|1e300|[0-9]{1,15})"), 1..5),
        cut in proptest::option::weighted(0.1, any::<Index>()),
        second: bool,
    ) {
        let mut texts = small().clone();
        let text = &mut texts[usize::from(second)];
        for (which, number) in &numbers {
            *text = with_number(text, *which, number);
        }
        if let Some(cut) = cut {
            text.truncate(cut.index(text.len()));
        }
        let mut room = Room::default();
        let mut one = |text: &String| Ok((String::new(), read("a shard", text.as_bytes(), &mut room)?));
        let reports = texts.iter().map(&mut one).collect::<Result<_, _>>();
        if let Ok(whole) = reports.and_then(merge) {
            let _ = whole.to_string();
        }
    }
}
