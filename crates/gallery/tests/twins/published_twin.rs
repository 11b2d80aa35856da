//! The evaluators of the published players against slow, obvious twins, written from the definitions over a grid.

// Rows and columns by number and weights digit by digit, as in the definitions.
#![allow(clippy::needless_range_loop, clippy::unreadable_literal)]

use maxout_engine::eval::{Evaluator, Placed};
use maxout_gallery::eval::{
    Cleared, Dellacherie, Landed, Packing, SimpleTetris, cumulative_wells, open_wells,
};
use maxout_rules::{Board, Orientation, Piece, Placement};

use crate::grids::{Dice, Grid, board, grid, height, solid, top};
use crate::scene::scene;

/// (row, column) of the piece's cells.
fn cells(placement: Placement) -> Vec<(usize, usize)> {
    let at = |&(dx, dy): &(i8, i8)| ((placement.y as i8 + dy) as usize, (placement.x as i8 + dx) as usize);
    placement.orientation.cells().iter().map(at).collect()
}

/// The grid with the piece, before and after the removal of complete rows, and the rows removed.
fn put(grid: &Grid, placement: Placement) -> (Grid, Grid, Vec<usize>) {
    let mut with = *grid;
    for (row, column) in cells(placement) {
        with[row][column] = true;
    }
    let full: Vec<usize> = (0..20).filter(|&row| with[row].iter().all(|&cell| cell)).collect();
    let mut after = with;
    for &row in &full {
        for above in (1..=row).rev() {
            after[above] = after[above - 1];
        }
        after[0] = [false; 10];
    }
    (with, after, full)
}

fn is_well(grid: &Grid, row: usize, column: usize) -> bool {
    !grid[row][column] && solid(grid, row, column as i32 - 1) && solid(grid, row, column as i32 + 1)
}

fn naive_cumulative_wells(grid: &Grid) -> u32 {
    let mut sum = 0;
    for column in 0..10 {
        let mut depth = 0;
        for row in 0..20 {
            depth = if is_well(grid, row, column) { depth + 1 } else { 0 };
            sum += depth;
        }
    }
    sum
}

fn naive_open_wells(grid: &Grid) -> u32 {
    let mut sum = 0;
    for column in 0..10 {
        for row in 0..20 {
            if is_well(grid, row, column) {
                sum += 1 + (row + 1..20).take_while(|&below| !grid[below][column]).count() as u32;
            }
        }
    }
    sum
}

fn naive_row_transitions(grid: &Grid) -> u32 {
    let mut changes = 0;
    for row in 0..20 {
        changes += (-1..10).filter(|&c| solid(grid, row, c) != solid(grid, row, c + 1)).count() as u32;
    }
    changes
}

fn naive_column_transitions(grid: &Grid) -> u32 {
    let mut changes = 0;
    for column in 0..10 {
        let mut last = false;
        for row in 0..20 {
            changes += u32::from(grid[row][column] != last);
            last = grid[row][column];
        }
        changes += u32::from(!last);
    }
    changes
}

fn gaps(grid: &Grid) -> u32 {
    (0..10).map(|c| (1..20).filter(|&row| grid[row - 1][c] && !grid[row][c]).count() as u32).sum()
}

fn covered_cells(grid: &Grid) -> u32 {
    (0..10).map(|c| (top(grid, c)..20).filter(|&row| !grid[row][c]).count() as u32).sum()
}

/// Landing height (where only differences matter), eroded cells, and the six-term value.
fn naive_dellacherie(name: &str, grid: &Grid, placement: Placement) -> f64 {
    let (_, after, full) = put(grid, placement);
    let own = cells(placement);
    let rows: Vec<usize> = own.iter().map(|cell| cell.0).collect();
    let (highest, lowest) = (*rows.iter().min().expect("four"), *rows.iter().max().expect("four"));
    let middle = ((20 - highest) + (20 - lowest)) as f64 / 2.0;
    let removed = own.iter().filter(|cell| full.contains(&cell.0)).count();
    let emptied = own.iter().filter(|&&(row, column)| !after[row][column]).count();
    let eroded = (removed * full.len()) as f64;
    let [rt, ct] = [naive_row_transitions(&after), naive_column_transitions(&after)].map(f64::from);
    let [gaps, covered] = [gaps(&after), covered_cells(&after)].map(f64::from);
    let [walled, open] = [naive_cumulative_wells(&after), naive_open_wells(&after)].map(f64::from);
    let el_tetris = |landing: f64| {
        -4.500_158_825_082_766 * landing + 3.418_126_810_139_269_4 * eroded
            - 3.217_888_286_848_775_3 * rt
            - 9.348_695_305_445_199 * ct
            - 7.899_265_427_351_652 * covered
            - 3.385_597_224_726_362_6 * open
    };
    match name {
        "gaps" => -middle + eroded - rt - ct - 4.0 * gaps - walled,
        "cells" => -middle + eroded - rt - ct - 4.0 * covered - open,
        "el-tetris" => el_tetris(middle),
        "macro40" => {
            let inside: f64 = rows.iter().map(|&row| (row - highest) as f64).sum::<f64>() / 4.0;
            el_tetris(20.0 - highest as f64 - inside)
        }
        "whole" => {
            -45.0 * middle.floor() + 34.0 * eroded - 32.0 * rt - 93.0 * ct - 79.0 * covered - 34.0 * open
        }
        "coded" => {
            let slip = -((emptied * full.len()) as f64);
            -45.0 * middle.floor() + 34.0 * slip - 32.0 * rt - 93.0 * ct - 34.0 * open
        }
        _ => unreachable!("no such evaluator"),
    }
}

