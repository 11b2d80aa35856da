//! A recording as games, and a game as turns, one for each piece: [`games`], [`turns`].

use std::collections::BTreeMap;
use std::ops::Range;

use super::field::{Field, apart, field_of};
use crate::champs::ChampsFrame;
use maxout_rules::{Board, Piece};

/// Different fields of a turn that are looked at.
const FIELDS: usize = 24;
/// Frames that must not contradict a count that grew by one, and one that grew by more.
const SURE: usize = 2;
const SURE_OF_MANY: usize = 60;
/// More pieces than this between two frames are a gap in the recording.
const MOST_UNSEEN: u32 = 20;
/// Frames after which counts that are lower than before are believed.
const STUBBORN: usize = 40;
/// Frames that a turn takes at least.
const SHORTEST: usize = 6;

/// The frames of one piece, until the next one appears.
pub struct Turn {
    /// The frames; none if the piece was not seen.
    pub frames: Range<usize>,
    /// The piece, if it is known.
    pub piece: Option<Piece>,
    /// The next piece, if it is known.
    pub next: Option<Piece>,
    /// The different fields of the turn, in order, without those of the curtain at the end of a game.
    pub fields: Vec<Field>,
}

impl Turn {
    fn new(frames: Range<usize>, piece: Option<Piece>) -> Self {
        Self { frames, piece, next: None, fields: Vec::new() }
    }

    /// The level that most frames show.
    pub fn level(&self, frames: &[ChampsFrame]) -> Option<u8> {
        most(frames[self.frames.clone()].iter().filter_map(|frame| frame.level))
            .and_then(|level| level.try_into().ok())
    }

    /// For how many milliseconds the turn shows exactly this board, at its end or before its rows vanish.
    pub fn rest_ms(&self, frames: &[ChampsFrame], board: &Board) -> u64 {
        let shows = |frame: &ChampsFrame| apart(&field_of(frame), board) == 0;
        let frames = &frames[self.frames.clone()];
        let Some(first) = frames.iter().find(|frame| shows(frame)) else { return 0 };
        let last = frames.iter().rfind(|frame| shows(frame)).unwrap_or(first);
        last.time_ms.saturating_sub(first.time_ms)
    }
}

/// The games of a recording, each with the number of its first frame.
pub fn games(frames: &[ChampsFrame]) -> Vec<(usize, &[ChampsFrame])> {
    let mut first = 0;
    frames
        .chunk_by(|one, next| one.game == next.game)
        .map(|game| {
            first += game.len();
            (first - game.len(), game)
        })
        .collect()
}

/// The turns of a game: by the counts of pieces where the frames have them, otherwise by the next box and by pieces that
/// appear at the top.
pub fn turns(frames: &[ChampsFrame]) -> Vec<Turn> {
    let counted = frames.iter().filter(|frame| counts(frame).is_some()).count();
    let mut turns = if 2 * counted > frames.len() { by_counts(frames) } else { by_sight(frames) };
    for turn in &mut turns {
        turn.fields = fields(&frames[turn.frames.clone()]);
        turn.next =
            most(frames[turn.frames.clone()].iter().filter_map(|frame| frame.next)).and_then(piece_of);
    }
    for at in 1..turns.len() {
        let (before, after) = turns.split_at_mut(at);
        let (before, after) = (&mut before[at - 1], &mut after[0]);
        // The counts know which piece came; the next box says it before.
        match after.piece {
            Some(_) => before.next = after.piece,
            None => after.piece = before.next,
        }
    }
    turns
}

pub fn counts(frame: &ChampsFrame) -> Option<[u32; 7]> {
    let mut counts = [0; 7];
    for (count, seen) in counts.iter_mut().zip(frame.counts) {
        *count = seen?;
    }
    Some(counts)
}

