//! Tap speeds: when a player's presses may begin ([`TapTable`]).

use std::fmt;
use std::str::FromStr;

use maxout_rules::Region;
use thiserror::Error;

/// The longest span of a table, in frames. Presses further back are not remembered.
const LONGEST: u8 = 64;
/// The number of entries that a table may have, the first included.
const MOST: usize = 12;
/// The most frames from press to press at a rate that only PAL has.
const MOST_PAL_FRAMES: u8 = 16;
/// Frames a second, as tap speeds are named.
const FPS: u8 = 60;

/// When the presses of one piece may begin: how far apart they must be, or in which frames of the piece. A press frame is a frame in
/// which a shift, a rotation or one of each begins.
///
/// In a table `t[0] = 0`, `t[1]`, …, the first and the last of any `j + 1` press frames are at least `t[j]` frames apart. A timeline
/// such as `X..X.` is repeated from the piece's first frame on, and each X is a frame in which a press may begin. A timeline with
/// equally spaced presses is read as a table, so that a burst may begin in any frame.
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
pub struct TapTable(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// `t[1]`, `t[2]` …; an entry that follows from those before it is 0, and so are those behind the last.
    Gaps([u8; MOST - 1]),
    /// A timeline of `period` frames. Bit n says whether a press may begin in frame n.
    Timeline { period: u8, presses: u64 },
}

/// The error that a text is no tap table.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "{0:?}: {only_pal}expected a tap speed (30hz, 20hz, 12hz, slow5 and the like), a timeline that begins with X and has no two X side by side \
     when it is repeated (X..X.), or frames that rise from 0 by at least 2 (0,2,4,6,18)", only_pal = only_pal(.0)
)]
pub struct ParseTapTableError(String);

/// What there is to say of rates that NTSC does not have.
fn only_pal(text: &str) -> &'static str {
    if TapTable::only_on_pal(&text.to_ascii_lowercase()).is_some() {
        "only the PAL version has this rate, "
    } else {
        ""
    }
}

impl TapTable {
    /// 30 Hz: a press every second frame.
    pub const HZ_30: Self = Self::evenly(2);
    /// 24 Hz: the timeline `X..X.`, a press in frames 0, 3, 5, 8, 10 and so on of each piece.
    pub const HZ_24: Self = Self(Kind::Timeline { period: 5, presses: 0b01001 });
    /// 20 Hz.
    pub const HZ_20: Self = Self::evenly(3);
    /// 15 Hz.
    pub const HZ_15: Self = Self::evenly(4);
    /// 12 Hz.
    pub const HZ_12: Self = Self::evenly(5);
    /// 10 Hz.
    pub const HZ_10: Self = Self::evenly(6);
    /// Four quick taps, then a pause, because a person's fifth tap takes longer.
    pub const SLOW_5: Self = Self(Kind::Gaps([2, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0]));

    /// Returns how many frames of PAL are between two presses at the rate of this name, if NTSC has no such rate: 4 of `12.5hz`.
    pub(super) fn only_on_pal(rate: &str) -> Option<u8> {
        let is_named = |frames: &u8| Self::evenly(*frames).name(Region::Pal) == rate;
        (2..=MOST_PAL_FRAMES).find(is_named).filter(|_| rate.parse::<Self>().is_err())
    }

    /// A press every `frames` frames.
    pub(super) const fn evenly(frames: u8) -> Self {
        let mut gaps = [0; MOST - 1];
        gaps[0] = frames;
        Self(Kind::Gaps(gaps))
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
        let mut table = [0; MOST - 1];
        for (at, &gap) in gaps.iter().enumerate() {
            // Longer gaps that shorter ones imply say nothing: the table is then the same.
            let least = least(&table);
            let implied = (1..=at).map(|part| least[part].saturating_add(least[at + 1 - part])).max();
            if gap > implied.unwrap_or(0) {
                *table.get_mut(at)? = gap;
            }
        }
        Some(Self(Kind::Gaps(table)))
    }

    /// Reads a timeline with an `x` for each frame in which a press may begin. Returns `None` if it has other characters than
    /// expected, does not begin with a press, is too long, or has two presses side by side when it is repeated.
    fn from_timeline(line: &str) -> Option<Self> {
        if line.len() > usize::from(LONGEST) {
            return None;
        }
        let press = |frame: &u8| match frame {
            b'x' => Some(true),
            b'.' => Some(false),
            _ => None,
        };
        let frames: Vec<bool> = line.as_bytes().iter().map(press).collect::<Option<_>>()?;
        let follows = |at: usize| frames[(at + 1) % frames.len()];
        if !*frames.first()? || (0..frames.len()).any(|at| frames[at] && follows(at)) {
            return None;
        }
        let shortest = (1..=frames.len()).find(|&part| {
            frames.len().is_multiple_of(part)
                && (part..frames.len()).all(|at| frames[at] == frames[at - part])
        })?;
        let presses: u64 = (0..).zip(&frames[..shortest]).map(|(at, &press)| u64::from(press) << at).sum();
        let period = shortest as u8;
        if presses == 1 {
            return Self::new(&[0, period]);
        }
        Some(Self(Kind::Timeline { period, presses }))
    }

