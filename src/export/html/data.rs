//! The data block of the page: small enough to embed, plain enough to read. docs/reference/formats.md describes it.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;

use super::overview::{Group, lines_to_29};
use maxout_record::run::Record;
use maxout_record::timeline::{Move, Timeline};
use maxout_rules::input::Buttons;
use maxout_rules::{Orientation, Piece, Placement, Progress, line_points};

/// Everything the page's script knows.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    pub(super) format: &'static str,
    pub(super) version: &'static str,
    /// Points at level 29 of the pace that a score is compared with.
    pub(super) target: u64,
    /// (dx, dy) of the four cells of each orientation.
    pub(super) cells: Vec<[(i8, i8); 4]>,
    /// Orientation after A and after B, by orientation.
    pub(super) turns: [Vec<u8>; 2],
    /// Letter and orientation of each piece as it spawns.
    pub(super) spawns: BTreeMap<char, u8>,
    /// By start level.
    pub(super) pace: BTreeMap<u8, Pace>,
    pub(super) runs: Vec<Row<'a>>,
    pub(super) groups: Vec<Group>,
    pub(super) games: Vec<Film>,
}

/// One run of the table.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    #[serde(flatten)]
    pub(super) record: &'a Record,
    /// The seed as text: the script's numbers end at 2^53.
    pub(super) seed_text: String,
    pub(super) longest_drought: usize,
    pub(super) droughts: usize,
    /// Index in `games`, if the game can be watched.
    pub(super) game: Option<usize>,
}

/// A game that can be watched: columns with one entry a piece.
#[derive(Serialize)]
pub(super) struct Film {
    run: usize,
    frames: usize,
    /// All pieces that were seen, one letter each.
    pieces: String,
    last_spawn: Option<u64>,
    /// Frames since the last score (or the start), since the spawn, since the lock.
    spawned: Vec<u64>,
    locked: Vec<u64>,
    scored: Vec<u64>,
    id: Vec<u8>,
    x: Vec<u8>,
    y: Vec<u8>,
    rows: Vec<u8>,
    /// Points of this piece.
    points: Vec<u64>,
    level: Vec<u8>,
    moves: String,
    buttons: String,
}

/// Ends the moves of one piece.
const NEXT_PIECE: u8 = 31;
/// A move that is no step, turn and fall: column, row and orientation follow, a byte each.
const JUMP: u8 = 30;
/// Nothing moved: bridges more than 255 frames.
const REST: u8 = 2;

impl Film {
    pub(super) fn new(run: usize, timeline: &Timeline) -> Self {
        let locks = &timeline.locks;
        let frames = |from: &dyn Fn(usize) -> u64, to: &dyn Fn(usize) -> u64| -> Vec<u64> {
            (0..locks.len()).map(|i| to(i).saturating_sub(from(i))).collect()
        };
        let scored = |i: usize| locks[i].frame;
        let before = |i: usize| i.checked_sub(1).map_or(0, scored);
        let score_before = |i: usize| i.checked_sub(1).map_or(0, |i| locks[i].score);
        Self {
            run,
            frames: timeline.buttons.len(),
            pieces: timeline.pieces.iter().map(|piece| piece.letter()).collect(),
            last_spawn: timeline.last_spawn,
            spawned: frames(&before, &|i| locks[i].spawned),
            locked: frames(&|i| locks[i].spawned, &|i| locks[i].locked),
            scored: frames(&|i| locks[i].locked, &scored),
            id: locks.iter().map(|lock| lock.placement.orientation.id()).collect(),
            x: locks.iter().map(|lock| lock.placement.x).collect(),
            y: locks.iter().map(|lock| lock.placement.y).collect(),
            rows: locks.iter().map(|lock| lock.rows_cleared).collect(),
            points: frames(&score_before, &|i| locks[i].score),
            level: locks.iter().map(|lock| lock.level).collect(),
            moves: BASE64_STANDARD.encode(pack_moves(timeline)),
            buttons: BASE64_STANDARD.encode(pack_buttons(&timeline.buttons)),
        }
    }
}

/// The moves, a byte each: bits 0–4 fall + 2 × (shift + 1) + 6 × turn (1 = A, 2 = B), or a code above; bits
/// 5–7 frames since the move before, 0 if the next byte says how many.
fn pack_moves(timeline: &Timeline) -> Vec<u8> {
    let spawns: Vec<u64> =
        timeline.locks.iter().map(|lock| lock.spawned).chain(timeline.last_spawn).collect();
    let mut bytes = Vec::new();
    for (i, (&spawn, piece)) in spawns.iter().zip(&timeline.pieces).enumerate() {
        let end = spawns.get(i + 1).copied().unwrap_or(u64::MAX);
        let mut at = Move { frame: spawn, placement: Placement { x: 5, y: 0, orientation: piece.spawn() } };
        let first = timeline.moves.partition_point(|to| to.frame <= spawn);
        for &to in timeline.moves[first..].iter().take_while(|to| to.frame < end) {
            pack_move(&mut bytes, at, to);
            at = to;
        }
        bytes.push(1 << 5 | NEXT_PIECE);
    }
    bytes
}

