//! What do decisions lose, measured without the learned values? For positions from games of the default player, plays many
//! games on from each of the five placements that its search ranks first, all with the same pieces.
//!
//! `cargo run --release -p maxout-lab --example regret -- play regret.csv 300 50` plays fifty rounds of 40 games from
//! each placement of 300 positions and adds a row for each position and round; a run that was interrupted goes on where
//! it stopped. `100..300` instead of `300` leaves out the first hundred positions, so that several machines can share the work:
//! each row depends on the position and the round alone. `... -- table regret.csv` prints a summary.
//!
//! The games are played on by a player that is nearly as strong as `maxout-2ply` in a third of its time: [`PLAYOUTS`].

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use maxout_engine::Env;
use maxout_engine::Position;
use maxout_engine::analysis::GamePlayouts;
use maxout_engine::env::EnvRules;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
use maxout_engine::search::{Expectimax, Widths};
use maxout_lab::research::{mean, rows, usage};
use maxout_rules::Placement;
use maxout_rules::random::Dice;
use mean::mean;

/// The number of placements of each position.
const PLACEMENTS: usize = 5;
/// How a game is played on: by both pieces that are seen, but only for the three placements of the first that look best on their own.
const PLAYOUTS: Widths = Widths { first: 3, ..Widths::TWO };
/// The number of games from each placement in a round.
const GAMES: u64 = 40;
/// The first seed of the games that the positions are from.
const FIRST_SEED: u64 = 42_000;
const HEADER: &str = "position,round,level,pieces,choice of maxout-fast,of maxout-2ply,of maxout before,points of the five placements";
/// The players whose choices are noted, too.
const RIVALS: [&str; 3] = ["maxout-fast", "maxout-2ply", "maxout before"];

/// These players. The last one uses the tables from before the plateau had a network.
fn rivals() -> [Expectimax; RIVALS.len()] {
    let now = || weights::embedded_for(Limits::EACH_BUTTON);
    [(now(), Widths::FAST), (now(), Widths::TWO), (weights::embedded_common(), Widths::DEFAULT)]
        .map(|(network, widths)| Expectimax::new(network, widths, Limits::EACH_BUTTON))
}

