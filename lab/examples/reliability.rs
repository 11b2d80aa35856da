//! Are the forecasts of the analysis right? For 500 positions, compares the forecast of the analysis with the results of up
//! to 1,000 games played on from each.
//!
//! `cargo run --release -p maxout-lab --example reliability -- play reliability.csv 10` plays ten rounds of 100 games
//! from each position and adds a row for each round; a run that was interrupted goes on where it stopped. Do not go on with
//! a file from before 2026-11-28: until then, other tables made the forecasts.
//! `... -- table reliability.csv` prints a summary, and `... -- plot reliability.csv reliability.svg` draws one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use maxout_engine::Env;
use maxout_engine::Position;
use maxout_engine::analysis::GamePlayouts;
use maxout_engine::env::EnvRules;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_gallery::find;
use maxout_lab::research::{rows, usage};
use maxout_rules::random::Dice;
use maxout_rules::{Board, Progress, lines_to_29};

/// The number of positions, and of games from each position in a round.
const POSITIONS: u64 = 500;
const GAMES: u64 = 100;
/// The first seed of the games; nothing was fitted on these seeds.
const FIRST_SEED: u64 = 41_000;
const HEADER: &str =
    "position,level,lines_left,predicted_points,predicted_topout,round,games,points,points_squared,topouts";

/// Position number `index`. Three in five come from games of `maxout-2ply`; in the others, the last pieces (up to 12) were
/// placed at random.
fn position(index: u64, search: &mut Expectimax) -> Position {
    (0..).find_map(|attempt| reached(index, attempt, search)).expect("some game lasts long enough")
}

fn reached(index: u64, attempt: u64, search: &mut Expectimax) -> Option<Position> {
    let mut dice = Dice::of([FIRST_SEED + index, attempt]);
    let start = [18, 19, 19, 19, 29][dice.below(5)];
    let mut progress = Progress::at(0, start);
    let before = if start < 29 { dice.roll(lines_to_29(start) - 4) } else { 0 };
    (0..before).for_each(|_| progress.add_rows(1));
    let mut env = Env::from_position(
        EnvRules { until_level: None, ..EnvRules::game(start) },
        FIRST_SEED + index,
        Board::EMPTY,
        progress,
    );
    let (wanders, pieces) = (index % 5 >= 3, 20 + u64::from(dice.roll(40)));
    let astray = if wanders { 1 + u64::from(dice.roll(12)) } else { 0 };
    let mut placements = Vec::new();
    while env.pieces() < pieces {
        env.placements(&mut placements);
        if placements.is_empty() {
            return None;
        }
        let placement = if env.pieces() + astray >= pieces {
            placements[dice.below(placements.len())]
        } else {
            search.best(&env.position())?
        };
        env.step(placement).ok()?;
    }
    let question = env.position();
    (env.end().is_none() && (start >= 29 || question.progress.level < 29)).then_some(question)
}

/// Plays the rounds that `file` does not have yet.
fn play(file: &str, rounds: u64) -> io::Result<()> {
    let key = |line: &str| {
        let mut cells = line.split(',').filter_map(|cell| cell.parse::<f64>().ok());
        Some((cells.nth(5)? as u64, line.split(',').next()?.parse::<u64>().ok()?))
    };
    let (done, out) = rows::go_on(file, HEADER, key)?;
    let next = AtomicU64::new(0);
    let work = || -> io::Result<()> {
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let mut search = Expectimax::new(network.clone(), Widths::TWO, Limits::EACH_BUTTON);
        let mut analyst = find("maxout-2ply")
            .ok()
            .and_then(|player| player.analyst(Foresight::DEFAULT))
            .expect("an analyst");
        let mut playouts = GamePlayouts::new(network, Limits::EACH_BUTTON);
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            let (round, index) = (turn / POSITIONS, turn % POSITIONS);
            if round >= rounds {
                return Ok(());
            }
            if done.contains(&(round, index)) {
                continue;
            }
            let question = position(index, &mut search);
            let lines = analyst.outlook(question.progress).lines;
            let Some(&best) = analyst.rank(&question).first() else { continue };
            let (mut points, mut squared, mut topouts) = (0.0, 0.0, 0);
            for game in 0..GAMES {
                let played = playouts.play(&question, best.placement, (round * GAMES + game) << 20 | index);
                points += played.points as f64;
                squared += (played.points as f64).powi(2);
                topouts += u64::from(played.topped_out);
            }
            let row = format!(
                "{index},{},{lines},{:.0},{:.5},{round},{GAMES},{points:.0},{squared:.0},{topouts}\n",
                question.progress.level, best.points, best.topout
            );
            out.lock().expect("no panic").write_all(row.as_bytes())?;
        }
    };
    rows::on_all_cores(work)
}

