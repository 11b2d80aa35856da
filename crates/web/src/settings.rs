//! How a game on the page is played: [`Settings`], and the player that they name.

use std::sync::Arc;

use maxout_engine::eval::ntuple::Network;
use maxout_engine::limits::{Limits, Presses, Reaction, TapTable};
use maxout_engine::player::Entry;
use maxout_engine::search::Aggression;
use maxout_rules::Region;
use serde::Deserialize;

use crate::Refused;

/// What to play.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The name of the player.
    pub player: String,
    /// The seed, as on the command line.
    pub seed: u64,
    /// The start level, 0 to 19.
    pub level: u8,
    /// When the game ends: `level29`, `topout` or `lines:N`.
    pub stop: String,
    /// Whether the emulator plays; otherwise the model does.
    pub emulator: bool,
    /// A tap table by its name, or empty for the player's own limits.
    #[serde(default)]
    pub taps: String,
    /// The reaction delay in frames.
    #[serde(default)]
    pub reaction: u8,
    /// The aggression: the name of a step or a number as text, or empty for the normal one.
    #[serde(default)]
    pub aggression: String,
    /// Where the game begins instead of an empty board. Only the model plays such a game.
    #[serde(default)]
    pub position: Option<DrawnPosition>,
}

/// A position that a game goes on from. The pieces after these two are those of the seed.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct DrawnPosition {
    /// The board, in any form that [`Board`](maxout_rules::Board) is read from.
    pub board: String,
    /// The piece in the air.
    pub piece: char,
    /// The next piece; without it the seed's.
    pub next: Option<char>,
    /// The level, 0 to 255.
    pub level: u8,
    /// Lines so far.
    pub lines: u32,
}

/// Returns the player of these settings, for games of this region.
pub(crate) fn entry(
    settings: &Settings,
    region: Region,
    network: Option<&Arc<Network>>,
) -> Result<Entry, Refused> {
    let mut entry = maxout_gallery::find(&settings.player)?.clone();
    if entry.capabilities().is_learned {
        let network =
            network.ok_or_else(|| format!("player {}: its weights are not there yet", entry.name))?;
        entry = entry.with_network(Arc::clone(network)).ok_or("the player takes no weights")?;
    }
    let aggression = aggression(&settings.aggression)?;
    if aggression != Aggression::NORMAL {
        entry = entry.with_aggression(aggression).ok_or_else(|| {
            format!("player {}: does not take an aggression, expected maxout or the like", entry.name)
        })?;
    }
    if settings.taps.is_empty() && settings.reaction == 0 {
        return Ok(entry);
    }
    let limits = limits(&settings.taps, region)?.unwrap_or(entry.limits);
    let limits = limits.with_reaction(Reaction::Frames(settings.reaction));
    let limited = entry.with_limits(limits).ok_or_else(|| {
        format!("player {}: its input limits are part of it, expected no taps and no reaction", entry.name)
    });
    Ok(limited?)
}

/// Returns the aggression with this name; an empty text means the normal one.
pub(crate) fn aggression(name: &str) -> Result<Aggression, Refused> {
    if name.is_empty() {
        return Ok(Aggression::NORMAL);
    }
    Ok(name.parse().map_err(|error| format!("aggression {error}"))?)
}

/// Returns the limits of this tap speed in games of this region; none if the name is empty.
pub(crate) fn limits(taps: &str, region: Region) -> Result<Option<Limits>, Refused> {
    if taps.is_empty() {
        return Ok(None);
    }
    let limits = match taps.parse::<Presses>() {
        Ok(presses) if presses.only_on_pal() && region == Region::Pal => Limits::new(presses),
        _ => Limits::taps(taps.parse::<TapTable>()?),
    };
    Ok(Some(limits))
}