/// Position number `index` and the placements that `search` ranks first: after up to 560 pieces of a game from level 19 that
/// `search` plays. Each position is from a game of its own.
fn position(index: u64, search: &mut Expectimax) -> (Position, u64, Vec<Placement>) {
    for attempt in 0.. {
        let mut dice = Dice::of([FIRST_SEED + index, attempt]);
        let pieces = u64::from(dice.roll(560));
        let mut env = Env::new(EnvRules::game(19), FIRST_SEED + index + (attempt << 32));
        while env.end().is_none() {
            let mut ranked = search.rank(&env.position());
            if env.pieces() == pieces {
                ranked.truncate(PLACEMENTS);
                let question = env.position();
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

/// Plays the rounds of these `positions` that `file` does not have yet, position by position.
fn play(file: &str, positions: Range<u64>, rounds: u64) -> io::Result<()> {
    let key = |line: &str| {
        let mut cells = line.split(',').map(str::parse::<u64>);
        Some((cells.next()?.ok()?, cells.next()?.ok()?))
    };
    let (done, out) = rows::go_on(file, HEADER, key)?;
    let done: HashSet<(u64, u64)> = done.into_iter().collect();
    let next = AtomicU64::new(positions.start);
    let work = || -> io::Result<()> {
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let player = |widths| Expectimax::new(network.clone(), widths, Limits::EACH_BUTTON);
        let mut search = player(Widths::DEFAULT);
        let mut rivals = rivals();
        let mut playouts = GamePlayouts::of(player(PLAYOUTS), Limits::EACH_BUTTON);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= positions.end {
                return Ok(());
            }
            let left: Vec<u64> = (0..rounds).filter(|&round| !done.contains(&(index, round))).collect();
            if left.is_empty() {
                continue;
            }
            let (question, pieces, placements) = position(index, &mut search);
            let Position { board: _, start: _, progress, next } = &question;
            // The index among the five placements, or 5 if it is none of them.
            let choice = |rival: &mut Expectimax| {
                let best = next.and_then(|_next| rival.best(&question));
                placements.iter().position(|&placement| Some(placement) == best).unwrap_or(PLACEMENTS)
            };
            let [fast, two, before] = rivals.each_mut().map(choice);
            for round in left {
                let sum = |placement: &Placement| -> u64 {
                    let seed = |game: u64| (round * GAMES + game) << 20 | index;
                    (0..GAMES).map(|game| playouts.play(&question, *placement, seed(game)).points).sum()
                };
                let sums: Vec<String> = placements.iter().map(sum).map(|sum| sum.to_string()).collect();
                let (level, sums) = (progress.level, sums.join(","));
                let row = format!("{index},{round},{level},{pieces},{fast},{two},{before},{sums}\n");
                out.lock().expect("no panic").write_all(row.as_bytes())?;
            }
        }
    };
    rows::on_all_cores(work)
}

/// What the file says of a position.
#[derive(Default)]
struct Measured {
    /// What each of the [`rivals`] chooses: the index of a placement, or 5 if it is not one of the five.
    choices: [usize; RIVALS.len()],
    /// The mean points of the games from each placement, by round.
    rounds: BTreeMap<u64, Vec<f64>>,
}

impl Measured {
    /// Whether there are rounds with even and with odd numbers.
    fn has_both_halves(&self) -> bool {
        [0, 1].iter().all(|half| self.rounds.keys().any(|round| round % 2 == *half))
    }

    /// The mean points from each placement over the rounds for which `counts` holds.
    fn points(&self, counts: impl Fn(u64) -> bool) -> Vec<f64> {
        let rounds: Vec<&[f64]> =
            self.rounds.iter().filter(|(round, _)| counts(**round)).map(|(_, points)| &**points).collect();
        let placements = rounds.iter().map(|points| points.len()).min().unwrap_or(0);
        let mean = |at: usize| rounds.iter().map(|points| points[at]).sum::<f64>() / rounds.len() as f64;
        (0..placements).map(mean).collect()
    }
}

fn read(file: &str) -> io::Result<BTreeMap<u64, Measured>> {
    let mut positions: BTreeMap<u64, Measured> = BTreeMap::new();
    for line in fs::read_to_string(file)?.lines().skip(1) {
        let cells: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
        if let [index, round, _, _, fast, two, before, ref points @ ..] = cells[..] {
            let position = positions.entry(index as u64).or_default();
            position.choices = [fast, two, before].map(|choice| choice as usize);
            position.rounds.insert(round as u64, points.iter().map(|points| points / GAMES as f64).collect());
        }
    }
    Ok(positions)
}

/// Which of these is largest.
fn largest(points: &[f64]) -> usize {
    (0..points.len()).max_by(|&a, &b| points[a].total_cmp(&points[b])).unwrap_or(0)
}

/// What the choices lose, between two bounds. The best of several noisy means is too high, so what the choice makes less than that
/// one is more than it really loses on average. For a lower bound, half of the rounds say which placement is best, and the other
/// half what the choice makes less than that one: half of the games do not always find the best placement.
fn table(positions: &BTreeMap<u64, Measured>) {
    let rounds = positions.values().map(|position| position.rounds.len());
    let (least, most) = (rounds.clone().min().unwrap_or(0), rounds.max().unwrap_or(0));
    println!(
        "{} positions, {} to {} games from each of up to {PLACEMENTS} placements",
        positions.len(),
        least * GAMES as usize,
        most * GAMES as usize
    );
    let say = |what: &str, losses: &[f64]| match losses {
        [] | [_] => println!("{what}: too few positions"),
        _ => {
            let (mean, error) = mean(losses);
            println!("{what}: {mean:.0} ± {error:.0} points ({} positions)", losses.len());
        }
    };
    let positions: Vec<&Measured> =
        positions.values().filter(|position| position.has_both_halves()).collect();
    let regret = |position: &Measured, choice: usize| {
        let halves = [position.points(|round| round % 2 == 0), position.points(|round| round % 2 == 1)];
        let [even, odd] = &halves;
        f64::midpoint(odd[largest(even)] - odd[choice], even[largest(odd)] - even[choice])
    };
    let regrets: Vec<f64> = positions.iter().map(|position| regret(position, 0)).collect();
    say("the choice of maxout loses at least, against the best by the other half of the games", &regrets);
    let best = |points: &[f64]| points[largest(points)] - points[0];
    let most: Vec<f64> = positions.iter().map(|position| best(&position.points(|_| true))).collect();
    say("the choice of maxout loses at most, against the best by all games", &most);
    for (rival, name) in RIVALS.iter().enumerate() {
        let choices = || positions.iter().map(|position| (position, position.choices[rival]));
        let known = || choices().filter(|&(position, choice)| choice < position.points(|_| true).len());
        let others = choices().filter(|&(_, choice)| choice > 0).count();
        let outside = positions.len() - known().count();
        println!(
            "{name}: another choice than maxout in {others} positions, in {outside} of them none of the five"
        );
        let behind = |(position, choice): (&&Measured, usize)| {
            let points = position.points(|_| true);
            points[0] - points[choice]
        };
        say("  makes less than maxout", &known().map(behind).collect::<Vec<f64>>());
        let differing: Vec<f64> = known().filter(|&(_, choice)| choice > 0).map(behind).collect();
        say("  the same, where they differ", &differing);
    }
    for number in 1..PLACEMENTS {
        let points = positions.iter().map(|position| position.points(|_| true));
        let behind: Vec<f64> = points.filter_map(|points| Some(points[0] - points.get(number)?)).collect();
        say(&format!("number {} makes less than the choice of maxout", number + 1), &behind);
    }
}

/// The positions and the number of rounds that the arguments name: `300` or `100..300`, and `50`.
fn parse_work(positions: &str, rounds: &str) -> Option<(Range<u64>, u64)> {
    let (first, end) = positions.split_once("..").unwrap_or(("0", positions));
    let positions = first.parse().ok()?..end.parse().ok()?;
    Some((positions, rounds.parse().ok()?)).filter(|(positions, _)| !positions.is_empty())
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected("play FILE.csv POSITIONS ROUNDS, play FILE.csv FIRST..END ROUNDS, or table FILE.csv")
    };
    match arguments {
        ["play", file, positions, rounds] => {
            let (positions, rounds) = parse_work(positions, rounds).ok_or_else(usage)?;
            play(file, positions, rounds)
        }
        ["table", file] => {
            table(&read(file)?);
            Ok(())
        }
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
