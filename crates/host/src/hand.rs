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

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY_FRAME: u32 = 40_000;

    fn rate(probability: f64) -> MisdropRate {
        MisdropRate::new(probability).expect("a probability")
    }

    #[test]
    fn rates_read_as_they_print_and_nothing_else_is_one() {
        for text in ["0", "0.01", "0.5", "1e-7", "0.999"] {
            assert_eq!(text.parse::<MisdropRate>().expect(text).to_string(), text);
        }
        assert_eq!("-0".parse(), Ok(MisdropRate::NONE));
        assert_eq!("-0.0".parse::<MisdropRate>().map(|rate| rate.to_string()), Ok("0".to_owned()));
        for bad in ["1", "1.5", "-0.1", "nan", "inf", "-inf", "", "1%", "half"] {
            assert!(bad.parse::<MisdropRate>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_sure_hand_does_what_is_wanted() {
        let mut hand = Hand::sure();
        for bits in 0..=u8::MAX {
            assert_eq!(hand.press(Buttons(bits), Buttons::NONE), Buttons(bits));
        }
        assert_eq!(hand, Hand::sure(), "no dice are thrown");
    }

    #[test]
    fn a_wrong_press_is_absent_or_comes_one_frame_late_and_whole() {
        let mut hand = Hand::new(rate(0.25), 7);
        let press = Buttons::LEFT | Buttons::A;
        let (mut made, mut late, mut absent) = (0, 0, 0);
        for _ in 0..EVERY_FRAME {
            match hand.press(press | Buttons::DOWN, Buttons::NONE) {
                got if got == press | Buttons::DOWN => made += 1,
                // Down never fails.
                Buttons::DOWN => match hand.press(Buttons::NONE, Buttons::DOWN) {
                    got if got == press => late += 1,
                    Buttons::NONE => absent += 1,
                    got => panic!("{got}"),
                },
                got => panic!("{got}"),
            }
            assert_eq!(hand.press(Buttons::NONE, press), Buttons::NONE, "nothing comes later");
        }
        assert!((29_500..30_500).contains(&made), "{made}");
        assert!((4_700..5_300).contains(&late) && (4_700..5_300).contains(&absent), "{late}, {absent}");
    }

    /// A hand whose next press comes late.
    fn late(press: Buttons) -> Hand {
        let late = |seed: &u64| {
            let mut hand = Hand::new(rate(0.5), *seed);
            hand.press(press, Buttons::NONE) != press && hand.press(Buttons::NONE, Buttons::NONE) == press
        };
        let mut hand = Hand::new(rate(0.5), (0..100).find(late).expect("a seed"));
        assert_eq!(hand.press(press, Buttons::NONE), Buttons::NONE);
        hand
    }

    #[test]
    fn a_late_press_takes_the_place_of_the_one_that_is_wanted_then() {
        let mut hand = late(Buttons::LEFT);
        let wanted = Buttons::RIGHT | Buttons::B | Buttons::DOWN;
        assert_eq!(hand.press(wanted, Buttons::NONE), Buttons::LEFT | Buttons::DOWN);
        // A direction that is held stays held, but not beside the other one.
        let wanted = Buttons::LEFT | Buttons::B;
        assert_eq!(late(Buttons::A).press(wanted, Buttons::LEFT), Buttons::LEFT | Buttons::A);
        assert_eq!(late(Buttons::RIGHT).press(wanted, Buttons::LEFT), Buttons::RIGHT);
    }

    #[test]
    fn a_late_press_does_not_reach_the_next_piece() {
        let mut hand = late(Buttons::A);
        hand.rest();
        assert_eq!(hand.press(Buttons::NONE, Buttons::NONE), Buttons::NONE);
    }

    #[test]
    fn what_is_already_held_is_no_press() {
        let mut hand = Hand::new(rate(0.999), 1);
        let before = hand.clone();
        let held = Buttons::LEFT | Buttons::DOWN;
        assert_eq!(hand.press(held, Buttons::LEFT), held);
        assert_eq!(hand.press(Buttons::DOWN, Buttons::NONE), Buttons::DOWN);
        assert_eq!(hand, before, "no dice are thrown");
    }

    #[test]
    fn the_misses_are_those_of_the_seed() {
        let misses = |seed| {
            let mut hand = Hand::new(rate(0.5), seed);
            (0..100).map(|_| hand.press(Buttons::A, Buttons::NONE)).collect::<Vec<_>>()
        };
        assert_eq!(misses(3), misses(3));
        assert_ne!(misses(3), misses(4));
    }
}
