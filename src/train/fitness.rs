//! What 17 weights are worth: [`Exam`] says in which games, [`Exam::play`] plays one, [`best_third`] sums them up.
//!
//! A fitness that is the same for all candidates: the pieces of a game follow from its number alone, not from how it
//! is played.

use std::fmt;

use serde::{Deserialize, Serialize};

use maxout_engine::eval::terms::Weights;
use maxout_engine::eval::{CalmingRules, Meatfighter};
use maxout_engine::movegen::{InputRule, Start};
use maxout_engine::search::TwoPiece;
use maxout_rules::{Board, Dealer, Piece, Pieces, Progress, line_points, splitmix64};

/// Seeds that training may use; those from 60,000 on are for tests of what was learned.
pub const SEEDS: std::ops::Range<u64> = 20_000..40_000;

/// A plateau game ends at level 29.
const LINES: u32 = 230;
/// Pieces until nothing but S and Z come.
const ONLY_SZ: u64 = 1_000;
/// Pieces after which a game under stress ends, should one get there.
const STRESS_LIMIT: u64 = 10_000;
/// Pieces of a game on garbage.
const GARBAGE_PIECES: u64 = 250;
/// Rows of garbage.
const GARBAGE_ROWS: usize = 10;

/// What is asked of the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fitness {
    /// Line points at level 19 until level 29 or the top.
    Plateau,
    /// Pieces until the top, while more and more of them are S and Z.
    SzStress,
    /// Lines per piece on ten rows of garbage, where each row cleared is followed by a new one from below.
    Garbage,
}

impl Fitness {
    const NAMES: [(&str, Self); 3] =
        [("plateau", Self::Plateau), ("sz-stress", Self::SzStress), ("garbage", Self::Garbage)];

    /// The fitness of this name.
    pub fn from_name(name: &str) -> Result<Self, &'static str> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, fitness)| *fitness).ok_or("expected plateau, sz-stress or garbage")
    }
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].0)
    }
}

/// The games that decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exam {
    /// What is asked.
    pub fitness: Fitness,
    /// What the fingers may do.
    pub rule: InputRule,
    /// Games of each candidate.
    pub games: u64,
    /// Seed of the first; the others follow.
    pub first_seed: u64,
}

/// What one game came to.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Played {
    /// More is better; the unit is that of the fitness.
    pub worth: f64,
    /// Pieces placed.
    pub pieces: u64,
}

impl Exam {
    /// A search that plays these games; its weights are set by each game.
    pub fn search(&self) -> TwoPiece<Meatfighter> {
        TwoPiece::new(Meatfighter::PUBLISHED, self.rule)
    }

    /// Plays game `index` with these weights and all four calming rules. As with the bot of 2018, a game is over when
    /// no pair of placements survives the rules.
    pub fn play(&self, search: &mut TwoPiece<Meatfighter>, weights: &Weights, index: u64) -> Played {
        search.eval = Meatfighter { weights: *weights, rules: CalmingRules::ALL };
        let seed = self.first_seed + index;
        let mut game = Table::new(Dealer::new(Pieces::Nes, seed), splitmix64(!seed));
        match self.fitness {
            Fitness::Plateau => {
                let mut points = 0;
                while game.progress.lines() < LINES
                    && let Some(rows) = game.place(search)
                {
                    points += line_points(rows, game.progress.level);
                }
                Played { worth: points as f64, pieces: game.pieces }
            }
            Fitness::SzStress => {
                while game.pieces < STRESS_LIMIT {
                    game.stress = game.pieces;
                    if game.place(search).is_none() {
                        break;
                    }
                }
                Played { worth: game.pieces as f64, pieces: game.pieces }
            }
            Fitness::Garbage => {
                game.raise(GARBAGE_ROWS);
                let mut lines = 0;
                while game.pieces < GARBAGE_PIECES
                    && let Some(rows) = game.place(search)
                {
                    lines += u32::from(rows);
                    game.raise(usize::from(rows));
                    // Speed and points stay those of level 19.
                    game.progress = Progress::at(0, 19);
                }
                Played { worth: f64::from(lines) / GARBAGE_PIECES as f64, pieces: game.pieces }
            }
        }
    }
}

