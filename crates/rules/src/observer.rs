//! [`Observer`]: what happens in a game, told from one frame boundary to the next: when a game begins, when a piece
//! spawns, locks and is scored, and when the game is over.
//!
//! The observer gets a [`Moment`] of every frame, made from a [`Snapshot`] or a [`Game`], and answers with [`Events`].
//! The frames may come from the rules, from an emulator or from a recording.

use crate::ram::{GameMode, LogicStage, RamByte, Snapshot};
use crate::{Game, Placement, PlayState};

/// What the observer needs to know of a frame boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Which part of the program runs.
    pub game_mode: RamByte<GameMode>,
    /// The stage of the frame's logic that comes next.
    pub game_mode_state: RamByte<LogicStage>,
    /// What the game does with the piece.
    pub play_state: RamByte<PlayState>,
    /// Where the piece is, or `None` if none is shown.
    pub piece: Option<Placement>,
    /// The number of lines that the current lock completed.
    pub completed_lines: u8,
    /// The number of rows that were soft-dropped while Down has been held.
    pub hold_down_points: u8,
}

/// What happened in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Events {
    /// A game came into play: the program now runs its logic in every frame, and did not before.
    pub began: bool,
    /// A piece came under control.
    pub spawned: bool,
    /// The piece under control moved or was turned. This includes the frame in which it hits the board.
    pub moved: bool,
    /// The cells of the piece joined the board at this place.
    pub locked: Option<Placement>,
    /// The lock was scored.
    pub scored: Option<ScoredLock>,
    /// The game ended.
    pub ended: Option<GameOver>,
}

/// A lock whose lines and points were counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredLock {
    /// Where the piece locked, or `None` if its lock was not seen.
    pub place: Option<Placement>,
    /// The number of rows that it cleared, 0 to 4.
    pub rows: u8,
    /// The number of rows that the soft drop is paid for.
    pub soft_drop: u8,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameOver {
    /// The game topped out, or a B-type game was won.
    ToppedOut,
    /// The program left play without that.
    LeftPlay,
}

/// Compares each frame boundary with the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Observer {
    last: Option<Moment>,
    in_game: bool,
    /// Where the piece was when it last hit the board. The game forgets this when rows are cleared.
    place: Option<Placement>,
}

impl Observer {
    /// Makes an observer that has seen this moment. [`Observer::default`] has seen nothing, so its first moment only
    /// tells whether a game is running.
    #[must_use]
    pub fn new(now: impl Into<Moment>) -> Self {
        let mut observer = Self::default();
        observer.see(now);
        observer
    }

    /// Looks at the next frame boundary and returns what happened since the one before.
    #[inline]
    pub fn see(&mut self, now: impl Into<Moment>) -> Events {
        let now = now.into();
        let in_game = now.in_game();
        let began = in_game && !self.in_game;
        self.in_game = in_game;
        if now.play_state == PlayState::Lock {
            self.place = now.piece;
        }
        let Some(last) = self.last.replace(now) else { return Events { began, ..Events::default() } };
        let (was, is) = (last.play_state, now.play_state);
        let was_controlled = was == PlayState::Control;
        let scored = is == PlayState::Goal && was != PlayState::Goal;
        Events {
            began,
            spawned: is == PlayState::Control && !was_controlled,
            moved: was_controlled && last.piece != now.piece,
            locked: self.place.filter(|_| was == PlayState::Lock && is == PlayState::CheckRows),
            scored: scored.then_some(ScoredLock {
                place: self.place,
                rows: last.completed_lines.min(4),
                soft_drop: last.hold_down_points,
            }),
            ended: last.ends(&now),
        }
    }

    /// Tells the observer that the machine was reset or switched off. RAM may still show the old game, which does not
    /// count as a new one.
    pub fn reset(&mut self) {
        *self = Self { in_game: true, ..Self::default() };
    }
}

impl Moment {
    /// Whether the program runs the logic of a game, paused or not.
    #[inline]
    fn in_game(&self) -> bool {
        self.game_mode == GameMode::Play
            && matches!(self.game_mode_state.known(), Some(LogicStage::Counters | LogicStage::PauseTest))
    }

    /// Returns how the game ended between this moment and the next, if it did.
    #[inline]
    fn ends(&self, next: &Self) -> Option<GameOver> {
        let is_over = |moment: &Self| moment.play_state.known().is_some_and(PlayState::is_over);
        if self.game_mode != GameMode::Play {
            None
        } else if next.game_mode != GameMode::Play {
            Some(GameOver::LeftPlay)
        } else {
            (is_over(next) && !is_over(self)).then_some(GameOver::ToppedOut)
        }
    }
}

impl From<&Snapshot> for Moment {
    #[inline]
    fn from(now: &Snapshot) -> Self {
        Self {
            game_mode: now.game_mode,
            game_mode_state: now.game_mode_state,
            play_state: now.play_state,
            piece: now.placement(),
            completed_lines: now.completed_lines,
            hold_down_points: now.hold_down_points,
        }
    }
}

impl From<&Game> for Moment {
    #[inline]
    fn from(game: &Game) -> Self {
        Self {
            game_mode: RamByte::Known(game.stage.game_mode()),
            game_mode_state: RamByte::Known(game.stage.logic_stage()),
            play_state: RamByte::Known(game.play_state),
            piece: game.placement(),
            completed_lines: game.completed_lines,
            hold_down_points: game.hold_down_points,
        }
    }
}
