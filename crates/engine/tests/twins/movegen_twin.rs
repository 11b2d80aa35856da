//! The move generator against its slow, obvious twin: a breadth-first search that plays frames of the rules.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::grids::{Dice, bits, columns, gapped};
use maxout_engine::limits::{Limits, Presses, TapTable};
use maxout_engine::movegen::{Reach, Start, placements};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, DAS_FULL, EMPTY, FallRule, Game, Page, Piece, Placement, PlayState, Seed};
use rustc_hash::FxHashMap;

/// Boards of several kinds: with holes and overhangs, low and high, and plain noise.
pub fn board(dice: &mut Dice) -> Board {
    let height = 2 + dice.roll(17) as usize;
    let drawn = match dice.roll(3) {
        0 => bits(dice, height, 1),
        1 => columns(dice, height, 6, 12),
        _ => gapped(dice, height),
    };
    let mut rows = *drawn.rows();
    if dice.roll(8) == 0 {
        rows[1] = (dice.roll(1024) & dice.roll(1024)) as u16;
        rows[0] = rows[1] & dice.roll(1024) as u16;
    }
    Board::from_rows(rows)
}

/// A game in which `start` is the state of the piece in play.
pub fn game(board: &Board, start: &Start) -> Game {
    let mut game = Seed::new(50_000).start(0);
    for row in -2..20 {
        for column in 0..10 {
            let tile = if board.is_solid(row, column) { 0x7B } else { EMPTY };
            assert!(game.page.set_byte(Page::index(row, column), tile));
        }
    }
    (game.x, game.y, game.id) = (start.x, start.y, start.orientation.into());
    game.fall_timer = start.fall_timer;
    game.progress.level = start.level;
    game.autorepeat_y = 0;
    game.held = start.held;
    game.autorepeat_x = start.das.saturating_sub(DAS_FULL - start.fall_rule.region().das_full());
    game.vram_row = 0x20;
    game.fall_rule = start.fall_rule;
    game
}

/// Whether `buttons` may follow `before`: no button twice in a row, no opposites.
fn allowed(rule: Limits, before: Buttons, buttons: Buttons, first_in_row: bool) -> bool {
    if (before & buttons).0 != 0 {
        return false;
    }
    match rule.presses {
        Presses::EachButton => true,
        Presses::OnePerRow => {
            buttons.is_empty() || (buttons.0.is_power_of_two() && before.is_empty() && first_in_row)
        }
        _ => unreachable!("has a twin of its own"),
    }
}

