//! Runs a training schedule: stages of chunks, a checkpoint and a line of the learning curve after each chunk.
//!
//! Each chunk begins with fresh games and with random numbers of its own, so a run that was interrupted and
//! resumed learns what an uninterrupted one does (with one thread; with more, threads race).

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use serde::Deserialize;
use thiserror::Error;

use super::curve;
use super::td::{Progress, Rules, Tables, learn};
use crate::eval::weights;
use crate::record::write_atomically;

/// The schedule that made the shipped weights.
pub const SHIPPED: &str = include_str!("schedule.toml");
/// First bytes of a checkpoint: format and version.
const CHECKPOINT: &[u8; 20] = b"maxout-checkpoint 1\n";

/// A training run, as written in TOML.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Pieces of a chunk, over all threads.
    pub chunk_pieces: u64,
    /// What to do, in order.
    pub stage: Vec<Stage>,
}

/// A part of a schedule.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// For the learning curve.
    pub name: String,
    /// Level whose gravity is played.
    pub level: u8,
    /// Chunks to play.
    pub chunks: u64,
    /// Pieces of a chunk of this stage, if not as many as in the others.
    #[serde(default)]
    pub chunk_pieces: Option<u64>,
    /// Placements that are followed by the next piece; 1 is greedy play.
    #[serde(default = "one")]
    pub candidates: usize,
    /// Value of a lost game, in tetrises.
    #[serde(default)]
    pub death: f32,
    /// Whether to forget step sizes first.
    #[serde(default)]
    pub restart_steps: bool,
}

fn one() -> usize {
    1
}

/// Why training ended without weights.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The schedule is none.
    #[error("schedule: {0}")]
    Schedule(String),
    /// A checkpoint is damaged or of another version.
    #[error("{}: not a checkpoint of this version; remove it to begin anew", .0.display())]
    Checkpoint(PathBuf),
    /// A file could not be read or written.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl Schedule {
    /// Reads a schedule; an error names the line.
    pub fn parse(text: &str) -> Result<Self, TrainError> {
        let schedule: Self =
            toml::from_str(text).map_err(|e| TrainError::Schedule(e.to_string().replace('\n', " ")))?;
        if schedule.stage.is_empty() || schedule.chunk_pieces == 0 {
            return Err(TrainError::Schedule(
                "expected at least one stage and chunk_pieces above 0".to_owned(),
            ));
        }
        Ok(schedule)
    }

    /// All chunks of all stages.
    pub fn chunks(&self) -> u64 {
        self.stage.iter().map(|stage| stage.chunks).sum()
    }

    /// Pieces of the first `chunks` chunks.
    pub fn pieces(&self, chunks: u64) -> u64 {
        let mut left = chunks;
        let count = |stage: &Stage| {
            let chunks = left.min(stage.chunks);
            left -= chunks;
            chunks * stage.chunk_pieces.unwrap_or(self.chunk_pieces)
        };
        self.stage.iter().map(count).sum()
    }

    /// Stage of a chunk, and whether it is the stage's first.
    fn stage_of(&self, chunk: u64) -> Option<(&Stage, bool)> {
        let mut first = 0;
        for stage in &self.stage {
            if chunk < first + stage.chunks {
                return Some((stage, chunk == first));
            }
            first += stage.chunks;
        }
        None
    }
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

/// Trains in `folder`, going on from its checkpoint if there is one, and leaves `weights.bin` there. `report`
/// hears of each chunk. True if the schedule was finished, false if `interrupt` came first; then the last
/// checkpoint is where the next run goes on.
pub fn train(
    schedule: &Schedule,
    folder: &Path,
    jobs: u64,
    interrupt: &AtomicBool,
    report: &mut dyn FnMut(Chunk),
) -> Result<bool, TrainError> {
    let checkpoint = folder.join("checkpoint.bin");
    let table = folder.join("curve.csv");
    let (mut done, tables) = load(&checkpoint)?.unwrap_or_else(|| (0, Tables::new()));
    let mut rows = if done > 0 { fs::read_to_string(&table).unwrap_or_default() } else { String::new() };
    if rows.is_empty() {
        curve::HEADER.clone_into(&mut rows);
    }
    while let Some((stage, first)) = schedule.stage_of(done) {
        if first && stage.restart_steps {
            tables.restart_steps();
        }
        let begun = Instant::now();
        let rules = Rules { level: stage.level, candidates: stage.candidates.max(1), death: stage.death };
        let pieces = stage.chunk_pieces.unwrap_or(schedule.chunk_pieces);
        let progress = Progress::default();
        thread::scope(|scope| {
            for job in 0..jobs {
                let seed =
                    schedule.seed ^ (done << 16 | job).wrapping_add(1).wrapping_mul(0xD134_2543_DE82_EF95);
                let (tables, progress) = (&tables, &progress);
                scope.spawn(move || {
                    learn(tables, rules, seed, pieces / jobs, progress, interrupt);
                });
            }
        });
        if interrupt.load(Ordering::Relaxed) {
            return Ok(false);
        }
        done += 1;
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let seconds = begun.elapsed().as_secs_f64();
        let lines = count(&progress.lines);
        let tetris_rate = count(&progress.tetris_lines) / lines.max(1.0);
        rows += &format!(
            "{done},{},{},{seconds:.1},{tetris_rate:.4},{:.0}\n",
            stage.name,
            schedule.pieces(done),
            lines / count(&progress.deaths).max(1.0)
        );
        save(&checkpoint, done, &tables)?;
        write(&table, rows.as_bytes())?;
        // A curve that cannot be drawn is no reason to stop training.
        if let Ok(picture) = curve::plot(&rows) {
            write(&folder.join("curve.svg"), picture.as_bytes())?;
        }
        report(Chunk { done, tetris_rate, speed: count(&progress.pieces) / seconds });
    }
    let pieces = schedule.pieces(done);
    let how = format!("td, {done} chunks, {pieces} pieces, seed {}", schedule.seed);
    let path = folder.join("weights.bin");
    let file = weights::encode(&tables.network(), &how)
        .map_err(|source| TrainError::Io { path: path.clone(), source })?;
    write(&path, &file)?;
    Ok(true)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    write_atomically(path, bytes).map_err(|source| TrainError::Io { path: path.to_owned(), source })
}

fn save(path: &Path, done: u64, tables: &Tables) -> Result<(), TrainError> {
    let mut bytes = CHECKPOINT.to_vec();
    bytes.extend(done.to_le_bytes());
    // A vector takes all writes.
    let _ = bytes.write_all(&tables.to_bytes());
    write(path, &bytes)
}

fn load(path: &Path) -> Result<Option<(u64, Tables)>, TrainError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(TrainError::Io { path: path.to_owned(), source }),
    };
    let parts = bytes
        .strip_prefix(CHECKPOINT)
        .and_then(<[u8]>::split_first_chunk::<8>)
        .and_then(|(done, tables)| Some((u64::from_le_bytes(*done), Tables::from_bytes(tables)?)));
    parts.map(Some).ok_or_else(|| TrainError::Checkpoint(path.to_owned()))
}
