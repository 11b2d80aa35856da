//! What the program says of itself and of a command line that it does not understand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn maxout(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(args).env_remove("RUST_LOG").env_remove("NO_COLOR");
    command.env("MAXOUT_RUNS", Path::new(env!("CARGO_TARGET_TMPDIR")).join("help-runs"));
    command.output().expect("maxout starts")
}

fn stdout(args: &[&str]) -> String {
    let output = maxout(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn stderr(args: &[&str]) -> String {
    String::from_utf8(maxout(args).stderr).expect("text")
}

/// The flags under each heading of a help text.
fn flags_under(help: &str, heading: &str) -> Vec<String> {
    let section =
        help.split(&format!("\n{heading}:\n")).nth(1).unwrap_or_else(|| panic!("{heading}: {help}"));
    let section = section.split("\n\n").next().unwrap_or_default();
    let words =
        section.lines().filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    words.map(ToOwned::to_owned).collect()
}

#[test]
fn commands_are_listed_in_groups_and_flags_under_their_headings() {
    let help = stdout(&["--help"]);
    for group in ["Play and watch", "Study", "Verify", "Scale", "Options"] {
        assert!(help.contains(&format!("\n{group}:\n")), "{group}: {help}");
    }
    assert!(!help.contains("\nCommands:"), "{help}");
    assert_eq!(help.matches("\n  play ").count(), 1, "{help}");
    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    let help = stdout(&["play", "--help"]);
    assert_eq!(flags_under(&help, "Watching"), ["--watch", "--realtime", "--png", "--every"]);
    assert_eq!(flags_under(&help, "Results"), ["--json", "--no-timings", "--no-runs"]);
    assert_eq!(
        flags_under(&help, "Who plays"),
        ["--player", "--taps", "--reaction", "--misdrop", "--aggression", "--nodes"]
    );
    assert_eq!(help.split("\nExamples:\n").nth(1).map(|examples| examples.lines().count()), Some(3));
    assert!(flags_under(&stdout(&["sim", "--help"]), "Sharing the work").contains(&"--shard".to_owned()));
    assert!(flags_under(&stdout(&["replay", "--help"]), "Pictures").contains(&"--video".to_owned()));
}

#[test]
fn the_short_help_fits_on_a_screen_and_names_the_long_one() {
    let all = [
        "",
        "play",
        "watch",
        "replay",
        "runs",
        "runs list",
        "runs show",
        "runs best",
        "runs stats",
        "runs note",
        "runs rm",
        "runs export",
        "runs import",
        "runs verify",
        "runs repair",
        "report",
        "players",
        "analyze",
        "review",
        "serve",
        "conform",
        "rom",
        "sim",
        "merge",
        "completions",
        "man",
    ];
    for path in all {
        let args = |flag| path.split(' ').filter(|name| !name.is_empty()).chain([flag]).collect::<Vec<_>>();
        let (short, long) = (stdout(&args("-h")), stdout(&args("--help")));
        assert!(short.lines().count() <= 24, "{path}: {} lines\n{short}", short.lines().count());
        assert!(
            short.contains(&format!("{} --help", ["maxout", path].join(" ").trim_end())),
            "{path}: {short}"
        );
        assert!(short.len() < long.len(), "{path}: {short}");
        assert!(!short.contains("--verbose") && long.contains("--verbose"), "{path}: {short}");
    }
    let flags = stdout(&["play", "-h"]);
    assert!(flags.contains("--player") && flags.contains("--watch") && !flags.contains("--nodes"), "{flags}");
    // A flag that it does not show works beside it.
    assert_eq!(stdout(&["play", "--nodes", "3", "-h"]), flags);
}

#[test]
fn the_version_names_the_commit_and_the_page() {
    let version = stdout(&["-V"]);
    assert_eq!(version, stdout(&["--version"]));
    let rest = version.trim_end().strip_prefix(concat!("maxout ", env!("CARGO_PKG_VERSION"), " (commit "));
    let page = if maxout::serve::HAS_PAGE { ", with the page)" } else { ")" };
    let commit = rest.and_then(|rest| rest.strip_suffix(page)).expect("both");
    assert!(commit == "unknown" || commit.len() == 7 && commit.bytes().all(|b| b.is_ascii_hexdigit()));
}

#[test]
fn what_is_mistyped_is_guessed_and_the_command_named() {
    let said = |args: &[&str], line: &str| assert_eq!(stderr(args), format!("{line}\n"), "{args:?}");
    said(
        &["sim", "--player", "maxout-fst"],
        "maxout sim: --player maxout-fst: no such player, did you mean maxout-fast? (`maxout players` lists all 30)",
    );
    said(
        &["play", "--player", "zzz"],
        "maxout play: --player zzz: no such player (`maxout players` lists all 30)",
    );
    said(
        &["sim", "--gmaes", "4"],
        "maxout sim: --gmaes: no such flag, did you mean --games? (maxout sim --help lists the flags)",
    );
    said(&["pley"], "maxout: pley: no such command, did you mean play? (maxout --help lists the commands)");
    said(
        &["help", "analyse"],
        "maxout: analyse: no such command, did you mean analyze? (maxout --help lists the commands)",
    );
    said(
        &["help", "runs", "lst"],
        "maxout: lst: no such command, did you mean list? (maxout --help lists the commands)",
    );
    said(
        &["sim", "--double-killscreen", "--runs", "x"],
        "maxout sim: --double-killscreen: not together with --runs [<DIR>] (maxout sim --help explains both)",
    );
    said(
        &["runs", "lst"],
        "maxout runs: lst: no such command, did you mean list? (maxout runs --help lists the commands)",
    );
    said(&["--games", "3", "sim"], "maxout: --games: no such flag (maxout --help lists the flags)");
    said(&["rom", "a", "b"], "maxout rom: b: too many arguments (maxout rom --help says what is expected)");
    said(&["sim", "--json"], "maxout sim: --json: no value, expected <FILE>");
    said(&["sim", "--json", "a", "--json", "b"], "maxout sim: --json: given twice, expected once");
    said(
        &["play", "--watch", "--realtime"],
        "maxout play: --watch: not together with --realtime (maxout play --help explains both)",
    );
    said(&["analyze"], "maxout analyze: expected <BOARD> (maxout analyze --help has examples)");
    said(
        &["replay", "1", "--at", "foo"],
        "maxout replay: --at foo: expected one of frame, lock, clear, tetris",
    );
    // What only the command itself can know is said in the same way.
    let nodes = stderr(&["sim", "--player", "plateau17", "--nodes", "3"]);
    assert!(nodes.starts_with("maxout sim: --nodes: plateau17 does not take it"), "{nodes}");
}

#[test]
fn a_command_that_is_now_in_the_laboratory_says_so() {
    for command in ["bench", "fuzz", "limits", "table", "train"] {
        let line = format!(
            "maxout: {command}: this command is now in the laboratory: cargo run --release -p maxout-lab -- {command}\n"
        );
        for args in [&[command][..], &[command, "--help"], &["help", command], &["-q", command, "td"]] {
            let output = maxout(args);
            assert_eq!((output.status.code(), stderr(args)), (Some(2), line.clone()), "{args:?}");
        }
    }
    let told = "maxout: stats: statistics of kept runs are `maxout runs stats`; `stats rows` is now in the laboratory: \
                cargo run --release -p maxout-lab -- rows\n";
    assert_eq!(stderr(&["stats", "rows", "--player", "el-tetris"]), told);
}

#[test]
fn a_flag_of_earlier_versions_says_what_to_use_instead() {
    for (args, instead) in [
        (&["sim", "--beam", "3"][..], "laboratory: cargo run --release -p maxout-lab -- sim --beam"),
        (&["sim", "--no-gravity", "--player", "packing"], "-p maxout-lab -- sim --no-gravity"),
        (&["play", "--filter", "well"], "-p maxout-lab -- sim --filter"),
        (&["play", "--pal"], "the version of its cartridge"),
        (&["play", "--double-killscreen"], "expected `maxout sim`"),
        (&["replay", "7", "a.nes"], "--rom FILE"),
        (&["replay", "7", "--gif", "a.gif"], "--video FILE.gif"),
        (&["replay", "7", "--bk2", "a.bk2"], "--movie FILE.bk2"),
        (&["replay", "7", "--from", "3"], "--frames A..B"),
        (&["replay", "7", "--aspect", "8:7"], "--tv"),
        (&["replay", "7", "--champs-version", "4"], "version 3"),
        (&["runs", "list", "--tag", "good"], "--note '#TAG'"),
        (&["runs", "verify", "--all"], "without numbers all runs are verified"),
        (&["report", "7", "--boards", "3"], "the best, the median and the worst"),
        (&["analyze", "board.txt", "--piece", "T", "--all"], "--top 1000"),
    ] {
        let output = maxout(args);
        let said = stderr(args);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.starts_with("maxout ") && said.contains(instead), "{args:?}: {said}");
    }
}

#[test]
fn a_flag_for_the_library_or_the_cartridge_works_before_and_after_the_command_that_uses_it() {
    let folder = TempDir::new().expect("a folder");
    let runs = folder.path().join("runs").display().to_string();
    stdout(&["sim", "--player", "plateau17", "--stop", "lines:1", "--runs", &runs]);
    let list = stdout(&["runs", "list", "--runs", &runs]);
    assert!(list.contains("plateau17") && list == stdout(&["--runs", &runs, "runs", "list"]), "{list}");
    for (args, line) in [
        (
            &["merge", "x.json", "--runs", "x"][..],
            "maxout merge: --runs: not for this command, which does not use the run library",
        ),
        (
            &["--allow-unknown", "sim"],
            "maxout sim: --allow-unknown: not for this command, which plays no cartridge image",
        ),
        (&["runs", "list", "--runs"], "maxout runs list: --runs: no value, expected <DIR>"),
    ] {
        let output = maxout(args);
        assert_eq!((output.status.code(), stderr(args)), (Some(2), format!("{line}\n")));
    }
}

#[test]
fn ranges_are_said_in_words() {
    let said = |args: &[&str], line: &str| assert_eq!(stderr(args), format!("{line}\n"), "{args:?}");
    said(&["sim", "--games", "-5"], "maxout sim: --games -5: expected a whole number from 1 to 10000000");
    said(
        &["sim", "--start-level", "256"],
        "maxout sim: --start-level 256: expected a whole number from 0 to 255",
    );
    said(
        &["sim", "--start-level", "20"],
        "maxout sim: --start-level 20: expected 0 to 19; a practice cartridge (--rom) and its seeds (--seed gym:XXXXXX) start on any level",
    );
    said(&["play", "--every", "0"], "maxout play: --every 0: expected a whole number from 1 on, below 2^64");
    said(
        &["replay", "1", "--every", "0"],
        "maxout replay: --every 0: expected a whole number from 1 on, below 2^64",
    );
    let last = "18446744073709551615";
    let or_practice = "or gym:XXXXXX, the six hex digits of a practice cartridge";
    said(
        &["sim", "--seed=-1"],
        &format!("maxout sim: --seed -1: expected a whole number from 0 to {last}, {or_practice}"),
    );
    let args = ["sim", "--player", "plateau17", "--stop", "lines:1", "--games", "1", "--seed", last];
    assert!(stdout(&args).contains(last));
    assert!(stderr(&["sim", "--games", "1", "--games", "2"]).contains("twice"));
    let args = ["sim", "--player", "plateau17", "--games", "2", "--seed", last];
    assert!(stderr(&args).contains("expected seeds below 2^64"));
}

#[test]
fn pictures_after_the_end_of_a_run_are_refused_with_its_end() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let runs = path("runs");
    stdout(&["sim", "--player", "plateau17", "--stop", "lines:1", "--runs", &runs]);
    let said = stderr(&["replay", "1", "--runs", &runs, "--video", &path("x.gif"), "--frames", "999999.."]);
    assert!(said.contains("from frame 999999 on: expected --frames between 1 and "), "{said}");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn quiet_and_verbose_decide_what_is_said_and_color_how() {
    let folder = TempDir::new().expect("a folder");
    let rom = folder.path().join("other.nes");
    let mut image = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("roms/testcart/maxout-testcart.nes"))
        .expect("the test cartridge");
    image[16 + 0x7000] ^= 1;
    fs::write(&rom, image).expect("a file");
    let rom = rom.display().to_string();
    let said = |more: &[&str]| {
        let play =
            ["play", "--allow-unknown", "--no-runs", "--player", "plateau17", "--stop", "lines:1", &rom];
        stderr(&[&play, more].concat())
    };
    assert!(said(&[]).starts_with("maxout: warn: "), "{}", said(&[]));
    assert_eq!(said(&["-q"]), "");
    assert!(said(&["-v"]).contains("maxout: info: cartridge: "), "{}", said(&["-v"]));
    assert!(said(&["--color", "always"]).contains("\u{1b}["));
    assert!(!said(&["--color", "never"]).contains('\u{1b}'));
    assert!(stdout(&["--color=always", "--help"]).contains("\u{1b}["));
    assert!(stdout(&["sim", "--help", "--color", "always"]).contains("\u{1b}["));
    assert!(!stdout(&["--help"]).contains('\u{1b}'));
    assert!(
        stderr(&["sim", "--color", "pink"]).contains("--color pink: expected one of auto, always, never")
    );
    assert!(stderr(&["sim", "-q", "-v"]).contains("not together"));
}

