//! Placements by held directions, against a search that plays every input on the rules, the game's auto-shift included.

use std::collections::{BTreeMap, BTreeSet};

use crate::grids::Dice;
use crate::movegen_twin::{board, game};
use maxout_engine::limits::{Das, Limits, Presses};
use maxout_engine::movegen::{Path, Reach, Start, Then, placements};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, DAS_FULL, FallRule, Game, Piece, Placement, PlayState, Region};

const REGIONS: [Region; 2] = [Region::Ntsc, Region::Pal];
const DIRECTIONS: [Buttons; 3] = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];

/// A frame of the search: the game, and the frames since the last press, up to those between presses.
#[derive(Clone)]
struct State {
    game: Game,
    since: u8,
}

impl State {
    fn key(&self) -> (u8, u8, u8, u8, u8, u8) {
        let Game { x, y, id, held, autorepeat_x, .. } = self.game;
        (x, y, id.0, (held & (Buttons::LEFT | Buttons::RIGHT)).0, autorepeat_x.min(DAS_FULL), self.since)
    }

    /// What every allowed input leads to, with the buttons.
    fn next(&self, das: Das) -> Vec<(Self, Buttons)> {
        let mut all = Vec::new();
        for direction in DIRECTIONS {
            for turn in [Buttons::NONE, Buttons::A, Buttons::B] {
                if !turn.is_empty() && self.game.held.contains(turn) {
                    continue;
                }
                let buttons = direction | turn;
                let presses = !(buttons & !self.game.held).is_empty();
                if presses && self.since < das.frames() {
                    continue;
                }
                let mut game = self.game;
                game.step(buttons);
                let since = if presses { 1 } else { das.frames().min(self.since + 1) };
                all.push((Self { game, since }, buttons));
            }
        }
        all
    }
}

/// The counter in the terms of [`Start::das`], with 16 read as 15.
fn charge(game: &Game) -> u8 {
    (game.autorepeat_x + DAS_FULL - game.fall_rule.region().das_full()).min(DAS_FULL - 1)
}

/// The state in which the piece begins, for each direction that may be held then.
fn first(board: &Board, start: &Start, das: Das) -> Vec<State> {
    let turned = start.held.intersects(Buttons::A | Buttons::B);
    let since = if turned { 1 } else { das.frames().min(start.pressed.trailing_zeros() as u8 + 1) };
    let held = if start.entering { DIRECTIONS.to_vec() } else { vec![start.held] };
    held.into_iter().map(|held| State { game: game(board, &Start { held, ..*start }), since }).collect()
}

/// For each placement, the frame of its earliest possible last press, and how full the counter can be at the lock: 15 shifts the next
/// piece in its first frame, as 16 does.
fn naive(board: &Board, start: &Start, das: Das) -> BTreeMap<Placement, (u32, u8)> {
    let mut layer: BTreeMap<_, (State, u32)> =
        first(board, start, das).into_iter().map(|state| (state.key(), (state, 0))).collect();
    let mut found: BTreeMap<Placement, (u32, u8)> = BTreeMap::new();
    for frame in 1.. {
        let mut next: BTreeMap<_, (State, u32)> = BTreeMap::new();
        for (before, last) in layer.values() {
            for (after, buttons) in before.next(das) {
                let last = if buttons.is_empty() { *last } else { frame };
                let Game { x, y, id, .. } = after.game;
                if after.game.play_state == PlayState::Lock {
                    if after.game.is_valid(x, y, id) {
                        let charge = charge(&after.game);
                        let placement = after.game.placement().expect("a piece");
                        let best = found.entry(placement).or_insert((last, charge));
                        *best = (best.0.min(last), best.1.max(charge));
                    }
                    continue;
                }
                next.entry(after.key()).and_modify(|old| old.1 = old.1.min(last)).or_insert((after, last));
            }
        }
        if next.is_empty() {
            return found;
        }
        layer = next;
    }
    unreachable!()
}

/// Plays a path until the piece locks, checks that every press is allowed, and returns where it locks and how full the counter is then.
fn play(first: &State, path: &Path, das: Das) -> Option<(Placement, u8)> {
    let mut state = first.clone();
    for frame in 0..path.frames {
        // From another hold the piece may be where it locks sooner.
        if state.game.play_state != PlayState::Control {
            return None;
        }
        let wanted = path.inputs.get(frame as usize).copied().unwrap_or_default();
        state = state.next(das).into_iter().find(|(_, buttons)| *buttons == wanted)?.0;
    }
    (state.game.play_state == PlayState::Lock)
        .then(|| (state.game.placement().expect("a piece"), charge(&state.game)))
}

