//! Fit the tables of the analysis, or check them: what did positions lead to that `maxout-2ply` played on from?
//!
//! `cargo run --release -p maxout-lab --example calibrate -- fit 3000 > tables.txt` plays 3,000 games of each of three
//! speeds on the seeds from 30000 on and prints the tables of `crates/engine/src/analysis/parameters.rs`.
//! `... -- check 1000` plays on the seeds from 40000 on and compares what the tables say with what happened.
//! `... -- killscreen 1000 12hz` plays 1,000 games from boards of levels 29 to 38 at these taps and prints a row of the tables for
//! them; `... -- check-killscreen 1000 12hz` compares on other seeds. `... -- late FILE.csv` fits to what the example `losses` has played
//! from level 29 on, on boards of other players.

use std::io;
use std::process::ExitCode;

use maxout_engine::Env;
use maxout_engine::Position;
use maxout_engine::analysis::{Analyst, Calibration, Outlook};
use maxout_engine::env::{EnvRules, GameEnd};
use maxout_engine::eval::ntuple::speed as speed_of;
use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, TapTable};
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

/// A game from anywhere between levels 29 and 39 up to level 39, at the taps of `playing`. Its board is what `maxout-2ply` builds in 12 to 40
/// pieces at level 19, and up to 12 more that go anywhere.
fn late_game(
    seed: u64,
    build: &mut Expectimax,
    playing: &mut Expectimax,
    analyst: &mut Analyst,
) -> Vec<Sample> {
    let mut dice = Dice::of([seed, 29]);
    let mut env = Env::from_position(EnvRules::game(19), seed, Board::EMPTY, Progress::at(0, 19));
    let built = 12 + u64::from(dice.roll(29));
    let astray = if dice.below(2) == 0 { 0 } else { u64::from(dice.roll(13)) };
    let mut placements = Vec::new();
    while env.end().is_none() && env.pieces() < built + astray {
        env.placements(&mut placements);
        let placement = if env.pieces() < built {
            build.rank(&env.position())[0].placement
        } else {
            placements[dice.below(placements.len())]
        };
        env.step(placement).expect("a listed placement");
    }
    let mut progress = Progress::at(0, 19);
    (0..230 + dice.roll(97)).for_each(|_| progress.add_rows(1));
    let limits = analyst.limits();
    let rules = EnvRules { until_level: Some(39), ..EnvRules::game(19).with_moves(limits) };
    let mut env = Env::from_position(rules, seed + 1, *env.board(), progress);
    let (mut notes, mut points) = (Vec::new(), 0);
    let every = if limits.is_slower_than_30_hz() { 1 } else { EVERY };
    while env.end().is_none() {
        let (board, start, next, progress) = (*env.board(), env.start(), env.next_piece(), env.progress());
        if env.pieces().is_multiple_of(every) {
            let position = Position { board, start, next: Some(next), progress };
            let value = analyst.rank(&position).iter().map(|verdict| verdict.value).reduce(f32::max);
            notes.extend(value.map(|value| (analyst.outlook(progress), value, points)));
        }
        let Some(placement) = playing.best(&Position { board, start, next: Some(next), progress }) else {
            break;
        };
        points += env.step(placement).expect("a listed placement").reward;
    }
    samples(&notes, points, &env)
}

/// The samples of this many games from level 29 on at these taps.
fn play_late(games: u64, first_seed: u64, taps: TapTable) -> Vec<Sample> {
    // What is said of 30 Hz is also said of pads without any limit.
    let limits = if taps == TapTable::HZ_30 { Limits::EACH_BUTTON } else { Limits::taps(taps) };
    let player = || {
        let search = |limits| Expectimax::new(weights::embedded_for(limits), Widths::TWO, limits);
        let entry = find("maxout-2ply").ok().and_then(|player| player.with_limits(limits));
        let analyst = entry.and_then(|player| player.analyst(Foresight::DEFAULT)).expect("an analyst");
        (search(Limits::EACH_BUTTON), search(limits), analyst)
    };
    let samples = games::in_order(games, player, |(build, playing, analyst), index| {
        late_game(first_seed + 2 * index, build, playing, analyst)
    });
    samples.into_iter().flatten().collect()
}

/// The boards before and after which `losses` played games on from level 29 on.
fn read_late(file: &str) -> io::Result<Vec<Sample>> {
    let mut analyst =
        find("maxout-2ply").ok().and_then(|player| player.analyst(Foresight::DEFAULT)).expect("an analyst");
    let mut samples = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let cells: Vec<f32> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
        // Without the player, which is no number.
        let [_, _, left, .., best, best_topouts, played, topouts, _, _] = cells[..] else { continue };
        let mut progress = Progress::at(0, 19);
        (0..330 - left as u32).for_each(|_| progress.add_rows(1));
        let outlook = analyst.outlook(progress);
        let mut add = |quality: f32, points, topped_out: f32| {
            let value = outlook.ordinary + quality * outlook.tetris;
            samples.push(Sample { outlook, value, points, topped_out: topped_out > 0.5 });
        };
        add(cells[10], best, best_topouts);
        add(cells[14], played, topouts);
    }
    Ok(samples)
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

/// Prints the tables, in which `sure` of [`Outlook::sure`] counts.
fn tables(samples: &[Sample], sure: f32) {
    println!("// {} positions.", samples.len());
    let share = |s: &Sample| f64::from((s.points - sure * s.outlook.sure(s.value)) / s.outlook.all_tetrises);
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
    let usage = || {
        usage::expected("fit GAMES or check GAMES, how many games of each speed; or killscreen GAMES TAPS")
    };
    if let ["late", file] = *arguments {
        tables(&read_late(file)?, 0.0);
        return Ok(());
    }
    let (what, games, taps) = match *arguments {
        [what, games] => (what, games, TapTable::HZ_30),
        [what, games, taps] => (what, games, taps.parse().map_err(|_| usage())?),
        _ => return Err(usage()),
    };
    let games = games.parse::<u32>().map(u64::from).map_err(|_| usage())?;
    match what {
        "fit" | "killscreen" => {
            let samples = if what == "fit" { play(games, 30_000) } else { play_late(games, 30_000, taps) };
            println!("// {games} games.");
            if let Some(sample) = samples.iter().find(|_| what == "killscreen") {
                println!("// Places to reach: {}.", sample.outlook.reach);
            }
            tables(&samples, 1.0);
        }
        "check" | "check-killscreen" => {
            let samples = if what == "check" { play(games, 40_000) } else { play_late(games, 41_000, taps) };
            let chances = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.01];
            for (speed, levels) in ["levels 19 to 28", "levels 0 to 18", "levels from 29"].iter().enumerate()
            {
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
