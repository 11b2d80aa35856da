//! `maxout-lab train`: weights from nothing.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;

use super::training::{End, prepare};
use super::tune;
use crate::team::{Alone, Team, from_leader};
use crate::train::cnn::{self, Lesson};
use crate::train::fall_speed::FallSpeed;
use crate::train::hazard::{CHECKPOINT_FILE, HAZARD_FILE, train_hazard};
use crate::train::schedule::{self, MAX_BYTES, PLATEAU, SHIPPED, Schedule};
use crate::train::{TrainingNews, train};
use maxout::cli::args::values::whole;
use maxout::cli::exit::{INTERRUPTED, cores};
use maxout::cli::interrupt;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::{answer, say};
use maxout::files::read_text;
use maxout_engine::limits::{Reaction, TapTable};

/// The tap speeds that have a schedule.
const SPEEDS: &str = "30hz, 24hz, 20hz, 15hz, 12hz, 10hz or slow5";

/// `maxout-lab train`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    method: Method,
}

#[derive(Subcommand)]
enum Method {
    /// Learn the tables of the value by temporal differences, in self-play from nothing
    Td(TdArgs),
    /// Learn the probability of losing the game from each board, which --aggression uses
    Hazard(HazardArgs),
    /// Learn a small convolutional network by temporal differences, from several independent starts
    Cnn(CnnArgs),
    /// Search the 17 weights of the bot of 2018 with a particle swarm
    Pso(tune::PsoArgs),
    /// Search the same weights with an evolution strategy that adapts its covariance matrix
    Cmaes(tune::CmaesArgs),
}

#[derive(clap::Args)]
struct HazardArgs {
    /// Chunks of a million pieces
    #[arg(long, default_value_t = 16, value_parser = whole::<u64>(1..=100_000))]
    chunks: u64,
    /// Folder for checkpoint and hazard; training resumes from a checkpoint in it
    #[arg(long, default_value = "checkpoints/hazard", value_name = "DIR")]
    dir: PathBuf,
    /// Threads [default: one per core]; the result is the same for any number
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
}

#[derive(clap::Args)]
struct CnnArgs {
    /// Independent starts, one thread each
    #[arg(long, default_value_t = 3, value_parser = whole::<u64>(1..=1_000))]
    starts: u64,
    /// Pieces of each start
    #[arg(long, default_value_t = 400_000, value_parser = whole::<u64>(1_000..))]
    pieces: u64,
    /// Folder for learning curve and weights, which has none yet
    #[arg(long, default_value = "checkpoints/cnn", value_name = "DIR")]
    dir: PathBuf,
    /// Threads [default: one per core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
}

#[derive(clap::Args)]
struct TdArgs {
    /// Schedule (TOML) [default: the schedule of the shipped weights]
    #[arg(long, value_name = "FILE")]
    schedule: Option<PathBuf>,
    /// Learn the small tables for a tap speed (30hz, 24hz, 20hz, 15hz, 12hz, 10hz or slow5), on top of the shipped weights
    #[arg(long, value_name = "T", conflicts_with = "schedule")]
    taps: Option<TapTable>,
    /// With --taps: learn all tables for one speed of fall: early (levels up to 18), plateau (19 to 28; at 30hz it needs --reaction),
    /// killscreen (from 29 on) or double-killscreen (from 39 on, two rows a frame)
    #[arg(long, value_name = "SPEED", value_enum, requires = "taps")]
    alone: Option<FallSpeed>,
    /// With --alone: the players' reaction delay: for how many frames of a piece the new next piece is not known, or none-after-spawn
    #[arg(long, value_name = "R", default_value = "0", requires = "alone")]
    reaction: Reaction,
    /// Learn the network for levels 19 to 28 at 30 Hz, which has more tables, on top of the shipped weights
    #[arg(long, conflicts_with_all = ["schedule", "taps"])]
    plateau: bool,
    /// Folder for checkpoint, learning curve and weights; training resumes from a checkpoint in it [default: checkpoints/td,
    /// with --taps T checkpoints/T, with --alone SPEED checkpoints/T-SPEED, with --reaction R other than 0 checkpoints/T-SPEED-R, with --plateau checkpoints/plateau]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Threads [default: one per core]; one thread is deterministic, and so is a schedule with `games`
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let team = team()?;
    let team = &*team;
    let done = match args.method {
        Method::Td(args) => td(&args, team),
        Method::Hazard(args) => hazard(&args, team),
        Method::Cnn(args) => cnn(&args, team),
        Method::Pso(args) => tune::pso(&args, team),
        Method::Cmaes(args) => tune::cmaes(&args, team),
    };
    // The leader tells of all.
    if !team.leads() {
        return Ok(ExitCode::SUCCESS);
    }
    match done? {
        End::Finished(told) => {
            answer(&told)?;
            Ok(ExitCode::SUCCESS)
        }
        End::Interrupted(told) => {
            say!("interrupted; {told}");
            Ok(ExitCode::from(INTERRUPTED))
        }
        End::LeaderFailed => Ok(ExitCode::SUCCESS),
    }
}

/// Those who share the work.
#[cfg(feature = "mpi")]
fn team() -> anyhow::Result<Box<dyn Team>> {
    Ok(match crate::ranks::Ranks::join()? {
        Some(ranks) => Box::new(ranks),
        None => Box::new(Alone),
    })
}

/// Those who share the work.
#[cfg(not(feature = "mpi"))]
#[expect(clippy::unnecessary_wraps, reason = "an MPI job may not be there to join")]
fn team() -> anyhow::Result<Box<dyn Team>> {
    Ok(Box::new(Alone))
}

