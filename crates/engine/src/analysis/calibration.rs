//! From the value of a search to points and to the probability of a top-out: [`Calibration`].

use super::parameters::{
    EFFICIENCY, Grid, KILLSCREEN, LEVELS_FROM_29, LINE_KNOTS, LINES_FROM_29, QUALITY_KNOTS, REACHES, SHARES,
    SLOPE, TOPOUTS,
};
use super::strength::{STRENGTHS, Strength};
use crate::eval::ntuple::speed;
use crate::limits::{Limits, Reaction};
use crate::movegen::{Start, placements};
use maxout_rules::{Board, FallRule, Piece, Progress, line_points};
use serde::{Deserialize, Serialize};

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
    /// The NTSC level at which pieces fall as fast ([`FallRule::ntsc_level`]): on PAL, 29 from level 19 on.
    pub falls_as: u8,
    /// How many places the presses can reach at level 29, summed over boards of every height up to 12 and the seven pieces.
    pub reach: f32,
    /// The most line points that the lines until the stop can pay. The last clear may be a tetris of which one line would be enough.
    pub most: f32,
}

/// Returns how many places pieces can reach with these presses at level 29, on boards with 0 to 12 ready rows: how
/// fast the presses are, in a number.
pub(super) fn reach(limits: Limits) -> f32 {
    let mut found = Vec::new();
    let mut all = 0;
    for rows in 0..=12 {
        let board: Board = "#########.\n".repeat(rows).parse().unwrap_or(Board::EMPTY);
        for piece in Piece::ALL {
            placements(&board, &Start::spawn(piece, KILLSCREEN), limits, &mut found);
            all += found.len();
        }
    }
    all as f32
}

impl Outlook {
    /// The outlook at `progress`, with what [`Expectimax::ordinary`](crate::search::Expectimax::ordinary) says.
    pub fn new(progress: Progress, ordinary: f32, tetris: f32, reach: f32) -> Self {
        let (lines, all_tetrises) = Self::all_tetrises(progress);
        let most = most(progress, lines as usize);
        Self {
            lines,
            all_tetrises,
            ordinary,
            tetris,
            level: progress.level,
            falls_as: progress.level,
            reach,
            most,
        }
    }

    /// Returns the lines until the stop, and the line points until then if every line is part of a tetris.
    ///
    /// ```
    /// use maxout_engine::analysis::Outlook;
    /// use maxout_rules::Progress;
    /// // 230 lines from a start on level 19, the first 139 of them on that level.
    /// let (lines, points) = Outlook::all_tetrises(Progress::at(0, 19));
    /// assert!(lines == 230 && points > 139.0 * 6_000.0);
    /// // 35 lines from level 35 on to level 39.
    /// let late = (0..295).fold(Progress::at(0, 19), |mut late, _| { late.add_rows(1); late });
    /// assert_eq!((late.level, Outlook::all_tetrises(late).0), (35, 35));
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

    /// Returns how good the board is that a placement leaves, in tetrises against an ordinary board with as few lines left: the quality of the
    /// placement's value without what its `lines` lines pay at `level`.
    pub fn quality_after(&self, value: f32, lines: u8, level: u8) -> f32 {
        let made_by_ordinary = EFFICIENCY * line_points(4, level) as f32 * f32::from(lines) / 4.0;
        self.quality(value - line_points(lines, level) as f32 + made_by_ordinary)
    }
}

/// Returns the most line points that the next `lines` lines can pay.
fn most(progress: Progress, lines: usize) -> f32 {
    let mut now = progress;
    let level = |now: &mut Progress| {
        now.add_rows(1);
        now.level
    };
    let levels: Vec<u8> = (0..lines + 3).map(|_| level(&mut now)).collect();
    // Nothing counts from the stop on.
    let mut most = vec![0; lines + 4];
    for at in (0..lines).rev() {
        let with = |rows: usize| line_points(rows as u8, levels[at + rows - 1]) + most[at + rows];
        most[at] = (1..=4).map(with).max().unwrap_or(0);
    }
    most[0] as f32
}

/// Returns the level at which the analysis stops in a game that is at `level`: 29, and from there on every tenth level (39, 49 and so on).
pub const fn stop_level(level: u8) -> u16 {
    if level < KILLSCREEN {
        KILLSCREEN as u16
    } else {
        let past = (level - KILLSCREEN) as u16;
        KILLSCREEN as u16 + past - past % LEVELS_FROM_29 + LEVELS_FROM_29
    }
}

/// Names the stop of a position, if the game gets there within [`LINES_FROM_29`] lines: `level 29`, `level 39`, or else `100 lines`.
pub fn stop_name(progress: Progress) -> String {
    let (lines, _) = Outlook::all_tetrises(progress);
    let (mut then, stop) = (progress, stop_level(progress.level));
    (0..lines).for_each(|_| then.add_rows(1));
    if u16::from(then.level) >= stop { format!("level {stop}") } else { format!("{LINES_FROM_29} lines") }
}

/// Whether a game that started at `from` and is now at `now`, `lines` lines later, has reached the stop of the analysis. From level 29
/// on that is at most [`LINES_FROM_29`] lines away, which a game that starts there needs more for.
pub fn is_at_stop(from: Progress, now: Progress, lines: u32) -> bool {
    u16::from(now.level) >= stop_level(from.level) || from.level >= KILLSCREEN && lines >= LINES_FROM_29
}

/// The forecast from a position on.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The expected line points until the stop.
    pub points: f32,
    /// The probability of a top-out before the stop, 0 to 1.
    pub topout: f32,
}

