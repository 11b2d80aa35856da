//! The simulated hand: [`Hand`] presses what a plan asks for, but some presses go wrong ([`MisdropRate`]).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use maxout_rules::input::Buttons;
use maxout_rules::random::Dice;

/// The buttons whose presses can go wrong.
const FALLIBLE: Buttons = Buttons::LEFT.with(Buttons::RIGHT).with(Buttons::A).with(Buttons::B);

/// The buttons that shift.
const DIRECTIONS: Buttons = Buttons::LEFT.with(Buttons::RIGHT);

/// Makes the random numbers of the hand different from all others in the game of a seed.
const DICE: u64 = u64::from_be_bytes(*b"misdrops");

/// The probability that a press goes wrong: at least 0 and less than 1.
///
/// ```
/// use maxout_host::hand::MisdropRate;
/// let rate: MisdropRate = "0.01".parse().unwrap();
/// assert_eq!(rate.to_string(), "0.01");
/// assert!("1".parse::<MisdropRate>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct MisdropRate(f64);

/// The error for a text that is not a misdrop rate.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0:?}: expected a probability from 0 to 1, without 1")]
pub struct ParseMisdropError(String);

impl MisdropRate {
    /// No press goes wrong.
    pub const NONE: Self = Self(0.0);

    /// Makes a rate from a probability, or returns `None` if it is not at least 0 and less than 1.
    pub fn new(probability: f64) -> Option<Self> {
        // The sum makes a 0 of -0.
        (0.0..1.0).contains(&probability).then_some(Self(probability + 0.0))
    }

    /// The probability.
    pub const fn probability(self) -> f64 {
        self.0
    }
}

impl Default for MisdropRate {
    fn default() -> Self {
        Self::NONE
    }
}

impl fmt::Display for MisdropRate {
    /// Writes the shortest number that reads as the same rate, such as `0.01` or `1e-7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE { f.write_str("0") } else { write!(f, "{:?}", self.0) }
    }
}

impl FromStr for MisdropRate {
    type Err = ParseMisdropError;

    /// Reads a number such as `0.01`.
    fn from_str(text: &str) -> Result<Self, ParseMisdropError> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| ParseMisdropError(text.to_owned()))
    }
}

/// A hand that presses buttons and misses at a certain rate. Its random numbers depend only on the seed of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Hand {
    rate: MisdropRate,
    dice: Dice,
    /// The shift and the rotation that come in the next frame, because they come late.
    late: Buttons,
}

impl Hand {
    /// Makes the hand for the game of this seed.
    pub fn new(rate: MisdropRate, seed: u64) -> Self {
        Self { rate, dice: Dice::of([DICE, seed]), late: Buttons::NONE }
    }

    /// Makes a hand that never misses.
    pub fn sure() -> Self {
        Self::new(MisdropRate::NONE, 0)
    }

    /// Returns the buttons that are really held in a frame. `wanted` are the buttons that should be held, and `held`
    /// those that were held in the frame before.
    ///
    /// A press is a frame in which a shift, a rotation or one of each begins. It goes wrong as a whole: half of the
    /// wrong presses come one frame late, and the others do not come at all. A late press takes the place of any shift
    /// or rotation that is wanted in its frame. Down never fails.
    pub fn press(&mut self, wanted: Buttons, held: Buttons) -> Buttons {
        let late = std::mem::take(&mut self.late);
        if !late.is_empty() {
            // What goes on being held is no press, unless the late one is of the other direction.
            let turns = late & DIRECTIONS == Buttons::NONE;
            let goes_on = if turns { wanted & held } else { wanted & held & !DIRECTIONS };
            return wanted & !FALLIBLE | goes_on | late;
        }
        let begun = wanted & FALLIBLE & !held;
        if begun.is_empty() || self.rate == MisdropRate::NONE || self.dice.unit() >= self.rate.0 {
            return wanted;
        }
        if self.dice.coin() {
            self.late = begun;
        }
        wanted & !begun
    }

    /// Forgets a late press: the piece that it was meant for is gone.
    pub fn rest(&mut self) {
        self.late = Buttons::NONE;
    }
}
