//! Runs a training schedule: stages of chunks, a checkpoint and a line of the learning curve after each chunk.
//!
//! Each chunk begins with fresh games and with random numbers of its own, so a run that was interrupted and
//! resumed learns what an uninterrupted one does (with one thread, or with games in rounds; else threads race).

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use thiserror::Error;

use super::curve;
use super::td::{Progress, Rules, Tables, learn, learn_in_rounds};
use crate::files::{self, Bounded};
use crate::parallel::team::Team;
use crate::text::{brief, is_control, quoted};
use crate::words::count;
use maxout_engine::eval::ntuple::speed;
use maxout_engine::eval::weights;
use maxout_host::pool;

/// The schedule that made the shipped weights.
pub const SHIPPED: &str = include_str!("schedule.toml");
/// First bytes of a checkpoint: format and version.
pub(crate) const CHECKPOINT: &[u8; 20] = b"maxout-checkpoint 2\n";
/// First bytes of a sum of weights.
const MEAN: &[u8; 14] = b"maxout-mean 2\n";

/// Most games side by side: each has its own random numbers.
const GAMES: u32 = 1 << 16;
/// Most chunks of a schedule, and most pieces of each: what adds them up stays within its numbers.
const CHUNKS: u64 = 1_000_000;
const PIECES: u64 = 1_000_000_000_000;
/// Most candidates; few pieces have as many placements.
const CANDIDATES: usize = 128;
/// Most fans of placements that games side by side hold, each of some 20 KB: one a game and one a candidate.
const FANS: usize = 1 << 14;
/// The worst that a lost game may be worth, in tetrises.
const DEATH: f32 = -1000.0;
/// Most stages, and most characters of the name of one.
const STAGES: usize = 1000;
const NAME: usize = 80;

/// Most bytes of a schedule.
pub const MAX_BYTES: u64 = 1 << 20;
/// Most bytes of a learning curve.
const MAX_CURVE: u64 = 64 << 20;
/// Bytes of a checkpoint and of a sum of weights, behind the checksum.
const CHECKPOINT_BYTES: u64 = 8 + 12 * Tables::WEIGHTS as u64;
const MEAN_BYTES: u64 = 16 + 4 * Tables::WEIGHTS as u64;
/// How often those who wait for a chunk are told how far it is.
const OFTEN: Duration = Duration::from_millis(200);

/// A training run, as written in TOML.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Pieces of a chunk, over all threads.
    pub chunk_pieces: u64,
    /// Games that are played side by side, in rounds, so that threads and ranks do not change what is learned. Without
    /// it each thread plays a game of its own and they race.
    #[serde(default)]
    pub games: Option<u32>,
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
    /// Whether `weights.bin` will be the mean of the tables after each chunk of this stage; of the last stage only.
    #[serde(default)]
    pub average: bool,
    /// Whether the large tables tell pile heights apart; the first such stage begins with the same in all bands.
    #[serde(default)]
    pub by_height: bool,
    /// Share of stacks, those of the least value, that are played again with other pieces; 0 for none.
    #[serde(default)]
    pub drill: f32,
}

