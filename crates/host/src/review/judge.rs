//! What each placement of a game lost: [`judge`], or [`judge_while`] where the work may be stopped early.

use super::misdrops::{explained, meant};
use super::{MoveClass, PlacedPiece, PlayedGame};
use crate::pool;
use maxout_engine::Position;
use maxout_engine::analysis::{Analyst, Judgement, Verdict};
use maxout_rules::Placement;

/// Of inaccuracies, mistakes and blunders: shares of the misdrops and of the others that a press explains, and the share of all misdrops that
/// is among them (lab/notebook/judgement.md, 2026-11-30).
const EXPLAINED: f64 = 0.83;
const ALIKE: f64 = 0.13;
const COSTLY: f64 = 0.8;

/// A placement and what it lost.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedPiece {
    /// The placement.
    pub placed: PlacedPiece,
    /// What it lost against the best one.
    pub judgement: Judgement,
    /// Whether it would be Best or Excellent with the next piece unknown, but is an Inaccuracy or worse with it. Always
    /// false with [`ReviewDetail::Losses`].
    pub missed_adjustment: bool,
    /// Where the piece was probably meant to go, if this is a mistake or a blunder that a wrong press explains.
    pub misdrop: Option<Placement>,
    /// Where the piece should go for each piece that may come next, in the order of
    /// [`Piece::ALL`](maxout_rules::Piece::ALL); only with [`ReviewDetail::Adjustments`].
    pub adjustments: Option<[Option<Placement>; 7]>,
}

/// How much a review finds out about each placement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReviewDetail {
    /// What it lost.
    Losses,
    /// Also whether it should have been adjusted to the next piece. This takes longer for each placement that lost much.
    Missed,
    /// Also where the piece should go for each next piece. This takes longer for every placement.
    Adjustments,
}

impl JudgedPiece {
    /// Whether the piece could have cleared four rows and did not.
    pub fn missed_tetris(&self) -> bool {
        let clears_four = |verdict: &Verdict| {
            let (mut board, Placement { x, y, orientation: id }) = (self.placed.board, verdict.placement);
            board.lock(x, y, id) == 4
        };
        let Judgement { verdict, possible, .. } = &self.judgement;
        !clears_four(verdict) && possible.iter().any(clears_four)
    }

    /// Takes into account what games that were played on from the best placement and from this one of the `game` have lost
    /// ([`Judgement::weigh`]). What was probably meant follows; a missed adjustment stays one only if it is still an inaccuracy.
    pub fn weigh(&mut self, game: &PlayedGame, measured: f32, error: f32) {
        self.judgement.weigh(self.placed.progress.level, measured, error);
        self.misdrop = meant(&self.placed, game.way(&self.placed), &self.judgement);
        self.missed_adjustment &= self.judgement.class >= MoveClass::Inaccuracy;
    }

    /// Says in words why a placement in this position, of this class, is worse than the best one ([`Judgement::why`]).
    pub fn why(&self, verdict: &Verdict, class: MoveClass) -> Vec<String> {
        self.judgement.why(&self.placed.position(), verdict, class)
    }
}

/// Judges every placement of a game within the limits of the analyst, on `jobs` threads. The answer does not depend on their
/// number. Placements of a piece that nothing is known of are left out.
pub fn judge(game: &PlayedGame, analyst: &Analyst, detail: ReviewDetail, jobs: usize) -> Vec<JudgedPiece> {
    judge_while(game, analyst, detail, jobs, &|| true)
}

/// Judges as [`judge`] does, as long as `go_on` returns true; every thread asks it before each placement. Placements that
/// are not judged by then are left out.
pub fn judge_while(
    game: &PlayedGame,
    analyst: &Analyst,
    detail: ReviewDetail,
    jobs: usize,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Vec<JudgedPiece> {
    let pieces = &game.pieces;
    let jobs = jobs.clamp(1, pieces.len().max(1));
    let parts = pieces.chunks(pieces.len().div_ceil(jobs).max(1));
    let mut judged: Vec<Vec<JudgedPiece>> = vec![Vec::new(); parts.len()];
    pool::share(parts.zip(&mut judged), |(part, judged)| {
        let mut analyst = analyst.clone();
        let wanted = part.iter().take_while(|_| go_on());
        judged.extend(wanted.filter_map(|placed| judge_one(game, placed, &mut analyst, detail)));
    });
    judged.into_iter().flatten().collect()
}

/// Judges one placement of a game, for a caller that does other work between placements.
pub fn judge_one(
    game: &PlayedGame,
    placed: &PlacedPiece,
    analyst: &mut Analyst,
    detail: ReviewDetail,
) -> Option<JudgedPiece> {
    let position = placed.position();
    let judgement = analyst.judge(&position, placed.placement).ok()?;
    let missed_adjustment =
        detail >= ReviewDetail::Missed && missed_adjustment(&position, &judgement, analyst);
    let adjustments = (detail == ReviewDetail::Adjustments).then(|| analyst.adjustments(&position));
    let misdrop = meant(placed, game.way(placed), &judgement);
    Some(JudgedPiece { placed: *placed, judgement, missed_adjustment, misdrop, adjustments })
}

/// Whether a placement lost points because it was right only until the next piece was seen.
fn missed_adjustment(position: &Position, judgement: &Judgement, analyst: &mut Analyst) -> bool {
    let level = position.progress.level;
    let lost = MoveClass::of(judgement.loss, level) >= MoveClass::Inaccuracy;
    if !lost || !judgement.within_limits || position.next.is_none() {
        return false;
    }
    let unseen = Position { next: None, ..*position };
    let before = analyst.judge(&unseen, judgement.verdict.placement);
    before.is_ok_and(|before| MoveClass::of(before.loss, level) <= MoveClass::Excellent)
}

/// Returns which share of the pieces of a game was misdropped, 0 to 1, and the standard error, by how many inaccuracies, mistakes and blunders
/// a press explains: more than those that were meant. The error is that of counting alone. Single ones are told by [`meant`], which leaves out what is likely to be none.
pub fn misdrop_rate(game: &PlayedGame, judged: &[JudgedPiece]) -> [f64; 2] {
    let looked_at = |judged: &&JudgedPiece| {
        matches!(judged.judgement.class, MoveClass::Inaccuracy | MoveClass::Mistake | MoveClass::Blunder)
    };
    let bad = judged.iter().filter(looked_at);
    let is_explained: Vec<bool> = bad
        .map(|JudgedPiece { placed, judgement, .. }| explained(placed, game.way(placed), judgement).is_some())
        .collect();
    let number = is_explained.iter().filter(|&&is_explained| is_explained).count() as f64;
    let pieces = (EXPLAINED - ALIKE) * COSTLY * judged.len().max(1) as f64;
    let more = number - ALIKE * is_explained.len() as f64;
    [(more.max(0.0) / pieces).min(1.0), number.max(1.0).sqrt() / pieces]
}
