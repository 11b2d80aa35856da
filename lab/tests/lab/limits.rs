//! `maxout-lab limits`: a run that goes on later, or is played in shares, comes to the same bytes; other games are refused.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn maxout(folder: &Path, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout-lab"));
    command.env_remove("RUST_LOG").current_dir(folder).args(args.split_whitespace());
    command
}

fn stdout(folder: &Path, args: &str) -> String {
    let assert = maxout(folder, args).assert().success();
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

/// Exit code 2, and exactly one line on stderr, which names the culprit.
fn refuses(folder: &Path, args: &str, culprit: &str) {
    let assert = maxout(folder, args).assert().code(2);
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(stderr.lines().count(), 1, "{args}: {stderr}");
    assert!(stderr.contains(culprit), "{args}: expected {culprit:?} in {stderr}");
}

/// Games of a player that decides fast.
const FAST: &str = "limits --player plateau17 --reaction 0 --seed 50000 --stop lines:5 --no-timings";

/// The answer and the JSON of these games.
fn results(folder: &Path, args: &str) -> (String, Vec<u8>) {
    let text = stdout(folder, &format!("{FAST} --taps 24hz,12hz,20hz {args} --json out.json"));
    (text, fs::read(folder.join("out.json")).expect("written"))
}

#[test]
fn a_run_that_goes_on_is_the_bytes_of_one_run() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let whole = results(folder, "--games 30");
    results(folder, "--games 7 --dir kept --jobs 2");
    assert!(results(folder, "--games 30 --dir kept") == whole);
    // Nothing is left to be played.
    assert!(results(folder, "--games 30 --dir kept --no-play") == whole);
    let begun =
        fs::metadata(folder.join("kept/20hz-0/50025.json")).expect("a block").modified().expect("a time");
    assert!(results(folder, "--games 30 --dir kept") == whole);
    let now =
        fs::metadata(folder.join("kept/20hz-0/50025.json")).expect("a block").modified().expect("a time");
    assert_eq!(begun, now);
    // A block that is gone is played again; what a kill leaves behind does not matter.
    fs::remove_file(folder.join("kept/12hz-0/50000.json")).expect("a block");
    fs::write(folder.join("kept/12hz-0/.maxout-1-1.tmp"), "[").expect("written");
    assert!(results(folder, "--games 30 --dir kept") == whole);
    // Fewer games than are kept.
    let few = results(folder, "--games 7");
    assert!(results(folder, "--games 7 --dir kept --no-play") == few);

    let value: Value = serde_json::from_slice(&whole.1).expect("JSON");
    let [first, slow, third] = [0, 1, 2].map(|cell| &value["cells"][cell]);
    assert_eq!((&first["taps"], &third["taps"]), (&"24hz".into(), &"20hz".into()));
    assert_ne!(first["score"], slow["score"]);
    assert_ne!(first["limits"], third["limits"]);
    assert_eq!((&first["score"]["n"], value.get("won")), (&30.into(), None));
    let mut kept: Vec<String> = fs::read_dir(folder.join("kept"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    kept.sort();
    assert_eq!(kept, ["12hz-0", "20hz-0", "24hz-0", "identity.json"]);
}

#[test]
fn shares_are_together_the_bytes_of_one_run() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let whole = results(folder, "--games 30");
    for number in 1..=3 {
        results(folder, &format!("--games 30 --dir {number} --shard {number}/3"));
    }
    assert!(results(folder, "--games 30 --dir 3 --dir 1 --dir 2 --no-play") == whole);
    // A share that is missing is played.
    assert!(results(folder, "--games 30 --dir 1 --dir 2") == whole);
    assert!(results(folder, "--games 30 --dir 1 --no-play") != whole);
}

#[cfg(unix)]
#[test]
fn games_outlive_a_kill_and_an_interrupt() {
    use std::process::{Command as Process, Stdio};

    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let games = |series: &str| {
        let text = fs::read_to_string(folder.join(format!("kept/{series}-0/50000.json"))).unwrap_or_default();
        text.matches("\"seed\"").count()
    };
    let mut before = 0;
    for (signal, code) in [("-KILL", None), ("-INT", Some(130))] {
        let mut child = Process::new(env!("CARGO_BIN_EXE_maxout-lab"))
            .args(FAST.replace("lines:5", "lines:100").split_whitespace())
            .args(["--taps", "20hz", "--games", "1000", "--dir", "kept", "--jobs", "1"])
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("maxout starts");
        while games("20hz") < before + 3 {
            assert!(child.try_wait().expect("a status").is_none(), "it ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = Process::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(kill.success());
        assert_eq!(child.wait().expect("it ends").code(), code);
        before = games("20hz");
    }
    let run = FAST.replace("lines:5", "lines:100") + " --taps 20hz --games 5";
    let kept = stdout(folder, &format!("{run} --dir kept --no-play"));
    assert_eq!(kept, stdout(folder, &run));
}

#[test]
fn a_folder_of_other_games_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let run = format!("{FAST} --taps 30hz --games 1");
    stdout(folder, &format!("{run} --dir kept"));
    let other = |from: &str, to: &str| format!("{} --dir kept", run.replace(from, to));
    refuses(
        folder,
        &other("plateau17", "meatfighter2018"),
        "--dir kept: holds games of player plateau17, expected meat",
    );
    refuses(folder, &other("lines:5", "lines:6"), "holds games of stop lines:5, expected lines:6");
    refuses(folder, &other("50000", "50001"), "first seed 50000, expected 50001");
    refuses(folder, &format!("{run} --dir kept --start-level 19"), "start level 18, expected 19");
    refuses(
        folder,
        &format!("{run} --dir kept --no-double-killscreen"),
        "double killscreen true, expected false",
    );
    let player = folder.join("kept/30hz-0/player.json");
    fs::write(&player, "{\"fingerprint\": \"00000000\"}").expect("written");
    let two = run.replace("30hz", "30hz,20hz");
    refuses(
        folder,
        &format!("{two} --dir kept"),
        "--dir kept: 30hz-0: the player has changed under these limits",
    );
    // The other cells are still of use.
    stdout(folder, &format!("{} --dir kept", run.replace("30hz", "20hz")));
    fs::remove_file(&player).expect("removed");
    refuses(folder, &format!("{run} --dir kept"), "30hz-0/player.json");
    fs::remove_dir_all(folder.join("kept/30hz-0")).expect("removed");
    stdout(folder, &format!("{run} --dir kept"));
    let identity = fs::read_to_string(folder.join("kept/identity.json")).expect("written");
    let before = identity
        .replace("maxout-limits 2", "maxout-limits 1")
        .replace('{', "{\"fingerprint\": \"00000000\",");
    fs::write(folder.join("kept/identity.json"), before).expect("written");
    refuses(folder, &format!("{run} --dir kept"), "format \"maxout-limits 1\", expected \"maxout-limits 2\"");
    fs::write(folder.join("kept/identity.json"), "{}").expect("written");
    refuses(folder, &format!("{run} --dir kept"), "identity.json: not a file of `maxout-lab limits`");

    stdout(folder, &format!("{run} --dir first"));
    stdout(folder, &format!("{run} --dir second"));
    let block = folder.join("second/30hz-0/50000.json");
    let text = fs::read_to_string(&block).expect("written");
    fs::write(&block, text.replacen("\"score\":", "\"score\":1", 1)).expect("written");
    refuses(
        folder,
        &format!("{run} --dir first --dir second"),
        "--dir second: 30hz-0/50000.json: seed 50000",
    );
    fs::write(&block, &text[..text.len() / 2]).expect("written");
    refuses(folder, &format!("{run} --dir second"), "30hz-0/50000.json: not a file of `maxout-lab limits`");
    fs::write(&block, text.replace("50000", "49999")).expect("written");
    refuses(folder, &format!("{run} --dir second"), "seed 49999, expected rising seeds from 50000 to 50024");
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    fs::create_dir(folder.join("other")).expect("a folder");
    fs::write(folder.join("other/file"), "x").expect("written");
    refuses(folder, "limits --dir other", "--dir other: holds other files and no identity.json");
    refuses(folder, "limits --dir other/file", "--dir other/file: is a file");
    refuses(folder, "limits --dir none --no-play", "--dir none: holds no games");
    refuses(folder, "limits --dir new --dir none", "--dir none: holds no games");
    refuses(folder, "limits --shard 1/2", "--dir");
    refuses(folder, "limits --no-play", "--dir");
    refuses(folder, "limits --no-play --dir x --shard 1/2", "not together");
    refuses(folder, "limits --taps 30hz,11", "--taps 30hz,11: \"11\": expected a tap speed");
    refuses(folder, "limits --taps 20hz,X..", "20hz is listed twice, expected each once");
    refuses(folder, "limits --reaction 0,999", "\"999\": expected frames from 0 to 255");
    refuses(
        folder,
        "limits --player plateau17",
        "--player: plateau17 does not take taps 30hz, reaction delay of 18",
    );
    refuses(folder, "limits --player clairvoyant", "--player: clairvoyant does not take taps 30hz");
    refuses(
        folder,
        "limits --player plateau17 --aggression bold",
        "--aggression: plateau17 does not take it",
    );
    refuses(folder, "limits --games 100000", "42 cells of 100,000 games each: expected at most");
    refuses(folder, "limits --seed 18446744073709551615", "expected seeds below 2^64");
    refuses(folder, "limits --svg none/x.svg", "none does not exist");
}

#[test]
fn a_cell_of_the_published_format_stands_beside_the_published_one() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    // The third share of two blocks is empty: nothing is played.
    let cells = "limits --taps 12hz,0,2,5 --reaction 18 --dir kept";
    stdout(folder, &format!("{cells} --games 1 --shard 3/3"));
    let game = |seed: u32, score: u32, lines: u32| {
        format!(
            "{{\"seed\": {seed}, \"score\": {score}, \"line_points\": {score}, \"lines\": {lines}, \"level\": 30, \
             \"tetrises\": 50, \"topped_out\": true, \"reached_stop\": false, \"decisions\": 600, \
             \"thinking_us\": 1500000}}"
        )
    };
    let games = format!("[{},{}]", game(60_000, 1_290_000, 229), game(60_002, 1_310_000, 331));
    fs::write(folder.join("kept/12hz-18/60000.json"), games).expect("written");
    let text = stdout(folder, &format!("{cells} --no-play --games 3 --json out.json --svg out.svg"));
    let head =
        "maxout-fast from level 18, stop lines:430, double killscreen; 3 games a cell from seed 60000\n";
    assert!(text.starts_with(head), "{text}");
    let row = "| 12hz | 18 | 2 | 1,300,000 ± 10,000 | 1,300,000 | 50.0 % | 50.0 % | 280.0 | 2.500 \
               | 1,241,408 ± 2,336 | +58,592 ± 10,269 | yes |\n";
    assert!(text.contains(row), "{text}");
    assert!(text.contains("\n| 0,2,5 | 18 | 0 | | | | | | | | | |\n"), "{text}");
    assert!(
        text.contains("\n\n1 of 1 cell won: by more than two standard errors of the difference\n"),
        "{text}"
    );
    let json: Value =
        serde_json::from_slice(&fs::read(folder.join("out.json")).expect("written")).expect("JSON");
    assert_eq!((&json["won"], &json["cells"][0]["comparison"]["won"]), (&1.into(), &"yes".into()));
    assert_eq!(json["cells"][0]["published"]["setting"], "Normal High");
    let svg = fs::read_to_string(folder.join("out.svg")).expect("written");
    assert!(svg.contains("delay 18") && svg.contains("BetaTetris"), "{svg}");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn players_on_the_learned_value_play_with_delays() {
    let folder = TempDir::new().expect("a folder");
    let run =
        "limits --games 1 --stop lines:5 --taps 30hz,slow5 --reaction 18,none-after-spawn --aggression safe";
    let text = stdout(folder.path(), run);
    assert!(
        text.starts_with("maxout-fast+safe from level 18, stop lines:5, double killscreen; 1 game a cell"),
        "{text}"
    );
    assert!(text.contains("\n| slow5 | none-after-spawn | 1 | ") && !text.contains("BetaTetris"), "{text}");
    // The games are those of `sim`.
    let limits = "--start-level 18 --seed 60000 --double-killscreen --taps slow5 --reaction none-after-spawn";
    let sim = format!("sim --player maxout-fast --aggression safe --stop lines:5 {limits} --json sim.json");
    let Some(program) = super::program() else { return };
    Command::new(program).args(sim.split_whitespace()).current_dir(folder.path()).assert().success();
    stdout(folder.path(), &format!("{run} --json limits.json"));
    let read = |file| -> Value {
        serde_json::from_slice(&fs::read(folder.path().join(file)).expect("written")).expect("JSON")
    };
    let (sim, cell) = (read("sim.json"), &read("limits.json")["cells"][3]);
    assert_eq!((&cell["score"], &cell["limits"]), (&sim["score"], &sim["limits"]));
    assert_eq!((&cell["line_points"], &cell["level"]["mean"]), (&sim["line_points"], &18.0.into()));
}
