//! Placements with their lock frames against the slow, obvious twin: every pad of every frame, played on the rules.

use std::collections::{BTreeSet, HashSet};

use crate::grids::{Dice, columns};
use maxout_engine::movegen::{Flight, Landing, Timed};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Game, Page, Piece, Placement, PlayState, Seed};

/// Columns of all heights, some with overhangs.
fn board(dice: &mut Dice) -> Board {
    let height = 4 + dice.roll(13) as usize;
    columns(dice, height, 5, 9)
}

fn game(board: &Board, flight: &Flight) -> Game {
    let start = &flight.start;
    let mut game = Seed::new(50_000).start(start.level);
    game.page = Page::from_rows(board.rows());
    (game.x, game.y, game.id) = (start.x, start.y, start.orientation.into());
    (game.fall_timer, game.autorepeat_y) = (start.fall_timer, flight.start.autorepeat_y);
    game.hold_down_points = flight.hold_down_points;
    (game.held, game.vram_row) = (start.held, 0x20);
    game
}

/// Every (placement, frame, soft-drop rows) that any pad reaches, with or without directions held for longer.
fn naive(board: &Board, flight: &Flight, repeats: bool) -> BTreeSet<Landing> {
    let sideways = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT, Buttons::DOWN];
    let turns = [Buttons::NONE, Buttons::A, Buttons::B, Buttons::A | Buttons::B];
    let mut found = BTreeSet::new();
    let mut layer = vec![game(board, flight)];
    for frame in 1.. {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for before in &layer {
            for direction in sideways {
                let held_on = before.held.intersects(direction & (Buttons::LEFT | Buttons::RIGHT));
                if held_on && !repeats {
                    continue;
                }
                for turn in turns {
                    let mut after = *before;
                    after.step(direction | turn);
                    if after.play_state == PlayState::Lock {
                        if after.is_valid(after.x, after.y, after.id) {
                            let placement = after.placement().expect("a piece");
                            found.insert(Landing { placement, frame, hold: after.hold_down_points });
                        }
                        continue;
                    }
                    let charge = if repeats { after.autorepeat_x } else { 0 };
                    let timers = (after.fall_timer, after.autorepeat_y, after.hold_down_points, charge);
                    if seen.insert((after.x, after.y, after.id.0, after.held.0, timers)) {
                        next.push(after);
                    }
                }
            }
        }
        if next.is_empty() {
            return found;
        }
        layer = next;
    }
    unreachable!()
}

/// Plays the buttons of each landing on the rules, and compares all of them with the twin's. Returns how many.
fn compare(board: &Board, flight: &Flight, repeats: bool) -> usize {
    let mut timed = Timed::new();
    let mut got = Vec::new();
    timed.all_landings(board, flight, &mut got);
    let want = naive(board, flight, repeats);
    let got: BTreeSet<Landing> = got.into_iter().collect();
    let missing: Vec<_> = want.difference(&got).collect();
    let extra: Vec<_> = got.difference(&want).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{flight:?} missing {missing:?} extra {extra:?}{board:?}"
    );
    for &landing in &got {
        let buttons = timed.buttons(board, flight, landing).expect("listed landings have buttons");
        assert_eq!(buttons.len(), usize::from(landing.frame));
        let mut game = game(board, flight);
        for &now in &buttons {
            assert_eq!(game.play_state, PlayState::Control, "{landing:?} {buttons:?}{board:?}");
            game.step(now);
        }
        let placement = game.placement().expect("a piece");
        assert_eq!(game.play_state, PlayState::Lock, "{landing:?} {buttons:?}{board:?}");
        assert_eq!((placement, game.hold_down_points), (landing.placement, landing.hold), "{buttons:?}");
    }
    let prefer = std::array::from_fn(|hold| hold as i32);
    let mut listed = Vec::new();
    timed.landings(board, flight, &prefer, &mut listed);
    let pairs: BTreeSet<(Placement, u16)> = got.iter().map(|l| (l.placement, l.frame)).collect();
    assert_eq!(listed.len(), pairs.len(), "each pair is listed once");
    for l in &listed {
        let most =
            got.iter().filter(|g| (g.placement, g.frame) == (l.placement, l.frame)).map(|g| g.hold).max();
        assert_eq!(Some(l.hold), most);
    }
    got.len()
}

fn any_flight(dice: &mut Dice, level: u8) -> Flight {
    let piece = Piece::ALL[dice.roll(7) as usize];
    let mut flight = Flight::spawn(piece, level);
    if dice.roll(2) == 0 {
        let turn = dice.roll(u32::from(piece.orientations())) as u8;
        flight.start.orientation = piece.turned(turn);
        flight.start.x = 2 + dice.roll(6) as u8;
        flight.start.y = dice.roll(5) as u8;
        flight.start.fall_timer = dice.roll(u32::from(maxout_rules::gravity(level))) as u8;
        flight.start.held = Buttons([0x00, 0x01, 0x02, 0x80, 0x40, 0x81, 0x42, 0x04][dice.roll(8) as usize]);
        if flight.start.held == Buttons::DOWN {
            flight.start.autorepeat_y = dice.roll(3) as u8;
            if flight.start.autorepeat_y > 0 && dice.roll(2) == 0 {
                flight.hold_down_points = 1 + dice.roll(3) as u8;
                let odd = level < 29 && flight.start.autorepeat_y == 2;
                flight.start.fall_timer = u8::from(odd);
            }
        }
    }
    flight
}

#[test]
fn agrees_with_the_naive_twin_at_levels_18_19_and_29() {
    let mut dice = Dice::new(11);
    let mut landings = 0;
    for _ in 0..4 {
        for level in [18, 19, 29] {
            let (board, flight) = (board(&mut dice), any_flight(&mut dice, level));
            landings += compare(&board, &flight, false);
        }
    }
    assert!(landings > 500, "{landings}");
}

/// Minutes: `cargo test --release -p maxout-engine --test twins -- --ignored`.
#[test]
#[ignore = "slow: every pad, with directions held, on 60 states"]
fn agrees_with_the_naive_twin_when_directions_are_held() {
    let mut dice = Dice::new(12);
    let mut landings = 0;
    for i in 0..60 {
        let level = [19, 29, 18, 19][i % 4];
        let (board, flight) = (board(&mut dice), any_flight(&mut dice, level));
        landings += compare(&board, &flight, level != 18);
    }
    println!("{landings} landings");
}
