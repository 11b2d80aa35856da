//! The piece generator: a 16-bit shift register and the rule that picks from it (the-game.md 4).

use super::piece::{Piece, PieceId};
use serde::{Deserialize, Serialize};

/// The generator's shift register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lfsr(pub u16);

impl Lfsr {
    /// The value after power-on and reset.
    pub const POWER_ON: Self = Self(0x8988);
    /// The number of states through which it goes, again and again.
    pub(crate) const PERIOD: u32 = 32_767;

    /// Clocks the register once: bit 1 of both bytes, xored, enters at the top.
    #[inline]
    pub const fn clock(&mut self) {
        let bit = (self.0 >> 9 ^ self.0 >> 1) & 1;
        self.0 = self.0 >> 1 | bit << 15;
    }

    /// Returns the byte that the rules look at.
    #[inline]
    pub const fn high(self) -> u8 {
        (self.0 >> 8) as u8
    }
}

/// Everything that a pick depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Generator {
    /// The shift register, clocked once per frame by the NMI.
    pub lfsr: Lfsr,
    /// The orientation that was picked last; 0 at the start of a game.
    pub spawn_id: PieceId,
    /// The number of picks since the reset, modulo 256.
    pub spawn_count: u8,
}

impl Generator {
    /// Picks the next piece (the-game.md 4.2).
    #[inline]
    pub fn pick(&mut self) -> PieceId {
        self.spawn_count = self.spawn_count.wrapping_add(1);
        let first = usize::from(self.lfsr.high().wrapping_add(self.spawn_count) & 7);
        let spawn = |i: usize| PieceId::from(Piece::ALL[i]);
        let id = if first != 7 && spawn(first) != self.spawn_id {
            spawn(first)
        } else {
            self.lfsr.clock();
            spawn(usize::from((self.lfsr.high() & 7).wrapping_add(self.spawn_id.0) % 7))
        };
        self.spawn_id = id;
        id
    }

    /// Returns the generator of a seeded game on our practice test cartridge: the seed's first two bytes are the
    /// register, the third is the count.
    pub const fn seeded(seed: u32) -> Self {
        let [_, high, low, count] = seed.to_be_bytes();
        let register = u16::from_be_bytes([high, low]);
        // From 0 and 1 the register would run empty.
        let lfsr = if register < 2 { Lfsr::POWER_ON } else { Lfsr(register) };
        Self { lfsr, spawn_id: PieceId(0), spawn_count: count }
    }

    /// Picks the next piece of a seeded game: the register is clocked 16 times a pick, and not by frames.
    pub fn pick_seeded(&mut self) -> PieceId {
        for _ in 0..16 {
            self.lfsr.clock();
        }
        self.pick()
    }
}
