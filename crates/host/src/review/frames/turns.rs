//! A game as turns, one for each piece: [`turns`].

use std::collections::BTreeMap;
use std::ops::Range;

use super::compact::Look;
use super::field::{CURTAIN, Field, apart};
use maxout_rules::{Board, Piece};

/// Different fields of a turn that are looked at.
const FIELDS: usize = 24;
/// Frames that must not contradict a count that grew by one, and one that grew by more.
const SURE: usize = 2;
const SURE_OF_MANY: usize = 60;
/// More pieces than this between two frames are a gap in the recording.
const MOST_UNSEEN: u16 = 20;
/// How many more turns than frames there may be: nobody places pieces that fast.
const SPARE: usize = 100;
/// Frames after which counts that are lower than before are believed.
const STUBBORN: usize = 40;
/// Frames, and milliseconds, of which a turn takes at least one.
const SHORTEST: usize = 6;
const SHORTEST_MS: u32 = 100;

/// The frames of one piece, until the next one appears.
#[derive(Default)]
pub struct Turn {
    /// The frames; none if the piece was not seen.
    pub frames: Range<usize>,
    /// The piece, if it is known.
    pub piece: Option<Piece>,
    /// The next piece, if it is known.
    pub next: Option<Piece>,
    /// Whether any frame shows a field, not the curtain at the end of a game.
    pub is_seen: bool,
    /// The lines, the level and the score that most frames show.
    pub lines: Option<u32>,
    pub level: Option<u8>,
    pub score: Option<u32>,
    /// The level that was shown last, or else the first one: the piece falls about as fast.
    pub last_level: Option<u8>,
    /// Pieces before it that were counted, too many for a turn each.
    pub skipped: usize,
}

impl Turn {
    fn new(frames: Range<usize>, piece: Option<Piece>) -> Self {
        Self { frames, piece, ..Self::default() }
    }

    /// The different fields of the turn, in order, without those of the curtain at the end of a game: at most [`FIELDS`] of them. The last
    /// one is always there. All turns of a long game together have too many to be kept.
    pub fn fields(&self, frames: &[Look]) -> Vec<Field> {
        let mut all: Vec<Field> = Vec::new();
        // The curtain fills the field from the top.
        let shown = frames[self.frames.clone()].iter().map(|frame| frame.field);
        for field in shown.take_while(|field| field[0] != CURTAIN) {
            if all.last() != Some(&field) {
                all.push(field);
            }
        }
        let step = all.len().div_ceil(FIELDS).max(1);
        let mut some: Vec<Field> = all.iter().rev().step_by(step).copied().collect();
        some.reverse();
        some
    }

    /// For how many milliseconds the turn shows exactly this board, at its end or before its rows vanish.
    pub fn rest_ms(&self, frames: &[Look], board: &Board) -> u64 {
        let shows = |frame: &Look| apart(&frame.field, board) == 0;
        let frames = &frames[self.frames.clone()];
        let Some(first) = frames.iter().find(|frame| shows(frame)) else { return 0 };
        let last = frames.iter().rfind(|frame| shows(frame)).unwrap_or(first);
        last.time_ms.saturating_sub(first.time_ms).into()
    }
}

/// The turns of a game: by the counts of pieces where the frames have them, otherwise by the next box and by pieces that
/// appear at the top.
pub fn turns(frames: &[Look]) -> Vec<Turn> {
    let counted = frames.iter().filter(|frame| frame.all_counts().is_some()).count();
    let mut turns = if 2 * counted > frames.len() { by_counts(frames) } else { by_sight(frames) };
    for turn in &mut turns {
        turn.is_seen = frames[turn.frames.clone()].first().is_some_and(|frame| frame.field[0] != CURTAIN);
        let frames = &frames[turn.frames.clone()];
        turn.next = most(frames.iter().filter_map(|frame| frame.next));
        let shown = |which: usize| frames.iter().filter(move |frame| !frame.is_hidden[which]);
        turn.score = most(frames.iter().filter_map(|frame| frame.score));
        turn.lines = most(shown(0).filter_map(|frame| frame.lines.get())).map(u32::from);
        turn.level =
            most(shown(1).filter_map(|frame| frame.level.get())).and_then(|level| level.try_into().ok());
    }
    let mut last_level = turns.iter().find_map(|turn| turn.level);
    for turn in &mut turns {
        // A level is at least a tenth of the lines.
        let least = turn.lines.map(|lines| (lines / 10).min(29) as u8);
        last_level = turn.level.or(last_level).max(least);
        turn.last_level = last_level;
    }
    for at in 1..turns.len() {
        let (before, after) = turns.split_at_mut(at);
        let (before, after) = (&mut before[at - 1], &mut after[0]);
        if after.skipped > 0 {
            continue;
        }
        // The counts know which piece came; the next box says it before.
        match after.piece {
            Some(_) => before.next = after.piece,
            None => after.piece = before.next,
        }
    }
    turns
}