/// By the text: score of the piece in each of the four turns of its box, before rows are removed.
fn naive_packing(grid: &Grid, placement: Placement, mended: bool) -> i32 {
    let piece = placement.orientation.piece();
    let art = match piece {
        Piece::I => ["....", "####", "....", "...."],
        Piece::L => ["....", ".###", ".#..", "...."],
        Piece::J => ["....", "###.", "..#.", "...."],
        Piece::O => ["....", ".##.", ".##.", "...."],
        Piece::Z => ["....", "##..", ".##.", "...."],
        Piece::S => ["....", ".##.", "##..", "...."],
        Piece::T => ["....", ".#..", "###.", "...."],
    };
    let mut shape = [[false; 4]; 4];
    for row in 0..4 {
        for column in 0..4 {
            shape[row][column] = art[row].as_bytes()[column] == b'#';
        }
    }
    let (with, ..) = put(grid, placement);
    let solid = |row: i32, column: i32| {
        row >= 20 || !(0..10).contains(&column) || row >= 0 && with[row as usize][column as usize]
    };
    let mut own = cells(placement);
    own.sort_unstable();
    let mut best = i32::MIN;
    for _ in 0..4 {
        for y in -3..20i32 {
            for x in -3..10i32 {
                let mut here = Vec::new();
                for row in 0..4 {
                    for column in 0..4 {
                        if shape[row][column] {
                            here.push((y + row as i32, x + column as i32));
                        }
                    }
                }
                let same = own.iter().all(|&(r, c)| here.contains(&(r as i32, c as i32)));
                if !same {
                    continue;
                }
                let full = (0..20).filter(|&row| with[row].iter().all(|&cell| cell)).count() as i32;
                let mut score = y;
                if full > 1 {
                    score += 10 * (full - 1);
                }
                for &(row, column) in &here {
                    for (r, c) in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
                    {
                        score += i32::from(solid(r, c));
                    }
                    if here.contains(&(row + 1, column)) {
                        continue;
                    }
                    let looked_at = if mended { column } else { x };
                    if !solid(row + 1, column) {
                        score -= 4;
                    } else if (row + 2..20).any(|below| !solid(below, looked_at)) {
                        score -= 1;
                    }
                }
                best = best.max(score);
            }
        }
        let old = shape;
        for row in 0..4 {
            for column in 0..4 {
                shape[column][3 - row] = old[row][column];
            }
        }
    }
    best
}

fn naive_simple(eval: SimpleTetris, grid: &Grid, rows: i32) -> i32 {
    let tops: Vec<i32> = (0..10).map(|c| top(grid, c) as i32).collect();
    let highest = *tops.iter().min().expect("ten");
    let holes = covered_cells(grid) as i32;
    let (mut pits, mut mountains, mut diff) = (0, 0, 0);
    for c in 0..10 {
        let before = if c == 0 { 0 } else { tops[c - 1] };
        diff += (tops[c] - before).abs();
        // Lower by two than each neighbour that is there; a wall is high.
        let lower = |n: i32| !(0..10).contains(&n) || tops[c] - tops[n as usize] >= 2;
        let higher = |n: i32| (0..10).contains(&n) && tops[n as usize] - tops[c] >= 2;
        let sides = [c as i32 - 1, c as i32 + 1];
        pits += i32::from(sides.iter().all(|&n| lower(n)));
        mountains += i32::from(sides.iter().all(|&n| higher(n)));
    }
    match eval {
        SimpleTetris::A => highest - 1 + 2 * rows,
        SimpleTetris::B => 25 * highest - 5 * holes + rows,
        SimpleTetris::C => {
            19 * highest + 15 * (tops.iter().sum::<i32>() / 19) + rows
                - 7 * holes
                - 4 * pits
                - 2 * mountains
                - diff
        }
    }
}

