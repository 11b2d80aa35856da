//! Placements in the frames of a score display, read with the rules of the game.
//!
//! A recording is cut into *turns*, the frames of one piece each ([`turns`]). A placement of a piece is right if the board
//! that it leaves explains the fields of the next turn: these cells, and at most the four of the piece in the air. The reader
//! keeps several boards at a time (a beam search over placements), so a few bad frames, a pause or a piece without any
//! frame does not matter. Where no placement explains the fields for [`PATIENCE`] turns, it begins again with the cells
//! that stay, and the pieces in between are listed as unread.

mod compact;
mod field;
mod follow;
mod progress;
mod turns;
mod write;

use super::{PlacedPiece, PlayedGame, SeenPiece, Unread};
use compact::{Look, make_steady};
use field::{apart, falling, kept_rows, misfit, settled, with};
pub use follow::FrameFollower;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_record::champs::ChampsFrame;
use maxout_rules::{Board, Orientation, Piece, Placement, Region, gravity};
use progress::{Passed, counted};
use turns::{Turn, turns};
pub use write::to_frames;

/// Boards that are kept after a turn that was seen, and after one that was not.
const BEAM: usize = 8;
const WIDE_BEAM: usize = 1_200;
/// Cells by which a board may differ from the fields of a turn and still explain them.
const EXPLAINED: f32 = 1.5;
/// The most that one turn can cost.
const WORST: f32 = 6.0;
/// What a placement costs that no buttons reach.
const UNREACHABLE: f32 = 1.0;
/// Turns that may keep the wide beam where hardly anything is explained, and one more for so many that are.
const WIDE_TURNS: usize = 100;
const EXPLAINED_TURNS: usize = 2;
/// Pieces in a row without any frame that are still looked for.
const MOST_UNSEEN: usize = 4;
/// Turns without an explanation after which the reader begins again.
const PATIENCE: usize = 3;
/// Steps beyond twice the last number in use after which those that are no longer in use are dropped.
const SPARE_STEPS: usize = 1 << 16;
/// Milliseconds of a frame.
const FRAME_MS: u64 = 17;

/// The placements of each game in the frames, in order. A game ends where the frames name another one. One game at a time is
/// held in memory. Where the frames tell no lines or no level, they are counted from `start_level`, if that is known. The first error of
/// the source is returned.
pub fn of_frames<E>(
    frames: impl IntoIterator<Item = Result<ChampsFrame, E>>,
    start_level: Option<u8>,
) -> Result<Vec<PlayedGame>, E> {
    let (mut games, mut looks, mut number, mut first) = (Vec::new(), Vec::new(), None, 0);
    let mut end = |looks: &mut Vec<Look>, first| {
        // What is shown before the lines of a game that begins there is a menu.
        let menu = looks.iter().position(|look| look.lines.get().is_some());
        let menu = menu.filter(|&at| looks[at].is_first()).unwrap_or(0);
        looks.drain(..menu);
        if looks.len() < 2 {
            // A placement is seen before and after.
            looks.clear();
            return;
        }
        make_steady(looks);
        let game = Reader::new(first + menu, looks, start_level).read();
        if !game.pieces.is_empty() || !game.unread.is_empty() {
            games.push(game);
        }
        looks.clear();
    };
    for frame in frames {
        let frame = frame?;
        if number.is_some_and(|number| number != frame.game) {
            let seen = looks.len();
            end(&mut looks, first);
            first += seen;
        }
        number = Some(frame.game);
        looks.push(Look::new(&frame));
    }
    end(&mut looks, first);
    Ok(games)
}

/// A board that the frames so far may have led to.
#[derive(Clone, Copy)]
struct Guess {
    board: Board,
    /// Cells that were not explained, so far.
    cost: f32,
    /// The last step of the way there.
    step: Option<usize>,
}

/// A placement on the way to a guess.
#[derive(Clone, Copy)]
struct Step {
    before: Option<usize>,
    turn: usize,
    board: Board,
    /// The placement, or `None` for turns up to this one that could not be read.
    placement: Option<Placement>,
}

struct Reader<'a> {
    start_level: Option<u8>,
    /// The number of the game's first frame in the recording.
    first: usize,
    frames: &'a [Look],
    turns: Vec<Turn>,
    steps: Vec<Step>,
    guesses: Vec<Guess>,
    /// Steps at which those that are no longer in use are dropped.
    most_steps: usize,
    /// Turns that were explained, and turns with the wide beam.
    explained: usize,
    wide: usize,
    /// The first turn since which nothing explains the fields.
    lost: Option<usize>,
}

