//! Games in which nothing falls by itself, as many published players are tested: [`Series`] says which, [`play`]
//! plays them. A piece goes where its player says; there is no speed, no level and no score, only lines.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;

use crate::game::{Board, Generator, Lfsr, Orientation, Piece, Progress, splitmix64};
use crate::movegen::{Moves, Start};
use crate::player::{Chooser, Entry};
use crate::pool;
use crate::stats::Summary;

/// Where the pieces come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    /// The game's generator, 16 to 79 frames between two picks.
    Nes,
    /// Each of the seven with the same odds.
    Uniform,
}

impl Pieces {
    const NAMES: [(&str, Self); 2] = [("nes", Self::Nes), ("uniform", Self::Uniform)];

    /// The source of this name.
    pub fn from_name(name: &str) -> Result<Self, &'static str> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, pieces)| *pieces).ok_or("expected nes or uniform")
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAMES[*self as usize].0)
    }
}

/// An endless row of pieces.
#[derive(Clone, Debug)]
pub struct Dealer {
    pieces: Pieces,
    state: u64,
    generator: Generator,
}

impl Dealer {
    /// The pieces of `seed`.
    pub fn new(pieces: Pieces, seed: u64) -> Self {
        let state = splitmix64(seed);
        // One clock takes any register with a set bit above bit 0 onto the one cycle.
        let mut lfsr = Lfsr((state % 0x7FFF + 1) as u16 * 2);
        lfsr.clock();
        Self { pieces, state, generator: Generator { lfsr, spawn_id: Orientation(0), spawn_count: 0 } }
    }
}

impl Iterator for Dealer {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        self.state = splitmix64(self.state);
        match self.pieces {
            Pieces::Uniform => Some(Piece::ALL[((u128::from(self.state) * 7) >> 64) as usize]),
            Pieces::Nes => {
                for _ in 0..16 + (self.state >> 58) {
                    self.generator.lfsr.clock();
                }
                self.generator.pick().piece()
            }
        }
    }
}

/// Which games to play.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// Who plays.
    pub player: &'static Entry,
    /// How many games.
    pub games: u64,
    /// Seed of the first; the others follow.
    pub first_seed: u64,
    /// Where the pieces come from.
    pub pieces: Pieces,
    /// Lines after which a game is stopped.
    pub lines: Option<u64>,
    /// Pieces after which a game is stopped.
    pub limit: Option<u64>,
}

/// What a game came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outcome {
    /// Its seed.
    pub seed: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed.
    pub pieces: u64,
    /// Whether it ended because a piece had no place; if not, it was stopped.
    pub dead: bool,
    /// Locks by row of the piece's centre, row 0 on top.
    pub rows: [u64; 20],
    /// CPU time of the decisions.
    #[serde(skip)]
    pub thinking: Duration,
}

/// Plays one game. `None` if `stopped` says so.
pub fn game(
    series: &Series,
    seed: u64,
    chooser: &mut dyn Chooser,
    stopped: &dyn Fn() -> bool,
) -> Option<Outcome> {
    let mut dealer = Dealer::new(series.pieces, seed);
    let mut outcome = Outcome { seed, ..Outcome::default() };
    let mut board = Board::EMPTY;
    let (Some(mut piece), Some(mut next)) = (dealer.next(), dealer.next()) else { return None };
    let begun = ThreadTime::now();
    let is_over = |outcome: &Outcome| {
        outcome.dead
            || series.lines.is_some_and(|lines| outcome.lines >= lines)
            || series.limit.is_some_and(|pieces| outcome.pieces >= pieces)
    };
    while !is_over(&outcome) {
        if outcome.pieces.is_multiple_of(256) && stopped() {
            return None;
        }
        match chooser.choose(&board, &Start::spawn(piece, 0), next, Progress::default()) {
            Some(placement) => {
                outcome.lines += u64::from(board.lock(placement.x, placement.y, placement.id));
                outcome.pieces += 1;
                outcome.rows[usize::from(placement.y.min(19))] += 1;
            }
            None => outcome.dead = true,
        }
        piece = next;
        next = dealer.next()?;
    }
    outcome.thinking = begun.elapsed();
    Some(outcome)
}

/// Plays the series on `jobs` threads; games arrive in order of their seeds. When `interrupt` becomes true the games
/// in progress are dropped. False if the player can only play under gravity.
pub fn play(series: &Series, jobs: usize, interrupt: &AtomicBool, sink: &mut dyn FnMut(Outcome)) -> bool {
    let chooser = || series.player.chooser(Moves::Drops);
    if chooser().is_none() {
        return false;
    }
    let work = |chooser: &mut Option<Box<dyn Chooser>>, index, stopped: &dyn Fn() -> bool| {
        let played =
            chooser.as_mut().and_then(|c| game(series, series.first_seed + index, &mut **c, stopped));
        Ok::<_, std::convert::Infallible>(played)
    };
    let delivered = pool::in_order(series.games, jobs, interrupt, chooser, work, &mut |outcome| {
        sink(outcome);
        Ok(())
    });
    delivered.is_ok()
}

