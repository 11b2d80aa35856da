//! Lines and level of a recording, held to the rules: [`counted`].

use super::turns::Turn;
use maxout_rules::{Progress, line_points};
use std::array;
use std::ops::Range;

/// Highest number of lines that is read; no display shows more.
const MOST_LINES: u32 = 25_599;
/// Turns after which a display that says something else is believed.
const STUBBORN: usize = 4;
/// The most points that the drop of a piece pays.
const MOST_DROPPED: u64 = 20;
/// What each turn costs that shows another level, and what a step costs that is not by the rules.
const OTHER: u32 = 2;
const STEP: u32 = OTHER * STUBBORN as u32 - 1;

/// A placement on the way through the turns.
pub struct Passed {
    pub turn: usize,
    /// Rows that it clears.
    pub rows: u8,
    /// Whether pieces before it could not be read.
    pub is_after_gap: bool,
}

/// Lines and level before a placement.
#[derive(Default)]
pub struct Count {
    pub progress: Option<Progress>,
    /// Whether lines of the gap before it are missing in the count.
    pub is_short: bool,
    /// What the display shows from there on that is not by the rules.
    pub note: Option<String>,
}

/// Lines and level that are shown, if they are.
type Shown = (Option<u32>, Option<u8>);

/// Counts lines and level of the placements. The rules decide between two gaps, unless the display says something else that it does
/// not only keep: it is believed where it moves with the rows that are cleared. What it says later holds for the placements before,
/// too. Without a display, a game goes on from what was counted, and begins on the start level. `is_begin` says that it begins with
/// the first placement. Where the points of the clears contradict the level more often than they agree with it, they decide.
pub fn counted(turns: &[Turn], passed: &[Passed], start_level: Option<u8>, is_begin: bool) -> Vec<Count> {
    let mut shown = shown(turns, passed);
    let mut counts = count_all(passed, &shown, start_level, is_begin);
    let level = |count: &Count| count.progress.map(|progress| progress.level);
    let paid: Vec<Option<u8>> = passed.windows(2).map(|pair| paid(turns, &pair[0], &pair[1])).collect();
    let clears = counts.iter().skip(1).zip(&paid).filter_map(|(count, &paid)| Some((level(count), paid?)));
    let (right, wrong): (Vec<_>, Vec<_>) = clears.partition(|&(level, paid)| level == Some(paid));
    if let Some(&(_, paid_there)) = wrong.first().filter(|_| wrong.len() > right.len()) {
        shown.iter_mut().zip([None].into_iter().chain(paid)).for_each(|(shown, paid)| shown.1 = paid);
        counts = count_all(passed, &shown, start_level, is_begin);
        counts[0].note =
            Some(format!("the points say level {paid_there}, the display does not; the points count"));
    }
    counts
}

/// The level before a placement, as the clear right before it was paid. A drop pays fewer points than another level would.
fn paid(turns: &[Turn], cleared: &Passed, now: &Passed) -> Option<u8> {
    let score = |passed: &Passed| turns[passed.turn].score;
    let points = u64::from(score(now)?.checked_sub(score(cleared)?)?);
    let each = line_points(cleared.rows, 0);
    let levels = u8::try_from(points.checked_div(each)?).ok().filter(|_| points % each <= MOST_DROPPED);
    levels?.checked_sub(1).filter(|_| now.turn == cleared.turn + 1)
}

/// Counts as the display says it.
fn count_all(passed: &[Passed], shown: &[Shown], start_level: Option<u8>, is_begin: bool) -> Vec<Count> {
    let mut counts: Vec<Count> = Vec::new();
    let mut now = start_level.map(|level| Progress::at(0, level));
    for part in passed.chunk_by(|_, next| !next.is_after_gap) {
        let from = counts.len();
        let shown = &shown[from..from + part.len()];
        let mut begins = offsets(part, shown, is_begin && from == 0 && !part[0].is_after_gap);
        let is_short = begins.is_empty() && part[0].is_after_gap && now.is_some();
        if begins.is_empty() {
            begins.extend(now.map(|now| (0, now.lines().into())));
        }
        counts.extend(part.iter().map(|_| Count::default()));
        counts[from].is_short = is_short;
        for (number, &(begin, offset)) in begins.iter().enumerate() {
            let begin = if number == 0 { 0 } else { begin };
            let end = begins.get(number + 1).map_or(part.len(), |&(end, _)| end);
            let rows: i64 = part[..begin].iter().map(|passed| i64::from(passed.rows)).sum();
            let lines = (offset + rows).clamp(0, MOST_LINES.into()) as u32;
            let before = now.map(|now| advanced(now, lines).level);
            let counts = &mut counts[from + begin..from + end];
            now = count_levels(lines, before, &part[begin..end], &shown[begin..end], counts);
        }
    }
    counts
}

