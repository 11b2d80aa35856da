//! The rules against measured runs of the real game: no variable may differ in any frame.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use maxout::conform::{on_cartridge, on_model, trace};
use maxout_host::{Console, TEST_CARTRIDGE, menus};
use maxout_rules::input::Buttons;
use predicates::prelude::*;
use tempfile::TempDir;

fn traces() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("tests/data is there")
        .map(|entry| entry.expect("entry is readable").path())
        .filter(|path| path.to_string_lossy().ends_with(".csv.gz"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn the_model_equals_the_real_game_in_every_frame_of_all_traces() {
    let paths = traces();
    assert_eq!(paths.len(), 14);
    for path in paths {
        let rows = trace::read(&fs::read(&path).expect("trace is readable")).expect("trace parses");
        let verdict = on_model(&rows);
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        println!(
            "{name}: {} games, {} rows, {} differences {:?}",
            verdict.games,
            verdict.rows,
            verdict.differences,
            verdict.first.as_ref().map(ToString::to_string)
        );
        assert!(verdict.rows > 1000, "{name}: {} rows", verdict.rows);
        assert_eq!(verdict.differences, 0, "{name}: {}", verdict.first.expect("a difference"));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A trace of the test cartridge: into play from power-on, then these buttons. It begins at frame `from`.
fn record(from: usize, buttons: &[Buttons]) -> String {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
    let mut log = menus::reach_play(&mut console, 19, 0).expect("play is reached").frames().to_vec();
    log.extend(buttons);
    console.power_cycle().expect("it switches");
    let names: Vec<&str> = trace::COLUMNS.iter().map(|&(name, _)| name).collect();
    let mut text = format!("f,poke,{},stats,lcs,pfx,pf,pfcrc\n", names.join(","));
    for (frame, &held) in log.iter().enumerate() {
        console.step(held).expect("it runs");
        if frame < from {
            continue;
        }
        let ram = console.ram();
        let value = |&(name, address): &(&str, u16)| match name {
            "btn" => format!("{:02x}", held.0),
            _ => format!("{:02x}", ram[usize::from(address)]),
        };
        let values: Vec<String> = trace::COLUMNS.iter().map(value).collect();
        let mut field = [0; 25];
        for (cell, _) in ram[0x400..0x4C8].iter().enumerate().filter(|(_, byte)| **byte < 0xEF) {
            field[cell / 8] |= 0x80 >> (cell % 8);
        }
        let blocks = [&ram[0x3F0..0x3FE], &ram[0xD8..0xDC], &ram[0x4C8..0x500], &field].map(hex).join(",");
        text += &format!("{frame},,{},{blocks},\n", values.join(","));
    }
    text
}

const STILL: [Buttons; 40] = [Buttons::NONE; 40];

fn conform(folder: &TempDir, text: &str, cartridge: bool) -> assert_cmd::assert::Assert {
    let file = folder.path().join("trace.csv");
    fs::write(&file, text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.arg("conform");
    if cartridge {
        command
            .arg("--rom")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("roms/testcart/maxout-testcart.nes"));
    }
    command.arg(file).assert()
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_trace_that_begins_after_power_on_is_compared_frame_by_frame() {
    let folder = TempDir::new().expect("a folder");
    for (from, said) in [
        (0, "differences\n"),
        (1, "(frame 0, before the first row, played without buttons)"),
        (3, "(frames 0 to 2, before the first row, played without buttons)"),
    ] {
        let text = record(from, &STILL);
        conform(&folder, &text, true)
            .success()
            .stdout(predicate::str::contains(" 0 differences").and(predicate::str::contains(said)));
        conform(&folder, &text, false).success().stdout(predicate::str::contains("1 game, 0 differences\n"));
    }
}

#[test]
fn a_trace_with_a_gap_or_an_endless_beginning_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let text = record(3, &STILL);
    let gap: String =
        text.lines().filter(|line| !line.starts_with("10,")).flat_map(|line| [line, "\n"]).collect();
    let refused = |text: &str, message: &str| {
        conform(&folder, text, true).code(2).stderr(predicate::str::contains(message));
    };
    refused(&gap, "trace line 9, column f: 11, expected 10: one row a frame");
    refused(&text.replace("\n4,", "\n3,"), "trace line 3, column f: 3, expected 4");
    let header = text.lines().next().expect("a header");
    let row = text.lines().nth(1).expect("a row").strip_prefix("3,").expect("frame 3");
    refused(&format!("{header}\n4000000000,{row}\n"), "begins at frame 4000000000, expected 100000 at most");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_game_that_is_paused_or_held_up_in_its_first_frame_is_compared() {
    let (start, split) = (Buttons::START, Buttons(0x07));
    let none = Buttons::NONE;
    for first in
        [&[start, none, start][..], &[start, none, none, none, start], &[split], &[split, start, none, start]]
    {
        let rows = trace::read(record(0, &[first, &STILL].concat()).as_bytes()).expect("a trace");
        let verdict = on_model(&rows);
        assert_eq!((verdict.games, verdict.differences, verdict.first), (1, 0, None), "{first:?}");
        assert!(verdict.rows > STILL.len() as u64, "{first:?}: {} rows", verdict.rows);
        let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
        assert_eq!(on_cartridge(&rows, &mut console).expect("it runs").differences, 0, "{first:?}");
    }
}
