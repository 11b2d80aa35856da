//! [`Learned`]: the lists of tables that a training can learn, with what each begins with and which files it ends with.

use maxout_rules::FallRule;
use std::io;

use super::schedule::{Schedule, TrainingStage};
use super::td::Tables;
use crate::weights_file;
use maxout_engine::eval::ntuple::{LANES, NetworkOf, Ntuple59, Ntuple90, TableList, speed};
use maxout_engine::eval::weights;
use maxout_engine::limits::Presses;

/// The files that a training ends with, by name.
pub(super) type Ends = Vec<(&'static str, io::Result<Vec<u8>>)>;

/// A list of tables that a training can learn.
pub(super) trait Learned: TableList {
    /// What a training begins with.
    fn begin(schedule: &Schedule) -> Tables<Self>;

    /// The files of what was learned; `how` says in one line how.
    fn files(network: NetworkOf<Self>, schedule: &Schedule, how: &str) -> Ends;
}

impl Learned for Ntuple59 {
    /// The shipped weights or nothing. Speeds that the shipped weights have no tables for know nothing.
    fn begin(schedule: &Schedule) -> Tables<Self> {
        if schedule.alone {
            let stage = &schedule.stage[0];
            let own = shipped_tables(stage.limits().presses, stage.level, stage.fall_rule());
            Tables::of(own.into_iter(), Tables::<Self>::HOPE)
        } else if schedule.shipped {
            Tables::of(weights::base().weights(), Tables::<Self>::HOPE)
        } else {
            Tables::new()
        }
    }

    fn files(network: NetworkOf<Self>, schedule: &Schedule, how: &str) -> Ends {
        let mut files = Vec::new();
        if schedule.alone {
            let at = alone_at(&schedule.stage[0]);
            return vec![("speed.bin", weights_file::encode_speed(&network, &weights::base(), at, how))];
        }
        if schedule.shipped {
            let network = network.clone().with_deaths(schedule.deaths());
            files.push(("taps.bin", weights_file::encode_taps(&network, &weights::base(), how)));
        }
        files.push(("weights.bin", weights_file::encode(&network, how)));
        files
    }
}

/// The speed that tables for one speed of fall alone are for, and what a lost game is worth there.
fn alone_at(stage: &TrainingStage) -> (usize, f32) {
    // At 30 Hz too: the first speed's tables are the shipped ones, and stay. A network that also has tables of levels 19 to 28 for
    // slow taps plays these levels by them.
    (speed(stage.level, stage.fall_rule(), true), stage.death)
}

/// The shipped tables for one speed of fall and one tap speed, as those of the first speed: the weights, entry by entry.
fn shipped_tables(presses: Presses, level: u8, fall_rule: FallRule) -> Vec<f32> {
    let network = weights::embedded_taps_for(presses);
    let mut weights: Vec<f32> = network.weights().collect();
    let at = network.speed(level, fall_rule);
    // The first speed's tables stand there already.
    if at > 0 {
        let mut from = Ntuple59::entries_of(at);
        Ntuple59::spread_to(1, |to, _| {
            weights.copy_within(from * LANES..(from + 1) * LANES, to * LANES);
            from += 1;
        });
    }
    weights.truncate(Ntuple59::COMMON * LANES);
    weights
}

impl Learned for Ntuple90 {
    /// The shipped weights of the first speed. The tables that they lack say nothing.
    ///
    /// For one speed of fall alone: the shipped tables for it and for these taps, plus a difference. In blind play this is the blind tables
    /// for levels up to 18 at 30 Hz minus the seen ones. For those blind tables themselves, and in seen play, it is the network for levels 19
    /// to 28 minus the shipped weights for these levels.
    fn begin(schedule: &Schedule) -> Tables<Self> {
        if schedule.alone {
            let stage = &schedule.stage[0];
            let own = shipped_tables(stage.limits().presses, stage.level, stage.fall_rule());
            let is_first = stage.level <= 18 && !stage.limits().is_slower_than_30_hz();
            let (network, level) = if stage.rules(schedule).is_blind() && !is_first {
                (weights::blind_early(), 18)
            } else {
                (weights::plateau(), 19)
            };
            let base = shipped_tables(Presses::EachButton, level, FallRule::Ntsc);
            let mut weights: Vec<f32> = network.expect("the embedded networks are whole").weights().collect();
            for ((weight, own), base) in weights.iter_mut().zip(own).zip(base) {
                *weight += own - base;
            }
            return Tables::of(weights.into_iter(), 0.0);
        }
        Tables::of(weights::base().weights().take(Ntuple59::COMMON * LANES), 0.0)
    }

    fn files(network: NetworkOf<Self>, schedule: &Schedule, how: &str) -> Ends {
        if schedule.alone {
            let base = weights::plateau().expect("the embedded network is whole");
            let at = alone_at(&schedule.stage[0]);
            return vec![("speed.bin", weights_file::encode_speed(&network, &base, at, how))];
        }
        let network = network.with_deaths(schedule.deaths());
        let file = weights_file::encode_plateau(&network, &weights::base(), &weights::embedded_file(), how);
        vec![("weights.bin", file)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Xorshift64Star;
    use crate::train::fall_speed::FallSpeed;
    use crate::train::schedule::PLATEAU;
    use maxout_engine::eval::Shape;
    use maxout_engine::eval::ntuple::Network;
    use maxout_engine::limits::{Limits, Reaction, TapTable};
    use maxout_rules::{Board, FallRule, Piece};

    #[test]
    fn one_speed_of_fall_begins_with_the_values_that_the_program_has_for_it() {
        use FallSpeed::{Early, Killscreen, Plateau};
        // The last but one has no tables of its own: it begins with those of the nearest tap speed.
        for (speed, taps, reaction) in [
            (Killscreen, "slow5", "0"),
            (Early, "12hz", "24"),
            (Plateau, "0,2,5", "0"),
            (Plateau, "30hz", "24"),
        ] {
            let text = speed.schedule(taps.parse().expect("taps"), reaction.parse().expect("a delay"));
            let schedule = Schedule::parse(&text).expect("whole");
            let stage = &schedule.stage[0];
            let network = weights::embedded_taps_for(stage.limits().presses);
            let tables = Ntuple59::begin(&schedule);
            let shape = Shape::of(&"##.#######\n#########.\n".parse::<Board>().expect("a board"));
            let values = network.values_at(&shape, network.speed(stage.level, FallRule::Ntsc));
            for piece in Piece::ALL {
                let value = tables.value(Ntuple59::indices(&shape, true, 0).as_ref(), piece);
                assert_eq!(value.to_bits(), values[piece as usize].to_bits(), "{taps} {piece}");
            }
        }
    }

    #[test]
    fn blind_tables_begin_as_the_shipped_ones_and_what_blindness_changes_at_30_hz() {
        use FallSpeed::{Early, Plateau};
        let shape = Shape::of(&"##.#######\n#########.\n".parse::<Board>().expect("a board"));
        let values = |network: &Network, level| network.values(&shape, level);
        let at_30_hz = weights::embedded_common();
        let blind = weights::embedded_for(Limits::EACH_BUTTON.with_reaction(Reaction::NextPiece));
        let plateau = weights::embedded_for(Limits::EACH_BUTTON);
        for (speed, level, taps) in [
            (Early, 18, TapTable::SLOW_5),
            (Plateau, 19, TapTable::HZ_12),
            // These themselves begin with the network for players who see the next piece.
            (Early, 18, TapTable::HZ_30),
        ] {
            let schedule = Schedule::parse(&speed.schedule(taps, Reaction::NextPiece)).expect("whole");
            let tables = Ntuple90::begin(&schedule);
            let (first, base) = match taps {
                TapTable::HZ_30 => (values(&plateau, 19), values(&at_30_hz, 19)),
                _ => (values(&blind, 18), values(&at_30_hz, 18)),
            };
            let own = values(&weights::embedded_taps_for(Presses::Table(taps)), level);
            for piece in Piece::ALL {
                let value = tables.value(Ntuple90::indices(&shape, true, 0).as_ref(), piece);
                let piece = piece as usize;
                let expected = first[piece] + own[piece] - base[piece];
                assert!((value - expected).abs() < 1e-3, "{taps} {piece}: {value} {expected}");
            }
        }
    }

    #[test]
    fn the_plateau_begins_with_the_values_of_the_shipped_weights() {
        let tables = Ntuple90::begin(&Schedule::parse(PLATEAU).expect("whole"));
        let base = weights::base();
        let mut dice = Xorshift64Star::new(7);
        for rows in 0..18 {
            let mut row = || format!("{}\n", if dice.below(2) == 0 { "####.####." } else { "########.#" });
            let board: Board = (0..rows).map(|_| row()).collect::<String>().parse().expect("a board");
            let shape = Shape::of(&board);
            let values = base.values(&shape, 19);
            for piece in Piece::ALL {
                // In play, a board is worth at least what a lost game is.
                let value = tables.value(Ntuple90::indices(&shape, true, 0).as_ref(), piece);
                let value = value.max(base.deaths()[0]);
                assert_eq!(value.to_bits(), values[piece as usize].to_bits(), "{piece}\n{board}");
            }
        }
    }
}
