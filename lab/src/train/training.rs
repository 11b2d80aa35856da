//! Runs a training [`Schedule`]: stages of chunks, a checkpoint and a line of the learning curve after each chunk.
//!
//! Each chunk begins with fresh games and with random numbers of its own, so a run that was interrupted and
//! resumed learns what an uninterrupted one does (with one thread, or with games in rounds; else threads race).

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::error::TrainError;
use super::folder::Files;
use super::lists::Learned;
use super::schedule::Schedule;
use super::td::{Tables, TrainingProgress, learn, learn_in_rounds};
use crate::team::Team;
use maxout::files::csv::as_text;
use maxout_engine::eval::ntuple::{Ntuple59, Ntuple90, TableList};
use maxout_host::pool;

/// How often those who wait for a chunk are told how far it is.
const OFTEN: Duration = Duration::from_millis(200);

/// What [`train`] tells while it works.
#[derive(Clone, Copy, Debug)]
pub enum TrainingNews {
    /// The number of pieces that earlier runs placed: those of the checkpoint.
    Begun(u64),
    /// The number of pieces placed in all, with the chunk in progress.
    Pieces(u64),
    /// A chunk is done.
    Chunk(Chunk),
}

/// What a chunk showed.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    /// Chunks done, this one included.
    pub done: u64,
    /// Share of lines that were cleared four at a time.
    pub tetris_rate: f64,
    /// Pieces per second.
    pub speed: f64,
}

/// Trains in `folder`, going on from its checkpoint if there is one, and leaves `weights.bin` there (`speed.bin`, if the schedule is for
/// one speed of fall alone). The work is
/// shared by the `workers`, a team whose members have `jobs` threads each; only the leader has and needs the folder. `report`
/// hears of each chunk, and of the pieces within it. True if the schedule was finished, false if `interrupt` came first,
/// or if the leader failed; then the last checkpoint is where the next run goes on.
pub fn train(
    schedule: &Schedule,
    folder: &Path,
    workers: (usize, &dyn Team),
    interrupt: &AtomicBool,
    report: &mut dyn FnMut(TrainingNews),
) -> Result<bool, TrainError> {
    if schedule.plateau {
        train_list::<Ntuple90>(schedule, folder, workers, interrupt, report)
    } else {
        train_list::<Ntuple59>(schedule, folder, workers, interrupt, report)
    }
}

/// [`train`] for the list `L`.
fn train_list<L: Learned>(
    schedule: &Schedule,
    folder: &Path,
    (jobs, team): (usize, &dyn Team),
    interrupt: &AtomicBool,
    report: &mut dyn FnMut(TrainingNews),
) -> Result<bool, TrainError> {
    if schedule.games.is_none() && team.members() > 1 {
        return Err(TrainError::Racing);
    }
    let room = room::<L>();
    let all = team.all(room.is_ok());
    room?;
    if !all {
        return Ok(false);
    }
    let Some((mut files, mut done, tables)) = Files::open::<L>(schedule, folder, team)? else {
        return Ok(false);
    };
    report(TrainingNews::Begun(schedule.pieces(done)));
    while let Some((stage, first)) = schedule.stage_of(done) {
        let spread_before = done.checked_sub(1).and_then(|done| schedule.stage_of(done));
        if first && stage.by_height && spread_before.is_some_and(|(before, _)| !before.by_height) {
            tables.spread();
        }
        if first && stage.restart_steps {
            tables.restart_steps();
        }
        let begun = Instant::now();
        let rules = stage.rules(schedule);
        if first {
            tables.spread_to(rules.speed());
        }
        let pieces = stage.chunk_pieces.unwrap_or(schedule.chunk_pieces);
        let progress = TrainingProgress::default();
        let before = schedule.pieces(done);
        let seed = |game: u64| {
            schedule.seed ^ (done << 16 | game).wrapping_add(1).wrapping_mul(0xD134_2543_DE82_EF95)
        };
        let mut told = |pieces| report(TrainingNews::Pieces(before + pieces));
        let learned = if let Some(games) = schedule.games.map(u64::from) {
            let seeds: Vec<u64> = (0..games).map(seed).collect();
            let mut go_on = |pieces| {
                told(pieces);
                !interrupt.load(Ordering::Relaxed)
            };
            learn_in_rounds(&tables, rules, &seeds, pieces / games, (jobs, team), &progress, &mut go_on)
        } else {
            let jobs = jobs as u64;
            let learn = |job| learn(&tables, rules, seed(job), pieces / jobs, &progress, interrupt);
            race(jobs, &learn, &progress.pieces, &mut told);
            !interrupt.load(Ordering::Relaxed)
        };
        if !learned {
            return Ok(false);
        }
        done += 1;
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let seconds = begun.elapsed().as_secs_f64();
        let lines = count(&progress.lines);
        let tetris_rate = count(&progress.tetris_lines) / lines.max(1.0);
        let row = format!(
            "{done},{},{},{seconds:.1},{tetris_rate:.4},{:.0}\n",
            as_text(&stage.name),
            schedule.pieces(done),
            lines / count(&progress.deaths).max(1.0)
        );
        let last = schedule.stage_of(done).is_none_or(|(_, first)| first);
        let saved = if team.leads() { files.save((stage, first, last), done, &tables, &row) } else { Ok(()) };
        let all = team.all(saved.is_ok());
        saved?;
        if !all {
            return Ok(false);
        }
        if last && stage.settle {
            tell(team, &tables);
        }
        report(TrainingNews::Chunk(Chunk { done, tetris_rate, speed: count(&progress.pieces) / seconds }));
    }
    if team.leads() {
        files.finish(schedule, done, &tables)?;
    }
    Ok(true)
}

/// Fails where the system does not give the memory of a training, before anything is done: the tables, their bytes, a mean, and the
/// weights that are rounded for play.
fn room<L: TableList>() -> Result<(), TrainError> {
    let bytes = 4 * Tables::<L>::WEIGHTS * (3 + 3 + 1 + 2);
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes).map_err(|_| TrainError::Memory(bytes >> 20))
}

/// Gives all members of the team the tables of the leader, who alone has the mean.
fn tell<L: TableList>(team: &dyn Team, tables: &Tables<L>) {
    if team.members() == 1 {
        return;
    }
    let message = if team.leads() { tables.to_bytes() } else { Vec::new() };
    if let Some(leader) = team.exchange(message).iter().find_map(|bytes| Tables::<L>::from_bytes(bytes)) {
        tables.assign(&leader.weights().collect::<Vec<_>>());
    }
}

/// Lets `learn` do each of `jobs`, all at once as far as there are threads; meanwhile `told` hears of the pieces.
fn race(jobs: u64, learn: &(dyn Fn(u64) + Sync), pieces: &AtomicU64, told: &mut dyn FnMut(u64)) {
    thread::scope(|scope| {
        // Nothing is sent: the channel closes when all is done.
        let (busy, over) = mpsc::channel::<()>();
        let all = move || pool::share(0..jobs, learn);
        let started = thread::Builder::new().spawn_scoped(scope, move || {
            all();
            drop(busy);
        });
        if started.is_err() {
            all();
        }
        while over.recv_timeout(OFTEN) == Err(mpsc::RecvTimeoutError::Timeout) {
            told(pieces.load(Ordering::Relaxed));
        }
    });
}
