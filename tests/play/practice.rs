//! The practice edition: our own cartridge with its RAM map, its menus and seeds. The image is assembled from
//! roms/testcart, which shares no line with the rules that it is compared with.

use std::fs;
use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use maxout_engine::player::find;
use maxout_host::batch::{self, Batch, Finished};
use maxout_host::session;
use maxout_host::{Console, Host as _, Model, TEST_CARTRIDGE, menus, rom};
use maxout_rules::input::Buttons;
use maxout_rules::ram::Edition;
use maxout_rules::{Game, Piece, Region, Seed, Stop};
use tempfile::TempDir;

/// Our own cartridge, assembled as a practice cartridge.
const PRACTICE: &[u8] = include_bytes!("../../roms/testcart/maxout-testcart-practice.nes");

fn console() -> Console {
    Console::power_on(PRACTICE).expect("the test cartridge works")
}

fn batch(seed: &str, start_level: u8, stop: Stop) -> Batch {
    let player = find("maxout-fast").expect("a registered player");
    let first_seed = Seed::practice_number(seed).expect("a seed");
    Batch { first_seed, start_level, stop, ..Batch::new(player.clone(), 1) }
}

fn played(batch: &Batch) -> Finished {
    let mut games = Vec::new();
    batch::play(batch, &mut console(), &mut |_, _, _| Ok(true), &mut |game| {
        games.push(game);
        Ok(())
    })
    .expect("the console plays");
    games.pop().expect("one game")
}

fn simulated(batch: &Batch) -> Finished {
    let mut games = Vec::new();
    batch::sim(batch, 1, &AtomicBool::new(false), &mut |game| {
        games.push(game);
        Ok(())
    })
    .expect("the model plays");
    games.pop().expect("one game")
}

