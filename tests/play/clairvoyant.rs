//! Play that knows the generator: what is foretold happens, the plateau is perfect, and trouble ends well.

use std::sync::atomic::AtomicBool;

use maxout_engine::movegen::{Flight, Timed};
use maxout_engine::player::find;
use maxout_engine::search::Foresight;
use maxout_engine::search::clairvoyant::{Beam, State};
use maxout_host::batch::{self, Batch, Finished};
use maxout_record::result::GameResult;
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Game, Page, PlayState, Progress, Seed, Stop};

fn batch(seed: u64, stop: Stop) -> Batch {
    let player = find("clairvoyant").expect("registered");
    Batch { first_seed: seed, stop, ..Batch::new(player.clone(), 1) }
}

fn sim(batch: &Batch) -> Vec<Finished> {
    let mut games = Vec::new();
    batch::sim(batch, 1, &AtomicBool::new(false), &mut |mut game| {
        game.outcome.thinking = std::time::Duration::ZERO;
        game.outcome.wall = std::time::Duration::ZERO;
        games.push(game);
        Ok(())
    })
    .expect("the model plays");
    games
}

/// The game at a spawn as the search sees it.
fn state_of(game: &Game, cents: u8) -> State {
    State {
        board: Board::from(&game.page),
        current: game.id.piece().expect("a piece"),
        next: game.next.piece().expect("a piece"),
        generator: game.generator,
        frame_counter: game.frame_counter,
        progress: game.progress,
        cents,
    }
}

/// Every first move of a very broad beam, executed on the rules, leads to exactly the state that was foretold.
#[test]
fn every_option_leads_to_the_state_that_is_foretold() {
    let mut checked = 0;
    for (level, lines) in [(19, 0), (28, 228), (29, 230), (18, 126), (8, 88), (0, 9), (60, 600)] {
        let mut game: Game = Seed::new(50_000 + u64::from(level)).start(level);
        let mut rows = [0; 22];
        rows[17..].copy_from_slice(&[0x0F8, 0x1FF, 0x1FF, 0x1FF, 0x1FF]);
        game.page = Page::from_rows(&rows);
        game.progress = Progress::at(lines, level);
        (game.autorepeat_y, game.vram_row) = (0, 0x20);
        for _ in 0..3 {
            let root = state_of(&game, (game.full_score.value() % 100) as u8);
            let flight = Flight::spawn(root.current, root.progress.level);
            let mut beam =
                Beam::new(Foresight { width: 5_000, horizon: 1, ..Foresight::DEFAULT }, Stop::Lines(3_300));
            beam.restart(root, flight);
            beam.extend();
            let choices = beam.choices();
            let mut timed = Timed::new();
            let mut first = None;
            for choice in &choices {
                let mut after = game;
                for now in timed.buttons(&root.board, &flight, choice.landing).expect("a listed landing") {
                    after.step(now);
                }
                assert_eq!(after.play_state, PlayState::Lock);
                while after.play_state != PlayState::Control {
                    assert!(!after.is_over());
                    after.step(Buttons::NONE);
                }
                let got = state_of(&after, (after.full_score.value() % 100) as u8);
                assert_eq!(got, choice.then, "level {level} {:?}", choice.landing);
                first.get_or_insert(after);
                checked += 1;
            }
            game = first.expect("a move");
        }
    }
    assert!(checked > 1_500, "{checked}");
}

#[test]
fn the_plateau_is_58_tetrises_and_one_single() {
    let game = sim(&batch(20, Stop::Level29)).pop().expect("one game").outcome;
    let GameResult { score, line_points, crashed, .. } = game.result;
    assert_eq!(game.result.clears(), [1, 0, 0, 58], "{score} points");
    assert!(line_points >= 1_542_800 && score >= 1_548_500, "{score} points");
    assert_eq!((game.counts.replans, game.counts.gave_up, crashed), (0, 0, false));
}

/// Without a second, broader look one beam in ten of this width tops out on the plateau.
#[test]
fn a_narrow_beam_survives_by_looking_broader_when_all_its_plans_top_out() {
    let narrow = Foresight { width: 5, ..Foresight::DEFAULT };
    let batch = Batch { foresight: narrow, games: 8, ..batch(0, Stop::Level29) };
    for game in sim(&batch) {
        assert!(game.outcome.result.reached_stop, "seed {}: {} lines", game.seed, game.outcome.result.lines);
    }
}

#[test]
fn equal_widths_play_equal_games() {
    let narrow = Foresight { width: 20, horizon: 8, ..Foresight::DEFAULT };
    let batch = Batch { foresight: narrow, ..batch(50_003, Stop::Lines(60)) };
    assert!(sim(&batch) == sim(&batch));
    let wider = Batch { foresight: Foresight { width: 30, ..narrow }, ..batch.clone() };
    assert!(sim(&wider) != sim(&batch));
}

#[test]
fn every_speed_is_played_without_replans() {
    for level in [0, 5, 8, 9, 10, 13, 16, 18, 19] {
        let narrow = Foresight { width: 20, horizon: 10, ..Foresight::DEFAULT };
        let batch = Batch {
            start_level: level,
            foresight: narrow,
            ..batch(9_700 + u64::from(level), Stop::Lines(8))
        };
        let game = sim(&batch).pop().expect("one game").outcome;
        assert!(game.result.reached_stop && game.counts.replans == 0, "level {level}: {:?}", game.counts);
    }
}
