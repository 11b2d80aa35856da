//! `maxout-lab limits`: games under human limits, beside what BetaTetris has published.

use maxout_rules::FallRule;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::measure::limits::cells::{
    HandsGrid, LimitsFormat, MOST_CELLS, MOST_GAMES, ReactionDelays, TapSpeeds,
};
use crate::measure::limits::folder::{HandsFolder, identity};
use crate::measure::limits::{HandsResult, HandsRun, fingerprints, plot_cells};
use maxout::cli::args::aggression::AggressionArg;
use maxout::cli::args::heading;
use maxout::cli::args::values::{seed, whole};
use maxout::cli::exit::{INTERRUPTED, cores};
use maxout::cli::interrupt;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::{Outputs, answer, say, write, write_json};
use maxout::share::Share;
use maxout::words::{count, number};
use maxout_engine::player::Entry;
use maxout_host::batch::BatchError;
use maxout_rules::Stop;

/// `maxout-lab limits`.
#[derive(clap::Args)]
pub struct Args {
    /// Who plays (see `maxout players`)
    #[arg(long, default_value = "maxout-fast", value_parser = maxout_gallery::find, help_heading = heading::PLAYER)]
    player: &'static Entry,
    /// Tap speeds as in `sim`, separated by commas
    #[arg(long, value_name = "SPEED,…", default_value = "30hz,24hz,20hz,15hz,12hz,10hz,slow5",
        help_heading = heading::PLAYER)]
    taps: TapSpeeds,
    /// Reaction delays as in `sim`, separated by commas; each is played at each tap speed
    #[arg(long, value_name = "FRAMES,…", default_value = "0,18,21,24,30,none-after-spawn",
        help_heading = heading::PLAYER)]
    reaction: ReactionDelays,
    #[command(flatten)]
    aggression: AggressionArg,
    /// Number of games at each tap speed and delay, on consecutive seeds
    #[arg(long, default_value_t = 1_000, value_parser = whole::<u64>(1..=1_000_000), help_heading = heading::GAMES)]
    games: u64,
    /// Seed of the first game
    #[arg(long, default_value_t = 60_000, value_parser = seed, help_heading = heading::GAMES)]
    seed: u64,
    /// Level to start on; the published scores are from level 18
    #[arg(long, default_value_t = 18, value_parser = whole::<u8>(0..=19), help_heading = heading::GAMES)]
    start_level: u8,
    /// When a game ends: level29, topout or lines:N
    #[arg(long, default_value = "lines:430", value_name = "WHEN", help_heading = heading::GAMES)]
    stop: Stop,
    /// Let pieces fall one row a frame from level 39 on, as on every cartridge, and not two as in competitions
    #[arg(long, help_heading = heading::GAMES)]
    no_double_killscreen: bool,
    /// Keep the games in this folder and play only those that it does not hold. Given several times: the first folder
    /// keeps new games, and the games of the others count, too
    #[arg(long, value_name = "DIR", help_heading = heading::WORK)]
    dir: Vec<PathBuf>,
    /// Play only the I-th of N shares of the games, from 1/N to N/N, each into a folder of its own
    #[arg(long, value_name = "I/N", requires = "dir", help_heading = heading::WORK)]
    shard: Option<Share>,
    /// Play nothing: show the games that the folders hold
    #[arg(long, requires = "dir", conflicts_with_all = ["shard", "jobs"], help_heading = heading::WORK)]
    no_play: bool,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024), help_heading = heading::WORK)]
    jobs: Option<u16>,
    /// Write all figures as JSON to this file
    #[arg(long, value_name = "FILE", help_heading = heading::RESULTS)]
    json: Option<PathBuf>,
    /// Write a plot of the mean final scores to this file (SVG)
    #[arg(long, value_name = "FILE", help_heading = heading::RESULTS)]
    svg: Option<PathBuf>,
    /// Leave all times out of the results: equal games then make equal bytes
    #[arg(long, help_heading = heading::RESULTS)]
    no_timings: bool,
}

