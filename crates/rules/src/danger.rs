//! Where the unmodified game fails: bounds of the cycles that the scoring frame takes (the-game.md 8.3), as a judge for the
//! model, a prior for searches and advice for people.
//!
//! On long scoring frames the next interrupt arrives before the logic is done. What then happens depends on the
//! cycle, so the bounds only say what is possible. [`spare`] gives the cycles, [`risk`] says what they mean, and
//! [`judge`] turns that into a verdict.

use super::Progress;
use serde::Serialize;

/// The level before the scoring frame from which on the game is watched. No failure was ever seen below level 140.
pub const WATCH_LEVEL: u8 = 138;

/// Which clears are safe for several levels in a row, with the next box hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SafeClears {
    /// All clears, except for some at levels 184 and 185.
    All,
    /// All but singles. At levels 170 and 171 the others are not safe either, only less dangerous.
    NoSingles,
    /// Doubles, and at the first of the levels triples. At level 169 doubles are not safe either, only less dangerous.
    Doubles,
    /// Singles.
    Singles,
}

/// Returns which clears are safe at a level and at those around it.
pub const fn safe_clears(level: u8) -> SafeClears {
    match level {
        157..=166 | 170..=171 => SafeClears::NoSingles,
        167..=169 => SafeClears::Doubles,
        172..=183 => SafeClears::Singles,
        _ => SafeClears::All,
    }
}

/// The state of the machine some frames after a scoring step, from good to bad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Health {
    /// The game is in play, and no frame was cut short.
    Well,
    /// The game is in play, but a step took two frames.
    Lags,
    /// The machine still draws, but the game's logic does not return.
    Hangs,
    /// The program has left play.
    Crashed,
}

/// What a scoring step may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Risk {
    /// No measured variant failed.
    None,
    /// Some variants fail, at most about one in four, and no other number of rows is better at this level.
    Narrow,
    /// Some variants fail, and some other number of rows is safe.
    Band,
}

/// CPU cycles of one turn of the addition at 999,999 points, by rows. The scoring step makes one turn more than the level after it.
const TURN: [i32; 5] = [83, 136, 125, 125, 125];

/// CPU cycles that a hidden next box saves.
const BOX: i32 = 394;

/// CPU cycles that soft-drop points cost at least. Two rows or more give points.
const SOFT_DROP: i32 = 90;

/// A frame is safe if its first dispatch begins before this cycle: the eighth, 562 cycles later, fails from 29,739 on.
const FIRST_WINDOW: i32 = 29_739 - 562;

/// In no measured variant with the next box shown has the first dispatch begun this late, in cycles from the interrupt and without the
/// turns for the levels. The ten levels at which clears begin to crash, with the box shown and hidden, leave 62 to 122 cycles for each number.
const SLOWEST: [i32; 5] = [8_738, 8_219, 8_427, 8_552, 8_677];

/// The last level after the step at which a crash or a hang is possible. From the next one on, the interrupt comes
/// before the code that can fail, whether the box is shown or not.
const LAST: [i32; 5] = [255, 171, 185, 184, 183];

/// One variant in this many fails if the risk is [`Risk::Narrow`]. Measured shares were 8 to 25 %.
const NARROW_ODDS: u64 = 4;

/// Returns the CPU cycles that the slowest measured variant has to spare, or `None` if the lock can crash the game. `after` is the
/// level after the scoring step, which a clear may raise; without `soft_drop` the piece is dropped by less than two rows.
///
/// ```
/// use maxout_rules::danger::spare;
/// assert_eq!(spare(1, 155, false, true), None);
/// assert_eq!(spare(1, 154, false, true), Some(14));
/// assert_eq!(spare(1, 154, true, false), Some(14 + 394 + 90));
/// ```
pub fn spare(rows: u8, after: u8, next_hidden: bool, soft_drop: bool) -> Option<u32> {
    let (k, after) = (usize::from(rows.min(4)), i32::from(after));
    let saved = i32::from(next_hidden) * BOX + i32::from(!soft_drop) * SOFT_DROP;
    let before_it_fails = FIRST_WINDOW - (SLOWEST[k] + TURN[k] * after - saved);
    let since_it_fails = (after - LAST[k] - 1) * TURN[k];
    before_it_fails.max(since_it_fails).try_into().ok()
}

