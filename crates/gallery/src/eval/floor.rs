//! [`Floor`]: what the 2018 evaluation of a board and one more piece cannot be below, at a tenth of its cost.
//!
//! Most placements leave holes that cost more than everything else about them could gain. What a piece adds to
//! cells, heights and holes is known from the columns under it; the rest is bounded.

use super::meatfighter::{LockTrail, Meatfighter};
use maxout_engine::eval::{Features, Packed, Shape, lock_height};
use maxout_rules::{Orientation, Placement};

/// Rows of the field.
const ROWS: i32 = 20;
/// What rounding may add to a value: far more than it does, for values of up to 1e10.
const ROUNDING: f64 = 1e-3;

/// The columns of an orientation, from the left.
#[derive(Clone, Copy)]
struct Outline {
    columns: usize,
    /// Columns from the centre to the leftmost.
    left: i8,
    /// Rows from the centre to the highest and the lowest cell of each column.
    spans: [(i8, i8); 4],
    /// Rows from the centre to the highest cell of all.
    top: i8,
    /// Rows from the centre to each cell, added up.
    rows: i8,
}

const OUTLINES: [Outline; 19] = {
    let mut outlines = [Outline { columns: 0, left: 0, spans: [(0, 0); 4], top: 0, rows: 0 }; 19];
    let mut id = 0;
    while id < Orientation::ALL.len() {
        let cells = Orientation::ALL[id].cells();
        let outline = &mut outlines[id];
        let mut x = -2;
        while x <= 2 {
            let (mut high, mut low, mut i) = (i8::MAX, i8::MIN, 0);
            while i < 4 {
                let (column, row) = cells[i];
                if column == x {
                    outline.rows += row;
                    high = if row < high { row } else { high };
                    low = if row > low { row } else { low };
                }
                i += 1;
            }
            if high <= low && outline.columns < 4 {
                if outline.columns == 0 {
                    outline.left = x;
                }
                outline.spans[outline.columns] = (high, low);
                outline.columns += 1;
                outline.top = if high < outline.top { high } else { outline.top };
            }
            x += 1;
        }
        id += 1;
    }
    outlines
};

/// Bounds for the placements on one board.
#[derive(Clone, Copy, Debug)]
pub struct Floor<'a> {
    weights: &'a [f64; 17],
    shape: &'a Shape,
    max_height: i32,
    /// The part of the bound that is the same for all placements.
    base: f64,
}

/// The least that a term changes by, if its feature changes by `low` to `high`.
#[inline]
fn least(weight: f64, low: i32, high: i32) -> f64 {
    weight * f64::from(if weight < 0.0 { high } else { low })
}

impl Meatfighter {
    /// Bounds on the board `rows`, whose columns are `shape`, after `locks`. `None` if a rule that pays for high
    /// boards makes them impossible.
    #[inline]
    pub fn floor<'a>(&'a self, rows: &Packed, shape: &'a Shape, locks: LockTrail) -> Option<Floor<'a>> {
        if self.rules.high_stack < 0.0 {
            return None;
        }
        let f = Features::of_packed(rows);
        let w = &self.weights;
        let [wells, deep, shallowest, deepest, changes, max_height] = [
            f.well_cells,
            f.deep_wells,
            f.min_hole_depth,
            f.max_hole_depth,
            f.column_transitions,
            f.max_height,
        ]
        .map(u32::cast_signed);
        let mut base = self.value(&f, rows, locks) - ROUNDING;
        base += least(w[2], -wells, 200) + least(w[3], -deep, 10);
        base += least(w[7], 1 - shallowest, 20 - shallowest) + least(w[8], -deepest, 20 - deepest);
        // Each cell has two neighbours in its row; each of four columns at most two new edges.
        base += least(w[9], -changes, 8) + least(w[10], -8, 16);
        base += 4.0 * w[14];
        Some(Floor { weights: w, shape, max_height, base })
    }
}

