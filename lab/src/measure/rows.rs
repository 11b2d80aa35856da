//! How long a game would last, estimated from the rows in which pieces lock (C. Fahey's idea): [`LockRows`] counts the
//! locks, and [`RowStatistics::of`] draws the conclusions.
//!
//! The chance that a board climbs one row more hardly depends on its height. So the logarithm of a row's share of locks
//! is nearly a straight line over the row; its value at row 0 says how seldom a piece would lock there.

use std::fmt;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::no_gravity::{NoGravityOutcome, Series, each, game};
use maxout::stats::Summary;
use maxout::words::{decimal, number};
use maxout_engine::player::Policy;
use maxout_rules::{Piece, Placement};

/// Pieces of the shortest way from an empty board to an empty board.
pub const SHORTEST: u64 = 5;
/// The rows that a fit may use: those below feel the floor, those above the ceiling.
const FIT: std::ops::RangeInclusive<usize> = 6..=15;
/// Locks that a row must have for that; with fewer its share is off by more than a tenth.
const ENOUGH: u64 = 100;
/// A piece brings four cells, a line takes ten away.
const LINES_PER_PIECE: f64 = 4.0 / 10.0;

/// Where pieces locked, by their centres, and when the board was empty again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockRows {
    /// By piece, row and column.
    counts: Box<[[[u64; 10]; 20]; 7]>,
    /// Pieces between full clears, or from the start to the first.
    intervals: Vec<u64>,
    /// Pieces since the last.
    since: u64,
    /// Rows of each game that was merged.
    games: Vec<[u64; 20]>,
}

impl Default for LockRows {
    fn default() -> Self {
        Self { counts: Box::new([[[0; 10]; 20]; 7]), intervals: Vec::new(), since: 0, games: Vec::new() }
    }
}

impl LockRows {
    /// Counts a piece, and whether it left the board empty.
    pub fn add(&mut self, placement: Placement, emptied: bool) {
        let Placement { x, y, orientation: id } = placement;
        self.counts[id.piece() as usize][usize::from(y.min(19))][usize::from(x.min(9))] += 1;
        self.since += 1;
        if emptied {
            self.intervals.push(std::mem::take(&mut self.since));
        }
    }

    /// Counts those of another game too.
    pub fn merge(&mut self, other: &Self) {
        self.games.push(other.rows());
        let cells = self.counts.as_flattened_mut().as_flattened_mut();
        for (sum, count) in cells.iter_mut().zip(other.counts.as_flattened().as_flattened()) {
            *sum += count;
        }
        self.intervals.extend(&other.intervals);
    }

    /// By row, row 0 on top.
    pub fn rows(&self) -> [u64; 20] {
        std::array::from_fn(|row| self.counts.iter().flat_map(|piece| piece[row]).sum())
    }

    /// By row and column, of one piece or of all.
    pub fn map(&self, piece: Option<Piece>) -> [[u64; 10]; 20] {
        let mut map = [[0; 10]; 20];
        for each in Piece::ALL.into_iter().filter(|each| piece.is_none_or(|piece| piece == *each)) {
            for (sum, count) in
                map.as_flattened_mut().iter_mut().zip(self.counts[each as usize].as_flattened())
            {
                *sum += count;
            }
        }
        map
    }

    /// Pieces of each way from an empty board to the next.
    pub fn intervals(&self) -> &[u64] {
        &self.intervals
    }
}

/// Plays the series on `jobs` threads and counts where its pieces lock; games arrive in order of their seeds. When
/// `interrupt` becomes true the games in progress are dropped. False if the player can only play under gravity.
pub fn play_rows(
    series: &Series,
    jobs: usize,
    interrupt: &AtomicBool,
    sink: &mut dyn FnMut(NoGravityOutcome, LockRows),
) -> bool {
    let work = |policy: &mut dyn Policy, seed, stopped: &dyn Fn() -> bool| {
        let mut locks = LockRows::default();
        let outcome = game(series, seed, policy, stopped, &mut |placement, emptied| {
            locks.add(placement, emptied);
        })?;
        Some((outcome, locks))
    };
    each(series, jobs, interrupt, work, &mut |(outcome, locks)| sink(outcome, locks))
}

/// A straight line through log10 of the rows' shares in percent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Fit {
    /// Topmost row that it goes through.
    pub first_row: usize,
    /// Lowest.
    pub last_row: usize,
    /// log10 of the percentage at row 0.
    pub intercept: f64,
    /// Its increase per row.
    pub slope: f64,
    /// Share of the variance that it explains, 0..1.
    pub r2: f64,
}