/// Trains the hazard in one process; further ranks have nothing to do.
fn hazard(args: &HazardArgs, team: &dyn Team) -> anyhow::Result<End> {
    if !team.leads() {
        return Ok(End::LeaderFailed);
    }
    prepare(&args.dir)?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(args.chunks, "chunks");
    let finished = train_hazard(args.chunks, &args.dir, jobs, &interrupt, &mut |chunk| {
        bar.set(chunk.done);
        bar.message(format!("{} games lost in {} pieces", chunk.lost, chunk.pieces));
    })?;
    bar.finish();
    Ok(if finished {
        End::Finished(format!("{} written", args.dir.join(HAZARD_FILE).display()))
    } else {
        End::interrupted(&args.dir, CHECKPOINT_FILE, "chunk")
    })
}

fn cnn(args: &CnnArgs, team: &dyn Team) -> anyhow::Result<End> {
    let folder = args.dir.display();
    let lesson = Lesson { starts: args.starts, pieces: args.pieces, chunk: args.pieces / 40 };
    // Until the end no other process can train here.
    let mut work = None;
    let begin = || {
        work = Some(cnn::begin(&lesson, &args.dir).with_context(|| format!("--dir {folder}"))?);
        Ok::<_, anyhow::Error>(())
    };
    if from_leader(team, begin)?.is_none() {
        return Ok(End::LeaderFailed);
    }
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let part = team.part(lesson.starts);
    let bar = Progress::new(40 * (part.end - part.start), "chunks");
    let interrupt = interrupt::flag()?;
    let finished = cnn::train(&lesson, &args.dir, (jobs, team), &interrupt, &|row| {
        bar.inc(1);
        bar.message(format!(
            "start {}: {:.0} lines, {:.0} points per game",
            row.start, row.lines, row.points
        ));
    })?;
    bar.finish();
    Ok(if finished {
        End::Finished(format!("{folder}/cnn.bin written, {folder}/curve.csv has the learning curve"))
    } else {
        let kept = args.dir.join("curve.csv").exists();
        let what = if kept {
            "the starts that were finished are"
        } else {
            "no start was finished; its networks so far are"
        };
        End::Interrupted(format!("{what} in {folder}"))
    })
}

fn td(args: &TdArgs, team: &dyn Team) -> anyhow::Result<End> {
    let parse = |text: &str| match &args.schedule {
        Some(path) => Schedule::parse(text).with_context(|| path.display().to_string()),
        None => Ok(Schedule::parse(text)?),
    };
    let dir = args.dir.clone().unwrap_or_else(|| {
        let name = match (args.taps, args.alone) {
            (None, _) => if args.plateau { "plateau" } else { "td" }.to_owned(),
            (Some(taps), None) => taps.to_string(),
            (Some(taps), Some(speed)) => {
                let delay = match args.reaction {
                    Reaction::NONE => String::new(),
                    reaction => format!("-{}", reaction.typed()),
                };
                format!("{taps}-{}{delay}", speed.name())
            }
        };
        Path::new("checkpoints").join(name)
    });
    let read = || {
        let text = match (&args.schedule, args.taps, args.alone) {
            (Some(path), ..) => read_text(path, MAX_BYTES).with_context(|| path.display().to_string())?,
            (None, Some(taps), Some(speed)) => speed.schedule(taps, args.reaction),
            (None, Some(taps), None) => schedule::for_taps(taps)
                .with_context(|| format!("--taps {taps}: expected {SPEEDS}"))?
                .to_owned(),
            (None, None, _) if args.plateau => PLATEAU.to_owned(),
            (None, None, _) => SHIPPED.to_owned(),
        };
        // A schedule that is refused leaves no folder behind.
        parse(&text)?;
        prepare(&dir)?;
        Ok::<_, anyhow::Error>(text)
    };
    let Some(text) = from_leader(team, read)? else { return Ok(End::LeaderFailed) };
    let schedule = parse(&text)?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let (chunks, pieces) = (schedule.chunks(), schedule.pieces(schedule.chunks()));
    let (mut bar, mut begun) = (None, 0);
    let interrupt = interrupt::flag()?;
    let finished = train(&schedule, &dir, (jobs, team), &interrupt, &mut |news| match (news, &bar) {
        (TrainingNews::Begun(before), _) => {
            begun = before;
            bar = Some(Progress::new((pieces - before).max(1), "pieces"));
        }
        (TrainingNews::Pieces(pieces), Some(bar)) => bar.set(pieces - begun),
        (TrainingNews::Chunk(chunk), Some(bar)) => {
            bar.set(schedule.pieces(chunk.done) - begun);
            let (rate, speed) = (chunk.tetris_rate, chunk.speed);
            bar.message(format!(
                "chunk {} of {chunks}: tetris rate {rate:.3}, {speed:.0} pieces/s",
                chunk.done
            ));
        }
        _ => {}
    })?;
    drop(bar);
    let folder = dir.display();
    Ok(if finished {
        let file = if schedule.alone { "speed.bin" } else { "weights.bin" };
        End::Finished(format!("{folder}/{file} written, {folder}/curve.csv has the learning curve"))
    } else {
        End::interrupted(&dir, "checkpoint.bin", "chunk")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_speed_that_is_named_has_a_schedule() {
        for speed in SPEEDS.replace(" or ", ", ").split(", ") {
            let taps: TapTable = speed.parse().expect("taps");
            assert!(schedule::for_taps(taps).is_some() && taps.to_string() == speed, "{speed}");
        }
    }
}