impl Floor<'_> {
    /// A number that the value of the board with `placement` is not below, if no row is completed.
    #[inline]
    pub fn of(&self, placement: Placement) -> f64 {
        let Placement { y, orientation: id, x } = placement;
        let outline = &OUTLINES[id as usize];
        let y = i32::from(y);
        if y < 2 {
            // Cells above the field do not count.
            return f64::NEG_INFINITY;
        }
        let (mut raise, mut holes, mut hole_rows, mut deeper) = (0, 0, 0, 0);
        let first = (x as i8 + outline.left) as usize;
        for (column, &(high, low)) in (first..10).zip(&outline.spans[..outline.columns]) {
            let cells = self.shape.columns[column];
            let (high, low) = (y + i32::from(high), y + i32::from(low));
            let height = i32::from(self.shape.heights[column]);
            let raised = (ROWS - high - height).max(0);
            raise += raised;
            deeper += raised * i32::from(self.shape.holes[column]);
            let new = (!cells >> (low + 1) & 1).cast_signed();
            // The highest row of the column, now.
            let top = high.min(ROWS - height);
            holes += new;
            hole_rows += new * (low + 2);
            deeper += new * (low + 1 - top);
            // The cell above the piece is solid: the piece fills a hole.
            let filled = (cells << 1 >> high & 1).cast_signed();
            holes -= filled;
            hole_rows -= filled * (high + 1);
        }
        let higher = (ROWS - (y + i32::from(outline.top)) - self.max_height).max(0);
        let w = self.weights;
        let term = |weight: f64, feature: i32| weight * f64::from(feature);
        let known = term(w[1], lock_height(placement.y, id).cast_signed())
            + term(w[4], holes)
            + term(w[5], hole_rows)
            + term(w[11], raise)
            + term(w[12], higher)
            + term(w[15], 4 * (ROWS - y) - i32::from(outline.rows));
        // All holes that are there could be filled; 200 empty cells of depth 20 are more than there are.
        let bounded =
            least(w[6], -4_000, deeper) + least(w[13], -ROWS, higher) + least(w[16], -2 * raise, 2 * raise);
        self.base + known + bounded
    }
}

#[cfg(test)]
mod tests {
    use std::array;

    use super::*;
    use crate::eval::{CalmingRules, WEIGHTS_2018};
    use crate::grids::{Dice, bits, gapped};
    use maxout_engine::limits::Limits;
    use maxout_engine::movegen::{Start, placements};
    use maxout_rules::{Board, Piece};

    #[test]
    fn no_value_is_below_its_floor_whatever_the_weights() {
        let mut dice = Dice::new(11);
        let mut out = Vec::new();
        let (mut tight, mut all) = (0, 0);
        for turn in 0..400 {
            let height = dice.below(20);
            let (full, holes) = (gapped(&mut dice, height), bits(&mut dice, height, 2));
            let board = Board::from_rows(array::from_fn(|row| full.rows()[row] & !holes.rows()[row]));
            let mut eval = Meatfighter { rules: CalmingRules::NONE, ..Meatfighter::PUBLISHED };
            if turn % 2 == 1 {
                // Signs of all kinds.
                eval.weights = WEIGHTS_2018.map(|w| if dice.coin() { w } else { -w });
                eval.rules.high_stack = 1.0;
            }
            let (packed, shape) = (Packed::of(&board), Shape::of(&board));
            let locks = LockTrail { lines: 4, heights: 3, tetris: true };
            let floor = eval.floor(&packed, &shape, locks).expect("no rule pays for height");
            for piece in Piece::ALL {
                placements(&board, &Start::spawn(piece, 18), Limits::EACH_BUTTON, &mut out);
                for &placement in &out {
                    let with = packed.with(placement);
                    if with.has_full_row() {
                        continue;
                    }
                    let locks = locks.and(placement.y, placement.orientation, 0);
                    let value = eval.score_packed(&with, locks).expect("no rule rejects");
                    let least = floor.of(placement);
                    assert!(least <= value, "{placement:?} {least} {value}\n{board}");
                    all += 1;
                    tight += u32::from(turn % 2 == 0 && value - least < 30.0);
                }
            }
        }
        assert!(all > 20_000 && tight > all / 4, "{tight} of {all}");
    }
}
