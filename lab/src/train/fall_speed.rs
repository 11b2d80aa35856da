//! [`FallSpeed`]: the speeds of fall that can have all tables for themselves, and the schedule for training these.

use maxout_engine::limits::{Reaction, TapTable};
use maxout_rules::FallRule;

/// The schedule, with capitals where values are filled in.
const ALONE: &str = include_str!("alone.toml");
/// The same for blind play up to level 28: each piece is placed before the next one is seen.
const BLIND: &str = include_str!("blind.toml");

/// A speed of fall that can have all tables for itself at one tap speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum FallSpeed {
    /// Levels up to 18, where a piece falls a row in three frames or more.
    Early,
    /// Levels 19 to 28; at 30 Hz only with a reaction delay.
    Plateau,
    /// Levels from 29 on, where a piece falls a row a frame.
    Killscreen,
    /// The double killscreen: levels from 39 on, where it falls two.
    DoubleKillscreen,
}

impl FallSpeed {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Early => "early",
            Self::Plateau => "plateau",
            Self::Killscreen => "killscreen",
            Self::DoubleKillscreen => "double-killscreen",
        }
    }

    /// The schedule of its tables for these taps and this reaction delay.
    pub fn schedule(self, taps: TapTable, reaction: Reaction) -> String {
        let double = self == Self::DoubleKillscreen;
        let level = match self {
            Self::Early => 18,
            Self::Plateau => 19,
            Self::Killscreen => 29,
            Self::DoubleKillscreen => 39,
        };
        let blind = !reaction.ends_before_lock(level, FallRule::with_double_killscreen(double));
        // In competitions a game has at most 100 lines at each of the last two speeds. Where these bring few points, surviving is worth less.
        let death = match self {
            Self::Killscreen if blind && [TapTable::HZ_20, TapTable::HZ_15].contains(&taps) => "-3.0",
            Self::Early | Self::Plateau | Self::Killscreen => "-10.0",
            Self::DoubleKillscreen if blind && taps == TapTable::SLOW_5 => "-2.0",
            Self::DoubleKillscreen if taps == TapTable::HZ_30 => "-3.0",
            Self::DoubleKillscreen => "-5.0",
        };
        // Blind play tries all seven pieces after each candidate, so it affords fewer of them.
        let candidates = if blind { 2 } else { 3 };
        let values = [
            ("NAME", self.name()),
            ("LEVEL", &level.to_string()),
            ("CANDIDATES", &candidates.to_string()),
            ("DEATH", death),
            ("ALL_NEXT", &(!blind).to_string()),
            ("REACTION", &reaction.typed()),
            ("TAPS", &taps.to_string()),
            ("DOUBLE", &double.to_string()),
        ];
        let text = if blind && level < 29 { BLIND } else { ALONE };
        values.iter().fold(text.to_owned(), |text, (key, value)| text.replace(key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::schedule::Schedule;

    #[test]
    fn one_speed_of_fall_has_a_schedule_at_each_tap_speed() {
        use FallSpeed::{DoubleKillscreen, Early, Killscreen, Plateau};
        for taps in ["30hz", "20hz", "15hz", "12hz", "10hz", "slow5", "0,2,5"] {
            let taps: TapTable = taps.parse().expect("taps");
            for (speed, level) in [(Early, 18), (Plateau, 19), (Killscreen, 29), (DoubleKillscreen, 39)] {
                for reaction in [Reaction::NONE, Reaction::Frames(24), Reaction::NextPiece] {
                    let parsed = Schedule::parse(&speed.schedule(taps, reaction));
                    if (taps, speed, reaction) == (TapTable::HZ_30, Plateau, Reaction::NONE) {
                        let error = parsed.expect_err("the shipped weights are for these").to_string();
                        assert!(error.contains("level = 19: expected up to 18 or from 29 on"), "{error}");
                        continue;
                    }
                    let schedule = parsed.expect("whole");
                    let is_blind =
                        reaction == Reaction::NextPiece || level >= 29 && reaction != Reaction::NONE;
                    assert!(
                        schedule.shipped && schedule.alone && schedule.plateau == (is_blind && level < 29)
                    );
                    assert_eq!(schedule.chunks(), if schedule.plateau { 5 } else { 33 });
                    for stage in &schedule.stage {
                        let rules = stage.rules(&schedule);
                        assert_eq!((rules.level, rules.speed(), rules.is_blind()), (level, 0, is_blind));
                        assert_eq!((stage.taps, stage.double_killscreen), (Some(taps), level == 39));
                        assert_eq!((rules.all_next, rules.limits.reaction), (!is_blind, reaction));
                    }
                    assert!(schedule.stage[1].settle);
                }
            }
        }
        let killscreen = Killscreen.schedule(TapTable::SLOW_5, Reaction::NextPiece);
        for (from, to, culprit) in [
            ("alone = true", "alone = false", "reaction"),
            ("shipped = true", "shipped = false", "alone = true"),
            ("level = 29", "level = 138", "level = 138"),
            ("by_height = true", "by_height = false", "by_height = false"),
            ("death = -10.0", "death = -65.0", "death = -65.0"),
            ("\"none-after-spawn\"", "\"soon\"", "\"soon\""),
            (
                "patience = 20.0\ntaps = \"slow5\"\ndouble_killscreen = false\n\n",
                "taps = \"12hz\"\n\n",
                "first stage",
            ),
        ] {
            let error = Schedule::parse(&killscreen.replace(from, to)).map(|_| ()).map_err(|e| e.to_string());
            let error = error.expect_err(culprit);
            assert!(error.contains(culprit) && error.contains("expected"), "{error}");
        }
    }
}
