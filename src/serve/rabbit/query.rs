//! The parameters of StackRabbit's requests.

use crate::serve::fields::{Fields, needed};
use crate::serve::position::{LEVEL, LEVELS, LINES, PIECES, Position, fits, taps};
use crate::serve::refusal::Refusal;
use maxout_engine::analysis::Question;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Start;
use maxout_rules::{Board, Orientation, Piece, Progress, gravity};

/// Placements of a list, unless `pruningBreadth` asks for another number.
const BREADTH: i64 = 20;
/// Numbers of StackRabbit's own search, which ours does not have. They are read and not used.
const NOT_OURS: [&str; 3] = ["playoutCount", "playoutLength", "lookaheadDepth"];

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The position; its next piece is known if the request names one.
    pub(super) position: Position,
    /// Frames until the player has seen the next piece.
    pub(super) reaction: usize,
    /// How many placements are to be listed.
    pub(super) breadth: usize,
    /// The board after the player's move.
    pub(super) second: Option<Board>,
}

impl Asked {
    /// Reads a query.
    pub(super) fn of(query: &str) -> Result<Self, Refusal> {
        let mut fields = Fields::of_query(query)?;
        let (board, progress, limits) = field(&mut fields)?;
        let piece = needed("currentPiece", fields.piece("currentPiece")?, PIECES)?;
        let next = fields.piece("nextPiece")?;
        for name in NOT_OURS {
            fields.whole(name, 0..=1_000_000)?;
        }
        let breadth = fields.whole("pruningBreadth", 1..=100)?.unwrap_or(BREADTH) as usize;
        let reaction = fields.whole("reactionTime", 0..=60)?.unwrap_or(0) as usize;
        let start = start(&mut fields, &board, piece, progress.level)?;
        let second = fields.board("secondBoard", false)?;
        let question = Question { board, start, next, progress };
        Ok(Self { position: Position { question, limits }, reaction, breadth, second })
    }
}

/// What `eval` asks about: a board at a level, played within these limits.
pub(super) fn field(fields: &mut Fields) -> Result<(Board, Progress, Limits), Refusal> {
    let board = needed("board", fields.board("board", false)?, "200 digits 0 and 1")?;
    let level = fields.whole("level", LEVELS)?.unwrap_or(LEVEL) as u8;
    let lines = fields.whole("lines", LINES)?.unwrap_or(0) as u32;
    let limits = match fields.text("inputFrameTimeline")? {
        None => Limits::EACH_BUTTON,
        Some(timeline) => {
            let timeline = timeline.replace('-', ".");
            if !timeline.starts_with(['X', 'x']) {
                let sentence = "inputFrameTimeline: no X at its beginning, expected a timeline such as X....";
                return Err(Refusal::bad(sentence));
            }
            taps("inputFrameTimeline", &timeline)?
        }
    };
    Ok((board, Progress::at(lines, level), limits))
}

/// Where the piece is: where it spawns, or in flight.
fn start(fields: &mut Fields, board: &Board, piece: Piece, level: u8) -> Result<Start, Refusal> {
    let names = ["existingXOffset", "existingYOffset", "existingRotation", "existingFramesElapsed"];
    let in_flight = names.iter().any(|name| fields.has(name));
    let spawn = Start::spawn(piece, level);
    // Columns 0 to 9, rows 0 to 19, and four turns.
    let ranges = [-5..=4, 0..=19, 0..=3, 0..=3_000];
    let mut numbers = [0; 4];
    for ((number, name), range) in numbers.iter_mut().zip(names).zip(ranges) {
        *number = fields.whole(name, range)?.unwrap_or(0);
    }
    // What was pressed before is not asked for.
    fields.flag("arrWasReset")?;
    if !in_flight {
        return Ok(spawn);
    }
    let [columns, rows, turns, frames] = numbers;
    let id = (0..turns).fold(spawn.id, |id: Orientation, _| id.clockwise());
    let pace = i64::from(gravity(level));
    let since_drop = (frames - rows * pace).clamp(0, pace - 1);
    let x = (i64::from(spawn.x) + columns) as u8;
    let elapsed = frames as u32;
    fits(
        board,
        Start { x, y: rows as u8, id, fall_timer: since_drop as u8, elapsed, ..spawn },
        "existingXOffset",
    )
}
