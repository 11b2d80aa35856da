//! Tunes the weights of the [`Rescue`](maxout_engine::eval::Rescue), by which players compare placements on boards that are almost lost.
//!
//! `cargo run --release -p maxout-lab --example rescue -- boards FIRST_SEED BOARDS FILE` lets `maxout-2ply` and published players play, with some
//! pieces anywhere, until boards are that bad. `... -- tune BOARDS BELOW GENERATIONS WEIGHTS` improves the weights in a file (the published ones of
//! 2018 without such a file) by the share of these boards from which games recover; it can be interrupted, and goes on from the file.
//! `... -- score BOARDS GAMES BELOW WEIGHTS` prints that share. `BELOW` is the quality below which the weights decide.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io, thread};

use maxout_engine::analysis::Analyst;
use maxout_engine::env::{EnvRules, GameEnd};
use maxout_engine::eval::{Rescue, weights};
use maxout_engine::limits::Limits;
use maxout_engine::player::Policy;
use maxout_engine::search::{Expectimax, Foresight, TwoPiece, Widths};
use maxout_engine::{Env, Position};
use maxout_gallery::eval::{CalmingRules, Meatfighter, WEIGHTS_2018};
use maxout_gallery::find;
use maxout_lab::research::usage;
use maxout_rules::random::Dice;
use maxout_rules::{Board, Piece, Placement, Progress};

/// As many weights as the rescue has.
type Weights = [f64; Rescue::TERMS];

/// A game has recovered at this quality.
const RECOVERED: f32 = -2.0;
/// It need not recover sooner.
const PIECES: usize = 200;
/// As many points count as a game that recovers.
const POINTS: f64 = 2e6;
/// Candidates of a generation, and those of them that the next one is drawn around.
const CANDIDATES: usize = 24;
const PARENTS: usize = 7;

/// The published weights.
fn published() -> Weights {
    let mut weights = [CalmingRules::ALL.high_stack; Rescue::TERMS];
    weights[..WEIGHTS_2018.len()].copy_from_slice(&WEIGHTS_2018);
    weights
}

/// A player by these weights alone.
fn by(weights: &Weights) -> TwoPiece<Meatfighter> {
    let rules =
        CalmingRules { tetris_bonus: 0.0, high_stack: weights[Rescue::TERMS - 1], ..CalmingRules::ALL };
    let weights = std::array::from_fn(|at| weights[at]);
    TwoPiece::new(Meatfighter { weights, rules }, Limits::EACH_BUTTON)
}

/// Who plays on from better boards, and who says how good a board is.
struct Judge {
    search: Expectimax,
    analyst: Analyst,
}

impl Judge {
    fn new() -> Self {
        let limits = Limits::EACH_BUTTON;
        let analyst = find("maxout-2ply").ok().and_then(|player| player.analyst(Foresight::DEFAULT));
        Self {
            search: Expectimax::new(weights::embedded_for(limits), Widths::TWO, limits),
            analyst: analyst.expect("a learned player"),
        }
    }

    /// The quality of the best placement, and where that is. `None` if the piece has no place.
    fn best(&mut self, position: &Position) -> Option<(f32, Placement)> {
        let best = self.search.weigh_either_way(position, None, false).into_iter().next()?;
        Some((self.analyst.outlook(position.progress).quality(best.value), best.placement))
    }

    /// Whether a game recovers, or reaches level 29, from `start`, in which `rescue` decides below a quality; and its points.
    fn play(
        &mut self,
        rescue: &mut dyn Policy,
        start: &Position,
        seed: u64,
        below: f32,
    ) -> Option<(bool, u64)> {
        let rules = EnvRules::game(start.progress.level);
        let mut env = Env::from_position(rules, seed, start.board, start.progress);
        env.set_pieces(start.start.orientation.piece(), start.next?);
        let mut points = 0;
        for _ in 0..PIECES {
            if let Some(end) = env.end() {
                return Some((end != GameEnd::TopOut, points));
            }
            let here = env.position();
            let Some((quality, best)) = self.best(&here) else { return Some((false, points)) };
            if quality > RECOVERED {
                break;
            }
            let place = if quality < below { rescue.choose(&here) } else { Some(best) };
            let Some(step) = place.and_then(|place| env.step(place).ok()) else {
                return Some((false, points));
            };
            points += step.reward;
        }
        Some((true, points))
    }
}