fn pack_move(bytes: &mut Vec<u8>, from: Move, to: Move) {
    let mut gap = to.frame.saturating_sub(from.frame);
    while gap > 255 {
        bytes.extend([REST, 255]);
        gap -= 255;
    }
    let gap = gap as u8;
    let (from, to) = (from.placement, to.placement);
    let fall = to.y.wrapping_sub(from.y);
    let shift = to.x.wrapping_sub(from.x).wrapping_add(1);
    let turn = [from.orientation, from.orientation.clockwise(), from.orientation.counterclockwise()]
        .iter()
        .position(|&turned| turned == to.orientation);
    let jump = [to.x, to.y, to.orientation.id()];
    let (code, rest): (u8, &[u8]) = match turn {
        Some(turn) if fall <= 1 && shift <= 2 => (fall + 2 * shift + 6 * turn as u8, &[]),
        _ => (JUMP, &jump),
    };
    if gap < 8 {
        bytes.push(gap << 5 | code);
    } else {
        bytes.extend([code, gap]);
    }
    bytes.extend(rest);
}

/// Stretches of equal frames: the buttons, then the number of frames, seven bits a byte, low bits first, the
/// top bit set while more follow.
fn pack_buttons(frames: &[Buttons]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for stretch in frames.chunk_by(|a, b| a == b) {
        bytes.push(stretch[0].0);
        let mut count = stretch.len();
        while count > 0x7F {
            bytes.push(count as u8 & 0x7F | 0x80);
            count >>= 7;
        }
        bytes.push(count as u8);
    }
    bytes
}

impl Data<'_> {
    /// The cells of all orientations.
    pub(super) fn shapes() -> Vec<[(i8, i8); 4]> {
        Orientation::ALL.map(|orientation| *orientation.cells()).to_vec()
    }

    /// What A and B make of each orientation.
    pub(super) fn turns() -> [Vec<u8>; 2] {
        [Orientation::clockwise, Orientation::counterclockwise]
            .map(|turn| Orientation::ALL.map(|orientation| turn(orientation).id()).to_vec())
    }

    /// How each piece spawns.
    pub(super) fn spawns() -> BTreeMap<char, u8> {
        Piece::ALL.into_iter().map(|piece| (piece.letter(), piece.spawn().id())).collect()
    }
}

/// The best pace: a line pays a quarter of what a tetris does at the level after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Pace {
    /// Lines at which level 29 begins, where the target is due.
    goal: u32,
    /// Points after 0, 1, 2 … lines if all were cleared four at a time.
    points: Vec<u64>,
}

impl Pace {
    /// The pace from `start_level` to level 29, or further if `lines` is.
    pub(super) fn new(start_level: u8, lines: u32) -> Self {
        let goal = lines_to_29(start_level);
        let mut progress = Progress::at(0, start_level);
        let points = (0..goal.max(lines)).scan(0, |sum, _| {
            progress.add_rows(1);
            *sum += line_points(4, progress.level) / 4;
            Some(*sum)
        });
        Self { goal, points: std::iter::once(0).chain(points).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_of_all_tetrises_is_the_known_one() {
        let Pace { goal, points } = Pace::new(19, 232);
        assert_eq!((goal, points.len()), (230, 233));
        assert_eq!((points[4], points[139]), (24_000, 139 * 6_000));
        // Ten lines on each level from 20 to 28, and the one that reaches level 29.
        let later: u64 = (20..=28).map(|level| 10 * 300 * (level + 1)).sum();
        assert_eq!(points[230], 139 * 6_000 + later + 300 * 30);
    }

    #[test]
    fn long_stretches_of_buttons_take_two_bytes_for_the_count() {
        let mut frames = vec![Buttons::DOWN; 300];
        frames.push(Buttons::NONE);
        assert_eq!(pack_buttons(&frames), [0x04, 0x80 | 0x2C, 2, 0, 1]);
    }

    #[test]
    fn a_move_is_a_byte_and_a_jump_is_still_told() {
        let at = Move { frame: 10, placement: Placement { x: 5, y: 3, orientation: Orientation::TDown } };
        let mut bytes = Vec::new();
        pack_move(
            &mut bytes,
            at,
            Move { frame: 12, placement: Placement { x: 4, y: 4, orientation: Orientation::TLeft } },
        );
        assert_eq!(bytes, [2 << 5 | (1 + 6)]);
        bytes.clear();
        pack_move(
            &mut bytes,
            at,
            Move { frame: 310, placement: Placement { x: 9, y: 3, orientation: Orientation::TDown } },
        );
        assert_eq!(bytes, [REST, 255, JUMP, 45, 9, 3, 2]);
    }
}
