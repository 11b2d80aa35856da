//! From the values of a search to what placements lead to: [`Forecast`].

use super::calibration::{at_reach, place};
use super::classes::tetris;
use super::outcome::{Outcome, OutcomeInputs, OutcomeNetwork, power};
use super::parameters::{
    ALIVE, AT_LEAST, BEFORE, BETTER, EARLY, EFFICIENCY, FAR, KILLSCREEN, LESS, NEAR, QUALITIES_BETTER,
    REACHES, REAL, REAL_FROM_29, REAL_REST, TAP_HAZARDS, TAP_POINTS, UNSURE, UNSURE_FROM_29,
};
use super::strength::Strength;
use super::{Calibration, Estimate, Outlook};
use crate::eval::ntuple::odds;
use crate::search::Weighed;
use maxout_rules::{Board, Piece, Placement, line_points};

/// How placements of one question are forecast: up to level 28 by the tables of the calibration and the network of outcomes, from there on by
/// what is seen of the board, the network among it, and by a few games played on.
pub(super) struct Forecast {
    pub board: Board,
    pub outlook: Outlook,
    pub next: Option<Piece>,
    pub strength: &'static Strength,
    /// From level 29 on: how much more often games go on that were played on from the first placement than the board says, as a difference of
    /// log odds.
    pub shift: f32,
}

impl Forecast {
    /// Returns an estimate for each placement, the best of the search first. None makes more points than that one. Where the
    /// search finds a placement nearly as good, it knows the difference better than the network; where it finds one much worse, the network
    /// does not outweigh it.
    pub fn estimates(&self, weighed: &[Weighed]) -> Vec<Estimate> {
        let Some(best) = weighed.first() else { return Vec::new() };
        // What ordinary boards make.
        let usual = Calibration::FITTED.estimate(&self.outlook, self.outlook.ordinary);
        let first = self.at_stop(best).unwrap_or_else(|| self.estimate(best, &usual));
        let estimate = |weighed: &Weighed| {
            if let Some(sure) = self.at_stop(weighed) {
                return sure;
            }
            let own = self.estimate(weighed, &usual);
            let (loss, real) = self.difference(&first, &own, &usual);
            let less = self.outlook.quality(best.value) - self.outlook.quality(weighed.value);
            let near = if self.trust() > 0.0 { (1.0 - less / NEAR).clamp(0.0, 1.0) } else { 0.0 };
            let loss = near * LESS * less * self.outlook.tetris + (1.0 - near) * loss;
            let loss = loss.max(self.trust() * AT_LEAST * (less - 1.0) * self.outlook.tetris);
            let topout = first.topout + real * (own.topout - first.topout);
            self.at_these_taps(Estimate { points: (first.points - loss).max(0.0), topout })
        };
        let mut estimates: Vec<Estimate> = weighed.iter().map(estimate).collect();
        // The search's best is worth no less than what another placement pays for certain.
        let sure = weighed.iter().filter_map(|weighed| self.at_stop(weighed)).map(|sure| sure.points);
        let most = sure.fold(estimates[0].points, f32::max);
        estimates[0].points = most;
        for estimate in &mut estimates {
            estimate.points = estimate.points.min(most);
        }
        estimates
    }

    /// What an estimate for 30 Hz is at the taps that are asked for. Network and tables know only 30 Hz up to level 28; from 29 on they know the
    /// taps themselves.
    fn at_these_taps(&self, at_30_hz: Estimate) -> Estimate {
        let Outlook { falls_as, reach, .. } = self.outlook;
        if falls_as >= KILLSCREEN || reach >= REACHES[REACHES.len() - 1] {
            return at_30_hz;
        }
        let early = usize::from(falls_as <= EARLY);
        let [hazard, share] = [TAP_HAZARDS, TAP_POINTS].map(|of| at_reach(&of[early], reach));
        let alive = f64::from(1.0 - at_30_hz.topout).max(0.0);
        let alive_now = power(alive, hazard);
        // Of all games that live at 30 Hz.
        let still = if alive > 0.0 { (alive_now / alive).min(1.0) } else { 1.0 };
        let points = f64::from(at_30_hz.points) * share * (still + BEFORE * (1.0 - still));
        Estimate { points: points as f32, topout: (1.0 - alive_now) as f32 }
    }

