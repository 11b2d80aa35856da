//! Where each piece of a game went: [`Timeline::film`] plays the buttons on the rules, which are exact, and says what the
//! game came to.

use crate::result::GameResult;
use maxout_rules::input::Buttons;
use maxout_rules::observer::{Observer, ScoredLock};
use maxout_rules::{Board, Game, Piece, PieceId, Placement, Progress};

/// One piece, from the air to the board. Frames count from the first of play; frame 0 is the state before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LockEvent {
    /// Frame at whose end the piece first stood in the air.
    pub spawned: u64,
    /// Frame in which its cells joined the board.
    pub locked: u64,
    /// Frame in which it was scored; all that follows is the state after it.
    pub frame: u64,
    /// The piece.
    pub piece: Piece,
    /// Where it locked.
    pub placement: Placement,
    /// Rows that it cleared, 0–4.
    pub rows_cleared: u8,
    /// Points so far without the game's cap, soft drop included.
    pub score: u64,
    /// Points so far without the cap and without soft drop.
    pub line_points: u64,
    /// Lines so far.
    pub lines: u32,
    /// Level.
    pub level: u8,
    /// The piece that was in the next box.
    pub next: Piece,
    /// The board after the lock, completed rows cleared.
    pub board_after: Board,
}

/// A move of the piece in the air: where it stood at the end of this frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Frame of play.
    pub frame: u64,
    /// Where it stood.
    pub placement: Placement,
}

/// A game, piece by piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeline {
    /// The board before the first piece.
    pub board: Board,
    /// Lines and level before the first piece.
    pub progress: Progress,
    /// Pieces that were scored, in order.
    pub locks: Vec<LockEvent>,
    /// All pieces that were seen: those of `locks`, the one in the air at the end if any, and the next box.
    pub pieces: Vec<Piece>,
    /// Frame in which the piece after those of `locks` stood in the air, if one did.
    pub last_spawn: Option<u64>,
    /// Every change of the piece in the air, its appearance first, in order of frames.
    pub moves: Vec<Move>,
    /// Buttons of the frames of play; entry 0 is frame 1.
    pub buttons: Vec<Buttons>,
}

/// What has been seen of a game so far.
struct Film {
    timeline: Timeline,
    /// Frame of appearance and next box of the piece that is not scored yet.
    open: Option<(u64, Piece)>,
    /// Frame of its lock.
    locked: Option<u64>,
    observer: Observer,
}

/// The piece of an orientation. During a game the id always names a piece; T replaces an id that names none.
fn piece(id: PieceId) -> Piece {
    id.piece().unwrap_or(Piece::T)
}

fn place(frame: u64, game: &Game) -> Option<Move> {
    game.placement().map(|placement| Move { frame, placement })
}

impl Film {
    fn new(game: &Game, buttons: &[Buttons]) -> Self {
        let timeline = Timeline {
            board: Board::from(&game.page),
            progress: game.progress,
            locks: Vec::new(),
            pieces: vec![piece(game.id)],
            last_spawn: None,
            moves: place(0, game).into_iter().collect(),
            buttons: buttons.to_vec(),
        };
        Self { timeline, open: Some((0, piece(game.next))), locked: None, observer: Observer::new(game) }
    }

    fn see(&mut self, frame: u64, after: &Game) {
        let events = self.observer.see(after);
        if events.spawned {
            self.open = Some((frame, piece(after.next)));
            self.timeline.pieces.push(piece(after.id));
        }
        if events.spawned || events.moved {
            self.timeline.moves.extend(place(frame, after));
        }
        if events.locked.is_some() {
            self.locked = Some(frame);
        }
        if let Some(ScoredLock { place: Some(place), rows, .. }) = events.scored
            && let (Some((spawned, next)), Some(locked)) = (self.open.take(), self.locked.take())
        {
            self.timeline.locks.push(LockEvent {
                spawned,
                locked,
                frame,
                piece: place.orientation.piece(),
                placement: place,
                rows_cleared: rows,
                score: after.full_score.value(),
                line_points: after.line_points,
                lines: after.progress.lines(),
                level: after.progress.level,
                next,
                board_after: Board::from(&after.page),
            });
        }
    }

    fn finish(self, end: &Game) -> Timeline {
        let mut timeline = self.timeline;
        timeline.last_spawn = self.open.map(|(spawned, _)| spawned);
        timeline.pieces.push(piece(end.next));
        timeline
    }
}

impl Timeline {
    /// Plays `buttons` on the rules from the state `start`. Returns the timeline and the result, which reaches no stop.
    pub fn film(start: Game, buttons: &[Buttons]) -> (Self, GameResult) {
        Self::film_until(start, buttons, |_, _| false)
    }

    /// The same, but from when `stands_still` is true, of the number of pieces that were scored and the game, the rest of `buttons` moves
    /// nothing: the real machine can fail from level 138 on, which the rules do not.
    pub(crate) fn film_until(
        start: Game,
        buttons: &[Buttons],
        stands_still: impl Fn(usize, &Game) -> bool,
    ) -> (Self, GameResult) {
        let mut game = start;
        let mut film = Film::new(&game, buttons);
        for (frame, &held) in (1..).zip(buttons) {
            if stands_still(film.timeline.locks.len(), &game) {
                break;
            }
            game.step(held);
            film.see(frame, &game);
        }
        let timeline = film.finish(&game);
        let mut result = GameResult::from(&game);
        timeline.locks.iter().for_each(|lock| result.count_lock(lock.rows_cleared));
        (timeline, result)
    }

    /// Pieces between two I pieces (or an end of the game and an I piece), each stretch with its length. The
    /// pieces are those that stood in the air.
    fn stretches_without_i(&self) -> impl Iterator<Item = usize> {
        let seen = &self.pieces[..self.pieces.len().saturating_sub(1)];
        seen.split(|&piece| piece == Piece::I).map(<[Piece]>::len)
    }

    /// The longest wait for an I piece, in pieces.
    pub fn longest_drought(&self) -> usize {
        self.stretches_without_i().max().unwrap_or(0)
    }

    /// Waits of `length` pieces or more.
    pub fn droughts(&self, length: usize) -> usize {
        self.stretches_without_i().filter(|&pieces| pieces >= length).count()
    }
}
