//! Anyone's games, piece by piece, and what each placement lost against the best.
//!
//! First a source becomes a list of placements: [`of_timeline`] reads a recorded run, [`Camera`] watches while a movie is
//! played in the emulator, [`of_frames`] reads the frames of a score display, and [`of_video`] takes what was read from a video. Then [`judge`] gives each placement a loss
//! and a [`MoveClass`], and [`sums`](fn@sums) adds them up.

mod camera;
mod frames;
mod json;
mod judge;
mod misdrops;
mod style;
mod summary;
mod sums;
mod taps;
mod video;

use std::fmt;

use maxout_engine::Position;
use maxout_engine::movegen::Start;
use maxout_rules::{Board, Piece, Placement, Progress, Region};

pub use camera::{Camera, of_timeline};
pub use frames::{FrameFollower, of_frames, to_frames};
pub use json::{
    AtSpeed, LimitsThere, PageData, PressesThere, Reviewed, ReviewedAlternative, ReviewedChoice,
    ReviewedPiece, alternatives, drawn,
};
pub use judge::{JudgedPiece, ReviewDetail, judge, judge_one, judge_while, misdrop_rate};
pub use maxout_engine::analysis::{BOUNDS, MoveClass, blunder};
pub use misdrops::meant;
pub use style::{PlayStyle, StyledGame};
pub use summary::{GameSummary, Habit, HabitSum, summary};
pub use sums::{Balance, GamePhase, PhaseSum, PieceBalance, balances, by_piece, sums};
pub use taps::{BURSTS, SHIFTS, SeenPiece, TapSpeed};
pub use video::{OTHER_GAME, SETS_LEVEL, of_video, of_videos};

/// A piece that was placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// The frame in which it came into play, by the source's own count. Frames of score displays count from the first one
    /// in the file.
    pub frame: u64,
    /// The board before the placement.
    pub board: Board,
    /// The piece.
    pub piece: Piece,
    /// The piece in the next box, if it was shown.
    pub next: Option<Piece>,
    /// Where it locked.
    pub placement: Placement,
    /// Lines and level before the placement.
    pub progress: Progress,
    /// The version of the game, which decides how fast the piece falls.
    pub region: Region,
}

impl PlacedPiece {
    /// The position that was asked of whoever placed the piece.
    pub fn position(&self) -> Position {
        let start = Start::spawn(self.piece, self.progress.level).by(self.region.into());
        Position { board: self.board, start, next: self.next, progress: self.progress }
    }
}

/// A gap in the source, where placements cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Unread {
    /// The first frame from which it is not known what happened.
    pub frame: u64,
    /// Why it is not known.
    pub reason: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from frame {} on: not read: {}", self.frame, self.reason)
    }
}

/// A game as a list of placements.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayedGame {
    /// The player, if the source names one.
    pub played_by: Option<String>,
    /// The placements, in order.
    pub pieces: Vec<PlacedPiece>,
    /// Where placements are missing from the list.
    pub unread: Vec<Unread>,
    /// Where each piece was seen on its way, if the source shows that.
    pub path: Vec<SeenPiece>,
}

impl PlayedGame {
    /// Returns the version of the game: NTSC if there is no placement.
    pub fn region(&self) -> Region {
        self.pieces.first().map_or(Region::Ntsc, |placed| placed.region)
    }

    /// Notes where a piece is seen, if that is news.
    pub fn see(&mut self, seen: SeenPiece) {
        if self.path.last().is_none_or(|last| (last.piece, last.at) != (seen.piece, seen.at)) {
            self.path.push(seen);
        }
    }

    /// Returns where a piece was seen on its way; nothing if the source does not show that.
    pub fn way(&self, placed: &PlacedPiece) -> &[SeenPiece] {
        let before = self.path.partition_point(|seen| seen.piece < placed.frame);
        let number = self.path[before..].iter().take_while(|seen| seen.piece == placed.frame).count();
        &self.path[before..before + number]
    }

    /// Adds a placement, unless the piece overlaps the board, which is how a game tops out.
    pub fn add(&mut self, placed: PlacedPiece) {
        let Placement { y, orientation: id, x } = placed.placement;
        if placed.board.is_valid(x, y, id) {
            self.pieces.push(placed);
        }
    }
}