/// The forecast for a position, and what happened.
struct Forecast {
    predicted: [f64; 2],
    happened: [f64; 2],
    /// Standard error of the mean points.
    error: f64,
    games: f64,
}

fn read(file: &str) -> io::Result<Vec<Forecast>> {
    let mut sums: BTreeMap<u64, [f64; 6]> = BTreeMap::new();
    for line in fs::read_to_string(file)?.lines().skip(1) {
        let cells: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
        if let [index, _, _, points, topout, _, games, sum, squares, lost] = cells[..] {
            let entry = sums.entry(index as u64).or_default();
            (entry[0], entry[1]) = (points, topout);
            entry.iter_mut().skip(2).zip([games, sum, squares, lost]).for_each(|(all, one)| *all += one);
        }
    }
    let forecast = |[points, topout, games, sum, squares, lost]: [f64; 6]| {
        let (mean, variance) = (sum / games, squares / games - (sum / games).powi(2));
        let error = (variance.max(0.0) / games).sqrt();
        Forecast { predicted: [points, topout], happened: [mean, lost / games], error, games }
    };
    Ok(sums.into_values().map(forecast).collect())
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = numbers.collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

fn table(forecasts: &[Forecast]) {
    let games: f64 = forecasts.iter().map(|forecast| forecast.games).sum();
    println!("{} positions, {games} games", forecasts.len());
    println!("top-out forecast   positions  forecast  happened  points forecast  happened");
    let ends = [0.0, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1.01];
    for range in ends.windows(2) {
        let inside: Vec<&Forecast> =
            forecasts.iter().filter(|one| (range[0]..range[1]).contains(&one.predicted[1])).collect();
        let of = |value: &dyn Fn(&Forecast) -> f64| mean(inside.iter().map(|one| value(one)));
        println!(
            "{:>5.2} to {:<5.2} {:>13} {:>7.2} % {:>7.2} % {:>16.0} {:>9.0}",
            range[0],
            range[1].min(1.0),
            inside.len(),
            100.0 * of(&|one| one.predicted[1]),
            100.0 * of(&|one| one.happened[1]),
            of(&|one| one.predicted[0]),
            of(&|one| one.happened[0]),
        );
    }
    let points = |one: &Forecast| one.predicted[0] - one.happened[0];
    let topout = |one: &Forecast| one.predicted[1] - one.happened[1];
    println!(
        "points: mean error {:.0}, mean absolute error {:.0} (mean standard error of what happened {:.0})",
        mean(forecasts.iter().map(points)),
        mean(forecasts.iter().map(|one| points(one).abs())),
        mean(forecasts.iter().map(|one| one.error)),
    );
    println!(
        "top-out: mean error {:.2} %, mean absolute error {:.2} %",
        100.0 * mean(forecasts.iter().map(topout)),
        100.0 * mean(forecasts.iter().map(|one| topout(one).abs())),
    );
}

/// Two squares side by side, with forecasts on the x axis and results on the y axis; on the diagonal both are equal.
fn plot(forecasts: &[Forecast], file: &str) -> io::Result<()> {
    let most = forecasts.iter().map(|one| one.predicted[0].max(one.happened[0])).fold(1.0, f64::max);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 400\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"760\" height=\"400\" fill=\"#fff\"/>\n",
    );
    for (which, title, full) in [
        (0, "Points to the stop: forecast and result", most),
        (1, "Probability of a top-out: forecast and result", 1.0),
    ] {
        let left = 50.0 + 370.0 * which as f64;
        svg += &format!(
            "<text x=\"{left}\" y=\"16\" font-size=\"14\">{title}</text>\n<text x=\"{left}\" y=\"34\">result: {full:.0}</text>\n<path d=\"M{left} 40V360H{} M{left} 360L{} 40\" fill=\"none\" stroke=\"#888\"/>\n<text x=\"{left}\" y=\"382\">0</text><text x=\"{}\" y=\"382\" text-anchor=\"end\">forecast: {full:.0}</text>\n",
            left + 320.0,
            left + 320.0,
            left + 320.0,
        );
        for one in forecasts {
            let at = |value: f64| 320.0 * value / full;
            svg += &format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#1668b8\" fill-opacity=\".4\"/>\n",
                left + at(one.predicted[which]),
                360.0 - at(one.happened[which]),
            );
        }
    }
    fs::write(file, svg + "</svg>\n")
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || usage::expected("play FILE.csv ROUNDS, table FILE.csv, or plot FILE.csv FILE.svg");
    match arguments {
        ["play", file, rounds] => play(file, rounds.parse().map_err(|_| usage())?),
        ["table", file] => {
            table(&read(file)?);
            Ok(())
        }
        ["plot", file, svg] => plot(&read(file)?, svg),
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
