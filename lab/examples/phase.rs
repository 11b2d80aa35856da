//! How many points does one part of a game bring? Plays that part alone, from an empty board, so a few hundred games take seconds and
//! their mean is precise. Prints the mean line points and lines, the tetris rate, and the share of lost games.
//!
//! `cargo run --release -p maxout-lab --example phase -- 15hz none-after-spawn 230 330 300 70000` plays 300 games of
//! `maxout-fast` at 15 Hz from 230 to 330 lines, from seed 70000 on, in the format of `maxout-lab limits` (start at level 18, double
//! killscreen, 430 lines). Weights files may follow; all of them together are what the player uses instead of the embedded ones.
//!
//! With `lost` instead of the last number of lines, the level stays what it is and every game is played until it is lost:
//! `... -- 30hz 0 230 lost 200 60000` prints how many lines `maxout-fast` clears in a game at level 29.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use maxout_engine::Position;
use maxout_engine::limits::{Limits, Reaction, TapTable};
use maxout_engine::movegen::{Start, Then};
use maxout_engine::search::{Expectimax, Widths};
use maxout_lab::research::{games, mean, usage, weights_files};
use maxout_rules::{Board, Dealer, FallRule, Piece, Pieces, Placement, Progress, Stop, line_points};
use mean::mean;

/// The number of lines at which a game stops.
const LAST: u32 = 430;

/// The part of a game that is played.
struct Phase {
    limits: Limits,
    begin: Progress,
    /// The lines at which it stops; `None` if it is played at the same level until it is lost.
    stop: Option<u32>,
}

/// The result of one game.
struct Played {
    points: u64,
    lines: u32,
    /// Of these, the lines cleared in tetrises.
    tetrises: u32,
    lost: bool,
}

impl Phase {
    /// Parses the first four arguments.
    fn read(taps: &str, reaction: &str, lines: &str, stop: &str) -> Option<Self> {
        let limits = Limits::taps(taps.parse::<TapTable>().ok()?).with_reaction(reaction.parse().ok()?);
        let (lines, mut begin) = (lines.parse().ok()?, Progress::at(0, 18));
        while begin.lines() < LAST.min(lines) {
            begin.add_rows(1);
        }
        let stop = if stop == "lost" { None } else { Some(stop.parse().ok()?) };
        Some(Self { limits, begin, stop })
    }

    fn play(&self, seed: u64, search: &mut Expectimax) -> Played {
        let mut dealer = Dealer::new(Pieces::Nes, seed);
        let (mut piece, mut next) = (dealer.deal(), dealer.deal());
        let (mut board, mut progress) = (Board::EMPTY, self.begin);
        let mut played = Played { points: 0, lines: 0, tetrises: 0, lost: false };
        while self.stop.is_none_or(|stop| progress.lines() < stop) {
            let Some(Placement { x, y, orientation: id }) =
                self.choose(&board, piece, next, progress, search)
            else {
                played.lost = true;
                break;
            };
            let lines = board.lock(x, y, id);
            progress.add_rows(lines);
            played.points += line_points(lines, progress.level);
            played.lines += u32::from(lines);
            played.tetrises += if lines == 4 { 4 } else { 0 };
            if self.stop.is_none() {
                progress = self.begin;
            }
            (piece, next) = (next, dealer.deal());
        }
        played
    }

    /// Decides about `piece` as the player does: with a reaction delay, in two steps.
    fn choose(
        &self,
        board: &Board,
        piece: Piece,
        next: Piece,
        progress: Progress,
        search: &mut Expectimax,
    ) -> Option<Placement> {
        let start =
            Start::spawn(piece, progress.level).by(FallRule::with_double_killscreen(self.stop.is_some()));
        let frames = match self.limits.reaction {
            Reaction::Frames(0) => {
                return search.best(&Position { board: *board, start, next: Some(next), progress });
            }
            Reaction::Frames(frames) => u32::from(frames),
            Reaction::NextPiece => u32::MAX,
        };
        let (reach, hover) =
            search.hover(&Position { board: *board, start, next: None, progress }, frames)?;
        match hover.then {
            Then::Locked(placement) => Some(placement),
            Then::Falls(then) => {
                let held = reach.inputs_of(&hover).last().copied().unwrap_or(start.held);
                search.best(&Position {
                    board: *board,
                    start: Start { held, ..then },
                    next: Some(next),
                    progress,
                })
            }
        }
    }
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let read = || {
        let [taps, reaction, lines, stop, games, first, files @ ..] = arguments else { return None };
        let phase = Phase::read(taps, reaction, lines, stop)?;
        Some((phase, games.parse::<u64>().ok()?, first.parse::<u64>().ok()?, files))
    };
    let (phase, games, first, files) = read().ok_or_else(|| {
        usage::expected(
            "TAPS REACTION LINES STOP GAMES FIRST_SEED [WEIGHTS...], such as 15hz none-after-spawn 230 330 300 70000",
        )
    })?;
    let network = weights_files::network(files, phase.limits)?;
    let goal = if phase.stop.is_some() { Stop::Lines(LAST) } else { Stop::TopOut };
    let player = || Expectimax::new(Arc::clone(&network), Widths::FAST, phase.limits).with_goal(goal);
    let all = games::in_order(games, player, |search, index| phase.play(first + index, search));
    let column = |of: fn(&Played) -> f64| mean(&all.iter().map(of).collect::<Vec<_>>());
    let (points, lines) = (column(|played| played.points as f64), column(|played| f64::from(played.lines)));
    let tetrises = column(|played| f64::from(played.tetrises)).0;
    let lost = 100.0 * column(|played| f64::from(u8::from(played.lost))).0;
    println!(
        "{games} games: line points {:.0} ± {:.0}, lines {:.1} ± {:.1}, tetris rate {:.1} %, lost {lost:.1} %",
        points.0,
        points.1,
        lines.0,
        lines.1,
        100.0 * tetrises / lines.0
    );
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
