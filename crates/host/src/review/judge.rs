//! What each placement of a game lost: [`judge`], or [`judge_while`] where the work may be stopped early.

use std::thread;

use super::{MoveClass, PlacedPiece};
use maxout_engine::analysis::{Analyst, Judgement, Question, Verdict};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Placement, Start};

/// A placement and what it lost.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedPiece {
    /// The placement.
    pub placed: PlacedPiece,
    /// What the analyst says of it.
    pub verdict: Verdict,
    /// The best placement that the limits allow.
    pub best: Verdict,
    /// Points lost against the best; 0 if it is better than anything within the limits.
    pub loss: f32,
    /// How good it is.
    pub class: MoveClass,
    /// Whether the limits allow it.
    pub within_limits: bool,
    /// Every placement that the limits allow, best first, with its loss against the best of them.
    pub possible: Vec<Verdict>,
    /// Where the piece should go for each piece that may come next, in the order of
    /// [`Piece::ALL`](maxout_rules::Piece::ALL).
    pub adjustments: [Option<Placement>; 7],
}

impl JudgedPiece {
    /// Whether the piece could have cleared four rows and did not.
    pub fn missed_tetris(&self) -> bool {
        let clears_four = |verdict: &Verdict| {
            let (mut board, Placement { x, y, id }) = (self.placed.board, verdict.placement);
            board.lock(x, y, id) == 4
        };
        !clears_four(&self.verdict) && self.possible.iter().any(clears_four)
    }
}

/// Judges every placement within `limits`, which are those of the analyst, on `jobs` threads. The answer does not depend
/// on their number. Placements of a piece that nothing is known of are left out.
pub fn judge(pieces: &[PlacedPiece], analyst: &Analyst, limits: Limits, jobs: usize) -> Vec<JudgedPiece> {
    judge_while(pieces, analyst, limits, jobs, &|| true)
}

/// Judges as [`judge`] does, as long as `go_on` returns true; every thread asks it before each placement. Placements that
/// are not judged by then are left out.
pub fn judge_while(
    pieces: &[PlacedPiece],
    analyst: &Analyst,
    limits: Limits,
    jobs: usize,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Vec<JudgedPiece> {
    let jobs = jobs.clamp(1, pieces.len().max(1));
    let share = |part: &[PlacedPiece]| {
        let mut analyst = analyst.clone();
        let wanted = part.iter().take_while(|_| go_on());
        wanted.filter_map(|placed| judge_one(placed, &mut analyst, limits)).collect::<Vec<_>>()
    };
    let parts: Vec<&[PlacedPiece]> = pieces.chunks(pieces.len().div_ceil(jobs).max(1)).collect();
    thread::scope(|scope| {
        let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || share(part))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<JudgedPiece>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    })
}

/// Judges one placement, for a caller that does other work between placements.
pub fn judge_one(placed: &PlacedPiece, analyst: &mut Analyst, limits: Limits) -> Option<JudgedPiece> {
    let PlacedPiece { board, piece, next, placement, progress, .. } = *placed;
    let start = Start::spawn(piece, progress.level);
    let question = Question { board, start, next, progress };
    let judgement = analyst.judge(&question, placement, limits)?;
    let Judgement { verdict, best, loss, class, within_limits, possible } = judgement;
    let adjustments = analyst.adjustments(&question);
    Some(JudgedPiece { placed: *placed, verdict, best, loss, class, within_limits, possible, adjustments })
}
