//! Temporal-difference learning of the convolutional value, by self-play from nothing: [`train`].
//!
//! One piece at a time is placed where reward and value are largest; each afterstate learns the λ-return of what followed.
//! Every afterstate begins worth a few tetrises: with nothing to hope for, nothing is learned. Each start is one thread with
//! numbers of its own, so it repeats.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};

use crate::resumed::{Identity, ResumeError, ResumedFolder};
use crate::team::{Team, gather};
use crate::train::cnn_gradient::{self as gradient, untrained};
use maxout::files;
use maxout_engine::env::{Env, EnvRules, GameEnd, Gravity};
use maxout_gallery::eval::cnn::{self, Cnn};
use maxout_host::pool;
use maxout_rules::random::{Dice, splitmix64};
use maxout_rules::{Board, Placement};

/// Tetrises hoped for before anything is known.
const HOPE: f32 = 3.0;
/// Paid for every piece that finds a place, in tetrises. Without it the first games, which clear nothing, would teach
/// that nothing matters.
const ALIVE: f32 = 0.03;
/// Weight of the later in a return.
const LAMBDA: f32 = 0.6;
/// Placements between two steps of learning.
const BATCH: usize = 8;
/// Step size at the beginning; it falls to a tenth.
const STEP: f32 = 3e-3;
/// A game ends at level 29.
const LINES: u64 = 230;

/// Header of the learning curve.
pub const HEADER: &str = "start,pieces,cpu_s,games,points_per_game,lines_per_game,reached_29\n";

/// How much to learn.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Independent starts.
    pub starts: u64,
    /// Pieces of each.
    pub pieces: u64,
    /// Pieces between two rows of the curve.
    pub chunk: u64,
}

/// A row of the learning curve: the games that ended in one chunk of one start.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct LessonRow {
    /// Which start, from 0.
    pub start: u64,
    /// Pieces so far.
    pub pieces: u64,
    /// CPU seconds so far.
    pub cpu: Duration,
    /// Games that ended.
    pub games: u32,
    /// Points of each at the speed and pay of level 19, mean.
    pub points: f64,
    /// Lines of each, mean.
    pub lines: f64,
    /// Share of those games that came to 230 lines.
    pub reached: f64,
}

impl LessonRow {
    fn csv(&self) -> String {
        let Self { start, pieces, cpu, games, points, lines, reached } = self;
        let cpu = cpu.as_secs_f64();
        format!("{start},{pieces},{cpu:.1},{games},{points:.0},{lines:.1},{reached:.3}\n")
    }
}

/// What a start came to.
type Learned = (Cnn, Vec<LessonRow>);

/// Told of each chunk.
type Told<'a> = dyn Fn(&LessonRow, &Cnn) -> io::Result<()> + 'a;

/// What is in a folder as soon as a start is finished.
pub const FILES: [&str; 2] = ["cnn.bin", "curve.csv"];

/// Makes the folder for this training. One in which a start is finished is refused: training does not go on there.
pub fn begin(lesson: &Lesson, folder: &Path) -> Result<ResumedFolder, ResumeError> {
    let facts = [("starts", lesson.starts.into()), ("pieces", lesson.pieces.into())];
    let identity = Identity::new("maxout-cnn 1", "maxout-lab train cnn", "a training", facts);
    let results = || match FILES.iter().find(|name| folder.join(name).exists()) {
        Some(name) => {
            Err(io::Error::other(format!("has {name} of an earlier training, expected a folder without")))
        }
        None => Ok(None),
    };
    Ok(ResumedFolder::open(folder, identity, results)?.0)
}