/// The share of games that recover, and the mean points. Equal seeds give equal pieces, whatever the weights are.
fn score(boards: &[Position], weights: &Weights, seeds: std::ops::Range<u64>, below: f32) -> (f64, f64) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let part = boards.len().div_ceil(cores).max(1);
    let work = |(first, part): (usize, &[Position])| {
        let (mut judge, mut rescue) = (Judge::new(), by(weights));
        let (mut recovered, mut points) = (0u64, 0u64);
        for (at, start) in (first..).zip(part) {
            for seed in seeds.clone() {
                let of_game = judge.play(&mut rescue, start, seed << 20 | at as u64, below);
                let (alive, made) = of_game.unwrap_or_default();
                recovered += u64::from(alive);
                points += made;
            }
        }
        (recovered, points)
    };
    let parts: Vec<(usize, &[Position])> =
        boards.chunks(part).enumerate().map(|(at, boards)| (at * part, boards)).collect();
    let sums = thread::scope(|scope| {
        let all: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || work(part))).collect();
        all.into_iter().map(|part| part.join().expect("no panic")).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
    });
    let games = (boards.len() as u64 * (seeds.end - seeds.start)) as f64;
    (sums.0 as f64 / games, sums.1 as f64 / games)
}

/// Plays until a board is bad: a line of rows, piece, next piece, level and lines.
fn bad_board(judge: &mut Judge, others: &mut [Box<dyn Policy>], seed: u64) -> Option<String> {
    let mut dice = Dice::of([seed, 5]);
    let other = dice.below(5).checked_sub(3);
    let astray = [3, 5, 8, 12, 20, 40][dice.below(6)];
    let mut env = Env::new(EnvRules::game(if dice.below(3) == 0 { 19 } else { 18 }), seed);
    let (mut calm, mut list) = (dice.below(150), Vec::new());
    let bad = -9.0 - 2.0 * dice.below(8) as f32;
    while env.end().is_none() {
        let here = env.position();
        let (quality, best) = judge.best(&here)?;
        let Progress { level, .. } = here.progress;
        if quality < bad && level >= 19 {
            let rows: Vec<String> = here.board.to_string().lines().map(String::from).collect();
            let (piece, next, lines) = (env.piece(), env.next_piece(), here.progress.lines());
            return Some(format!("{} {piece} {next} {level} {lines}\n", rows.join("/")));
        }
        env.placements(&mut list);
        let goes_astray = calm == 0 && dice.below(astray) == 0;
        calm = calm.saturating_sub(1);
        let place = match other {
            _ if goes_astray => *list.get(dice.below(list.len().max(1)))?,
            Some(other) => others[other].choose(&here).unwrap_or(best),
            None => best,
        };
        env.step(place).ok()?;
    }
    None
}

/// The positions of such lines.
fn read(file: &str) -> io::Result<Vec<Position>> {
    let wrong =
        |line: &str| io::Error::other(format!("{file}: {line}: expected rows, pieces, level and lines"));
    let position = |line: &str| {
        let [rows, piece, next, level, lines] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let board: Board = rows.replace('/', "\n").parse().ok()?;
        let progress = Progress::at(lines.parse().ok()?, level.parse().ok()?);
        Some(Position::spawn(board, piece.parse::<Piece>().ok()?, Some(next.parse().ok()?), progress))
    };
    let text = fs::read_to_string(file).map_err(|error| io::Error::other(format!("{file}: {error}")))?;
    text.lines().map(|line| position(line).ok_or_else(|| wrong(line))).collect()
}