fn compare(board: &Board, start: &Start, das: Das) {
    let limits = Limits::new(Presses::Das(das));
    let want = naive(board, start, das);
    let mut listed = Vec::new();
    placements(board, start, limits, &mut listed);
    let reach = Reach::new(board, start, limits).expect("a piece is in the air");
    assert_eq!(reach.placements(), listed);
    let unique: BTreeSet<Placement> = listed.iter().copied().collect();
    assert_eq!(unique.len(), listed.len(), "a placement is listed twice");
    assert_eq!(unique, want.keys().copied().collect::<BTreeSet<_>>(), "{start:?} {limits}{board:?}");
    for (placement, (earliest, charge)) in want {
        let path = reach.path(placement).expect("listed placements have a path");
        assert_eq!(path.inputs.len() as u32, earliest, "{start:?} {placement:?} {:?}{board:?}", path.inputs);
        let ends: Vec<_> =
            first(board, start, das).iter().filter_map(|first| play(first, &path, das)).collect();
        assert!(ends.iter().any(|end| end.0 == placement), "{start:?} {placement:?} {path:?}{board:?}");
        let path = reach.charging_path(placement).expect("it has the other path, too");
        let ends: Vec<_> =
            first(board, start, das).iter().filter_map(|first| play(first, &path, das)).collect();
        assert!(ends.contains(&(placement, charge)), "{start:?} {placement:?} {path:?} {ends:?}{board:?}");
    }
}

fn some_piece(dice: &mut Dice) -> Piece {
    Piece::ALL[dice.below(7)]
}

#[test]
fn a_full_counter_that_the_first_frames_can_leave_is_among_what_they_lead_to() {
    let mut dice = Dice::new(64);
    let (mut charged, mut all) = (0, 0);
    for round in 0..40 {
        let board = board(&mut dice);
        let das = Das::new([10, 6, 2, 16, 5][round % 5]).expect("frames");
        let limits = Limits::new(Presses::Das(das));
        let spawn = Start::spawn(some_piece(&mut dice), [18, 19, 29][dice.below(3)]);
        let start = Start { das: dice.roll(18) as u8, entering: dice.coin(), ..spawn };
        let frames = 1 + dice.roll(20);
        let mut states: BTreeMap<_, State> =
            first(&board, &start, das).into_iter().map(|state| (state.key(), state)).collect();
        for _ in 0..frames {
            let next = states.values().flat_map(|state| state.next(das)).map(|(state, _)| state);
            let falls = next.filter(|state| state.game.play_state == PlayState::Control);
            states = falls.map(|state| (state.key(), state)).collect();
        }
        let reach = Reach::new(&board, &start, limits).expect("a piece");
        let hovers = reach.hovers(frames);
        for State { game, since } in states.into_values() {
            if game.held.intersects(Buttons::LEFT | Buttons::RIGHT) {
                continue;
            }
            let as_good = hovers.iter().any(|hover| match hover.then {
                Then::Falls(then) => {
                    let rested = das.frames().min(then.pressed.trailing_zeros() as u8 + 1);
                    (then.x, then.y, then.orientation.into()) == (game.x, game.y, game.id)
                        && !then.held.intersects(Buttons::LEFT | Buttons::RIGHT)
                        && rested >= since
                        && (then.das >= Start::CHARGED || game.autorepeat_x < Start::CHARGED)
                }
                Then::Locked(_) => false,
            });
            assert!(as_good, "{start:?} {limits} {frames} {game:?}{board:?}");
            charged += u32::from(game.autorepeat_x >= Start::CHARGED);
            all += 1;
        }
    }
    assert!(charged > 100 && charged < all, "{charged} of {all}");
}

#[test]
fn opposite_directions_that_are_held_at_the_start_lead_nowhere_that_is_impossible() {
    let mut dice = Dice::new(65);
    for _ in 0..20 {
        let board = board(&mut dice);
        let both = Buttons::LEFT | Buttons::RIGHT;
        let start = Start { held: both, entering: false, ..Start::spawn(some_piece(&mut dice), 19) };
        let limits = Limits::new(Presses::Das(Das::ALONE));
        let possible = naive(&board, &start, Das::ALONE);
        let mut listed = Vec::new();
        placements(&board, &start, limits, &mut listed);
        assert!(listed.iter().all(|placement| possible.contains_key(placement)), "{start:?}{board:?}");
    }
}

