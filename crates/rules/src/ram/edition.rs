//! [`Edition`]: the original game, or the practice edition that people train on.

use super::MAP;

/// Which edition of the game a cartridge holds. What differs between the two is asked of the edition
/// (docs/how-it-works/the-game.md 9.3); all other rules are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum Edition {
    /// The game as it was sold.
    #[default]
    Original,
    /// A practice cartridge such as TetrisGYM: other RAM map, no score cap, any start level, seeds.
    Practice,
}

impl Edition {
    /// Returns where this edition keeps the byte that the original keeps at `address`.
    #[must_use]
    pub const fn address(self, address: u16) -> u16 {
        if matches!(self, Self::Original) {
            return address;
        }
        let mut index = 0;
        while index < MAP.len() {
            let variable = MAP[index];
            if address >= variable.first && address <= variable.last() {
                return variable.practice + (address - variable.first);
            }
            index += 1;
        }
        address
    }

    /// Whether the score stops at 999,999.
    #[must_use]
    pub const fn has_score_cap(self) -> bool {
        matches!(self, Self::Original)
    }

    /// Returns the highest level that a game can start on.
    #[must_use]
    pub const fn last_start_level(self) -> u8 {
        match self {
            Self::Original => 19,
            Self::Practice => u8::MAX,
        }
    }
}