/// A turn for each piece that the counts count. A display that is misread for a moment counts nothing.
fn by_counts(frames: &[Look]) -> Vec<Turn> {
    let known: Vec<(usize, [u16; 7])> =
        frames.iter().enumerate().filter_map(|(at, frame)| Some((at, frame.all_counts()?))).collect();
    let grown = |from: &[u16; 7], to: &[u16; 7]| -> Option<u16> {
        let each: Option<Vec<u16>> = to.iter().zip(from).map(|(to, from)| to.checked_sub(*from)).collect();
        Some(each?.iter().sum())
    };
    let agrees = |at: usize, number: usize| {
        let (_, counts) = known[at];
        known[at + 1..].iter().take(number).all(|(_, later)| grown(&counts, later).is_some())
    };
    let Some(begin) = (0..known.len()).find(|&at| agrees(at, SURE)) else { return by_sight(frames) };
    let mut now = known[begin].1;
    let mut turns =
        vec![Turn::new(0..frames.len(), frames.iter().take(SURE).find_map(|frame| frame.current))];
    let mut against = 0;
    for (at, (frame, counts)) in known.iter().enumerate().skip(begin + 1) {
        if *counts == now {
            against = 0;
            continue;
        }
        let room = frame + SPARE > turns.len();
        let more = grown(&now, counts).filter(|&more| room && more > 0);
        let sure = more.is_some_and(|more| agrees(at, if more == 1 { SURE } else { SURE_OF_MANY }));
        against += 1;
        if !sure && against < STUBBORN {
            continue;
        }
        against = 0;
        let mut new: Vec<Piece> = Vec::new();
        let skipped = more.filter(|&more| sure && more > MOST_UNSEEN);
        if sure && skipped.is_none() {
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
        if let Some(skipped) = skipped {
            let turn = Turn::new(*frame..*frame, frames[*frame].current);
            turns.push(Turn { skipped: usize::from(skipped) - 1, ..turn });
        }
        if let Some(turn) = turns.last_mut() {
            turn.frames.end = frames.len();
        }
    }
    turns
}

/// The pieces that came since the last turn, in the order in which they came as far as that is known.
fn in_order(mut new: Vec<Piece>, before: &[Look], now: &Look) -> Vec<Option<Piece>> {
    let mut take = |piece: Option<Piece>| {
        let at = new.iter().position(|&one| Some(one) == piece)?;
        Some(new.swap_remove(at))
    };
    let first = take(before.iter().rev().find_map(|frame| frame.next));
    let last = take(now.current);
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

/// A turn for each piece that appears: when the next box or the piece in play changes, when cells appear where pieces do, or
/// when there are four cells more. The cells say how many pieces that were.
fn by_sight(frames: &[Look]) -> Vec<Turn> {
    // The curtain fills the field from the top.
    let curtain = frames.iter().position(|frame| frame.field[0] == CURTAIN).unwrap_or(frames.len());
    let mut cells: Vec<Option<i32>> = frames.iter().map(Look::cells_so_far).collect();
    cells[curtain..].fill(None);
    let mut turns = vec![Turn::new(0..frames.len(), None)];
    let (mut begun, mut shown, mut times) = (0, frames.first().map(Look::boxes), BTreeMap::new());
    for at in 1..curtain {
        if let Some(before) = cells[at - 1] {
            *times.entry(before).or_insert(0) += 1;
        }
        if at - begun < SHORTEST && frames[at].time_ms < frames[begun].time_ms + SHORTEST_MS {
            shown = Some(frames[at].boxes());
            continue;
        }
        let changed = shown.is_some_and(|shown| frames[at].boxes() != shown)
            && frames.get(at + 1).is_none_or(|later| later.boxes() == frames[at].boxes());
        let appeared = frames[at].cells_at_top() >= 2 && frames[at - 1].cells_at_top() == 0;
        let usual = times.iter().max_by_key(|&(_, times)| times).map(|(&cells, _)| cells);
        let now = median(&cells[at - 1..frames.len().min(at + 2)]);
        let more = now.zip(usual).is_some_and(|(now, usual)| (3..=5).contains(&(now - usual)));
        if !(changed || appeared || more) {
            continue;
        }
        (begun, shown) = (at, Some(frames[at].boxes()));
        times.clear();
        if let Some(turn) = turns.last_mut() {
            turn.frames.end = at;
        }
        turns.push(Turn::new(at..frames.len(), None));
    }
    let is_over = (begun + 1..frames.len()).contains(&curtain);
    // The piece that had no room: it does not fall.
    let stuck = (is_over && stays(&frames[begun..curtain])).then_some(begun);
    if is_over && stuck.is_none() && frames[curtain].current.is_none() {
        // Nothing has said that it came.
        turns.last_mut().into_iter().for_each(|turn| turn.frames.end = curtain);
        turns.push(Turn::new(curtain..frames.len(), None));
    }
    let usual = |turn: &Turn| most(cells[turn.frames.clone()].iter().flatten().copied());
    // What is left over is the same in all turns, unless cells of the piece are hidden above the field.
    let rest = most(turns.iter().filter_map(usual).map(|cells| cells.rem_euclid(4))).unwrap_or(0);
    let mut counted: Vec<(Turn, Option<(bool, i32)>)> = Vec::new();
    for mut turn in turns {
        turn.piece = most(frames[turn.frames.clone()].iter().filter_map(|frame| frame.current));
        let hidden = frames[turn.frames.clone()].iter().all(|frame| frame.field == [0; 20]);
        // Rows that vanish while the display hides the lines change the cells.
        let mut shown =
            frames[turn.frames.clone()].chunk_by(|one, next| one.is_hidden[0] == next.is_hidden[0]);
        let shown = shown.next().filter(|_| shown.next().is_none()).map(|frames| !frames[0].is_hidden[0]);
        let pieces = shown.zip(usual(&turn).map(|cells| (cells - rest + 2).div_euclid(4)));
        let before = counted.last_mut();
        let alike = before
            .as_ref()
            .and_then(|(_, before)| pieces.zip(*before))
            .filter(|(now, before)| now.0 == before.0);
        let more = alike.map(|(now, before)| now.1 - before.1);
        match before {
            // The same piece is still in play.
            Some((before, _))
                if hidden
                    || more == Some(0) && before.piece == turn.piece && stuck != Some(turn.frames.start) =>
            {
                before.frames.end = turn.frames.end;
            }
            _ => {
                let (at, unseen) = (turn.frames.start, more.map_or(0, |more| more - 1));
                if unseen <= i32::from(MOST_UNSEEN) && at + SPARE > counted.len() {
                    counted.extend((0..unseen).map(|_| (Turn::new(at..at, None), None)));
                } else {
                    turn.skipped = usize::try_from(unseen).unwrap_or(0);
                }
                counted.push((turn, pieces));
            }
        }
    }
    counted.into_iter().map(|(turn, _)| turn).collect()
}

/// Whether the field stays as it is, once a piece that is seen at the beginning only is gone.
fn stays(frames: &[Look]) -> bool {
    let Some(usual) = most(frames.iter().map(|frame| frame.field)) else { return false };
    let has = |frame: &Look| frame.field.iter().zip(usual).all(|(row, usual)| usual & !row == 0);
    let same = frames.iter().filter(|frame| frame.field == usual).count();
    frames.iter().take(2).any(has) && 4 * same > 3 * frames.len()
}

/// The middle one of the values that are known.
fn median(values: &[Option<i32>]) -> Option<i32> {
    let mut values: Vec<i32> = values.iter().flatten().copied().collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// The value that occurs most often.
fn most<T: Ord>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut times = BTreeMap::new();
    for value in values {
        *times.entry(value).or_insert(0) += 1;
    }
    times.into_iter().max_by_key(|&(_, times)| times).map(|(value, _)| value)
}
