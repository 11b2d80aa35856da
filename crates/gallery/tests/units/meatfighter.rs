//! What `src/eval/meatfighter.rs` promises.

use maxout_gallery::eval::*;

use maxout_engine::eval::{Packed, high_stack};
use maxout_rules::{Board, Orientation};

fn board(art: &str) -> Board {
    art.parse().expect("art parses")
}

#[test]
fn a_tetris_beats_everything_and_counts_once() {
    let eval = Meatfighter::PUBLISHED;
    let value = |lines| {
        let locks = LockTrail::default().and(18, Orientation::IVertical, lines).and(
            18,
            Orientation::IVertical,
            lines,
        );
        eval.score(&Board::EMPTY, locks).expect("the empty board passes")
    };
    let gap = value(3) - value(4);
    assert!((1e9 - 1.0..1e9 + 1.0).contains(&gap), "{gap}");
}

#[test]
fn spawn_protection_rejects_only_what_it_should() {
    let eval = Meatfighter::PUBLISHED;
    let rest = "..........\n".repeat(18);
    for (art, passes) in [
        ("###....###\n####...###\n", true),
        ("...#......\n..........\n", false),
        ("......#...\n..........\n", false),
        ("..........\n...#......\n", true),
        ("..........\n....#.....\n", false),
        ("..........\n......#...\n", false),
    ] {
        let board = board(&(art.to_owned() + &rest));
        assert_eq!(eval.score(&board, LockTrail::default()).is_some(), passes, "{board}");
        let lax =
            Meatfighter { rules: CalmingRules { spawn_protection: false, ..CalmingRules::ALL }, ..eval };
        assert!(lax.score(&board, LockTrail::default()).is_some(), "{board}");
    }
}

#[test]
fn a_cell_in_each_high_row_costs_seven_to_one() {
    let mut rows = [0; 22];
    rows[2..10].fill(1);
    let board = Board::from_rows(rows);
    assert_eq!(high_stack(&Packed::of(&board)), 7 + 6 + 5 + 4 + 3 + 2 + 1);
    let value = |rules| {
        Meatfighter { rules, ..Meatfighter::PUBLISHED }.score(&board, LockTrail::default()).expect("passes")
    };
    let cost = value(CalmingRules::ALL) - value(CalmingRules::NONE);
    assert!((cost - 28.0).abs() < 1e-9, "{cost}");
}
