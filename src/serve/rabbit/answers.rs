//! The answers to StackRabbit's requests: what the search says of a position, in the forms that its clients read.

use serde::Serialize;
use serde_json::{Map, Value};

use super::coding;
use super::played::{after_reaction, inputs, is_special, towards, without_next};
use super::query::Asked;
use super::score::{Scale, two};
use crate::serve::analysts::Desk;
use crate::serve::position::LimitedPosition;
use crate::serve::refusal::Refusal;
use maxout_engine::Position;
use maxout_engine::analysis::Verdict;
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{DEATH, odds};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Start;
use maxout_rules::{Board, Piece, Placement, Progress, line_points};

/// Points of a tetris at level 19, the unit of learned values.
const TETRIS: f32 = 24_000.0;
/// What all pieces are worth that come first in a game: they are equally likely.
const EVENLY: f64 = 1.0 / 7.0;
/// The answer where the piece has no placement.
const NO_MOVES: &str = "No legal moves";
/// Moves that `engine` lists.
const ENGINE_MOVES: usize = 5;

/// A text, or an error.
pub(super) type Said = Result<String, Refusal>;

/// The placements of a position, best first, and how they are scored.
struct Ranking {
    position: LimitedPosition,
    verdicts: Vec<Verdict>,
    scale: Scale,
}

impl Ranking {
    fn of(desk: &mut Desk, position: LimitedPosition) -> Self {
        let LimitedPosition { question, limits } = position;
        let mut verdicts = desk.rank(limits, &question);
        // In the order of the search, whose value is the score.
        verdicts.sort_by(|a, b| b.value.total_cmp(&a.value));
        let outlook = desk.outlook(limits, question.progress);
        let scale = Scale::new(&outlook, verdicts.first().map(|best| best.value));
        Self { position, verdicts, scale }
    }

    fn score(&self, verdict: &Verdict) -> f64 {
        self.scale.below(self.best().map_or(0.0, |best| best.value - verdict.value))
    }

    fn best(&self) -> Option<&Verdict> {
        self.verdicts.first()
    }
}

/// A move of a list, as the C++ part of StackRabbit writes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Move {
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

/// The moves without and with the next piece.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Hybrid {
    no_next_box: Vec<Move>,
    next_box: Vec<Move>,
}

/// A move as its JavaScript part writes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlainMove {
    placement: [i16; 3],
    is_special_move: bool,
    total_value: String,
    /// Continuations, which the search does not keep.
    hypothetical_lines: [Value; 0],
    eval_explanation: String,
    eval_score: String,
}

/// `engine-movelist-cpp`: the moves, best first.
pub(super) fn list_cpp(desk: &mut Desk, asked: &Asked) -> String {
    let position = after_reaction(desk, asked);
    let ranked = Ranking::of(desk, position);
    text(&moves(desk, &ranked, asked.breadth))
}

/// `engine-movelist-cpp-hybrid`: the moves without and with the next piece.
pub(super) fn list_hybrid(desk: &mut Desk, asked: &Asked) -> Said {
    if asked.position.question.next.is_none() {
        return Err(Refusal::bad(
            "nextPiece: not given, expected one of T, J, Z, O, S, L, I for this request",
        ));
    }
    let unknown = Ranking::of(desk, without_next(asked.position));
    let no_next_box = moves(desk, &unknown, asked.breadth);
    let position = after_reaction(desk, asked);
    let known = Ranking::of(desk, position);
    let next_box = moves(desk, &known, asked.breadth);
    Ok(text(&Hybrid { no_next_box, next_box }))
}

/// `engine-movelist`: pairs of the moves of both pieces, or the moves of one.
pub(super) fn list(desk: &mut Desk, asked: &Asked) -> String {
    let position = after_reaction(desk, asked);
    let ranked = Ranking::of(desk, position);
    let listed = ranked.verdicts.iter().take(asked.breadth);
    if position.question.next.is_none() {
        return text(&listed.map(|verdict| plain(desk, &ranked, verdict)).collect::<Vec<_>>());
    }
    let pair = |verdict: &Verdict| {
        let first = plain(desk, &ranked, verdict);
        let second = verdict.reply.map(|reply| PlainMove {
            placement: coding::place(reply),
            is_special_move: is_special(&verdict.board_after, reply),
            total_value: first.total_value.clone(),
            hypothetical_lines: [],
            eval_explanation: first.eval_explanation.clone(),
            eval_score: first.eval_score.clone(),
        });
        (first, second)
    };
    // A move that ends the game has no second one, and clients expect pairs.
    let pairs = listed.map(pair).filter(|(_, second)| second.is_some());
    text(&pairs.collect::<Vec<_>>())
}