/// Whose games a forecast speaks of: a forecast is right if this player plays on with these taps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Forecaster {
    /// The player.
    pub player: &'static str,
    /// Its taps.
    pub taps: String,
}

impl Forecaster {
    /// Returns whose games the forecasts of `player` speak of that are asked for at `level` of a game with this fall rule, within `limits`.
    /// Where pieces fall more slowly than on level 29 that is a player as strong as this one, from there on `maxout-2ply`; both play at the
    /// taps of `limits`, which count frames of the fall rule's region.
    pub fn of(player: &str, level: u8, fall_rule: FallRule, limits: Limits) -> Self {
        let is_late = fall_rule.ntsc_level(level) >= KILLSCREEN;
        let player = if is_late { &STRENGTHS[0] } else { Strength::of(player) }.player;
        Self { player, taps: limits.presses.name(fall_rule.region()) }
    }

    /// The same for a question at another level of the game.
    #[must_use]
    pub fn at(&self, level: u8, fall_rule: FallRule) -> Self {
        let is_late = fall_rule.ntsc_level(level) >= KILLSCREEN;
        let player = if is_late { STRENGTHS[0].player } else { self.player };
        Self { player, taps: self.taps.clone() }
    }

    /// Says for whom a forecast holds that was asked for within `limits`. Forecasts know no reaction delay, and no taps that reach less than
    /// those at 10 Hz.
    ///
    /// ```
    /// use maxout_engine::analysis::Forecaster;
    /// use maxout_engine::limits::{Limits, Reaction, TapTable};
    /// use maxout_rules::FallRule;
    /// let said = |level, limits| Forecaster::of("maxout", level, FallRule::Ntsc, limits).told(limits);
    /// assert_eq!(said(19, Limits::EACH_BUTTON), "if maxout plays on at 30 Hz");
    /// let slow = Limits::taps(TapTable::HZ_12);
    /// assert_eq!(said(19, slow), "if maxout plays on at 12 Hz");
    /// assert_eq!(said(29, slow), "if maxout-2ply plays on at 12 Hz");
    /// let late = slow.with_reaction(Reaction::Frames(18));
    /// assert_eq!(said(19, late), "if maxout plays on at 12 Hz without a delay; with one it makes less");
    /// ```
    pub fn told(&self, limits: Limits) -> String {
        let Self { player, taps } = self;
        let speed =
            taps.strip_suffix("hz").map_or_else(|| format!("with taps {taps}"), |hz| format!("at {hz} Hz"));
        let late =
            if limits.reaction == Reaction::NONE { "" } else { " without a delay; with one it makes less" };
        let slow = if reach(limits) < REACHES[0] { "; such slow taps make less" } else { "" };
        format!("if {player} plays on {speed}{late}{slow}")
    }
}

/// What values of a search have led to. The tables are by lines left ([`Calibration::LINES`]) and by quality
/// ([`Calibration::QUALITIES`], in tetrises of the learned value against an ordinary board); between them it is linear.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// Points until the stop without [`Outlook::sure`], as a share of what all tetrises would bring, by
    /// [`speed`](speed()): from level 19 to 28, up to 18.
    pub shares: [Grid; 2],
    /// Probability of a top-out, for the same levels.
    pub topouts: [Grid; 2],
}

impl Calibration {
    /// The numbers that the analysis uses.
    pub const FITTED: Self = Self { shares: SHARES, topouts: TOPOUTS };
    /// The numbers of lines left that the tables have rows for.
    pub const LINES: &'static [f32] = &LINE_KNOTS;
    /// The qualities that the tables have columns for.
    pub const QUALITIES: &'static [f32] = &QUALITY_KNOTS;

    /// Returns what a value of the search leads to. A higher value never leads to fewer points. From level 29 on, where no forecast asks,
    /// it is what the tables say of level 28.
    pub fn estimate(&self, outlook: &Outlook, value: f32) -> Estimate {
        let speed = speed(outlook.falls_as.min(KILLSCREEN - 1), FallRule::Ntsc, false);
        let weights = Self::weights(outlook.lines as f32, outlook.quality(value));
        let read = |grid: &Grid| {
            weights.iter().map(|&(row, column, weight)| weight * f64::from(grid[row][column])).sum::<f64>()
        };
        let [share, topout] = [&self.shares, &self.topouts].map(|tables| read(&tables[speed]));
        // Single precision would let two almost equal values change places.
        let points = share * f64::from(outlook.all_tetrises) + f64::from(outlook.sure(value));
        let points = points.clamp(0.0, outlook.most.into()) as f32;
        Estimate { points, topout: topout.clamp(0.0, 1.0) as f32 }
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

/// Returns what a row with an entry for each of [`REACHES`] says of presses that reach `reach` places.
pub(super) fn at_reach(row: &[f64; REACHES.len()], reach: f32) -> f64 {
    let (slower, faster) = place(&REACHES, reach);
    row[slower] * (1.0 - faster) + row[slower + 1] * faster
}

/// Returns the knot before `at` and how far it is to the next one, 0 to 1.
pub(super) fn place(knots: &[f32], at: f32) -> (usize, f64) {
    let after = knots.partition_point(|&knot| knot <= at).clamp(1, knots.len() - 1);
    let (low, high, at) = (f64::from(knots[after - 1]), f64::from(knots[after]), f64::from(at));
    (after - 1, ((at - low) / (high - low)).clamp(0.0, 1.0))
}
