//! Fit the tables of the analysis, or check them: what did positions lead to that `maxout-2ply` played on from?
//!
//! `cargo run --release -p maxout-lab --example calibrate -- fit 3000 > tables.txt` plays 3,000 games of each of three
//! speeds on the seeds from 30000 on and prints the tables of `crates/engine/src/analysis/parameters.rs`.
//! `... -- check 1000` plays on the seeds from 40000 on and compares what the tables say with what happened.

use std::io;
use std::process::ExitCode;

use maxout_engine::Env;
use maxout_engine::analysis::{Analyst, Calibration, Outlook};
use maxout_engine::env::{EnvRules, GameEnd};
use maxout_engine::eval::ntuple::speed as speed_of;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_gallery::find;
use maxout_lab::research::{games, usage};
use maxout_rules::random::Dice;
use maxout_rules::{Board, FallRule, Progress, lines_to_29};

/// Rows and columns of a table.
const ROWS: usize = Calibration::LINES.len();
const COLUMNS: usize = Calibration::QUALITIES.len();
/// How strongly neighbouring entries are kept alike, in positions.
const SMOOTH: f64 = 8.0;
/// Pieces between two positions that are noted.
const EVERY: u64 = 3;

/// A position and what it led to.
struct Sample {
    outlook: Outlook,
    value: f32,
    points: f32,
    topped_out: bool,
}

/// A game up to level 28: it begins anywhere on the way to its stop, `maxout-2ply` plays 20 pieces, up to 12
/// pieces go anywhere, and then `maxout-2ply` plays to the end. Positions are noted from there on.
fn game(kind: usize, seed: u64, search: &mut Expectimax, analyst: &mut Analyst) -> Vec<Sample> {
    let mut dice = Dice::of([seed, kind as u64]);
    let start = if kind == 0 { [0, 5, 9, 12, 15, 18, 18, 18][dice.below(8)] } else { 19 };
    let mut progress = Progress::at(0, start);
    let before = dice.roll(lines_to_29(start) - 4);
    (0..before).for_each(|_| progress.add_rows(1));
    let mut env = Env::from_position(EnvRules::game(start), seed, Board::EMPTY, progress);
    let (mut placements, mut notes, mut points) = (Vec::new(), Vec::new(), 0u64);
    let astray = 20..20 + u64::from(dice.roll(13));
    while env.end().is_none() {
        env.placements(&mut placements);
        let ranked = search.rank(&env.position());
        let placement = if astray.contains(&env.pieces()) {
            placements[dice.below(placements.len())]
        } else {
            if env.pieces() >= astray.end && env.pieces().is_multiple_of(EVERY) {
                notes.push((analyst.outlook(env.progress()), ranked[0].value, points));
            }
            ranked[0].placement
        };
        points += env.step(placement).expect("a listed placement").reward;
    }
    samples(&notes, points, &env)
}

/// What the noted positions led to: how values are read there, the value, and the points so far.
fn samples(notes: &[(Outlook, f32, u64)], points: u64, env: &Env) -> Vec<Sample> {
    let topped_out = env.end() == Some(GameEnd::TopOut);
    let led_to = |&(outlook, value, had): &(Outlook, f32, u64)| Sample {
        outlook,
        value,
        points: (points - had) as f32,
        topped_out,
    };
    notes.iter().map(led_to).collect()
}

/// The samples of this many games of each speed up to level 28.
fn play(games: u64, first_seed: u64) -> Vec<Sample> {
    let player = || {
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let search = Expectimax::new(network, Widths::TWO, Limits::EACH_BUTTON);
        let analyst = find("maxout-2ply").ok().and_then(|player| player.analyst(Foresight::DEFAULT));
        (search, analyst.expect("an analyst"))
    };
    let samples = games::in_order(2 * games, player, |(search, analyst), index| {
        game((index % 2) as usize, first_seed + index / 2, search, analyst)
    });
    samples.into_iter().flatten().collect()
}

type Table = [[f64; COLUMNS]; ROWS];

/// The table of least squares, with neighbours kept alike: along lines by first differences, along quality by second ones.
fn fit<'a>(samples: impl Iterator<Item = &'a Sample>, wanted: impl Fn(&Sample) -> f64) -> (Table, Table) {
    const N: usize = ROWS * COLUMNS;
    let mut matrix = vec![[0.0; N]; N];
    let (mut side, mut mass) = ([0.0; N], [[1e-6; COLUMNS]; ROWS]);
    let mut add = |terms: &[(usize, f64)], want: f64, weight: f64| {
        for &(i, a) in terms {
            side[i] += weight * a * want;
            for &(j, b) in terms {
                matrix[i][j] += weight * a * b;
            }
        }
    };
    for sample in samples {
        let quality = sample.outlook.quality(sample.value);
        let weights = Calibration::weights(sample.outlook.lines as f32, quality);
        for (row, column, weight) in weights {
            mass[row][column] += weight;
        }
        add(&weights.map(|(row, column, weight)| (row * COLUMNS + column, weight)), wanted(sample), 1.0);
    }
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let at = row * COLUMNS + column;
            if row > 0 {
                add(&[(at, 1.0), (at - COLUMNS, -1.0)], 0.0, SMOOTH);
            }
            if (1..COLUMNS - 1).contains(&column) {
                add(&[(at - 1, 1.0), (at, -2.0), (at + 1, 1.0)], 0.0, SMOOTH);
            }
            add(&[(at, 1.0)], 0.5, 1e-4);
        }
    }
    // Gauss-Seidel: the matrix is symmetric and positive.
    let mut solution = [0.5; N];
    for _ in 0..20_000 {
        for i in 0..N {
            let others: f64 = (0..N).filter(|&j| j != i).map(|j| matrix[i][j] * solution[j]).sum();
            solution[i] = (side[i] - others) / matrix[i][i];
        }
    }
    (std::array::from_fn(|row| std::array::from_fn(|column| solution[row * COLUMNS + column])), mass)
}

