//! Results of games that are played on from placements, for `maxout analyze` and `maxout review`.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::interrupt;
use super::progress::Progress;
use crate::stats::Summary;
use crate::words::decimal;
use maxout_engine::Position;
use maxout_engine::analysis::{GamePlayouts, Playout};
use maxout_engine::movegen::Placement;
use maxout_host::pool;

/// What the playouts of a placement brought. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct PlayedOn {
    pub(super) games: u64,
    /// The mean of the points, and its standard error.
    points: f64,
    se: f64,
    /// How many points fewer that is than after the first placement, and the standard error of the difference. Both
    /// play the same pieces, so it is smaller than the two errors suggest.
    pub(super) loss: f64,
    pub(super) loss_se: f64,
    /// The share of the games that topped out.
    topout: f64,
}

/// Lets `work` play each of `games` games on `jobs` threads, and returns the results in the order of the games' numbers.
/// After an interrupt it returns the results of the games that are finished. `bar` counts the games.
pub(super) fn play_games<R: Send>(
    playouts: &GamePlayouts,
    games: u64,
    jobs: usize,
    bar: &Progress,
    work: impl Fn(&mut GamePlayouts, u64) -> R + Sync,
) -> anyhow::Result<Vec<R>> {
    let interrupt = interrupt::flag()?;
    let (next, done) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    pool::share(0..jobs.min(games as usize).max(1), |_| {
        let mut playouts = playouts.clone();
        while !interrupt.load(Ordering::Relaxed) {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                break;
            }
            let brought = work(&mut playouts, game);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((game, brought));
            bar.inc(1);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|&(game, _)| game);
    Ok(done.into_iter().map(|(_, brought)| brought).collect())
}

/// Plays `games` games on from each placement, all with the same pieces.
pub(super) fn play_on(
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
pub(super) fn table(played: &[PlayedOn]) -> String {
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
    fn losses_are_differences_of_the_same_games() {
        let game = |points| Playout { points, topped_out: points < 10 };
        // The second always loses 5, whatever the pieces are.
        let played = [vec![game(10), game(5)], vec![game(110), game(105)]];
        let second = summary(&played, 1);
        assert_eq!((second.points, second.loss, second.loss_se, second.topout), (55.0, 5.0, 0.0, 0.5));
        assert!(second.se > 0.0 && table(&[second]).contains("55 ±"));
    }
}
