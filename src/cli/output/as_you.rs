//! How a game goes on if whoever played it plays on: [`AsYou`].

use serde::Serialize;

use crate::cli::output::{played_on::play_games, progress::Progress};
use crate::review::MeasuredLoss;
use crate::stats::Summary;
use crate::words::{count, decimal};
use maxout_engine::analysis::{Analyst, Estimate, GamePlayouts, stop_level, stop_name};
use maxout_engine::env::GameEnd;
use maxout_host::review::{GamePhase, JudgedPiece, MoveClass, PlacedPiece, PlayStyle, StyledGame, summary};

/// Games from the first position.
const GAMES: u64 = 80;
/// Pairs of games from each moment that mattered, and the pieces of each.
const PAIRS: u64 = 50;
const PIECES: usize = 40;
/// More pieces than any game needs.
const ALL_PIECES: usize = 2_000;

/// How whoever played plays, and what comes if they play on. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
pub(crate) struct AsYou {
    /// The taps ([`maxout_engine::limits::Presses::name`]).
    taps: String,
    /// The share of the placements that were probably misdrops.
    misdrops: f64,
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
    /// Measures the style of a game, and plays on in it with these taps. `analyst` says what positions are worth. `None` if nothing was placed, or after an interrupt.
    pub(crate) fn of(
        judged: &[JudgedPiece],
        (playouts, analyst): (&GamePlayouts, &Analyst),
        taps: String,
        jobs: usize,
    ) -> anyhow::Result<Option<Self>> {
        let Some(first) = judged.first() else { return Ok(None) };
        let pieces: Vec<PlacedPiece> = judged.iter().map(|judged| judged.placed).collect();
        let stop = |placed: &PlacedPiece| stop_level(placed.progress.level);
        let moments: Vec<usize> = summary(judged)
            .moments
            .into_iter()
            .filter(|number| stop(&judged[number - 1].placed) == stop(&first.placed))
            .collect();
        let bar = Progress::new(GAMES + PAIRS * moments.len() as u64, "games");
        bar.message("measuring how you play");
        let Some(style) = PlayStyle::of(&pieces, playouts, analyst, jobs) else { return Ok(None) };
        let position = first.placed.position();
        let games = play_games(playouts, GAMES, jobs, &bar, |playouts, seed| {
            style.play_on(playouts, &position, None, ALL_PIECES, seed)
        })?;
        if (games.len() as u64) < GAMES {
            return Ok(None);
        }
        let of = |what: fn(&StyledGame) -> f64| Summary::of(&games.iter().map(what).collect::<Vec<_>>());
        let points = of(|game| game.made().1 as f64);
        let mut you = Self {
            taps,
            misdrops: judged.iter().filter(|judged| judged.misdrop.is_some()).count() as f64
                / judged.len() as f64,
            loss_share: style.share(),
            phases: phases(&pieces, &style),
            games: GAMES,
            points: points.mean,
            points_se: points.se,
            topout: of(|game| f64::from(u8::from(game.end == Some(GameEnd::TopOut)))).mean,
            tetris_rate: of(StyledGame::tetris_rate).mean,
            moments: Vec::new(),
            others: Estimate { points: first.judgement.best.points, topout: first.judgement.best.topout },
            stop: stop_name(first.placed.progress),
        };
        for number in moments {
            let JudgedPiece { placed, judgement, .. } = &judged[number - 1];
            let (position, since) =
                (placed.position(), placed.progress.lines() - first.placed.progress.lines());
            let lost = play_games(playouts, PAIRS, jobs, &bar, |playouts, seed| {
                let [best, played] = [judgement.best.placement, placed.placement].map(|at| {
                    let game = style.play_on(playouts, &position, Some(at), PIECES, seed);
                    let (lines, points) = game.made();
                    let rest = if game.end.is_some() { 0.0 } else { rest(&games, since + lines) };
                    points as f64 + rest
                });
                best - played
            })?;
            if (lost.len() as u64) < PAIRS {
                return Ok(None);
            }
            let Summary { mean, se, .. } = Summary::of(&lost);
            you.moments.push(MeasuredLoss { number, games: PAIRS, loss: mean, loss_se: se });
        }
        bar.finish();
        Ok(Some(you))
    }

    /// The same as text; `player` judged.
    pub(crate) fn text(&self, player: &str) -> String {
        let Self { taps, misdrops, points, points_se, topout, tetris_rate, others, stop, .. } = self;
        let [made, error, best] =
            [*points, *points_se, others.points.into()].map(|points| decimal(points, 0));
        let mut text = format!(
            "played on as you play from the first piece: {made} ± {error} points expected, {:.0} % reach {stop}, {:.0} % of the lines by tetrises; by {player} {best}, {:.0} %",
            100.0 * (1.0 - topout),
            100.0 * tetris_rate,
            100.0 * (1.0 - others.topout),
        );
        text += &format!("\nhow you play, taps {taps}: {:.1} % of the pieces misdropped", 100.0 * misdrops);
        for StyledPhase { phase, classes } in &self.phases {
            let shares: Vec<String> = MoveClass::ALL
                .iter()
                .zip(classes)
                .map(|(class, share)| format!("{:.0} % {}", 100.0 * share, class.name()))
                .collect();
            text += &format!("; levels {}: {}", phase.name(), shares.join(", "));
        }
        for MeasuredLoss { number, games, loss, loss_se } in &self.moments {
            let [loss, se] = [*loss, *loss_se].map(|points| decimal(points, 0));
            let pairs = count(*games, "pair");
            text +=
                &format!("\nfor you, piece {number} cost {loss} ± {se} points ({pairs} of games played on)");
        }
        text
    }
}

/// The styles of the phases that have enough placements, or of the whole game.
fn phases(pieces: &[PlacedPiece], style: &PlayStyle) -> Vec<StyledPhase> {
    let of = |phase: GamePhase| {
        let inside: Vec<&PlacedPiece> =
            pieces.iter().filter(|placed| phase.has(placed.progress.level)).collect();
        let enough = phase == GamePhase::All || inside.len() >= PlayStyle::ENOUGH;
        inside
            .first()
            .filter(|_| enough)
            .map(|placed| StyledPhase { phase, classes: style.classes(&placed.position()) })
    };
    let phases: Vec<StyledPhase> = GamePhase::ALL.into_iter().skip(1).filter_map(of).collect();
    if phases.is_empty() { of(GamePhase::All).into_iter().collect() } else { phases }
}

/// What games from the first position made after this number of lines on average, of those that came so far.
fn rest(games: &[StyledGame], lines: u32) -> f64 {
    let of = |game: &StyledGame| {
        let (all, points) = game.made();
        let before =
            game.clears.iter().take_while(|(at, _)| *at <= lines).last().map_or(0, |&(_, points)| points);
        (all >= lines).then(|| (points - before) as f64)
    };
    Summary::of(&games.iter().filter_map(of).collect::<Vec<_>>()).mean
}