/// Plays what is not kept yet, and prints the results of all games.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut outputs = Outputs::check([("--json", args.json.as_deref()), ("--svg", args.svg.as_deref())])?;
    args.dir.iter().try_for_each(|folder| outputs.add_folder("--dir", folder))?;
    let player = args.aggression.give_to(args.player.clone())?;
    let mut run = args.begin(&player)?;
    args.load(&player, &mut run)?;
    let ended = if args.no_play { Ok(true) } else { args.play(&mut run) };
    let mut result = HandsResult::new(&player.name, &run);
    if args.no_timings {
        result.leave_out_times();
    }
    let written = args.write(&result);
    // Whatever became of the files and of the games that were not finished, the answer is not lost.
    answer(&result.to_string())?;
    written?;
    Ok(if ended? { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

impl Args {
    /// The games, none of them finished.
    fn begin(&self, player: &Entry) -> anyhow::Result<HandsRun> {
        let Self { games, seed: first_seed, start_level, stop, .. } = *self;
        if first_seed.checked_add(games - 1).is_none() {
            bail!("seed {first_seed} with {games} games: expected seeds below 2^64");
        }
        let cells = self.taps.names().len().saturating_mul(self.reaction.count());
        if cells > MOST_CELLS || games.saturating_mul(cells as u64) > MOST_GAMES {
            let (cells, games) = (count(cells as u64, "cell"), count(games, "game"));
            let most = format!("{} cells and {} games in all", number(MOST_CELLS as u64), number(MOST_GAMES));
            bail!("{cells} of {games} each: expected at most {most}");
        }
        let grid = HandsGrid::new(player, &self.taps, &self.reaction).context("--player")?;
        let format = LimitsFormat {
            start_level,
            stop,
            fall_rule: FallRule::with_double_killscreen(!self.no_double_killscreen),
        };
        Ok(HandsRun::new(grid, format, first_seed, games))
    }

    /// The number of threads.
    fn jobs(&self) -> usize {
        self.jobs.map_or_else(cores, usize::from)
    }

    /// Takes the games of all folders. The first folder is made if it will keep new games.
    fn load(&self, player: &Entry, run: &mut HandsRun) -> anyhow::Result<()> {
        if self.dir.is_empty() {
            return Ok(());
        }
        let identity = identity(&player.name, self.seed, run.format());
        let open = |(index, path): (usize, &PathBuf)| {
            let folder = if index == 0 && !self.no_play {
                HandsFolder::open_or_create(path, &identity)
            } else {
                HandsFolder::open(path, &identity)
            };
            folder.with_context(|| of_folder(path))
        };
        // A folder of other games is refused before anything takes long.
        let folders = self.dir.iter().enumerate().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let bar = Progress::new(run.grid().cells.len() as u64, "fingerprints");
        let players = fingerprints(run.grid(), self.jobs(), &mut || bar.inc(1));
        bar.finish();
        let players = players?;
        for (path, folder) in self.dir.iter().zip(&folders) {
            run.load(folder, &players).with_context(|| of_folder(path))?;
        }
        if let (false, Some(path), Some(folder)) =
            (self.no_play, self.dir.first(), folders.into_iter().next())
        {
            run.keep_in(folder, &players).with_context(|| of_folder(path))?;
        }
        Ok(())
    }

    /// Plays the games that are not finished. False if interrupted.
    fn play(&self, run: &mut HandsRun) -> anyhow::Result<bool> {
        let due = run.due(self.shard);
        if due.is_empty() {
            return Ok(true);
        }
        let interrupt = interrupt::flag()?;
        let jobs = self.jobs();
        let bar = Progress::new(due.len() as u64, "games");
        let mut finished = 0;
        let played = run.play(&due, jobs, &interrupt, &mut |cell| {
            finished += 1;
            bar.message(&cell.name);
            bar.inc(1);
        });
        bar.finish();
        match (played, self.dir.first()) {
            (Err(error @ BatchError::Sink(_)), Some(folder)) => {
                return Err(error).with_context(|| of_folder(folder));
            }
            (played, _) => played?,
        }
        if finished == due.len() {
            return Ok(true);
        }
        let wanted = count(due.len() as u64, "game");
        let kept = match self.dir.first() {
            Some(_) => "the same command goes on with the others",
            None => "they are not kept, because no --dir was given",
        };
        say!("interrupted after {} of {wanted}; {kept}", number(finished as u64));
        Ok(false)
    }

    /// Writes the files that were asked for.
    fn write(&self, result: &HandsResult) -> anyhow::Result<()> {
        let json = self.json.as_ref().map_or(Ok(()), |file| write_json("--json", file, result));
        let Some(file) = &self.svg else { return json };
        let picture = plot_cells(result).map_err(anyhow::Error::msg).context("--svg")?;
        write("--svg", file, picture.as_bytes()).and(json)
    }
}

/// The flag with its folder, as errors name it.
fn of_folder(folder: &Path) -> String {
    format!("--dir {}", folder.display())
}
