//! What the pieces of a reviewed game were worth: [`Luck`].

use std::fmt;
use std::sync::atomic::Ordering;

use serde::Serialize;

use crate::cli::interrupt;
use crate::cli::output::{played_on::play_games, progress::Progress};
use crate::stats::Summary;
use crate::words::{decimal, number};
use maxout_engine::analysis::GamePlayouts;
use maxout_host::review::{PlacedPiece, PlayedGame};
use maxout_rules::{Board, Dealer, Piece, Pieces, Progress as Lines, line_points};

/// How many pieces the sequence has: more than any game needs to its stop.
const SEQUENCE: usize = 1_000;
/// The seed of the pieces that follow when those of the game are used up.
const BEHIND: u64 = 29;

/// The line points of games from the same start, up to level 29, or over 100 lines from level 29 on. The JSON keys are a
/// contract (docs/reference/formats.md).
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Luck {
    /// How many games had other pieces.
    games: u64,
    /// What `maxout-2ply` made of other pieces: the mean and its standard error.
    others: f64,
    others_se: f64,
    /// What `maxout-2ply` made of the same pieces.
    same: u64,
    /// What a search that knows all pieces in advance made of the same pieces.
    foreknown: u64,
    /// What the game itself made of them.
    game: u64,
}

impl Luck {
    /// Plays `games` games with other pieces and two with the same ones, all from where the game began. Returns `None` if
    /// not all pieces of the game are known, or if interrupted: without all of them there is nothing to compare.
    pub(crate) fn of(
        game: &PlayedGame,
        playouts: &GamePlayouts,
        games: u64,
        jobs: usize,
    ) -> anyhow::Result<Option<Self>> {
        let Some(PlacedPiece { board, progress, region, .. }) = game.pieces.first().copied() else {
            return Ok(None);
        };
        let fall_rule = region.into();
        if !game.unread.is_empty() {
            return Ok(None);
        }
        let pieces = sequence(&game.pieces);
        let interrupt = interrupt::flag()?;
        let is_interrupted = || interrupt.load(Ordering::Relaxed);
        let bar = Progress::new(games + 2, "games");
        let played = play_games(playouts, games, jobs, &bar, |playouts, seed| {
            playouts.play_pieces(board, progress, fall_rule, &[], seed).points as f64
        })?;
        if is_interrupted() {
            return Ok(None);
        }
        let same = playouts.clone().play_pieces(board, progress, fall_rule, &pieces, BEHIND).points;
        bar.inc(1);
        if is_interrupted() {
            return Ok(None);
        }
        let foreknown = playouts.clone().foreknown(board, progress, fall_rule, &pieces).points;
        bar.inc(1);
        bar.finish();
        let others = Summary::of(&played);
        let game = made(&game.pieces, progress);
        Ok(Some(Self { games: others.n, others: others.mean, others_se: others.se, same, foreknown, game }))
    }
}

impl fmt::Display for Luck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, others, others_se, same, foreknown, game } = self;
        let luck = *same as f64 - others;
        let [same, foreknown, game] = [*same, *foreknown, *game].map(number);
        let [others, others_se, size] = [*others, *others_se, luck.abs()].map(|points| decimal(points, 0));
        let which = if luck < 0.0 { "worse" } else { "better" };
        write!(
            f,
            "luck: maxout-2ply makes {same} line points of these pieces, and {others} ± {others_se} of others ({games} games),\n\
             so the pieces were {size} points {which} than the average; known in advance they bring {foreknown} or more; the game made {game}"
        )
    }
}

/// The pieces of a game, and random ones after them.
fn sequence(placed: &[PlacedPiece]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = placed.iter().map(|placed| placed.piece).collect();
    pieces.extend(placed.last().and_then(|last| last.next));
    let mut dealer = Dealer::new(Pieces::Nes, BEHIND);
    if let Some(&last) = pieces.last() {
        dealer.follow(last);
    }
    let missing = SEQUENCE.saturating_sub(pieces.len());
    pieces.extend(dealer.take(missing));
    pieces
}

/// The line points of a game up to the stop.
fn made(placed: &[PlacedPiece], from: Lines) -> u64 {
    let (mut points, mut lines) = (0, 0);
    for PlacedPiece { board, placement, progress, .. } in placed {
        let (mut after, mut then): (Board, Lines) = (*board, *progress);
        let rows = after.lock(placement.x, placement.y, placement.orientation).min(4);
        then.add_rows(rows);
        points += line_points(rows, then.level);
        lines += u32::from(rows);
        if maxout_engine::analysis::is_at_stop(from, then, lines) {
            break;
        }
    }
    points
}
