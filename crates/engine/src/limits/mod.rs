//! Input limits: which buttons a player may press when ([`Limits`]).
//!
//! Move generation, searches, training and the player registry take limits as a value, and the shipped tables are chosen
//! by them. This module depends on nothing but the rules' numbers.

mod das;
mod pal;
mod table;

use std::fmt;
use std::str::FromStr;

use maxout_rules::{FallRule, Region, gravity};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use das::{Das, ParsePressesError};
pub use pal::PalRate;
pub use table::{ParseTapTableError, TapTable};

/// Rows that a piece falls on an ordinary board, for [`Limits::sight`].
const ROWS_TO_FALL: i32 = 14;
/// The next piece is seen late if the delay ends this many frames after the last one in which a piece can set out for the left wall.
/// Tuned, like the next one, on games of `maxout-fast`: lab/notebook/human-limits.md.
const LATE: i32 = 5;
/// From this many frames on it is seen too late.
const TOO_LATE: i32 = 15;
/// How [`Reaction::NextPiece`] is typed.
const NONE_AFTER_SPAWN: &str = "none-after-spawn";

/// Input limits: when buttons may be pressed, and how long it takes until the player knows the next piece.
///
/// ```
/// use maxout_engine::limits::{Limits, Reaction, TapTable};
/// let hands = Limits::taps(TapTable::HZ_12).with_reaction(Reaction::Frames(18));
/// assert_eq!(hands.to_string(), "taps 12hz, reaction delay of 18 frames");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Limits {
    /// When buttons may be pressed.
    pub presses: Presses,
    /// How long the next piece stays unknown to the player after it appears, which is when a piece spawns.
    pub reaction: Reaction,
}

/// When buttons may be pressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Presses {
    /// Each button by itself, at most every second frame; a shift and a rotation may share a frame.
    EachButton,
    /// The presses of M. Birken's bot of 2018: one button, in the first frame of a row, never in two consecutive
    /// frames.
    OnePerRow,
    /// The presses of M. Birken's bot of 2014, which searches controller states: each button for one frame, at most
    /// every second frame, and no shift together with Down. Move generation for these presses is
    /// [`crate::movegen::tapped`].
    ControllerStates,
    /// Shifts and rotations are as far apart as this table says.
    Table(TapTable),
    /// The same at a steady rate, and directions may be held.
    Das(Das),
    /// A rate that only the PAL version has. [`Limits::in_region`] turns it into one of the two above.
    Pal(PalRate),
}

impl Presses {
    /// Returns the name of presses that count frames of this region ([`Limits::in_region`]), true in hertz: every fourth frame is `15hz`, and `12.5hz`
    /// on PAL. `--taps` takes it, for games of this region.
    ///
    /// ```
    /// use maxout_engine::limits::{Limits, Presses};
    /// use maxout_rules::Region;
    /// let name = |presses| Limits::new(presses).in_region(Region::Pal).presses.name(Region::Pal);
    /// assert_eq!(["12hz", "slow5"].map(|taps| name(taps.parse().unwrap())), ["12hz", "slow5"]);
    /// // No button counts more often than every second frame.
    /// assert_eq!(name(Presses::EachButton), "25hz");
    /// ```
    pub fn name(self, region: Region) -> String {
        match self {
            Self::Table(table) => table.name(region),
            Self::Das(das) => das.name(region),
            Self::EachButton | Self::ControllerStates => TapTable::HZ_30.name(region),
            Self::OnePerRow => self.to_string(),
            Self::Pal(rate) => rate.to_string(),
        }
    }

    /// Whether only games of the PAL version can be played so.
    pub const fn only_on_pal(self) -> bool {
        matches!(self, Self::Pal(_))
    }

    /// The least number of frames from a shift in the piece's first frame to the `shifts`-th shift after it; where directions are held, by
    /// tapping alone or by holding alone.
    pub(crate) fn least_from_spawn(self, shifts: u8) -> u8 {
        match self {
            Self::Table(table) => table.least_from_spawn(usize::from(shifts)),
            Self::Das(das) => das.least(shifts),
            Self::Pal(rate) => rate.presses().least_from_spawn(shifts),
            _ => TapTable::HZ_30.least_from_spawn(usize::from(shifts)),
        }
    }
}

