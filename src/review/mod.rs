//! Anyone's games, piece by piece, and what each placement lost against the best: as text for people ([`told`]) and as a
//! table for other programs ([`csv`](fn@csv)).
//!
//! Reading a source as a list of placements and judging them is part of `maxout-host`, because the Python package and the
//! page for the browser review games, too.

mod table;

pub use maxout_host::review::{
    AtSpeed, BOUNDS, BURSTS, Balance, Camera, GamePhase, GameSummary, Habit, HabitSum, JudgedPiece,
    MoveClass, PageData, PhaseSum, PieceBalance, PlacedPiece, PlayedGame, ReviewDetail, Reviewed,
    ReviewedAlternative, ReviewedPiece, SHIFTS, SeenPiece, TapSpeed, Unread, alternatives, balances, blunder,
    by_piece, drawn, judge, judge_while, of_frames, of_timeline, summary, sums, typed,
};
pub use table::{MeasuredLoss, csv, told, worst};