fn both_hosts_play_the_same(batch: &Batch) {
    let (played, simulated) = (played(batch).outcome, simulated(batch).outcome);
    println!("{} points, {} lines, {} frames", played.result.score, played.result.lines, played.frames);
    assert_eq!((played.result.score, played.result.lines), (simulated.result.score, simulated.result.lines));
    assert_eq!(
        (played.result.shown_score, played.result.clears()),
        (simulated.result.shown_score, simulated.result.clears())
    );
    assert!(played.log == simulated.log, "buttons differ");
    assert!(played.result.lines > 0 && played.counts.replans == 0);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn both_hosts_play_the_same_games_on_practice_seeds() {
    // The last is a register that would run empty. The levels: with and without A, and one that only this edition has.
    for (seed, start_level, lines) in [("gym:1A2B3C", 18, 4), ("gym:00FF7e", 29, 1), ("gym:000105", 9, 1)] {
        both_hosts_play_the_same(&batch(seed, start_level, Stop::Lines(lines)));
    }
}

#[test]
#[ignore = "230 lines in the emulator three times, two minutes"]
fn nightly_both_hosts_play_whole_games_on_practice_seeds() {
    for seed in ["gym:1A2B3C", "gym:00FF7E", "gym:C0FFEE"] {
        both_hosts_play_the_same(&batch(seed, 18, Stop::Lines(230)));
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_power_on_seed_waits_in_the_level_menu_and_the_game_follows_the_rules() {
    let (mut first, mut second) = (console(), console());
    menus::reach_play(&mut first, 19, 0).expect("play is reached");
    menus::reach_play(&mut second, 19, 5).expect("play is reached");
    assert_eq!(second.frames(), first.frames() + 5);
    let now = second.snapshot();
    let mut game = Game { edition: Edition::Practice, ..Seed::new(0).start(19) };
    (game.id, game.next, game.generator, game.frame_counter) =
        (now.current, now.next, now.generator, now.frame_counter);
    let mut model = Model::new(game);
    for frame in 0..1_500u32 {
        let buttons = match frame % 41 {
            0 => Buttons::DOWN,
            3 => Buttons::LEFT,
            20..30 => Buttons::RIGHT,
            38 => Buttons::A,
            _ => Buttons::NONE,
        };
        second.step(buttons).expect("it runs");
        model.step(buttons).expect("it runs");
        assert_eq!(second.snapshot(), model.snapshot(), "frame {frame}");
    }
    assert!(second.snapshot().is_topped_out());
}

#[test]
fn the_score_has_no_cap() {
    let batch = batch("gym:1A2B3C", 19, Stop::Lines(1));
    let Seed::Practice(seed) = Seed::new(batch.first_seed) else { panic!("a practice seed") };
    let mut console = console();
    menus::reach_seeded(&mut console, 19, seed).expect("play is reached");
    let mut game = Seed::new(batch.first_seed).start(19);
    // 9,999,900 points, in BCD and in binary, and a row that the first piece completes wherever it lands.
    for (address, byte) in (0x0C..).zip([0, 0x99, 0x99, 9]).chain((0x08..).zip(9_999_900u32.to_le_bytes())) {
        console.poke(address, byte);
    }
    (game.score.digits, game.score.millions) = ([0, 0x99, 0x99], 9);
    game.full_score = game.score;
    let gap = game.id.cells().iter().map(|&(dx, _)| 5 + i16::from(dx));
    let columns: Vec<i16> = gap.collect();
    for column in (0..10).filter(|column| !columns.contains(column)) {
        for row in [18, 19] {
            console.poke(0x400 + 10 * row + column as u16, 0x7B);
            assert!(game.poke(0x400 + 10 * row + column as u16, 0x7B));
        }
    }
    let mut mind = batch.player.make(batch.foresight, Stop::Lines(1));
    let mut again = batch.player.make(batch.foresight, Stop::Lines(1));
    let opening = Seed::new(batch.first_seed).opening();
    let here = session::play(&mut console, &mut mind, opening, Stop::Lines(1), &mut |_, _, _| true);
    let there =
        session::play(&mut Model::new(game), &mut again, opening, Stop::Lines(1), &mut |_, _, _| true);
    let (here, there) = (here.expect("it plays"), there.expect("it plays"));
    assert_eq!((here.result.shown_score, here.result.lines), (there.result.shown_score, there.result.lines));
    assert!(here.result.shown_score > 9_999_999, "{}", here.result.shown_score);
    let binary = console.ram()[8..12].try_into().expect("four bytes");
    assert_eq!(u32::from_le_bytes(binary), here.result.shown_score);
}

#[test]
fn a_seed_deals_the_same_pieces_however_long_the_menus_take() {
    let first_pieces = |image: &[u8], seed: u32, before: usize| {
        let mut console = Console::power_on(image).expect("it works");
        (0..before).for_each(|_| console.step(Buttons::NONE).expect("it runs"));
        menus::reach_seeded(&mut console, 18, seed).expect("play is reached");
        let now = console.snapshot();
        (now.current.piece(), now.next.piece(), now.frame_counter & 0xFF)
    };
    let (first, later) = (first_pieces(PRACTICE, 0x00AB_CDEF, 0), first_pieces(PRACTICE, 0x00AB_CDEF, 333));
    assert_eq!(first, later);
    assert_eq!(first.2, 0);
    let all: std::collections::HashSet<(Option<Piece>, Option<Piece>)> = (0..12)
        .map(|seed: u32| {
            let game = Seed::new(Seed::FIRST_PRACTICE_SEED + u64::from(seed * 0x01_23_45)).start(18);
            (game.id.piece(), game.next.piece())
        })
        .collect();
    assert!(all.len() > 6, "{all:?}");
}

/// Our image with another text on its title screen: one of a build that nobody knows.
fn unknown_build() -> Vec<u8> {
    // "TEST CARTRIDGE" as tiles.
    let title: Vec<u8> =
        b"TEST CARTRIDGE".iter().map(|&c| if c == b' ' { 0x2B } else { c - b'A' + 10 }).collect();
    let mut image = PRACTICE.to_vec();
    let places: Vec<usize> =
        (0..image.len() - title.len()).filter(|&at| image[at..].starts_with(&title)).collect();
    for &at in &places {
        image[at..at + 4].fill(0x2B);
    }
    assert!(!places.is_empty());
    image
}

#[test]
fn a_practice_cartridge_is_recognised_by_what_it_does() {
    let identity = rom::admit(PRACTICE, false).expect("ours");
    assert_eq!((&*identity.name, identity.edition), ("maxout test cartridge (practice)", Edition::Practice));
    let headerless = rom::admit(&PRACTICE[16..], false).expect("ours");
    assert_eq!(headerless.edition, Edition::Practice);
    let unknown = rom::admit(&unknown_build(), false).expect("recognised");
    assert_eq!((unknown.cartridge, unknown.edition, unknown.region), (None, Edition::Practice, Region::Ntsc));
    // The original, changed, is none.
    let mut other = TEST_CARTRIDGE.to_vec();
    let end = other.len() - 1;
    other[end] ^= 1;
    assert!(rom::admit(&other, false).is_err());
    assert_eq!(rom::admit(&other, true).expect("allowed").edition, Edition::Original);
    assert_eq!(rom::admit(TEST_CARTRIDGE, false).expect("ours").edition, Edition::Original);
}

#[test]
fn a_menu_that_is_another_is_refused_in_one_line() {
    // Without the word SEED on the screen no seed can be chosen.
    let mut image = PRACTICE.to_vec();
    let word = [0x1C, 0x0E, 0x0E, 0x0D, 0xFF];
    let at = (0..image.len() - 5).find(|&at| image[at..].starts_with(&word)).expect("the word");
    image[at] = 0x1D;
    let identity = rom::admit(&image, false).expect("it plays without seeds");
    let mut console = rom::power_on(&identity).expect("it works");
    let error = menus::reach_seeded(&mut console, 18, 1).expect_err("no seed").to_string();
    assert!(error.contains("a row SEED with six hex digits") && !error.contains('\n'), "{error}");
    let mut console = rom::power_on(&identity).expect("it works");
    menus::reach_play(&mut console, 41, 0).expect("play is reached");
    assert_eq!(console.snapshot().progress.level, 41);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_program_plays_practice_seeds_keeps_and_verifies_the_games_and_says_what_it_cannot_play() {
    let folder = TempDir::new().expect("a folder");
    for (name, image) in [("gym.nes", PRACTICE.to_vec()), ("build.nes", unknown_build())] {
        fs::write(folder.path().join(name), image).expect("a file");
    }
    let run = |line: &str| {
        let mut command = Command::cargo_bin("maxout").expect("the program");
        command.current_dir(folder.path()).args(line.split(' ')).env("MAXOUT_RUNS", "runs");
        let output = command.assert().get_output().clone();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    let (code, told) = run("rom build.nes");
    assert!(code == Some(0) && told.contains("cartridge practice cartridge (as TetrisGYM)"), "{told}");
    let game = "--player maxout-fast --start-level 18 --seed gym:1a2b3c --stop lines:2";
    let (code, played) = run(&format!("play gym.nes {game}"));
    assert!(code == Some(0) && played.contains("gym:1A2B3C"), "{played}");
    let (code, simulated) = run(&format!("sim {game} --runs runs"));
    assert!(code == Some(0) && simulated.contains("gym:1A2B3C"), "{simulated}");
    let line = |text: &str, key: &str| text.lines().find(|line| line.starts_with(key)).map(str::to_owned);
    for key in ["score", "lines", "games"] {
        assert_eq!(line(&played, key), line(&simulated, key));
    }
    for verify in ["runs verify 1 --rom gym.nes", "runs verify 2", "replay 1 --rom gym.nes --movie game.fm2"]
    {
        let (code, told) = run(verify);
        assert_eq!(code, Some(0), "{verify}: {told}");
    }
    let (code, told) = run("replay game.fm2 --rom gym.nes");
    let score = line(&played, "score").expect("a score");
    let score = score.split_whitespace().nth(1).expect("a number");
    assert!(code == Some(0) && told.contains("1 game") && told.contains(score), "{told}");
    // The review of the game is that of its movie: the same lines, but for the first with the name.
    let review = |game: &str| {
        let (code, told) = run(&format!("review {game} --player maxout-fast --playouts 0 -q"));
        assert_eq!(code, Some(0), "{told}");
        told.split_once('\n').map(|(_, rest)| rest.to_owned())
    };
    let reviewed = review("game.fm2 --rom gym.nes");
    assert!(
        reviewed.as_ref().is_some_and(|told| told.contains(" 4 lines") && told.contains("points to expect"))
    );
    assert_eq!(review("1 --runs runs"), reviewed);
    for (line, expected) in [
        ("play --seed gym:1A2B3C", "seed gym:1A2B3C needs a practice cartridge"),
        ("sim --seed gym:12345", "gym:XXXXXX"),
        ("sim --start-level 20 --stop lines:1", "expected 0 to 19"),
        ("sim --seed gym:FFFFFF --games 2", "expected seeds up to gym:FFFFFF"),
        ("sim --seed gym:000000 --start-level 29", "--stop level29"),
        ("sim --seed gym:000000 --player clairvoyant", "does not know it"),
        ("sim --seed gym:000000 --pal", "expected NTSC"),
    ] {
        let (code, told) = run(line);
        assert!(code == Some(2) && told.contains(expected), "{line}: {told}");
        assert_eq!(told.trim().lines().count(), 1, "{told}");
    }
}
