//! The parts of a request that say what is asked about: board, pieces, lines and level, input limits.

use super::fields::{BOARDS, Fields, needed};
use super::refusal::Refusal;
use maxout_engine::Position;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::movegen::{Reach, Start};
use maxout_rules::{Board, Orientation, ParsePieceError, Piece, Progress};

/// The level of a request that names none.
pub(super) const LEVEL: i64 = 19;
/// Levels are bytes.
pub(super) const LEVELS: std::ops::RangeInclusive<i64> = 0..=255;
/// As many lines as the game can count.
pub(super) const LINES: std::ops::RangeInclusive<i64> = 0..=25_599;

/// A position and who plays it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitedPosition {
    pub(super) question: Position,
    pub(super) limits: Limits,
}

impl LimitedPosition {
    /// The position of one of our own requests.
    pub(super) fn of(fields: &mut Fields) -> Result<Self, Refusal> {
        let board = needed("board", fields.board("board")?, BOARDS)?;
        let piece = needed("piece", fields.piece("piece")?, ParsePieceError::EXPECTED)?;
        let next = fields.piece("next")?;
        let level = fields.whole("level", LEVELS)?.unwrap_or(LEVEL) as u8;
        let progress = Progress::at(fields.whole("lines", LINES)?.unwrap_or(0) as u32, level);
        let limits = match fields.text("taps")? {
            None => Limits::EACH_BUTTON,
            Some(text) => taps("taps", &text)?,
        };
        let start = match fields.object("at")? {
            None => Start::spawn(piece, level),
            Some(at) => in_flight(at, &board, piece, level)?,
        };
        Ok(Self { question: Position { board, start, next, progress }, limits })
    }

    /// What the piece can reach. `None` if it overlaps the board.
    pub(super) fn reach(&self) -> Option<Reach> {
        Reach::new(&self.question.board, &self.question.start, self.limits)
    }
}

/// A tap speed: its name, or a timeline of X (a press may begin) and `.`, which is repeated.
pub(super) fn taps(name: &str, text: &str) -> Result<Limits, Refusal> {
    let wrong = || {
        let expected = "a timeline that begins with X and has '.' between its X, of at most 64 frames, such as X...., \
                        or a tap speed such as 12hz";
        Refusal::bad(format!("{name}: {:?}, expected {expected}", super::fields::shown(text)))
    };
    text.parse::<TapTable>().map(Limits::taps).map_err(|_| wrong())
}

/// A piece that is already in the air.
fn in_flight(mut at: Fields, board: &Board, piece: Piece, level: u8) -> Result<Start, Refusal> {
    let x = needed("at.x", at.whole("x", 0..=9)?, "a column from 0 to 9")? as u8;
    let y = needed("at.y", at.whole("y", 0..=19)?, "a row from 0 to 19")? as u8;
    let id = needed("at.orientation", at.whole("orientation", 0..=18)?, "a number from 0 to 18")? as u8;
    let fall_timer = at.whole("fall_timer", 0..=255)?.unwrap_or(0) as u8;
    at.end("x, y, orientation, fall_timer")?;
    let Some(orientation) = Orientation::from_id(id).filter(|orientation| orientation.piece() == piece)
    else {
        return Err(Refusal::bad(format!("at.orientation: {id}, expected an orientation of {piece}")));
    };
    fits(board, Start { x, y, orientation, fall_timer, ..Start::spawn(piece, level) }, "at")
}

/// `start`, if the piece lies inside the board on free cells.
pub(super) fn fits(board: &Board, start: Start, name: &str) -> Result<Start, Refusal> {
    if board.is_valid(start.x, start.y, start.orientation) {
        Ok(start)
    } else {
        let place = format!("column {}, row {}", start.x, start.y);
        Err(Refusal::bad(format!(
            "{name}: the piece at {place}, expected a place on free cells of the board"
        )))
    }
}
