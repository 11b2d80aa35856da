//! `maxout train`: weights from nothing.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};

use super::{INTERRUPTED, answer, interrupt, tune};
use crate::record::prepare_folder;
use crate::train::cnn::{self, Lesson};
use crate::train::schedule::{SHIPPED, Schedule, train};

/// `maxout train`.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    method: Method,
}

#[derive(Subcommand)]
enum Method {
    /// Temporal-difference learning of the table value, by self-play from nothing
    Td(TdArgs),
    /// The same for a small convolutional network, from several independent starts
    Cnn(CnnArgs),
    /// The 17 weights of the bot of 2018 by a particle swarm
    Pso(tune::PsoArgs),
    /// The same by evolution with an adapting covariance matrix
    Cmaes(tune::CmaesArgs),
}

#[derive(clap::Args)]
struct CnnArgs {
    /// Independent starts, one thread each
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    starts: u64,
    /// Pieces of each start
    #[arg(long, default_value_t = 400_000, value_parser = clap::value_parser!(u64).range(1_000..))]
    pieces: u64,
    /// Folder for learning curve and weights
    #[arg(long, default_value = "checkpoints/cnn", value_name = "DIR")]
    dir: PathBuf,
    /// Threads [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

#[derive(clap::Args)]
struct TdArgs {
    /// Schedule (TOML) [default: that of the shipped weights]
    #[arg(long, value_name = "FILE")]
    schedule: Option<PathBuf>,
    /// Folder for checkpoint, learning curve and weights; a checkpoint in it is gone on from
    #[arg(long, default_value = "checkpoints/td", value_name = "DIR")]
    dir: PathBuf,
    /// Threads [default: one per core]; one thread is deterministic
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.method {
        Method::Td(args) => td(&args),
        Method::Cnn(args) => cnn(&args),
        Method::Pso(args) => tune::pso(&args),
        Method::Cmaes(args) => tune::cmaes(&args),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn cnn(args: &CnnArgs) -> anyhow::Result<ExitCode> {
    let folder = args.dir.display();
    prepare_folder(&args.dir).with_context(|| format!("--dir {folder}"))?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let lesson = Lesson { starts: args.starts, pieces: args.pieces, chunk: args.pieces / 40 };
    let bar = ProgressBar::new(40 * lesson.starts);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} chunks  {elapsed}  {msg}") {
        bar.set_style(style);
    }
    let interrupt = interrupt::flag()?;
    let finished = cnn::train(&lesson, &args.dir, jobs, &interrupt, &|row| {
        bar.inc(1);
        bar.set_message(format!(
            "start {}: {:.0} lines, {:.0} points per game",
            row.start, row.lines, row.points
        ));
    })?;
    bar.finish_and_clear();
    if finished {
        answer(&format!("{folder}/cnn.bin written, {folder}/curve.csv has the learning curve"))?;
        Ok(ExitCode::SUCCESS)
    } else {
        eprintln!("maxout: interrupted; starts that were finished are in {folder}");
        Ok(ExitCode::from(INTERRUPTED))
    }
}

fn td(args: &TdArgs) -> anyhow::Result<ExitCode> {
    let schedule = match &args.schedule {
        Some(path) => {
            let context = || path.display().to_string();
            Schedule::parse(&fs::read_to_string(path).with_context(context)?).with_context(context)?
        }
        None => Schedule::parse(SHIPPED)?,
    };
    prepare_folder(&args.dir).with_context(|| format!("--dir {}", args.dir.display()))?;
    let jobs = args.jobs.map_or_else(cores, usize::from) as u64;
    let bar = ProgressBar::new(schedule.chunks());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} chunks  {elapsed}  {msg}") {
        bar.set_style(style);
    }
    let interrupt = interrupt::flag()?;
    let finished = train(&schedule, &args.dir, jobs, &interrupt, &mut |chunk| {
        bar.set_position(chunk.done);
        bar.set_message(format!("tetris rate {:.3}, {:.0} pieces/s", chunk.tetris_rate, chunk.speed));
    })?;
    bar.finish_and_clear();
    let folder = args.dir.display();
    if finished {
        answer(&format!("{folder}/weights.bin written, {folder}/curve.csv has the learning curve"))?;
        Ok(ExitCode::SUCCESS)
    } else {
        eprintln!("maxout: interrupted; the same command goes on from {folder}/checkpoint.bin");
        Ok(ExitCode::from(INTERRUPTED))
    }
}
