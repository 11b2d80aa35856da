//! The positions to try of reviewed games. The keys are a contract (docs/reference/formats.md).

use serde::Serialize;

use maxout_engine::analysis::Forecaster;
use maxout_host::review::{JudgedPiece, MoveClass, Reviewed, ReviewedAlternative, alternatives, drawn};
use maxout_rules::{Piece, Placement};

/// A placement that loses less is no puzzle.
const LOSES: f32 = 0.5;

/// A position to try.
#[derive(Serialize)]
pub(crate) struct Puzzle<'a> {
    source: &'a str,
    game: usize,
    /// Whose games its points, losses and top-outs forecast.
    forecast: Forecaster,
    /// Which of the judged placements of the game, from 1.
    number: usize,
    level: u8,
    lines: u32,
    piece: Piece,
    next: Option<Piece>,
    board: Vec<String>,
    class: MoveClass,
    loss: f32,
    why: Vec<String>,
    played: Placement,
    /// All that can be done, best first.
    placements: Vec<ReviewedAlternative>,
}

impl<'a> Puzzle<'a> {
    /// The positions of these games in which most was lost, at most `count` of them, the worst first.
    pub(crate) fn worst(
        reviewed: &[&'a Reviewed],
        judged: &'a [Vec<JudgedPiece>],
        count: usize,
    ) -> Vec<Self> {
        let games = reviewed.iter().zip(judged);
        let mut all: Vec<(&Reviewed, usize, &JudgedPiece)> = games
            .flat_map(|(&game, pieces)| (1..).zip(pieces).map(move |(number, judged)| (game, number, judged)))
            .filter(|(_, _, judged)| judged.judgement.loss >= LOSES && judged.judgement.possible.len() > 1)
            .collect();
        // The sort is stable, so equal losses stay in the order of play.
        all.sort_by(|a, b| b.2.judgement.loss.total_cmp(&a.2.judgement.loss));
        all.truncate(count);
        let puzzle = |(game, number, judged): (&'a Reviewed, usize, &JudgedPiece)| Self {
            source: &game.source,
            game: game.game,
            forecast: game.forecast.at(judged.placed.progress.level, judged.placed.region.into()),
            number,
            level: judged.placed.progress.level,
            lines: judged.placed.progress.lines(),
            piece: judged.placed.piece,
            next: judged.placed.next,
            board: drawn(&judged.placed.board),
            class: judged.judgement.class,
            loss: judged.judgement.loss,
            why: judged.why(&judged.judgement.verdict, judged.judgement.class),
            played: judged.placed.placement,
            placements: alternatives(judged).collect(),
        };
        all.into_iter().map(puzzle).collect()
    }
}