    /// How much a placement really loses against the first one of the search, and which share of the difference in top-outs is real.
    /// Forecasts are uncertain, and of many the worst is rather too low and the first rather too high. So a difference counts less the
    /// smaller it is, and up to level 28 less where even the first placement loses most games.
    fn difference(&self, first: &Estimate, own: &Estimate, usual: &Estimate) -> (f32, f32) {
        let more = own.topout - first.topout;
        let apart = (first.points - own.points).max(0.0);
        let real = |[least, whole]: [f32; 2]| least + (1.0 - least) * (more.abs() / whole).min(1.0);
        if self.outlook.falls_as >= KILLSCREEN {
            let unsure = UNSURE_FROM_29 * (first.topout / UNSURE).min(1.0);
            let real = (1.0 - unsure) * real(REAL_FROM_29);
            return (real * apart, real);
        }
        let alive = (ALIVE * (1.0 - first.topout)).min(1.0);
        let real = alive * real(REAL);
        // What the lost games would have made.
        let lost = more * usual.points;
        let rest = first.points - own.points - lost;
        ((alive * REAL_REST * rest + real * lost).clamp(0.0, first.points), real)
    }

    /// How much the network counts. It knows levels up to 28, and near the stop the search sees what is still to come.
    fn trust(&self) -> f32 {
        if self.outlook.falls_as < KILLSCREEN { (self.outlook.lines as f32 / FAR).min(1.0) } else { 0.0 }
    }

    /// What a placement leads to if the asked-for player plays on.
    fn estimate(&self, weighed: &Weighed, usual: &Estimate) -> Estimate {
        let outlook = &self.outlook;
        if outlook.falls_as >= KILLSCREEN {
            return self.late(weighed);
        }
        let tables = self.by_tables(weighed, usual);
        // The tables are for a player that loses more games from ordinary boards.
        let early = usize::from(outlook.falls_as <= EARLY);
        let lives = 1.0 - self.strength.hazards[early] * usual.topout;
        let alive = ((1.0 - tables.topout) / (1.0 - usual.topout).max(0.01)).min(1.0);
        let more = alive * (self.strength.points[early] - 1.0) * usual.points;
        Estimate {
            points: (tables.points + more).clamp(0.0, outlook.most),
            topout: (1.0 - alive * lives).clamp(0.0, 1.0),
        }
    }

    /// What a placement leads to if the player plays on whose games the tables were fitted to.
    fn by_tables(&self, weighed: &Weighed, usual: &Estimate) -> Estimate {
        let outlook = &self.outlook;
        let plain = Calibration::FITTED.estimate(outlook, weighed.value);
        let trust = self.trust();
        if trust == 0.0 {
            return plain;
        }
        let lines = self.lines(weighed);
        let reward = line_points(lines, weighed.progress.level) as f32;
        let quality = outlook.quality_after(weighed.value, lines, weighed.progress.level);
        let outcome = self.outcome(weighed, quality);
        let tetris = tetris(outlook.level);
        let paid = reward - EFFICIENCY * tetris * f32::from(lines) / 4.0;
        let alive = 1.0 - outcome.topout;
        let (knot, behind) = place(&QUALITIES_BETTER, quality);
        let better = BETTER[knot] + (BETTER[knot + 1] - BETTER[knot]) * behind as f32;
        let points = alive * (usual.points + (outcome.tetrises + better) * tetris) + paid;
        let mixed = |own: f32, other: f32| own * trust + other * (1.0 - trust);
        Estimate {
            points: mixed(points, plain.points).max(0.0),
            topout: mixed(1.0 - alive * (1.0 - usual.topout), plain.topout).clamp(0.0, 1.0),
        }
    }

    /// What a placement pays that reaches the stop, if it does: nothing comes after it.
    fn at_stop(&self, weighed: &Weighed) -> Option<Estimate> {
        let lines = self.lines(weighed);
        let points = line_points(lines, weighed.progress.level) as f32;
        (u32::from(lines) >= self.outlook.lines).then_some(Estimate { points, topout: 0.0 })
    }

    /// The lines that a placement clears.
    pub(super) fn lines(&self, weighed: &Weighed) -> u8 {
        let Placement { x, y, orientation } = weighed.placement;
        { self.board }.lock(x, y, orientation)
    }

