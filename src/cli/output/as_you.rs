//! How a game goes on if whoever played it plays on: [`AsYou`].

use std::sync::atomic::Ordering;

use serde::Serialize;

use crate::cli::interrupt;
use crate::cli::output::{played_on::play_games, progress::Progress};
use crate::review::MeasuredLoss;
use crate::stats::Summary;
use crate::words::{count, decimal};
use maxout_engine::analysis::{Analyst, Estimate, GamePlayouts, Outlook, stop_name};
use maxout_engine::env::GameEnd;
use maxout_host::review::{
    GamePhase, JudgedPiece, MoveClass, PlacedPiece, PlayStyle, PlayedGame, StyledGame, misdrop_rate, summary,
};

/// Games from the first position.
const GAMES: u64 = 80;
/// Pairs of games from each moment that mattered, and the pieces of each.
const PAIRS: u64 = 50;
const PIECES: usize = 40;
/// What comes after them is told where at least this number of the games from the first position came so far.
const FEWEST: usize = 10;
/// More pieces than any game needs.
const ALL_PIECES: usize = 2_000;

/// How whoever played plays, and what comes if they play on. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
pub(crate) struct AsYou {
    /// The taps ([`maxout_engine::limits::Presses::name`]).
    taps: String,
    /// From how many placements the style was measured ([`PlayStyle::placements`]).
    placements: usize,
    /// The share of the pieces that were misdropped ([`misdrop_rate`]).
    misdrops: f64,
    misdrops_se: f64,
    /// The share of the losses at sight that counts ([`PlayStyle::share`]).
    loss_share: f32,
    /// How often a placement is of each class, by phase.
    phases: Vec<StyledPhase>,
    /// Games from the first placement on.
    games: u64,
    points: f64,
    points_se: f64,
    /// The share of the games that topped out before the stop, and the share of lines by tetrises.
    topout: f64,
    tetris_rate: f64,
    /// What each moment that mattered cost.
    moments: Vec<MeasuredLoss>,
    /// Moments that mattered where too few of the games came.
    #[serde(skip)]
    untold: Vec<usize>,
    /// What the player that judges would make of the first position.
    #[serde(skip)]
    others: Estimate,
    /// Where the games stop.
    stop: String,
}

/// How a player plays in a phase of the game.
#[derive(Serialize)]
struct StyledPhase {
    phase: GamePhase,
    /// Shares of placements, from Best to Blunder.
    classes: [f64; 6],
}