impl Fit {
    /// The line of least squares through the shares (0..1) of these rows; at least two rows with a share above 0.
    fn through(shares: &[f64; 20], rows: std::ops::RangeInclusive<usize>) -> Self {
        let points: Vec<(f64, f64)> =
            rows.clone().map(|row| (row as f64, (100.0 * shares[row]).log10())).collect();
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x0, y0) = (mean(|p| p.0), mean(|p| p.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|&(x, y)| of(x - x0, y - y0)).sum::<f64>();
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        let slope = xy / xx;
        Self {
            first_row: *rows.start(),
            last_row: *rows.end(),
            intercept: y0 - slope * x0,
            slope,
            r2: if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 },
        }
    }

    /// Mean ratio of a row's share to the share of the row below, over its rows.
    fn mean_ratio(&self, shares: &[f64; 20]) -> f64 {
        let rows = self.first_row..self.last_row;
        let n = rows.len() as f64;
        rows.map(|row| shares[row] / shares[row + 1]).sum::<f64>() / n
    }

    /// Pieces until one locks in row 0, if the line holds up to there.
    pub fn pieces(&self) -> f64 {
        10f64.powf(2.0 - self.intercept)
    }
}

/// How often the board was empty again.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct FullClears {
    /// How many.
    pub count: u64,
    /// All pieces by all full clears.
    pub pieces_each: f64,
    /// Its standard error, from the spread of the intervals.
    pub se: f64,
    /// Share of intervals of the least possible five pieces, 0..1.
    pub shortest: f64,
}

/// What the rows of locks say.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RowStatistics {
    /// Pieces placed.
    pub pieces: u64,
    /// Locks by row of the piece's centre, row 0 on top.
    pub locks: [u64; 20],
    /// The same as shares, 0..1.
    pub shares: [f64; 20],
    /// Standard errors of the shares, from how much games differ; null with fewer than two games.
    pub shares_se: Option<[f64; 20]>,
    /// Locks of a row by those of the row below; null where that has none.
    pub ratios: [Option<f64>; 20],
    /// The line; null if fewer than two rows above the floor's reach have enough locks.
    pub fit: Option<Fit>,
    /// Mean of the ratios between the rows of the line; null without one.
    pub mean_ratio: Option<f64>,
    /// Pieces until one would lock in row 0; null without a line.
    pub predicted_pieces: Option<f64>,
    /// Lines in as many pieces.
    pub predicted_lines: Option<f64>,
    /// How often the board was empty again; null if never.
    pub full_clears: Option<FullClears>,
}

impl RowStatistics {
    /// What `locks` say.
    pub fn of(locks: &LockRows) -> Self {
        let full_clears = locks.intervals().len() as u64;
        let statistics = Self::of_rows(locks.rows());
        let (pieces, intervals) = (statistics.pieces as f64, locks.intervals());
        let lengths: Vec<f64> = intervals.iter().map(|&pieces| pieces as f64).collect();
        let shortest = intervals.iter().filter(|&&pieces| pieces == SHORTEST).count() as f64;
        let full_clears = (full_clears > 0).then(|| FullClears {
            count: full_clears,
            pieces_each: pieces / full_clears as f64,
            se: Summary::of(&lengths).se,
            shortest: shortest / full_clears as f64,
        });
        Self { full_clears, shares_se: errors(&locks.games, &statistics.shares), ..statistics }
    }

    /// What is said by the rows alone.
    fn of_rows(locks: [u64; 20]) -> Self {
        let pieces = locks.iter().sum::<u64>();
        let shares = locks.map(|count| if pieces > 0 { count as f64 / pieces as f64 } else { 0.0 });
        let below = |row: usize| locks.get(row + 1).filter(|&&below| below > 0);
        let ratios = std::array::from_fn(|row| below(row).map(|&below| locks[row] as f64 / below as f64));
        let enough = FIT.rev().take_while(|&row| locks[row] >= ENOUGH).last();
        let fit = enough.filter(|row| row < FIT.end()).map(|row| Fit::through(&shares, row..=*FIT.end()));
        Self {
            pieces,
            locks,
            shares,
            shares_se: None,
            ratios,
            fit,
            mean_ratio: fit.map(|fit| fit.mean_ratio(&shares)),
            predicted_pieces: fit.map(|fit| fit.pieces()),
            predicted_lines: fit.map(|fit| fit.pieces() * LINES_PER_PIECE),
            full_clears: None,
        }
    }
}

/// Standard errors of shares that are sums over games divided by their pieces.
fn errors(games: &[[u64; 20]], shares: &[f64; 20]) -> Option<[f64; 20]> {
    let n = games.len() as f64;
    let pieces: Vec<f64> = games.iter().map(|rows| rows.iter().sum::<u64>() as f64).collect();
    let all: f64 = pieces.iter().sum();
    (games.len() > 1 && all > 0.0).then(|| {
        std::array::from_fn(|row| {
            let off = |(rows, pieces): (&[u64; 20], &f64)| (rows[row] as f64 - shares[row] * pieces).powi(2);
            (games.iter().zip(&pieces).map(off).sum::<f64>() * n / (n - 1.0)).sqrt() / all
        })
    })
}