    /// What the network says of the board after a placement; a mean over the pieces that may come if the next one is not known.
    pub(super) fn outcome(&self, weighed: &Weighed, quality: f32) -> Outcome {
        let level = self.outlook.falls_as;
        // As by the search; the quality is that of the mirrored board, too.
        let is_mirrored = level < KILLSCREEN && weighed.in_mirror;
        let board = if is_mirrored { weighed.board.mirrored() } else { weighed.board };
        let of = |next: Piece| {
            let next = if is_mirrored { next.mirrored() } else { next };
            OutcomeNetwork::shipped().outcome(&OutcomeInputs::new(&board, next, quality, level <= EARLY))
        };
        if let Some(next) = self.next {
            return of(next);
        }
        let odds = odds(weighed.placement.orientation.piece());
        let mut mean = Outcome { topout: 0.0, tetrises: 0.0 };
        for (next, odds) in Piece::ALL.into_iter().zip(odds) {
            let one = of(next);
            mean.topout += odds * one.topout;
            mean.tetrises += odds * one.tetrises;
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::env::{Env, EnvRules};
    use crate::limits::{Limits, TapTable};
    use crate::player::find;
    use crate::search::Foresight;
    use maxout_rules::random::Dice;
    use maxout_rules::{Orientation, Progress};

    /// 226 and 228 lines at the start of the last level: the tetris is the end, and pays what the game's rules say (the-game.md 5.3).
    #[test]
    fn a_placement_that_reaches_the_stop_makes_what_it_pays_and_loses_no_game() {
        let board: Board = "#########.\n".repeat(4).parse().expect("art");
        for (name, limits) in
            [("maxout", Limits::EACH_BUTTON), ("maxout-fast", Limits::taps(TapTable::HZ_12))]
        {
            let player = find(name).expect("a player").with_limits(limits).expect("it takes all taps");
            let mut analyst = player.analyst(Foresight::DEFAULT).expect("an analyst");
            for lines in [226, 228, 229] {
                let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(lines, 28));
                let ranked = analyst.rank(&position);
                let tetris = ranked.iter().find(|ranked| ranked.placement.x == 9).expect("it fits");
                assert_eq!(
                    (tetris.points, tetris.topout),
                    (36_000.0, 0.0),
                    "{name}, {lines} lines: {tetris:?}"
                );
            }
        }
    }

    /// [`BETTER`] falls between these qualities. With what the network says, a board of another value is still forecast to make more where it is better.
    #[test]
    fn a_board_that_the_search_values_more_is_not_forecast_to_make_less() {
        let player = find("maxout-fast").expect("a player");
        let (mut analyst, mut dice) = (player.analyst(Foresight::DEFAULT).expect("an analyst"), Dice::new(3));
        let (mut list, mut more) = (Vec::new(), Vec::new());
        for seed in 0..12 {
            let mut env = Env::new(EnvRules::game(18 + (seed % 2) as u8), 700 + seed);
            while env.end().is_none() && env.pieces() < 90 {
                let position = env.position();
                let Some(best) = analyst.search.weigh_either_way(&position, None, false).pop() else { break };
                let forecast = analyst.forecast_of(&position);
                let usual = Calibration::FITTED.estimate(&forecast.outlook, forecast.outlook.ordinary);
                let points = |tetrises: f32| {
                    let value = best.value + tetrises * forecast.outlook.tetris;
                    forecast.estimate(&Weighed { value, ..best }, &usual).points
                };
                let quality = forecast.outlook.quality(best.value);
                if env.pieces().is_multiple_of(3) && (-5.0..-0.5).contains(&quality) {
                    more.push((points(1.0) - points(-1.0)) / tetris(position.progress.level));
                }
                env.placements(&mut list);
                let astray = dice.below(5) == 0;
                let at = if astray { list[dice.below(list.len())] } else { best.placement };
                env.step(at).expect("a place");
            }
        }
        let mean = more.iter().sum::<f32>() / more.len() as f32;
        let least = more.iter().copied().fold(f32::INFINITY, f32::min);
        println!("{} boards, {mean:.2} tetrises more on average, {least:.2} at least", more.len());
        assert!(more.len() > 60 && mean > 0.5 && least > -0.1, "{mean}, {least}");
    }

    /// It loses 15,174 ± 1,974 points: 300 pairs of games, played on for 64 pieces. The network alone says 7,276, and the search 55,800.
    #[test]
    fn a_placement_over_a_deep_well_is_a_mistake() {
        let ready = "#########.\n".repeat(6);
        let board: Board = format!("####......\n#######...\n########..\n{ready}").parse().expect("a board");
        let player = find("maxout-fast").expect("a player");
        let mut analyst = player.analyst(Foresight::DEFAULT).expect("an analyst");
        let position = Position::spawn(board, Piece::J, Some(Piece::T), Progress::at(60, 18));
        let over = Placement { x: 9, y: 12, orientation: Orientation::JLeft };
        let said = analyst.rank_with(&position, Some(over));
        let own = said.iter().find(|verdict| verdict.placement == over).expect("it is reached");
        let loss = said[0].points - own.points;
        assert!((11_000.0..19_500.0).contains(&loss), "{loss} points");
    }
}
