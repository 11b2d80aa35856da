//! The flags of human limits: what they change, what results say of it, and what is refused.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn maxout(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").current_dir(folder).args(args.split_whitespace());
    command
}

fn stdout(folder: &Path, args: &str) -> String {
    let assert = maxout(folder, args).assert().success();
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

fn sim(folder: &Path, args: &str) -> Value {
    maxout(folder, &format!("sim --no-timings --json out.json {args}")).assert().success();
    serde_json::from_slice(&fs::read(folder.join("out.json")).expect("written")).expect("JSON")
}

/// Exit code 2, and exactly one line on stderr, which names the culprit.
fn refuses(folder: &Path, args: &str, culprit: &str) {
    let assert = maxout(folder, args).assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
    assert!(stderr.contains(culprit), "{args}: expected {culprit:?} in {stderr}");
}

#[test]
fn results_name_the_limits_and_the_double_killscreen() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let game = "--player maxout-fast --seed 50000 --stop lines:4";
    let plain = sim(folder, game);
    assert!(plain["limits"].as_str().is_some_and(|limits| limits.starts_with("30 Hz")), "{plain}");
    assert!(plain.get("double_killscreen").is_none());
    let slow = sim(folder, &format!("{game} --taps X.... --reaction 18 --double-killscreen"));
    assert_eq!(slow["limits"], "taps 12hz, reaction delay of 18 frames");
    assert_eq!(slow["double_killscreen"], true);
    assert!(slow["decisions"].as_u64() <= slow["per_game"][0]["pieces"].as_u64().map(|pieces| pieces + 1));
    let text =
        stdout(folder, &format!("sim {game} --taps slow5 --reaction none-after-spawn --double-killscreen"));
    assert!(
        text.contains("input limits  taps slow5, the new next piece unknown while a piece falls"),
        "{text}"
    );
    assert!(text.contains("stop lines:4, double killscreen\n"), "{text}");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_misdrop_rate_changes_the_game_and_is_named_with_the_limits() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let game = "--player maxout-fast --seed 50000 --games 2 --stop lines:8";
    let plain = sim(folder, game);
    assert_eq!(sim(folder, &format!("{game} --misdrop 0")), plain);
    let clumsy = sim(folder, &format!("{game} --taps 12hz --misdrop 0.05"));
    assert_eq!(clumsy["limits"], "taps 12hz, no reaction delay, misdrop rate 0.05");
    assert!(plain["replans"] == 0 && clumsy["replans"].as_u64() > Some(0), "{clumsy}");
    assert_eq!(sim(folder, &format!("{game} --taps 12hz --misdrop 5e-2 --jobs 1")), clumsy);
    // Players without other limits have hands, too.
    let text = stdout(folder, "sim --player plateau17 --seed 50000 --stop lines:1 --misdrop 0.001");
    assert!(text.contains(", no reaction delay, misdrop rate 0.001\n"), "{text}");

    // The emulator plays what the model plays, and the library keeps what was really pressed.
    let game = "--player maxout-fast --seed 7 --stop lines:4 --misdrop 0.1 --runs kept";
    stdout(folder, &format!("sim {game}"));
    stdout(folder, &format!("play {game}"));
    for run in [1, 2] {
        let record = stdout(folder, &format!("runs show {run} --runs kept"));
        assert!(record.contains(", no reaction delay, misdrop rate 0.1\n"), "{record}");
    }
    stdout(folder, "runs verify --runs kept");
    assert!(stdout(folder, "replay 2 --runs kept").contains("the same score and the same RAM as recorded"));
}

#[test]
fn records_name_the_limits() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    stdout(
        folder,
        "sim --player maxout-fast --seed 50000 --stop lines:1 --taps 10hz --reaction 21 --runs kept",
    );
    let record = stdout(folder, "runs show 1 --runs kept");
    assert!(record.contains("taps 10hz, reaction delay of 21 frames"), "{record}");
}

#[test]
fn shards_of_other_limits_are_not_merged() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let games = "sim --player maxout-fast --seed 50000 --games 2 --stop lines:1 --no-timings";
    let shard = |args: &str, file: &str| _ = stdout(folder, &format!("{games} {args} --json {file}.json"));
    shard("--taps 12hz --double-killscreen", "whole");
    for (number, file) in [(1, "first"), (2, "second")] {
        shard(&format!("--taps 12hz --double-killscreen --shard {number}/2"), file);
    }
    shard("--taps 15hz --double-killscreen --shard 2/2", "taps");
    shard("--taps 12hz --shard 2/2", "single");
    shard("--taps 12hz --double-killscreen --misdrop 0.01 --shard 2/2", "misdrop");
    stdout(folder, "merge first.json second.json --no-timings --json merged.json");
    let read = |file: &str| fs::read(folder.join(file)).expect("written");
    assert!(read("merged.json") == read("whole.json"));
    refuses(folder, "merge first.json taps.json", "input limits");
    refuses(folder, "merge first.json single.json", "double killscreen");
    refuses(folder, "merge first.json misdrop.json", "input limits");
}

