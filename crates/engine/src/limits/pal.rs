//! Tap speeds that only the PAL version has ([`PalRate`]), and the reader of `--taps` ([`Presses::from_str`]).

use std::fmt;
use std::str::FromStr;

use maxout_rules::Region;

use super::das::AND_DAS;
use super::{Das, ParsePressesError, Presses, TapTable};

/// A steady rate that counts the 50 frames a second of PAL and is no rate of NTSC, such as `12.5hz`, or `12.5hz+das` where directions are held.
/// [`Limits::in_region`](super::Limits::in_region) makes a tap table or a hand of it on PAL; an NTSC game cannot be played so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PalRate {
    frames: u8,
    held: bool,
}

impl PalRate {
    /// Reads the name of such a rate; `None` if NTSC has the rate, or if it is no rate.
    pub(super) fn read(text: &str) -> Option<Self> {
        let name = text.to_ascii_lowercase();
        let (rate, held) = name.strip_suffix(AND_DAS).map_or((name.as_str(), false), |rate| (rate, true));
        let frames = TapTable::only_on_pal(rate)?;
        Some(Self { frames, held })
    }

    /// Whether directions are held, too.
    pub(crate) const fn is_held(self) -> bool {
        self.held
    }

    /// The presses, in PAL frames.
    pub(super) fn presses(self) -> Presses {
        let held = Das::new(self.frames).filter(|_| self.held);
        held.map_or(Presses::Table(TapTable::evenly(self.frames)), Presses::Das)
    }
}

impl fmt::Display for PalRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&TapTable::evenly(self.frames).name(Region::Pal))?;
        f.write_str(if self.held { AND_DAS } else { "" })
    }
}

impl FromStr for Presses {
    type Err = ParsePressesError;

    /// Reads what `--taps` takes: a tap speed as [`TapTable`] reads it, `das`, a steady rate and `+das`, or a rate that only PAL has.
    fn from_str(text: &str) -> Result<Self, ParsePressesError> {
        if let Some(rate) = PalRate::read(text) {
            return Ok(Self::Pal(rate));
        }
        let name = text.to_ascii_lowercase();
        if name == Das::ALONE.to_string() {
            return Ok(Self::Das(Das::ALONE));
        }
        let Some(rate) = name.strip_suffix(AND_DAS) else {
            return Ok(Self::Table(text.parse::<TapTable>()?));
        };
        let table: Option<TapTable> = rate.parse().ok();
        let das = table.and_then(|table| table.every()).and_then(Das::new);
        das.map(Self::Das).ok_or_else(|| ParsePressesError::Das(text.to_owned()))
    }
}

impl serde::Serialize for PalRate {
    /// Writes the text that `Display` shows.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for PalRate {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text).ok_or_else(|| {
            serde::de::Error::custom(format!("{text:?}: expected a rate that only PAL has, such as 12.5hz"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    /// Fifty frames a second over the frames from press to press, counted by hand.
    #[test]
    fn the_names_of_rates_that_only_pal_has_are_read() {
        for (name, frames) in
            [("25hz", 2), ("16.7hz", 3), ("12.5hz", 4), ("8.3hz", 6), ("12.5hz+das", 4), ("25HZ+das", 2)]
        {
            let presses: Presses = name.parse().expect(name);
            let on_pal = Limits::new(presses).in_region(Region::Pal).presses;
            let every = match on_pal {
                Presses::Table(table) => table.every(),
                Presses::Das(das) => Some(das.frames()),
                _ => None,
            };
            assert_eq!(every, Some(frames), "{name}");
            assert_eq!(on_pal.name(Region::Pal), name.to_lowercase());
            assert!(presses.only_on_pal() && !on_pal.only_on_pal());
            assert_eq!(presses.to_string(), format!("taps {}", name.to_lowercase()));
        }
        for other in ["10hz", "12hz", "20hz+das", "12.4hz", "50hz", "hz", "+das"] {
            assert_eq!(PalRate::read(other), None, "{other}");
        }
        let said = "12.5hz".parse::<TapTable>().expect_err("no NTSC rate").to_string();
        assert!(said.starts_with("\"12.5hz\": only the PAL version has this rate"), "{said}");
    }
}