/// How long the next piece is unknown to the player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Reaction {
    /// For this number of frames of the piece in play; 0 means that both pieces are known from the first frame on.
    Frames(u8),
    /// As long as the piece in play falls: the next piece is not used until it is in play itself.
    NextPiece,
}

/// When the player sees the next piece, relative to the decision about the piece before it ([`Limits::sight`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sight {
    /// Before the decision.
    InTime,
    /// When about half of the decision is made.
    Late,
    /// Only after the decision.
    TooLate,
}

impl Sight {
    /// The share of a decision that is made without knowing the next piece, from 0 to 1.
    pub const fn blind_share(self) -> f32 {
        match self {
            Self::InTime => 0.0,
            Self::Late => 0.5,
            Self::TooLate => 1.0,
        }
    }
}

impl Limits {
    /// Everything that the game accepts from a controller: each button at most every second frame.
    pub const EACH_BUTTON: Self = Self::new(Presses::EachButton);
    /// The limits of M. Birken's bot of 2018.
    pub const ONE_PER_ROW: Self = Self::new(Presses::OnePerRow);
    /// The limits of M. Birken's bot of 2014.
    pub const CONTROLLER_STATES: Self = Self::new(Presses::ControllerStates);

    /// These presses, without a reaction delay.
    pub const fn new(presses: Presses) -> Self {
        Self { presses, reaction: Reaction::NONE }
    }

    /// The presses of a tap table, without a reaction delay.
    pub const fn taps(table: TapTable) -> Self {
        Self::new(Presses::Table(table))
    }

    /// Whether the presses are slower than at 30 Hz: those of another tap table or, where directions may be held, further apart.
    pub fn is_slower_than_30_hz(self) -> bool {
        match self.presses {
            Presses::Table(table) => table != TapTable::HZ_30,
            Presses::Das(das) => Some(das.frames()) != TapTable::HZ_30.every(),
            // In PAL frames; none of these rates is as fast.
            Presses::Pal(_) => true,
            _ => false,
        }
    }

    /// Whether levels 19 to 28 are played by the [network of the plateau](crate::eval::ntuple::NetworkOf::with_plateau): it learned at
    /// 30 Hz and without a reaction delay.
    pub fn have_plateau(self) -> bool {
        self.reaction == Reaction::NONE && !self.is_slower_than_30_hz()
    }

    /// Returns how many rows a piece that falls `rows` rows a frame has fallen before a fourth shift may begin, if the
    /// first one begins when it spawns. The left wall is five shifts away, the right wall four.
    pub(crate) fn rows_before_fourth_shift(self, rows: u8) -> u8 {
        self.presses.least_from_spawn(3).saturating_mul(rows)
    }

    /// Returns when the next piece is seen, relative to the decision about a piece that falls at `level`. Searches assume this for later
    /// pieces, and the embedded tables are chosen by it.
    ///
    /// With [`Reaction::NextPiece`], or if the piece locks first ([`Reaction::ends_before_lock`]), it is seen too late. Otherwise, from
    /// level 29 on, it is seen in time. Up to level 28, the time to reach the left wall decides, from the first shift to the fifth: a
    /// piece with 14 rows to fall can wait until some frame and still get there. If the delay ends 5 to 14 frames after that
    /// frame, the next piece is seen late; 15 or more, too late; otherwise in time.
    pub fn sight(self, level: u8, fall_rule: FallRule) -> Sight {
        let Reaction::Frames(frames) = self.reaction else { return Sight::TooLate };
        if !self.reaction.ends_before_lock(level, fall_rule) {
            return Sight::TooLate;
        }
        let level = fall_rule.ntsc_level(level);
        if frames == 0 || level >= 29 {
            return Sight::InTime;
        }
        let way = match self.presses {
            // Whoever waits is not yet holding a direction.
            Presses::Das(das) => das.least_from_press(4),
            Presses::Pal(rate) => return Self { presses: rate.presses(), ..self }.sight(level, fall_rule),
            presses => presses.least_from_spawn(4),
        };
        match i32::from(frames) + i32::from(way) - ROWS_TO_FALL * i32::from(gravity(level)) {
            ..LATE => Sight::InTime,
            LATE..TOO_LATE => Sight::Late,
            TOO_LATE.. => Sight::TooLate,
        }
    }

