//! What a board is worth without further search, and what a lost game is worth.

use super::Expectimax;
use crate::eval::Shape;
use maxout_rules::{Piece, Progress};

impl Expectimax {
    /// Returns what a board is worth by its learned value, beyond what the lines that are left pay on average.
    #[inline]
    pub(super) fn leaf(
        &mut self,
        shape: &Shape,
        progress: Progress,
        next: Option<Piece>,
        last: Piece,
    ) -> f32 {
        self.nodes += 1;
        let cells = shape.cells();
        let merit = |speed| {
            let value = match next {
                Some(next) => self.network.values_at(shape, speed)[next as usize],
                None => self.network.expected_at(shape, speed, last),
            };
            self.horizon.merit(speed, value, cells)
        };
        let mut now = merit(self.network.speed(progress.level, self.double_killscreen));
        if let Some((speed, fade)) = self.horizon.change(progress, cells) {
            now = self.horizon.mixed(now, merit(speed), fade);
        }
        let fear = self.caution.as_ref().map_or(0.0, |(hazard, cost)| match next {
            Some(next) => cost * hazard.before(shape, next),
            None => cost * hazard.expected(shape, last),
        });
        self.horizon.worth(progress, now, fear)
    }

    /// Returns the same as [`leaf`](Self::leaf), for each piece that may come next.
    #[inline]
    pub(super) fn leaves(&mut self, shape: &Shape, progress: Progress) -> [f32; 7] {
        self.nodes += 1;
        let cells = shape.cells();
        let merits =
            |speed| self.network.values_at(shape, speed).map(|value| self.horizon.merit(speed, value, cells));
        let mut merits_now = merits(self.network.speed(progress.level, self.double_killscreen));
        if let Some((speed, fade)) = self.horizon.change(progress, cells) {
            for (now, then) in merits_now.iter_mut().zip(merits(speed)) {
                *now = self.horizon.mixed(*now, then, fade);
            }
        }
        let Some((hazard, cost)) = &self.caution else {
            return merits_now.map(|merit| self.horizon.worth(progress, merit, 0.0));
        };
        for (value, next) in merits_now.iter_mut().zip(Piece::ALL) {
            *value = self.horizon.worth(progress, *value, cost * hazard.before(shape, next));
        }
        merits_now
    }

    /// Returns what a lost game is worth, likewise beyond what the lines that are left pay on average.
    pub(super) fn lost(&self, progress: Progress) -> f32 {
        let cost = self.caution.as_ref().map_or(0.0, |(_, cost)| *cost);
        let deaths = self.network.deaths();
        let merit = |speed: usize| self.horizon.merit(speed, deaths[speed], self.parameters.ordinary_cells);
        let mut now = merit(self.network.speed(progress.level, self.double_killscreen));
        // No cells are left to clear before the change.
        if let Some((speed, fade)) = self.horizon.change(progress, 0) {
            now = self.horizon.mixed(now, merit(speed), fade);
        }
        self.horizon.worth(progress, now, cost)
    }
}