    /// Returns the table in PAL frames: 50 are as long as 60. Presses keep their rate, but are at least two frames apart. Where a gap is
    /// no whole number of frames, gaps alternate: `15hz` is `0,3,6,10`.
    pub(super) fn on_pal(&self) -> Self {
        let gap = |presses: usize| (u16::from(self.least(presses)) * 5 / 6).max(2 * presses as u16) as u8;
        let frames: Vec<u8> = (0..MOST).map(gap).take_while(|&frames| frames <= LONGEST).collect();
        Self::new(&frames).unwrap_or(*self)
    }

    /// Returns the name of a table of frames of this region. On PAL, a steady rate is presses a second of its 50 frames (`12.5hz`), and other
    /// tables have the name by which they are asked for; those that nobody can ask for say how long their frames are.
    pub(super) fn name(&self, region: Region) -> String {
        if region == Region::Ntsc {
            return self.to_string();
        }
        if let Some(every) = self.every() {
            let tenths = (10.0 * region.frames_per_second() / f64::from(every)).round() / 10.0;
            return format!("{tenths}hz");
        }
        let rates = (2..=FPS).filter(|&every| FPS.is_multiple_of(every)).map(Self::evenly);
        let asked = rates.chain([Self::SLOW_5]).find(|asked| asked.on_pal() == *self);
        asked.map_or_else(|| format!("{self} (50 frames a second)"), |asked| asked.to_string())
    }

    /// The least number of frames from a press to the `presses`-th press after it.
    pub(crate) fn least(&self, presses: usize) -> u8 {
        match self.0 {
            Kind::Gaps(gaps) => least(&gaps)[presses],
            Kind::Timeline { period, .. } => {
                let begins = |first: &u8| self.begins(u32::from(*first));
                (0..period).filter(begins).map(|first| self.later(first, presses)).min().unwrap_or(0)
            }
        }
    }

    /// The least number of frames from a press in the piece's first frame to the `presses`-th press after it.
    pub(crate) fn least_from_spawn(&self, presses: usize) -> u8 {
        if self.is_timeline() { self.later(0, presses) } else { self.least(presses) }
    }

    /// The number of frames from a press in frame `first` of a timeline to the `presses`-th after it.
    fn later(&self, first: u8, presses: usize) -> u8 {
        let mut after = (1..u8::MAX).filter(|&frames| self.begins(u32::from(first) + u32::from(frames)));
        presses.checked_sub(1).map_or(0, |before| after.nth(before).unwrap_or(u8::MAX))
    }

    /// The number of frames from each press to the next, if it is always the same.
    pub const fn every(&self) -> Option<u8> {
        let Kind::Gaps(gaps) = self.0 else { return None };
        let mut at = 1;
        while at < gaps.len() {
            if gaps[at] != 0 {
                return None;
            }
            at += 1;
        }
        Some(gaps[0])
    }

    /// Whether this is a steady rate: equally spaced presses, or 24 Hz.
    pub fn is_rate(&self) -> bool {
        self.every().is_some() || *self == Self::HZ_24
    }

    /// The frames that the table looks at, as bits of a history of presses.
    pub(crate) fn window(&self) -> u64 {
        match self.0 {
            Kind::Gaps(gaps) => frames(gaps.iter().copied().max().unwrap_or(2)),
            Kind::Timeline { .. } => 1,
        }
    }

    /// Whether a press may begin in this frame of a piece, counted from 0. Bit 0 of `history` is the frame before it.
    pub(crate) fn allows(&self, history: u64, frame: u32) -> bool {
        match self.0 {
            Kind::Gaps(gaps) => (1u32..)
                .zip(&gaps)
                .all(|(presses, &gap)| gap == 0 || (history & frames(gap)).count_ones() < presses),
            // A late press may be where the timeline has none.
            Kind::Timeline { .. } => history & 1 == 0 && self.begins(frame),
        }
    }

    /// Whether presses may begin only in certain frames of a piece.
    pub(crate) const fn is_timeline(&self) -> bool {
        matches!(self.0, Kind::Timeline { .. })
    }

    /// Whether the timeline has a press in this frame of a piece.
    fn begins(&self, frame: u32) -> bool {
        matches!(self.0, Kind::Timeline { period, presses } if presses >> (frame % u32::from(period)) & 1 == 1)
    }
}

/// The least number of frames from a press to each of those after it, by the gaps of a table.
fn least(gaps: &[u8; MOST - 1]) -> [u8; MOST] {
    let mut least = [0u8; MOST];
    for count in 1..MOST {
        let implied = (1..count).map(|part| least[part].saturating_add(least[count - part])).max();
        least[count] = gaps[count - 1].max(implied.unwrap_or(0));
    }
    least
}

/// The bits of the frames that are less than `gap` frames before the next one.
const fn frames(gap: u8) -> u64 {
    (1 << (gap - 1)) - 1
}