/// For each placement, the frame of its earliest possible last press (0 = nothing pressed, 1 = the first
/// frame), found by playing every allowed input on the rules.
fn naive(board: &Board, start: &Start, rule: Limits) -> BTreeMap<Placement, u32> {
    let sideways = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
    let turns = [Buttons::NONE, Buttons::A, Buttons::B];
    // The layer of states of one frame; with each, the frame of its last press.
    let mut layer: FxHashMap<(u8, u8, u8, u8), (Game, u32)> = FxHashMap::default();
    let first = game(board, start);
    layer.insert((first.x, first.y, first.id.0, first.held.0), (first, 0));
    let mut found: BTreeMap<Placement, u32> = BTreeMap::new();
    for frame in 1.. {
        let mut next: FxHashMap<(u8, u8, u8, u8), (Game, u32)> = FxHashMap::default();
        for (before, last) in layer.values() {
            let first_in_row = before.fall_timer == 0 || frame == 1 && start.pressed == 0;
            for shift in sideways {
                for turn in turns {
                    let buttons = shift | turn;
                    if !allowed(rule, before.held, buttons, first_in_row) {
                        continue;
                    }
                    let mut after = *before;
                    after.step(buttons);
                    let last = if buttons.is_empty() { *last } else { frame };
                    if after.play_state == PlayState::Lock {
                        if after.is_valid(after.x, after.y, after.id) {
                            let placement = after.placement().expect("a piece");
                            let earliest = found.entry(placement).or_insert(last);
                            *earliest = last.min(*earliest);
                        }
                        continue;
                    }
                    let key = (after.x, after.y, after.id.0, buttons.0);
                    next.entry(key).and_modify(|old| old.1 = old.1.min(last)).or_insert((after, last));
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

/// Plays a path on the rules until the piece locks, and returns where.
fn play(board: &Board, start: &Start, inputs: &[Buttons], frames: u32) -> Option<(Placement, Game)> {
    let mut game = game(board, start);
    for frame in 0..frames {
        assert_eq!(game.play_state, PlayState::Control);
        game.step(inputs.get(frame as usize).copied().unwrap_or_default());
    }
    (game.play_state == PlayState::Lock).then(|| (game.placement().expect("a piece"), game))
}

/// Whether a press may begin in frame `frame` of a piece after these, by the definition of `taps`: the frames of a table `t`, where between
/// the first and the last of any `j + 1` presses lie `t[j]` frames or more, or a timeline with an X for each frame in which a press may
/// begin.
pub fn may_press(taps: &str, presses: &[i32], frame: i32) -> bool {
    if taps.starts_with('X') {
        let released = presses.last().is_none_or(|&before| frame - before > 1);
        return released && taps.as_bytes()[frame as usize % taps.len()] == b'X';
    }
    let table: Vec<i32> = taps.split(',').map(|frames| frames.parse().expect("a number")).collect();
    presses.iter().rev().zip(&table[1..]).all(|(&before, &gap)| frame - before >= gap)
}

/// As [`naive`], for taps that [`may_press`] knows.
fn naive_taps(board: &Board, start: &Start, taps: &str) -> BTreeMap<Placement, u32> {
    let sideways = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
    let turns = [Buttons::NONE, Buttons::A, Buttons::B];
    // How long a press counts.
    let span = taps.split(',').next_back().and_then(|last| last.parse().ok()).unwrap_or(2);
    // Frames are counted from the piece's first. A button that is held was pressed in the frame before, at the latest.
    let begin = start.elapsed as i32;
    // Positions, each with the frames of its presses.
    let mut layer: BTreeMap<(u8, u8, u8, Vec<i32>), Game> = BTreeMap::new();
    let first = game(board, start);
    let held = if start.held.is_empty() { vec![] } else { vec![begin - 1] };
    layer.insert((first.x, first.y, first.id.0, held), first);
    let mut found: BTreeMap<Placement, u32> = BTreeMap::new();
    for frame in begin.. {
        let mut next = BTreeMap::new();
        for ((_, _, _, presses), before) in &layer {
            for buttons in sideways.into_iter().flat_map(|shift| turns.map(|turn| shift | turn)) {
                if !buttons.is_empty() && !may_press(taps, presses, frame) {
                    continue;
                }
                let mut presses = presses.clone();
                if !buttons.is_empty() {
                    presses.push(frame);
                }
                let mut after = *before;
                after.step(buttons);
                if after.play_state == PlayState::Lock {
                    if after.is_valid(after.x, after.y, after.id) {
                        let placement = after.placement().expect("a piece");
                        let last = presses.last().map_or(0, |press| (press + 1 - begin) as u32);
                        let earliest = found.entry(placement).or_insert(last);
                        *earliest = last.min(*earliest);
                    }
                    continue;
                }
                next.insert((after.x, after.y, after.id.0, presses), after);
            }
        }
        if next.is_empty() {
            return found;
        }
        // Of equal positions and equal last presses one is enough, whatever was pressed long ago; but not for the frame
        // of the last press, which stays.
        let mut once = BTreeMap::new();
        for ((x, y, id, mut presses), game) in next {
            let old = presses.iter().take_while(|&&press| frame - press >= span).count();
            presses.drain(..old.min(presses.len().saturating_sub(1)));
            once.entry((x, y, id, presses)).or_insert(game);
        }
        layer = once;
    }
    unreachable!()
}

fn compare_taps(board: &Board, start: &Start, taps: &str) {
    let table: TapTable = taps.parse().expect("taps");
    check(board, start, Limits::taps(table), naive_taps(board, start, taps));
}

fn compare(board: &Board, start: &Start, rule: Limits) {
    check(board, start, rule, naive(board, start, rule));
}

fn check(board: &Board, start: &Start, rule: Limits, want: BTreeMap<Placement, u32>) {
    let mut listed = Vec::new();
    placements(board, start, rule, &mut listed);
    let reach = Reach::new(board, start, rule).expect("a piece is in the air");
    assert_eq!(reach.placements(), listed);
    let unique: BTreeSet<Placement> = listed.iter().copied().collect();
    assert_eq!(unique.len(), listed.len(), "a placement is listed twice");
    let missing: Vec<_> = want.keys().filter(|p| !unique.contains(p)).collect();
    let extra: Vec<_> = unique.iter().filter(|p| !want.contains_key(p)).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{start:?} {rule:?} missing {missing:?} extra {extra:?}{board:?}"
    );
    for (placement, earliest) in want {
        let path = reach.path(placement).expect("listed placements have a path");
        assert_eq!(path.inputs.len() as u32, earliest, "{start:?} {placement:?} {:?}{board:?}", path.inputs);
        let (locked, mut game) =
            play(board, start, &path.inputs, path.frames).expect("the path locks in its last frame");
        assert_eq!(locked, placement, "{:?}{board:?}", path.inputs);
        let lines_before = game.progress.lines();
        let mut promised = *board;
        let lines = promised.lock(placement.x, placement.y, placement.orientation);
        while game.play_state != PlayState::Control && !game.is_over() {
            game.step(Buttons::NONE);
        }
        assert_eq!(Board::from(&game.page), promised, "{placement:?}{board:?}");
        assert_eq!(game.progress.lines() - lines_before, u32::from(lines));
    }
}

fn compare_a_thousand_boards(level: u8) {
    let mut dice = Dice::new(1);
    let mut seen = HashSet::new();
    for _ in 0..1000 {
        let board = board(&mut dice);
        seen.insert(board);
        for piece in Piece::ALL {
            compare(&board, &Start::spawn(piece, level), Limits::EACH_BUTTON);
        }
    }
    assert!(seen.len() > 950);
}

#[test]
fn agrees_with_the_naive_twin_on_a_thousand_boards_at_level_18() {
    compare_a_thousand_boards(18);
}

#[test]
fn agrees_with_the_naive_twin_on_a_thousand_boards_at_level_19() {
    compare_a_thousand_boards(19);
}

#[test]
fn agrees_with_the_naive_twin_on_a_thousand_boards_at_level_29() {
    compare_a_thousand_boards(29);
}

#[test]
fn agrees_with_the_naive_twin_under_the_2018_input_limits() {
    let mut dice = Dice::new(2);
    for _ in 0..200 {
        let board = board(&mut dice);
        for piece in Piece::ALL {
            for level in [18, 19, 29] {
                compare(&board, &Start::spawn(piece, level), Limits::ONE_PER_ROW);
            }
        }
    }
}

#[test]
fn a_row_in_which_a_press_was_made_has_no_second_one() {
    let mut dice = Dice::new(9);
    let mut fewer = 0;
    for _ in 0..100 {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        // A row takes 6 frames at level 9 and 3 at level 18.
        for (level, fall_timer) in [(9, 2), (9, 4), (18, 2)] {
            let spawn = Start { y: dice.roll(6) as u8, fall_timer, ..Start::spawn(piece, level) };
            let pressed = Start { pressed: 1 << dice.roll(u32::from(fall_timer)), ..spawn };
            compare(&board, &spawn, Limits::ONE_PER_ROW);
            compare(&board, &pressed, Limits::ONE_PER_ROW);
            // A press in an earlier row is no obstacle.
            let (mut all, mut some, mut free) = (Vec::new(), Vec::new(), Vec::new());
            let earlier = Start { pressed: 1 << fall_timer, ..spawn };
            placements(&board, &spawn, Limits::ONE_PER_ROW, &mut all);
            placements(&board, &pressed, Limits::ONE_PER_ROW, &mut some);
            placements(&board, &earlier, Limits::ONE_PER_ROW, &mut free);
            assert_eq!(free, all);
            fewer += u32::from(some.len() < all.len());
        }
    }
    assert!(fewer > 50, "{fewer}");
}

#[test]
fn agrees_with_the_naive_twin_from_any_point_of_a_fall_at_any_speed() {
    let mut dice = Dice::new(3);
    for _ in 0..300 {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        let held = [0x00, 0x01, 0x02, 0x80, 0x40, 0x81, 0x42, 0x04][dice.roll(8) as usize];
        let start = Start {
            x: dice.roll(10) as u8,
            y: dice.roll(16) as u8,
            orientation: piece.turned(dice.roll(u32::from(piece.orientations())) as u8),
            fall_timer: dice.roll(60) as u8,
            level: [5, 8, 10, 15, 18, 19, 29, 40][dice.roll(8) as usize],
            held: Buttons(held),
            pressed: 0,
            elapsed: 0,
            autorepeat_y: 0,
            das: 0,
            entering: false,
            fall_rule: FallRule::ALL[dice.roll(3) as usize],
        };
        compare(&board, &start, Limits::EACH_BUTTON);
    }
}

#[test]
fn agrees_with_the_naive_twin_on_the_double_killscreen() {
    let mut dice = Dice::new(8);
    for _ in 0..300 {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        let level = 38 + dice.roll(3) as u8;
        let start =
            Start { y: dice.roll(6) as u8, ..Start::spawn(piece, level).by(FallRule::DoubleKillscreen) };
        compare(&board, &start, Limits::EACH_BUTTON);
        compare(&board, &start, Limits::ONE_PER_ROW);
    }
}

#[test]
fn agrees_with_the_naive_twin_at_level_0() {
    let mut dice = Dice::new(4);
    for _ in 0..12 {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        compare(&board, &Start::spawn(piece, 0), Limits::EACH_BUTTON);
    }
}

#[test]
fn agrees_with_the_naive_twin_at_every_even_tap_speed() {
    let mut dice = Dice::new(5);
    for round in 0..100 {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        for level in [18, 19, 29, 39] {
            let tables = ["0,2,4", "0,3,6", "0,4,8", "0,5,10", "0,6,12"];
            let start = Start::spawn(piece, level).by(FallRule::with_double_killscreen(level == 39));
            compare_taps(&board, &start, tables[round % 5]);
        }
    }
}

#[test]
fn agrees_with_the_naive_twin_when_quick_taps_need_a_pause() {
    let mut dice = Dice::new(6);
    // The twin keeps every history: falls of more than some twenty frames are too many for it.
    let falls = [(29, 0), (29, 0), (29, 0), (29, 0), (19, 9), (19, 10), (18, 13), (18, 14)];
    let double = [(39, 0), (39, 1), (40, 0), (39, 0), (39, 1)];
    for (level, y) in falls.into_iter().chain(double) {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        let start =
            Start { y, ..Start::spawn(piece, level).by(FallRule::with_double_killscreen(level >= 39)) };
        compare_taps(&board, &start, "0,2,4,6,18,20,22,24,36,38");
        compare_taps(&board, &start, "0,3,5,8,10,13,15,18,20,23");
        compare_taps(&board, &start, "0,2,5,7,10,12,15,17,20,22");
    }
}

#[test]
fn agrees_with_the_naive_twin_on_timelines_from_any_frame() {
    let mut dice = Dice::new(10);
    for round in 0..100 {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        for level in [18, 19, 29, 39] {
            let start = Start::spawn(piece, level).by(FallRule::with_double_killscreen(level == 39));
            compare_taps(&board, &start, "X..X.");
            let held = [Buttons::NONE, Buttons::LEFT, Buttons::A][dice.below(3)];
            let later = Start { y: dice.roll(6) as u8, elapsed: dice.roll(100), held, ..start };
            compare_taps(&board, &later, ["X..X.", "X.X....X......"][round % 2]);
        }
    }
}

#[test]
fn a_held_button_counts_as_a_tap() {
    let mut dice = Dice::new(7);
    for _ in 0..8 {
        let board = board(&mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        let start = Start { held: Buttons::LEFT, y: 2, ..Start::spawn(piece, 19) };
        compare_taps(&board, &start, "0,5,10");
    }
}