impl Stage {
    /// Refuses what cannot be played; `games` are those side by side.
    fn check(&self, games: Option<u32>) -> Result<(), String> {
        let &Self { ref name, chunks, candidates, death, average, drill, .. } = self;
        // The name is a field of a table.
        if name.chars().count() > NAME || name.contains(|c: char| c == ',' || c == '"' || is_control(c)) {
            return Err(format!("expected a name of at most {NAME} characters without commas or quotes"));
        }
        if average && chunks == 0 {
            return Err("chunks = 0, expected at least 1 where `average` asks for their mean".to_owned());
        }
        if !(1..=CANDIDATES).contains(&candidates) {
            return Err(format!("candidates = {candidates}: expected from 1 to {CANDIDATES}"));
        }
        if let Some(games) = games.filter(|&games| games as usize * (candidates + 1) > FANS) {
            let expected = format!("expected games × (candidates + 1) of at most {FANS}");
            return Err(format!("games = {games} with candidates = {candidates}: {expected}"));
        }
        if !(DEATH..=0.0).contains(&death) {
            return Err(format!("death = {death:?}: expected from {DEATH} to 0"));
        }
        if !(0.0..=0.5).contains(&drill) {
            return Err(format!("drill = {drill:?}: expected from 0 to 0.5"));
        }
        Ok(())
    }
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
    #[error("{}: damaged or of another version, expected one of this version or another folder", .0.display())]
    Checkpoint(PathBuf),
    /// The stage in progress averages, and not all of its chunks are in the sum.
    #[error("{}: expected the sum, up to chunk {done}, that `average` asks for, or another folder", path.display())]
    Mean {
        /// The file.
        path: PathBuf,
        /// Chunks done.
        done: u64,
    },
    /// Several processes, and threads that race.
    #[error("schedule: expected `games = N` for a training over several ranks, games played side by side")]
    Racing,
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
        let schedule: Self = toml::from_str(text).map_err(|e| TrainError::Schedule(brief(&e)))?;
        schedule.check().map_err(TrainError::Schedule)?;
        Ok(schedule)
    }

    /// Refuses what training would break off at, or run out of memory.
    fn check(&self) -> Result<(), String> {
        if !(1..=STAGES).contains(&self.stage.len()) {
            return Err(format!("{} stages: expected from 1 to {STAGES}", self.stage.len()));
        }
        let chunks = self.stage.iter().try_fold(0u64, |sum, stage| sum.checked_add(stage.chunks));
        if chunks.is_none_or(|chunks| chunks > CHUNKS) {
            return Err(format!("expected at most {CHUNKS} chunks in all"));
        }
        if let Some(games) = self.games.filter(|games| !(1..=GAMES).contains(games)) {
            return Err(format!("games = {games}: expected from 1 to {GAMES}"));
        }
        // Without games side by side each thread plays one.
        let fewest = self.games.map_or(1, u64::from);
        for pieces in self.stage.iter().filter_map(|stage| stage.chunk_pieces).chain([self.chunk_pieces]) {
            if !(fewest..=PIECES).contains(&pieces) {
                let games = if fewest > 1 { ", the number of games," } else { "" };
                return Err(format!("chunk_pieces = {pieces}: expected from {fewest}{games} to {PIECES}"));
            }
        }
        self.stage.iter().try_for_each(|stage| {
            stage.check(self.games).map_err(|message| format!("stage {}: {message}", quoted(&stage.name)))
        })
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

/// What [`train`] tells while it works.
#[derive(Clone, Copy, Debug)]
pub enum News {
    /// So many pieces were placed in earlier runs: those of the checkpoint.
    Begun(u64),
    /// So many pieces are placed in all, those of the chunk in progress included.
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

/// Trains in `folder`, going on from its checkpoint if there is one, and leaves `weights.bin` there. The work is
/// shared by a `team`, each member with `jobs` threads; only the leader has and needs the folder. `report`
/// hears of each chunk, and of the pieces within it. True if the schedule was finished, false if `interrupt` came first, or if the leader failed; then
/// the last checkpoint is where the next run goes on.
pub fn train(
    schedule: &Schedule,
    folder: &Path,
    (jobs, team): (usize, &dyn Team),
    interrupt: &AtomicBool,
    report: &mut dyn FnMut(News),
) -> Result<bool, TrainError> {
    if schedule.games.is_none() && team.members() > 1 {
        return Err(TrainError::Racing);
    }
    let Some((mut files, mut done, tables)) = Files::open(schedule, folder, team)? else { return Ok(false) };
    report(News::Begun(schedule.pieces(done)));
    while let Some((stage, first)) = schedule.stage_of(done) {
        let spread_before = done.checked_sub(1).and_then(|done| schedule.stage_of(done));
        if first && stage.by_height && spread_before.is_some_and(|(before, _)| !before.by_height) {
            tables.spread();
        }
        if first && stage.restart_steps {
            tables.restart_steps();
        }
        if first {
            tables.spread_to(speed(stage.level));
        }
        let begun = Instant::now();
        let &Stage { level, candidates, death, by_height, drill, .. } = stage;
        let rules = Rules { level, candidates, death, by_height, drill };
        let pieces = stage.chunk_pieces.unwrap_or(schedule.chunk_pieces);
        let progress = Progress::default();
        let before = schedule.pieces(done);
        let seed = |game: u64| {
            schedule.seed ^ (done << 16 | game).wrapping_add(1).wrapping_mul(0xD134_2543_DE82_EF95)
        };
        let mut told = |pieces| report(News::Pieces(before + pieces));
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
            stage.name,
            schedule.pieces(done),
            lines / count(&progress.deaths).max(1.0)
        );
        let saved = if team.leads() { files.save((stage, first), done, &tables, &row) } else { Ok(()) };
        let all = team.all(saved.is_ok());
        saved?;
        if !all {
            return Ok(false);
        }
        report(News::Chunk(Chunk { done, tetris_rate, speed: count(&progress.pieces) / seconds }));
    }
    if team.leads() {
        files.finish(schedule, done, &tables)?;
    }
    Ok(true)
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

/// What a training leaves in its folder. Members who do not lead have none of it.
struct Files {
    folder: PathBuf,
    /// The learning curve.
    rows: String,
    mean: Mean,
}

impl Files {
    /// What is in the folder, the chunks that were done and what they learned, for all members. `None` for those who do not
    /// lead if the leader failed.
    fn open(
        schedule: &Schedule,
        folder: &Path,
        team: &dyn Team,
    ) -> Result<Option<(Self, u64, Tables)>, TrainError> {
        let read = if team.leads() { Self::read(schedule, folder).map(Some) } else { Ok(None) };
        let at_leader = if team.members() == 1 {
            None
        } else {
            // Nothing if the leader failed; else the chunks done and, if there are some, the tables.
            let message = match &read {
                Ok(Some((_, Some((done, tables))))) => [&done.to_le_bytes()[..], &tables.to_bytes()].concat(),
                Ok(Some((_, None))) => 0u64.to_le_bytes().to_vec(),
                _ => Vec::new(),
            };
            team.exchange(message).into_iter().next()
        };
        if let Some((files, begun)) = read? {
            let (done, tables) = begun.unwrap_or_else(|| (0, Tables::new()));
            return Ok(Some((files, done, tables)));
        }
        let files = Self { folder: folder.to_owned(), rows: String::new(), mean: Mean::default() };
        let begun = at_leader.as_deref().and_then(<[u8]>::split_first_chunk::<8>).map(|(done, tables)| {
            (files, u64::from_le_bytes(*done), Tables::from_bytes(tables).unwrap_or_default())
        });
        Ok(begun)
    }

    /// What is in the folder, with the chunks done and the tables if there is a checkpoint.
    fn read(schedule: &Schedule, folder: &Path) -> Result<(Self, Option<(u64, Tables)>), TrainError> {
        let begun = load(&folder.join("checkpoint.bin"))?;
        let path = folder.join("mean.bin");
        let mean = Mean::load(&path)?;
        let done = begun.as_ref().map_or(0, |(done, _)| (*done).min(schedule.chunks()));
        let stage = done.checked_sub(1).and_then(|last| schedule.stage_of(last));
        if stage.is_some_and(|(stage, _)| stage.average) && mean.last < done {
            return Err(TrainError::Mean { path, done });
        }
        let rows =
            if begun.is_some() { read_curve(&folder.join("curve.csv"))? } else { curve::HEADER.to_owned() };
        Ok((Self { folder: folder.to_owned(), rows, mean }, begun))
    }

    /// Writes what a chunk of a stage, perhaps its first, has come to.
    fn save(
        &mut self,
        (stage, first): (&Stage, bool),
        done: u64,
        tables: &Tables,
        row: &str,
    ) -> Result<(), TrainError> {
        let Self { folder, rows, mean } = self;
        *rows += row;
        if stage.average {
            if first {
                *mean = Mean::default();
            }
            mean.add(done, tables);
            mean.save(&folder.join("mean.bin"))?;
        }
        seal(&folder.join("checkpoint.bin"), CHECKPOINT, &[&done.to_le_bytes(), &tables.to_bytes()])?;
        write(&folder.join("curve.csv"), rows.as_bytes())?;
        // A curve that cannot be drawn is no reason to stop training.
        if let Ok(picture) = curve::plot(rows) {
            write(&folder.join("curve.svg"), picture.as_bytes())?;
        }
        Ok(())
    }

    /// Writes the weights.
    fn finish(&self, schedule: &Schedule, done: u64, tables: &Tables) -> Result<(), TrainError> {
        let Self { folder, mean, .. } = self;
        let pieces = schedule.pieces(done);
        let (average, by_height) =
            schedule.stage.last().map_or((false, false), |last| (last.average, last.by_height));
        let (network, of) = if average {
            (tables.network_of(&mean.weights(), by_height), format!(", mean of the last {}", mean.chunks))
        } else {
            (tables.network(by_height), String::new())
        };
        let how = format!("td, {done} chunks{of}, {pieces} pieces, seed {}", schedule.seed);
        let path = folder.join("weights.bin");
        let file = weights::encode(&network, &how)
            .map_err(|source| TrainError::Io { path: path.clone(), source })?;
        write(&path, &file)
    }
}

/// Sum of the weights after each of some chunks. Single weights keep moving about what they should be; their mean
/// does less so.
#[derive(Default)]
struct Mean {
    /// The last chunk that was added.
    last: u64,
    chunks: u64,
    sum: Vec<f32>,
}

impl Mean {
    /// Adds the weights after chunk `done`, unless it was added before a training that was cut off.
    fn add(&mut self, done: u64, tables: &Tables) {
        if done <= self.last {
            return;
        }
        self.sum.resize(tables.weights().len(), 0.0);
        self.sum.iter_mut().zip(tables.weights()).for_each(|(sum, weight)| *sum += weight);
        (self.last, self.chunks) = (done, self.chunks + 1);
    }

    fn weights(&self) -> Vec<f32> {
        self.sum.iter().map(|sum| sum / self.chunks as f32).collect()
    }

    fn save(&self, path: &Path) -> Result<(), TrainError> {
        let sum: Vec<u8> = self.sum.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        seal(path, MEAN, &[&self.last.to_le_bytes(), &self.chunks.to_le_bytes(), &sum])
    }

    fn load(path: &Path) -> Result<Self, TrainError> {
        let Some(bytes) = unseal(path, MEAN, MEAN_BYTES)? else { return Ok(Self::default()) };
        let parse = || {
            let (last, rest) = bytes.split_first_chunk::<8>()?;
            let (chunks, rest) = rest.split_first_chunk::<8>()?;
            let (sum, rest) = rest.as_chunks::<4>();
            let (last, chunks) = (u64::from_le_bytes(*last), u64::from_le_bytes(*chunks));
            let sum: Vec<f32> = sum.iter().map(|&sum| f32::from_le_bytes(sum)).collect();
            let whole = rest.is_empty() && chunks > 0 && sum.len() == Tables::WEIGHTS;
            whole.then_some(Self { last, chunks, sum })
        };
        parse().ok_or_else(|| TrainError::Checkpoint(path.to_owned()))
    }
}

/// The learning curve so far. What is none of its rows is left out and told of.
fn read_curve(path: &Path) -> Result<String, TrainError> {
    let bytes = match files::read(path, MAX_CURVE) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(TrainError::Io { path: path.to_owned(), source }),
    };
    let (rows, wrong) = curve::rows(&bytes);
    if let Some(first) = wrong.first() {
        let others = if wrong.len() > 1 {
            format!(" and {}", count(wrong.len() as u64 - 1, "other"))
        } else {
            String::new()
        };
        let expected = curve::HEADER.trim_end();
        log::warn!("{}: line {first}{others} left out, expected rows of {expected}", path.display());
    }
    Ok(rows)
}

/// Reads a checkpoint as a training would that goes on from it, and no more.
pub(crate) fn look(folder: &Path) -> Result<(), TrainError> {
    load(&folder.join("checkpoint.bin")).map(|_| ())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    files::write(path, bytes).map_err(|source| TrainError::Io { path: path.to_owned(), source })
}

/// Writes `magic`, a CRC-32 of all parts, and the parts.
fn seal(path: &Path, magic: &[u8], parts: &[&[u8]]) -> Result<(), TrainError> {
    let mut crc = crc32fast::Hasher::new();
    for part in parts {
        crc.update(part);
    }
    let head = [magic, &crc.finalize().to_le_bytes()].concat();
    files::write_with(path, |file| {
        file.write_all(&head)?;
        parts.iter().try_for_each(|part| file.write_all(part))
    })
    .map_err(|source| TrainError::Io { path: path.to_owned(), source })
}

/// The parts that were [sealed](seal), one behind the other and at most `limit` bytes, if the file is there.
fn unseal(path: &Path, magic: &[u8], limit: u64) -> Result<Option<Vec<u8>>, TrainError> {
    let failed = |source| TrainError::Io { path: path.to_owned(), source };
    let mut file = match files::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(failed(source)),
    };
    let mut head = Vec::new();
    (&mut file).take(magic.len() as u64 + 4).read_to_end(&mut head).map_err(failed)?;
    // Before the rest is read: it may be long.
    let Some(crc) = head.strip_prefix(magic).and_then(|crc| crc.first_chunk::<4>()) else {
        return Err(TrainError::Checkpoint(path.to_owned()));
    };
    let mut parts = Vec::new();
    Bounded::new(file, limit).read_to_end(&mut parts).map_err(failed)?;
    if u32::from_le_bytes(*crc) != crc32fast::hash(&parts) {
        return Err(TrainError::Checkpoint(path.to_owned()));
    }
    Ok(Some(parts))
}

