//! The console and the cartridges in it: determinism, the autopilot, our own cartridge, broken images.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use maxout::conform::{on_cartridge, trace};
use maxout::game::{MenuScript, power_on_start};
use maxout::host::ram::Snapshot;
use maxout::host::{Console, TEST_CARTRIDGE, menus, rom};
use maxout::input::Buttons;

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
        assert_eq!((got.level, got.game_type), (level, 0));
    }
}

#[test]
fn the_autopilot_takes_the_script_s_way_to_every_level() {
    let levels = (0..20).map(|level| (level, 0));
    autopilot_equals_the_script(TEST_CARTRIDGE, levels.chain([(19, 1), (19, 7), (18, 119), (9, 60)]));
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
fn the_autopilot_finds_play_from_the_demo_a_game_and_a_game_over() {
    let mut console = console();
    // Left alone, the title screen turns into the demo.
    let mut frames = 0;
    while Snapshot::read(console.ram()).game_mode != 5 {
        console.step(Buttons::NONE).expect("it runs");
        frames += 1;
        assert!(frames < 3_000, "the demo never came");
    }
    let begin = |console: &mut Console, level: u8, from: &str| {
        menus::reach_play(console, level, 2).unwrap_or_else(|error| panic!("from {from}: {error}"));
        let now = Snapshot::read(console.ram());
        assert_eq!((now.level, now.play_state, now.lines), (level, 1, 0), "from {from}");
    };
    begin(&mut console, 18, "the demo");
    for frame in 0..500 {
        console.step(noise(frame)).expect("it runs");
    }
    begin(&mut console, 7, "a game in play");
    begin(&mut console, 19, "a game that has just begun");
    let mut frames = 0;
    while Snapshot::read(console.ram()).play_state != 0x0A {
        console.step(Buttons::NONE).expect("it runs");
        frames += 1;
        assert!(frames < 5_000, "no game over");
    }
    begin(&mut console, 12, "a game over");
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
fn five_hundred_mutated_images_do_not_panic() {
    let mut dice = 12_345u64;
    let mut roll = move |sides: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % sides
    };
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
    let status = Command::new("bash").arg(script).arg(&rebuilt).status().expect("bash runs");
    assert!(status.success());
    assert!(fs::read(rebuilt).expect("it was built") == TEST_CARTRIDGE, "source and image differ");
}
