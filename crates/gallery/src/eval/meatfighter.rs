//! The 2018 plateau bot's evaluation: a minimised sum of 17 terms and four calming rules.
//!
//! Source: meatfighter, "Applying Artificial Intelligence to Nintendo Tetris, Revisited" (2018-01-28).

use super::parameters::WEIGHTS_2018;
use maxout_engine::eval::{
    Evaluator, Features, Packed, Placed, Shape, can_clear_a_row, high_stack, lock_height, spawn_is_free,
};
use maxout_rules::{Board, Orientation, Placement};

/// The calming rules, each on its own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CalmingRules {
    /// Rule 1: subtracted once if any of the placements cleared exactly four lines.
    pub tetris_bonus: f64,
    /// Rule 2: what each point of [`high_stack`] costs.
    pub high_stack: f64,
    /// Rule 3: whether to reject boards on which some piece could not spawn ([`spawn_is_free`]).
    pub spawn_protection: bool,
    /// Rule 4: whether to reject boards on which no row can be cleared any more ([`can_clear_a_row`]).
    pub reachable_rows: bool,
}

impl CalmingRules {
    /// All four, as published.
    pub const ALL: Self =
        Self { tetris_bonus: 1e9, high_stack: 1.0, spawn_protection: true, reachable_rows: true };
    /// None of them.
    pub const NONE: Self =
        Self { tetris_bonus: 0.0, high_stack: 0.0, spawn_protection: false, reachable_rows: false };
}

/// What the placements that led to a board did on the way, added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LockTrail {
    /// Lines that all of them cleared together.
    pub lines: u32,
    /// Sum of their lock heights ([`lock_height`]).
    pub heights: u32,
    /// Whether one of them cleared exactly four lines.
    pub tetris: bool,
}

impl LockTrail {
    /// The trail with one more placement: `id`, locked with its centre in row `y`, cleared `lines`.
    #[must_use]
    #[inline]
    pub fn and(self, y: u8, id: Orientation, lines: u8) -> Self {
        Self {
            lines: self.lines + u32::from(lines),
            heights: self.heights + lock_height(y, id),
            tetris: self.tetris || lines == 4,
        }
    }
}

/// The evaluator: weights and rules.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meatfighter {
    /// One weight for each term, in the order of [`WEIGHTS_2018`].
    pub weights: [f64; 17],
    /// The calming rules that it plays by.
    pub rules: CalmingRules,
}

impl Default for Meatfighter {
    fn default() -> Self {
        Self::PUBLISHED
    }
}

impl Meatfighter {
    /// The published bot: [`WEIGHTS_2018`] with all rules.
    pub const PUBLISHED: Self = Self { weights: WEIGHTS_2018, rules: CalmingRules::ALL };

    /// The value of `board` after `locks`; lower is better. `None` if a rule rejects the board.
    ///
    /// ```
    /// use maxout_gallery::eval::{LockTrail, Meatfighter};
    /// use maxout_rules::Board;
    /// let value = Meatfighter::PUBLISHED.score(&Board::EMPTY, LockTrail::default()).unwrap();
    /// // Nothing but 20 for the depth of a hole that is not there.
    /// assert!((value - 20.0 * 0.2898865849496105).abs() < 1e-9);
    /// ```
    #[inline]
    pub fn score(&self, board: &Board, locks: LockTrail) -> Option<f64> {
        self.score_packed(&Packed::of(board), locks)
    }

    /// The value of packed rows, as [`Meatfighter::score`].
    #[inline]
    pub fn score_packed(&self, rows: &Packed, locks: LockTrail) -> Option<f64> {
        if self.rules.spawn_protection && !spawn_is_free(rows) || !self.can_go_on(rows) {
            return None;
        }
        Some(self.value(&Features::of_packed(rows), rows, locks))
    }

    /// The value of rows that no rule rejects.
    #[inline]
    pub(super) fn value(&self, features: &Features, rows: &Packed, locks: LockTrail) -> f64 {
        let mut value = self.sum(features, locks);
        if self.rules.high_stack != 0.0 {
            value += self.rules.high_stack * f64::from(high_stack(rows));
        }
        if locks.tetris {
            value -= self.rules.tetris_bonus;
        }
        value
    }

    /// Rule 4, which holds for the boards before the last, too.
    #[inline]
    fn can_go_on(&self, rows: &Packed) -> bool {
        !self.rules.reachable_rows || can_clear_a_row(rows)
    }

    /// The weighted sum, without the rules.
    #[inline]
    fn sum(&self, f: &Features, locks: LockTrail) -> f64 {
        let terms = [
            locks.lines,
            locks.heights,
            f.well_cells,
            f.deep_wells,
            f.holes,
            f.weighted_holes,
            f.hole_depths,
            f.min_hole_depth,
            f.max_hole_depth,
            f.column_transitions,
            f.row_transitions,
            f.column_heights,
            f.max_height,
            f.height_spread,
            f.solid_cells,
            f.weighted_cells,
            f.height_differences,
        ];
        // Four sums side by side: one alone would wait for each addition before the next.
        let mut sums = [0.0; 4];
        for (i, (&weight, &term)) in self.weights.iter().zip(&terms).enumerate() {
            // Signed: the baseline processor converts those, and two at a time.
            sums[i % 4] += weight * f64::from(term.cast_signed());
        }
        sums[0] + sums[1] + (sums[2] + sums[3])
    }
}

impl Evaluator for Meatfighter {
    type Trail = LockTrail;

    #[inline]
    fn follow(&self, trail: LockTrail, placed: &Placed<'_>) -> LockTrail {
        trail.and(placed.placement.y, placed.placement.orientation, placed.lines)
    }

    #[inline]
    fn cost(&self, board: &Board, trail: LockTrail) -> Option<f64> {
        self.score(board, trail)
    }

    /// Rule 4 alone.
    #[inline]
    fn admits(&self, board: &Board) -> bool {
        self.can_go_on(&Packed::of(board))
    }

    /// Most replies complete no row: those need no board, and many no evaluation, as their [`Floor`](super::Floor)
    /// says.
    fn cheapest(
        &self,
        board: &Board,
        trail: LockTrail,
        replies: &[Placement],
        limit: f64,
    ) -> Option<(f64, Placement)> {
        let (rows, shape) = (Packed::of(board), Shape::of(board));
        let floor = self.floor(&rows, &shape, trail);
        let mut best: Option<(f64, Placement)> = None;
        let mut least = limit;
        // Good ones come late.
        for &reply in replies.iter().rev() {
            let with = rows.with(reply);
            let value = if with.has_full_row() {
                let (after, _, trail) = self.place(board, reply, trail);
                self.score(&after, trail)
            } else if floor.is_some_and(|floor| floor.of(reply) > least) {
                None
            } else {
                self.score_packed(&with, trail.and(reply.y, reply.orientation, 0))
            };
            let Some(value) = value else { continue };
            if best.is_none_or(|best| value <= best.0) {
                best = Some((value, reply));
                least = least.min(value);
            }
        }
        best
    }
}
