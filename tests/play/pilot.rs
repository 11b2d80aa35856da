//! Plans on the rules, and the pilot when the machine does not do what it was told.

use maxout_engine::Position;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Reach, Start};
use maxout_engine::player::{Mind, Plan};
use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_host::session;
use maxout_host::{Host, HostError, Model};
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use maxout_rules::random::Dice;
use maxout_rules::{Board, Game, Page, Piece, PlayState, Progress, Seed, Stop};

fn mind(name: &str, stop: Stop) -> Mind {
    find(name).expect("registered").make(Foresight::DEFAULT, stop)
}

/// Every plan, with the soft drop, ends on the promised board when a game of the rules executes it.
#[test]
fn plans_with_the_soft_drop_lock_where_they_promise() {
    let mut dice = Dice::new(99);
    let (mut plans, mut dropped) = (0, 0);
    for _ in 0..60 {
        let mut rows = [0; 22];
        let height = 2 + dice.roll(12) as usize;
        for row in &mut rows[22 - height..] {
            *row = (dice.roll(1024) | dice.roll(1024)) as u16;
        }
        let board = Board::from_rows(rows);
        for piece in Piece::ALL {
            for level in [0, 5, 18, 19, 29] {
                let start = Start::spawn(piece, level);
                let seen = Position { board, start, next: Some(Piece::T), progress: Progress::at(0, level) };
                let reach = Reach::new(&board, &start, Limits::EACH_BUTTON).expect("a piece");
                for placement in reach.placements() {
                    let path = reach.path(placement).expect("a path");
                    let plan = Plan::along(&seen, placement, &path, true).expect("a plan");
                    let mut promised = board;
                    promised.lock(placement.x, placement.y, placement.orientation);
                    let mut game: Game = Seed::new(50_000).start(level);
                    game.page = Page::from_rows(board.rows());
                    (game.id, game.autorepeat_y) = (piece.into(), 0);
                    for &buttons in &plan.buttons {
                        game.step(buttons);
                    }
                    while !matches!(game.play_state, PlayState::Control | PlayState::Curtain) {
                        game.step(Buttons::NONE);
                    }
                    assert_eq!(
                        Board::from(&game.page),
                        promised,
                        "{piece} level {level} {placement:?}{board:?}"
                    );
                    plans += 1;
                    dropped += u32::from(plan.buttons.contains(&Buttons::DOWN));
                }
            }
        }
    }
    assert!(plans > 20_000, "{plans} plans");
    // The rest is at level 29, or locks too soon after its last press.
    assert!(dropped > plans / 2, "{dropped} of {plans} plans drop softly");
}

/// A controller cable that loses presses.
struct LoosePlug {
    model: Model,
    frame: u64,
}

impl Host for LoosePlug {
    fn step(&mut self, buttons: Buttons) -> Result<(), HostError> {
        self.frame += 1;
        let lost = self.frame.is_multiple_of(97);
        self.model.step(if lost { Buttons::NONE } else { buttons })
    }

    fn snapshot(&self) -> Snapshot {
        self.model.snapshot()
    }
}

#[test]
fn a_run_whose_machine_lost_presses_replans_says_so_and_goes_on() {
    let seed = Seed::new(50_003);
    let mut host = LoosePlug { model: Model::new(seed.start(18)), frame: 0 };
    let mut player = mind("plateau17", Stop::Level29);
    let outcome = session::play(&mut host, &mut player, seed.opening(), Stop::Lines(30), &mut |_, _, _| true)
        .expect("the game ends");
    assert!(outcome.counts.replans > 10, "{:?}", outcome.counts);
    assert!(outcome.result.reached_stop || outcome.result.topped_out);
    assert_eq!(
        u64::from(outcome.result.shown_score),
        outcome.result.score,
        "what was counted is what the game shows"
    );
}

/// A machine that stands still.
struct Frozen(Model);

impl Host for Frozen {
    fn step(&mut self, _: Buttons) -> Result<(), HostError> {
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        self.0.snapshot()
    }
}

#[test]
fn a_machine_that_stands_still_ends_the_run_with_the_reason() {
    let seed = Seed::new(50_003);
    let mut host = Frozen(Model::new(seed.start(19)));
    let mut player = mind("plateau17", Stop::Level29);
    let error = session::play(&mut host, &mut player, seed.opening(), Stop::Level29, &mut |_, _, _| true)
        .expect_err("nothing moves");
    assert!(error.to_string().contains("no piece locked for"), "{error}");
}

/// A player that holds directions presses no faster than its limits say, keeps the counter of the auto-shift full, and begins some pieces with a
/// direction that it has held since the entry delay.
#[test]
fn held_directions_are_pressed_within_the_limits_and_held_from_piece_to_piece() {
    let entry = find("maxout-fast").expect("registered");
    let limits = Limits::new("das".parse().expect("presses"));
    let stop = Stop::Lines(30);
    let mut mind = entry.with_limits(limits).expect("it takes them").make(Foresight::DEFAULT, stop);
    let seed = Seed::new(50_003);
    let mut host = Model::new(seed.start(18));
    let fingers = Buttons::LEFT | Buttons::RIGHT | Buttons::A | Buttons::B;
    let mut before = host.snapshot();
    let (mut frame, mut last_press): (u32, Option<u32>) = (0, None);
    let (mut pieces, mut held_over, mut repeats, mut charged) = (0, 0, 0, 0);
    session::play(&mut host, &mut mind, seed.opening(), stop, &mut |_, now, buttons| {
        frame += 1;
        let in_delay = !before.in_control();
        if in_delay && now.in_control() {
            pieces += 1;
            held_over += u32::from(buttons.intersects(Buttons::LEFT | Buttons::RIGHT));
            charged += u32::from(now.autorepeat_x >= Start::CHARGED);
            last_press = None;
        } else if !in_delay {
            if (buttons & !before.held).intersects(fingers) {
                assert!(last_press.is_none_or(|last| frame - last >= 10), "frame {frame}");
                last_press = Some(frame);
            } else {
                repeats += u32::from(now.x != before.x);
            }
        }
        before = *now;
        true
    })
    .expect("the game ends");
    assert!(
        pieces > 70 && held_over > 5 && charged > pieces / 2 && repeats > pieces,
        "{pieces} {held_over} {charged} {repeats}"
    );
}