/// A turn for each piece that the counts count. A display that is misread for a moment counts nothing.
fn by_counts(frames: &[ChampsFrame]) -> Vec<Turn> {
    let known: Vec<(usize, [u32; 7])> =
        frames.iter().enumerate().filter_map(|(at, frame)| Some((at, counts(frame)?))).collect();
    let grown = |from: &[u32; 7], to: &[u32; 7]| -> Option<u32> {
        let each: Option<Vec<u32>> = to.iter().zip(from).map(|(to, from)| to.checked_sub(*from)).collect();
        Some(each?.iter().sum())
    };
    let agrees = |at: usize, number: usize| {
        let (_, counts) = known[at];
        known[at + 1..].iter().take(number).all(|(_, later)| grown(&counts, later).is_some())
    };
    let Some(begin) = (0..known.len()).find(|&at| agrees(at, SURE)) else { return by_sight(frames) };
    let mut now = known[begin].1;
    let mut turns =
        vec![Turn::new(0..frames.len(), frames.iter().take(SURE).find_map(|frame| piece_of(frame.current?)))];
    let mut against = 0;
    for (at, (frame, counts)) in known.iter().enumerate().skip(begin + 1) {
        if *counts == now {
            against = 0;
            continue;
        }
        let more = grown(&now, counts).filter(|more| (1..=MOST_UNSEEN).contains(more));
        let sure = more.is_some_and(|more| agrees(at, if more == 1 { SURE } else { SURE_OF_MANY }));
        against += 1;
        if !sure && against < STUBBORN {
            continue;
        }
        against = 0;
        let mut new: Vec<Piece> = Vec::new();
        if sure {
            for (piece, (to, from)) in Piece::ALL.into_iter().zip(counts.iter().zip(now)) {
                new.extend((from..*to).map(|_| piece));
            }
        }
        now = *counts;
        if let Some(turn) = turns.last_mut() {
            turn.frames.end = *frame;
        }
        for piece in in_order(new, &frames[..*frame], &frames[*frame]) {
            turns.push(Turn::new(*frame..*frame, piece));
        }
        if let Some(turn) = turns.last_mut() {
            turn.frames.end = frames.len();
        }
    }
    turns
}

/// The pieces that came since the last turn, in the order in which they came as far as that is known.
fn in_order(mut new: Vec<Piece>, before: &[ChampsFrame], now: &ChampsFrame) -> Vec<Option<Piece>> {
    let mut take = |piece: Option<Piece>| {
        let at = new.iter().position(|&one| Some(one) == piece)?;
        Some(new.swap_remove(at))
    };
    let first = take(before.iter().rev().find_map(|frame| frame.next).and_then(piece_of));
    let last = take(now.current.and_then(piece_of));
    let mut order = Vec::new();
    if first.is_some() {
        order.push(first);
    }
    // One piece between two known ones is known, too. Of more, the order is not.
    let alike = new.iter().all(|&piece| piece == new[0]);
    order.extend(new.iter().map(|&piece| Some(piece).filter(|_| alike)));
    if last.is_some() {
        order.push(last);
    }
    order
}

/// A turn for each piece that appears: when the next box changes, or when cells appear where pieces do.
fn by_sight(frames: &[ChampsFrame]) -> Vec<Turn> {
    let current = |frame: &ChampsFrame| frame.current.and_then(piece_of);
    let mut turns = vec![Turn::new(0..frames.len(), frames.first().and_then(current))];
    let at_top = |frame: &ChampsFrame| {
        let field = field_of(frame);
        ((field[0] | field[1]) & 0b00_1111_1000).count_ones()
    };
    let (mut begun, mut shown) = (0, frames.first().and_then(|frame| frame.next));
    for at in 1..frames.len() {
        let changed = frames[at].next.is_some()
            && frames[at].next != shown
            && frames.get(at + 1).is_none_or(|later| later.next == frames[at].next);
        let appeared = at_top(&frames[at]) >= 2 && at_top(&frames[at - 1]) == 0;
        if at - begun < SHORTEST || !(changed || appeared) {
            continue;
        }
        begun = at;
        shown = frames[at].next.or(shown);
        if let Some(turn) = turns.last_mut() {
            turn.frames.end = at;
        }
        turns.push(Turn::new(at..frames.len(), None));
    }
    turns
}

/// The different fields in these frames, one after the other, at most [`FIELDS`] of them. The last one is always there.
fn fields(frames: &[ChampsFrame]) -> Vec<Field> {
    let mut all: Vec<Field> = frames.iter().map(field_of).collect();
    // The curtain fills the field from the top.
    if let Some(curtain) = all.iter().position(|field| field[0] == 0x3FF) {
        all.truncate(curtain);
    }
    all.dedup();
    let step = all.len().div_ceil(FIELDS).max(1);
    let mut some: Vec<Field> = all.iter().rev().step_by(step).copied().collect();
    some.reverse();
    some
}

pub fn piece_of(code: u32) -> Option<Piece> {
    Piece::ALL.get(usize::try_from(code).ok()?).copied()
}

/// The value that occurs most often.
pub fn most(values: impl Iterator<Item = u32>) -> Option<u32> {
    let mut times = BTreeMap::new();
    for value in values {
        *times.entry(value).or_insert(0) += 1;
    }
    times.into_iter().max_by_key(|&(_, times)| times).map(|(value, _)| value)
}
