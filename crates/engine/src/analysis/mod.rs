//! What the strongest player thinks of a position: [`Analyst::rank`] answers a [`Position`] with a [`Verdict`] on every
//! placement, in points of the game. [`Analyst::answer`] also says how each is played: its [`Answer`] is what all programs write.
//!
//! A search compares placements by a value of its own, in which later pieces count less. [`Calibration`] turns that value
//! into what people ask for: the points that are still to come, and the probability of a top-out. Its numbers were fitted
//! on games of `maxout-2ply` ([`Calibration::FITTED`]) up to level 28 with 30 Hz taps. They are corrected to what the player makes that is
//! asked ([`Forecaster`]) at the taps that are asked for, and [`OutcomeNetwork`] corrects both for boards that our own players do not meet; it was
//! trained on games that `maxout-fast` played on. From level 29 on, other numbers say how often games go on at these taps, and where
//! that is in doubt at 30 Hz, a few games are played on.
//!
//! The stop is level 29. From level 29 on the game has no end, and *the stop* is then the next of levels 39, 49 and so on
//! ([`stop_level`]), at most 100 lines away ([`LINES_FROM_29`]). So what is still to be made falls with each line.

mod answer;
mod calibration;
mod classes;
mod forecast;
mod foreknown;
mod hovering;
mod judgement;
mod late;
mod outcome;
mod parameters;
mod playouts;
mod reasons;
mod strength;
mod warnings;
mod written;

use crate::Position;
use crate::limits::Limits;
use crate::search::{Expectimax, Foresight, Weighed};
use maxout_rules::{Board, Placement, Progress};

pub use answer::{Answer, Ranked, Reached};
pub use calibration::{Calibration, Estimate, Forecaster, Outlook, is_at_stop, stop_level, stop_name};
pub use classes::{BOUNDS, MoveClass, blunder, tetris};
use forecast::Forecast;
pub use hovering::Hovering;
pub use judgement::{CannotRest, Judgement};
pub use outcome::{Outcome, OutcomeInputs, OutcomeNetwork};
pub use parameters::LINES_FROM_29;
pub(crate) use parameters::MIRRORED_FROM;
pub use playouts::{GamePlayouts, PairedPlayout, Playout};
pub use reasons::{Reason, reasons};
pub(crate) use strength::Strength;
pub use warnings::warnings;

/// What a placement is worth.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Verdict {
    /// Where the piece locks.
    pub placement: Placement,
    /// The board after it, with full rows cleared.
    pub board_after: Board,
    /// The expected line points from here to the stop, those of this placement included.
    pub points: f32,
    /// How many points less that is than after the best placement; 0 for the best.
    pub loss: f32,
    /// The probability of a top-out before the stop, 0 to 1.
    pub topout: f32,
    /// The search's own number, in points of which those of each later piece count 0.99 times as much. Only differences
    /// between placements of one question mean something.
    pub value: f32,
    /// The best placement of the next piece after this one, if the next piece is known and has a place.
    pub reply: Option<Placement>,
    /// The best placement of each of the seven pieces that may come after all known ones, in the order of
    /// [`Piece::ALL`](maxout_rules::Piece::ALL): after the reply if the next piece is known, and otherwise after this placement.
    pub replies: [Option<Placement>; 7],
}

/// Answers questions, by an expectimax on learned tables. A player makes its analyst ([`Entry::analyst`](crate::player::Entry::analyst)),
/// with its own search and limits and with the tables that the forecasts were fitted to.
///
/// ```
/// use maxout_engine::Position;
/// use maxout_engine::movegen::Start;
/// use maxout_engine::player::find;
/// use maxout_engine::search::Foresight;
/// use maxout_rules::{Board, Piece, Progress};
///
/// let mut analyst = find("maxout-2ply").unwrap().analyst(Foresight::DEFAULT).unwrap();
/// let board: Board = "#########.\n".repeat(4).parse().unwrap();
/// let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(100, 19));
/// let verdicts = analyst.rank(&position);
/// // A tetris, which leaves the board empty.
/// assert_eq!(verdicts[0].board_after, Board::EMPTY);
/// // The worst covers the open column.
/// assert!(verdicts[0].loss == 0.0 && verdicts.last().unwrap().loss > 5_000.0);
/// ```
#[derive(Clone, Debug)]
pub struct Analyst {
    search: Expectimax,
    /// The search that makes the forecasts, if the main search does not have the normal aggression.
    even: Option<Expectimax>,
    /// What plays games on, if the player has other values than the main search: at slow taps.
    plays: Option<Expectimax>,
    /// How many places its presses reach ([`Outlook::reach`]).
    reach: f32,
    /// How good the player is of whose games the forecasts speak.
    strength: &'static Strength,
    /// Who plays games on from level 29 on, once that was asked for.
    quick: Option<Box<Expectimax>>,
}