/// `get-move`, `get-move-cpp`: placement, buttons, the board after it, level and lines.
pub(super) fn best(desk: &mut Desk, asked: &Asked) -> String {
    let position = after_reaction(desk, asked);
    let ranked = Ranking::of(desk, position);
    let Some(best) = ranked.best() else { return NO_MOVES.to_owned() };
    let [turns, columns, rows] = coding::place(best.placement);
    let inputs = inputs(&position, best.placement);
    let inputs = if inputs.is_empty() { "none" } else { &inputs };
    let Position { mut board, mut progress, .. } = position.question;
    let Placement { x, y, orientation: id } = best.placement;
    progress.add_rows(board.lock(x, y, id).min(4));
    let board = coding::digits(&board);
    format!("{turns},{columns},{rows}|{inputs}|{board}|{}|{}", progress.level, progress.lines())
}

/// `rate-move` as the JavaScript part answers: texts with two decimals.
pub(super) fn rate(desk: &mut Desk, asked: &Asked) -> Said {
    let said = |score: Option<f64>| Value::from(score.map_or("Unknown score".to_owned(), two));
    match rated(desk, asked)? {
        Some(rated) => Ok(rated.said(said)),
        None => Ok(NO_MOVES.to_owned()),
    }
}

/// `rate-move-cpp`: numbers.
pub(super) fn rate_cpp(desk: &mut Desk, asked: &Asked) -> Said {
    match rated(desk, asked)? {
        Some(rated) if rated.before.0.is_none() || rated.after.is_some_and(|after| after.0.is_none()) => {
            Ok("Error: player move not found".to_owned())
        }
        Some(rated) => Ok(rated.said(|score| score.map_or(Value::Null, Value::from))),
        None => Ok(NO_MOVES.to_owned()),
    }
}

/// `eval`, `rank-lookup`: what a board is worth before the piece in play is known. It is the mean over the seven, each placed
/// at its best by a search of the two pieces that would be seen.
pub(super) fn eval(desk: &mut Desk, board: Board, progress: Progress, limits: Limits) -> String {
    let mut analyst = desk.quick(limits);
    let outlook = analyst.outlook(progress);
    let score = |piece| {
        let question = Position { board, start: Start::spawn(piece, progress.level), next: None, progress };
        Scale::new(&outlook, analyst.rank(&question).first().map(|best| best.value)).below(0.0)
    };
    two(Piece::ALL.map(score).iter().sum::<f64>() * EVENLY)
}

/// `engine`: the moves without the next piece, and for each how it is adjusted once that is seen.
pub(super) fn engine(desk: &mut Desk, asked: &Asked) -> String {
    let unknown = Ranking::of(desk, without_next(asked.position));
    let mut list = Vec::new();
    for verdict in unknown.verdicts.iter().take(ENGINE_MOVES) {
        let mut one = styled(desk, &unknown, verdict);
        let mut adjustments = Vec::new();
        if let Some(next) = asked.position.question.next {
            let late = towards(asked.position, verdict.placement, asked.reaction);
            let ranked = Ranking::of(desk, late);
            let planned = ranked.verdicts.iter().find(|known| known.placement == verdict.placement);
            let least = planned.map_or(f64::NEG_INFINITY, |planned| ranked.score(planned));
            let better = ranked.verdicts.iter().take_while(|known| ranked.score(known) >= least);
            for known in better.take(ENGINE_MOVES) {
                let mut adjustment = styled(desk, &ranked, known);
                adjustment.insert("followUp".to_owned(), follow_up(&ranked, known, next));
                adjustments.push(Value::Object(adjustment));
            }
        }
        one.insert("adjustments".to_owned(), Value::from(adjustments));
        list.push(Value::Object(one));
    }
    Value::from(list).to_string()
}

