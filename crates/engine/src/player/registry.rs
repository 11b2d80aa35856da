//! Our players by name: [`REGISTRY`] lists them, [`find`] finds one.

use thiserror::Error;

use super::entry::Entry;
use super::{cnn, dellacherie, macro40, meatfighter, meatfighter2014, packing, simple_tetris};
use crate::search::Widths;

/// All of our players.
pub static REGISTRY: &[Entry] = &[
    Entry::learned(
        "maxout",
        Widths::DEFAULT,
        "learned table value, expectimax over unknown pieces, deeper where it matters",
    ),
    Entry::learned(
        "maxout-fast",
        Widths::FAST,
        "the same value, one unknown piece where placements are close",
    ),
    Entry::learned("maxout-2ply", Widths::TWO, "the same value, the two pieces that are seen"),
    Entry::learned("maxout-3ply", Widths::THREE, "the same value, one unknown piece"),
    Entry::learned("maxout-4ply", Widths::FOUR, "the same value, two unknown pieces, hardly pruned"),
    Entry::learned(
        "maxout-49",
        Widths::SEQUENCES,
        "the same value, all 49 sequences of two unknown pieces, the first placed by static evaluation",
    ),
    meatfighter::PLATEAU17,
    meatfighter::BOT_2018,
    meatfighter::BOT_2018_1,
    meatfighter2014::CODED,
    meatfighter2014::TEXT,
    meatfighter2014::GAMEPAD,
    meatfighter2014::FALLS,
    dellacherie::GAPS,
    dellacherie::GAPS_2,
    dellacherie::CELLS,
    dellacherie::CELLS_2,
    dellacherie::EL_TETRIS,
    dellacherie::EL_TETRIS_2,
    packing::PUBLISHED,
    packing::MENDED,
    macro40::MACRO_40,
    simple_tetris::INTENDED,
    simple_tetris::CODED,
    simple_tetris::A,
    simple_tetris::B,
    simple_tetris::C,
    cnn::CNN,
    cnn::CNN_2,
    Entry::beam("clairvoyant", "reads the piece generator; beam search over exact futures"),
];

/// The player that plays when none is named.
pub const DEFAULT_PLAYER: &str = "maxout";

/// The error that no player has this name.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("no such player{} (`maxout players` lists all {})", meant(name), REGISTRY.len())]
pub struct UnknownPlayer {
    /// The name that was asked for.
    pub name: String,
}

/// Most bytes of a name that is compared with those of the players.
const MOST_MEANT: usize = 64;

/// Returns a question that names the player with the most similar name, or nothing if none is similar.
fn meant(name: &str) -> String {
    // The time of a comparison grows with the length, and no name of a player is half as long.
    if name.len() > MOST_MEANT {
        return String::new();
    }
    let similar = |entry: &'static Entry| {
        let entry: &'static str = &entry.name;
        (strsim::normalized_damerau_levenshtein(name, entry), entry)
    };
    let nearest = REGISTRY.iter().map(similar).max_by(|a, b| a.0.total_cmp(&b.0));
    let nearest = nearest.filter(|(similarity, _)| *similarity >= 0.6);
    nearest.map(|(_, name)| format!(", did you mean {name}?")).unwrap_or_default()
}

/// Returns the registered player with this name.
pub fn find(name: &str) -> Result<&'static Entry, UnknownPlayer> {
    REGISTRY.iter().find(|entry| entry.name == name).ok_or_else(|| UnknownPlayer { name: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Reaction, TapTable};
    use crate::movegen::Filter;
    use crate::search::Aggression;

    #[test]
    fn a_player_becomes_another_only_where_it_can() {
        let [learned, terms, gamepad, beam] =
            ["maxout-fast", "plateau17", "gamepad2014", "clairvoyant"].map(|name| find(name).expect(name));
        let slow = Limits::taps(TapTable::HZ_12);
        assert_eq!(learned.with_limits(slow).map(|entry| entry.limits), Some(slow));
        assert_eq!(terms.with_limits(slow).map(|entry| entry.limits), Some(slow));
        assert!(gamepad.with_limits(slow).is_none() && beam.with_limits(slow).is_none());
        assert!(terms.with_limits(slow.with_reaction(Reaction::Frames(18))).is_none());
        assert!(terms.with_terms([0.0; 17]).is_some() && learned.with_terms([0.0; 17]).is_none());
        assert!(learned.with_widths(Widths::THREE).is_some_and(|entry| entry.plies() == 3));
        assert!(terms.filtered(Filter::Well, "well").is_some_and(|entry| entry.name == "plateau17+well"));
        assert!(learned.filtered(Filter::Well, "well").is_none());
    }

    #[test]
    fn what_a_player_takes_is_what_its_capabilities_say() {
        let mut seen = Vec::new();
        for entry in REGISTRY {
            let can = entry.capabilities();
            assert_eq!(entry.filtered(Filter::Well, "well").is_some(), can.takes_filters, "{}", entry.name);
            assert_eq!(entry.policy(entry.limits.into()).is_some(), can.takes_filters, "{}", entry.name);
            assert_eq!(entry.with_terms([0.0; 17]).is_some(), can.takes_terms, "{}", entry.name);
            assert_eq!(entry.with_widths(Widths::TWO).is_some(), can.is_learned, "{}", entry.name);
            assert_eq!(entry.with_aggression(Aggression::NORMAL).is_some(), can.is_learned, "{}", entry.name);
            seen.push((can.is_fair, can.is_learned, can.takes_filters, can.takes_terms));
        }
        let count = |kind| seen.iter().filter(|&&each| each == kind).count();
        assert_eq!(count((true, true, false, false)), 6, "ours");
        assert_eq!(count((true, false, true, true)), 3, "2018");
        assert_eq!(count((false, false, false, false)), 1, "the beam");
    }

    #[test]
    fn two_players_do_not_know_the_double_killscreen() {
        let without = REGISTRY.iter().filter(|entry| !entry.capabilities().plays_double_killscreen);
        assert_eq!(without.map(|entry| &*entry.name).collect::<Vec<_>>(), ["gamepad2014", "clairvoyant"]);
    }
}
