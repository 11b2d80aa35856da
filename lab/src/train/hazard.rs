//! Learns the hazard of boards ([`Hazard`]) from games of the learned value: [`train_hazard`].
//!
//! The games are endless and at level 19. In them `maxout-2ply` chooses among the four best placements of each piece. Games
//! of a good player alone would teach little, because it is hardly ever in danger. So one piece in fifty is placed at random,
//! and after such a piece the next one is placed at random with a probability of two in five. The hazard is to tell what the
//! player makes of each board, not what the random placements do to it, so the board before a random placement learns from
//! the placement that was best.
//!
//! Games are played side by side, in rounds. In a round, all of them use the tables as they were before it. Then the tables
//! learn from all games in their order. So the result is the same for any number of threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::TrainError;
pub use super::folder::CHECKPOINT_FILE;
use super::folder::{self, seal, unseal, write};
use super::schedule::shipped_weights;
use super::td::{GAMMA, REWARD, piece_after};
use crate::random::Xorshift64Star;
use crate::resumed::Identity;
use crate::weights_file;
use maxout_engine::eval::ntuple::{DEATH, LANES, Network, Ntuple28, TableList, odds};
use maxout_engine::eval::{Hazard, Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_host::pool;
use maxout_rules::{Board, Piece, Placement};

/// First bytes of a checkpoint: format and version.
const CHECKPOINT: &[u8] = b"maxout-hazard-checkpoint 1\n";
/// The name of the learned hazard in the folder.
pub const HAZARD_FILE: &str = "hazard.bin";
/// Pieces of a chunk, over all games.
pub const CHUNK: u64 = 1_000_000;
/// Games side by side, and pieces of each in a round.
const GAMES: u64 = 64;
const ROUND: u64 = 25;
/// The probability of a random placement after one that was not random.
const SLIP: f32 = 0.02;
/// The probability of a random placement after one that was random.
const AGAIN: f32 = 0.4;
/// The level whose gravity is played.
const LEVEL: u8 = 19;
/// The number of placements of each piece from which the search goes on with the next piece.
const CANDIDATES: usize = 4;
/// Weights of the list.
const WEIGHTS: usize = Ntuple28::ENTRIES * LANES;

/// The progress after a chunk.
#[derive(Clone, Copy, Debug)]
pub struct HazardChunk {
    /// Chunks done, this one included.
    pub done: u64,
    /// Pieces placed in it.
    pub pieces: u64,
    /// Games lost in it.
    pub lost: u64,
}

/// Trains for `chunks` chunks in `folder` and writes [`HAZARD_FILE`] there. If the folder has a checkpoint, training resumes
/// from it. Calls `report` after each chunk. Returns true if the training was finished, and false if it was interrupted.
pub fn train_hazard(
    chunks: u64,
    folder: &Path,
    jobs: usize,
    interrupt: &AtomicBool,
    report: &mut dyn FnMut(HazardChunk),
) -> Result<bool, TrainError> {
    let path = folder.join(CHECKPOINT_FILE);
    let games = [("weights", shipped_weights())];
    let identity = Identity::new("maxout-hazard 1", "maxout-lab train hazard", "a training", games);
    let _work = folder::open(folder, identity)?;
    let (mut done, mut tables) = load(&path)?.unwrap_or_else(|| (0, Tables::new()));
    if done > chunks {
        return Err(TrainError::Beyond { path, done, chunks });
    }
    let network = weights::embedded_common();
    while done < chunks {
        let Some(lost) = chunk(done, &mut tables, &network, jobs, interrupt) else { return Ok(false) };
        done += 1;
        seal(&path, CHECKPOINT, |give| {
            give(&done.to_le_bytes())?;
            give(&tables.to_bytes())
        })?;
        report(HazardChunk { done, pieces: CHUNK, lost });
    }
    let how = format!("td, {done} chunks of {CHUNK} pieces");
    let path = folder.join(HAZARD_FILE);
    let file = weights_file::encode(Hazard::from_weights(&tables.weights).tables(), &how)
        .map_err(|source| TrainError::Io { path: path.clone(), source })?;
    write(&path, &file)?;
    Ok(true)
}

fn load(path: &Path) -> Result<Option<(u64, Tables)>, TrainError> {
    let Some(bytes) = unseal(path, CHECKPOINT, 8 + 12 * WEIGHTS as u64)? else { return Ok(None) };
    let read = || {
        let (done, rest) = bytes.split_first_chunk::<8>()?;
        Some((u64::from_le_bytes(*done), Tables::from_bytes(rest)?))
    };
    read().map(Some).ok_or_else(|| TrainError::Checkpoint(path.to_owned()))
}

/// Plays and learns a chunk. Returns the games that were lost in it, or `None` if it was interrupted.
fn chunk(
    number: u64,
    tables: &mut Tables,
    network: &Network,
    jobs: usize,
    interrupt: &AtomicBool,
) -> Option<u64> {
    let seed =
        |game: u64| 0x4A5A_17D0 ^ (number << 16 | game).wrapping_add(1).wrapping_mul(0xD134_2543_DE82_EF95);
    let mut games: Vec<_> = (0..GAMES).map(|game| Played::new(seed(game))).collect();
    for _ in 0..CHUNK / GAMES / ROUND {
        if interrupt.load(Ordering::Relaxed) {
            return None;
        }
        round(&mut games, tables, network, jobs);
    }
    Some(games.iter().map(|game| game.lost).sum())
}

/// Plays a round of all games, then learns from it.
fn round(games: &mut [Played], tables: &mut Tables, network: &Network, jobs: usize) {
    let known = &*tables;
    pool::share(games.chunks_mut(games.len().div_ceil(jobs.max(1)).max(1)), |games| {
        for game in games {
            game.lessons.clear();
            (0..ROUND).for_each(|_| game.play(known, network));
        }
    });
    games.iter().flat_map(|game| &game.lessons).for_each(|lesson| tables.learn(lesson));
}

/// The table entries whose sum is the hazard of a board.
type Entries = [u32; Ntuple28::PATTERNS];

fn entries(shape: &Shape) -> Entries {
    Ntuple28::indices(shape, true, 0)
}

/// What the hazard of a board before a next piece should be.
struct Lesson {
    at: Entries,
    next: Piece,
    target: f32,
}

/// The learned weights, with the sums of their errors and of the sizes of these errors. The step sizes come from these sums
/// (temporal coherence, as in [`super::td`]).
struct Tables {
    weights: Vec<f32>,
    error_sum: Vec<f32>,
    error_size: Vec<f32>,
}

impl Tables {
    fn new() -> Self {
        let zeros = || vec![0.0; WEIGHTS];
        Self { weights: zeros(), error_sum: zeros(), error_size: zeros() }
    }

    fn value(&self, at: &Entries, next: Piece) -> f32 {
        at.iter().map(|&entry| self.weights[entry as usize * LANES + next as usize]).sum()
    }

    /// The discounted hazard behind the placement that made a board, for a known next piece.
    fn after(&self, at: &Entries, next: Piece) -> f32 {
        GAMMA * self.value(at, next).clamp(0.0, 1.0)
    }

    fn learn(&mut self, lesson: &Lesson) {
        let Lesson { at, next, target } = lesson;
        let error = target - self.value(at, *next);
        let step = error / Ntuple28::PATTERNS as f32;
        for &entry in at {
            let cell = entry as usize * LANES + *next as usize;
            let (sum, size) = (self.error_sum[cell], self.error_size[cell]);
            let rate = if size > 0.0 { sum.abs() / size } else { 1.0 };
            self.weights[cell] += rate * step;
            self.error_sum[cell] = sum + error;
            self.error_size[cell] = size + error.abs();
        }
    }

    /// All three tables as bytes, little-endian.
    fn to_bytes(&self) -> Vec<u8> {
        let all = [&self.weights, &self.error_sum, &self.error_size];
        all.into_iter().flatten().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (cells, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || cells.len() != 3 * WEIGHTS {
            return None;
        }
        let part = |i: usize| {
            cells[i * WEIGHTS..(i + 1) * WEIGHTS].iter().map(|&cell| f32::from_le_bytes(cell)).collect()
        };
        Some(Self { weights: part(0), error_sum: part(1), error_size: part(2) })
    }
}

/// A board that a piece can make, with its learned value for each next piece, the reward included.
struct After {
    board: Board,
    shape: Shape,
    reward: f32,
    totals: [f32; 7],
}

/// All boards that a piece can make of a given board.
#[derive(Default)]
struct Fan {
    reachable: Vec<Placement>,
    after: Vec<After>,
}

impl Fan {
    fn fill(&mut self, network: &Network, board: &Board, piece: Piece) {
        placements(board, &Start::spawn(piece, LEVEL), Limits::EACH_BUTTON, &mut self.reachable);
        self.after.clear();
        let shape = Shape::of(board);
        for &placement in &self.reachable {
            let mut board = *board;
            let lines = board.lock(placement.x, placement.y, placement.orientation);
            let shape = if lines == 0 { shape.with(placement) } else { Shape::of(&board) };
            let reward = REWARD[usize::from(lines)];
            let totals = network.values(&shape, LEVEL).map(|value| reward + GAMMA * value);
            self.after.push(After { board, shape, reward, totals });
        }
    }

    /// The best board if `next` follows.
    fn best(&self, next: Piece) -> Option<&After> {
        let total = |after: &After| after.totals[next as usize];
        self.after.iter().max_by(|a, b| total(a).total_cmp(&total(b)))
    }

    /// The value before the next piece is known, if the piece of this fan was `piece`.
    fn value(&self, piece: Piece) -> f32 {
        let best = |next: Piece| self.best(next).map_or(DEATH, |after| after.totals[next as usize]);
        Piece::ALL.iter().zip(odds(piece)).map(|(&next, odds)| odds * best(next)).sum()
    }

    /// The hazard before the next piece is known; a piece without a placement has lost the game.
    fn hazard(&self, tables: &Tables, piece: Piece) -> f32 {
        let of =
            |next: Piece| self.best(next).map_or(1.0, |after| tables.after(&entries(&after.shape), next));
        Piece::ALL.iter().zip(odds(piece)).map(|(&next, odds)| odds * of(next)).sum()
    }
}

/// One endless game.
struct Played {
    dice: Xorshift64Star,
    board: Board,
    piece: Piece,
    /// Whether the last placement was random.
    slipping: bool,
    lost: u64,
    lessons: Vec<Lesson>,
    fan: Fan,
    /// What follows each candidate.
    fans: [Fan; CANDIDATES],
}

impl Played {
    fn new(seed: u64) -> Self {
        Self {
            dice: Xorshift64Star::new(seed),
            board: Board::EMPTY,
            piece: Piece::T,
            slipping: false,
            lost: 0,
            lessons: Vec::new(),
            fan: Fan::default(),
            fans: Default::default(),
        }
    }

    fn teach(&mut self, shape: &Shape, next: Piece, target: f32) {
        self.lessons.push(Lesson { at: entries(shape), next, target });
    }

    /// Plays a piece and notes what there is to learn.
    fn play(&mut self, tables: &Tables, network: &Network) {
        let (here, piece, next) =
            (Shape::of(&self.board), self.piece, piece_after(&mut self.dice, self.piece));
        let mut fan = std::mem::take(&mut self.fan);
        fan.fill(network, &self.board, piece);
        if let Some(at_sight) = fan.best(next) {
            let (expected, shallow) =
                (fan.hazard(tables, piece), tables.after(&entries(&at_sight.shape), next));
            let (chosen, deep) = self.choose(&fan, next, tables, network);
            // The deeper look at this next piece corrects the expectation over all next pieces.
            self.teach(&here, piece, expected + GAMMA * deep - shallow);
            self.slipping = self.dice.unit() < if self.slipping { AGAIN } else { SLIP };
            let played = if self.slipping { self.dice.below(fan.after.len()) } else { chosen };
            self.board = fan.after[played].board;
        } else {
            self.teach(&here, piece, 1.0);
            (self.board, self.slipping) = (Board::EMPTY, false);
            self.lost += 1;
        }
        self.piece = next;
        self.fan = fan;
    }

    /// Looks from the best candidates at the next piece. Returns the best of them and the hazard behind it. The others learn
    /// the hazards found behind them.
    fn choose(&mut self, fan: &Fan, next: Piece, tables: &Tables, network: &Network) -> (usize, f32) {
        let total = |at: usize| fan.after[at].totals[next as usize];
        let mut order: Vec<usize> = (0..fan.after.len()).collect();
        order.sort_unstable_by(|&a, &b| total(b).total_cmp(&total(a)));
        order.truncate(CANDIDATES);
        let mut found = Vec::with_capacity(CANDIDATES);
        for (&at, behind) in order.iter().zip(&mut self.fans) {
            let After { board, reward, .. } = &fan.after[at];
            behind.fill(network, board, next);
            found.push((at, reward + GAMMA * behind.value(next), behind.hazard(tables, next)));
        }
        let best = found.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let (chosen, _, deep) = best.unwrap_or((0, DEATH, 1.0));
        for (at, _, hazard) in found {
            if at != chosen {
                self.teach(&fan.after[at].shape, next, hazard);
            }
        }
        (chosen, deep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_learns_the_same() {
        let network = weights::embedded_common();
        let learned = |jobs: usize| {
            let mut tables = Tables::new();
            let mut games: Vec<_> = (0..4).map(Played::new).collect();
            (0..40).for_each(|_| round(&mut games, &mut tables, &network, jobs));
            tables
        };
        let (one, two) = (learned(1), learned(2));
        assert!(one.to_bytes() == two.to_bytes());
        let again = Tables::from_bytes(&one.to_bytes()).expect("whole");
        assert!(again.to_bytes() == one.to_bytes() && Tables::from_bytes(&[0; 12]).is_none());
    }

    #[test]
    fn a_lost_game_teaches_a_hazard_of_one() {
        let network = weights::embedded_common();
        let mut game = Played::new(1);
        // No piece comes into play here.
        game.board = "#########.\n".repeat(20).parse().expect("art");
        let shape = Shape::of(&game.board);
        game.play(&Tables::new(), &network);
        assert_eq!((game.lost, game.lessons.len(), game.board), (1, 1, Board::EMPTY));
        let mut tables = Tables::new();
        tables.learn(&game.lessons[0]);
        assert!((tables.value(&entries(&shape), Piece::T) - 1.0).abs() < 1e-5);
    }
}
