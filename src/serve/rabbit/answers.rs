//! The answers to StackRabbit's requests.

use serde::Serialize;
use serde_json::{Map, Value};

use super::coding;
use super::query::Asked;
use super::score::{points_of_one, rounded, score};
use crate::serve::analysts::Desk;
use crate::serve::position::Position;
use crate::serve::refusal::Refusal;
use maxout_engine::analysis::{Question, Verdict};
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{DEATH, odds};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Placement, Reach, Start};
use maxout_engine::player::{Observation, Plan};
use maxout_rules::{Board, Piece, Progress, line_points};

/// Points of a tetris at level 19, the unit of learned values.
const TETRIS: f32 = 24_000.0;
/// What all pieces are worth that come first in a game: they are equally likely.
const EVENLY: f32 = 1.0 / 7.0;

/// A move of a list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Move {
    first_placement: [i16; 3],
    second_placement: Option<[i16; 3]>,
    playout_score: f64,
    shallow_eval_score: f64,
    resulting_board: String,
    /// `playout1` to `playout7`.
    #[serde(flatten)]
    playouts: Map<String, Value>,
}

/// What follows a move if a piece comes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Playout {
    piece_sequence: String,
    placements: Vec<[i16; 3]>,
    resulting_board: String,
    score: f64,
}

/// How a player's move compares.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rating {
    player_move_no_adjustment: f64,
    best_move_no_adjustment: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    player_move_after_adjustment: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_move_after_adjustment: Option<f64>,
    /// True if the input limits do not allow the player's move, but faster presses do.
    #[serde(skip_serializing_if = "Option::is_none")]
    rapid: Option<bool>,
}

/// What a board is worth before a piece is known.
#[derive(Serialize)]
pub(super) struct BoardValue {
    score: f64,
    points: f32,
    topout: f32,
}

/// The moves of a list, best first, up to `most` of them.
pub(super) fn list(desk: &mut Desk, asked: &Asked, most: usize) -> Vec<Move> {
    let position = after_reaction(desk, asked);
    let verdicts = desk.rank(position.limits, &position.question);
    let at_sight: Vec<f32> = verdicts.iter().map(|verdict| shallow(desk, &position, verdict)).collect();
    let best = at_sight.iter().copied().fold(DEATH, f32::max);
    let top = verdicts.first().map_or(0.0, |verdict| verdict.points);
    let moves = verdicts.iter().zip(at_sight).take(most);
    let progress = position.question.progress;
    moves
        .map(|(verdict, shallow)| {
            let (board, now) = after_reply(&position, verdict);
            Move {
                first_placement: coding::place(verdict.placement),
                second_placement: verdict.reply.map(coding::place),
                playout_score: score(verdict.points, progress),
                shallow_eval_score: score(top + (shallow - best) * TETRIS, progress),
                resulting_board: coding::board(&board),
                playouts: playouts(desk, verdict, (&board, now), progress),
            }
        })
        .collect()
}

/// How the player's move compares with the best, before and after the next piece is known.
pub(super) fn rate(desk: &mut Desk, asked: &Asked, second: &Board) -> Result<Rating, Refusal> {
    let position = asked.position;
    let known = position.question.next;
    let unknown = Position { question: Question { next: None, ..position.question }, ..position };
    let (player, best, is_rapid) = compare(desk, &unknown, second)?;
    let progress = position.question.progress;
    let adjusted = if known.is_some() {
        let (player, spawned, _) = compare(desk, &position, second)?;
        // With a reaction delay fewer adjustments are left.
        let late = after_reaction(desk, asked);
        let best = match asked.reaction {
            0 => spawned,
            _ => desk.rank(late.limits, &late.question).first().map_or(spawned, |verdict| verdict.points),
        };
        Some((player, best))
    } else {
        None
    };
    Ok(Rating {
        player_move_no_adjustment: score(player, progress),
        best_move_no_adjustment: score(best, progress),
        player_move_after_adjustment: adjusted.map(|(player, _)| score(player, progress)),
        best_move_after_adjustment: adjusted.map(|(_, best)| score(best, progress)),
        rapid: is_rapid.then_some(true),
    })
}

/// What `board` is worth before the piece in play is known: the mean over the seven, each placed at its best by a search of
/// the two pieces that would be seen.
pub(super) fn eval(desk: &mut Desk, board: Board, progress: Progress, limits: Limits) -> BoardValue {
    let mut analyst = desk.quick(limits);
    let (mut points, mut topout) = (0.0, 0.0);
    for piece in Piece::ALL {
        let question = Question { board, start: Start::spawn(piece, progress.level), next: None, progress };
        // A piece without a place ends the game.
        let (paid, lost) =
            analyst.rank(&question).first().map_or((0.0, 1.0), |best| (best.points, best.topout));
        points += paid * EVENLY;
        topout += lost * EVENLY;
    }
    BoardValue { score: score(points, progress), points, topout }
}

/// The points of the player's move and of the best one, and whether the move is faster than the limits allow.
fn compare(desk: &mut Desk, position: &Position, second: &Board) -> Result<(f32, f32, bool), Refusal> {
    let verdicts = desk.rank(position.limits, &position.question);
    let top = verdicts.first().map_or(0.0, |best| best.points);
    if let Some(player) = find(&verdicts, position, second) {
        return Ok((player.points, top, false));
    }
    let fast = desk.rank(Limits::EACH_BUTTON, &position.question);
    let Some(player) = find(&fast, position, second) else {
        let sentence = "secondBoard: no placement of the piece leads there, expected the board after one";
        return Err(Refusal::bad(sentence));
    };
    Ok((top - player.loss, top, true))
}

