//! `maxout-lab sim --no-gravity` and `--demo-loop`: games in which nothing falls by itself.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::ArgGroup;
use serde::Serialize;

use crate::no_gravity::{self, DemoLoop, NoGravityResult, Series};
use maxout::cli::args::games::Options;
use maxout::cli::args::values::whole;
use maxout::cli::exit::INTERRUPTED;
use maxout::cli::interrupt;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::{give, say};
use maxout::words::{count, number};
use maxout_engine::player::Entry;
use maxout_host::batch::Batch;
use maxout_rules::{FallRule, Pieces, Stop};

/// Pieces after which a demo loop is given up: some 17 times what M. Birken's bot of 2014 needs on the average, 1,181
/// pieces to a full clear and 49 pairs of pieces.
const DEMO_LIMIT: u64 = 1_000_000;

/// Games without gravity.
#[derive(clap::Args)]
#[command(next_help_heading = "Without gravity", group = ArgGroup::new("still").multiple(true))]
pub struct NoGravityArgs {
    /// Disable gravity: pieces are dropped where the player says, until one has no place or the game is stopped (--stop
    /// lines:N, --limit); there is no level and no score
    #[arg(long, group = "still")]
    no_gravity: bool,
    /// Play without gravity until a full clear is followed by the two pieces that the game began with, so that a
    /// demonstration can repeat for ever, and print where that is; 1,000,000 pieces at most without --limit
    #[arg(long, group = "still")]
    demo_loop: bool,
    /// Where the pieces come from: nes, the game's generator, or uniform
    #[arg(long, default_value = "nes", value_parser = Pieces::from_name, requires = "still")]
    pieces: Pieces,
    /// Stop a game after this many pieces
    #[arg(long, value_name = "PIECES", value_parser = whole::<u64>(1..), requires = "still")]
    limit: Option<u64>,
}

impl NoGravityArgs {
    /// Whether these games are asked for, and by which flag.
    pub fn asked(&self) -> Option<&'static str> {
        match self {
            Self { demo_loop: true, .. } => Some("--demo-loop"),
            Self { no_gravity: true, .. } => Some("--no-gravity"),
            _ => None,
        }
    }

    /// Plays the games that the options say, answers, and writes the JSON. `flag` is what asks for them.
    pub fn run(&self, options: &Options, flag: &str, jobs: usize) -> anyhow::Result<ExitCode> {
        let Options { batch, whole, keep, limited, json, .. } = options;
        if *keep {
            bail!("--runs: games without gravity are not kept, expected no {flag}");
        }
        if let Some(limit) = limited {
            bail!("{limit}: games without gravity have no input limits, expected no {flag}");
        }
        match batch.fall_rule {
            FallRule::Ntsc => {}
            FallRule::Pal => bail!("--pal: nothing falls in games without gravity, expected no {flag}"),
            FallRule::DoubleKillscreen => {
                bail!("--double-killscreen: nothing falls in games without gravity, expected no {flag}")
            }
        }
        if whole.is_some() {
            bail!("--shard: games without gravity are not merged, expected no {flag}");
        }
        let Batch { player, games, first_seed, stop, .. } = batch.clone();
        let lines = match stop {
            // No game of 230 lines comes round.
            Stop::Level29 if self.demo_loop => None,
            Stop::Level29 => Some(230),
            Stop::Lines(lines) => Some(u64::from(lines)),
            Stop::TopOut => None,
        };
        let limit = self.limit.or_else(|| (self.demo_loop && lines.is_none()).then_some(DEMO_LIMIT));
        let series = Series { player, games, first_seed, lines, pieces: self.pieces, limit };
        if self.demo_loop {
            return demo(&series, jobs, json.as_deref());
        }
        run(&series, jobs, json.as_deref())
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
    let result = NoGravityResult::new(series, games);
    give(json, &result, &result.to_string())?;
    if result.games < series.games {
        say!("interrupted after {} of {}", number(result.games), count(series.games, "game"));
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