impl fmt::Display for TapTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            _ if *self == Self::SLOW_5 => f.write_str("slow5"),
            _ if *self == Self::HZ_24 => f.write_str("24hz"),
            Kind::Gaps([every, rest @ ..])
                if rest.iter().all(|&gap| gap == 0) && FPS.is_multiple_of(every) =>
            {
                write!(f, "{}hz", FPS / every)
            }
            Kind::Gaps(gaps) => {
                let last = gaps.iter().rposition(|&gap| gap != 0).unwrap_or(0);
                f.write_str("0")?;
                (1..=last + 1).try_for_each(|presses| write!(f, ",{}", self.least(presses)))
            }
            Kind::Timeline { period, .. } => (0..u32::from(period))
                .try_for_each(|frame| f.write_str(if self.begins(frame) { "X" } else { "." })),
        }
    }
}

impl FromStr for TapTable {
    type Err = ParseTapTableError;

    fn from_str(text: &str) -> Result<Self, ParseTapTableError> {
        let wrong = || ParseTapTableError(text.to_owned());
        match text.to_ascii_lowercase().as_str() {
            "24hz" => Ok(Self::HZ_24),
            "slow5" | "slow-5" => Ok(Self::SLOW_5),
            rate if rate.ends_with("hz") => {
                let rate = rate.strip_suffix("hz").filter(|rate| !rate.starts_with('+'));
                let rate: Option<u8> = rate.and_then(|rate| rate.parse().ok());
                let frames = rate.filter(|rate| FPS.checked_rem(*rate) == Some(0)).map(|rate| FPS / rate);
                frames.and_then(|frames| Self::new(&[0, frames])).ok_or_else(wrong)
            }
            line if line.starts_with('x') => Self::from_timeline(line).ok_or_else(wrong),
            list => {
                let frames: Result<Vec<u8>, _> =
                    list.split(',').take(MOST + 1).map(|n| n.trim().parse()).collect();
                frames.ok().and_then(|frames| Self::new(&frames)).ok_or_else(wrong)
            }
        }
    }
}

impl serde::Serialize for TapTable {
    /// Writes the text that `Display` shows.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

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
        for text in
            ["30hz", "24hz", "20hz", "15hz", "12hz", "10hz", "6hz", "1hz", "slow5", "0,7,20", "X..X.X..."]
        {
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
        assert_eq!("0,3,5,8,10,13,15,18,20,23".parse(), Ok(TapTable::HZ_20));
        assert_eq!("x..x.X..X.".parse(), Ok(TapTable::HZ_24));
        assert_eq!("0,2,5,7,10".parse::<TapTable>().map(|table| table.to_string()), Ok("0,2,5".to_owned()));
        for bad in [
            "X..X",
            "X..XX.",
            "X..Y.",
            "",
            "0",
            "60hz",
            "7hz",
            "+12hz",
            "0hz",
            "hz",
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
            &"X..X.".repeat(13),
        ] {
            assert!(bad.parse::<TapTable>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_tap_speed_keeps_its_presses_a_second_on_pal() {
        for (speed, rate) in
            [("30hz", 25), ("24hz", 25), ("20hz", 20), ("15hz", 15), ("12hz", 12), ("10hz", 10), ("6hz", 6)]
        {
            let table = speed.parse::<TapTable>().expect(speed).on_pal();
            // As fast as it allows, for ten seconds of 50 frames.
            let (mut history, mut presses) = (0u64, 0);
            for frame in 0..500 {
                let press = table.allows(history, frame);
                presses += u32::from(press);
                history = history << 1 | u64::from(press);
            }
            assert!(presses.abs_diff(10 * rate) <= 5, "{speed}: {presses} in ten seconds");
        }
        assert_eq!(TapTable::HZ_15.on_pal().to_string(), "0,3,6,10");
        assert_eq!(TapTable::SLOW_5.on_pal().to_string(), "0,2,4,6,15");
        assert_eq!("1hz".parse::<TapTable>().map(|table| table.on_pal().every()), Ok(Some(50)));
    }

    #[test]
    fn a_timeline_allows_presses_in_its_own_frames() {
        let presses: Vec<u32> = (0..24).filter(|&frame| TapTable::HZ_24.allows(0, frame)).collect();
        assert_eq!(presses, [0, 3, 5, 8, 10, 13, 15, 18, 20, 23]);
        assert!(!TapTable::HZ_24.allows(1, 5), "a late press has to be released first");
        assert_eq!([1, 2, 3].map(|presses| TapTable::HZ_24.least(presses)), [2, 5, 7]);
        assert_eq!([0, 1, 2, 3].map(|presses| TapTable::HZ_24.least_from_spawn(presses)), [0, 3, 5, 8]);
    }

    #[test]
    fn a_press_is_allowed_when_every_window_has_room() {
        let slow = TapTable::SLOW_5;
        // Presses 2, 4 and 6 frames ago: a fourth may follow. With one 8 frames ago too, none until it is 18 frames ago.
        assert!(slow.allows(0b10_1010, 50));
        assert!(!slow.allows(0b1010_1010, 50));
        assert!(slow.allows(0b1010_1010 << 10, 50));
        assert!(!slow.allows(1, 50) && slow.allows(2, 50));
        assert!(!TapTable::HZ_12.allows(0b1000, 50) && TapTable::HZ_12.allows(0b1_0000, 50));
    }
}