/// The verdict on the move that leads to `second`, in which full rows may still stand.
fn find<'a>(verdicts: &'a [Verdict], position: &Position, second: &Board) -> Option<&'a Verdict> {
    verdicts.iter().find(|verdict| {
        let locked = || {
            let mut rows = *position.question.board.rows();
            let Placement { x, y, id } = verdict.placement;
            for &(dx, dy) in id.cells() {
                if let Some(row) = rows.get_mut((y as i8 + dy + 2) as usize) {
                    *row |= 1 << (x as i8 + dx);
                }
            }
            Board::from_rows(rows)
        };
        verdict.board_after.visible() == second.visible() || locked().visible() == second.visible()
    })
}

/// The position in which the next piece is known: after the frames of the reaction delay, in which the piece is played
/// towards its best placement without a next piece. Without a delay, or if the piece has locked by then, the position that
/// was asked about.
fn after_reaction(desk: &mut Desk, asked: &Asked) -> Position {
    let position = asked.position;
    let (Question { board, start, next, progress }, limits) = (position.question, position.limits);
    let (Some(next), 1..) = (next, asked.reaction) else { return position };
    let hover = desk.rank(limits, &Question { next: None, ..position.question });
    let Some(placement) = hover.first().map(|verdict| verdict.placement) else { return position };
    let path = Reach::new(&board, &start, limits).and_then(|reach| reach.path(placement));
    let seen = Observation { board, start, autorepeat_y: 0, next, progress };
    let plan = path.and_then(|path| Plan::along(&seen, placement, &path, false));
    let Some(plan) = plan.filter(|plan| asked.reaction < plan.poses.len()) else { return position };
    let last = asked.reaction - 1;
    let pose = plan.poses[last];
    let row = plan.poses[..=last].iter().rev().take_while(|before| before.y == pose.y).count();
    let fresh = pose.y == start.y;
    let timer = if fresh { usize::from(start.fall_timer) + asked.reaction } else { row - 1 };
    let start = Start {
        x: pose.x,
        y: pose.y,
        id: pose.id,
        fall_timer: timer.min(255) as u8,
        held: plan.buttons[last],
        elapsed: start.elapsed.saturating_add(asked.reaction as u32),
        ..start
    };
    Position { question: Question { start, ..position.question }, limits }
}

/// The board after the move, and after the next piece if that is known, with the lines and the level then.
fn after_reply(position: &Position, verdict: &Verdict) -> (Board, Progress) {
    let Question { mut board, mut progress, .. } = position.question;
    for Placement { x, y, id } in [Some(verdict.placement), verdict.reply].into_iter().flatten() {
        progress.add_rows(board.lock(x, y, id).min(4));
    }
    (board, progress)
}

/// The board after `placement`, the lines and the level then, and the reward with the learned value of what follows, in
/// tetrises.
fn learned(desk: &Desk, mut board: Board, mut now: Progress, placement: Placement) -> (Board, f32) {
    let Placement { x, y, id } = placement;
    let lines = board.lock(x, y, id).min(4);
    now.add_rows(lines);
    let reward = if lines == 0 { 0.0 } else { line_points(lines, now.level) as f32 / TETRIS };
    let piece = id.piece().unwrap_or(Piece::T);
    (board, reward + desk.network().expected(&Shape::of(&board), now.level, piece))
}

/// What the learned value alone thinks of a move, in tetrises.
fn shallow(desk: &Desk, position: &Position, verdict: &Verdict) -> f32 {
    let Question { board, progress, .. } = position.question;
    learned(desk, board, progress, verdict.placement).1
}

/// What follows the move for each of the seven pieces that may come. The scores differ by the learned value, and their mean
/// by the odds of the pieces is the move's own score. `progress` is that before the move, `now` the one after it.
fn playouts(
    desk: &Desk,
    verdict: &Verdict,
    (board, now): (&Board, Progress),
    progress: Progress,
) -> Map<String, Value> {
    let own = score(verdict.points, progress) as f32;
    let last = verdict.reply.unwrap_or(verdict.placement).id.piece().unwrap_or(Piece::T);
    let after = verdict.replies.map(|reply| match reply {
        Some(reply) => learned(desk, *board, now, reply),
        None => (*board, DEATH),
    });
    let mean: f32 = odds(last).iter().zip(&after).map(|(odds, (_, value))| odds * value).sum();
    let mut playouts = Map::new();
    for (at, (piece, (board, value))) in Piece::ALL.iter().zip(&after).enumerate() {
        let playout = Playout {
            piece_sequence: piece.to_string(),
            placements: verdict.replies[at].map(coding::place).into_iter().collect(),
            resulting_board: coding::board(board),
            score: rounded((value - mean) * TETRIS / points_of_one(progress.level) + own),
        };
        let playout = serde_json::to_value(playout).unwrap_or_default();
        playouts.insert(format!("playout{}", at + 1), playout);
    }
    playouts
}