/// Learns each start and writes into `folder`: after each chunk `start-N.bin`, after each start the rows of `curve.csv`,
/// and at the end `cnn.bin`, the weights of the start whose last fifth scored most. The starts are shared by a `team`,
/// each member with `jobs` threads; only the leader has the folder, and those of the others come to it at the end. `seen`
/// is told of each chunk. False if some member was interrupted; what was finished is written.
pub fn train(
    lesson: &Lesson,
    folder: &Path,
    (jobs, team): (usize, &dyn Team),
    interrupt: &AtomicBool,
    seen: &(dyn Fn(&LessonRow) + Sync),
) -> io::Result<bool> {
    let (part, leads) = (team.part(lesson.starts), team.leads());
    let file = |start| folder.join(format!("start-{start}.bin"));
    let work = |(): &mut (), index, stopped: &dyn Fn() -> bool| {
        let start = part.start + index;
        learn(lesson, start, stopped, &|row, network| {
            seen(row);
            if leads { files::write(&file(start), &network.encode()) } else { Ok(()) }
        })
    };
    let mut mine = Vec::new();
    let worked =
        pool::in_order(part.end - part.start, jobs, interrupt, || (), work, &mut |learned: Learned| {
            mine.push((learned.0.encode(), learned.1));
            if leads { write_curve(folder, &mine) } else { Ok(()) }
        });
    let learned: Vec<(Vec<u8>, Vec<LessonRow>)> =
        gather(team, worked.is_ok().then_some(&mine)).unwrap_or_default().concat();
    worked?;
    let finished = learned.len() as u64 == lesson.starts;
    if leads && !learned.is_empty() {
        write_curve(folder, &learned)?;
        for (network, rows) in &learned {
            if let Some(row) = rows.first() {
                files::write(&file(row.start), network)?;
            }
        }
        let mut best: Option<(f64, &[u8])> = None;
        for (network, rows) in &learned {
            let last = &rows[rows.len() - rows.len().div_ceil(5).min(rows.len())..];
            let points = last.iter().map(|row| row.points).sum::<f64>() / last.len().max(1) as f64;
            if best.is_none_or(|(most, _)| points > most) {
                best = Some((points, network));
            }
        }
        if let Some((_, network)) = best.filter(|_| finished) {
            files::write(&folder.join("cnn.bin"), network)?;
        }
    }
    Ok(finished)
}

/// The rows of the starts that are through.
fn write_curve(folder: &Path, learned: &[(Vec<u8>, Vec<LessonRow>)]) -> io::Result<()> {
    let rows: String = learned.iter().flat_map(|(_, rows)| rows).map(LessonRow::csv).collect();
    files::write(&folder.join("curve.csv"), (HEADER.to_owned() + &rows).as_bytes())
}

/// One placement and what came of it.
struct Step {
    /// The afterstate that is to learn.
    board: Board,
    /// What the next placement paid.
    reward: f32,
    /// What the afterstate after that is thought to be worth.
    then: f32,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The next step goes on from here.
    No,
    /// The game goes on elsewhere, or is over without being lost.
    Cut,
    /// The next piece had no place.
    Dead,
}

/// Learns one start; `None` if stopped.
fn learn(
    lesson: &Lesson,
    start: u64,
    stopped: &dyn Fn() -> bool,
    told: &Told<'_>,
) -> io::Result<Option<Learned>> {
    let begun = ThreadTime::now();
    let mut dice = Dice::new(start ^ 0xC44);
    let mut network = untrained(HOPE, || dice.signed_f32());
    let mut adam = Adam::new();
    let rules = EnvRules {
        gravity: Gravity::Fixed(19),
        until_level: None,
        until_lines: Some(LINES),
        ..EnvRules::game(19)
    };
    let mut env = Env::new(rules, splitmix64(start));
    let (mut steps, mut reachable, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut from, mut points) = (None, 0.0f64);
    let mut ended: Vec<(f64, u64)> = Vec::new();
    for piece in 1..=lesson.pieces {
        env.placements(&mut reachable);
        let placed = best(&network, env.board(), &reachable)
            .and_then(|(placement, then)| Some((env.step(placement).ok()?.lines, then)));
        if let Some((lines, then)) = placed {
            let paid = cnn::reward(lines);
            points += f64::from(paid) * 24_000.0;
            let over = env.end() == Some(GameEnd::Lines);
            if let Some(board) = from.replace(*env.board()) {
                let end = if over { End::Cut } else { End::No };
                steps.push(Step { board, reward: paid + ALIVE, then, end });
            }
            if over {
                ended.push((points, env.lines()));
                env.restart();
                (from, points) = (None, 0.0);
            }
        } else {
            if let Some(board) = from.take() {
                steps.push(Step { board, reward: 0.0, then: 0.0, end: End::Dead });
            }
            ended.push((points, env.lines()));
            env.skip_piece();
            env.restart();
            points = 0.0;
        }
        if steps.len() >= BATCH {
            let done = piece as f32 / lesson.pieces as f32;
            adam.step(&mut network, &steps, STEP * (1.0 - 0.9 * done));
            steps.clear();
        }
        if piece.is_multiple_of(256) && stopped() {
            return Ok(None);
        }
        if piece.is_multiple_of(lesson.chunk) || piece == lesson.pieces {
            let row = summary(start, piece, begun.elapsed(), &ended);
            told(&row, &network)?;
            rows.push(row);
            ended.clear();
        }
    }
    Ok(Some((network, rows)))
}

