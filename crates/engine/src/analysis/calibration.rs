//! From the value of a search to points and to the probability of a top-out: [`Calibration`].

use super::parameters::{Grid, KILLSCREEN, LINE_KNOTS, LINES_FROM_29, QUALITY_KNOTS, SHARES, SLOPE, TOPOUTS};
use crate::eval::ntuple::speed;
use crate::limits::{Limits, Presses};
use maxout_rules::{Progress, line_points};

/// No game needs more lines to its stop.
const MOST_LINES: u32 = 400;

/// How far away the stop is, and what an ordinary board is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// The lines until the stop.
    pub lines: u32,
    /// The line points until the stop if every line is part of a tetris.
    pub all_tetrises: f32,
    /// The search's value of an ordinary board, in points.
    pub ordinary: f32,
    /// By how many points the search's value rises with one tetris of the learned value.
    pub tetris: f32,
    /// The level.
    pub level: u8,
}

impl Outlook {
    /// The outlook at `progress`, with what [`Expectimax::ordinary`](crate::search::Expectimax::ordinary) says.
    pub fn new(progress: Progress, ordinary: f32, tetris: f32) -> Self {
        let (lines, all_tetrises) = Self::all_tetrises(progress);
        Self { lines, all_tetrises, ordinary, tetris, level: progress.level }
    }

    /// Returns the lines until the stop, and the line points until then if every line is part of a tetris.
    ///
    /// ```
    /// use maxout_engine::analysis::Outlook;
    /// use maxout_rules::Progress;
    /// // 230 lines from a start on level 19, the first 139 of them on that level.
    /// let (lines, points) = Outlook::all_tetrises(Progress::at(0, 19));
    /// assert!(lines == 230 && points > 139.0 * 6_000.0);
    /// ```
    pub fn all_tetrises(progress: Progress) -> (u32, f32) {
        let (mut now, mut lines, mut points) = (progress, 0, 0);
        while lines < MOST_LINES && !is_at_stop(progress, now, lines) {
            now.add_rows(1);
            lines += 1;
            points += line_points(4, now.level) / 4;
        }
        (lines, points as f32)
    }

    /// Returns the part of a difference in value that is always counted as points, so that placements keep their order
    /// where the tables say the same of both.
    pub fn sure(&self, value: f32) -> f32 {
        SLOPE * (value - self.ordinary)
    }

    /// Returns how good a value is: the difference to an ordinary board, in tetrises of the learned value.
    pub fn quality(&self, value: f32) -> f32 {
        (value - self.ordinary) / self.tetris
    }
}

/// Whether a game that started at `from` and is now at `now`, `lines` lines later, has reached the stop of the analysis.
pub fn is_at_stop(from: Progress, now: Progress, lines: u32) -> bool {
    if from.level < KILLSCREEN { now.level >= KILLSCREEN } else { lines >= LINES_FROM_29 }
}

/// The forecast from a position on.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Estimate {
    /// The expected line points until the stop.
    pub points: f32,
    /// The probability of a top-out before the stop, 0 to 1.
    pub topout: f32,
}

/// Whose games a forecast speaks of: a forecast is right if this player plays on with these taps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Forecaster {
    /// The player.
    pub player: &'static str,
    /// Its taps.
    pub taps: &'static str,
}

impl Forecaster {
    /// Says for whom a forecast holds that was asked for within `limits`.
    ///
    /// ```
    /// use maxout_engine::analysis::Calibration;
    /// use maxout_engine::limits::Limits;
    /// let said = Calibration::FORECASTER.told(Limits::EACH_BUTTON);
    /// assert_eq!(said, "if maxout-2ply plays on at 30 Hz");
    /// ```
    pub fn told(&self, limits: Limits) -> String {
        let Self { player, taps } = self;
        let speed =
            taps.strip_suffix("hz").map_or_else(|| format!("with taps {taps}"), |hz| format!("at {hz} Hz"));
        let same = match limits.presses {
            Presses::Table(table) => table.to_string() == *taps,
            Presses::OnePerRow | Presses::Das(_) => false,
            Presses::EachButton | Presses::ControllerStates => true,
        };
        let slower = if same { "" } else { "; slower taps score less" };
        format!("if {player} plays on {speed}{slower}")
    }
}

/// What values of a search have led to. The tables are by lines left ([`Calibration::LINES`]) and by quality
/// ([`Calibration::QUALITIES`], in tetrises of the learned value against an ordinary board); between them it is linear.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// Points until the stop without [`Outlook::sure`], as a share of what all tetrises would bring, by
    /// [`speed`](speed()): from level 19 to 28, up to 18, from 29 on.
    pub shares: [Grid; 3],
    /// Probability of a top-out, for the same levels.
    pub topouts: [Grid; 3],
}

impl Calibration {
    /// The numbers that the analysis uses.
    pub const FITTED: Self = Self { shares: SHARES, topouts: TOPOUTS };
    /// Whose games they were fitted to.
    pub const FORECASTER: Forecaster = Forecaster { player: "maxout-2ply", taps: "30hz" };
    /// The numbers of lines left that the tables have rows for.
    pub const LINES: &'static [f32] = &LINE_KNOTS;
    /// The qualities that the tables have columns for.
    pub const QUALITIES: &'static [f32] = &QUALITY_KNOTS;

    /// Returns what a value of the search leads to. A higher value never leads to fewer points.
    pub fn estimate(&self, outlook: &Outlook, value: f32) -> Estimate {
        let speed = speed(outlook.level.min(KILLSCREEN), false, false);
        let weights = Self::weights(outlook.lines as f32, outlook.quality(value));
        let read = |grid: &Grid| {
            weights.iter().map(|&(row, column, weight)| weight * f64::from(grid[row][column])).sum::<f64>()
        };
        // Single precision would let two almost equal values change places.
        let points =
            read(&self.shares[speed]) * f64::from(outlook.all_tetrises) + f64::from(outlook.sure(value));
        Estimate { points: points.max(0.0) as f32, topout: read(&self.topouts[speed]).clamp(0.0, 1.0) as f32 }
    }

    /// Returns the four entries of a table that a position is read from, as row, column and weight.
    pub fn weights(lines: f32, quality: f32) -> [(usize, usize, f64); 4] {
        let ((row, down), (column, right)) = (place(&LINE_KNOTS, lines), place(&QUALITY_KNOTS, quality));
        [
            (row, column, (1.0 - down) * (1.0 - right)),
            (row, column + 1, (1.0 - down) * right),
            (row + 1, column, down * (1.0 - right)),
            (row + 1, column + 1, down * right),
        ]
    }
}

/// Returns the knot before `at` and how far it is to the next one, 0 to 1.
fn place(knots: &[f32], at: f32) -> (usize, f64) {
    let after = knots.partition_point(|&knot| knot <= at).clamp(1, knots.len() - 1);
    let (low, high, at) = (f64::from(knots[after - 1]), f64::from(knots[after]), f64::from(at));
    (after - 1, ((at - low) / (high - low)).clamp(0.0, 1.0))
}
