//! The other parameters of 2014 against slow, obvious twins.

use maxout_engine::eval::Features;
use maxout_engine::movegen::{Moves, Start};
use maxout_lab::measures2014::{Regions, height_variance, occupied_columns, occupied_rows, total_fit};
use maxout_rules::Piece;

use crate::grids::{Dice, Grid, board, grid, height};

/// Connected cells that are as `state` says, by a walk from each.
fn naive_regions(grid: &Grid, state: bool) -> u32 {
    let mut seen = [[false; 10]; 20];
    let mut count = 0;
    for start in 0..200 {
        let mut todo = vec![(start / 10, start % 10)];
        let mut cells = 0;
        while let Some((row, column)) = todo.pop() {
            if row >= 20 || column >= 10 || seen[row][column] || grid[row][column] != state {
                continue;
            }
            seen[row][column] = true;
            cells += 1;
            todo.extend([(row + 1, column), (row, column + 1), (row.wrapping_sub(1), column)]);
            todo.push((row, column.wrapping_sub(1)));
        }
        count += u32::from(cells > 0);
    }
    count
}

#[test]
fn the_other_parameters_of_2014_agree_with_their_twins_on_ten_thousand_boards() {
    let mut dice = Dice::new(22);
    for _ in 0..10_000 {
        let grid = grid(&mut dice);
        let board = board(&grid, &mut dice);
        let rows = (0..20).filter(|&row| (0..10).any(|column| grid[row][column])).count() as u32;
        assert_eq!(occupied_rows(&board), rows, "{board}");
        let columns = (0..10).filter(|&column| (0..20).any(|row| grid[row][column])).count() as u32;
        assert_eq!(occupied_columns(&board), columns, "{board}");
        let solid = (0..200).filter(|cell| grid[cell / 10][cell % 10]).count() as u32;
        assert_eq!(Features::of(&board).solid_cells, solid, "{board}");
        let regions = Regions { solid: naive_regions(&grid, true), empty: naive_regions(&grid, false) };
        assert_eq!(Regions::of(&board), regions, "{board}");
        let heights: Vec<f64> = (0..10).map(|column| height(&grid, column) as f64).collect();
        let mean = heights.iter().sum::<f64>() / 10.0;
        let variance = heights.iter().map(|height| (height - mean).powi(2)).sum::<f64>() / 10.0;
        assert!((f64::from(height_variance(&board)) - 100.0 * variance).abs() < 1e-6, "{board}");
    }
}

#[test]
fn total_fit_counts_what_makes_no_hole_on_ten_thousand_boards() {
    let mut dice = Dice::new(23);
    let mut all = Vec::new();
    let (mut fits, mut others) = (0, 0);
    for round in 0..10_000 {
        let grid = grid(&mut dice);
        let board = board(&grid, &mut dice);
        // What can be steered to is dear in the twin.
        let moves = if round % 10 == 0 { Moves::Commands } else { Moves::Drops };
        let mut want = 0;
        for piece in Piece::ALL {
            moves.list(&board, &Start::spawn(piece, 0), &mut all);
            for &placement in &all {
                let below = |&(dx, dy): &(i8, i8)| (placement.y as i8 + dy + 1, placement.x as i8 + dx);
                // The board with the piece, nothing removed.
                let solid = |(row, column): (i8, i8)| {
                    row >= 20
                        || board.is_solid(row, column)
                        || placement.orientation.cells().iter().any(|cell| {
                            (placement.y as i8 + cell.1, placement.x as i8 + cell.0) == (row, column)
                        })
                };
                let fit = placement.orientation.cells().iter().all(|cell| solid(below(cell)));
                want += u32::from(fit);
                *if fit { &mut fits } else { &mut others } += 1;
            }
        }
        assert_eq!(total_fit(&board, moves), want, "{board}");
    }
    assert!(fits > 100_000 && others > 100_000, "{fits} {others}");
}
