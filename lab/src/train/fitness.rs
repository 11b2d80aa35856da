//! What 17 weights are worth: [`Exam`] says in which games, [`Exam::play`] plays one, [`best_third`] sums them up.
//!
//! The games are the same for all candidates: the pieces of a game follow from its number alone, not from how it is
//! played.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::terms::Weights;
use maxout_engine::env::{Env, EnvRules, Gravity, Step};
use maxout_engine::limits::Limits;
use maxout_engine::search::TwoPiece;
use maxout_gallery::eval::{CalmingRules, Meatfighter};
use maxout_rules::random::Dice;
use maxout_rules::{Board, FallRule, Piece, Pieces};

/// Seeds that training may use; those from 60,000 on are for tests of what was learned.
pub const SEEDS: std::ops::Range<u64> = 20_000..40_000;

/// All games begin on this level.
const LEVEL: u8 = 19;
/// A plateau game ends at level 29.
const LINES: u64 = 230;
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
    /// The input limits.
    pub rule: Limits,
    /// Games of each candidate.
    pub games: u64,
    /// Seed of the first; the others follow.
    pub first_seed: u64,
}

/// What one game came to.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Played {
    /// More is better, in the unit of the fitness.
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
        let gravity = match self.fitness {
            Fitness::Plateau | Fitness::SzStress => Gravity::Rising(LEVEL),
            // However many rows are cleared.
            Fitness::Garbage => Gravity::Fixed(LEVEL),
        };
        let (lines, pieces) = match self.fitness {
            Fitness::Plateau => (Some(LINES), None),
            Fitness::SzStress => (None, Some(STRESS_LIMIT)),
            Fitness::Garbage => (None, Some(GARBAGE_PIECES)),
        };
        let rules = EnvRules {
            pieces: Pieces::Nes,
            gravity,
            fall_rule: FallRule::Ntsc,
            moves: self.rule.into(),
            until_lines: lines,
            until_pieces: pieces,
            until_level: None,
        };
        let mut env = Env::new(rules, seed);
        let mut dice = Dice::new(!seed);
        let mut points = 0;
        if self.fitness == Fitness::Garbage {
            raise(&mut env, &mut dice, GARBAGE_ROWS);
        }
        while let Some(step) = place(&mut env, search) {
            points += step.reward;
            match self.fitness {
                Fitness::Plateau => {}
                Fitness::SzStress => stress(&mut env, &mut dice),
                Fitness::Garbage => raise(&mut env, &mut dice, usize::from(step.lines)),
            }
        }
        let worth = match self.fitness {
            Fitness::Plateau => points as f64,
            Fitness::SzStress => env.pieces() as f64,
            Fitness::Garbage => env.lines() as f64 / GARBAGE_PIECES as f64,
        };
        Played { worth, pieces: env.pieces() }
    }
}

/// Places the piece in play where the search wants it; `None` if the game is over.
fn place(env: &mut Env, search: &mut TwoPiece<Meatfighter>) -> Option<Step> {
    let start = env.start();
    if env.end().is_some() || !env.board().is_valid(start.x, start.y, start.orientation) {
        return None;
    }
    let choice = search.best(&env.position())?;
    env.step(choice.placement).ok()
}

/// Replaces the piece that was just dealt by S or Z, the more often the more pieces there were before the last one.
fn stress(env: &mut Env, dice: &mut Dice) {
    let before = env.pieces().saturating_sub(1);
    if before == 0 {
        return;
    }
    let word = dice.word();
    if (word >> 8) % ONLY_SZ < before {
        env.set_pieces(env.piece(), if word & 1 == 0 { Piece::S } else { Piece::Z });
    }
}

/// Pushes this many rows of garbage in from below.
fn raise(env: &mut Env, dice: &mut Dice, rows: usize) {
    let mut all = *env.board().rows();
    all.rotate_left(rows);
    let first = all.len() - rows;
    for row in &mut all[first..] {
        let word = dice.word();
        // Never full.
        *row = (word >> 20) as u16 & 0x3FF & !(1 << (word % 10));
    }
    env.set_board(Board::from_rows(all));
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
    use maxout_gallery::eval::WEIGHTS_2018;

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
            let exam = Exam { fitness, rule: Limits::ONE_PER_ROW, games: 1, first_seed: 20_000 };
            let mut search = exam.search();
            let good = exam.play(&mut search, &WEIGHTS_2018, 0);
            let bad = exam.play(&mut search, &WEIGHTS_2018.map(|weight| -weight), 0);
            assert!(good.worth > bad.worth && good.pieces > bad.pieces, "{name}: {good:?} {bad:?}");
            assert_eq!(exam.play(&mut search, &WEIGHTS_2018, 0), good, "{name}");
        }
    }

    /// Trainings and their results go by seeds, so a seed must go on naming the same game.
    #[test]
    fn the_games_of_a_seed_are_those_of_the_published_trainings() {
        let played = |fitness| {
            let exam = Exam { fitness, rule: Limits::ONE_PER_ROW, games: 1, first_seed: 20_000 };
            exam.play(&mut exam.search(), &WEIGHTS_2018, 0)
        };
        assert_eq!(played(Fitness::Plateau), Played { worth: 1_133_880.0, pieces: 591 });
        assert_eq!(played(Fitness::SzStress), Played { worth: 301.0, pieces: 301 });
        assert_eq!(played(Fitness::Garbage), Played { worth: 0.02, pieces: 20 });
    }
}
