//! Tap speeds: how far apart a player's presses must be ([`TapTable`]).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The longest span of a table, in frames. Presses further back are not remembered.
const LONGEST: u8 = 64;
/// The number of entries that a table may have, the first included.
const MOST: usize = 12;

/// How far apart the presses of one piece must be, in frames. A press frame is a frame in which a shift, a rotation or
/// one of each begins; between the first and the last of any `j + 1` press frames lie at least `t[j]` frames.
///
/// ```
/// use maxout_engine::limits::TapTable;
/// let table: TapTable = "12hz".parse().unwrap();
/// assert_eq!(table.to_string(), "12hz");
/// assert_eq!(table.every(), Some(5));
/// // Four quick taps, then a pause.
/// let slow: TapTable = "0,2,4,6,18".parse().unwrap();
/// assert_eq!(slow, TapTable::SLOW_5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TapTable {
    /// `t[1]`, `t[2]` …; an entry that follows from those before it is 0, and so are those behind the last.
    gaps: [u8; MOST - 1],
}

/// The error that a text is no tap table.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "{0:?}: expected a tap speed (30hz, 24hz, 20hz, 15hz, 12hz, 10hz, slow5), a timeline of equally spaced presses such \
     as X..., or frames that rise from 0 by at least 2, such as 0,2,4,6,18"
)]
pub struct ParseTapTableError(String);

impl TapTable {
    /// 30 Hz: a press every second frame.
    pub const HZ_30: Self = Self::evenly(2);
    /// 20 Hz.
    pub const HZ_20: Self = Self::evenly(3);
    /// 15 Hz.
    pub const HZ_15: Self = Self::evenly(4);
    /// 12 Hz.
    pub const HZ_12: Self = Self::evenly(5);
    /// 10 Hz.
    pub const HZ_10: Self = Self::evenly(6);
    /// Four quick taps, then a pause, because a person's fifth tap takes longer.
    pub const SLOW_5: Self = Self { gaps: [2, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0] };

    /// A press every `frames` frames.
    const fn evenly(frames: u8) -> Self {
        let mut gaps = [0; MOST - 1];
        gaps[0] = frames;
        Self { gaps }
    }

    /// Makes a table from `t[0] = 0`, `t[1]`, …. Returns `None` if the numbers do not rise, if the first gap is below 2
    /// frames (a button must be up for a frame before it counts again), or if they reach too far.
    pub fn new(frames: &[u8]) -> Option<Self> {
        let (&first, gaps) = frames.split_first()?;
        let rises = frames.windows(2).all(|pair| pair[0] < pair[1]);
        if first != 0
            || gaps.is_empty()
            || gaps.len() >= MOST
            || gaps[0] < 2
            || !rises
            || gaps.iter().any(|&gap| gap > LONGEST)
        {
            return None;
        }
        let mut table = Self { gaps: [0; MOST - 1] };
        for (at, &gap) in gaps.iter().enumerate() {
            // Longer gaps that shorter ones imply say nothing: the table is then the same.
            let implied = (1..=at)
                .map(|part| table.least(part).saturating_add(table.least(at + 1 - part)))
                .max()
                .unwrap_or(0);
            if gap > implied {
                *table.gaps.get_mut(at)? = gap;
            }
        }
        Some(table)
    }

    /// The table of a repeated timeline, with an `x` for each frame in which a press may begin. Returns `None` if it
    /// has other characters than expected, does not begin with a press, or has presses that are not equally far apart:
    /// a table says how far apart presses are, not in which frames of a piece they begin.
    fn from_timeline(line: &str) -> Option<Self> {
        let presses = line.matches('x').count();
        let every = line.len().checked_div(presses)?;
        let even = format!("x{}", ".".repeat(every.checked_sub(1)?)).repeat(presses);
        (even == line).then(|| u8::try_from(every).ok())?.and_then(|every| Self::new(&[0, every]))
    }

    /// The least number of frames from a press to the `presses`-th press after it.
    pub(crate) fn least(&self, presses: usize) -> u8 {
        let mut least = [0u8; MOST];
        for count in 1..MOST {
            let own = self.gaps[count - 1];
            let implied = (1..count).map(|part| least[part].saturating_add(least[count - part])).max();
            least[count] = own.max(implied.unwrap_or(0));
        }
        least[presses]
    }

    /// The number of frames from each press to the next, if it is always the same.
    pub const fn every(&self) -> Option<u8> {
        let mut at = 1;
        while at < self.gaps.len() {
            if self.gaps[at] != 0 {
                return None;
            }
            at += 1;
        }
        Some(self.gaps[0])
    }

