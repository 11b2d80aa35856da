//! Measure what the last lines before level 29 pay beyond the mean of a line: the table `LAST_LINES` of
//! `crates/engine/src/search/parameters.rs`.
//!
//! `cargo run --release -p maxout-lab --example last_lines -- 22000 1000` plays 1,000 games of `maxout-fast` from level 19, from
//! seed 22000 on. It prints, for ranges of lines left, by how much the points that were still made rise with the learned
//! value and with the cells on the board, and then the table. Points are in tetrises at level 19.

use std::io;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use maxout_engine::Env;
use maxout_engine::env::EnvRules;
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::search::{Expectimax, ExpectimaxParameters, LAST_LINES, Widths};
use maxout_lab::research::usage;
use maxout_rules::{Board, Piece, lines_to_29};

/// More lines than are left at the start.
const LINES: usize = 231;
/// Boards with a lower learned value, in tetrises, are left out, because many of them top out.
const LEAST: f64 = 7.0;
/// Ranges of lines left.
const RANGES: [(usize, usize); 9] =
    [(1, 4), (5, 8), (9, 12), (13, 16), (17, 20), (21, 30), (31, 60), (61, 130), (131, 229)];

/// Sums over boards with equally many lines left: 1, learned value v, cells c, points p, v², vc, c², vp, cp.
type Sums = [f64; 9];

/// Plays a game and adds its boards.
fn game(seed: u64, search: &mut Expectimax, sums: &Mutex<Vec<Sums>>) {
    let network = weights::embedded_for(Limits::EACH_BUTTON);
    let mut env = Env::new(EnvRules::game(19), seed);
    let (mut points, mut boards) = (0u64, Vec::new());
    while env.end().is_none() {
        let shape = Shape::of(env.board());
        let value = f64::from(network.values(&shape, 19)[env.piece() as usize]);
        boards.push((
            lines_to_29(19).saturating_sub(env.lines() as u32),
            value,
            f64::from(shape.cells()),
            points,
        ));
        let Some(best) = search.best(&env.position()) else {
            break;
        };
        let Ok(step) = env.step(best) else { break };
        points += step.reward;
    }
    let mut sums = sums.lock().expect("no panic");
    for (left, v, c, had) in boards.into_iter().filter(|board| board.1 >= LEAST) {
        let p = (points - had) as f64 / 24_000.0;
        let row = [1.0, v, c, p, v * v, v * c, c * c, v * p, c * p];
        sums[left as usize].iter_mut().zip(row).for_each(|(sum, more)| *sum += more);
    }
}

/// By how much the points rise with the learned value and with the cells, among boards with equally many lines left.
fn slopes(rows: &[Sums]) -> (f64, f64) {
    let (mut vv, mut vc, mut cc, mut vp, mut cp) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &[n, v, c, p, v2, v_c, c2, v_p, c_p] in rows.iter().filter(|row| row[0] > 0.0) {
        vv += v2 - v * v / n;
        vc += v_c - v * c / n;
        cc += c2 - c * c / n;
        vp += v_p - v * p / n;
        cp += c_p - c * p / n;
    }
    let determinant = vv * cc - vc * vc;
    ((cc * vp - vc * cp) / determinant, (vv * cp - vc * vp) / determinant)
}

/// What the next line pays, relative to level 19, with `left` lines left.
fn multiplier(left: usize) -> f64 {
    (if left > 90 { 20.0 } else { 30.0 - left.div_ceil(10) as f64 }) / 20.0
}

/// The table, from the sums for each number of lines left. `empty` is the learned value of the empty board.
fn table(sums: &[Sums], empty: f64) -> Vec<f64> {
    let parameters = ExpectimaxParameters::DEFAULT;
    let discount = f64::from(parameters.discount);
    let line = (empty + f64::from(parameters.ordinary)) * (1.0 - discount) * 2.5;
    let beyond = |left: usize| {
        let [n, v, c, p, ..] = sums[left];
        let merit = v / n - empty - line / 10.0 * c / n;
        let effect = 1.0 - (-(left as f64) / f64::from(parameters.effect_lines)).exp();
        let lines: f64 = (1..=left).map(multiplier).sum();
        p / n - multiplier(left) * effect * merit - line * lines
    };
    let beyond: Vec<f64> = (0..70).map(|left| if left == 0 { 0.0 } else { beyond(left) }).collect();
    let far = beyond[50..65].iter().sum::<f64>() / 15.0;
    let last = LAST_LINES.len() - 1;
    // To reduce noise, each entry is averaged with those four lines before and after it. Towards the end of the table, entries pass
    // into the mean of 50 to 64 lines left.
    let smooth = |left: usize| {
        let near = match left {
            0..=8 => return beyond[left],
            _ => (beyond[left - 4] + 2.0 * beyond[left] + beyond[left + 4]) / 4.0,
        };
        let share = ((last - left) as f64 / 12.0).min(1.0);
        share * near + (1.0 - share) * far
    };
    (0..=last).map(smooth).collect()
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || usage::expected("FIRST_SEED GAMES, such as 22000 1000");
    let [first, games] = arguments else { return Err(usage()) };
    let number = |text: &str| text.parse::<u64>().map_err(|_| usage());
    let (first, games) = (number(first)?, number(games)?);
    let (next, sums) = (AtomicU64::new(0), Mutex::new(vec![Sums::default(); LINES]));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let network = weights::embedded_for(Limits::EACH_BUTTON);
                let mut search = Expectimax::new(network, Widths::FAST, Limits::EACH_BUTTON);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= games {
                        break;
                    }
                    game(first + index, &mut search, &sums);
                }
            });
        }
    });
    let sums = sums.into_inner().expect("no panic");
    for (from, to) in RANGES {
        let rows = &sums[from..=to];
        let of = |k: usize| rows.iter().map(|row| row[k]).sum::<f64>();
        let (value, cells) = slopes(rows);
        let (mean_value, mean_cells) = (of(1) / of(0), of(2) / of(0));
        println!(
            "{from} to {to} lines left: points rise by {value:.3} per tetris of the learned value (mean {mean_value:.2}) and \
             by {cells:.4} per cell (mean {mean_cells:.1})"
        );
    }
    let network = weights::embedded_for(Limits::EACH_BUTTON);
    let empty = f64::from(network.expected(&Shape::of(&Board::EMPTY), 19, Piece::T));
    let table: Vec<String> = table(&sums, empty).iter().map(|entry| format!("{entry:.3}")).collect();
    table.chunks(12).for_each(|row| println!("    {},", row.join(", ")));
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
