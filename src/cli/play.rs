//! `maxout play` and `maxout sim`: the same games on the console and on the model.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::cartridge::{self, CartridgeArgs};
use super::{INTERRUPTED, answer, interrupt};
use crate::batch::{self, Batch, BatchError, Finished, Trouble};
use crate::game::PlayState;
use crate::player::{self, DEFAULT_PLAYER, Entry};
use crate::record::library::{self, Library, RunId};
use crate::record::pictures::canvas::Canvas;
use crate::record::pictures::png;
use crate::record::run::{Record, RomName, whole_log};
use crate::record::{prepare_folder, write_atomically};
use crate::report::{Report, Tally};
use crate::session::Stop;
use crate::stats::Statistics;

/// What both commands take.
#[derive(clap::Args)]
pub(super) struct GameArgs {
    /// Who plays (see `maxout players`)
    #[arg(long, default_value = DEFAULT_PLAYER, value_parser = player::find)]
    player: &'static Entry,
    /// Number of games, on consecutive seeds
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Seed of the first game: 0 to 9599 are reachable from power-on, larger ones exist on the model only
    #[arg(long, default_value_t = 0, value_parser = seed)]
    seed: u64,
    /// Level to start on
    #[arg(long, default_value_t = 19, value_parser = clap::value_parser!(u8).range(0..=19))]
    start_level: u8,
    /// When a game ends: level29, topout or lines:N
    #[arg(long, default_value = "level29")]
    stop: Stop,
    /// Keep each game in the run library in this folder [default: `play` keeps them in `MAXOUT_RUNS`, or
    /// maxout/runs in the platform's folder for data; `sim` keeps none]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// Write the results as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn seed(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a whole number from 0 to 18446744073709551615")
}

/// `maxout play`.
#[derive(clap::Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    cartridge: CartridgeArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Keep no game
    #[arg(long, conflicts_with = "runs")]
    no_runs: bool,
    /// Write PNG frames into this folder
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// With --png: write every Nth frame of play
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

/// `maxout sim`.
#[derive(clap::Args)]
pub(super) struct SimArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// The games to play, and where their results go.
struct Options {
    batch: Batch,
    runs: Option<PathBuf>,
    json: Option<PathBuf>,
}

/// Opens the library before the first frame; `default` also without --runs.
fn open_library(runs: Option<&Path>, default: bool) -> anyhow::Result<Option<Library>> {
    if runs.is_none() && !default {
        return Ok(None);
    }
    let folder = library::folder(runs)?;
    let context = || match runs {
        Some(folder) => format!("--runs {}", folder.display()),
        None => "no runs can be kept (--runs DIR names another folder, --no-runs plays without)".to_owned(),
    };
    Library::open_or_create(&folder).map(Some).with_context(context)
}

impl TryFrom<GameArgs> for Options {
    type Error = anyhow::Error;

    /// Everything that can be refused is refused before the first frame.
    fn try_from(args: GameArgs) -> anyhow::Result<Self> {
        let GameArgs { player, games, seed, start_level, stop, runs, json } = args;
        if seed.checked_add(games).is_none() {
            bail!("seed {seed} with {games} games: expected seeds below 2^64");
        }
        if let Some(file) = &json {
            check_output_file(file).with_context(|| format!("--json {}", file.display()))?;
        }
        let batch = Batch { player, games, first_seed: seed, start_level, stop };
        Ok(Self { batch, runs, json })
    }
}

pub(super) fn check_output_file(file: &Path) -> anyhow::Result<()> {
    if file.is_dir() {
        bail!("is a folder, expected a file");
    }
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => {
            if !folder.is_dir() {
                bail!("folder {} does not exist", folder.display());
            }
            Ok(prepare_folder(folder)?)
        }
        _ => Ok(prepare_folder(Path::new("."))?),
    }
}

/// Collects finished games: tally, run library, progress bar.
struct Results<'a> {
    options: &'a Options,
    library: Option<Library>,
    host: &'static str,
    rom: RomName,
    tally: Tally,
    bar: ProgressBar,
    begun: Instant,
}

