//! [`HandsResult`]: the results of all cells, as a table for people and as JSON for programs.

use maxout_rules::FallRule;
use std::fmt;

use serde::Serialize;

use super::cells::{HandsCell, HandsGame, LimitsFormat};
use super::published::{PublishedCell, published};
use super::run::HandsRun;
use maxout::results::Mean;
use maxout::stats::Summary;
use maxout::words::{count, decimal, number};

/// The results of all cells. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HandsResult {
    /// The player's name.
    pub player: String,
    /// How many games each cell is to have.
    pub games: u64,
    /// The seed of the first game.
    pub first_seed: u64,
    /// The start level.
    pub start_level: u8,
    /// When a game ends.
    pub stop: String,
    /// Whether pieces fall two rows a frame from level 39 on.
    pub double_killscreen: bool,
    /// How many cells are won, if there are published figures of any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won: Option<u64>,
    /// The cells: one tap speed after the other, each with all reaction delays.
    pub cells: Vec<CellResult>,
    /// Whether times are left out.
    #[serde(skip)]
    without_times: bool,
}

/// The results of one cell. Everything is 0 if no game is finished.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellResult {
    /// The name of the tap speed.
    pub taps: String,
    /// The reaction delay, as it is typed.
    pub reaction: String,
    /// The input limits.
    pub limits: String,
    /// Whether the tap speed is a steady rate: equally spaced presses, or 24 Hz.
    #[serde(skip)]
    pub is_rate: bool,
    /// The final scores, with soft drop; `n` is the number of finished games.
    pub score: Summary,
    /// Points without soft drop.
    pub line_points: Summary,
    /// The number of lines.
    pub lines: Mean,
    /// The level at the end.
    pub level: Mean,
    /// The share of games with 230 lines or more, 0 to 1.
    pub at_230: f64,
    /// The share of games with 330 lines or more, 0 to 1.
    pub at_330: f64,
    /// The share of games that reached the stop, 0 to 1.
    pub reached_stop: f64,
    /// The share of games that topped out, 0 to 1.
    pub topped_out: f64,
    /// The share of all lines that were cleared four at a time, 0 to 1.
    pub tetris_rate: f64,
    /// The CPU milliseconds per decision; 0 if times are left out.
    pub cpu_ms_per_decision: f64,
    /// The scores that BetaTetris published for this cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<&'static PublishedCell>,
    /// How the two compare, if there are two games or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// The mean final score of a cell beside the published one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// How much higher ours is.
    pub difference: f64,
    /// The standard error of the difference.
    pub se: f64,
    /// Whether ours is higher by more than two standard errors.
    pub won: Won,
}

/// Whether a mean is higher than another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Won {
    /// It is higher by more than two standard errors.
    Yes,
    /// It is lower by more than two standard errors.
    No,
    /// The difference is two standard errors or less.
    Open,
}

impl Comparison {
    /// Compares a mean with a published one. The standard error of the difference is the square root of the sum of
    /// both squared standard errors. Returns `None` if there are fewer than two games.
    fn new(ours: &Summary, published: &PublishedCell) -> Option<Self> {
        let difference = ours.mean - published.mean;
        let se = ours.error()?.hypot(published.se);
        let won = match difference {
            _ if difference > 2.0 * se => Won::Yes,
            _ if difference < -2.0 * se => Won::No,
            _ => Won::Open,
        };
        Some(Self { difference, se, won })
    }
}

impl fmt::Display for Won {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Open => "open",
        })
    }
}

impl CellResult {
    /// Makes the results of a cell from its games.
    fn new(cell: &HandsCell, games: &[HandsGame], format: LimitsFormat) -> Self {
        let spread = |value: fn(&HandsGame) -> f64| Summary::of(&games.iter().map(value).collect::<Vec<_>>());
        let total = |value: fn(&HandsGame) -> f64| games.iter().map(value).sum::<f64>();
        let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let n = games.len() as f64;
        let share =
            |which: fn(&HandsGame) -> bool| ratio(games.iter().filter(|game| which(game)).count() as f64, n);
        let lines = total(|game| f64::from(game.lines));
        let thinking = total(|game| game.thinking_us as f64) / 1e3;
        let score = spread(|game| game.score as f64);
        let published = published(cell, format);
        Self {
            taps: cell.taps.clone(),
            reaction: cell.reaction.typed(),
            limits: cell.player.limits.to_string(),
            is_rate: cell.is_rate,
            score,
            line_points: spread(|game| game.line_points as f64),
            lines: Mean { mean: ratio(lines, n) },
            level: Mean { mean: ratio(total(|game| f64::from(game.level)), n) },
            at_230: share(|game| game.lines >= 230),
            at_330: share(|game| game.lines >= 330),
            reached_stop: share(|game| game.reached_stop),
            topped_out: share(|game| game.topped_out),
            tetris_rate: ratio(4.0 * total(|game| f64::from(game.tetrises)), lines),
            cpu_ms_per_decision: ratio(thinking, total(|game| game.decisions as f64)),
            published,
            comparison: published.and_then(|published| Comparison::new(&score, published)),
        }
    }
}