    /// Returns these limits in the version of this region. Tap speeds are given in NTSC frames; on PAL they keep their presses a
    /// second, up to 25: a button must be up for a frame before it counts again. A reaction delay stays a number of frames.
    #[must_use]
    pub fn in_region(self, region: Region) -> Self {
        let presses = match (region, self.presses) {
            (Region::Pal, Presses::Table(table)) => Presses::Table(table.on_pal()),
            (Region::Pal, Presses::Das(das)) => Presses::Das(das.on_pal()),
            (Region::Pal, Presses::Pal(rate)) => rate.presses(),
            (_, presses) => presses,
        };
        Self { presses, ..self }
    }

    /// The same presses with this reaction delay.
    pub const fn with_reaction(self, reaction: Reaction) -> Self {
        Self { reaction, ..self }
    }
}

impl Reaction {
    /// Both pieces are known from the first frame on.
    pub const NONE: Self = Self::Frames(0);

    /// Whether the next piece is seen before a piece that falls at `level` locks. From level 29 on (the killscreen) a piece falls
    /// one row a frame and locks too early for delays of 15 frames or more. At the double killscreen (from level 39 on) it falls
    /// two, and locks too early for 8 or more.
    pub const fn ends_before_lock(self, level: u8, fall_rule: FallRule) -> bool {
        match self {
            Self::NextPiece => false,
            Self::Frames(frames) => match fall_rule.ntsc_level(level) {
                level if fall_rule.rows_per_drop(level) == 2 => frames < 8,
                29.. => frames < 15,
                _ => true,
            },
        }
    }

    /// Returns it as it is typed, and as [`Reaction::from_str`] reads it: `18`, `none-after-spawn`.
    pub fn typed(self) -> String {
        match self {
            Self::Frames(frames) => frames.to_string(),
            Self::NextPiece => NONE_AFTER_SPAWN.to_owned(),
        }
    }
}

impl Default for Reaction {
    fn default() -> Self {
        Self::NONE
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.presses, self.reaction)
    }
}

impl fmt::Display for Presses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EachButton => {
                f.write_str("30 Hz: each button at most every second frame, shift and rotation may share one")
            }
            Self::OnePerRow => {
                f.write_str("one button per row, in its first frame, never in two consecutive frames")
            }
            Self::ControllerStates => {
                f.write_str("each button for one frame, at most every second, no shift with Down")
            }
            Self::Table(table) => write!(f, "taps {table}"),
            Self::Das(das) => write!(f, "taps {das}"),
            Self::Pal(rate) => write!(f, "taps {rate}"),
        }
    }
}

impl fmt::Display for Reaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frames(0) => f.write_str("no reaction delay"),
            Self::Frames(1) => f.write_str("reaction delay of 1 frame"),
            Self::Frames(frames) => write!(f, "reaction delay of {frames} frames"),
            Self::NextPiece => f.write_str("the new next piece unknown while a piece falls"),
        }
    }
}

/// The error that a text is no reaction delay.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0:?}: expected frames from 0 to 255, or none-after-spawn")]
pub struct ParseReactionError(String);

impl FromStr for Reaction {
    type Err = ParseReactionError;

