//! What a fair player may know: [`Observation`].

use crate::movegen::Start;
use maxout_rules::{Board, Piece, Progress};

/// What a fair player sees when it places a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Observation {
    /// The locked cells.
    pub board: Board,
    /// The piece in the air.
    pub start: Start,
    /// Soft-drop state of the piece in the air (RAM 6E).
    pub autorepeat_y: u8,
    /// The piece in the next box.
    pub next: Piece,
    /// Lines and level.
    pub progress: Progress,
}