/// The chunks done and the tables of a checkpoint, if the file is there.
fn load(path: &Path) -> Result<Option<(u64, Tables)>, TrainError> {
    let Some(bytes) = unseal(path, CHECKPOINT, CHECKPOINT_BYTES)? else { return Ok(None) };
    let parts = bytes
        .split_first_chunk::<8>()
        .and_then(|(done, tables)| Some((u64::from_le_bytes(*done), Tables::from_bytes(tables)?)));
    parts.map(Some).ok_or_else(|| TrainError::Checkpoint(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_curve_with_a_bad_line_keeps_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("curve.csv");
        assert_eq!(read_curve(&path).expect("none yet"), curve::HEADER);
        let row = "1,a,5000,2.0,0.5000,12\n";
        let file = [curve::HEADER.as_bytes(), row.as_bytes(), b"2,\xFF,1,1,1,1\n"].concat();
        write(&path, &file).expect("written");
        assert_eq!(read_curve(&path).expect("read"), format!("{}{row}", curve::HEADER));
    }

    #[test]
    fn what_would_break_off_or_run_out_of_memory_is_refused_before() {
        let parse = |top: &str, stage: &str| {
            let text = format!(
                "seed = 1\nchunk_pieces = 50\n{top}\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 1\n\
                 [[stage]]\nname = \"b\"\nlevel = 19\n{stage}"
            );
            Schedule::parse(&text).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(parse("", "chunks = 0"), Ok(()));
        assert_eq!(parse("games = 50", "chunks = 1\ncandidates = 128\ndeath = -10.0"), Ok(()));
        for (top, stage, culprit) in [
            ("", "chunks = 0\naverage = true", "chunks = 0"),
            ("", "chunks = 1\ncandidates = 9223372036854775807", "candidates = 9223372036854775807"),
            ("", "chunks = 1\ncandidates = 0", "candidates = 0"),
            ("games = 65537", "chunks = 1", "games = 65537"),
            ("games = 40", "chunks = 1\ncandidates = 128\nchunk_pieces = 30", "chunk_pieces = 30"),
            ("", "chunks = 1\ndeath = -inf", "death = -inf"),
            ("", "chunks = 1\ndeath = -1e300", "death = -inf"),
            ("", "chunks = 1\ndeath = nan", "death = NaN"),
            ("", "chunks = 1\ndeath = 1.0", "death = 1.0"),
            ("", "chunks = 1\ndrill = 0.6", "drill = 0.6"),
        ] {
            let error = parse(top, stage).expect_err(culprit);
            assert!(error.contains(culprit) && error.contains("expected"), "{error}");
        }
        let many = "seed = 1\nchunk_pieces = 60000\ngames = 60000\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 1\n";
        let error = Schedule::parse(many).expect_err("too many").to_string();
        assert!(error.contains("games = 60000"), "{error}");
    }

    proptest! {
        /// Tables are 486 MB, so no short file has them, sealed or not.
        #[test]
        fn any_short_file_is_refused(wild in proptest::collection::vec(any::<u8>(), 0..100), sealed: bool) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            for magic in [&CHECKPOINT[..], MEAN, b""] {
                if sealed {
                    seal(&path, magic, &[&wild]).expect("written");
                    prop_assert_eq!(unseal(&path, magic, 1_000).expect("sealed"), Some(wild.clone()));
                } else {
                    write(&path, &[magic, &wild].concat()).expect("written");
                }
                prop_assert!(load(&path).is_err() && Mean::load(&path).is_err());
            }
        }
    }
}
