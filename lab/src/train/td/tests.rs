//! What training does to the tables, and that it is the same however it is shared.

use super::*;
use crate::team::Alone;
use crate::team::threads::team;
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{Ntuple59, indices};
use maxout_rules::Board;
use std::sync::atomic::AtomicU32;

#[test]
fn what_is_not_told_apart_by_height_is_played_at_every_height() {
    for rows in [3, 9, 12, 15] {
        let board: Board = "####.####.\n".repeat(rows).parse().unwrap();
        let shape = Shape::of(&board);
        let tables = Tables::<Ntuple59>::new();
        for piece in Piece::ALL {
            tables.learn(&indices(&shape, false, 0), piece, 1.0, 0.0);
        }
        let played = tables.network(false).values(&shape, 19);
        for piece in Piece::ALL {
            let learned = tables.value(&indices(&shape, false, 0), piece);
            assert!((played[piece as usize] - learned).abs() < 0.1, "{rows} rows, {piece}");
        }
    }
}

#[test]
fn at_another_speed_only_its_own_tables_learn() {
    let board: Board = "####.####.\n".repeat(5).parse().unwrap();
    let [common, slow, fast] = [0, 1, 2].map(|speed| indices(&Shape::of(&board), true, speed));
    let tables = Tables::<Ntuple59>::new();
    tables.learn(&common, Piece::T, 3.0, 0.0);
    tables.spread_to(1);
    tables.spread_to(2);
    let before = tables.value(&common, Piece::T);
    tables.learn(&slow, Piece::T, 1.0, 0.0);
    for other in [common, fast] {
        assert_eq!(tables.value(&other, Piece::T).to_bits(), before.to_bits());
    }
    assert!((tables.value(&slow, Piece::T) - before - 1.0).abs() < 1e-3);
    // They have learned: what is learned at levels 19 to 28 does not take their place again.
    tables.spread_to(1);
    assert!((tables.value(&slow, Piece::T) - before - 1.0).abs() < 1e-3);
}

#[test]
fn in_rounds_any_team_learns_the_same_and_counts_the_same() {
    let rules = StageRules { drill: 0.1, ..StageRules::PLAIN };
    let seeds = [3, 1, 4, 1, 5];
    let learn = |jobs: usize, team: &dyn Team| {
        let (tables, progress) = (Tables::<Ntuple59>::new(), TrainingProgress::default());
        assert!(learn_in_rounds(&tables, rules, &seeds, 40, (jobs, team), &progress, &mut |_| true));
        let cells = [&tables.weights, &tables.error_sum, &tables.error_size].into_iter().flatten();
        let sum = |sum: u64, cell: &AtomicU32| {
            sum.wrapping_mul(0x9E37_79B9).wrapping_add(cell.load(Relaxed).into())
        };
        (cells.fold(0, sum), progress.counts())
    };
    let alone = learn(1, &Alone);
    assert_eq!(alone.1[0], 200);
    assert_eq!(learn(2, &Alone), alone);
    assert_eq!(team(2, |team| learn(1, team)), [alone, alone]);
    let stopped = team(2, |team| {
        let mut go_on = |_| team.leads();
        learn_in_rounds(
            &Tables::<Ntuple59>::new(),
            rules,
            &seeds,
            40,
            (1, team),
            &TrainingProgress::default(),
            &mut go_on,
        )
    });
    assert_eq!(stopped, [false, false]);
}

#[test]
fn after_a_drill_the_game_goes_on_where_it_stood() {
    let rules = StageRules { candidates: 1, drill: 0.1, ..StageRules::PLAIN };
    let mut dice = Xorshift64Star::new(5);
    let position = |art: &str, dice: &mut Xorshift64Star| Position {
        board: art.parse().unwrap(),
        piece: Piece::T,
        ..Position::<Ntuple59>::new(dice, rules)
    };
    let (game, bad) = (position("####......\n", &mut dice), position("#.#.#.#.#.\n", &mut dice));
    let mut drill = Drill::new(rules.drill);
    drill.note(&game, 8.0, &mut dice);
    drill.note(&bad, -3.0, &mut dice);
    let mut now = game;
    for lost in [false, true] {
        assert_eq!((0..Drill::<Ntuple59>::GAME).filter(|_| drill.turn(&mut now, &mut dice)).count(), 1);
        assert!(drill.away() && now.board == bad.board);
        // What comes up now is not kept.
        let kept = drill.bad.len();
        drill.note(&bad, -9.0, &mut dice);
        assert_eq!(drill.bad.len(), kept);
        if lost {
            assert!(drill.lost(&mut now));
        } else {
            assert_eq!((0..Drill::<Ntuple59>::TURN).filter(|_| drill.turn(&mut now, &mut dice)).count(), 1);
        }
        assert!(!drill.away() && now.board == game.board);
    }
    assert!(!drill.lost(&mut now), "the game itself");
}