impl HandsResult {
    /// Makes the results from the games of a run that are finished.
    pub fn new(player: &str, run: &HandsRun) -> Self {
        let (grid, format, (first_seed, games)) = (run.grid(), run.format(), run.seeds());
        let cells: Vec<CellResult> = grid
            .cells
            .iter()
            .enumerate()
            .map(|(index, cell)| {
                let games: Vec<HandsGame> = run.finished(index).copied().collect();
                CellResult::new(cell, &games, format)
            })
            .collect();
        let is_won = |cell: &&CellResult| cell.comparison.is_some_and(|compared| compared.won == Won::Yes);
        let compares = cells.iter().any(|cell| cell.published.is_some());
        Self {
            player: player.to_owned(),
            games,
            first_seed,
            start_level: format.start_level,
            stop: format.stop.to_string(),
            double_killscreen: format.fall_rule == FallRule::DoubleKillscreen,
            won: compares.then(|| cells.iter().filter(is_won).count() as u64),
            cells,
            without_times: false,
        }
    }

    /// Leaves all times out, so that equal games make equal bytes.
    pub fn leave_out_times(&mut self) {
        self.cells.iter_mut().for_each(|cell| cell.cpu_ms_per_decision = 0.0);
        self.without_times = true;
    }

    /// Writes the row of a cell.
    fn fmt_cell(&self, f: &mut fmt::Formatter<'_>, cell: &CellResult) -> fmt::Result {
        let CellResult { taps, reaction, score, .. } = cell;
        write!(f, "| {taps} | {reaction} | {} |", number(score.n))?;
        if score.n == 0 {
            write!(f, " | | | | |")?;
        } else {
            let error = score.error().map_or_else(String::new, |se| format!(" ± {}", decimal(se, 0)));
            let (mean, median) = (decimal(score.mean, 0), decimal(score.median, 0));
            let (at_230, at_330, lines) = (100.0 * cell.at_230, 100.0 * cell.at_330, cell.lines.mean);
            write!(f, " {mean}{error} | {median} | {at_230:.1} % | {at_330:.1} % | {lines:.1} |")?;
        }
        match (self.without_times, score.n) {
            (true, _) => {}
            (false, 0) => write!(f, " |")?,
            (false, _) => write!(f, " {:.3} |", cell.cpu_ms_per_decision)?,
        }
        if self.won.is_none() {
            return Ok(());
        }
        match cell.published {
            Some(PublishedCell { mean, se, .. }) => {
                write!(f, " {} ± {} |", decimal(*mean, 0), decimal(*se, 0))?;
            }
            None => write!(f, " |")?,
        }
        match cell.comparison {
            Some(Comparison { difference, se, won }) => {
                let sign = if difference > 0.0 { "+" } else { "" };
                write!(f, " {sign}{} ± {} | {won} |", decimal(difference, 0), decimal(se, 0))
            }
            None => write!(f, " | |"),
        }
    }
}

impl fmt::Display for HandsResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, games, first_seed, start_level, stop, .. } = self;
        let killscreen = if self.double_killscreen { ", double killscreen" } else { "" };
        let games = count(*games, "game");
        write!(
            f,
            "{player} from level {start_level}, stop {stop}{killscreen}; {games} a cell from seed {first_seed}"
        )?;
        let mut head = vec!["taps", "reaction delay", "games", "final score ± s.e.", "median", "≥ 230 lines"];
        head.extend(["≥ 330 lines", "lines"]);
        if !self.without_times {
            head.push("CPU ms per decision");
        }
        if self.won.is_some() {
            write!(f, "\nBetaTetris: the best of its six published settings, 5,001 games a cell")?;
            head.extend(["BetaTetris ± s.e.", "difference ± s.e.", "won"]);
        }
        write!(f, "\n\n| {} |\n|{}", head.join(" | "), "---|".repeat(head.len()))?;
        for cell in &self.cells {
            writeln!(f)?;
            self.fmt_cell(f, cell)?;
        }
        let Some(won) = self.won else { return Ok(()) };
        let published = self.cells.iter().filter(|cell| cell.published.is_some()).count() as u64;
        let (won, published) = (number(won), count(published, "cell"));
        write!(f, "\n\n{won} of {published} won: by more than two standard errors of the difference")
    }
}

#[cfg(test)]
mod tests {
    use super::super::published::PUBLISHED;
    use super::*;

    #[test]
    fn a_cell_is_won_by_more_than_two_standard_errors() {
        let published = PublishedCell { mean: 1000.0, se: 3.0, ..PUBLISHED[0] };
        let won = |mean, se| {
            let ours = Summary { n: 10, mean, se, ..Summary::default() };
            Comparison::new(&ours, &published).expect("ten games")
        };
        // Errors of 3 and 4 make 5.
        assert_eq!(won(1011.0, 4.0), Comparison { difference: 11.0, se: 5.0, won: Won::Yes });
        assert_eq!(won(1010.0, 4.0).won, Won::Open);
        assert_eq!(won(990.0, 4.0).won, Won::Open);
        assert_eq!(won(989.0, 4.0).won, Won::No);
        let one = Summary { n: 1, mean: 5000.0, ..Summary::default() };
        assert_eq!(Comparison::new(&one, &published), None);
    }
}
