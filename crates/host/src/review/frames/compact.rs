//! A frame of a score display, with what the reader uses of it, in a fifth of the memory: [`Look`].

use super::field::{CURTAIN, Field};
use maxout_record::champs::{ChampsFrame, steady};
use maxout_rules::Piece;

/// The most by which lines, level and a piece's count grow within a few frames.
const MOST_LINES: u32 = 8;
const MOST_LEVELS: u32 = 4;
const MOST_PIECES: u32 = 8;
/// Frames after which a display that shows nothing is not what it showed before.
const HIDDEN: usize = 60;
/// Milliseconds in which no curtain closes and opens again, and the cells that two pieces have.
const FLASH_MS: u32 = 1_000;
const TWO_PIECES: u32 = 8;
/// Pieces that a new one is compared with before it is believed.
const LATER: usize = 4;

/// A number that may be unknown, in two bytes: a long recording has many.
#[derive(Clone, Copy, Debug)]
pub struct Number(u16);

impl Number {
    const UNKNOWN: u16 = u16::MAX;

    fn new(value: Option<u32>) -> Self {
        Self(value.and_then(|value| value.try_into().ok()).unwrap_or(Self::UNKNOWN))
    }

    pub fn get(self) -> Option<u16> {
        (self.0 != Self::UNKNOWN).then_some(self.0)
    }
}

/// What a frame shows.
#[derive(Clone, Debug)]
pub struct Look {
    pub time_ms: u32,
    pub lines: Number,
    pub level: Number,
    pub score: Option<u32>,
    /// Whether the display hides lines, and the level, for so long that they may have changed: they are those before, then.
    pub is_hidden: [bool; 2],
    pub next: Option<Piece>,
    pub current: Option<Piece>,
    /// Pieces so far, T J Z O S L I.
    pub counts: [Number; 7],
    /// The occupied cells, row by row.
    pub field: Field,
}

impl Look {
    pub fn new(frame: &ChampsFrame) -> Self {
        let mut field = [0; 20];
        for (row, cells) in field.iter_mut().zip(frame.field.chunks(10)) {
            *row = (0..).zip(cells).fold(0, |row, (column, &cell)| row | u16::from(cell != 0) << column);
        }
        Self {
            time_ms: frame.time_ms as u32,
            lines: Number::new(frame.lines),
            level: Number::new(frame.level),
            score: frame.score,
            is_hidden: [false; 2],
            next: frame.next.and_then(piece_of),
            current: frame.current.and_then(piece_of),
            counts: frame.counts.map(Number::new),
            field,
        }
    }

    /// The occupied cells and those that have vanished: four more for each piece that has appeared. `None` if the field is
    /// hidden, or lines are unknown.
    pub fn cells_so_far(&self) -> Option<i32> {
        let cells: u32 = self.field.iter().map(|row| row.count_ones()).sum();
        Some(cells as i32 + 10 * i32::from(self.lines.get()?)).filter(|_| cells > 0)
    }

    /// Whether it shows the first piece of a game, by the counts, or by lines and cells.
    pub fn is_first(&self) -> bool {
        let pieces = self.all_counts().map(|counts| counts.iter().sum());
        pieces.map_or_else(|| self.cells_so_far().is_some_and(|cells| cells <= 4), |pieces: u16| pieces == 1)
    }

    /// The occupied cells where pieces appear.
    pub fn cells_at_top(&self) -> u32 {
        ((self.field[0] | self.field[1]) & 0b00_1111_1000).count_ones()
    }

    /// The next piece and the one in play.
    pub const fn boxes(&self) -> [Option<Piece>; 2] {
        [self.next, self.current]
    }

    /// All counts, if they are known.
    pub fn all_counts(&self) -> Option<[u16; 7]> {
        let mut counts = [0; 7];
        for (count, seen) in counts.iter_mut().zip(self.counts) {
            *count = seen.get()?;
        }
        Some(counts)
    }
}

