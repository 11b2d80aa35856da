//! What a build does and how fast: [`fingerprint`] changes if and only if some player plays differently,
//! [`speed::measure`] says what everything costs.
//!
//! Both go through the registry, so they include a new player automatically.

pub mod speed;

use std::fmt;
use std::io::Read;
use std::sync::atomic::AtomicBool;

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};
use thiserror::Error;

use maxout_engine::player::Entry;

use maxout_host::batch::{self, Batch, BatchError};
use maxout_rules::{Board, ParseBoardError, Stop};

/// Games of each player as seed, start level and lines: from power-on with a hanging first piece, and a model seed.
const GAMES: [(u64, u8, u32); 2] = [(131, 18, 6), (50_000, 19, 8)];
/// As many times more lines for players that look at the pieces in sight only: they are quick.
const QUICK: u32 = 4;
/// The boards of tests/data/boards.txt.
const BOARDS: &[u8] = include_bytes!("boards.txt.gz");

/// What a player did in its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deeds {
    /// The player.
    pub player: &'static str,
    /// Decisions.
    pub decisions: u64,
    /// Candidates that they looked at; 0 if the player does not count them.
    pub nodes: u64,
    /// Sum of the scores.
    pub score: u64,
    /// CRC-32 of the buttons of all games.
    pub buttons: u32,
}

impl fmt::Display for Deeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, decisions, nodes, score, buttons } = self;
        write!(f, "{player} decisions {decisions} nodes {nodes} score {score} buttons {buttons:08x}")
    }
}

/// What all registered players did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// One entry a player, in the order of the registry.
    pub players: Vec<Deeds>,
}

impl Fingerprint {
    /// All of it in 16 hex digits.
    pub fn digest(&self) -> String {
        let lines: String = self.players.iter().map(|deeds| format!("{deeds}\n")).collect();
        Sha256::digest(lines.as_bytes())[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for Fingerprint {
    /// A line for each player, then the digest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for deeds in &self.players {
            writeln!(f, "{deeds}")?;
        }
        writeln!(f, "fingerprint {}", self.digest())
    }
}

/// Lets every registered player play a few short games on the model, with `jobs` threads; `done` sees each player
/// that is through. A few seconds.
pub fn fingerprint(jobs: usize, done: &mut dyn FnMut(&'static Entry)) -> Result<Fingerprint, BatchError> {
    let mut players = Vec::new();
    for entry in maxout_gallery::players() {
        players.push(deeds(entry, jobs)?);
        done(entry);
    }
    Ok(Fingerprint { players })
}

fn deeds(player: &'static Entry, jobs: usize) -> Result<Deeds, BatchError> {
    let mut deeds = Deeds { player: &player.name, decisions: 0, nodes: 0, score: 0, buttons: 0 };
    let mut crc = crc32fast::Hasher::new();
    for (first_seed, start_level, lines) in GAMES {
        let stop = Stop::Lines(if player.plies() <= 2 { QUICK * lines } else { lines });
        let batch = Batch { first_seed, start_level, stop, ..Batch::new(player.clone(), 1) };
        batch::sim(&batch, jobs, &AtomicBool::new(false), &mut |game| {
            deeds.decisions += game.outcome.counts.decisions;
            deeds.nodes += game.outcome.counts.nodes;
            deeds.score += game.outcome.result.score;
            let buttons: Vec<u8> = game.outcome.log.frames().iter().map(|buttons| buttons.0).collect();
            crc.update(&buttons);
            Ok(())
        })?;
    }
    deeds.buttons = crc.finalize();
    Ok(deeds)
}

/// Text that is no collection of boards.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BoardsError {
    /// The text is empty.
    #[error("no board in it: expected drawn boards with blank lines between them")]
    None,
    /// One of them is invalid.
    #[error("board {number}: {source}")]
    Board {
        /// Which, from 1.
        number: usize,
        /// What is wrong.
        source: ParseBoardError,
    },
}

/// Reads drawn boards with blank lines between them; lines that begin with `# ` are comments.
pub fn boards(text: &str) -> Result<Vec<Board>, BoardsError> {
    let mut boards = Vec::new();
    let mut art = String::new();
    for line in text.lines().chain([""]) {
        let line = line.trim();
        if line.starts_with("# ") {
            continue;
        }
        if !line.is_empty() {
            art += line;
            art += "\n";
        } else if !art.is_empty() {
            let number = boards.len() + 1;
            boards.push(art.parse().map_err(|source| BoardsError::Board { number, source })?);
            art.clear();
        }
    }
    if boards.is_empty() { Err(BoardsError::None) } else { Ok(boards) }
}

/// 2,000 boards of all heights, from clean to hopeless: those that the peers were measured on.
///
/// # Panics
/// Never in a build whose tests pass: they unpack these very bytes.
pub fn known_boards() -> Vec<Board> {
    let mut text = String::new();
    GzDecoder::new(BOARDS).read_to_string(&mut text).expect("the embedded boards are whole");
    boards(&text).expect("the embedded boards are boards")
}