/// Makes a row monotonic by pooling neighbours that are not: it rises, or falls if `sign` is -1.
fn monotonic(row: &mut [f64; COLUMNS], mass: &[f64; COLUMNS], sign: f64) {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (value, mass) in row.iter().zip(mass) {
        pools.push((*value, *mass, 1));
        while let [.., (a, m, n), (b, k, o)] = pools[..]
            && sign * a > sign * b
        {
            pools.truncate(pools.len() - 2);
            pools.push(((a * m + b * k) / (m + k), m + k, n + o));
        }
    }
    let values = pools.iter().flat_map(|&(value, _, n)| std::iter::repeat_n(value, n));
    row.iter_mut().zip(values).for_each(|(entry, value)| *entry = value);
}

fn print(name: &str, doc: &str, samples: &[Sample], sign: f64, wanted: impl Fn(&Sample) -> f64) {
    let speeds = samples.iter().map(|sample| speed_of(sample.outlook.level, FallRule::Ntsc, false));
    let speeds: std::collections::BTreeSet<usize> = speeds.collect();
    println!("/// {doc}\npub(super) const {name}: [Grid; {}] = [", speeds.len());
    for speed in speeds {
        let of_speed =
            samples.iter().filter(|sample| speed_of(sample.outlook.level, FallRule::Ntsc, false) == speed);
        let (mut table, mass) = fit(of_speed, &wanted);
        println!("    [");
        for (row, mass) in table.iter_mut().zip(&mass) {
            monotonic(row, mass, sign);
            let entries: Vec<String> =
                row.iter().map(|entry| format!("{:.4}", entry.clamp(-9.0, 9.0))).collect();
            println!("        [{}],", entries.join(", "));
        }
        println!("    ],");
    }
    println!("];\n");
}

/// Prints the tables.
fn tables(samples: &[Sample]) {
    println!("// {} positions.", samples.len());
    let share = |s: &Sample| f64::from((s.points - s.outlook.sure(s.value)) / s.outlook.all_tetrises);
    print("SHARES", "Points by lines left and quality.", samples, 1.0, share);
    let lost = |s: &Sample| f64::from(u8::from(s.topped_out));
    print("TOPOUTS", "Top-outs by lines left and quality.", samples, -1.0, lost);
}

/// Prints a line for each range of `key`: what was predicted on average and what happened.
fn compare(samples: &[Sample], title: &str, ends: &[f32], key: impl Fn(&Sample) -> f32) {
    let calibration = Calibration::FITTED;
    println!("{title:<24} positions  top-outs predicted  happened   points predicted  happened");
    for range in ends.windows(2) {
        let inside: Vec<&Sample> =
            samples.iter().filter(|s| (range[0]..range[1]).contains(&key(s))).collect();
        let mean = |value: &dyn Fn(&Sample) -> f32| {
            inside.iter().map(|sample| f64::from(value(sample))).sum::<f64>() / inside.len() as f64
        };
        let said = |sample: &Sample| calibration.estimate(&sample.outlook, sample.value);
        println!(
            "{:>10} to {:<10} {:>10} {:>18.2} % {:>7.2} % {:>18.0} {:>9.0}",
            range[0],
            range[1],
            inside.len(),
            100.0 * mean(&|s| said(s).topout),
            100.0 * mean(&|s| f32::from(u8::from(s.topped_out))),
            mean(&|s| said(s).points),
            mean(&|s| s.points)
        );
    }
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || usage::expected("fit GAMES or check GAMES, how many games of each speed");
    let [what, games] = *arguments else { return Err(usage()) };
    let games = games.parse::<u32>().map(u64::from).map_err(|_| usage())?;
    match what {
        "fit" => {
            println!("// {games} games.");
            tables(&play(games, 30_000));
        }
        "check" => {
            let samples = play(games, 40_000);
            let chances = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.01];
            for (speed, levels) in ["levels 19 to 28", "levels 0 to 18"].iter().enumerate() {
                let of_speed = |s: &Sample| {
                    if speed_of(s.outlook.level, FallRule::Ntsc, false) == speed { 0.0 } else { 1e9 }
                };
                let topout =
                    |s: &Sample| of_speed(s) + Calibration::FITTED.estimate(&s.outlook, s.value).topout;
                compare(&samples, &format!("{levels}: top-out"), &chances, topout);
                let lines = |s: &Sample| of_speed(s) + s.outlook.lines as f32;
                compare(
                    &samples,
                    &format!("{levels}: lines left"),
                    &[1.0, 5.0, 10.0, 20.0, 50.0, 100.0, 300.0],
                    lines,
                );
            }
        }
        _ => return Err(usage()),
    }
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