    /// Reads a number of frames, such as `18`, or `none-after-spawn`.
    fn from_str(text: &str) -> Result<Self, ParseReactionError> {
        match text {
            NONE_AFTER_SPAWN => Ok(Self::NextPiece),
            frames => frames.parse().map(Self::Frames).map_err(|_| ParseReactionError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_say_what_hands_and_eyes_may_do() {
        let text = Limits::EACH_BUTTON.to_string();
        assert!(text.starts_with("30 Hz: ") && text.ends_with(", no reaction delay"), "{text}");
        let slow = Limits::taps(TapTable::SLOW_5).with_reaction(Reaction::NextPiece).to_string();
        assert_eq!(slow, "taps slow5, the new next piece unknown while a piece falls");
    }

    /// Hertz are presses in ten seconds of 500 frames on PAL, to the nearest tenth: counted, not looked up.
    #[test]
    fn presses_have_a_name_that_is_true_in_their_region() {
        let on_pal = |text: &str| {
            let presses = text.parse().expect(text);
            Limits::new(presses).in_region(Region::Pal).presses
        };
        for (typed, name) in [
            ("30hz", "25hz"),
            ("24hz", "25hz"),
            ("20hz", "20hz"),
            ("15hz", "15hz"),
            ("12hz", "12hz"),
            ("10hz", "10hz"),
            ("6hz", "6hz"),
            ("2hz", "2hz"),
        ] {
            let presses = on_pal(typed);
            assert_eq!(presses.name(Region::Pal), name, "{typed}");
            let Presses::Table(table) = presses else { panic!("{typed}: no table") };
            let (mut history, mut pressed) = (0u64, 0_u32);
            for frame in 0..500 {
                let press = table.allows(history, frame);
                pressed += u32::from(press);
                history = history << 1 | u64::from(press);
            }
            let hertz: u32 = name.trim_end_matches("hz").parse().expect("a number");
            assert!(pressed.abs_diff(10 * hertz) <= 5, "{typed}: {pressed} presses in ten seconds");
        }
        // What only PAL has, and what is no rate.
        for (frames, name) in [(3, "16.7hz"), (4, "12.5hz"), (6, "8.3hz")] {
            let presses = Presses::Table(TapTable::evenly(frames));
            assert_eq!(presses.name(Region::Pal), name);
            assert_ne!(presses.name(Region::Ntsc), name);
        }
        for (typed, name) in [
            ("slow5", "slow5"),
            // Five sixths of 0, 7, 20, 27, 40, 47, 60.
            ("0,7,20", "0,5,16,22,33,39,50 (50 frames a second)"),
            ("das", "das"),
            ("12hz+das", "12.5hz+das"),
            ("10hz+das", "10hz+das"),
        ] {
            assert_eq!(on_pal(typed).name(Region::Pal), name, "{typed}");
            assert_eq!(typed.parse::<Presses>().expect(typed).name(Region::Ntsc), typed);
        }
        let both = [Region::Ntsc, Region::Pal].map(|region| Presses::EachButton.name(region));
        assert_eq!(both, ["30hz", "25hz"]);
    }

    #[test]
    fn the_next_piece_is_late_if_the_delay_leaves_no_time_to_reach_the_left_wall() {
        let sights = |taps, frames| {
            let limits = Limits::taps(taps).with_reaction(Reaction::Frames(frames));
            [limits.sight(18, FallRule::DoubleKillscreen), limits.sight(19, FallRule::DoubleKillscreen)]
        };
        let (in_time, late, too_late) = (Sight::InTime, Sight::Late, Sight::TooLate);
        for (taps, frames, expected) in [
            (TapTable::HZ_30, 24, [in_time, in_time]),
            (TapTable::HZ_30, 30, [in_time, late]),
            (TapTable::HZ_24, 24, [in_time, late]),
            (TapTable::HZ_20, 18, [in_time, in_time]),
            (TapTable::HZ_20, 21, [in_time, late]),
            (TapTable::HZ_15, 30, [in_time, too_late]),
            (TapTable::HZ_12, 30, [late, too_late]),
            (TapTable::HZ_10, 24, [late, too_late]),
            (TapTable::SLOW_5, 24, [in_time, late]),
        ] {
            assert_eq!(sights(taps, frames), expected, "{taps} {frames}");
        }
        let both = Limits::EACH_BUTTON.with_reaction(Reaction::Frames(14));
        assert_eq!([29, 39].map(|level| both.sight(level, FallRule::DoubleKillscreen)), [in_time, too_late]);
        let never = Limits::EACH_BUTTON.with_reaction(Reaction::NextPiece);
        assert_eq!(
            (never.sight(0, FallRule::Ntsc), Limits::EACH_BUTTON.sight(39, FallRule::DoubleKillscreen)),
            (too_late, in_time)
        );
    }

    #[test]
    fn a_reaction_delay_is_read_in_frames() {
        assert_eq!("0".parse(), Ok(Reaction::NONE));
        assert_eq!("18".parse(), Ok(Reaction::Frames(18)));
        assert_eq!("none-after-spawn".parse(), Ok(Reaction::NextPiece));
        for typed in ["0", "18", "255", "none-after-spawn"] {
            assert_eq!(typed.parse::<Reaction>().map(Reaction::typed).as_deref(), Ok(typed));
        }
        for bad in ["", "-1", "256", "18 frames", "never"] {
            assert!(bad.parse::<Reaction>().is_err(), "{bad}");
        }
    }
}
