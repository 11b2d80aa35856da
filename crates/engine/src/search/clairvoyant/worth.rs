//! The value of a board by itself, without its future: the board should be clean, low and open on the right.

use crate::search::parameters::BoardWeights;
use maxout_rules::Board;

/// Returns the value of `board`.
pub(super) fn worth(board: &Board, weights: &BoardWeights) -> i32 {
    let rows = board.rows();
    let columns = if weights.well == 0 { 10 } else { 9 };
    let in_well = 0x3FF & !((1u16 << columns) - 1);
    let mut heights = [0i32; 10];
    let (mut cover, mut holes, mut well) = (0u16, 0, 0);
    let first = rows.iter().position(|&row| row != 0).unwrap_or(rows.len());
    for (r, &row) in rows.iter().enumerate().skip(first) {
        let mut new = row & !cover & !in_well;
        while new != 0 {
            heights[new.trailing_zeros() as usize] = (rows.len() - r) as i32;
            new &= new - 1;
        }
        holes += (cover & !row).count_ones() as i32;
        well += i32::from(row & in_well != 0);
        cover |= row;
    }
    let mut burden = 0;
    if holes > 0 {
        let mut hole_below = 0;
        for r in (first..rows.len()).rev() {
            burden += (rows[r] & hole_below).count_ones() as i32;
            let covered = rows[first..r].iter().fold(0, |all, row| all | row);
            hole_below |= covered & !rows[r];
        }
    }
    let heights = &heights[..columns];
    let (mut steps, mut squares) = (0, 0);
    for pair in heights.windows(2) {
        let step = (pair[0] - pair[1]).abs();
        steps += step;
        squares += step * step;
    }
    let mut deep_rows = 0;
    for column in 0..columns {
        let left = if column == 0 { 20 } else { heights[column - 1] };
        // An open well does not hold the last column; its left neighbour does.
        let right = if column + 1 == columns { 20 } else { heights[column + 1] };
        deep_rows += (left.min(right) - heights[column] - 2).max(0);
    }
    let over = (heights.iter().copied().max().unwrap_or(0) - weights.free_height).max(0);
    weights.hole * holes
        + weights.burden * burden
        + weights.well * well
        + weights.step * steps
        + weights.step_square * squares
        + weights.i_dependency * deep_rows
        + weights.height * over * over
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth_of(art: &str) -> i32 {
        worth(&art.parse().expect("art parses"), &BoardWeights::SLOW)
    }

    #[test]
    fn a_flat_board_with_an_open_well_is_worth_nothing_less() {
        assert_eq!(worth_of("#########.\n#########."), 0);
        assert_eq!(worth_of(""), 0);
    }

    #[test]
    fn every_fault_costs_what_the_weights_say() {
        // One hole under two cells; the well is shut once.
        assert_eq!(worth_of("#########.\n#########.\n.########.\n##########"), -2500 - 2 * 200 - 2500);
        // An I-dependency of three rows at the left wall: one row too many, one step of three.
        assert_eq!(worth_of(".########.\n.########.\n.########."), -300 - 3 * 25 - 9 * 8);
    }
}