#[test]
fn wells_and_the_six_features_agree_with_their_twins_on_ten_thousand_boards() {
    let mut dice = Dice::new(20);
    for _ in 0..10_000 {
        let grid = grid(&mut dice);
        let board = board(&grid, &mut dice);
        assert_eq!(cumulative_wells(&board), naive_cumulative_wells(&grid), "{board}");
        assert_eq!(open_wells(&board), naive_open_wells(&grid), "{board}");
        let (rows, columns) = (naive_row_transitions(&grid), naive_column_transitions(&grid));
        let want = [rows, columns, gaps(&grid), naive_cumulative_wells(&grid)];
        assert_eq!(Dellacherie::GAPS.features(&board), want, "{board}");
        let want = [rows, columns, covered_cells(&grid), naive_open_wells(&grid)];
        assert_eq!(Dellacherie::CELLS.features(&board), want, "{board}");
    }
}

#[test]
fn one_placement_costs_what_the_twins_say_on_ten_thousand_boards() {
    let evaluators = [
        ("gaps", Dellacherie::GAPS),
        ("cells", Dellacherie::CELLS),
        ("el-tetris", Dellacherie::EL_TETRIS),
        ("macro40", Dellacherie::MACRO_40),
        ("whole", Dellacherie::WHOLE),
        ("coded", Dellacherie::WHOLE_AS_CODED),
    ];
    let mut dice = Dice::new(21);
    let (mut placed, mut cleared, mut packed) = (0, 0, 0);
    for _ in 0..10_000 {
        let (grid, before, placement) = scene(&mut dice);
        let Some(placement) = placement else { continue };
        let (_, after_grid, full) = put(&grid, placement);
        let mut after = before;
        let lines = after.lock(placement.x, placement.y, placement.orientation);
        assert_eq!(usize::from(lines), full.len());
        placed += 1;
        cleared += u32::from(lines > 0);
        let step = Placed { before: &before, placement, after: &after, lines };
        for (name, eval) in evaluators {
            let trail = eval.follow(Landed::default(), &step);
            let got = -eval.cost(&after, trail).expect("never rejected");
            let want = naive_dellacherie(name, &grid, placement);
            assert!(
                (got - want).abs() < 1e-9 * want.abs().max(1.0),
                "{name} {got} {want}{before:?}{placement:?}"
            );
        }
        for mended in [false, true] {
            let (eval, want) = (Packing { mended }, naive_packing(&grid, placement, mended));
            assert_eq!(eval.value(&before, placement), want, "{before:?}{placement:?}");
            let cost = eval.cost(&after, eval.follow(0, &step));
            assert_eq!(cost, (want >= 0).then(|| f64::from(-want)));
            packed += u32::from(want >= 0);
        }
        for eval in [SimpleTetris::A, SimpleTetris::B, SimpleTetris::C] {
            let first = eval.follow(Cleared::default(), &step);
            assert_eq!(first, Cleared { pieces: 1, rows: 2 * i32::from(lines) });
            let second = eval.follow(first, &step);
            assert_eq!(second, Cleared { pieces: 2, rows: 3 * i32::from(lines) });
            let want = naive_simple(eval, &after_grid, second.rows);
            assert_eq!(eval.cost(&after, second), Some(f64::from(-want)), "{eval:?}{after:?}");
        }
    }
    assert!(placed > 7_000 && cleared > 500 && packed > 5_000, "{placed} {cleared} {packed}");
}

#[test]
fn the_published_weights_prefer_the_published_examples() {
    // Wells of depth 2, 3 and 1 make 3 + 6 + 1.
    let board: Board = "##.#######\n##.###.###\n.#.###.###\n".parse().expect("art parses");
    let mut grid: Grid = [[false; 10]; 20];
    for row in 17..20 {
        for column in 0..10 {
            grid[row][column] = board.is_solid(row as i8, column as i8);
        }
    }
    assert_eq!((cumulative_wells(&board), height(&grid, 2)), (3 + 6 + 1, 0));
    // Turning a centre of mass by half a turn moves it; the middle stays.
    let flat = Placement { y: 19, orientation: Orientation::TUp, x: 5 };
    let step = Placed { before: &Board::EMPTY, placement: flat, after: &Board::EMPTY, lines: 0 };
    let landed = |eval: Dellacherie| eval.follow(Landed::default(), &step).height;
    assert!((landed(Dellacherie::GAPS) - 1.5).abs() < 1e-12);
    assert!((landed(Dellacherie::MACRO_40) - 1.25).abs() < 1e-12);
}