/// What M. Birken published of his bot of 2014, over 20.939 billion uniform pieces.
pub mod published {
    /// Shares of the rows, in percent.
    #[rustfmt::skip]
    pub const PERCENT: [f64; 20] = [
        0.0, 0.0, 0.000_000_490_2, 0.000_002_647_2, 0.000_006_618_0, 0.000_017_255_7, 0.000_051_228_0, 0.000_175_940_0,
        0.000_668_121_0, 0.002_318_790_1, 0.007_792_882_0, 0.025_967_204_3, 0.086_618_706_8, 0.290_131_575_1,
        0.977_166_380_7, 3.300_040_835_3, 10.698_905_926_8, 28.568_797_637_1, 50.033_570_616_2, 6.007_767_145_4,
    ];
    /// Mean ratio of a row to the row below, in percent.
    pub const RATIO: f64 = 29.24;
    /// The line through rows 6 to 15: log10 of the percentage at row 0, and its increase per row.
    pub const LINE: (f64, f64) = (-7.459, 0.532_86);
    /// Pieces until one locks in row 0.
    pub const PIECES: u64 = 2_877_688_349;
    /// Lines until then, as handed down; four tenths of the pieces are 1,151,075,340.
    pub const LINES: u64 = 1_151_175_340;
    /// Pieces per full clear.
    pub const FULL_CLEAR: u64 = 1_181;
    /// Share of intervals of five pieces, in percent.
    pub const SHORTEST: f64 = 0.4;
}