/// What a series came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Player's name.
    pub player: String,
    /// `nes` or `uniform`.
    pub pieces: String,
    /// Games finished.
    pub games: u64,
    /// Seed of the first.
    pub first_seed: u64,
    /// Lines per game.
    pub lines: Summary,
    /// Games in which a piece had no place; the others were stopped.
    pub deaths: u64,
    /// All lines by all deaths, which counts stopped games rightly if the danger is always the same; null without
    /// a death.
    pub lines_per_death: Option<f64>,
    /// Pieces in all games.
    pub placed: u64,
    /// Share of locks by row of the piece's centre, row 0 on top, 0..1.
    pub rows: [f64; 20],
    /// CPU milliseconds per piece.
    pub cpu_ms_per_decision: f64,
    /// One entry a game, in order of seeds.
    pub per_game: Vec<Outcome>,
}

impl Report {
    /// The report of these games.
    pub fn new(series: &Series, games: Vec<Outcome>) -> Self {
        let sum = |count: fn(&Outcome) -> u64| games.iter().map(count).sum::<u64>();
        let (placed, deaths) = (sum(|game| game.pieces), sum(|game| u64::from(game.dead)));
        let locks = |row: usize| games.iter().map(|game| game.rows[row]).sum::<u64>() as f64;
        let share = |part: f64, whole: u64| if whole > 0 { part / whole as f64 } else { 0.0 };
        let thinking = games.iter().map(|game| game.thinking).sum::<Duration>();
        Self {
            player: series.player.name.to_owned(),
            pieces: series.pieces.to_string(),
            games: games.len() as u64,
            first_seed: series.first_seed,
            lines: Summary::of(&games.iter().map(|game| game.lines as f64).collect::<Vec<_>>()),
            deaths,
            lines_per_death: (deaths > 0).then(|| share(sum(|game| game.lines) as f64, deaths)),
            placed,
            rows: std::array::from_fn(|row| share(locks(row), placed)),
            cpu_ms_per_decision: share(thinking.as_secs_f64() * 1e3, placed),
            per_game: games,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, pieces, games, first_seed, lines, deaths, placed, .. } = self;
        writeln!(f, "player        {player}, no gravity, {pieces} pieces")?;
        writeln!(f, "games         {games} from seed {first_seed}, {deaths} of them lost, {placed} pieces")?;
        writeln!(
            f,
            "lines         {:.1} ± {:.1} per game, median {:.0}, {:.0} to {:.0}",
            lines.mean, lines.se, lines.median, lines.min, lines.max
        )?;
        match self.lines_per_death {
            Some(lines) => writeln!(f, "              {lines:.1} per lost game")?,
            None => writeln!(f, "              no game was lost")?,
        }
        write!(f, "rows          ")?;
        for (row, share) in self.rows.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            write!(f, "{row}: {:.3} %  ", 100.0 * share)?;
        }
        write!(f, "\ndecisions     {:.4} CPU ms each", self.cpu_ms_per_decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::find;

    fn series(player: &str, pieces: Pieces) -> Series {
        let player = find(player).expect("registered");
        Series { player, games: 6, first_seed: 60_000, pieces, lines: None, limit: Some(400) }
    }

    fn played(series: &Series, jobs: usize) -> Vec<Outcome> {
        let mut games = Vec::new();
        assert!(play(series, jobs, &AtomicBool::new(false), &mut |game| {
            games.push(Outcome { thinking: Duration::ZERO, ..game });
        }));
        games
    }

    #[test]
    fn games_are_the_same_on_any_number_of_threads_and_lines_follow_from_pieces() {
        for player in ["packing", "el-tetris-2", "simple-tetris-a"] {
            let series = series(player, Pieces::Uniform);
            let games = played(&series, 3);
            assert_eq!(games, played(&series, 1), "{player}");
            for game in games {
                assert!(game.dead || game.pieces == 400);
                // Ten cells a line, four a piece, and at most 200 on the board.
                assert!(game.lines * 10 <= game.pieces * 4 && game.pieces * 4 <= game.lines * 10 + 200);
                assert_eq!(game.rows.iter().sum::<u64>(), game.pieces);
            }
        }
    }

    #[test]
    fn both_kinds_of_pieces_are_all_dealt_and_the_generator_seldom_repeats() {
        for (pieces, most) in [(Pieces::Uniform, 0.16), (Pieces::Nes, 0.06)] {
            let dealt: Vec<Piece> = Dealer::new(pieces, 7).take(14_000).collect();
            for piece in Piece::ALL {
                let share = dealt.iter().filter(|&&p| p == piece).count() as f64 / 14_000.0;
                assert!((0.125..0.16).contains(&share), "{pieces} {piece} {share}");
            }
            let repeats = dealt.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64 / 14_000.0;
            assert!((most - 0.04..most).contains(&repeats), "{pieces} {repeats}");
        }
    }

    #[test]
    fn a_player_of_the_controller_alone_is_told_so() {
        assert!(!play(&series("maxout", Pieces::Nes), 1, &AtomicBool::new(false), &mut |_| {}));
    }
}
