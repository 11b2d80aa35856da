//! Results of games that are played on from placements, for `maxout analyze` and `maxout review`.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use crate::cli::interrupt;
use crate::cli::output::progress::Progress;
use crate::stats::Summary;
use crate::words::decimal;
use maxout_engine::Position;
use maxout_engine::analysis::{Analyst, GamePlayouts, Playout, tetris};
use maxout_host::pool;
use maxout_rules::Placement;

/// What the playouts of a placement brought. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct PlayedOn {
    pub(crate) games: u64,
    /// The mean of the points, and its standard error.
    points: f64,
    se: f64,
    /// How many points fewer that is than after the first placement, and the standard error of the difference. Both
    /// play the same pieces, so it is smaller than the two errors suggest.
    pub(crate) loss: f64,
    pub(crate) loss_se: f64,
    /// The share of the games that topped out.
    topout: f64,
}

/// Lets `work` play each of `games` games on `jobs` threads, and returns the results in the order of the games' numbers.
/// After an interrupt it returns the results of the games that are finished. `bar` counts the games.
pub(crate) fn play_games<P: Clone + Sync, R: Send>(
    player: &P,
    games: u64,
    jobs: usize,
    bar: &Progress,
    work: impl Fn(&mut P, u64) -> R + Sync,
) -> anyhow::Result<Vec<R>> {
    let interrupt = interrupt::flag()?;
    let (next, done) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    pool::share(0..jobs.min(games as usize).max(1), |_| {
        let mut player = player.clone();
        while !interrupt.load(Ordering::Relaxed) {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                break;
            }
            let brought = work(&mut player, game);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((game, brought));
            bar.inc(1);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(game, _)| game);
    Ok(done.into_iter().map(|(_, brought)| brought).collect())
}

/// Plays `games` games on from each placement, all with the same pieces.
pub(crate) fn play_on(
    playouts: &GamePlayouts,
    position: &Position,
    placements: &[Placement],
    games: u64,
    (jobs, bar): (usize, &Progress),
) -> anyhow::Result<Vec<PlayedOn>> {
    let played = play_games(playouts, games, jobs, bar, |playouts, seed| {
        placements.iter().map(|&place| playouts.play(position, place, seed)).collect::<Vec<_>>()
    })?;
    Ok((0..placements.len()).map(|at| summary(&played, at)).collect())
}

/// Pieces that [`play_pairs`] plays on before it takes the forecast.
pub(crate) const PIECES: usize = 32;
/// It looks after this number of pairs whether it knows enough.
const ROUND: u64 = 50;
/// It never stops before this number of pairs: a lost game in a hundred decides most large losses.
const FEWEST: u64 = 100;
/// The error is small if it is at most this share of the loss, or of what a tetris pays.
const SMALL: [f64; 2] = [0.2, 0.1];

/// What one placement lost against another, by games that `analyst` plays on from both for [`PIECES`] pieces.
#[derive(Clone, Copy)]
pub(crate) struct PairedLoss {
    /// Pairs of games.
    pub(crate) games: u64,
    /// The mean, and its standard error.
    pub(crate) loss: f64,
    pub(crate) se: f64,
}

/// Plays at most `most` pairs of games on, with the same pieces from the `best` placement and from the one that was `played`. Stops
/// early when the standard error is small. The answer does not depend on the number of threads. `None` after an interrupt.
pub(crate) fn play_pairs(
    analyst: &Analyst,
    position: &Position,
    [best, played]: [Placement; 2],
    most: u64,
    (jobs, bar): (usize, &Progress),
) -> anyhow::Result<Option<PairedLoss>> {
    let mut lost: Vec<f64> = Vec::new();
    while (lost.len() as u64) < most && !is_known(&lost, position.progress.level) {
        let from = lost.len() as u64;
        let games = ROUND.min(most - from);
        let round = play_games(analyst, games, jobs, bar, |analyst, game| {
            let points =
                [best, played].map(|place| analyst.play_on(position, place, PIECES, from + game).points);
            f64::from(points[0]) - f64::from(points[1])
        })?;
        if (round.len() as u64) < games {
            return Ok(None);
        }
        lost.extend(round);
    }
    let Summary { mean, se, .. } = Summary::of(&lost);
    Ok(Some(PairedLoss { games: lost.len() as u64, loss: mean, se }))
}

/// Whether the standard error of these differences is small.
fn is_known(lost: &[f64], level: u8) -> bool {
    let Summary { mean, se, .. } = Summary::of(lost);
    let small = (SMALL[0] * mean.abs()).max(SMALL[1] * f64::from(tetris(level)));
    lost.len() as u64 >= FEWEST && se <= small
}

/// Sums up the games of one placement. `played` has the games of all placements, seed by seed.
fn summary(played: &[Vec<Playout>], at: usize) -> PlayedOn {
    let points: Vec<f64> = played.iter().map(|games| games[at].points as f64).collect();
    let lost: Vec<f64> =
        played.iter().map(|games| games[0].points as f64 - games[at].points as f64).collect();
    let topped_out = played.iter().filter(|games| games[at].topped_out).count();
    let (points, loss) = (Summary::of(&points), Summary::of(&lost));
    PlayedOn {
        games: points.n,
        points: points.mean,
        se: points.se,
        loss: loss.mean,
        loss_se: loss.se,
        topout: topped_out as f64 / played.len().max(1) as f64,
    }
}

/// The results of the placements in the order of their ranks, as text.
pub(crate) fn table(played: &[PlayedOn]) -> String {
    let games = played.first().map_or(0, |played| played.games);
    let mut text = format!(
        "\nplayed on by maxout-2ply, {games} games each with the same pieces: mean ± standard error\n\
         rank             points               loss  top-out\n"
    );
    for (rank, PlayedOn { points, se, loss, loss_se, topout, .. }) in (1..).zip(played) {
        text += &format!(
            "{rank:>4}{:>10} ± {:<7}{:>9} ± {:<7}{:>5.1} %\n",
            decimal(*points, 0),
            decimal(*se, 0),
            decimal(*loss, 0),
            decimal(*loss_se, 0),
            100.0 * topout
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_played_until_the_error_is_small() {
        // Half of the pairs lose 0 and half 4,000, so the error of 102 pairs is 199: a tenth of the loss.
        let mut lost = [0.0, 4_000.0].repeat(49);
        assert!(!is_known(&lost, 0), "too few");
        lost.extend([0.0, 4_000.0, 0.0, 4_000.0]);
        assert!(is_known(&lost, 0));
        let lost: Vec<f64> = lost.iter().map(|lost| lost - 1_800.0).collect();
        assert!(!is_known(&lost, 0), "the loss is 200, and a tetris pays 1,200");
        assert!(is_known(&lost, 19), "a tenth of a tetris is 2,400");
    }

    #[test]
    fn losses_are_differences_of_the_same_games() {
        let game = |points| Playout { points, topped_out: points < 10 };
        // The second always loses 5, whatever the pieces are.
        let played = [vec![game(10), game(5)], vec![game(110), game(105)]];
        let second = summary(&played, 1);
        assert_eq!((second.points, second.loss, second.loss_se, second.topout), (55.0, 5.0, 0.0, 0.5));
        assert!(second.se > 0.0 && table(&[second]).contains("55 ±"));
    }
}
