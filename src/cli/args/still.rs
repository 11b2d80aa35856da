//! `maxout sim --no-gravity` and `--demo-loop`: games in which nothing falls by itself.

use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::ArgGroup;
use serde::Serialize;

use crate::cli::args::values::whole;
use crate::cli::exit::INTERRUPTED;
use crate::cli::interrupt;
use crate::cli::output::progress::Progress;
use crate::cli::output::{give, say};
use crate::no_gravity::{self, DemoLoop, NoGravityReport, Series};
use crate::words::{count, number};
use maxout_engine::player::Entry;
use maxout_rules::Pieces;

/// Pieces after which a demo loop is given up: some 17 times what M. Birken's bot of 2014 needs on the average, 1,181
/// pieces to a full clear and 49 pairs of pieces.
const DEMO_LIMIT: u64 = 1_000_000;

/// Games without gravity.
#[derive(clap::Args)]
#[command(next_help_heading = "Without gravity", group = ArgGroup::new("still").multiple(true))]
pub struct StillArgs {
    /// Disable gravity: pieces are dropped where the player says, until one has no place or the game is stopped (--stop
    /// lines:N, --limit); there is no level and no score
    #[arg(long, group = "still")]
    no_gravity: bool,
    /// Play without gravity until a full clear is followed by the two pieces that the game began with, so that a
    /// demonstration can repeat for ever, and print where that is; 1,000,000 pieces at most without --limit
    #[arg(long, group = "still")]
    pub demo_loop: bool,
    /// Where the pieces come from: nes, the game's generator, or uniform
    #[arg(long, default_value = "nes", value_parser = Pieces::from_name, requires = "still")]
    pieces: Pieces,
    /// Stop a game after this many pieces
    #[arg(long, value_name = "PIECES", value_parser = whole::<u64>(1..), requires = "still")]
    limit: Option<u64>,
}

impl StillArgs {
    /// Whether these games are asked for, and by which flag.
    pub fn asked(&self) -> Option<&'static str> {
        match self {
            Self { demo_loop: true, .. } => Some("--demo-loop"),
            Self { no_gravity: true, .. } => Some("--no-gravity"),
            _ => None,
        }
    }

    /// Plays `series` as one of these games, answers, and writes the JSON.
    pub fn run(&self, series: Series, jobs: usize, json: Option<&Path>) -> anyhow::Result<ExitCode> {
        let series = Series { pieces: self.pieces, limit: self.limit, ..series };
        if self.demo_loop {
            let limit = self.limit.or_else(|| series.lines.is_none().then_some(DEMO_LIMIT));
            return demo(&Series { limit, ..series }, jobs, json);
        }
        run(&series, jobs, json)
    }
}

/// The refusal of a player that `what` cannot use.
pub fn only_with_gravity(what: &str, player: &Entry) -> anyhow::Error {
    anyhow!(
        "{what}: {} plays the controller only, expected --player el-tetris or another of its kind",
        player.name
    )
}

/// Plays the series, answers, and writes the JSON.
fn run(series: &Series, jobs: usize, json: Option<&Path>) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(series.games, "games");
    let mut games = Vec::new();
    let can = no_gravity::play(series, jobs, &interrupt, &mut |game| {
        games.push(game);
        bar.inc(1);
    });
    bar.finish();
    if !can {
        return Err(only_with_gravity("--no-gravity", &series.player));
    }
    let report = NoGravityReport::new(series, games);
    give(json, &report, &report.to_string())?;
    if report.games < series.games {
        say!("interrupted after {} of {}", number(report.games), count(series.games, "game"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// The JSON of demo loops.
#[derive(Serialize)]
struct Demo<'a> {
    player: &'a str,
    pieces: String,
    games: usize,
    first_seed: u64,
    limit: Option<u64>,
    per_game: &'a [DemoLoop],
}

/// Looks for demo loops; the answer is no unless every game has one.
fn demo(series: &Series, jobs: usize, json: Option<&Path>) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(series.games, "games");
    let mut loops = Vec::new();
    let can = no_gravity::demo_loops(series, jobs, &interrupt, &mut |found| {
        loops.push(found);
        bar.inc(1);
    });
    bar.finish();
    if !can {
        return Err(only_with_gravity("--demo-loop", &series.player));
    }
    let Series { ref player, games, first_seed, pieces, limit, .. } = *series;
    let text: String = loops.iter().map(|found| format!("\n{found}")).collect();
    let text = format!("player {}, no gravity, {pieces} pieces{text}", player.name);
    let (pieces, per_game) = (pieces.to_string(), loops.as_slice());
    let demo = Demo { player: &player.name, pieces, games: loops.len(), first_seed, limit, per_game };
    give(json, &demo, &text)?;
    if (loops.len() as u64) < games {
        say!("interrupted after {} of {}", number(loops.len() as u64), count(games, "game"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if loops.iter().all(DemoLoop::is_endless) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