/// Examples that end soon are run as they stand, in a folder with the files that they name.
#[test]
#[ignore = "plays for half a minute; .ci/run has it"]
fn the_examples_work() {
    let folder = TempDir::new().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    let give = |from: &str, to: &str| {
        fs::copy(root.join(from), path(to)).expect("a copy");
    };
    give("roms/testcart/maxout-testcart.nes", "tetris.nes");
    // A short one: in the emulator it takes two seconds.
    for name in ["trace.csv.gz", "first.csv.gz", "second.csv.gz"] {
        give("tests/data/a1_l19_taps_3games.csv.gz", name);
    }
    fs::write(path("board.txt"), "#########.\n".repeat(4)).expect("a file");
    let run = |line: &str| {
        let mut words = line.split(' ');
        let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
        assert_eq!(words.next(), Some("maxout"));
        command.args(words).current_dir(folder.path()).env("MAXOUT_RUNS", path("runs"));
        let output = command.output().expect("maxout starts");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let games = "--player plateau17 --games 7 --stop lines:1 --seed 3";
    run(&format!("maxout sim {games} --runs my-runs"));
    run(&format!("maxout sim {games} --runs runs"));
    // `runs stats --player maxout` answers no if there is no such run.
    run("maxout sim --player maxout --stop lines:1 --seed 3 --runs runs");
    for shard in [1, 2] {
        run(&format!("maxout sim {games} --shard {shard}/2 --json shard-{shard}.json"));
    }
    run("maxout replay 7 --movie movie.fm2");
    // Before its first press all of a piece is on the screen.
    run("maxout replay 7 --frames 1..1 --every 1 --png pictures");
    fs::rename(path("pictures/frame-000001.png"), path("screenshot.png")).expect("another name");
    run("maxout runs export 7 --format folder -o one");
    let exported = fs::read_dir(path("one")).expect("runs").next().expect("one run").expect("readable");
    fs::rename(exported.path(), path("exported-run")).expect("another name");
    let quick =
        ["players", "rom", "analyze", "runs", "report", "conform", "watch", "merge", "completions", "man"];
    let deep =
        ["runs list", "runs show", "runs best", "runs stats", "runs export", "runs import", "runs verify"];
    let mut count = 0;
    for command in quick.iter().chain(&deep) {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = stdout(&words);
        for example in help.split("\nExamples:\n").nth(1).expect("examples").lines().map(str::trim) {
            run(example);
            count += 1;
        }
    }
    assert!(count >= 48, "{count} examples were run");
    run("maxout sim --player plateau17 --json out.json --no-timings");
    run("maxout replay 7 --video game.gif --overlay --every 40");
}
