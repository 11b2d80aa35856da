//! Forecasts from level 29 on, where most boards are either saved or lost within a few pieces: what is seen of a board, and a few games that are
//! played on from it.

use super::calibration::at_reach;
use super::classes::tetris;
use super::forecast::Forecast;
use super::outcome::{ln, share};
use super::parameters::{
    GAMES_FROM_29, GOES_ON_FROM_29, KILLSCREEN, LEAST_SHARE, LINES_HALF, LOST_FROM_29, NODES_FROM_29,
    PIECES_FROM_29, POINTS_FROM_29, PRIOR_FROM_29, QUALITIES_FROM_29, VISIBLE,
};
use super::playouts::asked;
use super::{Analyst, Estimate, Outlook};
use crate::Position;
use crate::env::{Env, GameEnd};
use crate::eval::Shape;
use crate::search::{Expectimax, Weighed};
use maxout_rules::line_points;

/// The number of rows with a hole.
fn hole_rows(shape: &Shape) -> u32 {
    let holes = |column: usize| {
        let top = VISIBLE - u32::from(shape.heights[column]);
        !shape.columns[column] & ((1 << VISIBLE) - (1 << top))
    };
    (0..shape.columns.len()).fold(0, |rows, column| rows | holes(column)).count_ones()
}

/// The logarithm of the odds of a share.
fn logit(share: f32) -> f32 {
    let share = share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
    ln(share / (1.0 - share))
}

impl Forecast {
    /// What the placement itself pays.
    fn reward(&self, weighed: &Weighed) -> f32 {
        line_points(self.lines(weighed), weighed.progress.level) as f32
    }

    /// The log odds that a game goes on to the stop, by what is seen of the board after a placement.
    fn seen(&self, weighed: &Weighed) -> f32 {
        let Outlook { lines, reach, .. } = self.outlook;
        let quality = self.outlook.quality(weighed.value);
        let level = weighed.progress.level;
        let after = self.outlook.quality_after(weighed.value, self.lines(weighed), level);
        let outcome = self.outcome(weighed, after);
        let shape = Shape::of(&weighed.board);
        // A piece that is tapped to the left wall passes over the second column.
        let step = shape.heights[1].saturating_sub(shape.heights[0]);
        let seen = [
            1.0,
            logit(1.0 - outcome.topout),
            ln(lines.max(1) as f32 / LINES_HALF),
            hole_rows(&shape) as f32,
            f32::from(shape.all_holes()),
            quality.clamp(QUALITIES_FROM_29[0], QUALITIES_FROM_29[1]),
            f32::from(step),
        ];
        GOES_ON_FROM_29.iter().zip(seen).map(|(weight, seen)| at_reach(weight, reach) as f32 * seen).sum()
    }

    /// What a placement leads to from level 29 on.
    pub(super) fn late(&self, weighed: &Weighed) -> Estimate {
        let outlook = &self.outlook;
        let at_these_taps = |row| at_reach(row, outlook.reach) as f32;
        let goes_on = share(self.seen(weighed) + self.shift);
        let [of_lines, of_quality, more] = POINTS_FROM_29.each_ref().map(at_these_taps);
        let quality = outlook.quality(weighed.value).clamp(QUALITIES_FROM_29[2], QUALITIES_FROM_29[3]);
        let saved = of_lines * outlook.all_tetrises + (of_quality * quality + more) * tetris(outlook.level);
        let saved = saved.clamp(0.0, outlook.most);
        // A game that is lost makes more before that where fewer are lost: it lasts longer.
        let [least, by_share] = LOST_FROM_29.each_ref().map(at_these_taps);
        let lost = (least + by_share * goes_on).clamp(0.0, 1.0) * saved;
        let points = goes_on * saved + (1.0 - goes_on) * lost;
        Estimate { points: points.max(self.reward(weighed)).min(outlook.most), topout: 1.0 - goes_on }
    }
}

impl Analyst {
    /// Returns how much more often games go on from the first placement than what is seen of its board says, as a difference of log odds. That is
    /// found out where it is in doubt from level 29 on: a few games are played on for a few pieces, two pieces deep. Not at slower taps than 30 Hz,
    /// where the search does not have the values that `maxout-2ply` plays by, nor for a search that may look at fewer boards than that takes.
    pub(super) fn shift(&mut self, position: &Position, forecast: &Forecast, weighed: &[Weighed]) -> f32 {
        let is_asked = forecast.outlook.falls_as >= KILLSCREEN
            && !self.limits().is_slower_than_30_hz()
            && self.search.looks_at(NODES_FROM_29);
        let Some(first) = weighed.first().filter(|_| is_asked) else { return 0.0 };
        let said = share(forecast.seen(first));
        if said.min(1.0 - said) < LEAST_SHARE {
            return 0.0;
        }
        let mut quick = self.quick.take().unwrap_or_else(|| Box::new(self.search.at_sight_alone()));
        let mut alive = 0.0;
        for seed in 0..GAMES_FROM_29 {
            let mut env = asked(position, first.placement, self.limits(), seed);
            if env.step(first.placement).is_ok() {
                alive += self.goes_on(&mut env, &mut quick, forecast);
            }
        }
        self.quick = Some(quick);
        let games = PRIOR_FROM_29 + GAMES_FROM_29 as f32;
        logit((PRIOR_FROM_29 * said + alive) / games) - logit(said)
    }

    /// The share of games that go on to the stop after a few more pieces, each where `search` puts it.
    fn goes_on(&mut self, env: &mut Env, search: &mut Expectimax, forecast: &Forecast) -> f32 {
        for _ in 0..PIECES_FROM_29 {
            if env.end().is_some() {
                break;
            }
            let best = search.best(&env.position());
            if best.and_then(|placement| env.step(placement).ok()).is_none() {
                return 0.0;
            }
        }
        match env.end() {
            Some(GameEnd::TopOut) => 0.0,
            Some(_) => 1.0,
            None => {
                let position = env.position();
                let Position { board, next, .. } = position;
                let outlook = self.outlook_of(&position);
                let then = Forecast { board, outlook, next, shift: 0.0, ..*forecast };
                search.weigh_best(&position).map_or(0.0, |best| share(then.seen(&best)))
            }
        }
    }
}