impl fmt::Display for RowStatistics {
    /// A table with the published figures beside it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "row        locks         %      ±  by the row below    published %")?;
        for row in 0..20 {
            let (locks, percent) = (self.locks[row], 100.0 * self.shares[row]);
            let counted = number(locks);
            let ratio = self.ratios[row].filter(|_| locks > 0);
            let ratio = ratio.map_or_else(String::new, |ratio| format!("{:.2} %", 100.0 * ratio));
            let se = self.shares_se.map_or_else(String::new, |se| format!("{:.3}", 100.0 * se[row]));
            let published = published::PERCENT[row];
            if locks > 0 || published > 0.0 {
                writeln!(
                    f,
                    "{row:>3} {counted:>12} {percent:>9.4} {se:>6}  {ratio:>16}  {published:>13.10}"
                )?;
            }
        }
        match (self.fit, self.mean_ratio, self.predicted_lines) {
            (Some(fit), Some(ratio), Some(lines)) => {
                let Fit { first_row, last_row, intercept, slope, r2 } = fit;
                let (published, by) = published::LINE;
                writeln!(f, "ratio         {:.2} % mean (published {} %)", 100.0 * ratio, published::RATIO)?;
                writeln!(
                    f,
                    "line          log10(%) = {intercept:.3} + {slope:.4} × row, rows {first_row} to {last_row}, \
                     R² {r2:.5} (published {published} + {by} × row)"
                )?;
                writeln!(
                    f,
                    "length        a lock in row 0 in {:.3e} pieces, {lines:.3e} lines (published {:.3e}, {:.3e})",
                    fit.pieces(),
                    published::PIECES as f64,
                    published::LINES as f64
                )?;
            }
            _ => writeln!(
                f,
                "line          none: expected {ENOUGH} locks or more in row {} and in the row above it",
                FIT.end()
            )?,
        }
        match self.full_clears {
            Some(FullClears { count, pieces_each, se, shortest }) => write!(
                f,
                "full clears   {}, one in {}{} pieces (published {}); {:.2} % after {SHORTEST} pieces (published {} %)",
                number(count),
                decimal(pieces_each, 0),
                if count > 1 { format!(" ± {}", decimal(se, 0)) } else { String::new() },
                number(published::FULL_CLEAR),
                100.0 * shortest,
                published::SHORTEST
            ),
            None => {
                write!(f, "full clears   none (published: one in {} pieces)", number(published::FULL_CLEAR))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::no_gravity::play;
    use maxout_gallery::find;
    use maxout_rules::Orientation;
    use maxout_rules::Pieces;
    use std::time::Duration;

    #[test]
    fn the_published_shares_make_the_published_line_ratio_and_length() {
        let shares = published::PERCENT.map(|percent| percent / 100.0);
        let fit = Fit::through(&shares, FIT);
        assert!((fit.intercept + 7.459_04).abs() < 5e-6, "{fit:?}");
        assert!((fit.slope - published::LINE.1).abs() < 5e-6 && (fit.r2 - 0.999_84).abs() < 5e-6, "{fit:?}");
        assert!((100.0 * fit.mean_ratio(&shares) - 29.2405).abs() < 5e-5, "{}", fit.mean_ratio(&shares));
        // The shares are printed to ten digits after the point, which leaves eight of the length.
        assert!((fit.pieces() / published::PIECES as f64 - 1.0).abs() < 1e-8, "{}", fit.pieces());

        let locks = published::PERCENT.map(|percent| (percent * 20.939e7).round() as u64);
        let statistics = RowStatistics::of_rows(locks);
        let counted = statistics.fit.expect("enough locks");
        assert_eq!((counted.first_row, counted.last_row), (6, 15));
        assert!((counted.intercept - fit.intercept).abs() < 1e-4, "{counted:?}");
        // Row 6 has 10,727 locks: rounding them moves the ratio by 0.0001 points.
        assert!(statistics.mean_ratio.is_some_and(|ratio| (100.0 * ratio - 29.2405).abs() < 5e-4));
        assert!(statistics.predicted_lines.is_some_and(|lines| (lines / 1_151_075_340.0 - 1.0).abs() < 5e-4));
    }

    #[test]
    fn errors_of_shares_come_from_the_spread_over_games_of_any_length() {
        let game = |low: u64, high: u64| {
            let mut rows = [0; 20];
            (rows[19], rows[18]) = (low, high);
            rows
        };
        let mut shares = [0.0; 20];
        (shares[19], shares[18]) = (0.75, 0.25);
        let errors_of = |games: &[[u64; 20]]| errors(games, &shares).map(|se| se[19]);
        assert_eq!(errors_of(&[game(75, 25)]), None);
        assert_eq!(errors_of(&[game(75, 25), game(150, 50)]), Some(0.0));
        // Shares of 0.8 and 0.7: half their difference.
        assert!(errors_of(&[game(80, 20), game(70, 30)]).is_some_and(|se| (se - 0.05).abs() < 1e-12));
    }

    #[test]
    fn a_line_goes_up_no_further_than_there_are_locks_enough() {
        let mut locks = [0; 20];
        (locks[12], locks[13], locks[14], locks[15], locks[19]) = (99, 100, 1_000, 10_000, 100_000);
        let statistics = RowStatistics::of_rows(locks);
        let fit = statistics.fit.expect("three rows");
        assert_eq!((fit.first_row, fit.last_row), (13, 15));
        assert!((fit.slope - 1.0).abs() < 1e-12 && (fit.r2 - 1.0).abs() < 1e-12, "{fit:?}");
        locks[14] = 99;
        assert_eq!(RowStatistics::of_rows(locks).fit, None);
        assert!(RowStatistics::of(&LockRows::default()).to_string().contains("none"));
    }

    #[test]
    fn full_clears_are_counted_from_one_to_the_next_and_games_apart() {
        let lock = Placement { x: 5, y: 19, orientation: Orientation::IHorizontal };
        let mut all = LockRows::default();
        for pieces in [5, 10, 3] {
            let mut game = LockRows::default();
            for piece in 1..=pieces {
                game.add(lock, piece % 5 == 0);
            }
            all.merge(&game);
        }
        assert_eq!(all.intervals(), [5, 5, 5]);
        let clears = RowStatistics::of(&all).full_clears.expect("three");
        assert_eq!((clears.count, clears.pieces_each, clears.shortest), (3, 6.0, 1.0));
        assert_eq!(
            (all.map(None)[19][5], all.map(Some(Piece::I))[19][5], all.map(Some(Piece::T))[19][5]),
            (18, 18, 0)
        );
    }

    #[test]
    fn what_is_counted_by_row_is_what_the_games_came_to() {
        let player = find("meatfighter2014").expect("registered").clone();
        let pieces = Pieces::Uniform;
        let series = Series { player, games: 6, first_seed: 60_000, pieces, lines: None, limit: Some(400) };
        let mut played = Vec::new();
        assert!(play(&series, 1, &AtomicBool::new(false), &mut |game| {
            played.push(NoGravityOutcome { thinking: Duration::ZERO, ..game });
        }));
        let (mut outcomes, mut all) = (Vec::new(), LockRows::default());
        assert!(play_rows(&series, 2, &AtomicBool::new(false), &mut |game, locks| {
            assert_eq!(locks.rows(), game.rows);
            outcomes.push(NoGravityOutcome { thinking: Duration::ZERO, ..game });
            all.merge(&locks);
        }));
        assert_eq!(outcomes, played);
        assert_eq!(all.rows().iter().sum::<u64>(), outcomes.iter().map(|game| game.pieces).sum::<u64>());
        assert!(all.intervals().iter().all(|pieces| pieces.is_multiple_of(5)));
    }
}