#[test]
fn agrees_with_the_naive_twin_from_the_entry_delay_on() {
    let mut dice = Dice::new(61);
    for round in 0..40 {
        let board = board(&mut dice);
        let das = Das::new([10, 6, 2, 16, 5][round % 5]).expect("frames");
        let level = [19, 29, 18, 39][round % 4];
        let start =
            Start::spawn(some_piece(&mut dice), level).by(FallRule::with_double_killscreen(level == 39));
        let charged = dice.roll(18) as u8;
        for region in REGIONS {
            let start = start.by(region.into());
            compare(&board, &start, das);
            compare(&board, &Start { das: charged.max(Start::das_of(region, 0)), ..start }, das);
        }
    }
}

#[test]
fn agrees_with_the_naive_twin_from_any_point_of_a_fall() {
    let mut dice = Dice::new(62);
    for round in 0..60 {
        let board = board(&mut dice);
        let das = Das::new([10, 3, 16, 7][round % 4]).expect("frames");
        let piece = some_piece(&mut dice);
        let start = Start {
            x: dice.roll(10) as u8,
            y: dice.roll(14) as u8,
            fall_timer: dice.roll(3) as u8,
            held: Buttons([0x00, 0x01, 0x02, 0x81, 0x42, 0x40, 0x04][dice.below(7)]),
            pressed: [0, 1, 1 << 4, 1 << 9, 0b1001][dice.below(5)],
            das: dice.roll(18) as u8,
            entering: false,
            ..Start::spawn(piece, [18, 19, 29][dice.below(3)])
        };
        for region in REGIONS {
            let das_there = start.das.max(Start::das_of(region, 0));
            compare(&board, &Start { das: das_there, ..start.by(region.into()) }, das);
        }
    }
}

#[test]
fn what_can_be_reached_by_way_of_the_first_frames_is_what_can_be_reached() {
    let mut dice = Dice::new(63);
    for round in 0..100 {
        let board = board(&mut dice);
        let das = Das::new([10, 6, 2, 16, 5][round % 5]).expect("frames");
        let limits = Limits::new(Presses::Das(das));
        let spawn = Start::spawn(some_piece(&mut dice), [18, 19, 29][dice.below(3)]);
        let entering = dice.coin();
        let region = REGIONS[round / 2 % 2];
        let charged = (dice.roll(18) as u8).max(Start::das_of(region, 0));
        let start = Start { das: charged, held: Buttons::NONE, entering, ..spawn.by(region.into()) };
        let mut direct = Vec::new();
        placements(&board, &start, limits, &mut direct);
        let reach = Reach::new(&board, &start, limits).expect("a piece");
        let frames = [0, dice.roll(40)][round % 2];
        let (mut found, mut some) = (BTreeSet::new(), Vec::new());
        for hover in reach.hovers(frames) {
            let held = reach.held_before(&hover);
            let mut machine = game(&board, &Start { held, ..start });
            match hover.then {
                Then::Locked(placement) => {
                    found.insert(placement);
                    let path = reach.charging_path(placement).expect("a path");
                    let state = State { game: machine, since: das.frames() };
                    assert_eq!(play(&state, &path, das).map(|end| end.0), Some(placement));
                }
                Then::Falls(then) => {
                    let inputs = reach.inputs_of(&hover);
                    assert_eq!(inputs.len() as u32, frames);
                    for &buttons in &inputs {
                        machine.step(buttons);
                    }
                    let at = (machine.x, machine.y, machine.id, machine.fall_timer);
                    assert_eq!(
                        at,
                        (then.x, then.y, then.orientation.into(), then.fall_timer),
                        "{start:?} {inputs:?}{board:?}"
                    );
                    let counter = Start::das_of(region, machine.autorepeat_x);
                    assert_eq!(counter.min(DAS_FULL), then.das.min(DAS_FULL));
                    let held = inputs.last().copied().unwrap_or(held);
                    placements(&board, &Start { held, ..then }, limits, &mut some);
                    found.extend(some.iter().copied());
                }
            }
        }
        let direct: BTreeSet<_> = direct.into_iter().collect();
        assert_eq!(found, direct, "{start:?} {limits}, {frames} frames{board:?}");
    }
}