    /// The frames that the table looks at, as bits of a history of presses.
    pub(crate) fn window(&self) -> u64 {
        let longest = self.gaps.iter().copied().max().unwrap_or(2);
        frames(longest)
    }

    /// Whether a press may follow this history, in which bit 0 is the last frame.
    pub(crate) fn allows(&self, history: u64) -> bool {
        (1u32..)
            .zip(&self.gaps)
            .all(|(presses, &gap)| gap == 0 || (history & frames(gap)).count_ones() < presses)
    }
}

/// The bits of the frames that are less than `gap` frames before the next one.
const fn frames(gap: u8) -> u64 {
    (1 << (gap - 1)) - 1
}

impl fmt::Display for TapTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.every() {
            Some(frames) if 60 % frames == 0 => write!(f, "{}hz", 60 / frames),
            _ if *self == Self::SLOW_5 => f.write_str("slow5"),
            _ => {
                let last = self.gaps.iter().rposition(|&gap| gap != 0).unwrap_or(0);
                f.write_str("0")?;
                (1..=last + 1).try_for_each(|presses| write!(f, ",{}", self.least(presses)))
            }
        }
    }
}

impl FromStr for TapTable {
    type Err = ParseTapTableError;

    fn from_str(text: &str) -> Result<Self, ParseTapTableError> {
        let wrong = || ParseTapTableError(text.to_owned());
        match text.to_ascii_lowercase().as_str() {
            "30hz" => Ok(Self::HZ_30),
            "24hz" => Self::new(&[0, 3, 5, 8, 10, 13, 15, 18, 20, 23]).ok_or_else(wrong),
            "20hz" => Ok(Self::HZ_20),
            "15hz" => Ok(Self::HZ_15),
            "12hz" => Ok(Self::HZ_12),
            "10hz" => Ok(Self::HZ_10),
            "slow5" | "slow-5" => Ok(Self::SLOW_5),
            line if line.starts_with('x') => Self::from_timeline(line).ok_or_else(wrong),
            list => {
                let frames: Result<Vec<u8>, _> =
                    list.split(',').take(MOST + 1).map(|n| n.trim().parse()).collect();
                frames.ok().and_then(|frames| Self::new(&frames)).ok_or_else(wrong)
            }
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for TapTable {
    /// Writes the text that `Display` shows.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for TapTable {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_read_as_they_print_and_say_what_they_imply_once() {
        for text in ["30hz", "20hz", "15hz", "12hz", "10hz", "slow5", "0,7,20"] {
            let table: TapTable = text.parse().expect(text);
            assert_eq!(table.to_string(), text);
        }
        assert_eq!("0,5,10,15,20".parse(), Ok(TapTable::HZ_12));
        for (line, table) in [
            ("X.", TapTable::HZ_30),
            ("X..", TapTable::HZ_20),
            ("x...", TapTable::HZ_15),
            ("X....", TapTable::HZ_12),
            ("X.....X.....", TapTable::HZ_10),
        ] {
            assert_eq!(line.parse(), Ok(table), "{line}");
        }
        assert_eq!("0,2,4,6,18,20,22,24,36,38".parse(), Ok(TapTable::SLOW_5));
        // Two presses are three frames apart or more, so three of them are six.
        assert_eq!("24hz".parse(), Ok(TapTable::HZ_20));
        assert_eq!("0,2,5,7,10".parse::<TapTable>().map(|table| table.to_string()), Ok("0,2,5".to_owned()));
        for bad in [
            "X..X.",
            "X.X.X.X...........",
            "",
            "0",
            "60hz",
            "1,2",
            "0,1",
            "0,4,3",
            "0,2,200",
            "0,2,x",
            "X",
            "XX.",
            ".X.",
            "X.X",
            "0,2,4,6,8,10,12,14,16,18,20,22,24,99",
        ] {
            assert!(bad.parse::<TapTable>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_press_is_allowed_when_every_window_has_room() {
        let slow = TapTable::SLOW_5;
        // Presses 2, 4 and 6 frames ago: a fourth may follow. With one 8 frames ago too, none until it is 18 frames ago.
        assert!(slow.allows(0b10_1010));
        assert!(!slow.allows(0b1010_1010));
        assert!(slow.allows(0b1010_1010 << 10));
        assert!(!slow.allows(1) && slow.allows(2));
        assert!(!TapTable::HZ_12.allows(0b1000) && TapTable::HZ_12.allows(0b1_0000));
    }
}