impl<'a> Reader<'a> {
    fn new(first: usize, frames: &'a [Look], start_level: Option<u8>) -> Self {
        let turns = turns(frames);
        Self {
            start_level,
            first,
            frames,
            turns,
            steps: Vec::new(),
            guesses: Vec::new(),
            most_steps: SPARE_STEPS,
            explained: 0,
            wide: 0,
            lost: None,
        }
    }

    fn read(mut self) -> PlayedGame {
        let Some(begin) = (0..self.turns.len()).find(|&turn| self.turns[turn].is_seen) else {
            return PlayedGame::default();
        };
        let fields = self.turns[begin].fields(self.frames);
        let empty = misfit(&Board::EMPTY, &fields) < EXPLAINED;
        let board = if empty { Board::EMPTY } else { settled(&fields) };
        self.guesses = vec![Guess { board, cost: 0.0, step: None }];
        let mut turn = begin;
        while turn + 1 < self.turns.len() {
            let seen = (turn + 1..self.turns.len()).find(|&turn| self.turns[turn].is_seen);
            let until = seen.map_or(self.turns.len(), |seen| seen + 1);
            let skips = self.turns[turn + 1..until].iter().any(|turn| turn.skipped > 0);
            match seen {
                Some(seen) if skips || seen - turn > MOST_UNSEEN => {
                    self.begin_again(self.lost.unwrap_or(turn), seen);
                    turn = seen;
                }
                None if skips => {
                    self.begin_again(self.lost.unwrap_or(turn), until);
                    break;
                }
                None if self.turns.len() - turn > MOST_UNSEEN + 1 => break,
                _ => {
                    self.place(turn);
                    turn += 1;
                }
            }
        }
        if let Some(lost) = self.lost {
            self.begin_again(lost, self.turns.len() - 1);
        }
        self.place_last();
        self.told(begin, empty)
    }

