//! The model and the test cartridge play the same game, button for button and point for point. `-- --ignored` plays
//! whole ones, which takes minutes in the emulator; those of the default player are part of `.ci/run`.

use std::sync::atomic::AtomicBool;

use maxout_engine::limits::{Limits, Reaction, TapTable};
use maxout_engine::player::Entry;
use maxout_gallery::{find, players};
use maxout_host::batch::{self, Batch, Finished};
use maxout_host::hand::MisdropRate;
use maxout_host::{Console, TEST_CARTRIDGE};
use maxout_rules::input::Buttons;
use maxout_rules::{FallRule, Game, PlayState, Region, Seed, Stop};

/// Our own cartridge, assembled for PAL.
const PAL_CARTRIDGE: &[u8] = include_bytes!("../../roms/testcart/maxout-testcart-pal.nes");

fn batch(player: &str, seed: u64, stop: Stop) -> Batch {
    let player = find(player).expect("a registered player");
    Batch { first_seed: seed, stop, ..Batch::new(player.clone(), 1) }
}

fn on_model(batch: &Batch, jobs: usize) -> Vec<Finished> {
    let mut games = Vec::new();
    batch::sim(batch, jobs, &AtomicBool::new(false), &mut |game| {
        games.push(game);
        Ok(())
    })
    .expect("the model plays");
    games
}

fn on_console(batch: &Batch) -> Vec<Finished> {
    let mut console = match batch.fall_rule.region() {
        Region::Ntsc => Console::power_on(TEST_CARTRIDGE),
        Region::Pal => Console::power_on(PAL_CARTRIDGE),
    }
    .expect("the test cartridge works");
    let mut games = Vec::new();
    batch::play(batch, &mut console, &mut |_, _, _| Ok(true), &mut |game| {
        games.push(game);
        Ok(())
    })
    .expect("the console plays");
    games
}

/// What must be equal: everything but the time it took and the machine's RAM.
fn bare(mut game: Finished) -> Finished {
    game.outcome.thinking = std::time::Duration::ZERO;
    game.outcome.wall = std::time::Duration::ZERO;
    game.ram_crc = None;
    game
}

fn the_two_hosts_agree(player: &str, seed: u64, stop: Stop) {
    both_play(&batch(player, seed, stop));
}

fn both_play(batch: &Batch) {
    let model = on_model(batch, 1).pop().map(bare).expect("one game");
    let console = on_console(batch).pop().map(bare).expect("one game");
    assert_eq!(model.outcome.result.score, console.outcome.result.score);
    assert_eq!(model.outcome.result.lines, console.outcome.result.lines);
    assert_eq!(model.outcome.frames, console.outcome.frames);
    assert_eq!(model.outcome.counts.replans > 0, batch.misdrop > MisdropRate::NONE);
    assert!(model == console, "logs differ");
    println!(
        "{} seed {}: {} points, {} lines, {} frames",
        batch.player.name,
        batch.first_seed,
        model.outcome.result.score,
        model.outcome.result.lines,
        model.outcome.frames
    );
}

