//! Do games go on as the style of a player says? Measures the style of a player in the first pieces of a game, forecasts the rest as `review --as me`
//! does, and compares that with how the same game really went on.
//!
//! `cargo run --release -p maxout-lab --example styles -- plateau17 12hz 0.01 100 8300000 200 50` plays 100 games of `plateau17` at 12 Hz,
//! in which one press in a hundred goes wrong, from level 18 to level 29, from seed 8300000 on, and forecasts each from piece 200 on by 50 games.
//! Games that end before that piece are left out. `styles game.ngf.gz 12hz 100` does the same with the games of a recording, from their first piece by
//! all that was played up to level 29, and from the middle by the first half.

use std::fs;
use std::io;
use std::process::ExitCode;

use maxout_engine::analysis::{Analyst, GamePlayouts};
use maxout_engine::env::GameEnd;
use maxout_engine::limits::{Limits, Presses};
use maxout_engine::player::{Entry, Mind};
use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_host::hand::MisdropRate;
use maxout_host::review::{PlacedPiece, PlayStyle, of_frames};
use maxout_lab::research::games::missed;
use maxout_lab::research::mean::mean;
use maxout_lab::research::usage;
use maxout_record::champs::Frames;
use maxout_rules::{Stop, line_points};

const LEVEL: u8 = 18;
const STOP: Stop = Stop::Level29;
/// More pieces than any game needs.
const ALL: usize = 2_000;
/// Fewer pieces than this are no game.
const FEWEST: usize = 100;
/// What is compared, and its unit.
const WHAT: [(&str, f64); 3] = [("points", 1.0), ("level 29 in %", 100.0), ("tetris rate in %", 100.0)];

/// Points, whether level 29 is reached, the share of lines by tetrises.
type Outcome = [f64; 3];

/// Who measures styles and plays on.
struct Judge {
    playouts: GamePlayouts,
    analyst: Analyst,
}

impl Judge {
    fn new(limits: Limits) -> Self {
        let fast = find("maxout-fast").ok().and_then(|player| player.with_limits(limits));
        let both = |fast: Entry| Some((fast.playouts()?, fast.analyst(Foresight::DEFAULT)?));
        let (playouts, analyst) = fast.and_then(both).expect("a learned player takes all limits");
        Self { playouts, analyst }
    }

    fn style(&self, pieces: &[PlacedPiece]) -> Option<PlayStyle> {
        PlayStyle::of(pieces, &self.playouts, &self.analyst, 1, &|| true).ok().flatten()
    }

    /// How games go on from this placement on.
    fn forecast(&mut self, style: &PlayStyle, from: &PlacedPiece, games: u64, seed: u64) -> Vec<Outcome> {
        let of = |number| {
            let played = style.play_on(&mut self.playouts, &from.position(), None, ALL, seed + number);
            let lived = played.end.is_some_and(|end| end != GameEnd::TopOut);
            [played.made().1 as f64, f64::from(u8::from(lived)), played.tetris_rate()]
        };
        (0..games).map(of).collect()
    }
}

/// How a game went on from the first of these placements.
fn outcome(pieces: &[PlacedPiece]) -> Outcome {
    let (mut points, mut lines, mut by_tetrises, mut level) = (0, 0_u32, 0_u32, 0);
    for placed in pieces {
        let at = placed.placement;
        let rows = { placed.board }.lock(at.x, at.y, at.orientation);
        let mut after = placed.progress;
        after.add_rows(rows);
        points += line_points(rows, after.level);
        lines += u32::from(rows);
        by_tetrises += u32::from(rows) * u32::from(rows == 4);
        level = after.level;
    }
    [points as f64, f64::from(u8::from(level >= 29)), f64::from(by_tetrises) / f64::from(lines.max(1))]
}

fn column(all: &[Outcome], at: usize) -> Vec<f64> {
    all.iter().map(|outcome| WHAT[at].1 * outcome[at]).collect()
}

