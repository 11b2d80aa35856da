//! [`Rescue`]: what a board costs near the top, where the learned values know little.

use super::parameters::RESCUE;
use super::{Features, Packed, can_clear_a_row, high_stack, lock_height, spawn_is_free};
use maxout_rules::{Board, Placement};

/// An evaluation for boards that are almost lost: a weighted sum of the measures of M. Birken's bot of 2018, with weights that were tuned
/// to get from such boards back to ordinary ones. Few games come there, so the learned values, which see each board by its parts, hardly know
/// them; a sum of a few measures holds on boards that nobody has seen.
#[derive(Clone, PartialEq, Debug)]
pub struct Rescue {
    /// One weight for each of the lines and the lock heights of the placements, then for each of [`Features`] in order, and for the
    /// [high stack](high_stack). Positive is a penalty.
    pub weights: [f32; Self::TERMS],
}

impl Rescue {
    /// The number of terms.
    pub const TERMS: usize = 18;
    /// The shipped one.
    pub const SHIPPED: Self = Self { weights: RESCUE };

    /// What `board` costs after `placements`, the last of which led to it and which completed `lines` lines together; lower is better. `None` if
    /// some piece could not spawn on it, or if no row can be completed any more.
    pub fn cost(&self, board: &Board, placements: &[Placement], lines: u8) -> Option<f32> {
        let rows = Packed::of(board);
        if !spawn_is_free(&rows) || !can_clear_a_row(&rows) {
            return None;
        }
        let heights = placements.iter().map(|at| lock_height(at.y, at.orientation)).sum();
        let of = Features::of_packed(&rows);
        let terms = [
            lines.into(),
            heights,
            of.well_cells,
            of.deep_wells,
            of.holes,
            of.weighted_holes,
            of.hole_depths,
            of.min_hole_depth,
            of.max_hole_depth,
            of.column_transitions,
            of.row_transitions,
            of.column_heights,
            of.max_height,
            of.height_spread,
            of.solid_cells,
            of.weighted_cells,
            of.height_differences,
            high_stack(&rows),
        ];
        Some(self.weights.iter().zip(terms).map(|(weight, term)| weight * term as f32).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Piece;

    /// By hand: the measures of this board are those of the test of [`Features`].
    #[test]
    fn a_cost_is_the_weighted_sum_of_the_measures() {
        let board: Board = "...##....#\n#...#....#\n#..##.##..\n##.#..####".parse().expect("art");
        let measures = [2, 0, 3, 57, 6, 1, 3, 5, 18, 21, 4, 4, 18, 38, 17];
        let at = |y, piece: Piece| Placement { y, orientation: piece.spawn(), x: 5 };
        // The first lies on the floor, the second has five rows below it.
        let placements = [at(18, Piece::O), at(13, Piece::O)];
        for term in 0..Rescue::TERMS {
            let only = Rescue { weights: std::array::from_fn(|at| if at == term { 2.0 } else { 0.0 }) };
            let measure = match term {
                0 => 3,
                1 => 5,
                17 => 0,
                _ => measures[term - 2],
            };
            assert_eq!(only.cost(&board, &placements, 3), Some(2.0 * measure as f32), "term {term}");
        }
        let high: Board =
            ("....#.....\n..........\n".to_owned() + &"#########.\n".repeat(17)).parse().expect("art");
        assert_eq!(Rescue::SHIPPED.cost(&high, &[], 0), None);
    }
}