/// Lines and level that the turns of these placements show. Lines that stay where rows were cleared do not count, nor does the level
/// beside them, nor do two that the rules do not allow: a level is at least a tenth of the lines. From level 30 on, it may be glyphs.
fn shown(turns: &[Turn], passed: &[Passed]) -> Vec<Shown> {
    let (mut last, mut cleared, mut is_stale) = (None, false, false);
    let look = |passed: &Passed| {
        let turn = &turns[passed.turn];
        let (lines, level) = (turn.lines.filter(|&lines| lines <= MOST_LINES), turn.level);
        if lines.is_some() {
            is_stale = lines == last && (is_stale || cleared);
            (last, cleared) = (lines, false);
        }
        cleared |= passed.rows > 0;
        let is_allowed =
            |&level: &u8| lines.is_none_or(|lines| u32::from(level) >= lines / 10 || lines >= 2_560);
        let glyph = || level.zip(lines).and_then(|(shown, lines)| glyphs(shown, lines));
        let allowed = level.filter(is_allowed).or_else(glyph);
        let is_told = allowed.is_some() == level.is_some() && !(is_stale && lines.is_some());
        if is_told { (lines, allowed) } else { (None, None) }
    };
    passed.iter().map(look).collect()
}

/// The level from 30 on that looks like this one: its two glyphs are ten times what it is above 30 in hex, which may have been read digit
/// by digit. After the first steps, a level is at most this much above a tenth of the lines.
fn glyphs(shown: u8, lines: u32) -> Option<u8> {
    let most = (lines / 10 + 6).min(49) as u8;
    let looks = |&level: &u8| {
        let glyphs = (level - 30) * 10;
        glyphs == shown || glyphs / 16 * 10 + glyphs % 16 == shown
    };
    (30..=most).rev().find(looks)
}

/// By how many lines the display differs from the rows that are cleared since the first of these placements, and from which of them
/// on. What is shown for fewer than [`STUBBORN`] turns, or never moves, counts only where there is nothing better; a game begins with
/// no lines.
fn offsets(part: &[Passed], shown: &[Shown], is_begin: bool) -> Vec<(usize, i64)> {
    /// Turns that differ alike.
    struct Alike {
        offset: i64,
        from: usize,
        turns: usize,
        /// The rows before the first of these turns, and before the last.
        rows: Range<i64>,
    }
    let mut all: Vec<Alike> = Vec::new();
    let mut rows = 0;
    for (from, (passed, (lines, _))) in part.iter().zip(shown).enumerate() {
        if let Some(lines) = *lines {
            let offset = i64::from(lines) - rows;
            match all.last_mut().filter(|alike| alike.offset == offset) {
                Some(alike) => (alike.turns, alike.rows.end) = (alike.turns + 1, rows),
                None => all.push(Alike { offset, from, turns: 1, rows: rows..rows }),
            }
        }
        rows += i64::from(passed.rows);
    }
    let is_sure =
        |alike: &Alike| alike.turns >= STUBBORN && (!alike.rows.is_empty() || is_begin && alike.offset == 0);
    if !all.iter().any(is_sure) {
        // The first one of those that are shown longest.
        let best = all.iter().rev().max_by_key(|alike| alike.turns);
        return best.map(|alike| (alike.from, alike.offset)).into_iter().collect();
    }
    let mut kept: Vec<Alike> = Vec::new();
    for alike in all.into_iter().filter(is_sure) {
        // Lines do not fall: of two, what is shown longer is right, unless there would have been fewer than none.
        let falls = |before: &Alike| before.offset + before.rows.end > alike.offset + alike.rows.start;
        let is_weaker = |before: &Alike| alike.offset < 0 || before.turns >= alike.turns;
        if kept.iter().any(|before| falls(before) && is_weaker(before)) {
            continue;
        }
        while kept.pop_if(|before| falls(before)).is_some() {}
        match kept.last_mut().filter(|before| before.offset == alike.offset) {
            Some(before) => (before.turns, before.rows.end) = (before.turns + alike.turns, alike.rows.end),
            None => kept.push(alike),
        }
    }
    kept.iter().map(|alike| (alike.from, alike.offset)).collect()
}

