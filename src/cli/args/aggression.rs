//! `--aggression`: how much risk the player takes for points.

use anyhow::Context;

use crate::cli::args::heading;
use maxout_engine::player::Entry;
use maxout_engine::search::Aggression;

/// Another aggression than the normal one.
#[derive(clap::Args, Clone, Copy)]
pub struct AggressionArg {
    /// How much risk a player on the learned value (maxout and its relatives) takes for points: safest, safer, safe,
    /// normal, bold, bolder, boldest, or a number from -3 (safest) to 3 (boldest) [default: normal]
    #[arg(long, value_name = "STEP", allow_hyphen_values = true, help_heading = heading::PLAYER)]
    aggression: Option<Aggression>,
}

impl AggressionArg {
    /// The player with this aggression, or an error of one line if it takes none.
    pub fn give_to(self, player: Entry) -> anyhow::Result<Entry> {
        let Some(aggression) = self.aggression else { return Ok(player) };
        player.with_aggression(aggression).with_context(|| {
            format!("--aggression: {} does not take it, expected --player maxout or the like", player.name)
        })
    }
}