/// Weights, one a line; the published ones if there is no such file.
fn read_weights(file: &str) -> io::Result<Weights> {
    if !Path::new(file).exists() {
        return Ok(published());
    }
    let numbers: Result<Vec<f64>, _> = fs::read_to_string(file)?.split_whitespace().map(str::parse).collect();
    let expected = || io::Error::other(format!("{file}: expected {} numbers", Rescue::TERMS));
    numbers.map_err(|_| expected())?.try_into().map_err(|_| expected())
}

/// Improves the weights in a file: each generation is drawn around the mean of the best of the one before, and all of one play from the same
/// boards with the same pieces.
fn tune(boards: &[Position], below: f32, generations: u64, file: &str) -> io::Result<()> {
    let mut mean = read_weights(file)?;
    let mut spread: Weights = mean.map(|weight| 0.25 * weight.abs() + 0.08);
    for generation in 0..generations {
        let mut dice = Dice::of([generation, 9]);
        let candidate = |at: usize| match at {
            0 => mean,
            _ => std::array::from_fn(|term| mean[term] + spread[term] * dice.normal()),
        };
        let candidates: Vec<Weights> = (0..CANDIDATES).map(candidate).collect();
        let seeds = 1_000 + generation..1_001 + generation;
        let fitness = |weights: &Weights| {
            let (recovered, points) = score(boards, weights, seeds.clone(), below);
            recovered + points / POINTS
        };
        let mut all: Vec<(f64, Weights)> =
            candidates.iter().map(|weights| (fitness(weights), *weights)).collect();
        let before = all[0].0;
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        for term in 0..Rescue::TERMS {
            let of_parents = || all[..PARENTS].iter().map(|(_, weights)| weights[term]);
            let middle = of_parents().sum::<f64>() / PARENTS as f64;
            let square = of_parents().map(|weight| (weight - middle).powi(2)).sum::<f64>() / PARENTS as f64;
            mean[term] = f64::midpoint(mean[term], middle);
            spread[term] = (0.7 * spread[term].powi(2) + 0.3 * square).sqrt();
        }
        eprintln!("generation {}: {before:.3}, the best {:.3}", generation + 1, all[0].0);
        fs::write(file, mean.map(|weight| format!("{weight}\n")).concat())?;
    }
    Ok(())
}

fn main() -> ExitCode {
    usage::run(|arguments| {
        let usage = || {
            let ways = "boards FIRST_SEED BOARDS FILE, tune BOARDS BELOW GENERATIONS WEIGHTS, or score BOARDS GAMES BELOW WEIGHTS";
            usage::expected(ways)
        };
        match *arguments {
            ["boards", first, count, file] => {
                let (Ok(first), Ok(count)) = (first.parse::<u64>(), count.parse::<usize>()) else {
                    return Err(usage());
                };
                let policy = |name: &&str| find(name).ok()?.policy(Limits::EACH_BUTTON.into());
                let mut others: Vec<_> = ["plateau17", "dellacherie"].iter().filter_map(policy).collect();
                let mut judge = Judge::new();
                let found = (first..).filter_map(|seed| bad_board(&mut judge, &mut others, seed)).take(count);
                fs::write(file, found.collect::<String>())
            }
            ["tune", boards, below, generations, weights] => {
                let (Ok(below), Ok(generations)) = (below.parse(), generations.parse()) else {
                    return Err(usage());
                };
                tune(&read(boards)?, below, generations, weights)
            }
            ["score", boards, games, below, weights] => {
                let (Ok(games), Ok(below)) = (games.parse(), below.parse()) else { return Err(usage()) };
                let (recovered, points) = score(&read(boards)?, &read_weights(weights)?, 0..games, below);
                println!("{:.1} % recover, {points:.0} points", 100.0 * recovered);
                Ok(())
            }
            _ => Err(usage()),
        }
    })
}
