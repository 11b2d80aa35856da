//! From the values of a search to what placements lead to: [`Forecast`].

use super::classes::tetris;
use super::outcome::{Outcome, OutcomeInputs, OutcomeNetwork};
use super::parameters::{EARLY, EFFICIENCY, FAR, KILLSCREEN, LESS, NEAR};
use super::strength::Strength;
use super::{Calibration, Estimate, Outlook};
use crate::eval::ntuple::odds;
use crate::search::Weighed;
use maxout_rules::{Board, Piece, Placement, line_points};

/// How placements of one question are forecast: by the tables of the calibration, and up to level 28 by the network of outcomes.
pub(super) struct Forecast {
    pub board: Board,
    pub outlook: Outlook,
    pub next: Option<Piece>,
    pub strength: &'static Strength,
}

impl Forecast {
    /// Returns an estimate for each placement, the best of the search first. None makes more points than that one. Where the
    /// search finds a placement nearly as good, it knows the difference better than the network.
    pub fn estimates(&self, weighed: &[Weighed]) -> Vec<Estimate> {
        let Some(best) = weighed.first() else { return Vec::new() };
        let most = self.estimate(best).points;
        let estimate = |weighed: &Weighed| {
            let own = self.estimate(weighed);
            let apart = (most - own.points).max(0.0);
            let less = self.outlook.quality(best.value) - self.outlook.quality(weighed.value);
            let near = if self.trust() > 0.0 { (1.0 - less / NEAR).clamp(0.0, 1.0) } else { 0.0 };
            let loss = near * LESS * less * self.outlook.tetris + (1.0 - near) * apart;
            Estimate { points: (most - loss).max(0.0), ..own }
        };
        weighed.iter().map(estimate).collect()
    }

    /// How much the network counts. It knows levels up to 28, and near the stop the search sees what is still to come.
    fn trust(&self) -> f32 {
        if self.outlook.level < KILLSCREEN { (self.outlook.lines as f32 / FAR).min(1.0) } else { 0.0 }
    }

    /// What a placement leads to if the asked-for player plays on.
    fn estimate(&self, weighed: &Weighed) -> Estimate {
        let outlook = &self.outlook;
        let tables = self.by_tables(weighed);
        if outlook.level >= KILLSCREEN {
            return tables;
        }
        // The tables are for a player that loses more games from ordinary boards.
        let usual = Calibration::FITTED.estimate(outlook, outlook.ordinary);
        let early = usize::from(outlook.level <= EARLY);
        let lives = 1.0 - self.strength.hazards[early] * usual.topout;
        let alive = ((1.0 - tables.topout) / (1.0 - usual.topout).max(0.01)).min(1.0);
        let more = alive * (self.strength.points[early] - 1.0) * usual.points;
        Estimate {
            points: (tables.points + more).clamp(0.0, outlook.most),
            topout: (1.0 - alive * lives).clamp(0.0, 1.0),
        }
    }

    /// What a placement leads to if the player plays on whose games the tables were fitted to.
    fn by_tables(&self, weighed: &Weighed) -> Estimate {
        let outlook = &self.outlook;
        let plain = Calibration::FITTED.estimate(outlook, weighed.value);
        let trust = self.trust();
        if trust == 0.0 {
            return plain;
        }
        let Placement { x, y, orientation: id } = weighed.placement;
        let lines = { self.board }.lock(x, y, id);
        let reward = line_points(lines, outlook.level) as f32;
        let outcome = self.outcome(weighed, outlook.quality(weighed.value - reward));
        let usual = Calibration::FITTED.estimate(outlook, outlook.ordinary);
        let tetris = tetris(outlook.level);
        let paid = reward - EFFICIENCY * tetris * f32::from(lines) / 4.0;
        let alive = 1.0 - outcome.topout;
        let points = alive * (usual.points + outcome.tetrises * tetris) + paid;
        let mixed = |own: f32, other: f32| own * trust + other * (1.0 - trust);
        Estimate {
            points: mixed(points, plain.points).max(0.0),
            topout: mixed(1.0 - alive * (1.0 - usual.topout), plain.topout).clamp(0.0, 1.0),
        }
    }

    /// What the network says of the board after a placement; a mean over the pieces that may come if the next one is not known.
    fn outcome(&self, weighed: &Weighed, quality: f32) -> Outcome {
        let early = self.outlook.level <= EARLY;
        let of = |next| {
            OutcomeNetwork::shipped().outcome(&OutcomeInputs::new(&weighed.board, next, quality, early))
        };
        if let Some(next) = self.next {
            return of(next);
        }
        let odds = odds(weighed.placement.orientation.piece().unwrap_or(Piece::T));
        let mut mean = Outcome { topout: 0.0, tetrises: 0.0 };
        for (next, odds) in Piece::ALL.into_iter().zip(odds) {
            let one = of(next);
            mean.topout += odds * one.topout;
            mean.tetrises += odds * one.tetrises;
        }
        mean
    }
}