impl Analyst {
    /// An analyst that ranks by `search`, within its limits, and plays games on by `plays`, if that is another one. A
    /// reaction delay takes no placement of the piece in play away: that one is placed as if the next piece were known from the first
    /// frame on. Later pieces are placed with the delay.
    ///
    /// If the search has an aggression other than the normal one, that decides order and
    /// losses; a second search with the normal aggression forecasts points and top-outs.
    ///
    /// ```
    /// use maxout_engine::Position;
    /// use maxout_engine::analysis::Analyst;
    /// use maxout_engine::movegen::Start;
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::{Aggression, Foresight};
    /// use maxout_rules::{Board, Piece, Progress};
    /// let fast = find("maxout-fast").unwrap();
    /// let bold = fast.with_aggression("boldest".parse::<Aggression>().unwrap()).unwrap();
    /// let board: Board = "##.#######\n".repeat(9).parse().unwrap();
    /// let position = Position::spawn(board, Piece::L, Some(Piece::S), Progress::at(50, 19));
    /// let all = fast.analyst(Foresight::DEFAULT).unwrap().rank(&position);
    /// for verdict in bold.analyst(Foresight::DEFAULT).unwrap().rank(&position) {
    ///     let same = all.iter().find(|same| same.placement == verdict.placement).unwrap();
    ///     assert_eq!((verdict.points, verdict.topout), (same.points, same.topout));
    /// }
    /// ```
    pub(crate) fn of(search: Expectimax, plays: Option<Expectimax>, strength: &'static Strength) -> Self {
        let reach = calibration::reach(search.input_limits());
        Self { even: search.even(), plays, reach, search, strength, quick: None }
    }

    /// The same analyst, whose forecasts are for a player of this strength.
    pub(crate) fn for_strength(self, strength: &'static Strength) -> Self {
        Self { strength, ..self }
    }

    /// Returns the input limits within which every piece is played.
    pub const fn limits(&self) -> Limits {
        self.search.input_limits()
    }

    /// The same analyst, whose searches go no deeper after the nodes of `foresight`.
    pub fn with_foresight(self, foresight: Foresight) -> Self {
        let [even, plays] =
            [self.even, self.plays].map(|search| search.map(|search| search.with_foresight(foresight)));
        Self { search: self.search.with_foresight(foresight), even, plays, ..self }
    }

    /// Returns a verdict on every placement that the limits allow, best first. The list is empty if the piece in play has
    /// no placement, which ends the game.
    pub fn rank(&mut self, position: &Position) -> Vec<Verdict> {
        self.rank_with(position, None)
    }

    /// Does what [`Analyst::rank`] does, with a verdict on the placement `also`, too, even if the limits do not allow it.
    /// It is left out if the piece cannot rest there.
    pub fn rank_with(&mut self, position: &Position, also: Option<Placement>) -> Vec<Verdict> {
        let weighed = self.search.weigh_either_way(position, also, true);
        let forecast = self.forecast_of(position);
        let forecast = Forecast { shift: self.shift(position, &forecast, &weighed), ..forecast };
        let estimates = forecast.estimates(&weighed);
        // Forecasts are those of the normal aggression.
        let even = self.even.as_mut().map(|even| even.weigh_either_way(position, also, true));
        let even = even.map(|even| (forecast.estimates(&even), even));
        let of_even = |placement| {
            let (estimates, even) = even.as_ref()?;
            let at = even.iter().position(|even| even.placement == placement)?;
            Some(estimates[at])
        };
        let most = estimates.first().map_or(0.0, |best| best.points);
        let mut verdicts: Vec<Verdict> = weighed
            .iter()
            .zip(&estimates)
            .map(|(weighed, own)| {
                Verdict::of(weighed, of_even(weighed.placement).unwrap_or(*own), most - own.points)
            })
            .collect();
        // Those that lose the same stay in the order of the search.
        verdicts.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        verdicts
    }

