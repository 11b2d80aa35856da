//! [`Dealer`] draws the pieces of games that are not played frame by frame.

use std::fmt;

use super::piece::{Piece, PieceId};
use super::random::Dice;
use super::rng::{Generator, Lfsr};
use serde::{Deserialize, Serialize};

/// Where the pieces come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