#[test]
fn slower_taps_reach_less() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("board.txt"), ".........#\n".repeat(12)).expect("written");
    let rows = |taps: &str| {
        let text =
            stdout(folder, &format!("analyze board.txt --piece I --next O --level 29 --top 99 {taps}"));
        text.lines().count()
    };
    assert!(rows("--taps 10hz") < rows("--taps 15hz") && rows("--taps 15hz") < rows(""));
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    refuses(folder, "play --double-killscreen", "--double-killscreen: no cartridge does it");
    refuses(folder, "sim --double-killscreen --runs kept", "--double-killscreen");
    for player in ["clairvoyant", "gamepad2014"] {
        let refused = format!("--double-killscreen: {player} does not know it, expected --player");
        refuses(folder, &format!("sim --player {player} --double-killscreen"), &refused);
    }
    refuses(folder, "sim --taps 11", "--taps 11");
    refuses(folder, "sim --taps X..X", "no two X side by side when it is repeated");
    refuses(folder, "sim --taps 0,1", "--taps 0,1");
    refuses(folder, "sim --reaction 300", "expected frames from 0 to 255, or none-after-spawn");
    refuses(
        folder,
        "sim --player plateau17 --taps 12hz --reaction 18",
        "--reaction: plateau17 does not take it",
    );
    refuses(folder, "sim --player clairvoyant --taps 12hz", "--taps: clairvoyant does not take it");
    for bad in ["1", "-0.1", "nan", "inf", "1%"] {
        let expected = format!("--misdrop {bad}: expected a probability from 0 to 1, without 1");
        for command in ["sim", "play"] {
            refuses(folder, &format!("{command} --misdrop {bad}"), &expected);
        }
    }
}

#[test]
fn an_aggression_changes_the_game_and_its_player() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let game = "--player maxout-fast --seed 50001 --stop lines:60";
    let normal = sim(folder, game);
    // The normal one is the player itself, by name or by number.
    for same in ["normal", "0", "-0"] {
        assert_eq!(sim(folder, &format!("{game} --aggression {same}")), normal);
    }
    let bold = sim(folder, &format!("{game} --aggression boldest"));
    assert_eq!(bold["player"], "maxout-fast+boldest");
    assert_ne!(bold["per_game"], normal["per_game"]);
    assert_eq!(sim(folder, &format!("{game} --aggression 3")), bold);
    // The emulator plays it like the model, and the library knows who it was.
    stdout(folder, "play --player maxout-fast --seed 7 --stop lines:4 --aggression -1.5 --runs runs");
    let list = stdout(folder, "runs list --runs runs");
    assert!(list.contains("maxout-fast+-1.5"), "{list}");
    assert!(stdout(folder, "replay 1 --runs runs").contains("the same score and the same RAM as recorded"));

    refuses(folder, &format!("sim {game} --aggression wild"), "expected safest, safer");
    refuses(folder, "sim --player plateau17 --aggression bold", "--aggression: plateau17 does not take it");
    refuses(folder, "review none --player plateau17 --aggression bold", "--aggression: plateau17");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn held_directions_are_played_alike_by_model_and_emulator() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let game = "--player maxout-fast --seed 7 --stop lines:2 --taps das --reaction 12 --runs kept";
    stdout(folder, &format!("sim {game}"));
    stdout(folder, &format!("play {game}"));
    stdout(folder, "runs export 1 2 --format folder -o out --runs kept");
    let buttons = |host: &str| {
        let run = format!("out/maxout-fast-l19-s7-lines2-{host}/buttons.txt");
        fs::read_to_string(folder.join(run)).expect("a log")
    };
    assert_eq!(buttons("model"), buttons("console"));
    let record = stdout(folder, "runs show 2 --runs kept");
    assert!(record.contains("taps das, reaction delay of 12 frames"), "{record}");

    let all = sim(folder, "--player maxout-fast --seed 50000 --games 1 --stop lines:2 --taps 12HZ+das");
    assert!(all["limits"] == "taps 12hz+das, no reaction delay" && all["replans"] == 0, "{all}");
    refuses(folder, "sim --player plateau17 --taps das", "--taps: plateau17 does not take it");
    refuses(folder, "sim --taps slow5+das", "expected a steady rate before +das, such as 12hz+das");
    refuses(folder, "sim --taps dash", "--taps dash: expected a tap speed");
}
