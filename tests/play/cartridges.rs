//! The console and the cartridges in it: determinism, the autopilot, our own cartridge, broken images.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use maxout::conform::{on_cartridge, trace};
use maxout_host::{Console, TEST_CARTRIDGE, menus, rom};
use maxout_rules::input::Buttons;
use maxout_rules::ram::{self, GameMode, GameType, Snapshot};
use maxout_rules::random::Dice;
use maxout_rules::{MenuScript, PlayState, Progress, power_on_start};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn console() -> Console {
    Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works")
}

/// A pad that does a bit of everything.
fn noise(frame: u64) -> Buttons {
    let mixed = frame.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    Buttons([0x00, 0x01, 0x02, 0x04, 0x80, 0x40, 0x00, 0x81][mixed as usize % 8])
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_same_buttons_give_the_same_ram_after_power_on_power_cycle_and_restore() {
    let mut first = console();
    menus::reach_play(&mut first, 19, 3).expect("play is reached");
    let kept = first.save();
    let run = |console: &mut Console| -> Vec<u32> {
        (0..200)
            .map(|frame| {
                console.step(noise(frame)).expect("it runs");
                crc32fast::hash(console.ram())
            })
            .collect()
    };
    let want = run(&mut first);
    first.restore(&kept).expect("the state fits");
    assert_eq!(run(&mut first), want, "after restore");
    first.power_cycle().expect("it switches");
    assert!(first.ram() == console().ram() && first.frames() == 0, "right after a power cycle");
    menus::reach_play(&mut first, 19, 3).expect("play is reached");
    assert_eq!(run(&mut first), want, "after a power cycle");
    let mut second = console();
    menus::reach_play(&mut second, 19, 3).expect("play is reached");
    assert_eq!(run(&mut second), want, "on another console");
}

#[test]
fn a_picture_does_not_disturb_the_game() {
    let (mut with, mut without) = (console(), console());
    for frame in 0..330 {
        with.step(Buttons::NONE).expect("it runs");
        without.step(Buttons::NONE).expect("it runs");
        if frame % 40 == 0 {
            let picture = with.picture().expect("a picture");
            assert_eq!(picture.rgba().len(), 256 * 240 * 4);
        }
    }
    assert_eq!(with.ram(), without.ram());
    let picture = with.picture().expect("a picture");
    let colours: std::collections::HashSet<&[u8]> = picture.rgba().chunks_exact(4).collect();
    assert!(colours.len() >= 3, "the screen shows something: {} colours", colours.len());
}

#[test]
fn every_box_of_the_play_screen_has_its_whole_border_and_keeps_its_text_inside() {
    let mut console = console();
    menus::reach_play(&mut console, 19, 0).expect("play is reached");
    for _ in 0..4 {
        console.step(Buttons::NONE).expect("it runs");
    }
    let picture = console.picture().expect("a picture");
    let tile = |column: usize, row: usize| -> Vec<&[u8]> {
        let lines = row * 8..row * 8 + 8;
        lines.flat_map(|y| picture.rgba()[(y * 256 + column * 8) * 4..][..32].chunks_exact(4)).collect()
    };
    let [[top_left, top, top_right], [left, _, right], [bottom_left, bottom, bottom_right]] =
        [5, 15, 26].map(|row| [11, 16, 22].map(|column| tile(column, row)));
    assert!(left != right && top != bottom && top_left != left, "the field has a border");
    // Column and row of the first cell inside, width and height: lines, field, statistics, scores, next, level.
    let boxes =
        [(12, 3, 10, 1), (12, 6, 10, 20), (2, 10, 8, 16), (24, 3, 6, 7), (24, 13, 6, 5), (24, 20, 6, 2)];
    for (column, row, width, height) in boxes {
        let (beyond, below) = (column + width, row + height);
        let corners = [(column - 1, row - 1), (beyond, row - 1), (column - 1, below), (beyond, below)];
        for ((x, y), want) in corners.into_iter().zip([&top_left, &top_right, &bottom_left, &bottom_right]) {
            assert!(tile(x, y) == *want, "corner at column {x}, row {y}");
        }
        for x in column..beyond {
            assert!(
                tile(x, row - 1) == top && tile(x, below) == bottom,
                "box at {column}, {row}: column {x}"
            );
        }
        for y in row..below {
            assert!(
                tile(column - 1, y) == left && tile(beyond, y) == right,
                "box at {column}, {row}: row {y}"
            );
        }
    }
}

/// The walk from power-on is the model's script, and leaves the model's state, for every level.
fn autopilot_equals_the_script(image: &[u8], cases: impl Iterator<Item = (u8, u8)>) {
    let mut console = Console::power_on(image).expect("the cartridge works");
    for (level, wait) in cases {
        console.power_cycle().expect("it switches");
        let log = menus::reach_play(&mut console, level, wait).expect("play is reached");
        let script = MenuScript { level, wait };
        assert!(log.frames() == script.frames(), "level {level} wait {wait}: another way than the script");
        let got = Snapshot::read(console.ram());
        let want = power_on_start(level, wait);
        assert_eq!((got.current, got.next), (want.id, want.next), "level {level} wait {wait}");
        assert_eq!((got.generator, got.frame_counter), (want.generator, want.frame_counter));
        assert!(got.progress.level == level && got.game_type == GameType::A);
    }
}

#[test]
#[ignore = "25,000 frames in the emulator; runs in .ci/run"]
fn the_autopilot_takes_the_script_s_way_to_every_level_after_every_wait() {
    let cases = (0..20).flat_map(|level| [0, 1, 7, 119].map(|wait| (level, wait)));
    autopilot_equals_the_script(TEST_CARTRIDGE, cases);
}

#[test]
fn the_autopilot_takes_the_script_s_way_on_the_real_cartridge() {
    let Some(path) = env::var_os("MAXOUT_ROM") else {
        println!("skipped: MAXOUT_ROM is not set");
        return;
    };
    let image = fs::read(path).expect("MAXOUT_ROM is readable");
    autopilot_equals_the_script(&image, [(19, 0), (18, 7), (0, 119)].into_iter());
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_autopilot_finds_play_from_the_demo_a_game_and_a_game_over() {
    let mut console = console();
    // Left alone, the title screen turns into the demo.
    let mut frames = 0;
    while Snapshot::read(console.ram()).game_mode != GameMode::Demo {
        console.step(Buttons::NONE).expect("it runs");
        frames += 1;
        assert!(frames < 3_000, "the demo never came");
    }
    let begin = |console: &mut Console, level: u8, from: &str| {
        menus::reach_play(console, level, 2).unwrap_or_else(|error| panic!("from {from}: {error}"));
        let now = Snapshot::read(console.ram());
        assert_eq!(now.progress, Progress::at(0, level), "from {from}");
        assert!(now.in_control(), "from {from}");
    };
    begin(&mut console, 18, "the demo");
    for frame in 0..500 {
        console.step(noise(frame)).expect("it runs");
    }
    begin(&mut console, 7, "a game in play");
    begin(&mut console, 19, "a game that has just begun");
    let mut frames = 0;
    while Snapshot::read(console.ram()).play_state != PlayState::Curtain {
        console.step(Buttons::NONE).expect("it runs");
        frames += 1;
        assert!(frames < 5_000, "no game over");
    }
    begin(&mut console, 12, "a game over");
}

/// A console whose B-type level menu is open.
fn in_the_b_type_level_menu() -> Console {
    let mut console = console();
    let mut play = |frames: usize, buttons: Buttons| {
        (0..frames).for_each(|_| console.step(buttons).expect("it runs"));
    };
    for (wait, press) in [
        (266, Buttons::START),
        (8, Buttons::START),
        (8, Buttons::RIGHT),
        (2, Buttons::START),
        (12, Buttons::NONE),
    ] {
        play(wait, Buttons::NONE);
        play(1, press);
    }
    let now = Snapshot::read(console.ram());
    assert!(now.game_mode == GameMode::LevelMenu && now.game_type == GameType::B, "the B-type level menu");
    console
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_autopilot_goes_back_from_b_type_menus_and_games_to_a_type() {
    let a_type = |mut console: Console, level: u8, from: &str| {
        menus::reach_play(&mut console, level, 0).unwrap_or_else(|error| panic!("from {from}: {error}"));
        let now = Snapshot::read(console.ram());
        assert_eq!(now.progress, Progress::at(0, level), "from {from}");
        assert!(now.game_type == GameType::A, "from {from}");
    };
    let mut console = in_the_b_type_level_menu();
    for level in [0, 5, 19] {
        a_type(console.clone(), level, "the level cursor");
    }
    let mut height = console.clone();
    for buttons in [Buttons::A, Buttons::NONE, Buttons::RIGHT, Buttons::NONE] {
        height.step(buttons).expect("it runs");
    }
    for level in [5, 12] {
        a_type(height.clone(), level, "the height cursor");
    }
    console.step(Buttons::START).expect("it runs");
    for frame in 0..60 {
        if frame % 12 == 2 {
            a_type(console.clone(), 13, "a B-type game");
        }
        console.step(Buttons::NONE).expect("it runs");
    }
    // Down makes it short.
    for frame in 0..5_000 {
        console.step(if frame % 64 == 0 { Buttons::NONE } else { Buttons::DOWN }).expect("it runs");
        if Snapshot::read(console.ram()).play_state == PlayState::Curtain {
            return a_type(console, 4, "a B-type game over");
        }
    }
    panic!("no game over");
}

#[test]
fn leaving_a_game_leaves_the_next_box_shown() {
    let mut console = console();
    menus::reach_play(&mut console, 3, 0).expect("play is reached");
    let hidden = |console: &Console| console.ram()[usize::from(ram::NEXT_HIDDEN)];
    for press in [Buttons::NONE, Buttons::SELECT, Buttons::START] {
        let mut console = console.clone();
        for buttons in [Buttons::NONE, press, Buttons::NONE] {
            console.step(buttons).expect("it runs");
        }
        assert_eq!(hidden(&console), u8::from(press == Buttons::SELECT));
        menus::reach_play(&mut console, 6, 0).expect("play is reached");
        assert_eq!(hidden(&console), 0, "after {press}");
    }
}

#[test]
fn says_what_is_wrong_with_an_image() {
    let header = |bytes: [u8; 6]| [&b"NES\x1A"[..], &bytes, &[0; 6], &[0; 0x4000]].concat();
    let cases: [(Vec<u8>, &str); 8] = [
        (vec![], "file is empty"),
        (vec![0x4E; 9], "expected 16-byte iNES header, file has 9 bytes"),
        (b"RIFF and so on, a sound".to_vec(), "file begins with 52 49 46 46"),
        (b"PK\x03\x04 and so on, an archive".to_vec(), "zip archive: invalid Zip archive"),
        (header([0, 0, 0, 0, 0, 0]), "header promises no PRG bank"),
        (header([1, 1, 0, 0, 0, 0]), "header promises 1 CHR bank (24592 bytes"),
        (header([1, 0, 4, 0, 0, 0]), "header promises 1 PRG bank (16912 bytes"),
        // NES 2.0: four more bits of each number.
        (header([1, 0, 0, 8, 0, 1]), "header promises 257 PRG banks (4210704 bytes"),
    ];
    for (image, words) in cases {
        let error = rom::identify(&image).expect_err(words).to_string();
        assert!(error.contains(words), "expected {words:?} in {error:?}");
    }
    let plain = header([1, 0, 0, 0, 0, 0]);
    assert!(rom::admit(&plain, false).expect_err("unknown").to_string().contains("--allow-unknown"));
    let identity = rom::admit(&plain, true).expect("allowed");
    assert_eq!((&*identity.name, identity.prg_bytes, identity.chr_bytes), ("unknown", 0x4000, 0));
    let ours = rom::admit(TEST_CARTRIDGE, false).expect("our own");
    assert_eq!((&*ours.name, ours.mapper), ("maxout test cartridge", 0));
}

#[test]
fn a_cartridge_that_does_nothing_ends_in_an_error_that_names_the_screen() {
    let mut image = TEST_CARTRIDGE.to_vec();
    // Every byte of program is the opcode that jams the processor.
    image[16..16 + 0x8000].fill(0x02);
    let mut console = Console::power_on(&image).expect("it is well formed");
    let error = menus::reach_play(&mut console, 19, 0).expect_err("nothing happens");
    assert!(error.to_string().starts_with("the title screen was never reached"), "{error}");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn five_hundred_mutated_images_do_not_panic() {
    let mut dice = Dice::new(12_345);
    let mut roll = move |sides: usize| dice.below(sides);
    let mut ran = 0;
    for _ in 0..500 {
        let mut image = TEST_CARTRIDGE.to_vec();
        for _ in 0..=roll(6) {
            let at = if roll(2) == 0 { roll(16) } else { roll(image.len()) };
            image[at] = roll(256) as u8;
        }
        if roll(4) == 0 {
            image.truncate(roll(image.len() + 1));
        }
        if rom::admit(&image, true).is_err() {
            continue;
        }
        let Ok(mut console) = Console::power_on(&image) else { continue };
        ran += 1;
        for frame in 0..4 {
            if console.step(noise(frame)).is_err() {
                break;
            }
        }
    }
    assert!(ran > 50, "only {ran} images ran");
}

/// The whole suite on the cartridge takes minutes and runs in .ci/run.
#[test]
#[ignore = "ten seconds in the emulator; .ci/run has it, and all traces"]
fn the_test_cartridge_equals_the_real_game_on_three_short_traces() {
    let mut console = console();
    for name in ["a1_l19_taps_3games", "b4_l15_noise_lr", "f1_poweron_walk"] {
        let path = root().join(format!("tests/data/{name}.csv.gz"));
        let rows = trace::read(&fs::read(path).expect("the trace")).expect("it parses");
        let verdict = on_cartridge(&rows, &mut console).expect("it runs");
        assert_eq!(verdict.rows, rows.len() as u64);
        assert_eq!(verdict.differences, 0, "{name}: {}", verdict.first.expect("a difference"));
    }
}

#[test]
fn the_committed_image_is_what_its_source_assembles_to() {
    if Command::new("ca65").arg("--version").output().is_err() {
        println!("skipped: ca65 is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let rebuilt = folder.path().join("rebuilt.nes");
    let script = root().join("roms/testcart/build.sh");
    for (region, image) in [
        ("ntsc", "maxout-testcart.nes"),
        ("pal", "maxout-testcart-pal.nes"),
        ("practice", "maxout-testcart-practice.nes"),
    ] {
        let built = Command::new("bash").arg(&script).arg(region).arg(&rebuilt).status().expect("bash runs");
        assert!(built.success());
        let committed = fs::read(root().join("roms/testcart").join(image)).expect("it is committed");
        assert!(fs::read(&rebuilt).expect("it was built") == committed, "{region}: source and image differ");
    }
}
