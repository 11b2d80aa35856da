//! Made-up buttons: on the model alone, on the model against the cartridge, and on a cartridge with a fault.

use std::convert::Infallible;
use std::fs;

use maxout_engine::search::Foresight;
use maxout_host::{Console, Host, Model, TEST_CARTRIDGE};
use maxout_lab::fuzz::{Duel, Stream};
use maxout_rules::input::Buttons;
use maxout_rules::{FrameStage, Stop, model_start};
use predicates::prelude::*;
use proptest::prelude::*;

use super::lab;

fn stream(seed: u64) -> Stream {
    let player = maxout_gallery::find("plateau17").expect("registered");
    Stream::new(seed, player.make(Foresight::DEFAULT, Stop::TopOut))
}

/// Plays a stream on the model, game after game; the number of games.
fn on_the_model(seed: u64, frames: u64) -> u64 {
    let mut games = 1;
    let mut model = Model::new(model_start((seed % 20) as u8, seed));
    let played = stream(seed).play(model.snapshot(), frames, &mut |buttons| {
        model.step(buttons).expect("the model runs");
        // The curtain of a large score ends the model's game; on the machine a picture follows.
        if model.game().stage == FrameStage::Left || model.game().ending_follows() {
            model = Model::new(model_start((games % 20) as u8, seed ^ games << 32));
            games += 1;
        }
        Ok::<_, Infallible>(Some(model.snapshot()))
    });
    played.expect("nothing stops it");
    games
}

#[test]
fn streams_of_100_000_frames_do_not_panic_on_the_model() {
    for seed in 0..3 {
        assert!(on_the_model(seed, 100_000) > 3, "seed {seed}");
    }
}

#[test]
#[ignore = "takes a minute"]
fn two_hundred_streams_of_100_000_frames_do_not_panic_on_the_model() {
    let games: u64 = (0..200).map(|seed| on_the_model(seed, 100_000)).sum();
    println!("{games} games");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_model_and_the_cartridge_agree_on_made_up_buttons() {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
    let (mut compared, mut games) = (0, 0);
    for seed in 500..503 {
        let mut duel = Duel::new(&mut console).expect("it starts");
        let found = duel.play(&mut stream(seed), 800, &mut || true).expect("it runs");
        assert_eq!(found, None, "stream {seed}");
        compared += duel.counts().compared;
        games += duel.counts().games;
    }
    assert!(compared > 800 && games >= 2, "{compared} frames of {games} games compared");
}

#[test]
fn a_cartridge_with_another_gravity_is_found_out_and_its_buttons_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (rom, buttons) = (folder.path().join("slow.nes"), folder.path().join("buttons.txt"));
    let mut image = TEST_CARTRIDGE.to_vec();
    let table = image.windows(4).position(|w| w == [0x30, 0x2B, 0x26, 0x21]).expect("the gravity table");
    for speed in &mut image[table..table + 29] {
        *speed += 1;
    }
    fs::write(&rom, image).expect("a file");
    let said = predicate::str::is_match(r"frame \d+, [^(]+ \(00[0-9A-F]{2}\): model [0-9A-F]{2}, cartridge")
        .expect("a pattern");
    lab()
        .args(["fuzz", "--streams", "9", "--allow-unknown", "--output"])
        .args([&buttons, &rom])
        .assert()
        .code(1)
        .stdout(said.clone());
    lab().args(["fuzz", "--allow-unknown", "--replay"]).args([&buttons, &rom]).assert().code(1).stdout(said);
    lab()
        .args(["fuzz", "--replay"])
        .arg(&buttons)
        .assert()
        .success()
        .stdout(predicate::str::contains("no diff"));
    fs::write(&buttons, "maxout-buttons 1\nmany ........\n").expect("a file");
    lab()
        .args(["fuzz", "--replay"])
        .arg(&buttons)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("buttons.txt: line 2: expected"));
}

#[test]
fn refuses_bad_numbers_and_places_before_the_first_frame() {
    for args in [["--seconds", "0"], ["--streams", "-1"], ["--frames", "many"], ["--output", "/nowhere/x"]] {
        let assert = lab().arg("fuzz").args(args).assert().code(2).stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    }
}

#[test]
fn a_cartridge_that_does_nothing_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut image = TEST_CARTRIDGE.to_vec();
    // The opcode that jams the processor.
    image[16..16 + 0x8000].fill(0x02);
    let path = folder.path().join("jam.nes");
    fs::write(&path, image).expect("a file");
    let args = ["fuzz", "--streams", "1", "--frames", "400", "--allow-unknown", &path.display().to_string()];
    let refused = "jam.nes: no game began in 400 frames, expected one";
    lab().args(args).assert().code(2).stdout("").stderr(predicate::str::contains(refused));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is written to its RAM, the model goes on.
    #[test]
    fn the_model_survives_any_byte_at_any_address(
        level in 0u8..20,
        seed in any::<u64>(),
        turns in proptest::collection::vec((any::<u16>(), any::<u8>(), any::<u8>(), 1u8..40), 1..60),
    ) {
        let mut game = model_start(level, seed);
        for (address, byte, buttons, frames) in turns {
            // Half of the writes go to the zero page, where the variables are.
            game.poke(if address & 1 == 0 { address >> 1 & 0xFF } else { address >> 1 & 0x7FF }, byte);
            for _ in 0..frames {
                game.step(Buttons(buttons));
                let _ = Model::new(game).snapshot();
            }
        }
    }
}