/// Replaces numbers and fields that are misread or missing by what the frames around them show. Where lines or level are missing for
/// [`HIDDEN`] frames, that is marked.
pub fn make_steady(looks: &mut [Look]) {
    let is_counted = looks.iter().any(|look| look.all_counts().is_some());
    make_fields_steady(looks, is_counted);
    mark_hidden(looks, 0, |look| look.lines);
    mark_hidden(looks, 1, |look| look.level);
    make_one_steady(looks, MOST_LINES, |look| &mut look.lines);
    make_one_steady(looks, MOST_LEVELS, |look| &mut look.level);
    for piece in 0..7 {
        make_one_steady(looks, MOST_PIECES, |look| &mut look.counts[piece]);
    }
    make_piece_steady(looks, |look| &mut look.next);
    make_piece_steady(looks, |look| &mut look.current);
}

/// Fields whose highest row is full are the curtain at the end of a game, or of the one before. If they last for a moment only, or if
/// the field from before shows again, the game goes on: it has flashed, or something has covered it. It goes on as well where the
/// display does: without counts, the field is hidden then.
fn make_fields_steady(looks: &mut [Look], is_counted: bool) {
    let mut end = 0;
    while let Some(begin) = (end..looks.len()).find(|&at| looks[at].field[0] == CURTAIN) {
        let Some(after) = (begin..looks.len()).find(|&at| looks[at].field[0] != CURTAIN) else { return };
        let (before, next) = (looks[begin.checked_sub(1).unwrap_or(after)].field, &looks[after]);
        let other: u32 = before.iter().zip(next.field).map(|(one, other)| (one ^ other).count_ones()).sum();
        let lines = looks[..begin].iter().rev().find_map(|look| look.lines.get());
        let later = &looks[after..looks.len().min(after + HIDDEN)];
        let goes_on = |look: &&Look| look.lines.get().map_or(look.next.is_some(), |now| Some(now) >= lines);
        if other <= TWO_PIECES
            || next.time_ms.checked_sub(looks[begin].time_ms).is_some_and(|ms| ms < FLASH_MS)
        {
            looks[begin..after].iter_mut().for_each(|look| look.field = before);
        } else if !is_counted && 2 * later.iter().filter(goes_on).count() > later.len() {
            looks[begin..after].iter_mut().for_each(|look| look.field = [0; 20]);
        }
        end = after;
    }
}

/// Pieces are no numbers: one is replaced unless most of the next ones are the same.
fn make_piece_steady(looks: &mut [Look], piece: impl Fn(&mut Look) -> &mut Option<Piece>) {
    let known: Vec<(usize, Piece)> =
        looks.iter_mut().enumerate().filter_map(|(at, look)| Some((at, (*piece(look))?))).collect();
    let (mut now, mut filled) = (None, 0);
    for (number, &(at, seen)) in known.iter().enumerate() {
        let later = &known[number + 1..known.len().min(number + 1 + LATER)];
        let same = later.iter().filter(|&&(_, later)| later == seen).count();
        if now != Some(seen) && 2 * same >= later.len() {
            let before = now.unwrap_or(seen);
            looks[filled..at].iter_mut().for_each(|look| *piece(look) = Some(before));
            (now, filled) = (Some(seen), at);
        }
    }
    looks[filled..].iter_mut().for_each(|look| *piece(look) = now);
}

fn mark_hidden(looks: &mut [Look], which: usize, number: impl Fn(&Look) -> Number) {
    let is_missing = |look: &Look| number(look).get().is_none();
    for missing in looks.chunk_by_mut(|one, next| is_missing(one) && is_missing(next)) {
        if missing.len() >= HIDDEN {
            for look in missing {
                look.is_hidden[which] = true;
            }
        }
    }
}

fn make_one_steady(looks: &mut [Look], most: u32, number: impl Fn(&mut Look) -> &mut Number) {
    let mut values: Vec<Option<u32>> =
        looks.iter_mut().map(|look| number(look).get().map(u32::from)).collect();
    steady(&mut values, most);
    for (look, value) in looks.iter_mut().zip(values) {
        *number(look) = Number::new(value);
    }
}

fn piece_of(code: u32) -> Option<Piece> {
    Piece::ALL.get(usize::try_from(code).ok()?).copied()
}
