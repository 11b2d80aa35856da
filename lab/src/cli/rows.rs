//! `maxout-lab rows`: statistics of games that are played for them.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde::Serialize;

use super::no_gravity;
use crate::measure::heat::HeatMap;
use crate::measure::rows::{LockRows, RowStatistics, play_rows};
use crate::no_gravity::Series;
use maxout::cli::args::values::{seed, whole};
use maxout::cli::exit::{INTERRUPTED, cores};
use maxout::cli::interrupt;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::{Outputs, answer, say, write, write_json};
use maxout::export::pictures::png;
use maxout::words::{count, number};
use maxout_engine::player::Entry;
use maxout_rules::Pieces;

/// `maxout-lab rows`.
#[derive(clap::Args)]
pub struct Args {
    /// Who plays; see `maxout players`
    #[arg(long, default_value = "meatfighter2014", value_parser = maxout_gallery::find)]
    player: &'static Entry,
    /// Where the pieces come from: nes, the game's generator, or uniform
    #[arg(long, default_value = "uniform", value_parser = Pieces::from_name)]
    pieces: Pieces,
    /// Number of games, on consecutive seeds
    #[arg(long, default_value_t = 4, value_parser = whole::<u64>(1..=10_000_000))]
    games: u64,
    /// Stop a game after this many pieces
    #[arg(long, value_name = "PIECES", default_value_t = 50_000, value_parser = whole::<u64>(1..))]
    limit: u64,
    /// Seed of the first game
    #[arg(long, default_value_t = 60_000, value_parser = seed)]
    seed: u64,
    /// Threads [default: one per core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Write the statistics as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a heat map of where each piece locks, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The same as PNG
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

/// The JSON.
#[derive(Serialize)]
struct Answer<'a> {
    player: &'a str,
    games: u64,
    first_seed: u64,
    deaths: u64,
    #[serde(flatten)]
    rows: &'a RowStatistics,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Args { player, pieces, games, limit, seed: first_seed, .. } = *args;
    let files = [("--json", &args.json), ("--svg", &args.svg), ("--png", &args.png)];
    Outputs::check(files.map(|(flag, file)| (flag, file.as_deref())))?;
    if first_seed.checked_add(games - 1).is_none() {
        bail!("seed {first_seed} with {games} games: expected seeds below 2^64");
    }
    let series =
        Series { player: player.clone(), games, first_seed, pieces, lines: None, limit: Some(limit) };
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(games, "games");
    let (mut all, mut finished, mut deaths) = (LockRows::default(), 0, 0);
    let can = play_rows(&series, jobs, &interrupt, &mut |game, locks| {
        all.merge(&locks);
        finished += 1;
        deaths += u64::from(game.dead);
        bar.inc(1);
    });
    bar.finish();
    if !can {
        return Err(no_gravity::only_with_gravity("--player", player));
    }
    let statistics = RowStatistics::of(&all);
    // Whatever becomes of the files, the answer is not lost.
    answer(&format!(
        "player        {}, no gravity, {pieces} pieces\ngames         {} from seed {first_seed}, {} lost, {}\n\
         {statistics}",
        player.name,
        number(finished),
        number(deaths),
        count(statistics.pieces, "piece")
    ))?;
    let title = format!("where pieces lock: {}, {pieces} pieces", player.name);
    if let Some(file) = &args.json {
        let json = Answer { player: &player.name, games: finished, first_seed, deaths, rows: &statistics };
        write_json("--json", file, &json)?;
    }
    if let Some(file) = &args.svg {
        let svg = HeatMap::of(&all, &title).svg().map_err(anyhow::Error::msg);
        write("--svg", file, svg.with_context(|| format!("--svg {}", file.display()))?.as_bytes())?;
    }
    if let Some(file) = &args.png {
        let canvas = HeatMap::of(&all, &title).canvas();
        write("--png", file, &png::encode(&canvas)?)?;
    }
    if finished < games {
        say!("interrupted after {} of {}", number(finished), count(games, "game"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}