/// What follows when the lines grow to these by the rules.
fn advanced(mut now: Progress, lines: u32) -> Progress {
    while now.lines() < lines {
        now.add_rows(1);
    }
    now
}

/// How the cheapest ways to the levels before a placement come there.
struct Way {
    /// The level before, where lines may have changed it.
    grown: Option<Box<[u8; 256]>>,
    /// The lower level from which a step leads to the one that is shown.
    step: Option<u8>,
}

/// Counts from these lines on, with the levels that differ least from those that are shown, or else from the one before. Returns what
/// follows, if any level is known.
fn count_levels(
    mut lines: u32,
    before: Option<u8>,
    part: &[Passed],
    shown: &[Shown],
    counts: &mut [Count],
) -> Option<Progress> {
    let last = shown.iter().rev().find_map(|&(_, level)| level);
    last.or(before)?;
    // What the cheapest way to each level costs.
    let mut costs: [u32; 256] =
        array::from_fn(|level| before.is_some_and(|before| usize::from(before) != level).into());
    let mut ways: Vec<Way> = Vec::new();
    let (mut rows, mut seen, mut is_cleared) = (0, None, false);
    for ((passed, &(_, level)), count) in part.iter().zip(shown).zip(&mut *counts) {
        let grown = ((lines + u32::from(rows)) / 10 > lines / 10).then(|| {
            let mut from = Box::new([0; 256]);
            let there = std::mem::replace(&mut costs, [u32::MAX; 256]);
            for (level, cost) in (0..=u8::MAX).zip(there) {
                let mut progress = Progress::at(lines, level);
                progress.add_rows(rows);
                let to = usize::from(progress.level);
                if cost <= costs[to] {
                    (costs[to], from[to]) = (cost, level);
                }
            }
            from
        });
        lines += u32::from(rows);
        is_cleared |= rows > 0;
        rows = passed.rows;
        count.progress = Some(Progress::at(lines, 0));
        let mut step = None;
        if let Some(level) = level {
            // A display that stays as it is does not say that the level has changed, nor does one where no row was cleared.
            let lower = if is_cleared && seen.is_some_and(|seen| seen != level) { level } else { 0 };
            (seen, is_cleared) = (Some(level), false);
            step = (0..lower).rev().min_by_key(|&from| costs[usize::from(from)]);
            let stepped = step.map_or(u32::MAX, |from| costs[usize::from(from)].saturating_add(STEP));
            let cost = &mut costs[usize::from(level)];
            step = step.filter(|_| stepped < *cost);
            *cost = stepped.min(*cost);
            let alike = [Some(level), glyphs(level, lines)];
            for (_, cost) in (0..=u8::MAX).zip(&mut costs).filter(|(other, _)| !alike.contains(&Some(*other)))
            {
                *cost = cost.saturating_add(OTHER);
            }
        }
        ways.push(Way { grown, step });
    }
    // The cheapest one; of several, the one that is shown last, or else the highest.
    let mut level =
        (0..=u8::MAX).rev().min_by_key(|&level| (costs[usize::from(level)], Some(level) != last))?;
    for ((count, Way { grown, step }), &(_, shown)) in counts.iter_mut().zip(&ways).zip(shown).rev() {
        if let Some(progress) = &mut count.progress {
            progress.level = level;
        }
        if let Some(from) = step.filter(|_| shown == Some(level)) {
            count.note =
                Some(format!("level {level} is shown, where the rules say {from}; it counts as shown"));
            level = from;
        }
        level = grown.as_ref().map_or(level, |from| from[usize::from(level)]);
    }
    let levels: Vec<(usize, u8, u8)> =
        (0..part.len()).filter_map(|at| Some((at, shown[at].1?, counts[at].progress?.level))).collect();
    let mut runs = levels.chunk_by(|one, next| (one.1, one.2) == (next.1, next.2));
    if let Some(&[(at, shown, level), ..]) = runs.find(|run| run.len() >= STUBBORN && run[0].1 != run[0].2) {
        let reason = format!("level {shown} is shown, where the rules say {level}; it counts by the rules");
        counts[at].note.get_or_insert(reason);
    }
    let mut next = counts.last()?.progress?;
    next.add_rows(rows);
    Some(next)
}