/// A game on the way.
struct Table {
    board: Board,
    dealer: Dealer,
    piece: Piece,
    next: Piece,
    progress: Progress,
    pieces: u64,
    /// Of [`ONLY_SZ`], how many pieces are replaced by S or Z.
    stress: u64,
    random: u64,
}

impl Table {
    fn new(mut dealer: Dealer, random: u64) -> Self {
        let mut deal = || dealer.next().unwrap_or(Piece::O);
        let (piece, next) = (deal(), deal());
        let progress = Progress::at(0, 19);
        Self { board: Board::EMPTY, dealer, piece, next, progress, pieces: 0, stress: 0, random }
    }

    /// Places the piece in play and says how many rows it completed; `None` if the game is over.
    fn place(&mut self, search: &mut TwoPiece<Meatfighter>) -> Option<u8> {
        let start = Start::spawn(self.piece, self.progress.level);
        if !self.board.is_valid(start.x, start.y, start.id) {
            return None;
        }
        let at = search.best(&self.board, &start, self.next, self.progress)?.placement;
        let rows = self.board.lock(at.x, at.y, at.id);
        self.progress.add_rows(rows);
        self.pieces += 1;
        self.piece = self.next;
        self.next = self.deal()?;
        Some(rows)
    }

    fn roll(&mut self) -> u64 {
        self.random = splitmix64(self.random);
        self.random
    }

    fn deal(&mut self) -> Option<Piece> {
        let dealt = self.dealer.next();
        if self.stress == 0 {
            return dealt;
        }
        let roll = self.roll();
        let replaced = (roll >> 8) % ONLY_SZ < self.stress;
        if replaced { Some(if roll & 1 == 0 { Piece::S } else { Piece::Z }) } else { dealt }
    }

    /// Pushes this many rows of garbage in from below.
    fn raise(&mut self, rows: usize) {
        let mut all = *self.board.rows();
        all.rotate_left(rows);
        let first = all.len() - rows;
        for row in &mut all[first..] {
            let roll = self.roll();
            // Never full.
            *row = (roll >> 20) as u16 & 0x3FF & !(1 << (roll % 10));
        }
        self.board = Board::from_rows(all);
    }
}

/// Mean of the best third, rounded down, and of at least one.
pub fn best_third(worths: &mut [f64]) -> f64 {
    worths.sort_by(|a, b| b.total_cmp(a));
    let best = &worths[..(worths.len() / 3).max(1).min(worths.len())];
    best.iter().sum::<f64>() / best.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::eval::WEIGHTS_2018;

    #[test]
    fn the_best_third_of_a_hundred_are_thirty_three() {
        let mut worths: Vec<f64> = (0..100).map(f64::from).collect();
        assert!((best_third(&mut worths) - 83.0).abs() < 1e-9);
        assert!((best_third(&mut [5.0]) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn every_fitness_repeats_and_prefers_the_published_weights_to_their_opposite() {
        for (name, fitness) in Fitness::NAMES {
            assert_eq!(Fitness::from_name(name), Ok(fitness));
            let exam = Exam { fitness, rule: InputRule::OnePerRow, games: 1, first_seed: 20_000 };
            let mut search = exam.search();
            let good = exam.play(&mut search, &WEIGHTS_2018, 0);
            let bad = exam.play(&mut search, &WEIGHTS_2018.map(|weight| -weight), 0);
            assert!(good.worth > bad.worth && good.pieces > bad.pieces, "{name}: {good:?} {bad:?}");
            assert_eq!(exam.play(&mut search, &WEIGHTS_2018, 0), good, "{name}");
        }
    }
}
