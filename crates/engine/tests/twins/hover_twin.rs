//! Where a piece can be after its first frames, against a search that plays these frames on the rules.

use std::collections::BTreeSet;

use crate::grids::Dice;
use crate::movegen_twin::{board, game, may_press};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Reach, Start, Then, placements};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, FallRule, Game, Piece, Placement, PlayState};

/// Frames in which every state is searched: few enough for a twin that forgets nothing.
const MOST_FRAMES: u32 = 14;

/// Where the piece is after `frames` frames, or where it locked before, by every allowed input.
fn naive(board: &Board, start: &Start, taps: &str, frames: u32) -> BTreeSet<(bool, u8, u8, u8)> {
    let mut found = BTreeSet::new();
    let mut states: Vec<(Game, Vec<i32>)> = vec![(game(board, start), vec![])];
    for frame in 0..frames as i32 {
        let mut next = Vec::new();
        let mut seen = BTreeSet::new();
        for (before, presses) in states {
            for shift in [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT] {
                for turn in [Buttons::NONE, Buttons::A, Buttons::B] {
                    let buttons = shift | turn;
                    if !buttons.is_empty() && !may_press(taps, &presses, frame) {
                        continue;
                    }
                    let mut presses = presses.clone();
                    if !buttons.is_empty() {
                        presses.push(frame);
                    }
                    let mut after = before;
                    after.step(buttons);
                    if after.play_state == PlayState::Lock {
                        // Where nothing is free the game is over, and nothing has locked.
                        if after.is_valid(after.x, after.y, after.id) {
                            found.insert((true, after.x, after.y, after.id.0));
                        }
                    } else if seen.insert((after.x, after.y, after.id.0, presses.clone())) {
                        next.push((after, presses));
                    }
                }
            }
        }
        states = next;
    }
    found.extend(states.iter().map(|(game, _)| (false, game.x, game.y, game.id.0)));
    found
}

/// Taps that people use, and others.
const TAPS: [&str; 8] = [
    "0,2,4",
    "0,2,5,7,10,12,15,17,20,22",
    "0,3,6",
    "0,4,8",
    "0,5,10",
    "0,6,12",
    "0,2,4,6,18,20,22,24,36,38",
    "X..X.",
];

fn some_start(dice: &mut Dice) -> (Board, Start) {
    let board = board(dice);
    let (level, double_killscreen) = [(18, false), (19, false), (29, true), (39, true)][dice.below(4)];
    let start = Start::spawn(Piece::ALL[dice.below(7)], level)
        .by(FallRule::with_double_killscreen(double_killscreen));
    (board, Start { y: dice.below(4) as u8, ..start })
}

#[test]
fn the_piece_can_be_wherever_the_twin_brings_it() {
    let mut dice = Dice::new(31);
    for round in 0..160 {
        let (board, start) = some_start(&mut dice);
        let taps = TAPS[round % TAPS.len()];
        let frames = dice.roll(MOST_FRAMES + 1);
        let limits = Limits::taps(taps.parse().expect("taps"));
        let reach = Reach::new(&board, &start, limits).expect("a piece");
        let place = |then: &Then| match then {
            Then::Locked(Placement { x, y, orientation: id }) => (true, *x, *y, id.id()),
            Then::Falls(Start { x, y, orientation: id, .. }) => (false, *x, *y, id.id()),
        };
        let found: BTreeSet<_> = reach.hovers(frames).iter().map(|hover| place(&hover.then)).collect();
        assert_eq!(found, naive(&board, &start, taps, frames), "{start:?} {limits} {frames}{board:?}");
    }
}

#[test]
fn what_can_be_reached_by_way_of_the_first_frames_is_what_can_be_reached() {
    let mut dice = Dice::new(22);
    for round in 0..800 {
        let (board, mut start) = some_start(&mut dice);
        if round % 10 == 9 {
            // Where a row has more frames than the one in which it may have a press.
            start.level = 9;
        }
        let limits = match round % 10 {
            8 => Limits::EACH_BUTTON,
            9 => Limits::ONE_PER_ROW,
            taps => Limits::taps(TAPS[taps].parse().expect("taps")),
        };
        let frames = dice.roll(60);
        let mut direct = Vec::new();
        placements(&board, &start, limits, &mut direct);
        let reach = Reach::new(&board, &start, limits).expect("a piece");
        let (mut found, mut some) = (BTreeSet::new(), Vec::new());
        for hover in reach.hovers(frames) {
            match hover.then {
                Then::Locked(placement) => _ = found.insert(placement),
                Then::Falls(then) => {
                    let mut machine = game(&board, &start);
                    let inputs = reach.inputs_of(&hover);
                    assert_eq!(inputs.len() as u32, frames);
                    for &buttons in &inputs {
                        machine.step(buttons);
                    }
                    let held = inputs.last().copied().unwrap_or_default();
                    assert_eq!(
                        (machine.x, machine.y, machine.id, machine.fall_timer, machine.held),
                        (then.x, then.y, then.orientation.into(), then.fall_timer, held),
                        "{start:?} {limits} {frames} {inputs:?}{board:?}"
                    );
                    placements(&board, &then, limits, &mut some);
                    found.extend(some.iter().copied());
                }
            }
        }
        let direct: BTreeSet<_> = direct.into_iter().collect();
        assert_eq!(found, direct, "{start:?} {limits}, {frames} frames{board:?}");
    }
}
