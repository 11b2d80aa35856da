//! Where each piece of a recorded game went: [`timeline`] plays the button log on the rules, which are exact,
//! and checks the end against the record.

use serde_json::{Value, json};
use thiserror::Error;

use super::run::Record;
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::observer::{Observer, ScoredLock};
use maxout_rules::{Board, Game, Orientation, Piece, Seed};

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
    /// How it was turned when it locked.
    pub orientation: Orientation,
    /// Column of its centre.
    pub x: u8,
    /// Row of its centre.
    pub y: u8,
    /// Rows cleared, 0–4.
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
    /// The board, completed rows gone.
    pub board_after: Board,
}

/// A piece in the air came to stand here at the end of this frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// Frame of play.
    pub frame: u64,
    /// Column of the centre.
    pub x: u8,
    /// Row of the centre.
    pub y: u8,
    /// How it was turned.
    pub orientation: Orientation,
}

/// A game, piece by piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeline {
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

/// Why a record has no timeline.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TimelineError {
    /// No game starts on this level.
    #[error("start level {0}, expected 0 to 19")]
    StartLevel(u8),
    /// The log is shorter than the way through the menus.
    #[error("the button log has {frames} frames, expected more than the {menu} frames of menus")]
    Short {
        /// Frames of the log.
        frames: usize,
        /// Frames of menus that the record promises.
        menu: u64,
    },
    /// The log leads somewhere else.
    #[error("the button log leads to {what} {got} on the model, expected {want} as recorded")]
    Differs {
        /// Which total.
        what: &'static str,
        /// What the model says.
        got: u64,
        /// What the record says.
        want: u64,
    },
}

/// Plays the log of `record` on the rules. Fails if the end is not the recorded one.
pub fn timeline(record: &Record, log: &InputLog) -> Result<Timeline, TimelineError> {
    if record.start_level > 19 {
        return Err(TimelineError::StartLevel(record.start_level));
    }
    let buttons = usize::try_from(record.menu_frames)
        .ok()
        .and_then(|menu| log.frames().get(menu..))
        .ok_or(TimelineError::Short { frames: log.len(), menu: record.menu_frames })?;
    let mut game = Seed::new(record.seed).start(record.start_level);
    let mut film = Film::new(&game, buttons);
    for (frame, &held) in (1..).zip(buttons) {
        game.step(held);
        film.see(frame, &game);
    }
    let timeline = film.finish(&game);
    timeline.check(record, &game)?;
    Ok(timeline)
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

/// The pieces of the game are never hidden ones; T stands for an id that names none.
fn piece(id: Orientation) -> Piece {
    id.piece().unwrap_or(Piece::T)
}

fn place(frame: u64, game: &Game) -> Move {
    Move { frame, x: game.x, y: game.y, orientation: game.id }
}

impl Film {
    fn new(game: &Game, buttons: &[Buttons]) -> Self {
        let timeline = Timeline {
            locks: Vec::new(),
            pieces: vec![piece(game.id)],
            last_spawn: None,
            moves: vec![place(0, game)],
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
            self.timeline.moves.push(place(frame, after));
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
                piece: piece(place.id),
                orientation: place.id,
                x: place.x,
                y: place.y,
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
    fn check(&self, record: &Record, end: &Game) -> Result<(), TimelineError> {
        let clears = |rows: u8| self.locks.iter().filter(|lock| lock.rows_cleared == rows).count() as u64;
        let totals = [
            ("score", end.full_score.value(), record.score),
            ("line points", end.line_points, record.line_points),
            ("lines", end.progress.lines().into(), record.lines.into()),
            ("level", end.progress.level.into(), record.level.into()),
            ("pieces", self.locks.len() as u64, record.pieces.into()),
            ("singles", clears(1), record.singles.into()),
            ("doubles", clears(2), record.doubles.into()),
            ("triples", clears(3), record.triples.into()),
            ("tetrises", clears(4), record.tetrises.into()),
        ];
        match totals.into_iter().find(|(_, got, want)| got != want) {
            Some((what, got, want)) => Err(TimelineError::Differs { what, got, want }),
            None => Ok(()),
        }
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

    /// The placements as JSON for other programs (docs/reference/formats.md).
    pub fn to_json(&self) -> Value {
        let locks: Vec<Value> = self.locks.iter().map(lock_json).collect();
        let in_air = self.last_spawn.and_then(|_| self.pieces.get(self.locks.len()));
        json!({
            "frames": self.buttons.len(),
            "in_air": in_air.map(Piece::to_string),
            "next": self.pieces.last().map(Piece::to_string),
            "locks": locks,
        })
    }
}

fn lock_json(lock: &LockEvent) -> Value {
    let rows = lock.board_after.visible().iter();
    let drawn = |row: &u16| (0..10).map(|c| if row >> c & 1 == 1 { '#' } else { '.' }).collect::<String>();
    json!({
        "spawned": lock.spawned,
        "locked": lock.locked,
        "frame": lock.frame,
        "piece": lock.piece.to_string(),
        "orientation": lock.orientation.0,
        "x": lock.x,
        "y": lock.y,
        "rows_cleared": lock.rows_cleared,
        "score": lock.score,
        "line_points": lock.line_points,
        "lines": lock.lines,
        "level": lock.level,
        "next": lock.next.to_string(),
        "board_after": rows.map(drawn).collect::<Vec<_>>(),
    })
}
