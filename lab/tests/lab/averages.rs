//! What searches say of the pieces to come, by every placement of each.

use std::num::NonZeroU32;

use maxout_engine::eval::{Evaluator, Placed};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Moves, Start};
use maxout_engine::search::TwoPiece;
use maxout_gallery::eval::{Dellacherie, Meatfighter, Meatfighter2014, Packing};
use maxout_lab::averages::{Playouts, average_rank};
use maxout_rules::{Board, Piece, Placement, Progress};

use crate::grids::Dice;
use crate::scene::scene;

/// The board after a placement, its rows, and the trail with it.
fn placed<E: Evaluator>(eval: &E, before: &Board, at: Placement, trail: E::Trail) -> (Board, u8, E::Trail) {
    let mut after = *before;
    let lines = after.lock(at.x, at.y, at.orientation);
    (after, lines, eval.follow(trail, &Placed { before, placement: at, after: &after, lines }))
}

fn all_places(moves: Moves, board: &Board, piece: Piece, level: u8) -> Vec<Placement> {
    let mut all = Vec::new();
    moves.list(board, &Start::spawn(piece, level), &mut all);
    all
}

/// The least cost of `piece` on `board`; `None` if nothing is left.
fn naive_cheapest<E: Evaluator>(
    eval: &E,
    moves: Moves,
    board: &Board,
    trail: E::Trail,
    piece: Piece,
    level: u8,
) -> Option<f64> {
    let mut costs = Vec::new();
    for at in all_places(moves, board, piece, level) {
        let (after, _, trail) = placed(eval, board, at, trail);
        costs.extend(eval.cost(&after, trail));
    }
    costs.sort_by(f64::total_cmp);
    costs.first().copied().filter(|_| eval.admits(board))
}

/// Ranks a board by the mean over all pieces and expects the same; adds the pieces that count as lost.
fn rank_twice<E: Evaluator>(eval: &E, dice: &mut Dice, lost: &mut u32) {
    let (_, before, drop) = scene(dice);
    let (board, _, trail) =
        drop.map_or((before, 0, E::Trail::default()), |at| placed(eval, &before, at, E::Trail::default()));
    let rules = [Limits::EACH_BUTTON, Limits::ONE_PER_ROW];
    let moves = match dice.roll(10) {
        0 => Moves::Commands,
        n @ 1..=2 => Moves::Pad(rules[n as usize - 1]),
        _ => Moves::Drops,
    };
    let level = [0, 19, 29][dice.roll(3) as usize];
    let mut sum = 0.0;
    for piece in Piece::ALL {
        let cost = naive_cheapest(eval, moves, &board, trail, piece, level);
        *lost += u32::from(cost.is_none());
        sum += cost.unwrap_or(1e7);
    }
    let (got, want) = (average_rank(eval, moves, &board, trail, level, 1e7), sum / 7.0);
    assert!((got - want).abs() <= 1e-9 * want.abs(), "{got} {want} {moves:?} {level}{board:?}");
}

#[test]
fn the_average_rank_of_the_next_piece_is_the_mean_of_all_seven_on_ten_thousand_boards() {
    let mut dice = Dice::new(24);
    let mut lost = 0;
    for round in 0..10_000 {
        match round % 4 {
            0 => rank_twice(&Meatfighter2014::CODED, &mut dice, &mut lost),
            1 => rank_twice(&Dellacherie::GAPS, &mut dice, &mut lost),
            2 => rank_twice(&Packing { mended: true }, &mut dice, &mut lost),
            _ => rank_twice(&Meatfighter::PUBLISHED, &mut dice, &mut lost),
        }
    }
    assert!((5_000..50_000).contains(&lost), "{lost}");
}

