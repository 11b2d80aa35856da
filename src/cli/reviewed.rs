//! What `maxout review` writes of games and of the positions to try. The keys are a contract
//! (docs/reference/formats.md).

use serde::Serialize;

use crate::review::{JudgedPiece, MoveClass, PhaseSum, Unread};
use maxout_engine::analysis::Verdict;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Placement;
use maxout_rules::{Board, Piece};

/// The best placements of a position that are written, and shown on the page.
const ALTERNATIVES: usize = 5;
/// A placement that loses less is no puzzle.
const LOSES: f32 = 0.5;

/// A game in the JSON.
#[derive(Serialize)]
pub(super) struct Reviewed {
    pub(super) source: String,
    /// Which game of the source, from 1.
    pub(super) game: usize,
    pub(super) player: String,
    pub(super) limits: Limits,
    pub(super) phases: Vec<PhaseSum>,
    pub(super) speeds: Vec<AtSpeed>,
    pub(super) unread: Vec<Unread>,
    pub(super) placements: Vec<Shown>,
}

/// The whole game at another speed of presses.
#[derive(Serialize)]
pub(super) struct AtSpeed {
    pub(super) taps: String,
    pub(super) accuracy: f32,
    pub(super) lost: f32,
    pub(super) mistakes: usize,
    pub(super) beyond: usize,
}

/// A placement in the JSON.
#[derive(Serialize)]
pub(super) struct Shown {
    frame: u64,
    level: u8,
    lines: u32,
    piece: Piece,
    next: Option<Piece>,
    board: Vec<String>,
    class: MoveClass,
    loss: f32,
    within_limits: bool,
    /// Whether a tetris was possible and not played.
    missed_tetris: bool,
    played: Choice,
    best: Choice,
    /// The best placements within the limits, best first.
    alternatives: Vec<Alternative>,
    /// Where the piece should go for each piece that may come next, in the order T J Z O S L I.
    adjustments: [Option<Placement>; 7],
}

#[derive(Serialize)]
struct Choice {
    placement: Placement,
    points: f32,
    topout: f32,
    value: f32,
}

/// A placement that could have been played.
#[derive(Serialize)]
struct Alternative {
    loss: f32,
    class: MoveClass,
    #[serde(flatten)]
    choice: Choice,
}

impl From<&Verdict> for Choice {
    fn from(verdict: &Verdict) -> Self {
        Self {
            placement: verdict.placement,
            points: verdict.points,
            topout: verdict.topout,
            value: verdict.value,
        }
    }
}

/// The placements within the limits, best first.
fn alternatives(judged: &JudgedPiece) -> impl Iterator<Item = Alternative> {
    let level = judged.placed.progress.level;
    judged.possible.iter().map(move |verdict| Alternative {
        loss: verdict.loss,
        class: MoveClass::of(verdict.loss, level),
        choice: verdict.into(),
    })
}

/// A board as lines of text.
fn drawn(board: &Board) -> Vec<String> {
    board.to_string().lines().map(str::to_owned).collect()
}

impl Shown {
    pub(super) fn of(judged: &JudgedPiece) -> Self {
        let placed = &judged.placed;
        Self {
            frame: placed.frame,
            level: placed.progress.level,
            lines: placed.progress.lines(),
            piece: placed.piece,
            next: placed.next,
            board: drawn(&placed.board),
            class: judged.class,
            loss: judged.loss,
            within_limits: judged.within_limits,
            missed_tetris: judged.missed_tetris(),
            played: (&judged.verdict).into(),
            best: (&judged.best).into(),
            alternatives: alternatives(judged).take(ALTERNATIVES).collect(),
            adjustments: judged.adjustments,
        }
    }
}

/// A position to try.
#[derive(Serialize)]
pub(super) struct Puzzle<'a> {
    source: &'a str,
    game: usize,
    /// Which placement of the game, from 1.
    number: usize,
    level: u8,
    lines: u32,
    piece: Piece,
    next: Option<Piece>,
    board: Vec<String>,
    class: MoveClass,
    loss: f32,
    played: Placement,
    /// All that can be done, best first.
    placements: Vec<Alternative>,
}

impl<'a> Puzzle<'a> {
    /// The positions of these games in which most was lost, at most `count` of them, the worst first.
    pub(super) fn worst(reviewed: &'a [Reviewed], judged: &'a [Vec<JudgedPiece>], count: usize) -> Vec<Self> {
        let games = reviewed.iter().zip(judged);
        let mut all: Vec<(&Reviewed, usize, &JudgedPiece)> = games
            .flat_map(|(game, pieces)| (1..).zip(pieces).map(move |(number, judged)| (game, number, judged)))
            .filter(|(_, _, judged)| judged.loss >= LOSES && judged.possible.len() > 1)
            .collect();
        // The sort is stable, so equal losses stay in the order of play.
        all.sort_by(|a, b| b.2.loss.total_cmp(&a.2.loss));
        all.truncate(count);
        let puzzle = |(game, number, judged): (&'a Reviewed, usize, &JudgedPiece)| Self {
            source: &game.source,
            game: game.game,
            number,
            level: judged.placed.progress.level,
            lines: judged.placed.progress.lines(),
            piece: judged.placed.piece,
            next: judged.placed.next,
            board: drawn(&judged.placed.board),
            class: judged.class,
            loss: judged.loss,
            played: judged.placed.placement,
            placements: alternatives(judged).collect(),
        };
        all.into_iter().map(puzzle).collect()
    }
}
