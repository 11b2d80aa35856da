//! Boards for tests: random ones of every kind, and what the naive twins of evaluators see of them.
//!
//! The integration tests of this crate take it as a module, its unit tests by its path. The dice are those of the rules.

// Rows and columns by number, as in the definitions. Not every twin needs all of it.
#![allow(clippy::needless_range_loop, dead_code)]

use maxout_rules::Board;
pub use maxout_rules::random::Dice;

/// `grid[row][column]`, row 0 on top.
pub type Grid = [[bool; 10]; 20];

/// Cells in the rows from `top` down, solid with probability `solid` in 100.
pub fn noise(dice: &mut Dice, top: usize, solid: u32) -> Grid {
    let mut grid = [[false; 10]; 20];
    for cell in grid[top..].iter_mut().flatten() {
        *cell = dice.roll(100) < solid;
    }
    grid
}

/// Columns of random heights up to `tallest`, with holes, and often a well.
pub fn stack(dice: &mut Dice, tallest: u32) -> Grid {
    let mut grid = [[false; 10]; 20];
    let base = dice.roll(tallest + 1);
    let holes = dice.roll(15);
    let well = dice.roll(20) as usize;
    for column in 0..10 {
        let height = (base + dice.roll(5)).saturating_sub(2).min(tallest);
        for row in 20 - height as usize..20 {
            grid[row][column] = column != well && dice.roll(100) >= holes;
        }
    }
    grid
}

/// One board of one of seven kinds.
pub fn grid(dice: &mut Dice) -> Grid {
    match dice.roll(20) {
        0 => [[false; 10]; 20],
        1..=3 => {
            // Full columns among empty ones.
            let columns = dice.roll(1024);
            [std::array::from_fn(|column| columns >> column & 1 == 1); 20]
        }
        4..=6 => {
            let top = dice.roll(20) as usize;
            noise(dice, top, 8)
        }
        7..=9 => {
            let top = dice.roll(20) as usize;
            noise(dice, top, 85)
        }
        10..=11 => {
            let solid = dice.roll(101);
            noise(dice, 0, solid)
        }
        12..=13 => {
            // Few cells: single ones at every height.
            let mut grid = [[false; 10]; 20];
            for _ in 0..=dice.roll(4) {
                grid[dice.roll(20) as usize][dice.roll(10) as usize] = true;
            }
            grid
        }
        14 => stack(dice, 20),
        _ => stack(dice, 12),
    }
}

/// The board of `grid`, with whatever above row 0.
pub fn board(grid: &Grid, dice: &mut Dice) -> Board {
    let mut rows = [0; 22];
    if dice.roll(2) == 0 {
        rows[0] = dice.roll(1024) as u16;
        rows[1] = dice.roll(1024) as u16;
    }
    for row in 0..20 {
        for column in 0..10 {
            rows[row + 2] |= u16::from(grid[row][column]) << column;
        }
    }
    Board::from_rows(rows)
}

/// Row of the column's top cell, 20 if the column is empty.
pub fn top(grid: &Grid, column: usize) -> usize {
    (0..20).find(|&row| grid[row][column]).unwrap_or(20)
}

pub fn height(grid: &Grid, column: usize) -> usize {
    20 - top(grid, column)
}

/// Walls are solid.
pub fn solid(grid: &Grid, row: usize, column: i32) -> bool {
    !(0..10).contains(&column) || grid[row][column as usize]
}

/// Random cells in the `height` bottom rows, each solid with the odds 1 : 2^`thinned`: 1 : 1 for 0.
pub fn bits(dice: &mut Dice, height: usize, thinned: u32) -> Board {
    let mut rows = [0; 22];
    for row in &mut rows[22 - height..] {
        *row = (0..=thinned).fold(0x3FF, |row, _| row & (dice.word() >> 54) as u16);
    }
    Board::from_rows(rows)
}

/// `height` bottom rows that are full but for one cell or two.
pub fn gapped(dice: &mut Dice, height: usize) -> Board {
    let mut rows = [0; 22];
    for row in &mut rows[22 - height..] {
        // The second is often beyond the wall.
        *row = !(1 << dice.roll(10) | 1 << dice.roll(14)) & 0x3FF;
    }
    Board::from_rows(rows)
}

/// Columns of up to `height` cells, each at most `steps` - 1 below that; one cell of `holes` is a hole.
pub fn columns(dice: &mut Dice, height: usize, steps: u32, holes: u32) -> Board {
    let mut rows = [0u16; 22];
    for column in 0..10 {
        let top = height.saturating_sub(dice.roll(steps) as usize);
        for row in &mut rows[22 - top..] {
            *row |= u16::from(dice.roll(holes) > 0) << column;
        }
    }
    Board::from_rows(rows)
}