macro_rules! games {
    ($($(#[$attribute:meta])* $name:ident: $player:literal $seed:literal $stop:expr;)*) => {
        $($(#[$attribute])* #[test]
        fn $name() {
            the_two_hosts_agree($player, $seed, $stop);
        })*
    };
}

games! {
    #[ignore = "slow; .ci/run has it"]
    maxout_plays_seed_0_alike_on_model_and_console: "maxout" 0 Stop::Lines(40);
    #[ignore = "slow; .ci/run has it"]
    maxout_plays_seed_131_alike_on_model_and_console: "maxout" 131 Stop::Lines(20);
    #[ignore = "slow; .ci/run has it"]
    maxout_plays_seed_4321_alike_on_model_and_console: "maxout" 4_321 Stop::Lines(20);
    maxout_fast_plays_seed_9599_alike_on_model_and_console: "maxout-fast" 9_599 Stop::Lines(20);
    #[ignore = "slow; .ci/run has it"]
    maxout_3ply_plays_seed_777_alike_on_model_and_console: "maxout-3ply" 777 Stop::Lines(20);
    #[ignore = "slow; .ci/run has it"]
    clairvoyant_plays_seed_5000_alike_on_model_and_console: "clairvoyant" 5_000 Stop::Lines(8);
    #[ignore = "slow; .ci/run has it"]
    gamepad2014_plays_seed_9590_alike_on_model_and_console: "gamepad2014" 9_590 Stop::Lines(20);
    #[ignore = "slow; .ci/run has it"]
    plateau17_plays_seed_0_alike_on_model_and_console: "plateau17" 0 Stop::Lines(20);
    #[ignore = "slow; .ci/run has it"]
    plateau17_plays_seed_4321_alike_on_model_and_console: "plateau17" 4_321 Stop::Lines(20);
    #[ignore = "slow; .ci/run has it"]
    meatfighter2018_plays_seed_131_alike_on_model_and_console: "meatfighter2018" 131 Stop::Lines(20);
    rotate_shift_drop_plays_seed_0_alike_on_model_and_console: "rotate-shift-drop" 0 Stop::Lines(6);
    #[ignore = "27,000 frames in the emulator"]
    maxout_plays_all_of_seed_0_alike_on_model_and_console: "maxout" 0 Stop::Level29;
    #[ignore = "27,000 frames in the emulator"]
    maxout_plays_all_of_seed_131_alike_on_model_and_console: "maxout" 131 Stop::Level29;
    #[ignore = "27,000 frames in the emulator"]
    maxout_plays_all_of_seed_4321_alike_on_model_and_console: "maxout" 4_321 Stop::Level29;
    #[ignore = "27,000 frames in the emulator"]
    plateau17_plays_all_of_seed_0_alike_on_model_and_console: "plateau17" 0 Stop::Level29;
    #[ignore = "27,000 frames in the emulator"]
    meatfighter2018_plays_all_of_seed_0_alike_on_model_and_console: "meatfighter2018" 0 Stop::Level29;
}

/// The player, held to other taps and eyes.
fn slowed(player: &str, taps: TapTable, reaction: Reaction) -> Entry {
    let player = find(player).expect("a registered player");
    player.with_limits(Limits::taps(taps).with_reaction(reaction)).expect("takes any limits")
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn slow_taps_and_a_reaction_delay_play_alike_on_model_and_console() {
    for (seed, taps, reaction) in [
        (11, TapTable::HZ_12, Reaction::Frames(18)),
        (12, TapTable::SLOW_5, Reaction::Frames(24)),
        (13, TapTable::HZ_30, Reaction::NextPiece),
        (14, TapTable::HZ_24, Reaction::Frames(18)),
    ] {
        let player = slowed("maxout-fast", taps, reaction);
        both_play(&Batch { player, ..batch("maxout-fast", seed, Stop::Lines(10)) });
    }
}

/// The press frames of each piece of a game on the model, counted from its first.
fn presses(batch: &Batch, played: &Finished) -> Vec<Vec<u32>> {
    let start = Seed::new(played.seed).start(batch.start_level);
    let mut game = Game { fall_rule: batch.fall_rule, ..start };
    let (mut pieces, mut piece, mut frame) = (Vec::new(), Vec::new(), 0);
    for &buttons in played.outcome.log.frames() {
        if game.play_state == PlayState::Control {
            if buttons.intersects(Buttons::LEFT | Buttons::RIGHT | Buttons::A | Buttons::B) {
                piece.push(frame);
            }
            frame += 1;
        } else if frame > 0 {
            pieces.push(std::mem::take(&mut piece));
            frame = 0;
        }
        game.step(buttons);
    }
    pieces
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn every_piece_keeps_to_its_table_and_needs_no_replan() {
    every_piece_keeps_to_its_table([Reaction::NONE, Reaction::Frames(18)]);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn every_piece_keeps_to_its_table_with_long_delays() {
    every_piece_keeps_to_its_table([Reaction::Frames(30), Reaction::NextPiece]);
}

fn every_piece_keeps_to_its_table(reactions: [Reaction; 2]) {
    let all_taps =
        ["0,2,4,6", "0,2,5,7,10", "0,3,6", "0,4,8", "0,5,10", "0,6,12", "0,2,4,6,18,20,22,24,36", "X..X."];
    for (seed, taps) in (50_100..).zip(all_taps) {
        for reaction in reactions {
            let player = slowed("maxout-fast", taps.parse().expect("taps"), reaction);
            let batch = batch("maxout-fast", seed, Stop::Lines(12));
            let batch = Batch { player, fall_rule: FallRule::DoubleKillscreen, start_level: 18, ..batch };
            let game = on_model(&batch, 1).pop().expect("one game");
            let counts = game.outcome.counts;
            // Only where no placement is left is there no plan.
            let lost = u64::from(game.outcome.result.topped_out);
            assert!(counts.replans == 0 && counts.gave_up <= lost, "{taps} {reaction}: {counts:?}");
            let pieces = presses(&batch, &game);
            assert!(pieces.len() > 12 && counts.decisions <= pieces.len() as u64 + 1, "{counts:?}");
            keeps_to(taps, &pieces, 0);
            // What comes late counts where it comes, and what does not come counts nowhere.
            let game = on_model(&clumsy(batch.clone(), 0.2), 1).pop().expect("one game");
            assert!(game.outcome.counts.replans > 10, "{:?}", game.outcome.counts);
            keeps_to(taps, &presses(&batch, &game), 1);
        }
    }
}

/// The presses of every piece are as far apart as the table says, or at most `late` frames after those that the timeline has. (The
/// first piece's timeline begins when the opening is over.)
fn keeps_to(taps: &str, pieces: &[Vec<u32>], late: u32) {
    if taps.starts_with('X') {
        let is_press = |frame: u32| taps.as_bytes()[frame as usize % taps.len()] == b'X';
        let begins = |&frame: &u32| (frame.saturating_sub(late)..=frame).any(is_press);
        assert!(pieces[1..].iter().flatten().all(begins), "{taps}: {pieces:?}");
        return;
    }
    for piece in pieces {
        let fits = |(presses, gap): (usize, &str)| {
            let gap: u32 = gap.parse().expect("a number");
            piece.windows(presses + 1).all(|window| window[presses] - window[0] >= gap)
        };
        assert!(taps.split(',').enumerate().skip(1).all(fits), "{taps}: {piece:?}");
    }
}

/// A batch whose hand misses so often.
fn clumsy(batch: Batch, probability: f64) -> Batch {
    Batch { misdrop: MisdropRate::new(probability).expect("a probability"), ..batch }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_hand_that_misses_plays_alike_on_model_and_console() {
    both_play(&clumsy(batch("maxout-fast", 21, Stop::Lines(4)), 0.2));
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_slow_hand_that_misses_plays_alike_on_model_and_console() {
    let player = slowed("maxout-fast", TapTable::HZ_12, Reaction::Frames(18));
    both_play(&clumsy(Batch { player, ..batch("maxout-fast", 22, Stop::Lines(10)) }, 0.1));
    both_play(&clumsy(batch("clairvoyant", 23, Stop::Lines(4)), 0.1));
}

/// No player plans with its misses, and every one goes on after them.
#[test]
fn every_player_goes_on_when_its_hand_misses() {
    for entry in players() {
        let batch = clumsy(batch(&entry.name, 50_010, Stop::Lines(1)), 0.1);
        let game = on_model(&batch, 1).pop().map(bare).expect("one game");
        assert!(
            game.outcome.result.reached_stop || game.outcome.result.topped_out,
            "{}: {:?}",
            entry.name,
            game.outcome
        );
        assert!(game.outcome.counts.replans > 0, "{}", entry.name);
        assert!(on_model(&batch, 1).pop().map(bare) == Some(game), "{}", entry.name);
    }
}

/// The game of a seed is the same in every batch, and a rate of 0 is no rate.
#[test]
fn the_misses_are_those_of_the_seed() {
    let games = |first_seed, games, probability| -> Vec<Finished> {
        let batch = Batch { games, ..batch("maxout-fast", first_seed, Stop::Lines(8)) };
        on_model(&clumsy(batch, probability), 2).into_iter().map(bare).collect()
    };
    let together = games(50_020, 3, 0.05);
    assert!(games(50_021, 2, 0.05) == together[1..]);
    let sure = games(50_020, 3, 0.0);
    assert!(sure != together && sure.iter().all(|game| game.outcome.counts.replans == 0));
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let batch = Batch { games: 6, ..batch("plateau17", 50_000, Stop::Lines(40)) };
    let alone: Vec<Finished> = on_model(&batch, 1).into_iter().map(bare).collect();
    let together: Vec<Finished> = on_model(&batch, 3).into_iter().map(bare).collect();
    assert_eq!(alone.len(), 6);
    assert!(alone == together);
}

/// Players remember what they searched; which games a thread plays must not matter.
#[test]
#[ignore = "slow; .ci/run has it"]
fn the_number_of_jobs_changes_nothing_for_any_player() {
    for entry in players() {
        let batch = Batch { games: 2, ..batch(&entry.name, 50_010, Stop::Lines(1)) };
        let alone: Vec<Finished> = on_model(&batch, 1).into_iter().map(bare).collect();
        let together: Vec<Finished> = on_model(&batch, 2).into_iter().map(bare).collect();
        assert!(alone.len() == 2 && alone == together, "{}", entry.name);
    }
}

#[test]
fn every_start_level_plays_without_replans() {
    for level in 0..=19 {
        let batch = Batch { start_level: level, ..batch("maxout-fast", 9_700, Stop::Lines(12)) };
        let game = on_model(&batch, 1).pop().expect("one game");
        assert!(
            game.outcome.result.reached_stop && game.outcome.counts.replans == 0,
            "level {level}: {:?}",
            game.outcome
        );
    }
}

/// With the user's own dump, if there is one.
#[test]
fn the_real_cartridge_plays_the_model_s_game() {
    let Some(path) = std::env::var_os("MAXOUT_ROM") else {
        println!("skipped: MAXOUT_ROM is not set");
        return;
    };
    let image = std::fs::read(path).expect("MAXOUT_ROM is readable");
    let batch = batch("plateau17", 7, Stop::Lines(60));
    let mut console = Console::power_on(&image).expect("the cartridge works");
    let mut games = Vec::new();
    batch::play(&batch, &mut console, &mut |_, _, _| Ok(true), &mut |game| {
        games.push(game);
        Ok(())
    })
    .expect("the console plays");
    let console = games.pop().map(bare).expect("one game");
    let model = on_model(&batch, 1).pop().map(bare).expect("one game");
    assert!(model == console);
}

#[test]
#[ignore = "plays for ten CPU seconds; .ci/run has it"]
fn both_hosts_play_the_same_games_on_pal() {
    // Slow and fast levels, menus with and without waiting, and Down before and after the first piece falls by itself.
    for (seed, start_level, lines) in [(0, 19, 3), (77, 18, 4), (9_487, 9, 1)] {
        let batch =
            Batch { fall_rule: FallRule::Pal, start_level, ..batch("maxout", seed, Stop::Lines(lines)) };
        both_play(&batch);
    }
}

#[test]
fn taps_keep_their_presses_a_second_on_pal() {
    let player = find("maxout-fast").expect("it is there").clone();
    let player = player.with_limits(Limits::taps(TapTable::HZ_15)).expect("it takes limits");
    let batch = Batch {
        first_seed: 50_000,
        start_level: 12,
        stop: Stop::Lines(20),
        fall_rule: FallRule::Pal,
        ..Batch::new(player, 1)
    };
    let game = on_model(&batch, 1).pop().expect("one game");
    let sideways = Buttons::LEFT | Buttons::RIGHT;
    let new = |pair: &[Buttons]| pair[1] & !pair[0];
    let frames: Vec<usize> = (1..)
        .zip(game.outcome.log.frames().windows(2))
        .filter(|(_, pair)| new(pair).intersects(sideways | Buttons::A | Buttons::B))
        .map(|(frame, _)| frame)
        .collect();
    // 15 presses are 50 frames: three of them are ten.
    assert!(frames.windows(4).all(|presses| presses[3] - presses[0] >= 10));
    assert!(frames.windows(4).any(|presses| presses[3] - presses[0] == 10), "as fast as it may");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn both_hosts_play_the_same_game_on_pal_with_held_directions() {
    let player = find("maxout").expect("it is there").clone();
    let das = Limits::new("das".parse().expect("held directions"));
    let player = player.with_limits(das).expect("it takes limits");
    let batch = Batch {
        first_seed: 5,
        start_level: 15,
        stop: Stop::Lines(2),
        fall_rule: FallRule::Pal,
        ..Batch::new(player, 1)
    };
    both_play(&batch);
}
