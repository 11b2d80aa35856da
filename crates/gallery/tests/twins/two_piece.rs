//! The engine's search over two pieces, with the evaluation of 2018.

use maxout_engine::Position;
use maxout_engine::eval::lock_height;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_engine::search::TwoPiece;
use maxout_gallery::eval::{CalmingRules, LockTrail, Meatfighter};
use maxout_rules::{Board, Orientation, Piece, Progress};

use crate::grids::{Dice, gapped};

fn published() -> TwoPiece<Meatfighter> {
    TwoPiece::new(Meatfighter::PUBLISHED, Limits::EACH_BUTTON)
}

#[test]
fn best_is_the_lowest_of_all_pairs_and_rank_agrees() {
    let mut search = published();
    for seed in 0..40 {
        let board = gapped(&mut Dice::new(seed), 2 + seed as usize % 14);
        let piece = Piece::ALL[seed as usize % 7];
        let next = Piece::ALL[seed as usize / 7 % 7];
        let start = Start::spawn(piece, 18);
        // One line short of level 19.
        let progress = Progress::at(129, 18);
        let mut pairs = Vec::new();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        placements(&board, &start, Limits::EACH_BUTTON, &mut first);
        for &a in &first {
            let mut board = board;
            let lines_a = board.lock(a.x, a.y, a.orientation);
            let level = if lines_a > 0 { 19 } else { 18 };
            placements(&board, &Start::spawn(next, level), Limits::EACH_BUTTON, &mut second);
            for &b in &second {
                let mut board = board;
                let lines_b = board.lock(b.x, b.y, b.orientation);
                let locks = LockTrail {
                    lines: u32::from(lines_a + lines_b),
                    heights: lock_height(a.y, a.orientation) + lock_height(b.y, b.orientation),
                    tetris: lines_a == 4 || lines_b == 4,
                };
                if let Some(value) = search.eval.score(&board, locks) {
                    pairs.push((value, a, b));
                }
            }
        }
        let want = pairs.iter().copied().reduce(|best, pair| if pair.0 < best.0 { pair } else { best });
        let got = search.best(&Position { board, start, next: Some(next), progress });
        assert_eq!(got.map(|c| (c.value, c.placement, c.next.expect("has a next"))), want, "{board}");
        let ranked = search.rank(&Position { board, start, next: Some(next), progress });
        assert_eq!(ranked.first().copied(), got.map(|c| (c.placement, c.value)));
        assert!(ranked.is_sorted_by(|a, b| a.1 <= b.1));
    }
}

#[test]
fn falls_back_to_the_lowest_placement_where_nothing_survives() {
    // Column 0 alone is open, and too far away: everything locks where it spawns.
    let mut rows = [0x3FE; 22];
    rows[..4].fill(0);
    let board = Board::from_rows(rows);
    let start = Start::spawn(Piece::O, 29);
    let mut search = published();
    assert_eq!(search.best(&Position::spawn(board, Piece::O, Some(Piece::T), Progress::at(230, 29))), None);
    let placement = search.fallback(&board, &start).expect("O fits at the top");
    assert_eq!((placement.y, placement.orientation), (0, Orientation::O));
}

#[test]
fn finds_nothing_and_does_not_panic_on_a_solid_board() {
    let board = Board::from_rows([0x3FF; 22]);
    for rules in [CalmingRules::ALL, CalmingRules::NONE] {
        let mut search = TwoPiece::new(Meatfighter { rules, ..Meatfighter::PUBLISHED }, Limits::ONE_PER_ROW);
        for piece in Piece::ALL {
            let start = Start::spawn(piece, 19);
            assert_eq!(
                search.best(&Position::spawn(board, piece, Some(Piece::I), Progress::at(0, 19))),
                None
            );
            assert_eq!(search.fallback(&board, &start), None);
        }
    }
}

#[test]
fn a_tetris_with_the_next_piece_is_prepared() {
    let board: Board = "#########.\n".repeat(4).parse().expect("art parses");
    let position = Position::spawn(board, Piece::O, Some(Piece::I), Progress::at(0, 19));
    let choice = published().best(&position).expect("a pair survives");
    assert!(choice.value < -1e8);
    assert!(choice.placement.x < 9);
}