/// Forecasts of the games of a recording.
fn recording(file: &str, limits: Limits, games: u64) -> io::Result<()> {
    let bytes = fs::read(file)?;
    let mut judge = Judge::new(limits);
    for game in of_frames(Frames::new(&*bytes), None).map_err(io::Error::other)? {
        let before_29 = |placed: &&PlacedPiece| placed.progress.level < 29;
        let pieces: Vec<PlacedPiece> = game.pieces.iter().take_while(before_29).copied().collect();
        if pieces.len() < FEWEST {
            continue;
        }
        let half = pieces.len() / 2;
        for (from, known) in [(0, &pieces[..]), (half, &pieces[..half])] {
            let Some(style) = judge.style(known) else { continue };
            let told = judge.forecast(&style, &pieces[from], games, 0);
            let made = outcome(&pieces[from..]);
            println!(
                "{file}, from piece {} of {}: share of losses {:.3}",
                from + 1,
                pieces.len(),
                style.share()
            );
            for (at, (name, unit)) in WHAT.into_iter().enumerate() {
                let (mean, error) = mean(&column(&told, at));
                println!("  {name}: forecast {mean:.1} ± {error:.1}, made {:.1}", unit * made[at]);
            }
        }
    }
    Ok(())
}

fn run(words: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected(
            "PLAYER TAPS RATE GAMES FIRST_SEED CUT FORECASTS, such as plateau17 12hz 0.01 100 8300000 200 50, or FILE.ngf TAPS FORECASTS",
        )
    };
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let presses = words.get(1).and_then(|word| word.parse::<Presses>().ok());
    let limits = Limits::new(presses.ok_or_else(usage)?);
    if let (3, Some(games)) = (words.len(), number(2)) {
        return recording(words[0], limits, games);
    }
    let (Some(rate), Some(games), Some(first_seed), Some(cut), Some(forecasts)) = (
        words.get(2).and_then(|word| word.parse::<f64>().ok()).and_then(MisdropRate::new),
        number(3),
        number(4),
        number(5),
        number(6),
    ) else {
        return Err(usage());
    };
    let player = find(words[0]).ok().and_then(|player| player.with_limits(limits)).ok_or_else(usage)?;
    let mut judge = Judge::new(limits);
    let (mut told, mut made, mut shares, mut left_out): (Vec<Outcome>, Vec<Outcome>, Vec<f64>, u64) =
        Default::default();
    for seed in first_seed..first_seed + games {
        let mut mind: Mind = player.make(Foresight::DEFAULT, STOP);
        let pieces = missed(&mut mind, seed, (LEVEL, STOP), rate).pieces;
        let Some((known, rest)) = pieces.split_at_checked(cut as usize).filter(|(_, rest)| !rest.is_empty())
        else {
            left_out += 1;
            continue;
        };
        let Some(style) = judge.style(known) else { continue };
        let all = judge.forecast(&style, &rest[0], forecasts, 1_000_000 * seed);
        told.push([0, 1, 2].map(|at| all.iter().map(|outcome| outcome[at]).sum::<f64>() / forecasts as f64));
        made.push(outcome(rest));
        shares.push(style.share().into());
    }
    let (share, error) = mean(&shares);
    println!(
        "{} {} misdrops {rate}: {} games from seed {first_seed}, {left_out} ended before piece {cut}; share of losses {share:.3} ± {error:.3}",
        words[0],
        words[1],
        made.len()
    );
    for (at, (name, _)) in WHAT.into_iter().enumerate() {
        let (told, made) = (column(&told, at), column(&made, at));
        let apart: Vec<f64> = told.iter().zip(&made).map(|(told, made)| told - made).collect();
        let ((told, _), (made, error), (apart, apart_error)) = (mean(&told), mean(&made), mean(&apart));
        println!(
            "  {name}: forecast {told:.1}, made {made:.1} ± {error:.1}, difference {apart:+.1} ± {apart_error:.1}"
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