/// Returns the risk of scoring `rows` rows if `after` is the level after the scoring step.
pub fn risk(rows: u8, after: u8, next_hidden: bool) -> Risk {
    let is_safe = |rows, hidden| spare(rows, after, hidden, true).is_some();
    if is_safe(rows, next_hidden) {
        return Risk::None;
    }
    // A lock without a clear cannot be avoided. With the box hidden no clear is safe from the first level of doubles on
    // until singles are.
    let no_choice = match rows {
        0 => true,
        1 => false,
        _ => next_hidden && !(1..5).any(|rows| is_safe(rows, true)),
    };
    if no_choice { Risk::Narrow } else { Risk::Band }
}

/// Returns the risk of scoring `rows` rows at `level` for those who do not know the lines: that without a level-up, or, if
/// it is safe without, that with one.
pub fn risk_at(rows: u8, level: u8, next_hidden: bool) -> Risk {
    let up = level.saturating_add(u8::from(rows > 0));
    match risk(rows, level, next_hidden) {
        Risk::None => risk(rows, up, next_hidden),
        risk => risk,
    }
}

/// Whether a lock can crash the game, and how many CPU cycles are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LockSafety {
    /// How many lines it clears, 0 to 4.
    pub lines: u8,
    /// The level after it.
    pub level: u8,
    /// With the next box shown.
    pub shown: Spare,
    /// With the next box hidden (Select).
    pub hidden: Spare,
}

/// The CPU cycles that the slowest measured variant of a lock has to spare; `None` if it can crash the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Spare {
    /// With any soft drop.
    pub any_drop: Option<u32>,
    /// Without soft-drop points: soft-dropped by less than two rows.
    pub no_drop: Option<u32>,
}

/// Returns how safe each lock is, by the lines that it clears: 0 to 4. Empty below [`WATCH_LEVEL`]. If no game from a level up to 19 has so
/// few lines at this level, the lines are taken as unknown, and a clear may bring a level-up or not.
pub fn locks(now: Progress) -> Vec<LockSafety> {
    if now.level < WATCH_LEVEL {
        return Vec::new();
    }
    let is_unknown = now.lines() + 60 < 10 * u32::from(now.level);
    let lock = |lines| {
        let mut after = now;
        after.add_rows(lines);
        let mut levels = vec![after.level];
        if is_unknown && lines > 0 {
            levels = vec![now.level, now.level.saturating_add(1)];
        }
        // `None` is the smallest.
        let spare =
            |hidden, soft| levels.iter().map(|&level| spare(lines, level, hidden, soft)).min().flatten();
        let [shown, hidden] = [false, true]
            .map(|hidden| Spare { any_drop: spare(hidden, true), no_drop: spare(hidden, false) });
        LockSafety { lines, level: after.level, shown, hidden }
    };
    (0..=4).map(lock).collect()
}

/// Says in words which locks can crash the game now, how to make them safe, and how many CPU cycles are left then. `None` if no lock can.
///
/// ```
/// use maxout_rules::{Progress, danger::advice};
/// assert_eq!(advice(Progress::at(1_400, 146)), None);
/// assert_eq!(
///     advice(Progress::at(1_630, 169)).unwrap(),
///     "on level 169 a clear of 1, 2, 3 or 4 lines can crash the game now; with the next box hidden (Select), 2 lines are safe, \
///      with at least 19 CPU cycles to spare, 109 without soft drop"
/// );
/// ```
pub fn advice(now: Progress) -> Option<String> {
    let locks = locks(now);
    let level = now.level;
    let (any_lock, clears) = locks.split_first()?;
    if any_lock.shown.any_drop.is_none() {
        let LockSafety { shown, hidden, .. } = any_lock;
        let mut ways = Vec::new();
        if let Some(cycles) = shown.no_drop {
            ways.push(format!("without soft drop it is safe{}", to_spare(cycles, cycles)));
        }
        if let Some(cycles) = hidden.any_drop {
            let more = to_spare(cycles, hidden.no_drop.unwrap_or(cycles));
            ways.push(format!("with the next box hidden (Select) it is safe{more}"));
        } else if let Some(cycles) = hidden.no_drop {
            let more = to_spare(cycles, cycles);
            ways.push(format!("with the next box hidden (Select) and without soft drop it is safe{more}"));
        } else {
            ways.push("the next box hidden (Select) makes that less likely".to_owned());
        }
        return Some(format!(
            "on level {level} every lock without a clear can crash the game; {}",
            ways.join("; ")
        ));
    }
    let rows = |wanted: &dyn Fn(&LockSafety) -> bool| -> Vec<u8> {
        clears.iter().filter(|clear| wanted(clear)).map(|clear| clear.lines).collect()
    };
    let dangerous = rows(&|clear| clear.shown.any_drop.is_none());
    if dangerous.is_empty() {
        return None;
    }
    let safe = rows(&|clear| clear.hidden.any_drop.is_some());
    let least = |spare: fn(&LockSafety) -> Option<u32>| clears.iter().filter_map(spare).min().unwrap_or(0);
    let cycles = least(|clear| clear.hidden.any_drop);
    let without = least(|clear| clear.hidden.any_drop.and(clear.hidden.no_drop));
    let hidden = match safe.as_slice() {
        [] => {
            let least = rows(&|clear| risk(clear.lines, clear.level, true) == Risk::Narrow);
            if least.is_empty() {
                "no clear is safe".to_owned()
            } else {
                format!("no clear is safe, and {} {} least dangerous", lines(&least), are(&least))
            }
        }
        [1, 2, 3, 4] => format!("every clear is safe{}", to_spare(cycles, without)),
        safe => format!("{} {} safe{}", lines(safe), are(safe), to_spare(cycles, without)),
    };
    let dangerous = lines(&dangerous);
    Some(format!(
        "on level {level} a clear of {dangerous} can crash the game now; with the next box hidden (Select), {hidden}"
    ))
}

