//! What one placement lost: [`Judgement`].

use super::classes::tetris;
use super::parameters::{FORECAST_ERROR, FORECAST_ERROR_LEAST};
use super::{Analyst, MoveClass, Verdict, reasons};
use crate::Position;
use crate::movegen::placements;
use maxout_rules::{Piece, Placement};
use thiserror::Error;

/// What a placement lost against the best one.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The verdict on the placement.
    pub verdict: Verdict,
    /// The verdict on the best placement that the limits allow.
    pub best: Verdict,
    /// The points lost against the best; 0 if the placement is better than anything within the limits. A forecast
    /// ([`Judgement::forecast_loss`]), unless games were played on ([`Judgement::weigh`]).
    pub loss: f32,
    /// How good the placement is.
    pub class: MoveClass,
    /// Whether the limits allow it.
    pub within_limits: bool,
    /// Every placement that the limits allow, best first, with its loss against the best of them.
    pub possible: Vec<Verdict>,
}

/// The error that the piece in play cannot rest in a placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CannotRest {
    /// It is a placement of another piece.
    #[error("{placement}: a placement of {}, expected one of {expected}, which is in play", .placement.orientation.piece())]
    OtherPiece {
        /// Where it was to rest.
        placement: Placement,
        /// The piece in play.
        expected: Piece,
    },
    /// A cell of it is taken or outside the board.
    #[error("{0}: does not fit, expected free cells of the board")]
    Overlaps(Placement),
    /// It can fall further.
    #[error("{0}: hangs in the air, expected a placement that can fall no further")]
    Hangs(Placement),
}

impl Judgement {
    /// Returns the points that are forecast to be lost against the best, whatever was measured.
    pub fn forecast_loss(&self) -> f32 {
        (self.best.points - self.verdict.points).max(0.0)
    }

    /// Takes into account how many points games on this `level` lost that were played on from both placements, with the standard `error` of
    /// their mean. [`loss`](Self::loss) becomes the mean of forecast and measurement, each weighed by one over the square of its error; at
    /// least 0 and at most what was to be made. [`class`](Self::class) follows. A measurement that is not finite is ignored.
    pub fn weigh(&mut self, level: u8, measured: f32, error: f32) {
        if !measured.is_finite() || !error.is_finite() {
            return;
        }
        let forecast = self.forecast_loss();
        let square = |number: f32| number * number;
        let own = square(FORECAST_ERROR * forecast) + square(FORECAST_ERROR_LEAST * tetris(level));
        let weight = own / (own + square(error));
        self.loss = (forecast + weight * (measured - forecast)).clamp(0.0, self.best.points.max(0.0));
        self.class = class(self.loss, level, self.within_limits);
    }

    /// Says in words why `verdict`, of this class, is worse than the best placement of the question that was judged. Nothing is
    /// said of placements that lose less than an inaccuracy.
    pub fn why(&self, position: &Position, verdict: &Verdict, class: MoveClass) -> Vec<String> {
        if !matches!(class, MoveClass::Inaccuracy | MoveClass::Mistake | MoveClass::Blunder) {
            return Vec::new();
        }
        reasons(position, verdict, &self.best).iter().map(ToString::to_string).collect()
    }
}

/// The class of a placement on this level.
fn class(loss: f32, level: u8, within_limits: bool) -> MoveClass {
    match MoveClass::of(loss, level) {
        MoveClass::Best | MoveClass::Excellent | MoveClass::Good if !within_limits => MoveClass::Rapid,
        class => class,
    }
}