/// splitmix64 by remainders.
fn naive_random(state: u64) -> u64 {
    let all = 1u128 << 64;
    let mut z = (u128::from(state) + 0x9E37_79B9_7F4A_7C15) % all;
    for (shift, factor) in [(30, 0xBF58_476D_1CE4_E5B9), (27, 0x94D0_49BB_1331_11EB)] {
        z = (z ^ z >> shift) * factor % all;
    }
    (z ^ z >> 31) as u64
}

/// What a game of `pieces` pieces ends with, by every pair of placements at each of them; `None` if it is lost.
fn naive_playout<E: Evaluator>(
    eval: &E,
    moves: Moves,
    (mut board, mut trail): (Board, E::Trail),
    pieces: u32,
    seed: u64,
) -> Option<f64> {
    let mut state = naive_random(seed);
    let mut dealt = Vec::new();
    for _ in 0..=pieces {
        state = naive_random(state);
        let share = (0..7).find(|&n| u128::from(state) * 7 < (n + 1) << 64).expect("one of seven");
        dealt.push(Piece::ALL[share as usize]);
    }
    let mut progress = Progress::at(128, 18);
    for pair in dealt.windows(2) {
        let mut best: Option<(f64, Placement)> = None;
        for first in all_places(moves, &board, pair[0], progress.level) {
            let (after, lines, own) = placed(eval, &board, first, E::Trail::default());
            let mut then = progress;
            then.add_rows(lines);
            let cost = naive_cheapest(eval, moves, &after, own, pair[1], then.level);
            if let Some(cost) = cost.filter(|&cost| best.is_none_or(|best| cost < best.0)) {
                best = Some((cost, first));
            }
        }
        let (_, first) = best.filter(|_| eval.admits(&board))?;
        let lines;
        (board, lines, trail) = placed(eval, &board, first, trail);
        progress.add_rows(lines);
    }
    eval.cost(&board, trail)
}

/// Plays on from a board, and expects what the twin comes to; how many games were lost and how many were not.
fn play_twice<E: Evaluator>(eval: E, dice: &mut Dice) -> [u32; 2] {
    let (_, before, drop) = scene(dice);
    let (board, _, trail) =
        drop.map_or((before, 0, E::Trail::default()), |at| placed(&eval, &before, at, E::Trail::default()));
    let moves = if dice.roll(6) == 0 { Moves::Pad(Limits::ONE_PER_ROW) } else { Moves::Drops };
    let (games, pieces, seed) = (1 + dice.roll(3), dice.roll(5), u64::from(dice.roll(1 << 30)));
    let mut sum = 0.0;
    let mut count = [0, 0];
    for game in 0..u64::from(games) {
        let cost = naive_playout(&eval, moves, (board, trail), pieces, seed + game);
        count[usize::from(cost.is_some())] += 1;
        sum += cost.unwrap_or(1e7);
    }
    let playouts = Playouts { games: NonZeroU32::new(games).expect("one or more"), pieces, seed, lost: 1e7 };
    let mut search = TwoPiece::new(eval, moves);
    let mut average = || playouts.average(&mut search, &board, trail, Progress::at(128, 18));
    let (got, want) = (average(), sum / f64::from(games));
    assert!((got - want).abs() <= 1e-9 * want.abs(), "{got} {want} {moves:?} {playouts:?}{board:?}");
    assert_eq!(average().to_bits(), got.to_bits(), "the same again");
    count
}

/// Fewer boards than elsewhere: a playout of two pieces takes the twin a thousand boards, and a board has several.
#[test]
fn an_average_playout_is_that_of_its_twin_on_four_hundred_boards() {
    let mut dice = Dice::new(25);
    let mut count = [0, 0];
    for round in 0..400 {
        let here = match round % 3 {
            0 => play_twice(Meatfighter2014::CODED, &mut dice),
            1 => play_twice(Dellacherie::CELLS, &mut dice),
            _ => play_twice(Meatfighter::PUBLISHED, &mut dice),
        };
        count = [count[0] + here[0], count[1] + here[1]];
    }
    assert!(count.iter().all(|&games| games > 100), "{count:?}");
}
