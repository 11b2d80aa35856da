//! A piece in the air: [`Start`].

use super::masks::Set;
use maxout_rules::input::Buttons;
use maxout_rules::{DAS_FULL, FallRule, Orientation, Piece, Region};

/// A piece in the air, at a frame boundary in control or just before it spawns, gravity running and the soft drop not in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Start {
    /// Column of the centre.
    pub x: u8,
    /// Row of the centre.
    pub y: u8,
    /// Its orientation.
    pub orientation: Orientation,
    /// Frames since the last drop.
    pub fall_timer: u8,
    /// Level, for gravity.
    pub level: u8,
    /// Buttons held in the last frame; they cannot be pressed anew in the next.
    pub held: Buttons,
    /// Frames of this piece's presses so far: bit n is a press n + 1 frames ago. Tap tables look at them, and so does
    /// the limit of one press a row.
    #[serde(default)]
    pub pressed: u64,
    /// The number of frames of control that the player has had of this piece: 0 unless it decides again about the same piece. A
    /// reaction delay is a number of these frames, and a timeline of presses counts them, too.
    #[serde(default)]
    pub elapsed: u32,
    /// The state of the soft drop (RAM 6E). Move generation takes it as 0, except [`Flight`](super::timed::Flight).
    #[serde(default)]
    pub autorepeat_y: u8,
    /// Counter of the delayed auto-shift (RAM 66), which matters where directions are held
    /// ([`Presses::Das`](crate::limits::Presses::Das)). On PAL 4 more than that, so that 16 shifts there, too
    /// ([`Start::das_of`]).
    #[serde(default)]
    pub das: u8,
    /// Whether the piece has not spawned yet. Whoever holds directions may then hold one from before its first frame, where it is no
    /// new press.
    #[serde(default)]
    pub entering: bool,
    /// How fast pieces fall, and with it the version of the game.
    #[serde(default)]
    pub fall_rule: FallRule,
}

impl Start {
    /// The least counter of the delayed auto-shift with which a direction that has been held since the entry delay shifts a piece in its first
    /// frame. Pieces are assumed to spawn with it as long as nothing is known of them.
    pub const CHARGED: u8 = DAS_FULL - 1;

    /// `piece` as it spawns, the buttons released. Where directions are held, the entry delay is not over, and the auto-shift is
    /// [charged](Start::CHARGED).
    pub const fn spawn(piece: Piece, level: u8) -> Self {
        Self {
            x: 5,
            y: 0,
            orientation: piece.spawn(),
            fall_timer: 0,
            level,
            held: Buttons::NONE,
            pressed: 0,
            elapsed: 0,
            autorepeat_y: 0,
            das: Self::CHARGED,
            entering: true,
            fall_rule: FallRule::Ntsc,
        }
    }

    /// The same piece by this rule of falling.
    pub const fn by(self, fall_rule: FallRule) -> Self {
        Self { fall_rule, ..self }
    }

    /// Returns [`Start::das`] for a counter of the game (RAM 66).
    pub const fn das_of(region: Region, counter: u8) -> u8 {
        counter.saturating_add(DAS_FULL - region.das_full())
    }

    /// The frames that the piece takes to fall one row.
    pub const fn gravity(&self) -> u8 {
        self.fall_rule.gravity(self.level)
    }

    /// Frames of control in row `y`, if the piece gets there without a soft drop.
    pub(super) fn frames_in_row(self, y: u8) -> u32 {
        if y == self.y {
            return self.frames_in_first_row();
        }
        // A drop of two rows passes every other row within a frame.
        let passes = self.fall_rule.rows_per_drop(self.level) == 2 && (y - self.y) % 2 == 1;
        if passes { 0 } else { u32::from(self.gravity()) }
    }

    /// Whether a press of this piece was already made in row `y`.
    pub(super) fn has_pressed_in_row(&self, y: u8) -> bool {
        let frames = u32::from(self.fall_timer);
        y == self.y && self.pressed & 1u64.checked_shl(frames).map_or(u64::MAX, |bit| bit - 1) != 0
    }

    /// Frames of control before the first drop, at least 1 (the-game.md 3.3: a signed byte comparison).
    pub(super) fn frames_in_first_row(self) -> u32 {
        let left = self.gravity().wrapping_sub(self.fall_timer) as i8;
        u32::from(left.max(1) as u8)
    }
}

/// Positions in which the piece has landed, by row.
pub(super) type Landed = [Set; 20];
