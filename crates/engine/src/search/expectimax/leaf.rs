//! What a board is worth without further search, and what a lost game is worth.

use super::Expectimax;
use super::pending::Asked;
use crate::eval::Shape;
use crate::eval::ntuple::Network;
use maxout_rules::{Piece, Progress};

impl Expectimax {
    /// Asks for the learned value of a board.
    #[inline]
    pub(super) fn ask(&self, shape: &Shape, progress: Progress, asked: &mut Asked) {
        asked.counts = self.horizon.has_lines(progress);
        if !asked.counts {
            return;
        }
        asked.cells = shape.cells();
        asked.speed = self.speed(progress.level);
        asked.change = self.horizon.change(progress, asked.cells);
        let ask = if self.in_mirror { Network::ask_in_mirror } else { Network::ask };
        ask(&self.network, shape, asked.speed, &mut asked.now);
        if let Some((speed, _)) = asked.change {
            ask(&self.network, shape, speed, &mut asked.then);
        }
    }

    /// Returns what a board is worth by its learned value, beyond what the lines that are left pay on average. If `next` is `None`,
    /// that is the expectation over the piece that follows `last`.
    #[inline]
    pub(super) fn leaf(
        &mut self,
        shape: &Shape,
        progress: Progress,
        next: Option<Piece>,
        last: Piece,
    ) -> f32 {
        self.nodes += 1;
        let mut asked = Asked::default();
        self.ask(shape, progress, &mut asked);
        match next {
            Some(next) => self.worths(shape, progress, &asked)[next as usize],
            None => self.expected_worth(shape, progress, &asked, last),
        }
    }

    /// Returns the same as [`leaf`](Self::leaf), for each piece that may come next.
    #[inline]
    pub(super) fn leaves(&mut self, shape: &Shape, progress: Progress) -> [f32; 7] {
        self.nodes += 1;
        let mut asked = Asked::default();
        self.ask(shape, progress, &mut asked);
        self.worths(shape, progress, &asked)
    }

    /// Returns what a leaf that was asked for is worth, for each piece that may come next.
    #[inline]
    pub(super) fn worths(&self, shape: &Shape, progress: Progress, asked: &Asked) -> [f32; 7] {
        let merits =
            |lookup, speed| self.network.values_of(lookup, speed).map(self.horizon.merit(speed, asked.cells));
        let mut merits_now = merits(&asked.now, asked.speed);
        if let Some((speed, fade)) = asked.change {
            for (now, then) in merits_now.iter_mut().zip(merits(&asked.then, speed)) {
                *now = self.horizon.mixed(*now, then, fade);
            }
        }
        let Some((hazard, cost)) = &self.caution else {
            return merits_now.map(|merit| self.horizon.worth(progress, merit, 0.0));
        };
        let hazards = if asked.now.is_mirrored() {
            let image = hazard.before_each(&shape.mirrored());
            Piece::ALL.map(|piece| image[piece.mirrored() as usize])
        } else {
            hazard.before_each(shape)
        };
        for (value, hazard) in merits_now.iter_mut().zip(hazards) {
            *value = self.horizon.worth(progress, *value, cost * hazard);
        }
        merits_now
    }

    /// Returns what a leaf that was asked for is worth by expectation over the piece that follows `last`.
    #[inline]
    pub(super) fn expected_worth(
        &self,
        shape: &Shape,
        progress: Progress,
        asked: &Asked,
        last: Piece,
    ) -> f32 {
        if !asked.counts {
            return 0.0;
        }
        let merit = |lookup, speed| {
            self.horizon.merit(speed, asked.cells)(self.network.expected_of(lookup, speed, last))
        };
        let mut now = merit(&asked.now, asked.speed);
        if let Some((speed, fade)) = asked.change {
            now = self.horizon.mixed(now, merit(&asked.then, speed), fade);
        }
        let fear = self.caution.as_ref().map_or(0.0, |(hazard, cost)| {
            let is_mirrored = asked.now.is_mirrored();
            let of_image = || hazard.expected(&shape.mirrored(), last.mirrored());
            cost * if is_mirrored { of_image() } else { hazard.expected(shape, last) }
        });
        self.horizon.worth(progress, now, fear)
    }

    /// Returns what a lost game is worth, likewise beyond what the lines that are left pay on average.
    pub(super) fn lost(&self, progress: Progress) -> f32 {
        if !self.horizon.has_lines(progress) {
            return 0.0;
        }
        let cost = self.caution.as_ref().map_or(0.0, |(_, cost)| *cost);
        let deaths = self.network.deaths();
        let merit = |speed: usize| self.horizon.merit(speed, self.parameters.ordinary_cells)(deaths[speed]);
        let mut now = merit(self.speed(progress.level));
        // No cells are left to clear before the change.
        if let Some((speed, fade)) = self.horizon.change(progress, 0) {
            now = self.horizon.mixed(now, merit(speed), fade);
        }
        self.horizon.worth(progress, now, cost)
    }
}
