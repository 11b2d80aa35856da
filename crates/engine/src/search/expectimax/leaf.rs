//! What a board is worth without further search, and what a lost game is worth.

use super::Expectimax;
use crate::eval::Shape;
use maxout_rules::{Piece, Progress};

impl Expectimax {
    /// Returns the learned value of a board.
    #[inline]
    pub(super) fn leaf(
        &mut self,
        shape: &Shape,
        progress: Progress,
        next: Option<Piece>,
        last: Piece,
    ) -> f32 {
        self.nodes += 1;
        let value_at = |speed| match next {
            Some(next) => self.network.values_at(shape, speed)[next as usize],
            None => self.network.expected_at(shape, speed, last),
        };
        let speed = self.network.speed(progress.level, self.double_killscreen);
        let mut value = value_at(speed);
        if let Some((lines, level)) = self.ending.change(progress) {
            let next = self.network.speed(level, self.double_killscreen);
            let fade = self.ending.fade(lines, shape.cells());
            value = self.mixed(speed, value, value_at(next), fade);
        }
        let Some((hazard, cost)) = &self.caution else {
            return self.ending.worth(progress, value, shape.cells(), 0.0);
        };
        let hazard = match next {
            Some(next) => hazard.before(shape, next),
            None => hazard.expected(shape, last),
        };
        self.ending.worth(progress, value, shape.cells(), cost * hazard)
    }

    /// Returns the learned value of a board for each piece that may come next.
    #[inline]
    pub(super) fn leaves(&mut self, shape: &Shape, progress: Progress) -> [f32; 7] {
        self.nodes += 1;
        let speed = self.network.speed(progress.level, self.double_killscreen);
        let mut values = self.network.values_at(shape, speed);
        if let Some((lines, level)) = self.ending.change(progress) {
            let next = self.network.speed(level, self.double_killscreen);
            let fade = self.ending.fade(lines, shape.cells());
            let then = self.network.values_at(shape, next);
            for (value, then) in values.iter_mut().zip(then) {
                *value = self.mixed(speed, *value, then, fade);
            }
        }
        let cells = shape.cells();
        let Some((hazard, cost)) = &self.caution else {
            return values.map(|value| self.ending.worth(progress, value, cells, 0.0));
        };
        for (value, next) in values.iter_mut().zip(Piece::ALL) {
            *value = self.ending.worth(progress, *value, cells, cost * hazard.before(shape, next));
        }
        values
    }

    /// Returns what a lost game is worth.
    pub(super) fn lost(&self, progress: Progress) -> f32 {
        let cost = self.caution.as_ref().map_or(0.0, |(_, cost)| *cost);
        let deaths = self.network.deaths();
        let speed = self.network.speed(progress.level, self.double_killscreen);
        let mut death = deaths[speed];
        if let Some((lines, level)) = self.ending.change(progress) {
            let next = self.network.speed(level, self.double_killscreen);
            death = self.mixed(speed, death, deaths[next], self.ending.fade(lines, 0));
        }
        self.ending.worth(progress, death, self.parameters.ordinary_cells as u32, cost)
    }

    /// Returns the value of a board shortly before pieces fall faster. `now` is its value at the present `speed`, and
    /// `then` its value at the next one, which counts `fade` (0 to 1).
    ///
    /// With a `fade` of 1, a board that is now worth as much as the empty one gets the value `then`. For any other
    /// board, a part of its present difference from the empty one is added.
    #[inline]
    fn mixed(&self, speed: usize, now: f32, then: f32, fade: f32) -> f32 {
        let empty = self.empty[speed];
        now + fade * (then - empty - self.parameters.forgotten * (now - empty))
    }
}
