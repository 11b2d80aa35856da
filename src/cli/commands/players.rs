//! `maxout players`: who can play.

use std::process::ExitCode;

use crate::cli::output::answer;
use crate::words::count;
use maxout_engine::player::DEFAULT_PLAYER;
use maxout_gallery::players;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    for entry in players() {
        let kind = if entry.capabilities().is_fair { "fair" } else { "clairvoyant" };
        let default = if entry.name == DEFAULT_PLAYER { " (default)" } else { "" };
        let plies = count(entry.plies(), "ply");
        answer(&format!("{:<22} {kind:<11} {plies:<8}  {}{default}", entry.name, entry.source))?;
    }
    Ok(ExitCode::SUCCESS)
}
