//! What evaluators measure on a board, written plainly over a grid, for the twins of evaluators.
//!
//! The tests of the gallery take it by its path.

// Rows and columns by number, as in the definitions.
#![allow(clippy::needless_range_loop)]

use maxout_engine::eval::Features;
use maxout_rules::Piece;

use crate::grids::{Grid, height, solid, top};

pub fn well_cells(grid: &Grid, column: usize) -> u32 {
    let mut count = 0;
    for row in 0..top(grid, column) {
        if solid(grid, row, column as i32 - 1) && solid(grid, row, column as i32 + 1) {
            count += 1;
        }
    }
    count
}

/// (row, column) of each empty cell directly below a solid one.
pub fn holes(grid: &Grid) -> Vec<(usize, usize)> {
    let mut holes = Vec::new();
    for row in 1..20 {
        for column in 0..10 {
            if !grid[row][column] && grid[row - 1][column] {
                holes.push((row, column));
            }
        }
    }
    holes
}

pub fn naive_features(grid: &Grid) -> Features {
    let wells: Vec<u32> = (0..10).map(|column| well_cells(grid, column)).collect();
    let holes = holes(grid);
    let depths: Vec<u32> = holes.iter().map(|&(row, column)| (row - top(grid, column)) as u32).collect();
    let heights: Vec<u32> = (0..10).map(|column| height(grid, column) as u32).collect();
    let pile = *heights.iter().max().expect("ten columns");

    let mut column_transitions = 0;
    for column in 0..10 {
        for row in top(grid, column)..19 {
            if grid[row][column] != grid[row + 1][column] {
                column_transitions += 1;
            }
        }
    }
    let mut row_transitions = 0;
    for row in 20 - pile as usize..20 {
        for column in -1..10 {
            if solid(grid, row, column) != solid(grid, row, column + 1) {
                row_transitions += 1;
            }
        }
    }
    let (mut solid_cells, mut weighted_cells) = (0, 0);
    for row in 0..20 {
        for column in 0..10 {
            if grid[row][column] {
                solid_cells += 1;
                weighted_cells += 20 - row as u32;
            }
        }
    }
    Features {
        well_cells: wells.iter().sum(),
        deep_wells: wells.iter().filter(|&&cells| cells >= 3).count() as u32,
        holes: holes.len() as u32,
        weighted_holes: holes.iter().map(|&(row, _)| row as u32 + 1).sum(),
        hole_depths: depths.iter().sum(),
        min_hole_depth: depths.iter().copied().min().unwrap_or(20),
        max_hole_depth: depths.iter().copied().max().unwrap_or(0),
        column_transitions,
        row_transitions,
        column_heights: heights.iter().sum(),
        max_height: pile,
        height_spread: pile - heights.iter().min().expect("ten columns"),
        solid_cells,
        weighted_cells,
        height_differences: heights.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum(),
    }
}

pub fn naive_high_stack(grid: &Grid) -> u32 {
    let mut penalty = 0;
    for row in 0..7 {
        for column in 0..10 {
            if grid[row][column] {
                penalty += 7 - row as u32;
            }
        }
    }
    penalty
}

pub fn naive_spawn_is_free(grid: &Grid) -> bool {
    Piece::ALL
        .iter()
        .all(|piece| piece.spawn().cells().iter().all(|&(dx, dy)| !grid[dy as usize][(5 + dx) as usize]))
}

pub fn naive_can_clear_a_row(grid: &Grid) -> bool {
    if grid[0].iter().all(|&cell| !cell) {
        return true;
    }
    let mut reached = *grid;
    let mut queue = vec![(0i32, 5i32)];
    while let Some((row, column)) = queue.pop() {
        if !(0..20).contains(&row) || !(0..10).contains(&column) || reached[row as usize][column as usize] {
            continue;
        }
        reached[row as usize][column as usize] = true;
        queue.extend([(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]);
    }
    reached.iter().any(|row| row.iter().all(|&cell| cell))
}
