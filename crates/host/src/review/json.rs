//! What `maxout review` writes about games. The keys are a contract (docs/reference/formats.md).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Balance, GameSummary, JudgedPiece, PhaseSum, PlayedGame, TapSpeed, Unread, balances, summary, sums,
};
use maxout_engine::analysis::{Forecaster, MoveClass, Verdict};
use maxout_engine::limits::{Limits, Presses, Reaction};
use maxout_rules::danger::{self, LockSafety};
use maxout_rules::{Board, Orientation, Piece, Placement, Region};

/// How many of the best placements of a position are written, and shown on the page.
const ALTERNATIVES: usize = 5;
/// A game in the JSON.
#[derive(Serialize)]
pub struct Reviewed {
    /// What it was read from.
    pub source: String,
    /// Which game of the source, from 1.
    pub game: usize,
    /// Who played, if the source says so.
    pub played_by: Option<String>,
    /// The player that judged.
    pub player: String,
    /// The input limits by which it judged.
    pub limits: LimitsThere,
    /// Whose games points, losses and top-outs speak of: what comes if this player plays on.
    pub forecast: Forecaster,
    /// The taps of these limits ([`Presses::name`]).
    pub taps: String,
    /// How fast whoever played taps, if that was asked and can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_taps: Option<TapSpeed>,
    /// The game at a glance.
    pub summary: GameSummary,
    /// What the placements lost, by phase.
    pub phases: Vec<PhaseSum>,
    /// What became of the points: up to level 29, and then up to each later stop.
    pub balance: Vec<Balance>,
    /// The whole game judged at other tap speeds.
    pub speeds: Vec<AtSpeed>,
    /// What could not be read.
    pub unread: Vec<Unread>,
    /// The placements, in order.
    pub placements: Vec<ReviewedPiece>,
}

/// [`Limits`] as JSON, with the names that presses have in the region whose frames they count.
#[derive(Serialize)]
pub struct LimitsThere {
    /// How fast buttons can be pressed.
    pub presses: PressesThere,
    /// How long it takes to react to the next piece.
    pub reaction: Reaction,
}

/// [`Presses`] as JSON.
#[derive(Serialize)]
pub enum PressesThere {
    /// The name of a tap table.
    Table(String),
    /// The name of autorepeat, alone or with taps.
    Das(String),
    /// Presses that count no frames.
    #[serde(untagged)]
    Fixed(Presses),
}

impl LimitsThere {
    /// Names limits that count frames of this region.
    fn new(Limits { presses, reaction, .. }: Limits, region: Region) -> Self {
        let name = presses.name(region);
        let presses = match presses {
            Presses::Table(_) => PressesThere::Table(name),
            Presses::Das(_) => PressesThere::Das(name),
            presses => PressesThere::Fixed(presses),
        };
        Self { presses, reaction }
    }
}

/// The whole game judged at another tap speed.
#[derive(Serialize)]
pub struct AtSpeed {
    /// The taps.
    pub taps: String,
    /// The accuracy in percent.
    pub accuracy: f32,
    /// The points lost.
    pub lost: f32,
    /// Mistakes and blunders.
    pub mistakes: usize,
    /// Placements that these taps cannot make.
    pub beyond: usize,
}

/// A placement in the JSON.
#[derive(Serialize)]
pub struct ReviewedPiece {
    frame: u64,
    level: u8,
    lines: u32,
    piece: Piece,
    next: Option<Piece>,
    board: Vec<String>,
    /// As in an answer ([`maxout_engine::analysis::Answer::crash`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    crash: Vec<LockSafety>,
    class: MoveClass,
    loss: f32,
    /// What it does to the board that the best placement does not, in words; only from an inaccuracy on.
    why: Vec<String>,
    within_limits: bool,
    /// Whether a tetris was possible and not played.
    missed_tetris: bool,
    /// Whether it was right only until the next piece was seen.
    missed_adjustment: bool,
    /// Where the piece was probably meant to go, if this is a mistake or a blunder that a wrong press explains.
    misdrop: Option<Placement>,
    played: ReviewedChoice,
    best: ReviewedChoice,
    /// The best placements within the limits, best first.
    alternatives: Vec<ReviewedAlternative>,
    /// Where the piece should go for each piece that may come next, in the order T J Z O S L I.
    adjustments: [Option<Placement>; 7],
}

/// A placement and its verdict.
#[derive(Serialize)]
pub struct ReviewedChoice {
    placement: Placement,
    points: f32,
    topout: f32,
    value: f32,
}

/// A placement that could have been played.
#[derive(Serialize)]
pub struct ReviewedAlternative {
    loss: f32,
    class: MoveClass,
    /// As for the placement that was played.
    why: Vec<String>,
    #[serde(flatten)]
    choice: ReviewedChoice,
}

