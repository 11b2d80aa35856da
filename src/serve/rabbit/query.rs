//! The parameters of StackRabbit's requests.

use super::timeline::Timeline;
use crate::serve::fields::{BOARDS, Fields, needed};
use crate::serve::position::{LEVEL, LEVELS, LINES, LimitedPosition, fits};
use crate::serve::refusal::Refusal;
use maxout_engine::Position;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Start;
use maxout_rules::{Board, Orientation, ParsePieceError, Piece, Progress, gravity};

/// Placements of a list, unless `pruningBreadth` asks for another number.
const BREADTH: i64 = 20;
/// The most that `pruningBreadth` may ask for: every pair of 34 placements each.
const MOST: i64 = 1_156;
/// Numbers of StackRabbit's own search, which ours does not have. They are read and not used.
const NOT_OURS: [&str; 3] = ["playoutCount", "playoutLength", "lookaheadDepth"];

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The position; its next piece is known if the request names one.
    pub(super) position: LimitedPosition,
    /// Frames until the player has seen the next piece.
    pub(super) reaction: usize,
    /// How many placements to list.
    pub(super) breadth: usize,
    /// The board after the player's move.
    pub(super) second: Option<Board>,
}

impl Asked {
    /// Reads a query.
    pub(super) fn of(query: &str) -> Result<Self, Refusal> {
        let mut fields = Fields::of_query(query);
        let (board, progress, timeline) = field(&mut fields)?;
        let piece = needed("currentPiece", fields.piece("currentPiece")?, ParsePieceError::EXPECTED)?;
        let next = fields.piece("nextPiece")?;
        for name in NOT_OURS {
            fields.whole(name, 0..=1_000_000)?;
        }
        let breadth = fields.whole("pruningBreadth", 0..=MOST)?.filter(|&breadth| breadth > 0);
        let reaction = fields.whole("reactionTime", 0..=60)?.unwrap_or(0) as usize;
        let (start, at, waits) = start(&mut fields, &board, piece, progress.level)?;
        let start = timeline.map_or(start, |timeline| timeline.from(start, at, waits));
        let second = fields.board("secondBoard")?;
        let question = Position { board, start, next, progress };
        Ok(Self {
            position: LimitedPosition { question, limits: limits(timeline) },
            reaction,
            breadth: breadth.unwrap_or(BREADTH) as usize,
            second,
        })
    }
}

/// What `eval` asks about: a board at a level, played by a timeline.
pub(super) fn field(fields: &mut Fields) -> Result<(Board, Progress, Option<Timeline>), Refusal> {
    let board = needed("board", fields.board("board")?, BOARDS)?;
    let level = fields.whole("level", LEVELS)?.unwrap_or(LEVEL) as u8;
    let lines = fields.whole("lines", LINES)?.unwrap_or(0) as u32;
    let timeline = fields.text("inputFrameTimeline")?.map(|text| Timeline::of(&text)).transpose()?;
    Ok((board, Progress::at(lines, level), timeline))
}

/// The input limits that a timeline stands for.
pub(super) fn limits(timeline: Option<Timeline>) -> Limits {
    timeline.map_or(Limits::EACH_BUTTON, Timeline::limits)
}

/// Where the piece is (where it spawns, or in flight), which frame of the timeline comes next, and whether no press may begin in it.
fn start(fields: &mut Fields, board: &Board, piece: Piece, level: u8) -> Result<(Start, u32, bool), Refusal> {
    let names = ["existingXOffset", "existingYOffset", "existingRotation", "existingFramesElapsed"];
    let in_flight = names.iter().any(|name| fields.has(name));
    let spawn = Start::spawn(piece, level);
    // Columns 0 to 9, rows 0 to 19 and some above, and four turns.
    let ranges = [-5..=4, -20..=19, 0..=3, 0..=3_000];
    let mut numbers = [0; 4];
    for ((number, name), range) in numbers.iter_mut().zip(names).zip(ranges) {
        *number = fields.whole(name, range)?.unwrap_or(0);
    }
    let is_reset = fields.flag("arrWasReset")?.unwrap_or(false);
    if !in_flight {
        return Ok((spawn, 0, false));
    }
    let [columns, rows, turns, frames] = numbers;
    let id = (0..turns).fold(spawn.orientation, |id: Orientation, _| id.clockwise());
    let since_drop = frames % i64::from(gravity(level));
    let x = (i64::from(spawn.x) + columns) as u8;
    let (y, elapsed) = (rows.max(0) as u8, frames as u32);
    let start = Start { x, y, orientation: id, fall_timer: since_drop as u8, elapsed, ..spawn };
    // The timeline begins anew with the next frame, or it goes on and nothing is pressed in that frame.
    Ok((fits(board, start, "existingXOffset")?, if is_reset { 0 } else { elapsed }, !is_reset))
}