impl<'a> Results<'a> {
    fn new(options: &'a Options, library: Option<Library>, host: &'static str, rom: RomName) -> Self {
        let bar = ProgressBar::new(options.batch.games);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {elapsed}  {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { options, library, host, rom, tally: Tally::default(), bar, begun: Instant::now() }
    }

    fn add(&mut self, game: &Finished) -> Result<(), Trouble> {
        let statistics = Statistics::of(&game.outcome.locks, self.options.batch.start_level);
        let kept = self.keep(game, &statistics);
        let run = kept.as_ref().ok().copied().flatten();
        self.tally.add(game, &statistics, run);
        self.bar.inc(1);
        kept.map(|_| ())
    }

    fn keep(&mut self, game: &Finished, statistics: &Statistics) -> Result<Option<RunId>, Trouble> {
        let Some(library) = &mut self.library else { return Ok(None) };
        let record = Record::new(game, &self.options.batch, self.host, self.rom.clone());
        Ok(Some(library.add(&record, statistics, &whole_log(game))?))
    }

    /// Prints and writes what was finished, also after an error or an interrupt.
    fn finish(self, ended: Result<(), BatchError>) -> anyhow::Result<ExitCode> {
        self.bar.finish_and_clear();
        let Self { options, library, host, rom, tally, begun, .. } = self;
        let library = library.map(|library| library.path().display().to_string());
        let wanted = options.batch.games;
        let finished = tally.games();
        if finished > 0 {
            let report = tally.report(&options.batch, host, rom, begun.elapsed(), library);
            if let Some(file) = &options.json {
                write_json(file, &report).with_context(|| format!("--json {}", file.display()))?;
            }
            answer(&report.to_string())?;
        }
        ended?;
        if finished < wanted {
            eprintln!("maxout: interrupted after {finished} of {wanted} games; what was finished is kept");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn write_json(file: &Path, report: &Report) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(report)? + "\n";
    Ok(write_atomically(file, json.as_bytes())?)
}

/// Plays on the model.
pub(super) fn sim(args: SimArgs) -> anyhow::Result<ExitCode> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from);
    let options = Options::try_from(args.game)?;
    let library = open_library(options.runs.as_deref(), false)?;
    let interrupt = interrupt::flag()?;
    let rom = RomName { name: "model".to_owned(), sha1: None };
    let mut results = Results::new(&options, library, "model", rom);
    let ended = batch::sim(&options.batch, jobs, &interrupt, &mut |game| results.add(&game));
    results.finish(ended)
}

/// Plays on the console.
pub(super) fn play(args: PlayArgs) -> anyhow::Result<ExitCode> {
    let PlayArgs { cartridge, game, no_runs, png: png_folder, every } = args;
    let mut inserted = cartridge::insert(cartridge.rom.as_deref(), cartridge.allow_unknown)?;
    let options = Options::try_from(game)?;
    options.batch.check_for_console()?;
    if let Some(folder) = &png_folder {
        prepare_folder(folder).with_context(|| format!("--png {}", folder.display()))?;
    }
    let library = open_library(options.runs.as_deref(), !no_runs)?;
    let interrupt = interrupt::flag()?;
    let mut results = Results::new(&options, library, "console", inserted.name());
    let bar = results.bar.clone();
    let several = options.batch.games > 1;
    let mut frame = (options.batch.first_seed, 0u64);
    let mut watch = |seed: u64, console: &crate::host::Console, now: &crate::host::ram::Snapshot| {
        frame = if frame.0 == seed { (seed, frame.1 + 1) } else { (seed, 1) };
        if frame.1 % 64 == 0 && now.play_state == PlayState::Control as u8 {
            bar.set_message(format!(
                "seed {seed}: level {}, {} lines, score {}",
                now.level, now.lines, now.score
            ));
        }
        if let Some(folder) = &png_folder
            && frame.1.is_multiple_of(every)
        {
            let folder = if several { folder.join(format!("seed-{seed}")) } else { folder.clone() };
            std::fs::create_dir_all(&folder)?;
            png::write(&png::path(&folder, frame.1), &Canvas::from(&console.picture()?))?;
        }
        Ok(!interrupt.load(Ordering::Relaxed))
    };
    let ended =
        batch::play(&options.batch, &mut inserted.console, &mut watch, &mut |game| results.add(&game));
    results.finish(ended)
}
