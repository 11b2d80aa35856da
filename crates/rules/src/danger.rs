//! Where the unmodified game fails: the measured map of its crashes and hangs (the-game.md 8.3), as a judge for the
//! model and a prior for searches.
//!
//! On long scoring frames the next interrupt arrives before the logic is done. What then happens depends on the
//! cycle, so the map only says what is possible. [`risk`] reads it; [`judge`] turns it into a verdict.

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

/// What a scoring step may do, according to the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Risk {
    /// No measured variant failed.
    None,
    /// Some variants fail, at most about one in four, and no other number of rows is better at this level.
    Narrow,
    /// Some variants fail, and some other number of rows is safe.
    Band,
}

/// The first and the last level at which a crash or a hang is possible, by rows cleared, with the next box shown and
/// hidden. Gaps inside these bands are not trusted, because the windows are a few cycles wide.
const BANDS: [[(u8, u8); 2]; 5] = [
    [(247, 255), (252, 255)],
    [(154, 171), (157, 171)],
    [(166, 185), (169, 185)],
    [(165, 184), (168, 184)],
    [(164, 183), (167, 183)],
];

/// One variant in this many fails if the risk is [`Risk::Narrow`]. Measured shares were 8 to 25 %.
const NARROW_ODDS: u64 = 4;

fn in_band(rows: u8, level: u8, next_hidden: bool) -> bool {
    let (first, last) = BANDS[usize::from(rows.min(4))][usize::from(next_hidden)];
    (first..=last).contains(&level)
}

/// Returns the risk of scoring `rows` rows at `level`, which is the level before the scoring step.
pub fn risk(rows: u8, level: u8, next_hidden: bool) -> Risk {
    if !in_band(rows, level, next_hidden) {
        return Risk::None;
    }
    // A lock without a clear cannot be avoided. With the box hidden no clear is safe from the first level of doubles on
    // until singles are; there doubles are less dangerous than triples and tetrises, at the levels after it no more.
    let no_choice = match rows {
        0 => true,
        1 => false,
        _ => next_hidden && (1..5).all(|k| in_band(k, level, true)) && (rows == 2 || level > BANDS[2][1].0),
    };
    if no_choice { Risk::Narrow } else { Risk::Band }
}