/// A move of `engine`.
fn styled(desk: &Desk, ranked: &Ranking, verdict: &Verdict) -> Map<String, Value> {
    let question = &ranked.position.question;
    let piece = verdict.placement.orientation.piece().to_string();
    let special = is_special(&question.board, verdict.placement);
    Map::from_iter([
        ("piece".to_owned(), Value::from(piece)),
        ("placement".to_owned(), Value::from(coding::place(verdict.placement).to_vec())),
        ("inputSequence".to_owned(), Value::from(inputs(&ranked.position, verdict.placement))),
        ("totalValue".to_owned(), Value::from(ranked.score(verdict))),
        ("isSpecialMove".to_owned(), Value::from(special)),
        ("evalScore".to_owned(), Value::from(shallow_score(desk, ranked, verdict))),
        ("evalExplanation".to_owned(), Value::from(explanation(verdict))),
        ("hypotheticalLines".to_owned(), Value::Array(Vec::new())),
    ])
}

/// The move of the next piece in `engine`.
fn follow_up(ranked: &Ranking, verdict: &Verdict, next: Piece) -> Value {
    let Position { progress, .. } = ranked.position.question;
    let board = verdict.board_after;
    let start = Start::spawn(next, progress.level);
    let position = LimitedPosition {
        question: Position { board, start, next: None, progress },
        limits: ranked.position.limits,
    };
    let reply = verdict.reply;
    serde_json::json!({
        "piece": next.to_string(),
        "placement": reply.map(coding::place),
        "inputSequence": reply.map_or(String::new(), |reply| inputs(&position, reply)),
        "isSpecialMove": reply.is_some_and(|reply| is_special(&board, reply)),
        "totalValue": ranked.score(verdict),
    })
}

/// How the player's move compares with the best: before the next piece is known, and after it.
struct Rated {
    before: (Option<f64>, f64),
    after: Option<(Option<f64>, f64)>,
}

/// The answer to `rate-move`.
#[allow(clippy::struct_field_names)]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rating {
    player_move_no_adjustment: Value,
    best_move_no_adjustment: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    player_move_after_adjustment: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best_move_after_adjustment: Option<Value>,
}

impl Rated {
    fn said(&self, number: impl Fn(Option<f64>) -> Value) -> String {
        let Self { before, after } = *self;
        text(&Rating {
            player_move_no_adjustment: number(before.0),
            best_move_no_adjustment: number(Some(before.1)),
            player_move_after_adjustment: after.map(|after| number(after.0)),
            best_move_after_adjustment: after.map(|after| number(Some(after.1))),
        })
    }
}

/// `None` if the piece has no placement.
fn rated(desk: &mut Desk, asked: &Asked) -> Result<Option<Rated>, Refusal> {
    let second = crate::serve::fields::needed("secondBoard", asked.second, "the board after the move")?;
    let unknown = Ranking::of(desk, without_next(asked.position));
    let Some(first) = unknown.best() else { return Ok(None) };
    let player = |ranked: &Ranking| find(ranked, &second).map(|verdict| ranked.score(verdict));
    let before = (player(&unknown), unknown.score(first));
    let mut after = None;
    if asked.position.question.next.is_some() {
        let known = Ranking::of(desk, asked.position);
        let top = known.best().map_or(0.0, |best| best.value);
        // With a reaction delay fewer adjustments are left.
        let late = if asked.reaction == 0 {
            None
        } else {
            let late = after_reaction(desk, asked);
            desk.rank(late.limits, &late.question).first().map(|best| best.value)
        };
        let loss = late.map_or(0.0, |late| (top - late).max(0.0));
        after = Some((player(&known), known.scale.below(loss)));
    }
    Ok(Some(Rated { before, after }))
}

