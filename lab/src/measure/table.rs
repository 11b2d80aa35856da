//! Players side by side, as Markdown: [`HEAD`], and a [`TableRow`] for each player.

use std::fmt;

use maxout::results::BatchResult;
use maxout::words::decimal;

use super::baselines::Baseline;

/// The head of the table, without a newline at its end.
pub const HEAD: &str = "\
| player | input limits | line points ± s.e. | median | 5 % … 95 % | reaches the stop | tetris rate | CPU ms per decision | baseline | z |
|---|---|---|---|---|---|---|---|---|---|";

/// One player's row.
#[derive(Clone, Copy, Debug)]
pub struct TableRow<'a> {
    /// The result.
    pub result: &'a BatchResult,
    /// What others measured.
    pub baseline: Option<&'a Baseline>,
}

impl fmt::Display for TableRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { result, baseline } = self;
        let points = &result.line_points;
        write!(
            f,
            "| `{}` | {} | {}{} | {} | {} … {} | {:.1} % | {:.1} % | {:.3} | ",
            result.player,
            result.limits,
            decimal(points.mean, 0),
            points.error().map_or_else(String::new, |se| format!(" ± {}", decimal(se, 0))),
            decimal(points.median, 0),
            decimal(points.p5, 0),
            decimal(points.p95, 0),
            100.0 * result.reached_stop,
            100.0 * result.tetris_rate,
            result.cpu_ms_per_decision
        )?;
        let Some(baseline) = baseline else { return f.write_str("| |") };
        let (mean, se) = (decimal(baseline.mean, 0), decimal(baseline.se, 0));
        write!(f, "{mean} ± {se}, {:.1} % reach 29 | ", 100.0 * baseline.reaches)?;
        // One game has no error that could be counted with.
        if result.games < 2 {
            f.write_str("|")
        } else {
            write!(f, "{:+.1} |", baseline.z(points.mean, points.se))
        }
    }
}
