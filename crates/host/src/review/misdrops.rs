//! Which placements were probably misdrops: [`meant`].

use super::{PlacedPiece, SeenPiece};
use maxout_engine::analysis::{Judgement, MoveClass};
use maxout_rules::{Board, Orientation, Placement};

/// A press that comes this many milliseconds after a piece has fallen a row may have come a frame late.
const LATE_MS: u64 = 35;
/// Whoever moves a piece more often than this is not looked at.
const MOST_POSES: usize = 200;
/// What one press does: columns, and clockwise turns. Both may begin at once.
const PRESSES: [(i8, u8); 8] = [(-1, 0), (1, 0), (0, 1), (0, 3), (-1, 1), (-1, 3), (1, 1), (1, 3)];

/// What a piece does from one picture in which it moves to the next: columns, clockwise turns, then rows down.
#[derive(Clone, Copy, Default)]
struct Step {
    columns: i8,
    turns: u8,
    rows: u8,
    /// The time since the step before.
    after_ms: u64,
}

/// Returns where a piece was probably meant to go if it was misdropped. That is told of mistakes and blunders: the place is Best or
/// Excellent, and the presses of the piece lead there with one more of the same kind, or with one a frame earlier. A press too many is not told:
/// it explains as many placements that were meant. `way` is where the piece was seen. If it is empty, the place is one column beside, with the
/// same rotation.
pub fn meant(placed: &PlacedPiece, way: &[SeenPiece], judgement: &Judgement) -> Option<Placement> {
    let is_looked_at = matches!(judgement.class, MoveClass::Mistake | MoveClass::Blunder);
    is_looked_at.then(|| explained(placed, way, judgement))?
}

/// Where the piece was meant to go if it was misdropped, whatever it lost.
pub(super) fn explained(placed: &PlacedPiece, way: &[SeenPiece], judgement: &Judgement) -> Option<Placement> {
    let level = placed.progress.level;
    let is_good = |loss: f32| MoveClass::of(loss, level) <= MoveClass::Excellent;
    // The best come first.
    let mut good = judgement
        .possible
        .iter()
        .take_while(|verdict| is_good(verdict.loss))
        .map(|verdict| verdict.placement);
    let played = placed.placement;
    if way.is_empty() {
        return good.find(|at| at.orientation == played.orientation && at.x.abs_diff(played.x) == 1);
    }
    let (first, steps) = steps(way, played)?;
    let Placement { x, y, orientation: id } = first;
    if !placed.board.is_valid(x, y, id) || landing(&placed.board, first, &steps) != played {
        return None;
    }
    let others: Vec<Placement> = others(&steps, played.orientation.piece().orientations())
        .iter()
        .map(|steps| landing(&placed.board, first, steps))
        .collect();
    good.find(|at| others.contains(at))
}

/// Where a piece is first seen, and what it does until it locks. `None` if it does what no piece does, or too much to be looked at.
fn steps(way: &[SeenPiece], played: Placement) -> Option<(Placement, Vec<Step>)> {
    let first = way.first().filter(|_| way.len() <= MOST_POSES)?;
    let mut steps = Vec::new();
    let (mut before, mut time_ms) = (first.at, first.time_ms);
    let ways = way.iter().skip(1).map(|seen| (seen.at, seen.time_ms)).chain([(played, u64::MAX)]);
    for (at, when) in ways {
        let piece = at.orientation.piece();
        if piece != before.orientation.piece() {
            return None;
        }
        let count = piece.orientations();
        let turns = (count + at.orientation.id() - before.orientation.id()) % count;
        steps.push(Step {
            columns: i8::try_from(i16::from(at.x) - i16::from(before.x)).ok()?,
            turns,
            rows: at.y.checked_sub(before.y)?,
            after_ms: when.saturating_sub(time_ms),
        });
        (before, time_ms) = (at, when);
    }
    Some((first.at, steps))
}

/// Where these steps end. What is in the way stops a shift or a rotation, and below everything the piece falls.
fn landing(board: &Board, first: Placement, steps: &[Step]) -> Placement {
    let is_free = |at: Placement| board.is_valid(at.x, at.y, at.orientation);
    let mut at = first;
    for step in steps {
        for _ in 0..step.columns.unsigned_abs() {
            let moved = Placement { x: at.x.wrapping_add_signed(step.columns.signum()), ..at };
            if is_free(moved) {
                at = moved;
            }
        }
        let turned = Placement { orientation: turned(at.orientation, step.turns), ..at };
        if is_free(turned) {
            at = turned;
        }
        for _ in 0..step.rows {
            let lower = Placement { y: at.y + 1, ..at };
            if !is_free(lower) {
                return at;
            }
            at = lower;
        }
    }
    while is_free(Placement { y: at.y + 1, ..at }) {
        at.y += 1;
    }
    at
}

fn turned(orientation: Orientation, turns: u8) -> Orientation {
    (0..turns).fold(orientation, |orientation, _| orientation.clockwise())
}

/// The same steps with one press more, or with one a frame earlier. The one more turns nothing back.
fn others(steps: &[Step], orientations: u8) -> Vec<Vec<Step>> {
    let goes = |columns: i8| steps.iter().any(|step| step.columns.signum() == columns);
    let turns_by = |turns: u8| steps.iter().any(|step| step.turns == turns);
    let turns_back = |&(columns, turns): &(i8, u8)| {
        let turned = turns_by(4 - turns) || orientations == 2 && turns_by(1);
        columns != 0 && goes(-columns) && !goes(columns) || turns != 0 && turned
    };
    let presses: Vec<_> = PRESSES.into_iter().filter(|press| !turns_back(press)).collect();
    let mut all = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        for &(columns, turns) in &presses {
            let mut steps = steps.to_vec();
            steps.insert(at, Step { columns, turns, ..Step::default() });
            all.push(steps);
        }
        let is_late = at > 0 && steps[at - 1].rows > 0 && step.after_ms <= LATE_MS;
        if is_late && (step.columns, step.turns) != (0, 0) {
            let mut steps = steps.to_vec();
            steps[at].rows += std::mem::take(&mut steps[at - 1].rows);
            all.push(steps);
        }
    }
    all
}