/// `, with at least 19 CPU cycles to spare, 109 without soft drop`.
fn to_spare(cycles: u32, without_soft_drop: u32) -> String {
    match (cycles, without_soft_drop) {
        (0, 0) => String::new(),
        (0, more) => format!(", with at least {more} CPU cycles to spare without soft drop"),
        (cycles, more) if more == cycles => format!(", with at least {cycles} CPU cycles to spare"),
        (cycles, more) => format!(", with at least {cycles} CPU cycles to spare, {more} without soft drop"),
    }
}

/// `1, 2 or 4 lines`.
fn lines(rows: &[u8]) -> String {
    let numbers: Vec<String> = rows.iter().map(u8::to_string).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("{last} line{}", if last == "1" { "" } else { "s" }),
        Some((last, before)) => format!("{} or {last} lines", before.join(", ")),
        None => "no lines".to_owned(),
    }
}

fn are(rows: &[u8]) -> &'static str {
    if rows == [1] { "is" } else { "are" }
}

/// Returns the verdict of the model, which knows only the bounds of the cycles. A failure that is possible happens, except
/// where every number of rows is in danger: there one `variant` in four fails. Equal variants get equal verdicts.
/// Without `soft_drop` the piece was dropped by less than two rows.
pub fn judge(rows: u8, after: u8, next_hidden: bool, soft_drop: bool, variant: u64) -> Health {
    if spare(rows, after, next_hidden, soft_drop).is_some() {
        return Health::Well;
    }
    let fails = match risk(rows, after, next_hidden) {
        Risk::None => false,
        Risk::Narrow => super::random::splitmix64(variant).is_multiple_of(NARROW_ODDS),
        Risk::Band => true,
    };
    if fails { Health::Crashed } else { Health::Well }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions that crashed the real cartridge on 2026-11-28 at levels that the map of the day before called safe:
    /// rows, whether the next box was hidden, the level, and how many frame phases of how many crashed. In all of them
    /// the lock newly occupies row 5 in column 9 only, has 2 to 7 soft-drop points and brings a level-up.
    const CRASHED: [(u8, bool, u8, u8, u8); 5] = [
        (4, true, 167, 10, 10),
        (2, true, 169, 8, 10),
        (3, true, 168, 5, 8),
        (2, false, 166, 8, 8),
        (0, false, 247, 1, 6),
    ];

    /// The map of the-game.md 8.3: the level before the step at which the first crash was seen with the box shown and hidden, and the last
    /// crash or hang. A clear may bring a level-up.
    const MAP: [([u8; 2], u8); 5] =
        [([247, 252], 255), ([154, 157], 171), ([166, 169], 185), ([165, 168], 184), ([164, 167], 183)];

    /// The last crash with the box shown and hidden, before hangs alone.
    const LAST_CRASH: [[i32; 2]; 4] = [[161, 163], [174, 177], [173, 176], [172, 175]];

    /// Lines at which a game from level 19 is on a level; `ones` of them since the level began.
    fn from_19(level: u8, ones: u32) -> Progress {
        Progress::at(10 * (u32::from(level) - 6) + ones, level)
    }

    #[test]
    fn the_bounds_give_every_level_of_the_measured_map() {
        for (rows, (first, last)) in (0..).zip(MAP) {
            for (hidden, first) in [false, true].into_iter().zip(first) {
                for level in 0..=255 {
                    assert_eq!(
                        risk_at(rows, level, hidden) != Risk::None,
                        (first..=last).contains(&level),
                        "{rows} rows at level {level}, hidden: {hidden}"
                    );
                }
            }
        }
    }

    /// The edges with the box shown and hidden were measured apart. By cycles they are one: the same frame, 394 cycles shorter. The bounds are
    /// the tightest that the edges give.
    #[test]
    fn the_edges_of_the_map_with_the_box_shown_and_hidden_are_394_cycles_apart() {
        for (k, (first, _)) in MAP.into_iter().enumerate() {
            let after = |level: u8| i32::from(level) + i32::from(k > 0);
            let edges = [after(first[0]), after(first[1])];
            let free = |edge: i32, hidden: i32| FIRST_WINDOW + BOX * hidden - TURN[k] * edge;
            let safe = free(edges[0] - 1, 0).min(free(edges[1] - 1, 1));
            let crashed = free(edges[0], 0).max(free(edges[1], 1));
            assert_eq!(SLOWEST[k], safe, "{k} rows");
            assert!((62..=122).contains(&(safe - crashed)), "{k} rows: {crashed} to {safe}");
        }
        // The fastest variant begins its first dispatch after the last window, 29,768, from the level after these on.
        for (k, last) in (1..).zip(LAST_CRASH) {
            let late = |edge: i32, hidden: i32| 29_768 + BOX * hidden - TURN[k] * edge;
            let (least, most) =
                (late(last[0] + 1, 0).max(late(last[1] + 1, 1)), late(last[0], 0).min(late(last[1], 1)));
            assert!(least < most && most < SLOWEST[k], "{k} rows: {least} to {most}");
        }
    }

    #[test]
    fn no_clear_that_crashed_the_real_cartridge_is_called_safe() {
        for (rows, hidden, level, crashed, of) in CRASHED {
            assert!((1..=of).contains(&crashed));
            let after = level + u8::from(rows > 0);
            assert_ne!(
                risk(rows, after, hidden),
                Risk::None,
                "{rows} rows at level {level}, hidden: {hidden}"
            );
            assert_eq!(risk(rows, after - 1, hidden), Risk::None, "nothing was measured below level {level}");
            let fails = (0..100).any(|variant| judge(rows, after, hidden, true, variant) == Health::Crashed);
            assert!(fails, "{rows} rows at level {level}");
        }
    }

    #[test]
    fn advice_never_calls_a_clear_safe_that_crashed_the_real_cartridge() {
        for (rows, hidden, level, ..) in CRASHED {
            for now in [from_19(level, 9), Progress::at(0, level)] {
                let lock = locks(now)[usize::from(rows)];
                let spare = if hidden { lock.hidden } else { lock.shown };
                assert_eq!(spare.any_drop, None, "{now:?}");
                let told = advice(now).expect("a dangerous level");
                let (shown, safe) = told.split_once(';').expect("two halves");
                if rows == 0 {
                    assert!(shown.contains("every lock without a clear"), "{told}");
                } else if hidden {
                    let safe = safe.split(" safe").next().expect("text");
                    assert!(!safe.contains(&format!(" {rows}")), "{told}");
                } else {
                    assert!(shown.contains(&rows.to_string()), "{told}");
                }
            }
        }
    }

    #[test]
    fn advice_knows_the_level_the_lines_and_the_soft_drop() {
        let silent = (0..=255).filter(|&level| advice(Progress::at(0, level)).is_none());
        assert!(silent.eq((0..154).chain(186..247)));
        let told = |now| advice(now).expect("a dangerous level");
        assert_eq!(advice(from_19(154, 0)), None, "a single that stays on level 154");
        assert!(
            told(from_19(154, 9)).ends_with(
                "every clear is safe, with at least 272 CPU cycles to spare, 362 without soft drop"
            )
        );
        assert!(told(from_19(175, 0)).contains("1 line is safe, with at least 408 CPU cycles"));
        assert_eq!(
            told(from_19(169, 7)),
            "on level 169 a clear of 1, 2, 3 or 4 lines can crash the game now; with the next box hidden (Select), 2 lines are safe, \
             with at least 19 CPU cycles to spare, 109 without soft drop"
        );
        assert!(told(from_19(169, 9)).ends_with("no clear is safe, and 2, 3 or 4 lines are least dangerous"));
        assert!(
            told(from_19(171, 9)).ends_with("1 line is safe"),
            "the level-up makes the frame so long that it only lags"
        );
        assert!(told(from_19(170, 0)).ends_with("no clear is safe, and 2, 3 or 4 lines are least dangerous"));
        assert_eq!(
            told(Progress::at(3_210, 247)),
            "on level 247 every lock without a clear can crash the game; without soft drop it is safe, with at least 28 CPU cycles to spare; \
             with the next box hidden (Select) it is safe, with at least 332 CPU cycles to spare, 422 without soft drop"
        );
        assert!(told(Progress::at(3_260, 252)).ends_with(
            "with the next box hidden (Select) and without soft drop it is safe, with at least 7 CPU cycles to spare"
        ));
        assert!(told(Progress::at(3_270, 253)).ends_with("makes that less likely"));
    }

    #[test]
    fn the_locks_are_those_of_the_rules() {
        assert!(locks(from_19(137, 0)).is_empty());
        let all = locks(from_19(168, 7));
        assert_eq!(
            all.iter().map(|lock| (lock.lines, lock.level)).collect::<Vec<_>>(),
            [(0, 168), (1, 168), (2, 168), (3, 169), (4, 169)]
        );
        let safe = |ones| {
            locks(from_19(168, ones))
                .iter()
                .filter(|lock| lock.hidden.any_drop.is_some())
                .map(|lock| lock.lines)
                .collect::<Vec<_>>()
        };
        assert_eq!((safe(0), safe(7), safe(9)), (vec![0, 2, 3], vec![0, 2], vec![0, 2]));
    }

    /// The small tables are learned for levels in a row, whatever the lines.
    #[test]
    fn the_map_agrees_with_the_tables_of_small_networks() {
        for level in 0..=255 {
            let clean: Vec<u8> = (1..5).filter(|&k| risk_at(k, level, true) == Risk::None).collect();
            let around = match safe_clears(level) {
                SafeClears::All => clean.starts_with(&[1]) && clean.ends_with(&[4]),
                SafeClears::NoSingles => clean == [2, 3, 4] || clean.is_empty(),
                SafeClears::Doubles => !clean.contains(&1) && !clean.contains(&4),
                SafeClears::Singles => clean == [1],
            };
            assert!(around, "level {level}");
            let risks = [1, 2, 3, 4].map(|k| risk_at(k, level, true));
            match level {
                169 => assert_eq!(risks, [Risk::Band, Risk::Narrow, Risk::Band, Risk::Band]),
                170 | 171 => {
                    assert_eq!(
                        risks,
                        [Risk::Band, Risk::Narrow, Risk::Narrow, Risk::Narrow],
                        "level {level}"
                    );
                }
                _ => assert!(!risks.contains(&Risk::Narrow), "level {level}"),
            }
        }
        for after in 0..=255 {
            let risks = [1, 2, 3, 4].map(|k| risk(k, after, true));
            let no_choice = risks == [Risk::Band, Risk::Narrow, Risk::Narrow, Risk::Narrow];
            assert_eq!(no_choice, matches!(after, 170 | 171), "level {after}");
            assert_eq!(no_choice, !risks.contains(&Risk::None), "level {after}");
        }
        assert_eq!((risk(0, 246, false), risk(0, 251, true)), (Risk::None, Risk::None));
        assert_eq!((risk(0, 247, false), risk(0, 252, true)), (Risk::Narrow, Risk::Narrow));
        assert_eq!(judge(1, 155, false, true, 7), Health::Crashed);
        let fallen = |soft| (0..1000).filter(|&v| judge(0, 252, true, soft, v) == Health::Crashed).count();
        assert_eq!(
            (fallen(false), (200..300).contains(&fallen(true))),
            (0, true),
            "soft drop decides at 252"
        );
        let fallen = (0..1000).filter(|&v| judge(0, 255, true, true, v) == Health::Crashed).count();
        assert!((200..300).contains(&fallen), "{fallen}");
    }
}