impl AsYou {
    /// Measures the style of a game, and plays on in it with these taps. `analyst` says what positions are worth. `None` after an interrupt, or with a
    /// warning about the game of this name if it has too few placements.
    pub(crate) fn of(
        (name, game, judged): (&str, &PlayedGame, &[JudgedPiece]),
        (playouts, analyst): (&GamePlayouts, &Analyst),
        taps: String,
        jobs: usize,
    ) -> anyhow::Result<Option<Self>> {
        let pieces: Vec<PlacedPiece> = judged.iter().map(|judged| judged.placed).collect();
        let interrupt = interrupt::flag()?;
        let bar = Progress::new(0, "games");
        bar.message("measuring how you play");
        let go_on = || !interrupt.load(Ordering::Relaxed);
        let style = PlayStyle::of(&pieces, playouts, analyst, jobs, &go_on);
        bar.finish();
        if let Err(known) = style {
            log::warn!(
                "--as me: {name}: {} that follow each other, expected at least {} to say how you play",
                count(known as u64, "placement"),
                PlayStyle::ENOUGH
            );
        }
        let (Ok(Some(style)), Some(first)) = (style, judged.first()) else { return Ok(None) };
        // Games from the first position say nothing of a moment from which games stop elsewhere.
        let stop = |placed: &PlacedPiece| placed.progress.lines() + Outlook::all_tetrises(placed.progress).0;
        let (moments, untold): (Vec<usize>, Vec<usize>) = summary(judged)
            .moments
            .into_iter()
            .partition(|number| stop(&judged[number - 1].placed) == stop(&first.placed));
        let bar = Progress::new(GAMES + PAIRS * moments.len() as u64, "games");
        let position = first.placed.position();
        let games = play_games(playouts, GAMES, jobs, &bar, |playouts, seed| {
            style.play_on(playouts, &position, None, ALL_PIECES, seed)
        })?;
        if (games.len() as u64) < GAMES {
            return Ok(None);
        }
        let of = |what: fn(&StyledGame) -> f64| Summary::of(&games.iter().map(what).collect::<Vec<_>>());
        let points = of(|game| game.made().1 as f64);
        let [misdrops, misdrops_se] = misdrop_rate(game, judged);
        let mut you = Self {
            taps,
            placements: style.placements(),
            misdrops,
            misdrops_se,
            loss_share: style.share(),
            phases: phases(judged),
            games: GAMES,
            points: points.mean,
            points_se: points.se,
            topout: of(|game| f64::from(u8::from(game.end == Some(GameEnd::TopOut)))).mean,
            tetris_rate: of(StyledGame::tetris_rate).mean,
            moments: Vec::new(),
            untold,
            others: Estimate { points: first.judgement.best.points, topout: first.judgement.best.topout },
            stop: stop_name(first.placed.progress),
        };
        for number in moments {
            let JudgedPiece { placed, judgement, .. } = &judged[number - 1];
            let position = placed.position();
            // Displays of lines that were read wrong may fall.
            let Some(since) = placed.progress.lines().checked_sub(first.placed.progress.lines()) else {
                you.untold.push(number);
                continue;
            };
            let pairs = play_games(playouts, PAIRS, jobs, &bar, |playouts, seed| {
                [judgement.best.placement, placed.placement].map(|at| {
                    let game = style.play_on(playouts, &position, Some(at), PIECES, seed);
                    let (lines, points) = game.made();
                    (points as f64, game.end.is_none().then_some(since + lines))
                })
            })?;
            if (pairs.len() as u64) < PAIRS {
                return Ok(None);
            }
            match lost(&games, &pairs) {
                Some([loss, loss_se]) => {
                    you.moments.push(MeasuredLoss { number, games: PAIRS, loss, loss_se });
                }
                None => you.untold.push(number),
            }
        }
        you.untold.sort_unstable();
        bar.finish();
        Ok(Some(you))
    }

    /// The same as text; `player` judged.
    pub(crate) fn text(&self, player: &str) -> String {
        let Self {
            taps,
            placements,
            misdrops,
            misdrops_se,
            points,
            points_se,
            topout,
            tetris_rate,
            others,
            stop,
            ..
        } = self;
        let [made, error, best] =
            [*points, *points_se, others.points.into()].map(|points| decimal(points, 0));
        let mut text = format!(
            "played on as you play from the first piece: {made} ± {error} points expected, {:.0} % reach {stop}, {:.0} % of the lines by tetrises; by {player} {best}, {:.0} %",
            100.0 * (1.0 - topout),
            100.0 * tetris_rate,
            100.0 * (1.0 - others.topout),
        );
        text += &format!(
            "\nhow you play, from {placements} placements, taps {taps}: {:.1} ± {:.1} % of the pieces misdropped",
            100.0 * misdrops,
            100.0 * misdrops_se
        );
        for StyledPhase { phase, classes } in &self.phases {
            let shares: Vec<String> = MoveClass::ALL
                .iter()
                .zip(classes)
                .map(|(class, share)| format!("{:.0} % {}", 100.0 * share, class.name()))
                .collect();
            let levels = match phase {
                GamePhase::All => "all levels".to_owned(),
                _ => format!("levels {}", phase.name()),
            };
            text += &format!("; {levels}: {}", shares.join(", "));
        }
        for MeasuredLoss { number, games, loss, loss_se } in &self.moments {
            let [loss, se] = [*loss, *loss_se].map(|points| decimal(points, 0));
            let pairs = count(*games, "pair");
            text +=
                &format!("\nfor you, piece {number} cost {loss} ± {se} points ({pairs} of games played on)");
        }
        for number in &self.untold {
            text += &format!(
                "\nfor you, piece {number}: not measured, as fewer than {FEWEST} of {GAMES} games from the first piece come so far"
            );
        }
        text
    }
}

