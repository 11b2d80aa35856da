//! Where in a game does a player burn lines, and where does it top out? Prints the tetris rate, the mean number of
//! cells on the board and the top-outs for every ten lines, and then the mean line points.
//!
//! `cargo run --release -p maxout-lab --example by_lines -- 20hz 400 30000` plays 400 games of `maxout-fast` at
//! 20 Hz, from seed 30000 on, in the format of `maxout-lab limits`: from level 18 to 430 lines, with the double killscreen.

use std::io;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use maxout_engine::Position;
use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::movegen::Start;
use maxout_engine::search::{Expectimax, Widths};
use maxout_lab::research::{mean, usage};
use maxout_rules::{Board, Dealer, FallRule, Pieces, Progress, Stop, line_points};
use mean::mean;

/// The number of lines at which a game stops.
const STOP: u32 = 430;
/// The number of groups of ten lines.
const GROUPS: usize = STOP as usize / 10;

/// Sums over games, by the number of lines divided by ten.
#[derive(Default, Clone, Copy)]
struct Group {
    lines: u64,
    /// Of these, the lines cleared in tetrises.
    tetrises: u64,
    pieces: u64,
    /// The cells on the board before each piece.
    cells: u64,
    topouts: u64,
}

/// Plays a game, adds it to the groups and returns its line points.
fn game(seed: u64, search: &mut Expectimax, groups: &mut [Group; GROUPS]) -> u64 {
    let mut dealer = Dealer::new(Pieces::Nes, seed);
    let (mut piece, mut next) = (dealer.deal(), dealer.deal());
    let (mut board, mut progress, mut points) = (Board::EMPTY, Progress::at(0, 18), 0);
    while progress.lines() < STOP {
        let Some(group) = groups.get_mut(progress.lines() as usize / 10) else { break };
        let start = Start::spawn(piece, progress.level).by(FallRule::DoubleKillscreen);
        let Some(best) = search.best(&Position { board, start, next: Some(next), progress }) else {
            group.topouts += 1;
            break;
        };
        group.pieces += 1;
        group.cells += u64::from(board.cells());
        let lines = board.lock(best.x, best.y, best.orientation);
        group.lines += u64::from(lines);
        group.tetrises += if lines == 4 { 4 } else { 0 };
        progress.add_rows(lines);
        points += line_points(lines, progress.level);
        (piece, next) = (next, dealer.deal());
    }
    points
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || usage::expected("TAPS GAMES FIRST_SEED, such as 20hz 400 30000");
    let [taps, games, first] = arguments else { return Err(usage()) };
    let (Ok(taps), Ok(games), Ok(first)) =
        (taps.parse::<TapTable>(), games.parse::<u64>(), first.parse::<u64>())
    else {
        return Err(usage());
    };
    let limits = Limits::taps(taps);
    let (at, sums) = (AtomicU64::new(0), Mutex::new(([Group::default(); GROUPS], Vec::new())));
    let work = || {
        let network = weights::embedded_for(limits);
        let mut search = Expectimax::new(network, Widths::FAST, limits).with_goal(Stop::Lines(STOP));
        loop {
            let index = at.fetch_add(1, Ordering::Relaxed);
            if index >= games {
                break;
            }
            let mut groups = [Group::default(); GROUPS];
            let points = game(first + index, &mut search, &mut groups);
            let mut sums = sums.lock().expect("no panic");
            for (sum, group) in sums.0.iter_mut().zip(groups) {
                sum.lines += group.lines;
                sum.tetrises += group.tetrises;
                sum.pieces += group.pieces;
                sum.cells += group.cells;
                sum.topouts += group.topouts;
            }
            sums.1.push(points as f64);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (groups, points) = sums.into_inner().expect("no panic");
    println!("lines     tetris rate  cells  top-outs");
    for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.lines > 0) {
        println!(
            "{:3} … {:3} {:10.1} % {:6.1} {:9}",
            10 * number,
            10 * number + 9,
            100.0 * group.tetrises as f64 / group.lines as f64,
            group.cells as f64 / group.pieces as f64,
            group.topouts
        );
    }
    let (mean, error) = mean(&points);
    println!("line points {mean:.0} ± {error:.0}");
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
