//! Boards with a piece on them.

// Rows and columns by number, as in the definitions.
#![allow(clippy::needless_range_loop)]

use maxout_engine::movegen::{Moves, Start};
use maxout_rules::{Board, Piece, Placement};

use crate::grids::{Dice, Grid, grid};

/// A board of any kind without cells above it, and one piece somewhere on it: drops, and where there is none, nothing.
pub fn scene(dice: &mut Dice) -> (Grid, Board, Option<Placement>) {
    let mut cells = grid(dice);
    // Complete rows do not stay.
    for row in &mut cells {
        if row.iter().all(|&cell| cell) {
            row[dice.roll(10) as usize] = false;
        }
    }
    // Often a row that one piece completes.
    if dice.roll(3) == 0 {
        let gap = dice.roll(10) as usize;
        for row in 16 + dice.roll(3) as usize..20 {
            cells[row] = [true; 10];
            for above in 0..row {
                cells[above][gap] = false;
            }
            cells[row][gap] = false;
        }
    }
    let mut rows = [0; 22];
    for row in 0..20 {
        for column in 0..10 {
            rows[row + 2] |= u16::from(cells[row][column]) << column;
        }
    }
    let board = Board::from_rows(rows);
    let mut drops = Vec::new();
    Moves::Drops.list(&board, &Start::spawn(Piece::ALL[dice.roll(7) as usize], 19), &mut drops);
    // Row 0 has rules of its own.
    drops.retain(|drop| drop.orientation.cells().iter().all(|&(_, dy)| drop.y as i8 + dy > 0));
    let clears = |drop: &Placement| {
        let mut after = board;
        after.lock(drop.x, drop.y, drop.orientation) > 0
    };
    if dice.roll(2) == 0 && drops.iter().any(clears) {
        drops.retain(clears);
    }
    let drop = if drops.is_empty() { None } else { Some(drops[dice.roll(drops.len() as u32) as usize]) };
    (cells, board, drop)
}