impl Analyst {
    /// Judges one placement within the [limits](Analyst::limits) of the analyst. Fails if the piece in play cannot rest there.
    ///
    /// ```
    /// use maxout_engine::Position;
    /// use maxout_engine::analysis::MoveClass;
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::Foresight;
    /// use maxout_rules::{Board, Piece, Placement, Progress};
    ///
    /// let mut analyst = find("maxout-2ply").unwrap().analyst(Foresight::DEFAULT).unwrap();
    /// let board: Board = "#########.\n".repeat(4).parse().unwrap();
    /// let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(100, 19));
    /// let tetris = analyst.rank(&position)[0].placement;
    /// let judgement = analyst.judge(&position, tetris).unwrap();
    /// assert_eq!((judgement.class, judgement.loss), (MoveClass::Best, 0.0));
    ///
    /// let error = analyst.judge(&position, Placement { y: 5, ..tetris }).unwrap_err();
    /// assert!(error.to_string().contains("hangs in the air"));
    /// ```
    pub fn judge(&mut self, position: &Position, placement: Placement) -> Result<Judgement, CannotRest> {
        let expected = position.start.orientation.piece();
        let Placement { x, y, orientation } = placement;
        if orientation.piece() != expected {
            return Err(CannotRest::OtherPiece { placement, expected });
        }
        if y >= 20 || !position.board.is_valid(x, y, orientation) {
            return Err(CannotRest::Overlaps(placement));
        }
        let verdicts = self.rank_with(position, Some(placement));
        let found = verdicts.iter().find(|verdict| verdict.placement == placement);
        let verdict = *found.ok_or(CannotRest::Hangs(placement))?;
        let mut reachable = Vec::new();
        placements(&position.board, &position.start, self.limits(), &mut reachable);
        let within_limits = reachable.contains(&placement);
        let mut possible = verdicts;
        possible.retain(|verdict| reachable.contains(&verdict.placement));
        let best = possible.first().copied().unwrap_or(verdict);
        for verdict in &mut possible {
            verdict.loss = (best.points - verdict.points).max(0.0);
        }
        let loss = (best.points - verdict.points).max(0.0);
        let class = class(loss, position.progress.level, within_limits);
        Ok(Judgement { verdict, best, loss, class, within_limits, possible })
    }
}

#[cfg(test)]
mod tests {
    use maxout_rules::{Board, Piece};

    use super::*;

    /// What a placement counts as on level 19 that is forecast to lose this, of 1,400,000 points, and was measured to lose that.
    fn weighed(forecast: f32, measured: f32, error: f32, within_limits: bool) -> (f32, MoveClass) {
        let verdict = |points| Verdict {
            placement: Placement { x: 4, y: 19, orientation: Piece::O.spawn() },
            board_after: Board::EMPTY,
            points,
            loss: 0.0,
            topout: 0.0,
            value: 0.0,
            reply: None,
            replies: [None; 7],
        };
        let (verdict, best) = (verdict(1_400_000.0 - forecast), verdict(1_400_000.0));
        let class = class(forecast, 19, within_limits);
        let mut judgement =
            Judgement { verdict, best, loss: forecast, class, within_limits, possible: Vec::new() };
        judgement.weigh(19, measured, error);
        (judgement.loss, judgement.class)
    }

    /// By hand: errors of 60 % of the forecast and 2,400 points; 107,735 and 59,959 ± 14,769 weigh 5 and 95 %.
    #[test]
    fn a_loss_is_between_forecast_and_measurement_by_their_errors() {
        for (forecast, measured, error, expected, class) in [
            (107_735.0, 59_959.0, 14_769.0, 62_326.0, MoveClass::Blunder),
            (37_486.0, -4_497.0, 4_101.0, 0.0, MoveClass::Best),
            (36_787.0, 40_708.0, 2_514.0, 40_658.0, MoveClass::Blunder),
            (20_000.0, 7_000.0, 0.0, 7_000.0, MoveClass::Inaccuracy),
            // Nothing was measured.
            (20_000.0, f32::NAN, 1_000.0, 20_000.0, MoveClass::Blunder),
            (20_000.0, 1_000.0, f32::INFINITY, 20_000.0, MoveClass::Blunder),
            // No more than there was to make.
            (20_000.0, 3_000_000.0, 1_000.0, 1_400_000.0, MoveClass::Blunder),
        ] {
            let (loss, told) = weighed(forecast, measured, error, true);
            assert!(
                (loss - expected).abs() < 1.0,
                "{forecast}, {measured} ± {error}: {loss}, expected {expected}"
            );
            assert_eq!(told, class, "{forecast}, {measured} ± {error}");
        }
        assert_eq!(weighed(37_486.0, -4_497.0, 4_101.0, false).1, MoveClass::Rapid);
    }
}
