//! What do decisions lose, measured without the learned values? For positions from games of the default player, plays many
//! games on from each of the five placements that its search ranks first, all with the same pieces.
//!
//! `cargo run --release -p maxout-engine --example regret -- play regret.csv 300 20` plays twenty rounds of 10 games from
//! each placement of 300 positions and adds a row for each position and round; a run that was interrupted goes on where
//! it stopped. `... -- table regret.csv` prints a summary.

#[path = "shared/mean.rs"]
mod mean;
#[path = "shared/rows.rs"]
mod rows;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

use maxout_engine::Env;
use maxout_engine::analysis::{GamePlayouts, Question};
use maxout_engine::env::EnvRules;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Placement;
use maxout_engine::search::{Expectimax, Widths};
use maxout_rules::random::Dice;
use mean::mean;

/// The number of placements of each position.
const PLACEMENTS: usize = 5;
/// The number of games from each placement in a round.
const GAMES: u64 = 10;
/// The first seed of the games that the positions are from.
const FIRST_SEED: u64 = 42_000;
const HEADER: &str = "position,round,level,pieces,points of the five placements";

/// Position number `index` and the placements that `search` ranks first: after up to 560 pieces of a game from level 19 that
/// `search` plays. Each position is from a game of its own.
fn position(index: u64, search: &mut Expectimax) -> (Question, u64, Vec<Placement>) {
    for attempt in 0.. {
        let mut dice = Dice::of([FIRST_SEED + index, attempt]);
        let pieces = u64::from(dice.roll(560));
        let mut env = Env::new(EnvRules::game(19), FIRST_SEED + index + (attempt << 32));
        while env.end().is_none() {
            let mut ranked = search.rank(env.board(), &env.start(), env.next_piece(), env.progress());
            if env.pieces() == pieces {
                ranked.truncate(PLACEMENTS);
                let question = Question {
                    board: *env.board(),
                    start: env.start(),
                    next: Some(env.next_piece()),
                    progress: env.progress(),
                };
                return (question, pieces, ranked.iter().map(|ranked| ranked.placement).collect());
            }
            let Some(best) = ranked.first() else { break };
            if env.step(best.placement).is_err() {
                break;
            }
        }
    }
    unreachable!("some game lasts long enough")
}

/// Plays the rounds that `file` does not have yet, position by position.
fn play(file: &str, positions: u64, rounds: u64) -> io::Result<()> {
    let key = |line: &str| {
        let mut cells = line.split(',').map(str::parse::<u64>);
        Some((cells.next()?.ok()?, cells.next()?.ok()?))
    };
    let (done, out) = rows::go_on(file, HEADER, key)?;
    let next = AtomicU64::new(0);
    let work = || -> io::Result<()> {
        let network = weights::embedded();
        let mut search = Expectimax::new(network.clone(), Widths::DEFAULT, Limits::EACH_BUTTON);
        let mut playouts = GamePlayouts::new(network, Limits::EACH_BUTTON);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= positions {
                return Ok(());
            }
            let left: Vec<u64> = (0..rounds).filter(|&round| !done.contains(&(index, round))).collect();
            if left.is_empty() {
                continue;
            }
            let (question, pieces, placements) = position(index, &mut search);
            for round in left {
                let sum = |placement: &Placement| -> u64 {
                    let seed = |game: u64| (round * GAMES + game) << 20 | index;
                    (0..GAMES).map(|game| playouts.play(&question, *placement, seed(game)).points).sum()
                };
                let sums: Vec<String> = placements.iter().map(sum).map(|sum| sum.to_string()).collect();
                let row =
                    format!("{index},{round},{},{pieces},{}\n", question.progress.level, sums.join(","));
                out.lock().expect("no panic").write_all(row.as_bytes())?;
            }
        }
    };
    rows::on_two_threads(work)
}

/// The points of a game from each placement, by position and round.
fn read(file: &str) -> io::Result<BTreeMap<u64, BTreeMap<u64, Vec<f64>>>> {
    let mut positions: BTreeMap<u64, BTreeMap<u64, Vec<f64>>> = BTreeMap::new();
    for line in fs::read_to_string(file)?.lines().skip(1) {
        let cells: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
        if let [index, round, _, _, ref points @ ..] = cells[..] {
            let points = points.iter().map(|points| points / GAMES as f64).collect();
            positions.entry(index as u64).or_default().insert(round as u64, points);
        }
    }
    Ok(positions)
}

/// Returns the mean points of a placement over the rounds of one half.
fn half(rounds: &BTreeMap<u64, Vec<f64>>, placement: usize, odd: u64) -> f64 {
    let points: Vec<f64> = rounds
        .iter()
        .filter(|(round, _)| **round % 2 == odd)
        .filter_map(|(_, points)| points.get(placement).copied())
        .collect();
    points.iter().sum::<f64>() / points.len() as f64
}

/// What is lost by the first placement. The best of several noisy means is too high, so half of the rounds say which
/// placement is best, and the other half what it makes more than the first.
fn table(positions: &BTreeMap<u64, BTreeMap<u64, Vec<f64>>>) {
    let rounds: usize = positions.values().map(BTreeMap::len).sum();
    let games = GAMES as usize * rounds;
    println!("{} positions, {games} games from each of up to {PLACEMENTS} placements", positions.len());
    let (mut losses, mut others) = (Vec::new(), vec![Vec::new(); PLACEMENTS]);
    let (mut blind, mut wrong) = (Vec::new(), 0);
    for rounds in positions.values().filter(|rounds| rounds.len() >= 2) {
        let placements = rounds.values().map(Vec::len).min().unwrap_or(0);
        let mut both = 0.0;
        for odd in [0, 1] {
            let best = (0..placements)
                .max_by(|&a, &b| half(rounds, a, odd).total_cmp(&half(rounds, b, odd)))
                .unwrap_or(0);
            both += half(rounds, best, 1 - odd) - half(rounds, 0, 1 - odd);
            wrong += usize::from(best > 0);
        }
        losses.push(both / 2.0);
        let all = |placement| f64::midpoint(half(rounds, placement, 0), half(rounds, placement, 1));
        (1..placements).for_each(|placement| others[placement].push(all(0) - all(placement)));
        blind.push((0..placements).map(all).fold(f64::MIN, f64::max) - all(0));
    }
    let say = |what: &str, (mean, error): (f64, f64)| println!("{what}: {mean:.0} ± {error:.0} points");
    say(
        "lost by the first placement against the one that the other half of the games prefers",
        mean(&losses),
    );
    say("the same by all games at once, which is too much", mean(&blind));
    println!("halves that prefer another placement than the first: {wrong} of {}", 2 * losses.len());
    for (placement, losses) in others.iter().enumerate().skip(1) {
        say(&format!("the first placement makes more than number {}", placement + 1), mean(losses));
    }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play", file, positions, rounds] => {
            play(file, positions.parse().unwrap_or(1), rounds.parse().unwrap_or(1))
        }
        ["table", file] => {
            table(&read(file)?);
            Ok(())
        }
        _ => {
            println!("expected: play FILE.csv POSITIONS ROUNDS, or table FILE.csv");
            Ok(())
        }
    }
}