/// Says in words which clears can crash the game at this level, which is the level before the clear, and how to make them safe. `None` if
/// the map knows of no danger.
///
/// ```
/// use maxout_rules::danger::advice;
/// assert_eq!(advice(100), None);
/// assert_eq!(
///     advice(168).unwrap(),
///     "on level 168 a clear of 1, 2, 3 or 4 lines can crash the game; with the next box hidden (Select), 2 lines are safe"
/// );
/// ```
pub fn advice(level: u8) -> Option<String> {
    let of_risk = |hidden: bool, wanted: fn(Risk) -> bool| -> Vec<u8> {
        (1..=4).filter(|&rows| wanted(risk(rows, level, hidden))).collect()
    };
    let dangerous = of_risk(false, |risk| risk != Risk::None);
    let safe = of_risk(true, |risk| risk == Risk::None);
    let any_lock = risk(0, level, false) != Risk::None;
    if any_lock {
        let hidden = if risk(0, level, true) == Risk::None {
            "with the next box hidden (Select) it is safe"
        } else {
            "the next box hidden (Select) makes that less likely"
        };
        return Some(format!("on level {level} every lock without a clear can crash the game; {hidden}"));
    }
    if dangerous.is_empty() {
        return None;
    }
    let hidden = match safe.as_slice() {
        [] => {
            let least = of_risk(true, |risk| risk == Risk::Narrow);
            format!("no clear is safe, and {} {} least dangerous", lines(&least), are(&least))
        }
        [1, 2, 3, 4] => "every clear is safe".to_owned(),
        safe => format!("{} {} safe", lines(safe), are(safe)),
    };
    let dangerous = lines(&dangerous);
    Some(format!(
        "on level {level} a clear of {dangerous} can crash the game; with the next box hidden (Select), {hidden}"
    ))
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

/// Returns the verdict of the model, which does not count cycles. A failure that the map calls possible happens, except
/// where every number of rows is in danger: there one `variant` in four fails. Equal variants get equal verdicts.
pub fn judge(rows: u8, level: u8, next_hidden: bool, variant: u64) -> Health {
    let fails = match risk(rows, level, next_hidden) {
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

    #[test]
    fn no_clear_that_crashed_the_real_cartridge_is_called_safe() {
        for (rows, hidden, level, crashed, of) in CRASHED {
            assert!((1..=of).contains(&crashed));
            assert_ne!(
                risk(rows, level, hidden),
                Risk::None,
                "{rows} rows at level {level}, hidden: {hidden}"
            );
            assert_eq!(risk(rows, level - 1, hidden), Risk::None, "nothing was measured below level {level}");
            let fails = (0..100).any(|variant| judge(rows, level, hidden, variant) == Health::Crashed);
            assert!(fails, "{rows} rows at level {level}");
        }
    }

    #[test]
    fn advice_never_calls_a_clear_safe_that_crashed_the_real_cartridge() {
        for (rows, hidden, level, ..) in CRASHED {
            let told = advice(level).expect("a dangerous level");
            let (shown, safe) = told.split_once(';').expect("two halves");
            if rows == 0 {
                assert!(shown.contains("every lock without a clear"), "{told}");
            } else if hidden {
                assert!(!safe.contains(&rows.to_string()) || safe.contains("no clear is safe"), "{told}");
            } else {
                assert!(shown.contains(&rows.to_string()), "{told}");
            }
        }
        let silent = (0..=255).filter(|&level| advice(level).is_none());
        assert!(silent.eq((0..154).chain(186..247)));
        assert!(advice(155).expect("a single").ends_with("every clear is safe"));
        assert!(advice(175).expect("singles").ends_with("1 line is safe"));
        let none = advice(170).expect("no clear");
        assert!(none.ends_with("no clear is safe, and 2, 3 or 4 lines are least dangerous"), "{none}");
    }

    /// The advice of the-game.md 8.4, level by level.
    #[test]
    fn the_map_agrees_with_the_advice_of_the_specification() {
        for level in 0..=255 {
            let clean: Vec<u8> = (1..5).filter(|&k| risk(k, level, true) == Risk::None).collect();
            let around = match safe_clears(level) {
                SafeClears::All => clean.starts_with(&[1]) && clean.ends_with(&[4]),
                SafeClears::NoSingles => clean == [2, 3, 4] || clean.is_empty(),
                SafeClears::Doubles => !clean.contains(&1) && !clean.contains(&4),
                SafeClears::Singles => clean == [1],
            };
            assert!(around, "level {level}");
            match level {
                0..=156 | 186..=255 => assert_eq!(clean, [1, 2, 3, 4], "level {level}"),
                157..=166 => assert_eq!(clean, [2, 3, 4], "level {level}"),
                167 => assert_eq!(clean, [2, 3]),
                168 => assert_eq!(clean, [2]),
                169..=171 => {
                    assert!(clean.is_empty(), "level {level}");
                    let more = if level == 169 { Risk::Band } else { Risk::Narrow };
                    assert_eq!(
                        [1, 2, 3, 4].map(|k| risk(k, level, true)),
                        [Risk::Band, Risk::Narrow, more, more],
                        "level {level}"
                    );
                }
                172..=183 => assert_eq!(clean, [1], "level {level}"),
                184 => assert_eq!(clean, [1, 4]),
                185 => assert_eq!(clean, [1, 3, 4]),
            }
        }
        assert_eq!((risk(0, 246, false), risk(0, 251, true)), (Risk::None, Risk::None));
        assert_eq!((risk(0, 247, false), risk(0, 252, true)), (Risk::Narrow, Risk::Narrow));
        assert_eq!(judge(1, 155, false, 7), Health::Crashed);
        let fallen = (0..1000).filter(|&v| judge(0, 255, true, v) == Health::Crashed).count();
        assert!((200..300).contains(&fallen), "{fallen}");
    }
}
