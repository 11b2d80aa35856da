//! [`Dealer`] draws the pieces of games that are not played frame by frame.

use std::fmt;

use super::piece::{Piece, PieceId};
use super::random::Dice;
use super::rng::{Generator, Lfsr};

/// Where the pieces come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pieces {
    /// They come from the game's generator, with 16 to 79 frames between two picks.
    Nes,
    /// Each of the seven comes with the same odds.
    Uniform,
}

impl Pieces {
    const NAMES: [(&str, Self); 2] = [("nes", Self::Nes), ("uniform", Self::Uniform)];

    /// Returns the source with this name.
    pub fn from_name(name: &str) -> Result<Self, &'static str> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, pieces)| *pieces).ok_or("expected nes or uniform")
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].0)
    }
}

/// An endless sequence of pieces.
///
/// ```
/// use maxout_rules::{Dealer, Pieces};
/// let mut dealer = Dealer::new(Pieces::Nes, 1);
/// let first = [dealer.deal(), dealer.deal()];
/// // It is an iterator, too.
/// assert!(Dealer::new(Pieces::Nes, 1).take(2).eq(first));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dealer {
    pieces: Pieces,
    dice: Dice,
    generator: Generator,
    /// The number of frames between two picks. Without it, a number is drawn for each pick.
    frames: Option<u32>,
}

impl Dealer {
    /// Begins the sequence of `seed`.
    pub fn new(pieces: Pieces, seed: u64) -> Self {
        let dice = Dice::new(seed);
        // One clock takes any register with a set bit above bit 0 onto the one cycle.
        let mut lfsr = Lfsr((dice.state() % 0x7FFF + 1) as u16 * 2);
        lfsr.clock();
        let generator = Generator { lfsr, spawn_id: PieceId(0), spawn_count: 0 };
        Self { pieces, dice, generator, frames: None }
    }

    /// Returns the pieces that the game's `generator` picks, with `frames` frames between two picks.
    pub const fn spaced(generator: Generator, frames: u32) -> Self {
        Self { pieces: Pieces::Nes, dice: Dice::new(0), generator, frames: Some(frames) }
    }

    /// Continues as if `last` had been the last piece dealt. The game's generator seldom deals the same piece twice in a row.
    pub fn follow(&mut self, last: Piece) {
        self.generator.spawn_id = last.into();
    }

    /// Returns the next piece.
    pub fn deal(&mut self) -> Piece {
        if self.pieces == Pieces::Uniform {
            return Piece::ALL[self.dice.below(Piece::ALL.len())];
        }
        let frames = self.frames.unwrap_or_else(|| 16 + (self.dice.word() >> 58) as u32);
        // The first clock leads onto the cycle. A saved game may say any number.
        let frames = if frames > 0 { 1 + (frames - 1) % Lfsr::PERIOD } else { 0 };
        for _ in 0..frames {
            self.generator.lfsr.clock();
        }
        // The generator always picks the orientation of a piece.
        self.generator.pick().piece().unwrap_or(Piece::T)
    }
}

impl Iterator for Dealer {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        Some(self.deal())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "statistics take too long there")]
    fn both_kinds_of_pieces_are_all_dealt_and_the_generator_seldom_repeats() {
        for (pieces, most) in [(Pieces::Uniform, 0.16), (Pieces::Nes, 0.06)] {
            let dealt: Vec<Piece> = Dealer::new(pieces, 7).take(14_000).collect();
            for piece in Piece::ALL {
                let share = dealt.iter().filter(|&&p| p == piece).count() as f64 / 14_000.0;
                assert!((0.125..0.16).contains(&share), "{pieces} {piece} {share}");
            }
            let repeats = dealt.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64 / 14_000.0;
            assert!((most - 0.04..most).contains(&repeats), "{pieces} {repeats}");
        }
    }

    #[test]
    fn any_number_of_frames_between_two_picks_is_played_in_little_time() {
        for frames in [0, 1, 32_766, 32_767, 32_768, 100_000] {
            for lfsr in [0, 1, 0x8988, 0xFFFF].map(Lfsr) {
                let generator = Generator { lfsr, spawn_id: PieceId(0), spawn_count: 0 };
                let mut clocked = generator;
                (0..frames).for_each(|_| clocked.lfsr.clock());
                let want = clocked.pick().piece();
                assert_eq!(Some(Dealer::spaced(generator, frames).deal()), want, "{frames} {lfsr:?}");
            }
        }
        let generator = Generator { lfsr: Lfsr::POWER_ON, spawn_id: PieceId(0), spawn_count: 0 };
        // Clocked one by one, these would take hours.
        assert_eq!(Dealer::spaced(generator, u32::MAX).take(5_000).count(), 5_000);
    }

    #[test]
    #[cfg_attr(miri, ignore = "statistics take too long there")]
    fn a_piece_that_is_said_to_be_the_last_seldom_comes_again() {
        let repeats = |seed: u64| {
            let mut dealer = Dealer::new(Pieces::Nes, seed);
            dealer.follow(Piece::O);
            dealer.deal() == Piece::O
        };
        let share = (0..4_000).filter(|&seed| repeats(seed)).count() as f64 / 4_000.0;
        // Without being told it would be one in seven.
        assert!((0.02..0.08).contains(&share), "{share}");
    }
}
