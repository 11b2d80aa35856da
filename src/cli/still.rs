//! `maxout sim --no-gravity`: games in which nothing falls by itself.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};

use super::{INTERRUPTED, answer, interrupt};
use crate::player::Entry;
use crate::record::write_atomically;
use crate::still::{self, Pieces, Report, Series};

/// Games without gravity.
#[derive(clap::Args)]
#[command(next_help_heading = "Without gravity")]
pub(super) struct StillArgs {
    /// Nothing falls by itself: pieces are dropped where the player says, until one has no place or the game is
    /// stopped (--stop lines:N, --limit); there is no level and no score
    #[arg(long)]
    pub no_gravity: bool,
    /// Where the pieces come from: nes, the game's generator, or uniform
    #[arg(long, default_value = "nes", value_parser = Pieces::from_name, requires = "no_gravity")]
    pieces: Pieces,
    /// Stop a game after this many pieces
    #[arg(long, value_name = "PIECES", value_parser = clap::value_parser!(u64).range(1..), requires = "no_gravity")]
    limit: Option<u64>,
}

impl StillArgs {
    /// Makes `series` one of these games.
    pub fn apply(&self, series: Series) -> Series {
        Series { pieces: self.pieces, limit: self.limit, ..series }
    }
}

/// A bar of so many games.
pub(super) fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// The refusal of a player that `what` cannot use.
pub(super) fn only_with_gravity(what: &str, player: &Entry) -> anyhow::Error {
    anyhow!(
        "{what}: {} plays the controller only, expected --player el-tetris or another of its kind",
        player.name
    )
}

/// Plays the series, answers, and writes the JSON.
pub(super) fn run(series: &Series, jobs: usize, json: Option<&Path>) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::flag()?;
    let bar = progress(series.games);
    let mut games = Vec::new();
    let can = still::play(series, jobs, &interrupt, &mut |game| {
        games.push(game);
        bar.inc(1);
    });
    bar.finish_and_clear();
    if !can {
        return Err(only_with_gravity("--no-gravity", series.player));
    }
    let report = Report::new(series, games);
    if let Some(file) = json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        write_atomically(file, text.as_bytes()).with_context(|| format!("--json {}", file.display()))?;
    }
    answer(&report.to_string())?;
    if report.games < series.games {
        eprintln!("maxout: interrupted after {} of {} games", report.games, series.games);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
