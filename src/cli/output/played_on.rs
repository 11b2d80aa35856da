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
use maxout_engine::analysis::{Analyst, GamePlayouts, PairedPlayout, Playout, tetris};
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
/// It never stops before this number of pairs, and fewer change no loss: a lost game in a hundred decides most large losses.
pub(crate) const FEWEST: u64 = 100;
/// The error is small if it is at most this share of the loss, or of what a tetris pays. The mean is then off by a quarter of the loss or by
/// 4,000 points on average: an average distance is 0.8 standard errors.
const SMALL: [f64; 2] = [0.3, 0.2];

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
/// early when the standard error is small, or after as many pieces as `most` pairs of [`PIECES`] take. The answer does not depend on the
/// number of threads. `None` after an interrupt.
pub(crate) fn play_pairs(
    analyst: &Analyst,
    position: &Position,
    [best, played]: [Placement; 2],
    most: u64,
    (jobs, bar): (usize, &Progress),
) -> anyhow::Result<Option<PairedLoss>> {
    let mut pairs: Vec<PairedPlayout> = Vec::new();
    let most_pieces = most * 2 * (1 + PIECES as u64);
    let is_done = |pairs: &[PairedPlayout]| {
        pairs.len() as u64 >= most
            || pairs.iter().map(|pair| pair.pieces).sum::<u64>() >= most_pieces
            || is_known(&without_luck(pairs), position.progress.level)
    };
    while !is_done(&pairs) {
        let from = pairs.len() as u64;
        let games = ROUND.min(most - from);
        let round = play_games(analyst, games, jobs, bar, |analyst, game| {
            analyst.play_pair(position, [best, played], PIECES, from + game)
        })?;
        if (round.len() as u64) < games {
            return Ok(None);
        }
        pairs.extend(round);
    }
    bar.inc(most - pairs.len() as u64);
    let Summary { mean, se, .. } = Summary::of(&without_luck(&pairs));
    Ok(Some(PairedLoss { games: pairs.len() as u64, loss: mean, se }))
}

/// What each pair lost, less the share of its luck that leaves the smallest error. Each half of the pairs takes the share that fits the
/// other half, so the mean stays what it is without.
fn without_luck(pairs: &[PairedPlayout]) -> Vec<f64> {
    let shares = [1, 0].map(|other| share_of_luck(pairs.iter().skip(other).step_by(2)));
    pairs.iter().enumerate().map(|(at, pair)| pair.lost - shares[at % 2] * pair.luck).collect()
}

/// How much of the luck of these pairs is in what they lost: the slope of the least squares.
fn share_of_luck<'a>(pairs: impl Iterator<Item = &'a PairedPlayout> + Clone) -> f64 {
    let mean = |of: fn(&PairedPlayout) -> f64| {
        pairs.clone().map(of).sum::<f64>() / pairs.clone().count().max(1) as f64
    };
    let (lost, luck) = (mean(|pair| pair.lost), mean(|pair| pair.luck));
    let (mut both, mut squares) = (0.0, 0.0);
    for pair in pairs {
        both += (pair.lost - lost) * (pair.luck - luck);
        squares += (pair.luck - luck).powi(2);
    }
    if squares > 0.0 { both / squares } else { 0.0 }
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
        // Half of the pairs lose 0 and half 8,000, so the error of 102 pairs is 398: a tenth of the loss.
        let mut lost = [0.0, 8_000.0].repeat(49);
        assert!(!is_known(&lost, 0), "too few");
        lost.extend([0.0, 8_000.0, 0.0, 8_000.0]);
        assert!(is_known(&lost, 0));
        let lost: Vec<f64> = lost.iter().map(|lost| lost - 3_800.0).collect();
        assert!(!is_known(&lost, 0), "the loss is 200, and a tetris pays 1,200");
        assert!(is_known(&lost, 19), "a fifth of a tetris is 4,800");
    }

    /// Pairs with a true loss of 1,000 points, in which luck counts double and a rest is noise.
    #[test]
    fn luck_is_taken_out_and_the_mean_stays() {
        let mut dice = maxout_rules::random::Dice::new(1);
        let mut even = |size: f64| size * (dice.below(2_001) as f64 / 1_000.0 - 1.0);
        let pairs: Vec<PairedPlayout> = (0..400)
            .map(|_| {
                let luck = even(50_000.0);
                PairedPlayout { lost: 1_000.0 + 2.0 * luck + even(5_000.0), luck, pieces: 66 }
            })
            .collect();
        let raw: Vec<f64> = pairs.iter().map(|pair| pair.lost).collect();
        let (raw, clean) = (Summary::of(&raw), Summary::of(&without_luck(&pairs)));
        assert!(
            clean.se < 0.1 * raw.se && (clean.mean - 1_000.0).abs() < 3.0 * clean.se,
            "{raw:?}, {clean:?}"
        );
        // A share that is fitted to the same pairs would explain two of them by their luck alone.
        assert_eq!(without_luck(&pairs[..2]), [pairs[0].lost, pairs[1].lost]);
        assert!(without_luck(&[]).is_empty());
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