    /// Returns what the best placement leads to: the points and the top-out of the first verdict of [`Analyst::rank`], in a fraction of the time.
    /// From level 29 on it plays no games for that. `None` if the piece in play has no placement.
    pub fn forecast(&mut self, position: &Position) -> Option<Estimate> {
        if self.even.is_some() {
            let verdicts = self.rank(position);
            return verdicts.first().map(|best| Estimate { points: best.points, topout: best.topout });
        }
        let best = self.search.weigh_either_way(position, None, false);
        self.forecast_of(position).estimates(&best).pop()
    }

    /// How placements of a question are forecast by what is seen, once the search has weighed them.
    fn forecast_of(&mut self, position: &Position) -> Forecast {
        let &Position { board, next, .. } = position;
        let outlook = self.outlook_of(position);
        Forecast { board, outlook, next, strength: self.strength, shift: 0.0 }
    }

    /// Returns the best placement of the piece in play for each piece that may come next, in the order of [`Piece::ALL`](maxout_rules::Piece::ALL).
    /// Where they differ, it pays to wait and adjust. The known next piece, if any, is ignored. Behind the next piece, values are
    /// static evaluations, or deeper by up to two pieces where that decides ([`Expectimax::previews`]).
    pub fn adjustments(&mut self, position: &Position) -> [Option<Placement>; 7] {
        let previews = self.search.previews(position);
        std::array::from_fn(|next| {
            let best = previews.iter().max_by(|a, b| a.1[next].total_cmp(&b.1[next]));
            best.map(|&(placement, _)| placement)
        })
    }

    /// Returns how values are read at `progress` in an NTSC game.
    pub fn outlook(&mut self, progress: Progress) -> Outlook {
        let (ordinary, tetris) = self.search.ordinary(progress);
        Outlook::new(progress, ordinary, tetris, self.reach)
    }

    /// The same in the version of the game that the position is of.
    fn outlook_of(&mut self, position: &Position) -> Outlook {
        let progress = position.progress;
        Outlook { falls_as: position.start.fall_rule.ntsc_level(progress.level), ..self.outlook(progress) }
    }
}

impl Verdict {
    fn of(weighed: &Weighed, forecast: Estimate, loss: f32) -> Self {
        Self {
            placement: weighed.placement,
            board_after: weighed.board,
            points: forecast.points,
            loss,
            topout: forecast.topout,
            value: weighed.value,
            reply: weighed.reply,
            replies: weighed.replies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::{Env, EnvRules};
    use crate::player::find;
    use maxout_rules::random::Dice;

    fn fast() -> Analyst {
        find("maxout-fast").expect("a player").analyst(Foresight::DEFAULT).expect("an analyst")
    }

    /// The game does not know left from right, but for a tap more or less, which costs little at 30 Hz. Where it decides, the search itself says that one of
    /// the two is worth a tetris less: of these boards one, 18 rows high, from which 200 games each make 0 and 9,088 ± 319 points.
    #[test]
    fn a_board_is_worth_what_its_mirror_image_is() {
        let (mut analyst, mut dice) = (fast(), Dice::new(11));
        let (mut apart, mut sizes, mut boards) = (0.0, 0.0, 0.0);
        for seed in 0..4 {
            let mut env = Env::new(EnvRules::game(18), seed);
            let mut list = Vec::new();
            while env.end().is_none() && env.pieces() < 60 {
                let position = env.position();
                let image = Position::spawn(
                    position.board.mirrored(),
                    env.piece().mirrored(),
                    Some(env.next_piece().mirrored()),
                    position.progress,
                );
                let verdicts = analyst.rank(&position);
                let Some(best) = verdicts.first() else { break };
                let outlook = analyst.outlook_of(&position);
                let mut quality = |of: &Position| {
                    let best = analyst.search.weigh_either_way(of, None, false).pop();
                    best.map_or(0.0, |best| outlook.quality(best.value))
                };
                if env.pieces().is_multiple_of(3) && (quality(&position) - quality(&image)).abs() < 1.0 {
                    let of_image = analyst.forecast(&image).map_or(0.0, |image| image.points);
                    apart += best.points - of_image;
                    sizes += (best.points - of_image).abs();
                    boards += 1.0;
                }
                // One piece in six lies anywhere, so that boards differ.
                env.placements(&mut list);
                let astray = dice.below(6) == 0;
                let placement = if astray { list[dice.below(list.len())] } else { best.placement };
                env.step(placement).expect("a place");
            }
        }
        let (apart, sizes) = (apart / boards, sizes / boards);
        println!("{boards} boards, {apart:.0} apart on average, without the sign {sizes:.0}");
        assert!(boards > 60.0 && apart.abs() < 1_500.0 && sizes < 2_000.0, "{apart}, {sizes}");
    }
}
