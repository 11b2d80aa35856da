//! `maxout-lab table`: players side by side on the same seeds.

use maxout_rules::FallRule;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};

use crate::measure::aggression::{AggressionScores, plot_scores};
use crate::measure::baselines::baseline;
use crate::measure::table::{HEAD, TableRow};
use maxout::cli::args::hands::HandArgs;
use maxout::cli::args::values::{seed, whole};
use maxout::cli::exit::{INTERRUPTED, cores};
use maxout::cli::interrupt;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::{Outputs, answer, is_heard, say, write};
use maxout::results::Tally;
use maxout::stats::Statistics;
use maxout_engine::player::Entry;
use maxout_engine::search::Aggression;
use maxout_host::batch::{self, Batch};
use maxout_record::result::HostKind;
use maxout_record::run::RomName;
use maxout_rules::{Region, Stop};

/// `maxout-lab table`.
#[derive(clap::Args)]
pub struct Args {
    /// Who plays, separated by commas [default: all players]
    #[arg(long, value_name = "P,P,…", value_delimiter = ',', value_parser = maxout_gallery::find)]
    players: Vec<&'static Entry>,
    /// Number of games of each, on consecutive seeds
    #[arg(long, default_value_t = 1_000, value_parser = whole::<u64>(1..=10_000_000))]
    games: u64,
    /// Seed of the first game
    #[arg(long, default_value_t = 60_000, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    hands: HandArgs,
    /// Play each player on the learned value with each of these aggressions, as in `sim`, separated by commas
    #[arg(long, value_name = "STEP,…", value_delimiter = ',', allow_hyphen_values = true)]
    aggression: Vec<Aggression>,
    /// Write a plot of one player's scores by aggression to this file (SVG)
    #[arg(long, value_name = "FILE", requires = "aggression")]
    svg: Option<PathBuf>,
    /// Level to start on
    #[arg(long, default_value_t = 19, value_parser = whole::<u8>(0..=19))]
    start_level: u8,
    /// When a game ends: level29, topout or lines:N
    #[arg(long, default_value = "level29", value_name = "WHEN")]
    stop: Stop,
    /// Let pieces fall two rows a frame from level 39 on, a rule of competitions that no cartridge has
    #[arg(long)]
    double_killscreen: bool,
    /// Threads [default: one per core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
}

/// Plays them all to the stop or the top. A player's row is printed when its games are finished.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Args {
        players,
        games,
        seed: first_seed,
        hands,
        aggression,
        svg,
        start_level,
        stop,
        double_killscreen,
        jobs,
    } = args;
    if first_seed.checked_add(games - 1).is_none() {
        bail!("seed {first_seed} with {games} games: expected seeds below 2^64");
    }
    hands.check_region(Region::Ntsc)?;
    Outputs::check([("--svg", svg.as_deref())])?;
    let jobs = jobs.map_or_else(cores, usize::from);
    let players: Vec<&Entry> =
        if players.is_empty() { maxout_gallery::players().iter().collect() } else { players };
    let give = |player: &Entry| hands.give_to(player.clone());
    let players: Vec<Entry> = players.into_iter().map(give).collect::<anyhow::Result<_>>()?;
    if svg.is_some() && players.len() != 1 {
        bail!("--svg: a plot shows one player, expected --players P with one name");
    }
    let stranger = players.iter().find(|player| !player.capabilities().plays_double_killscreen);
    if let Some(Entry { name, .. }) = stranger.filter(|_| double_killscreen) {
        bail!("--double-killscreen: {name} does not know it, expected --players maxout or the like");
    }
    let players = with_each(players, &aggression)?;
    // Others measured under the default conditions.
    let default =
        hands.asked().is_none() && (start_level, stop, double_killscreen) == (19, Stop::Level29, false);
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(games * players.len() as u64, "games");
    if !default {
        let killscreen = if double_killscreen { ", double killscreen" } else { "" };
        bar.suspend(|| answer(&format!("From level {start_level}, stop {stop}{killscreen}\n")))?;
    }
    bar.suspend(|| answer(HEAD))?;
    let (mut points, mut interrupted) = (Vec::new(), false);
    for (player, aggression) in &players {
        if !is_heard() {
            break;
        }
        bar.message(&player.name);
        let misdrop = hands.misdrop();
        let rules = Batch::new(player.clone(), games);
        let fall_rule = FallRule::with_double_killscreen(double_killscreen);
        let batch = Batch { first_seed, start_level, stop, fall_rule, misdrop, ..rules };
        let (mut tally, begun) = (Tally::default(), Instant::now());
        batch::sim(&batch, jobs, &interrupt, &mut |game| {
            tally.add(&game, &batch.player, &Statistics::of(&game.outcome.locks, batch.start_level), None);
            bar.inc(1);
            Ok(())
        })?;
        if tally.games() < games {
            bar.finish();
            say!("interrupted at {}; the rows above are whole", player.name);
            interrupted = true;
            break;
        }
        let rom = RomName { name: "model".to_owned(), sha1: None };
        let result = tally.result(&batch, HostKind::Model, rom, begun.elapsed(), None);
        let row = TableRow { result: &result, baseline: baseline(&player.name).filter(|_| default) };
        bar.suspend(|| answer(&row.to_string()))?;
        points.push(AggressionScores::of(*aggression, &result));
    }
    bar.finish();
    if let (Some(file), Some((player, _)), false) = (&svg, players.first(), points.is_empty()) {
        draw(file, player, &points)?;
    }
    Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Writes the plot of a player's scores.
fn draw(file: &Path, player: &Entry, points: &[AggressionScores]) -> anyhow::Result<()> {
    let name = player.name.split('+').next().unwrap_or_default();
    let picture = plot_scores(name, points).map_err(anyhow::Error::msg).context("--svg")?;
    write("--svg", file, picture.as_bytes())
}

/// Returns each player with each aggression, or each as it is if no aggression is given.
fn with_each(players: Vec<Entry>, steps: &[Aggression]) -> anyhow::Result<Vec<(Entry, Aggression)>> {
    if steps.is_empty() {
        return Ok(players.into_iter().map(|player| (player, Aggression::NORMAL)).collect());
    }
    let mut all = Vec::new();
    for player in &players {
        for &step in steps {
            let with = player.with_aggression(step).with_context(|| {
                format!(
                    "--aggression: {} does not take it, expected --players maxout or the like",
                    player.name
                )
            })?;
            all.push((with, step));
        }
    }
    Ok(all)
}