fn summary(start: u64, pieces: u64, cpu: Duration, ended: &[(f64, u64)]) -> LessonRow {
    let n = ended.len().max(1) as f64;
    let points = ended.iter().map(|game| game.0).sum::<f64>() / n;
    let lines = ended.iter().map(|game| game.1 as f64).sum::<f64>() / n;
    let reached = ended.iter().filter(|game| game.1 >= LINES).count() as f64 / n;
    LessonRow { start, pieces, cpu, games: ended.len() as u32, points, lines, reached }
}

/// The best of these placements on `board`, and the value of the board after it.
fn best(network: &Cnn, board: &Board, reachable: &[Placement]) -> Option<(Placement, f32)> {
    let mut best: Option<(f32, Placement, f32)> = None;
    for &placement in reachable {
        let mut after = *board;
        let lines = after.lock(placement.x, placement.y, placement.orientation);
        let then = network.value(&after);
        let total = cnn::reward(lines) + cnn::GAMMA * then;
        if best.is_none_or(|best| total > best.0) {
            best = Some((total, placement, then));
        }
    }
    best.map(|(_, placement, then)| (placement, then))
}

/// Kingma and Ba's step sizes, one a weight.
struct Adam {
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new() -> Self {
        let zeros = || vec![0.0; cnn::WEIGHTS];
        Self { gradient: zeros(), mean: zeros(), square: zeros(), steps: 0 }
    }

    /// Moves the value of every afterstate of `steps` towards its λ-return.
    fn step(&mut self, network: &mut Cnn, steps: &[Step], size: f32) {
        self.gradient.fill(0.0);
        let mut later = 0.0;
        for (i, step) in steps.iter().enumerate().rev() {
            let next = match step.end {
                End::Dead => 0.0,
                End::No if i + 1 < steps.len() => (1.0 - LAMBDA) * step.then + LAMBDA * later,
                End::No | End::Cut => step.then,
            };
            later = step.reward + cnn::GAMMA * next;
            let trace = network.trace(&step.board);
            let error = (trace.value - later).clamp(-1.0, 1.0);
            gradient::learn(network, &trace, error / steps.len() as f32, &mut self.gradient);
        }
        self.steps += 1;
        let (fade_mean, fade_square) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        let Self { gradient, mean, square, .. } = self;
        let mut weights = network.weights().to_vec();
        let moments = mean.iter_mut().zip(square.iter_mut());
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(&*gradient).zip(moments) {
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            *weight -= size * (*mean / fade_mean) / ((*square / fade_square).sqrt() + 1e-8);
        }
        *network = Cnn::new(weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_repeats_and_learns_to_clear_lines() {
        let learn = |pieces| {
            let lesson = Lesson { starts: 1, pieces, chunk: pieces / 16 };
            learn(&lesson, 1, &|| false, &|_, _| Ok(())).expect("writes nothing").expect("not stopped")
        };
        assert_eq!(learn(1_000).0.weights(), learn(1_000).0.weights());
        // The first 500 pieces are placed knowing next to nothing.
        let (_, rows) = learn(8_000);
        let last = rows[12..].iter().map(|row| row.lines).sum::<f64>() / 4.0;
        assert!(rows.len() == 16 && last > 2.0 * rows[0].lines, "{rows:?}");
    }
}
