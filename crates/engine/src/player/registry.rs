//! Our own players by name: [`REGISTRY`] lists them, [`find`] finds one.

use thiserror::Error;

use super::entry::Entry;
use crate::search::Widths;

/// Our own players. `maxout_gallery::players()` has the published ones, too.
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
    Entry::beam("clairvoyant", "reads the piece generator; beam search over exact futures"),
];

/// The player that plays when none is named.
pub const DEFAULT_PLAYER: &str = "maxout";

/// The error that no player has this name.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("no such player{} ({listed})", meant(*similar))]
pub struct UnknownPlayer {
    /// The name that was asked for.
    pub name: String,
    /// The player with the most similar name, if one is similar.
    pub similar: Option<&'static str>,
    /// Where all players are listed, or where others are.
    listed: String,
}

fn meant(similar: Option<&str>) -> String {
    similar.map(|name| format!(", did you mean {name}?")).unwrap_or_default()
}

/// Most bytes of a name that is compared with those of the players.
const MOST_MEANT: usize = 64;

/// Returns the most similar name of a player, if one is similar.
fn similar(players: &'static [Entry], name: &str) -> Option<&'static str> {
    // The time of a comparison grows with the length, and no name of a player is half as long.
    if name.len() > MOST_MEANT {
        return None;
    }
    let similar = |entry: &'static Entry| {
        let entry: &'static str = &entry.name;
        (strsim::normalized_damerau_levenshtein(name, entry), entry)
    };
    let nearest = players.iter().map(similar).max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.filter(|(similarity, _)| *similarity >= 0.6).map(|(_, name)| name)
}

/// Returns our own player with this name. `maxout_gallery::find` finds the published ones, too.
///
/// ```
/// use maxout_engine::player::find;
/// assert_eq!(find("maxout").unwrap().name, "maxout");
/// let error = find("plateau17").unwrap_err();
/// let said = "no such player (`REGISTRY` has 7; `maxout_gallery::find` knows the published ones, too)";
/// assert_eq!(error.to_string(), said);
/// ```
pub fn find(name: &str) -> Result<&'static Entry, UnknownPlayer> {
    find_among(REGISTRY, name).map_err(|error| {
        let known = REGISTRY.len();
        let listed = format!("`REGISTRY` has {known}; `maxout_gallery::find` knows the published ones, too");
        UnknownPlayer { listed, ..error }
    })
}

/// Returns the one of `players` with this name.
pub fn find_among(players: &'static [Entry], name: &str) -> Result<&'static Entry, UnknownPlayer> {
    players.iter().find(|entry| entry.name == name).ok_or_else(|| UnknownPlayer {
        name: name.to_owned(),
        similar: similar(players, name),
        listed: format!("`maxout players` lists all {}", players.len()),
    })
}