    /// Tries every placement of the piece of `turn`, and keeps those that explain the fields of the next turn best.
    fn place(&mut self, turn: usize) {
        let least = self.guesses.first().map_or(0.0, |guess| guess.cost);
        let (here, after) = (&self.turns[turn], &self.turns[turn + 1]);
        let level = here.last_level.or(self.start_level).unwrap_or(19);
        let mut found: Vec<(f32, Guess, Board, Placement)> = Vec::new();
        let (fields, fields_after) = (here.fields(self.frames), after.fields(self.frames));
        let mut explained = !after.is_seen;
        for guess in &self.guesses {
            for (placement, price) in resting(&guess.board, here.piece, level) {
                let mut board = guess.board;
                let locked = with(&board, placement);
                board.lock(placement.x, placement.y, placement.orientation);
                let seen = misfit(&board, &fields_after);
                explained |= seen < EXPLAINED;
                let ends = fields.iter().rev().take(3).map(|field| apart(field, &locked)).min();
                let end = ends.map_or(0.0, |cells| 0.25 * cells.min(6) as f32);
                let cost = guess.cost + price + seen.min(WORST) + end;
                found.push((cost, Guess { board, cost, step: guess.step }, guess.board, placement));
            }
        }
        if found.is_empty() {
            self.begin_again(self.lost.unwrap_or(turn), turn + 1);
            return;
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let spare = WIDE_TURNS + self.explained / EXPLAINED_TURNS > self.wide;
        let wide = spare && (!explained || !after.is_seen);
        self.wide += usize::from(wide);
        self.explained += usize::from(explained && after.is_seen);
        let mut kept: Vec<Guess> = Vec::new();
        for (_, guess, before, placement) in found {
            if kept.len() >= if wide { WIDE_BEAM } else { BEAM } || guess.cost > least + 3.0 * WORST {
                break;
            }
            if kept.iter().take(64).any(|other| other.board == guess.board) {
                continue;
            }
            self.steps.push(Step { before: guess.step, turn, board: before, placement: Some(placement) });
            kept.push(Guess { step: Some(self.steps.len() - 1), ..guess });
        }
        let is_seen = after.is_seen;
        self.guesses = kept;
        self.drop_steps();
        if explained {
            if is_seen {
                self.lost = None;
            }
            return;
        }
        let lost = *self.lost.get_or_insert(turn);
        if turn - lost + 1 >= PATIENCE {
            self.begin_again(lost, turn + 1);
        }
    }

    /// Drops the steps that lead to no guess, once there are many.
    fn drop_steps(&mut self) {
        if self.steps.len() < self.most_steps {
            return;
        }
        let mut is_used = vec![false; self.steps.len()];
        for guess in &self.guesses {
            let mut step = guess.step;
            while let Some(at) = step.filter(|&at| !is_used[at]) {
                is_used[at] = true;
                step = self.steps[at].before;
            }
        }
        // Where each one is after that.
        let mut places = vec![0; self.steps.len()];
        let mut kept = 0;
        for at in (0..self.steps.len()).filter(|&at| is_used[at]) {
            // What leads to a step comes before it.
            let before = self.steps[at].before.map(|before| places[before]);
            self.steps[kept] = Step { before, ..self.steps[at] };
            (places[at], kept) = (kept, kept + 1);
        }
        self.steps.truncate(kept);
        for guess in &mut self.guesses {
            guess.step = guess.step.map(|step| places[step]);
        }
        self.most_steps = 2 * kept + SPARE_STEPS;
    }

    /// Gives up the turns from `lost` on, and begins again with the cells that stay in the fields of `turn`. Where no turn is seen
    /// any more, that is told only if pieces were skipped.
    fn begin_again(&mut self, lost: usize, turn: usize) {
        self.lost = None;
        let seen = (turn..self.turns.len()).find(|&turn| self.turns[turn].is_seen);
        if seen.is_none() && self.turns[lost + 1..].iter().all(|turn| turn.skipped == 0) {
            return;
        }
        let before = self.guesses.first().and_then(|guess| {
            let mut step = guess.step;
            while let Some(at) = step.filter(|&at| self.steps[at].turn >= lost) {
                step = self.steps[at].before;
            }
            step
        });
        let board = seen.map_or(Board::EMPTY, |turn| settled(&self.turns[turn].fields(self.frames)));
        let turn = seen.unwrap_or(self.turns.len());
        self.steps.push(Step { before, turn: turn - 1, board, placement: None });
        self.guesses = vec![Guess { board, cost: 0.0, step: Some(self.steps.len() - 1) }];
    }

    /// The last piece has no next turn. It is placed if it was seen to rest for longer than the game lets it, or if its rows
    /// were seen to vanish.
    fn place_last(&mut self) {
        let Some(guess) = self.guesses.first().copied() else { return };
        let turn = self.turns.len() - 1;
        let here = &self.turns[turn];
        if guess.step.is_some_and(|step| self.steps[step].turn >= turn) {
            return;
        }
        let level = here.last_level.or(self.start_level).unwrap_or(19);
        let fields = here.fields(self.frames);
        let placed = resting(&guess.board, here.piece, level).into_iter().find(|&(placement, price)| {
            let locked = with(&guess.board, placement);
            let mut after = guess.board;
            let lines = after.lock(placement.x, placement.y, placement.orientation);
            let vanished = lines > 0
                && fields.iter().any(|field| {
                    let mut rows = locked.visible().iter().zip(field);
                    // The board without the piece, as before it appears, has the other rows, too.
                    let gone = rows.any(|(&row, &seen)| row == 0x3FF && seen != row)
                        && apart(field, &guess.board) > 0;
                    apart(field, &after) == 0 || gone && kept_rows(&locked, field)
                });
            let rests = here.rest_ms(self.frames, &locked) > FRAME_MS * u64::from(gravity(level) + 4);
            price == 0.0 && (vanished || rests)
        });
        if let Some((placement, _)) = placed {
            self.steps.push(Step {
                before: guess.step,
                turn,
                board: guess.board,
                placement: Some(placement),
            });
            self.guesses = vec![Guess { step: Some(self.steps.len() - 1), ..guess }];
        }
    }

    /// The best guess as a list of placements.
    fn told(self, begin: usize, empty: bool) -> PlayedGame {
        let mut way = Vec::new();
        let mut step = self.guesses.first().and_then(|guess| guess.step);
        while let Some(at) = step {
            way.push(self.steps[at]);
            step = self.steps[at].before;
        }
        way.reverse();
        let mut game = PlayedGame::default();
        let number = |turn: usize| (self.first + self.turns[turn].frames.start) as u64;
        if !empty && !way.is_empty() {
            let reason = "the recording begins in the middle of a game".to_owned();
            game.unread.push(Unread { frame: number(begin), reason });
        }
        // In the middle of a game a start level says nothing.
        let start_level = self.start_level.filter(|_| empty);
        let mut passed: Vec<Passed> = Vec::new();
        let mut is_after_gap = false;
        for step in &way {
            if let Some(placement) = step.placement {
                let mut after = step.board;
                let rows = after.lock(placement.x, placement.y, placement.orientation);
                passed.push(Passed { turn: step.turn, rows, is_after_gap });
            }
            is_after_gap = step.placement.is_none();
        }
        let mut counts = counted(&self.turns, &passed, start_level, empty).into_iter();
        let (mut next_turn, mut is_unknown, mut is_noted) = (begin, false, false);
        for Step { turn, board, placement, .. } in way {
            let Some(placement) = placement else {
                game.unread.push(self.gap(next_turn, turn));
                next_turn = turn + 1;
                continue;
            };
            let count = counts.next().unwrap_or_default();
            if count.is_short
                && let Some(gap) = game.unread.last_mut()
            {
                gap.reason += "; lines cleared there are not counted, as nothing shows them";
            }
            next_turn = turn + 1;
            let here = &self.turns[turn];
            let frame = number(turn);
            if let Some(reason) = count.note.filter(|_| !is_noted) {
                game.unread.push(Unread { frame, reason });
                is_noted = true;
            }
            let Some(progress) = count.progress else {
                if !is_unknown {
                    let reason = "lines or level are unknown from there on".to_owned();
                    game.unread.push(Unread { frame, reason });
                }
                is_unknown = true;
                continue;
            };
            is_unknown = false;
            let piece = placement.orientation.piece();
            let (next, region) = (here.next, Region::Ntsc);
            game.add(PlacedPiece { frame, board, piece, next, placement, progress, region });
            let mut is_exact = false;
            for look in &self.frames[here.frames.clone()] {
                let at = falling(&look.field, &board, piece);
                if let Some(at) = at {
                    game.see(SeenPiece { piece: frame, time_ms: look.time_ms.into(), at, is_exact });
                }
                is_exact = at.is_some();
            }
        }
        game
    }

    /// Says that the turns from `from` to `to` cannot be read.
    fn gap(&self, from: usize, to: usize) -> Unread {
        let turns = &self.turns[from..=to.max(from)];
        let skipped = self.turns.iter().take(to + 2).skip(from + 1).map(|turn| turn.skipped);
        let pieces = match turns.len() + skipped.sum::<usize>() {
            1 => "1 piece".to_owned(),
            number => format!("{number} pieces"),
        };
        let from = self.frames.first().map_or(0, |frame| frame.time_ms);
        let seconds = |frame: usize| {
            let at = self.frames.get(frame).map_or(0, |frame| frame.time_ms.saturating_sub(from));
            f64::from(at) / 1000.0
        };
        let begin = turns.first().map_or(0, |turn| turn.frames.start);
        let end = turns.last().map_or(0, |turn| turn.frames.end.saturating_sub(1));
        Unread {
            frame: (self.first + begin) as u64,
            reason: format!(
                "no placements explain the fields from {:.1} s to {:.1} s, {pieces}",
                seconds(begin),
                seconds(end)
            ),
        }
    }
}

/// Every place where the piece can rest on the board, with what it costs to believe in it. Any piece, if it is not known.
fn resting(board: &Board, piece: Option<Piece>, level: u8) -> Vec<(Placement, f32)> {
    let mut all = Vec::new();
    let mut reachable = Vec::new();
    for piece in Piece::ALL.into_iter().filter(|&one| piece.is_none_or(|piece| piece == one)) {
        let start = Start::spawn(piece, level);
        placements(board, &start, Limits::EACH_BUTTON, &mut reachable);
        all.extend(reachable.iter().map(|&placement| (placement, 0.0)));
        for orientation in Orientation::ALL.into_iter().filter(|one| one.piece() == piece) {
            for (x, y) in (0..10).flat_map(|x| (0..20).map(move |y| (x, y))) {
                let placement = Placement { y, orientation, x };
                if placement.rests_on(board) && !reachable.contains(&placement) {
                    all.push((placement, UNREACHABLE));
                }
            }
        }
    }
    all
}
