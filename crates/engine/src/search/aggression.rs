//! [`Aggression`]: how much risk a player takes for points.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How much risk a player on the learned value takes for points: a number from -3 (safest) to 3 (boldest), where 0 is the
/// aggression of the learned values. The whole numbers have names ([`Aggression::STEPS`]).
///
/// A search with an aggression other than 0 changes what a lost game costs: to the cost of each board it adds the board's
/// learned hazard ([`Hazard`](crate::eval::Hazard)) times [`Aggression::caution`].
///
/// ```
/// use maxout_engine::search::Aggression;
/// let safer: Aggression = "safer".parse().unwrap();
/// assert_eq!((safer, safer.to_string()), ("-2".parse().unwrap(), "safer".to_owned()));
/// assert!(safer.caution() > 0.0 && Aggression::NORMAL.caution() == 0.0);
/// ```
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Aggression(f32);

/// What a lost game costs at each step, in tetrises, beyond the price in the learned values. That price is 10 tetrises (7 in
/// the network for levels 19 to 28, and less in some tables from level 29 on) beyond the points that are missed. Measured: lab/notebook/aggression.md.
const CAUTION: [f32; 7] = [6.0, 3.0, 1.5, 0.0, -1.5, -3.0, -5.0];
/// The number of the last step. The first step has the same number with a minus sign.
const LAST: f32 = 3.0;

impl Aggression {
    /// The aggression of the learned values: a lost game costs what they have learned.
    pub const NORMAL: Self = Self(0.0);
    /// The named steps, from the safest to the boldest.
    pub const STEPS: [(&'static str, Self); 7] = [
        ("safest", Self(-3.0)),
        ("safer", Self(-2.0)),
        ("safe", Self(-1.0)),
        ("normal", Self(0.0)),
        ("bold", Self(1.0)),
        ("bolder", Self(2.0)),
        ("boldest", Self(3.0)),
    ];

    /// Returns the aggression for a number from -3 to 3, or `None` for any other.
    pub fn new(number: f32) -> Option<Self> {
        // The sum turns -0 into 0.
        (-LAST..=LAST).contains(&number).then_some(Self(number + 0.0))
    }

    /// Returns the number, from -3 to 3.
    pub const fn number(self) -> f32 {
        self.0
    }

    /// Returns what a lost game costs beyond the price in the learned values, in tetrises at the level of play. It is below
    /// 0 for a bold player, and changes linearly between two steps.
    pub fn caution(self) -> f32 {
        let place = self.0 + LAST;
        let below = place.floor();
        let (at, part) = (below as usize, place - below);
        let above = CAUTION.get(at + 1).copied().unwrap_or(CAUTION[at]);
        CAUTION[at] + part * (above - CAUTION[at])
    }
}

impl Default for Aggression {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl fmt::Display for Aggression {
    /// The name of the step, or the number between two steps.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::STEPS.iter().find(|(_, step)| step == self) {
            Some((name, _)) => f.pad(name),
            None => fmt::Display::fmt(&self.0, f),
        }
    }
}

/// The error for a text that is not an aggression.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "{0:?}: expected safest, safer, safe, normal, bold, bolder, boldest, or a number from -3 (safest) to 3 (boldest)"
)]
pub struct ParseAggressionError(String);

impl FromStr for Aggression {
    type Err = ParseAggressionError;

    /// Reads the name of a step, or a number.
    fn from_str(text: &str) -> Result<Self, ParseAggressionError> {
        let named = Self::STEPS.iter().find(|(name, _)| *name == text).map(|(_, step)| *step);
        let number = || text.parse().ok().and_then(Self::new);
        named.or_else(number).ok_or_else(|| ParseAggressionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_names_and_numbers() {
        for (at, (name, step)) in (-3..=3).zip(Aggression::STEPS) {
            assert_eq!(name.parse(), Ok(step));
            assert_eq!(at.to_string().parse(), Ok(step));
            assert_eq!(step.to_string(), name);
            assert_eq!(step.caution().to_bits(), CAUTION[(at + 3) as usize].to_bits());
        }
        assert_eq!("-0".parse(), Ok(Aggression::NORMAL));
        assert_eq!(Aggression::new(1.5).map(|between| between.to_string()), Some("1.5".to_owned()));
        for wrong in ["", "wild", "3.1", "-4", "nan", "inf"] {
            assert!(wrong.parse::<Aggression>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn between_two_steps_caution_changes_evenly() {
        let half = Aggression::new(-2.5).expect("in range").caution();
        assert!((half - f32::midpoint(CAUTION[0], CAUTION[1])).abs() < 1e-6);
        let all: Vec<f32> =
            (-12..=12).filter_map(|n| Aggression::new(n as f32 / 4.0)).map(Aggression::caution).collect();
        assert!(all.len() == 25 && all.is_sorted_by(|a, b| a > b), "{all:?}");
    }
}
