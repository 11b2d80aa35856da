//! Held directions: the game's delayed auto-shift ([`Das`]).

use std::fmt;

use thiserror::Error;

use super::{ParseTapTableError, TapTable};
use maxout_rules::{DAS_FULL, DAS_REPEAT, Region};

/// What follows the name of a tap speed when directions are held, too.
pub(super) const AND_DAS: &str = "+das";

/// A hand that taps at a steady rate and may also hold a direction, so that the game shifts the piece by itself (DAS): 16 frames after
/// the press, then every 6 frames. The game keeps its counter from one piece to the next, and a direction that has been held since the
/// entry delay is not a new press, so a full counter shifts the next piece in its first frame (docs/how-it-works/the-game.md 3.3).
///
/// A press frame is a frame in which a direction, a rotation, or one of each is newly pressed; they are at least [`Das::frames`] apart. What
/// is pressed in the entry delay is not counted.
///
/// ```
/// use maxout_engine::limits::{Das, Presses};
/// assert_eq!("das".parse(), Ok(Presses::Das(Das::ALONE)));
/// assert_eq!("12hz+das".parse::<Presses>().unwrap().to_string(), "taps 12hz+das");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Das {
    frames: u8,
}

impl Das {
    /// A hand that moves by holding: presses are 10 frames apart (6 Hz), so that tapping is slower than holding.
    pub const ALONE: Self = Self { frames: 10 };
    /// The largest value of [`Das::frames`].
    pub const MOST_FRAMES: u8 = 16;

    /// Makes a hand whose presses are at least `frames` frames apart, or returns `None` unless that is 2 to
    /// [`Das::MOST_FRAMES`].
    pub const fn new(frames: u8) -> Option<Self> {
        if frames >= 2 && frames <= Self::MOST_FRAMES { Some(Self { frames }) } else { None }
    }

    /// The same rate on PAL, to the nearest frame.
    pub(super) const fn on_pal(self) -> Self {
        let frames = (5 * self.frames + 3) / 6;
        Self { frames: if frames < 2 { 2 } else { frames } }
    }

    /// Returns the name of a hand that counts frames of this region, as [`TapTable::name`] does.
    pub(super) fn name(self, region: Region) -> String {
        if region == Region::Ntsc {
            self.to_string()
        } else if self == Self::ALONE.on_pal() {
            Self::ALONE.to_string()
        } else {
            TapTable::evenly(self.frames).name(region) + AND_DAS
        }
    }

    /// The number of frames from a press to the next, at least.
    pub const fn frames(self) -> u8 {
        self.frames
    }

    /// The number of frames from a shift to the `shifts`-th after it by tapping alone or by holding alone with a full counter, whichever is
    /// faster. Both together can be faster still.
    pub(crate) fn least(self, shifts: u8) -> u8 {
        self.frames.min(DAS_FULL - DAS_REPEAT).saturating_mul(shifts)
    }

    /// The same where the first shift is a new press, which empties the counter.
    pub(crate) fn least_from_press(self, shifts: u8) -> u8 {
        let Some(repeats) = shifts.checked_sub(1) else { return 0 };
        let held = (DAS_FULL - DAS_REPEAT).saturating_mul(repeats).saturating_add(DAS_FULL);
        self.frames.saturating_mul(shifts).min(held)
    }
}

impl fmt::Display for Das {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALONE {
            return f.write_str("das");
        }
        write!(f, "{}{AND_DAS}", TapTable::evenly(self.frames))
    }
}

/// The error for a text that says neither how fast buttons are tapped nor that directions are held.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ParsePressesError {
    /// It is no tap speed.
    #[error("{0}; or das or 12hz+das, where directions are held")]
    Taps(#[from] ParseTapTableError),
    /// What stands before `+das` is no steady rate.
    #[error("{0:?}: expected a steady rate before +das, such as 12hz+das, with presses 2 to {most} frames apart", most = Das::MOST_FRAMES)]
    Das(String),
}

impl serde::Serialize for Das {
    /// Writes the text that `Display` shows.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Das {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.parse() {
            Ok(super::Presses::Das(das)) => Ok(das),
            Ok(_) => Err(serde::de::Error::custom(ParsePressesError::Das(text))),
            Err(error) => Err(serde::de::Error::custom(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Presses;

    #[test]
    fn presses_read_as_they_are_typed() {
        for (text, printed) in [
            ("das", "das"),
            ("DAS", "das"),
            ("10hz+das", "10hz+das"),
            ("0,10+das", "das"),
            ("0,7+das", "0,7+das"),
            ("X...+das", "15hz+das"),
            ("12hz", "12hz"),
        ] {
            let presses: Presses = text.parse().expect(text);
            assert_eq!(presses.to_string(), format!("taps {printed}"));
        }
        for (text, culprit) in [
            ("slow5+das", "\"slow5+das\": expected a steady rate before +das"),
            ("24hz+das", "\"24hz+das\": expected a steady rate"),
            ("0,17+das", "\"0,17+das\": expected a steady rate"),
            ("+das", "\"+das\": expected a steady rate"),
            ("dash", "\"dash\": expected a tap speed"),
        ] {
            let error = text.parse::<Presses>().expect_err(text).to_string();
            assert!(error.starts_with(culprit), "{error}");
        }
    }

    #[test]
    fn holding_is_faster_than_slow_taps() {
        assert_eq!([1, 4].map(|shifts| Das::ALONE.least(shifts)), [6, 24]);
        assert_eq!(Das::new(5).map(|das| das.least(4)), Some(20));
        assert_eq!([0, 1, 2, 4].map(|shifts| Das::ALONE.least_from_press(shifts)), [0, 10, 20, 34]);
        assert_eq!((Das::new(1), Das::new(17)), (None, None));
    }
}
