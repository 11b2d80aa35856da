//! Classes of placements by what they lose.

use maxout_rules::line_points;

/// The largest loss of each class but the last, as a share of what a tetris pays on the level of play: Best, Excellent,
/// Good, Inaccuracy, Mistake.
pub const BOUNDS: [f32; 5] = [0.01, 0.05, 0.15, 0.35, 0.75];

/// How good a placement is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveClass {
    /// It loses nothing worth mentioning.
    Best,
    /// It loses little.
    Excellent,
    /// It loses a little more.
    Good,
    /// It loses noticeably.
    Inaccuracy,
    /// It loses a good part of a tetris.
    Mistake,
    /// It loses most of a tetris or more.
    Blunder,
    /// It loses no more than a good placement does, and it takes faster presses than were stated.
    Rapid,
}

impl MoveClass {
    /// All classes, in order.
    pub const ALL: [Self; 7] = [
        Self::Best,
        Self::Excellent,
        Self::Good,
        Self::Inaccuracy,
        Self::Mistake,
        Self::Blunder,
        Self::Rapid,
    ];

    /// Returns the class of a loss in points on a level.
    pub fn of(loss: f32, level: u8) -> Self {
        let share = loss / tetris(level);
        let class = BOUNDS.iter().position(|&bound| share <= bound).unwrap_or(BOUNDS.len());
        Self::ALL[class]
    }

    /// Returns the name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "Best",
            Self::Excellent => "Excellent",
            Self::Good => "Good",
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
            Self::Rapid => "Rapid",
        }
    }
}

/// Returns the most points that a placement on a level may lose without being a blunder.
pub fn blunder(level: u8) -> f32 {
    BOUNDS[BOUNDS.len() - 1] * tetris(level)
}

/// Returns what a tetris pays on a level: the unit in which losses are compared.
pub fn tetris(level: u8) -> f32 {
    line_points(4, level) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_a_share_of_a_tetris() {
        assert_eq!(MoveClass::of(0.0, 19), MoveClass::Best);
        assert_eq!(MoveClass::of(240.0, 19), MoveClass::Best);
        assert_eq!(MoveClass::of(300.0, 19), MoveClass::Excellent);
        assert_eq!(MoveClass::of(24_000.0, 19), MoveClass::Blunder);
        assert_eq!(MoveClass::of(300.0, 0), MoveClass::Inaccuracy);
    }
}
