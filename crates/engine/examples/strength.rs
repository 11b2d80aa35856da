//! How strong is a search, with the luck of the pieces taken out? Plays games from level 19 to level 29 and prints the mean
//! line points, plain and less luck.
//!
//! `cargo run --release -p maxout-engine --example strength -- 20000 200 default [WEIGHTS]` plays the games from seed
//! 20000 on. The widths are `two`, `fast`, `default`, or plies of deepening as CANDIDATES:MARGIN:REPLIES, one behind the other.
//!
//! Luck: whenever a new next piece appears, what the position is then worth, less what it was worth on average before. Both are
//! by the values of one network that is the same for all searches, so a good one changes the spread of the result but not its
//! mean; see docs/notebook/strength.md.

#[path = "shared/mean.rs"]
mod mean;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::{env, fs, thread};

use maxout_engine::Env;
use maxout_engine::env::EnvRules;
use maxout_engine::eval::ntuple::{Network, odds};
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Placement;
use maxout_engine::search::{Expectimax, ExpectimaxParameters, Ply, Widths};
use maxout_rules::{Progress, line_points};
use mean::mean;

/// The discount of the learned values.
const GAMMA: f32 = ExpectimaxParameters::DEFAULT.discount;

/// What a value of the endless game is worth in points, by the lines that are left.
fn worth(progress: Progress, value: f32) -> f32 {
    if progress.level >= 29 {
        return 0.0;
    }
    let left = (230 - progress.lines().min(230)).max(17) as f32;
    1_200.0 * (f32::from(progress.level) + 1.0) * value * (1.0 - GAMMA.powf(2.5 * left))
}

/// How lucky it is that `next` comes, in points.
fn luck(env: &Env, network: &Network, placements: &mut Vec<Placement>) -> f32 {
    env.placements(placements);
    let mut best = [f32::MIN; 7];
    for placement in &*placements {
        let (mut board, mut progress) = (*env.board(), env.progress());
        let lines = board.lock(placement.x, placement.y, placement.id).min(4);
        progress.add_rows(lines);
        let reward = line_points(lines, progress.level) as f32;
        let values = network.values_at(&Shape::of(&board), 0);
        for (best, value) in best.iter_mut().zip(values) {
            *best = best.max(reward + GAMMA * worth(progress, value));
        }
    }
    if placements.is_empty() {
        return 0.0;
    }
    let mean: f32 = odds(env.piece()).iter().zip(best).map(|(odds, best)| odds * best).sum();
    best[env.next_piece() as usize] - mean
}

/// Line points, luck, burned lines, and whether level 29 was reached.
fn game(seed: u64, search: &mut Expectimax, judge: &Network) -> (f64, f64, f64, bool) {
    let mut env = Env::new(EnvRules::game(19), seed);
    let (mut points, mut lucky, mut burned) = (0u64, 0.0, 0u64);
    let mut placements = Vec::new();
    while env.end().is_none() {
        lucky += f64::from(luck(&env, judge, &mut placements));
        let Some(best) = search.best(env.board(), &env.start(), env.next_piece(), env.progress()) else {
            break;
        };
        let before = env.lines();
        let Ok(step) = env.step(best) else { break };
        points += step.reward;
        let lines = env.lines() - before;
        burned += if lines == 4 { 0 } else { lines };
    }
    (points as f64, lucky, burned as f64, env.progress().level >= 29)
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [first, games, widths, weights @ ..] = &arguments[..] else {
        println!("expected: FIRST_SEED GAMES WIDTHS [WEIGHTS]");
        return;
    };
    let (first, games): (u64, u64) = (first.parse().expect("seed"), games.parse().expect("games"));
    let widths = match &widths[..] {
        "two" => Widths::TWO,
        "fast" => Widths::FAST,
        "default" => Widths::DEFAULT,
        plies => {
            let ply = |text: &str| {
                let n: Vec<f32> = text.split(':').map(|n| n.parse().expect("a number")).collect();
                Ply { candidates: n[0] as usize, margin: n[1], replies: n[2] as usize }
            };
            Widths { first: 22, deeper: plies.split(',').map(ply).collect(), alone: Vec::new().into() }
        }
    };
    let network = match weights {
        [file, ..] => Arc::new(weights::decode(&fs::read(file).expect("weights")).expect("weights")),
        [] => weights::embedded(),
    };
    let judge = weights::base();
    let (next, all) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut search = Expectimax::new(network.clone(), widths.clone(), Limits::EACH_BUTTON);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= games {
                        break;
                    }
                    let row = game(first + index, &mut search, &judge);
                    all.lock().expect("no panic").push((index, row));
                }
            });
        }
    });
    let mut all = all.into_inner().expect("no panic");
    all.sort_by_key(|row| row.0);
    let of = |f: fn(&(f64, f64, f64, bool)) -> f64| all.iter().map(|(_, row)| f(row)).collect::<Vec<_>>();
    let (points, luck) = (of(|row| row.0), of(|row| row.1));
    let say = |what: &str, numbers: &[f64]| {
        let (mean, error) = mean(numbers);
        println!("{what} {mean:.1} ± {error:.1}");
    };
    say("line points", &points);
    say("luck", &luck);
    for factor in [0.5, 0.75, 1.0] {
        let less: Vec<f64> = points.iter().zip(&luck).map(|(points, luck)| points - factor * luck).collect();
        say(&format!("less {factor} luck"), &less);
    }
    say("burned lines", &of(|row| row.2));
    say("reaches 29", &of(|row| f64::from(u8::from(row.3))));
}