impl From<&Verdict> for ReviewedChoice {
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
pub fn alternatives(judged: &JudgedPiece) -> impl Iterator<Item = ReviewedAlternative> {
    let JudgedPiece { placed, judgement, .. } = judged;
    let loss = |verdict: &Verdict| {
        if verdict.placement == placed.placement { judgement.loss } else { verdict.loss }
    };
    let mut all: Vec<&Verdict> = judgement.possible.iter().collect();
    // Games played on may have said something else of the one that was played.
    all.sort_by(|a, b| loss(a).partial_cmp(&loss(b)).unwrap_or(Ordering::Equal));
    all.into_iter().map(move |verdict| {
        let loss = loss(verdict);
        let class = MoveClass::of(loss, placed.progress.level);
        ReviewedAlternative { loss, class, why: judged.why(verdict, class), choice: verdict.into() }
    })
}

/// A board as lines of text.
pub fn drawn(board: &Board) -> Vec<String> {
    board.to_string().lines().map(str::to_owned).collect()
}

impl ReviewedPiece {
    /// What is written about a placement.
    pub fn of(judged: &JudgedPiece) -> Self {
        let JudgedPiece { placed, judgement, missed_adjustment, misdrop, adjustments } = judged;
        Self {
            frame: placed.frame,
            level: placed.progress.level,
            lines: placed.progress.lines(),
            piece: placed.piece,
            next: placed.next,
            board: drawn(&placed.board),
            crash: danger::locks(placed.progress),
            class: judgement.class,
            loss: judgement.loss,
            why: judged.why(&judgement.verdict, judgement.class),
            within_limits: judgement.within_limits,
            missed_tetris: judged.missed_tetris(),
            missed_adjustment: *missed_adjustment,
            misdrop: *misdrop,
            played: (&judgement.verdict).into(),
            best: (&judgement.best).into(),
            alternatives: alternatives(judged).take(ALTERNATIVES).collect(),
            adjustments: adjustments.unwrap_or_default(),
        }
    }
}

impl Reviewed {
    /// What is written about a game, without other tap speeds.
    pub fn new(
        source: &str,
        game: usize,
        player: &str,
        limits: Limits,
        played: &PlayedGame,
        judged: &[JudgedPiece],
    ) -> Self {
        let region = played.region();
        let level = judged.first().map_or(0, |judged| judged.placed.progress.level);
        Self {
            source: source.to_owned(),
            game,
            played_by: played.played_by.clone(),
            player: player.to_owned(),
            taps: limits.presses.name(region),
            measured_taps: None,
            limits: LimitsThere::new(limits, region),
            forecast: Forecaster::of(player, level, region.into(), limits),
            summary: summary(judged),
            phases: sums(judged),
            balance: balances(judged),
            speeds: Vec::new(),
            unread: played.unread.clone(),
            placements: judged.iter().map(ReviewedPiece::of).collect(),
        }
    }
}

/// The data for the scripts of the page of a review, or of the page of its puzzles.
#[derive(Serialize)]
pub struct PageData<'a, T> {
    format: &'static str,
    version: &'static str,
    /// (dx, dy) of the four cells of each orientation.
    cells: Vec<[(i8, i8); 4]>,
    /// Letter and orientation of each piece as it spawns.
    spawns: BTreeMap<char, u8>,
    /// Letters in the order of adjustments.
    pieces: String,
    /// Who plays on in the forecasts.
    forecast: Forecaster,
    #[serde(flatten)]
    what: PageTopic<'a, T>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum PageTopic<'a, T> {
    /// The JSON of `review --json`.
    Reviews(&'a T),
    Puzzles(&'a T),
}

impl<'a, T> PageData<'a, T> {
    /// For the page of reviewed games: `reviews` is what `review --json` writes.
    pub fn reviews(reviews: &'a T, forecast: Forecaster) -> Self {
        Self::new("maxout-review 1", PageTopic::Reviews(reviews), forecast)
    }

    /// For the page of positions to try.
    pub fn puzzles(puzzles: &'a T, forecast: Forecaster) -> Self {
        Self::new("maxout-puzzles 1", PageTopic::Puzzles(puzzles), forecast)
    }

    fn new(format: &'static str, what: PageTopic<'a, T>, forecast: Forecaster) -> Self {
        Self {
            format,
            version: env!("CARGO_PKG_VERSION"),
            cells: Orientation::ALL.iter().map(|orientation| *orientation.cells()).collect(),
            spawns: Piece::ALL.into_iter().map(|piece| (piece.letter(), piece.spawn().id())).collect(),
            pieces: Piece::ALL.iter().map(|piece| piece.letter()).collect(),
            forecast,
            what,
        }
    }
}