/// How often placements were of each class in the phases that have enough of them, or in the whole game. Those that take faster presses are left out.
fn phases(judged: &[JudgedPiece]) -> Vec<StyledPhase> {
    let of = |phase: GamePhase| {
        let inside = judged.iter().filter(|judged| phase.has(judged.placed.progress.level));
        let classes: Vec<usize> = inside.map(|judged| judged.judgement.class as usize).collect();
        let enough = phase == GamePhase::All || classes.len() >= PlayStyle::ENOUGH;
        let count = |class| classes.iter().filter(|&&own| own == class).count() as f64;
        let counts: [f64; 6] = std::array::from_fn(count);
        let all = counts.iter().sum::<f64>().max(1.0);
        enough.then_some(StyledPhase { phase, classes: counts.map(|count| count / all) })
    };
    let phases: Vec<StyledPhase> = GamePhase::ALL.into_iter().skip(1).filter_map(of).collect();
    if phases.is_empty() { of(GamePhase::All).into_iter().collect() } else { phases }
}

/// The points from a position on, for 40 pieces, and after how many lines of the game more follows, if it does.
type Continued = (f64, Option<u32>);

/// What the second of each of these pairs loses on average, with the standard error. What follows is what games from the first position made after as
/// many lines. `None` if too few came so far.
fn lost(games: &[StyledGame], pairs: &[[Continued; 2]]) -> Option<[f64; 2]> {
    let mut lost = vec![0.0; pairs.len()];
    // By how much each game moves the mean.
    let mut moved = vec![0.0; games.len()];
    for (lost, pair) in lost.iter_mut().zip(pairs) {
        for (&(points, lines), sign) in pair.iter().zip([1.0, -1.0]) {
            *lost += sign * points;
            let Some(lines) = lines else { continue };
            let rests: Vec<Option<f64>> = games.iter().map(|game| rest(game, lines)).collect();
            let came = rests.iter().flatten().count();
            if came < FEWEST {
                return None;
            }
            let mean = rests.iter().flatten().sum::<f64>() / came as f64;
            *lost += sign * mean;
            for (moved, rest) in moved.iter_mut().zip(rests) {
                *moved += rest.map_or(0.0, |rest| sign * (rest - mean)) / (came * pairs.len()) as f64;
            }
        }
    }
    let Summary { mean, se, .. } = Summary::of(&lost);
    Some([mean, moved.iter().map(|moved| moved * moved).sum::<f64>().sqrt().hypot(se)])
}

/// What a game from the first position made after this number of lines, if it came so far.
fn rest(game: &StyledGame, lines: u32) -> Option<f64> {
    let (all, points) = game.made();
    let before =
        game.clears.iter().take_while(|(at, _)| *at <= lines).last().map_or(0, |&(_, points)| points);
    (all >= lines).then(|| (points - before) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of which each makes 1,000 points after line 10, give or take `apart`.
    fn games(number: usize, apart: u64) -> Vec<StyledGame> {
        let of = |at: usize| {
            let rest = if at.is_multiple_of(2) { 1_000 - apart } else { 1_000 + apart };
            StyledGame { clears: vec![(10, 500), (20, 500 + rest)], end: Some(GameEnd::TopOut) }
        };
        (0..number).map(of).collect()
    }

    #[test]
    fn a_moment_is_told_where_enough_games_came_with_the_error_of_what_follows() {
        // The second of each pair is over, so it loses what follows.
        let pairs = [[(300.0, Some(10)), (100.0, None)]; 50];
        assert_eq!(lost(&games(9, 0), &pairs), None);
        assert_eq!(lost(&games(80, 0), &pairs), Some([1_200.0, 0.0]));
        let [loss, se] = lost(&games(80, 400), &pairs).expect("enough");
        // 80 games with a deviation of 400.
        assert!((loss - 1_200.0).abs() < 1e-6 && (se - 400.0 / 80_f64.sqrt()).abs() < 1e-6, "{loss} ± {se}");
        // What follows both is the same, and so is its error.
        let both = [[(300.0, Some(10)), (100.0, Some(10))]; 50];
        let [loss, se] = lost(&games(80, 400), &both).expect("enough");
        assert!((loss - 200.0).abs() < 1e-6 && se < 1e-6, "{loss} ± {se}");
        assert_eq!(lost(&games(80, 0), &[[(0.0, Some(21)), (0.0, None)]; 50]), None, "none came to line 21");
    }
}
