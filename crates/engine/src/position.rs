//! A piece to place: [`Position`].

use crate::movegen::Start;
use maxout_rules::{Board, Piece, Progress};

/// What a person sees before a piece is placed: what fair players decide about, what searches rank, and what reviews judge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// The locked cells.
    pub board: Board,
    /// The piece in play, and the level whose gravity it falls by.
    pub start: Start,
    /// The next piece, if it is known. Otherwise all figures are expectations over the seven pieces, by the odds of the
    /// game's piece generator.
    pub next: Option<Piece>,
    /// Lines and level, which decide what clears pay and how far away the stop is.
    pub progress: Progress,
}

impl Position {
    /// The position in which `piece` spawns.
    ///
    /// ```
    /// use maxout_engine::Position;
    /// use maxout_rules::{Board, Piece, Progress};
    /// let position = Position::spawn(Board::EMPTY, Piece::T, Some(Piece::I), Progress::at(100, 19));
    /// assert_eq!((position.start.orientation, position.start.level), (Piece::T.spawn(), 19));
    /// ```
    pub const fn spawn(board: Board, piece: Piece, next: Option<Piece>, progress: Progress) -> Self {
        Self { board, start: Start::spawn(piece, progress.level), next, progress }
    }
}
