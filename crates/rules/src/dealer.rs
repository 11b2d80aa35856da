//! [`Dealer`] draws the pieces of games that are not played frame by frame.

use std::fmt;

use super::piece::{Orientation, Piece};
use super::rng::{Generator, Lfsr};
use super::start::splitmix64;

/// Where the pieces come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    /// They come from the game's generator, with 16 to 79 frames between two picks.
    Nes,
    /// Each of the seven comes with the same odds.
    Uniform,
}

impl Pieces {
    const NAMES: [(&str, Self); 2] = [("nes", Self::Nes), ("uniform", Self::Uniform)];

    /// Returns the source of this name.
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
#[derive(Clone, Debug)]
pub struct Dealer {
    pieces: Pieces,
    state: u64,
    generator: Generator,
}

impl Dealer {
    /// Begins the pieces of `seed`.
    pub fn new(pieces: Pieces, seed: u64) -> Self {
        let state = splitmix64(seed);
        // One clock takes any register with a set bit above bit 0 onto the one cycle.
        let mut lfsr = Lfsr((state % 0x7FFF + 1) as u16 * 2);
        lfsr.clock();
        Self { pieces, state, generator: Generator { lfsr, spawn_id: Orientation(0), spawn_count: 0 } }
    }
}

impl Iterator for Dealer {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        self.state = splitmix64(self.state);
        match self.pieces {
            Pieces::Uniform => Some(Piece::ALL[((u128::from(self.state) * 7) >> 64) as usize]),
            Pieces::Nes => {
                for _ in 0..16 + (self.state >> 58) {
                    self.generator.lfsr.clock();
                }
                self.generator.pick().piece()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
}
