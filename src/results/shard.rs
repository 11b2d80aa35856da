//! [`Shard`]: what the result of a shard holds in addition, so that the results of all shards can be merged.

use serde::{Deserialize, Serialize};

use crate::stats::Sample;

/// The format this version writes and reads.
pub(super) const FORMAT: &str = "maxout-shard 1";

/// Most games of a batch in shards: [`merge::read`](super::merge::read) has memory for no more.
pub const MAX_GAMES: u64 = 200_000;

/// What a result of some games of a batch holds besides, so that it can be merged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Name and version of this format.
    pub format: String,
    /// Program version that played.
    pub version: String,
    /// Games of the whole batch.
    pub games: u64,
    /// Seed of its first.
    pub first_seed: u64,
    /// How far the player was told to look.
    pub foresight: String,
    /// What it was held to; none if it was free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Games that reached the stop.
    pub reached: u64,
    /// CPU time of the decisions; 0 if times are left out.
    pub thinking_ns: u64,
    /// The games' statistics.
    pub sample: Sample,
}