/// The verdict on the move that leads to `second`, in which full rows may still stand.
fn find<'a>(ranked: &'a Ranking, second: &Board) -> Option<&'a Verdict> {
    ranked.verdicts.iter().find(|verdict| {
        let locked = || {
            let mut rows = *ranked.position.question.board.rows();
            let Placement { x, y, orientation: id } = verdict.placement;
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

/// The first moves of a list.
fn moves(desk: &Desk, ranked: &Ranking, most: usize) -> Vec<Move> {
    let one = |verdict: &Verdict| {
        let (board, now) = after_reply(&ranked.position, verdict);
        Move {
            first_placement: coding::place(verdict.placement),
            second_placement: verdict.reply.map(coding::place),
            playout_score: ranked.score(verdict),
            shallow_eval_score: shallow_score(desk, ranked, verdict),
            resulting_board: coding::board(&board),
            playouts: playouts(desk, ranked, verdict, (&board, now)),
        }
    };
    ranked.verdicts.iter().take(most).map(one).collect()
}

fn plain(desk: &Desk, ranked: &Ranking, verdict: &Verdict) -> PlainMove {
    PlainMove {
        placement: coding::place(verdict.placement),
        is_special_move: is_special(&ranked.position.question.board, verdict.placement),
        total_value: two(ranked.score(verdict)),
        hypothetical_lines: [],
        eval_explanation: explanation(verdict),
        eval_score: two(shallow_score(desk, ranked, verdict)),
    }
}

fn explanation(verdict: &Verdict) -> String {
    let Verdict { points, loss, topout, .. } = verdict;
    format!("{points:.0} points to come, {loss:.0} less than the best, top-out {:.1} %", 100.0 * topout)
}

/// The board after the move, and after the next piece if that is known, with the lines and the level then.
fn after_reply(position: &LimitedPosition, verdict: &Verdict) -> (Board, Progress) {
    let Position { mut board, mut progress, .. } = position.question;
    for Placement { x, y, orientation: id } in [Some(verdict.placement), verdict.reply].into_iter().flatten()
    {
        progress.add_rows(board.lock(x, y, id).min(4));
    }
    (board, progress)
}

/// The board after `placement`, the lines and the level then, and the reward with the learned value of what follows, in
/// tetrises.
fn learned(desk: &Desk, mut board: Board, mut now: Progress, placement: Placement) -> (Board, f32) {
    let Placement { x, y, orientation: id } = placement;
    let lines = board.lock(x, y, id).min(4);
    now.add_rows(lines);
    let reward = if lines == 0 { 0.0 } else { line_points(lines, now.level) as f32 / TETRIS };
    (board, reward + desk.network().expected(&Shape::of(&board), now.level, id.piece()))
}

/// What the learned value alone thinks of a move, as a score: the best one by that value has the score of the best move.
fn shallow_score(desk: &Desk, ranked: &Ranking, verdict: &Verdict) -> f64 {
    let Position { board, progress, .. } = ranked.position.question;
    let value = |verdict: &Verdict| learned(desk, board, progress, verdict.placement).1;
    let best = ranked.verdicts.iter().map(value).fold(DEATH, f32::max);
    ranked.scale.tetrises_below(best - value(verdict))
}

/// What follows the move for each of the seven pieces that may come, best first. The scores differ by the learned value, and
/// their mean by the odds of the pieces is the move's own score. `now` is the progress after the move.
fn playouts(
    desk: &Desk,
    ranked: &Ranking,
    verdict: &Verdict,
    (board, now): (&Board, Progress),
) -> Map<String, Value> {
    let last = verdict.reply.unwrap_or(verdict.placement).orientation.piece();
    let after = verdict.replies.map(|reply| match reply {
        Some(reply) => learned(desk, *board, now, reply),
        None => (*board, DEATH),
    });
    let own = ranked.scale.tetrises(ranked.best().map_or(0.0, |best| best.value - verdict.value));
    let mean: f32 = odds(last).iter().zip(&after).map(|(odds, (_, value))| odds * value).sum();
    let mut playouts: Vec<Playout> = Piece::ALL
        .iter()
        .zip(&after)
        .zip(verdict.replies)
        .map(|((piece, (board, value)), reply)| Playout {
            piece_sequence: piece.to_string(),
            placements: reply.map(coding::place).into_iter().collect(),
            resulting_board: coding::board(board),
            score: ranked.scale.tetrises_below(own + mean - value),
        })
        .collect();
    playouts.sort_by(|a, b| b.score.total_cmp(&a.score));
    let named = (1..).zip(playouts).map(|(number, playout)| {
        (format!("playout{number}"), serde_json::to_value(playout).unwrap_or_default())
    });
    named.collect()
}

/// JSON as text.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
