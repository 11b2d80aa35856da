//! The tuned numbers of the analysis.

/// A table by lines left and quality.
pub(super) type Grid = [[f32; QUALITY_KNOTS.len()]; LINE_KNOTS.len()];

/// How many lines ahead the stop is at most from level 29 on, where the game itself has none.
pub const LINES_FROM_29: u32 = 100;

/// From one stop to the next from level 29 on, in levels.
pub(super) const LEVELS_FROM_29: u16 = 10;

/// The share of a difference in value that always counts as points.
pub(super) const SLOPE: f32 = 0.2;

/// The last level whose pieces fall as slowly as the network of outcomes calls early.
pub(super) const EARLY: u8 = 18;

/// Level 29, where the games of the calibration stop. The network does not know it.
pub(super) const KILLSCREEN: u8 = 29;
/// About as many boards as those games look at: a search that may not look at as many plays none.
pub(super) const NODES_FROM_29: u64 = 100_000;
/// A board is looked at in a mirror if this number of rows more wait for the right column than for the left one. Players begin with four; but
/// boards of people change between more and fewer, and there should be no step in what is said of them.
pub(crate) const MIRRORED_FROM: u32 = 1;

/// The standard error of a forecast loss: the root of the sum of the squares of this share of it, and of [`FORECAST_ERROR_LEAST`]
/// tetrises. The most likely numbers are 0.6 and 0.075 for the 29 worst placements up to level 28 of two recordings of people and of a
/// game of `maxout-2ply`, played on; the second is rounded up.
pub(super) const FORECAST_ERROR: f32 = 0.6;
/// See [`FORECAST_ERROR`].
pub(super) const FORECAST_ERROR_LEAST: f32 = 0.1;

/// With fewer lines than these to the stop, the network counts for less.
pub(super) const FAR: f32 = 30.0;

/// What ordinary boards make of each line, as a share of what tetrises pay.
pub(super) const EFFICIENCY: f32 = 0.93;

/// Differences in quality from here on are left to the network.
pub(super) const NEAR: f32 = 0.15;

/// Where the search says that a placement loses more than a tetris, at least this share of what is beyond is lost, whatever the network says: a
/// covered well looks good to it. By 250 placements of which it said that they lose less than a quarter of a tetris and the search more than
/// 0.7, each played on 40 times for 64 pieces at 30 Hz, and 51 of people.
pub(super) const AT_LEAST: f32 = 0.5;

/// Points of a small difference in value, as a share of what the search says.
pub(super) const LESS: f32 = 0.85;

/// Which share of a difference in top-outs is real: the first number if the difference is 0, and all of it from the second number on. Up
/// to level 28 by 2,061 placements of other players, each played on once from both placements, for 64 pieces at 30 Hz:
/// `cargo run --release -p maxout-lab --example losses -- play short.csv 1000000..1001700 1 64`.
pub(super) const REAL: [f32; 2] = [0.2, 0.4];

/// Which share of a loss is real that is no top-out, up to level 28, by the same games.
pub(super) const REAL_REST: f32 = 0.8;

/// The same as [`REAL`] from level 29 on, for all of a loss: by 1,605 placements of other players at 30 Hz, each played on to the stop.
pub(super) const REAL_FROM_29: [f32; 2] = [0.8, 0.15];

/// How much less of a loss is real from level 29 on where the best placement loses at least [`UNSURE`] of all games: of 496 such placements
/// 78 ± 12 % is.
pub(super) const UNSURE_FROM_29: f32 = 0.2;

/// See [`UNSURE_FROM_29`].
pub(super) const UNSURE: f32 = 0.1;

/// By [`REACHES`], how often games go on to the stop from level 29 on: the log odds are the sum of these numbers, multiplied by 1, by the log odds that
/// the network (of levels up to 28) tells, by the logarithm of the lines left over [`LINES_HALF`], by the rows with holes, by the holes, by the
/// quality, and by how much higher the second column is than the first. Fitted 2026-11-29 by logistic regression on placements of other players, each
/// played on by `maxout-2ply` at these taps: 1,000 pairs at 12 Hz and 900 at 20 Hz, two games each (indices from 7000000 on), 1,795 at 15 Hz and 4,476
/// at 30 Hz, one game each (from 5000000 on). At 10 Hz all of 1,200 games are lost.
/// `cargo run --release -p maxout-lab --example losses -- play fit.csv 7000000..7001000 2 29 12hz`, then `... -- features fit.csv 12hz seen.csv`.
pub(super) const GOES_ON_FROM_29: [[f64; REACHES.len()]; 7] = [
    [-14.0, -0.748, -0.104, 1.394, 0.340],
    [0.303, 0.303, 0.379, 0.633, 0.867],
    [-0.632, -0.632, -0.644, -0.202, -0.197],
    [-0.626, -0.626, -0.475, -0.292, 0.379],
    [0.249, 0.249, 0.165, 0.233, -0.248],
    [0.883, 0.883, 0.514, 0.520, 0.106],
    [-1.055, -1.055, -0.954, -0.641, -0.139],
];

/// By [`REACHES`], what games make that go on to the stop: these shares of what tetrises pay, of the quality in tetrises, and of a tetris. By least
/// squares on the same games; at 10 Hz as at 12 Hz.
pub(super) const POINTS_FROM_29: [[f64; REACHES.len()]; 3] = [
    [0.152, 0.152, 0.484, 0.717, 0.853],
    [-0.093, -0.093, 0.450, 0.490, 0.389],
    [0.036, 0.036, 0.011, 0.050, -0.120],
];

/// By [`REACHES`], what the other games make, as a share of that: at least, and how much more if none is lost. From the same games.
pub(super) const LOST_FROM_29: [[f64; REACHES.len()]; 2] =
    [[0.006, 0.001, -0.017, 0.003, -0.004], [0.0, 0.478, 0.506, 0.013, 0.149]];

/// From level 29 on, qualities beyond the first two are not told apart where games go on or not, and beyond the others in what they make.
pub(super) const QUALITIES_FROM_29: [f32; 4] = [-20.0, 3.0, -12.0, 1.5];

/// How many games are played on from a position from level 29 on, and for how many pieces.
pub(super) const GAMES_FROM_29: u64 = 16;
/// See [`GAMES_FROM_29`].
pub(super) const PIECES_FROM_29: usize = 20;
/// As many games count what is seen of the board.
pub(super) const PRIOR_FROM_29: f32 = 3.0;

/// Half of the most lines left.
pub(super) const LINES_HALF: f32 = LINES_FROM_29 as f32 / 2.0;

/// Rows of a board that are seen.
pub(super) const VISIBLE: u32 = 20;

/// Shares nearer to 0 and to 1 are not told apart.
pub(super) const LEAST_SHARE: f32 = 0.002;

/// Up to level 28, where even the best placement loses more games than 1 less 1 through this number, differences count less: none where all are lost.
pub(super) const ALIVE: f32 = 2.0;

/// By [`REACHES`], from level 19 to 28 and up to 18: how many times as many games are lost as at 30 Hz. The share of games that is not lost
/// gets this exponent. Fitted 2026-11-29 on 500 boards for each tap speed, from which `maxout-fast` played on six times from two placements:
/// `cargo run --release -p maxout-lab --example taps -- play 12hz.csv maxout-fast 12hz 47000000..47000500 6`, and so on.
pub(super) const TAP_HAZARDS: [[f64; REACHES.len()]; 2] =
    [[5.26, 2.26, 1.66, 1.28, 1.0], [1.48, 1.12, 1.0, 1.0, 1.0]];

/// By [`REACHES`], from level 19 to 28 and up to 18: what games make that are not lost, as a share of what they make at 30 Hz; from the same
/// games.
pub(super) const TAP_POINTS: [[f64; REACHES.len()]; 2] =
    [[0.796, 0.886, 0.935, 0.987, 1.0], [0.844, 0.913, 0.953, 0.987, 1.0]];

/// How many tetrises more boards make than the network says, by [`QUALITIES_BETTER`]. Least squares of temporal differences on 1,362 boards of
/// simulated people at 30 Hz and what followed in 20 pieces (2026-11-30) gave all but the first number. With these and 1.0, the network that is
/// shipped now is off by 1.9 ± 0.8 tetrises at qualities of −10 to −7, and by 0.06 or less from −5 on (1,373 boards, `drift -- paths`, games
/// 1000 to 1025 and 1400 to 1423, 2026-12-01): so 3.0.
pub(super) const BETTER: [f32; QUALITIES_BETTER.len()] = [3.0, 1.3, 0.5, 0.1, 0.0, 0.0];

/// Qualities for which [`BETTER`] has a number; between them it is linear.
pub(super) const QUALITIES_BETTER: [f32; 6] = [-8.0, -5.0, -3.0, -1.5, -0.5, 0.3];

/// Of what a game would have made that these taps lose and 30 Hz do not, it makes this share before it is lost. Not fitted: such a game
/// ends anywhere, sooner rather than later.
pub(super) const BEFORE: f64 = 0.3;

/// Rows of the tables of a [`Calibration`]: lines left.
pub(super) const LINE_KNOTS: [f32; 8] = [2.0, 6.0, 12.0, 25.0, 45.0, 80.0, 125.0, 190.0];

/// Columns of the tables of a [`Calibration`]: quality, in tetrises of the learned value.
pub(super) const QUALITY_KNOTS: [f32; 12] =
    [-19.0, -14.0, -10.0, -7.0, -5.0, -3.5, -2.5, -1.5, -0.75, 0.0, 0.75, 1.5];

/// How many places presses reach ([`Outlook::reach`](super::Outlook::reach)) at 10, 12, 15, 20 and 30 Hz: for these there are numbers
/// of their own.
pub(super) const REACHES: [f32; 5] = [1535.0, 1680.0, 1843.0, 2004.0, 2094.0];

/// What [`Outlook::sure`](super::Outlook::sure) leaves of the points, by speed, lines left and quality. Fitted on 649,735 positions
/// of 8,000 games of `maxout-2ply` on seeds from 30000 on, 2026-12-01:
/// `cargo run --release -p maxout-lab --example calibrate -- fit 4000`.
#[expect(clippy::approx_constant, reason = "one of these numbers happens to be near π / 6")]
pub(super) const SHARES: [Grid; 2] = [
    [
        [0.5726, 0.5726, 0.5726, 0.5726, 0.6299, 1.1626, 1.4241, 1.6652, 2.2823, 2.7429, 2.7429, 3.7486],
        [0.4392, 0.4392, 0.4392, 0.4392, 0.4392, 0.5459, 0.7265, 0.8108, 0.9886, 1.0744, 1.4505, 2.1749],
        [0.4274, 0.4274, 0.4274, 0.4274, 0.4518, 0.6604, 0.7828, 0.8664, 0.9701, 1.1167, 1.2092, 1.5960],
        [0.3659, 0.3659, 0.3659, 0.3659, 0.4065, 0.6634, 0.7640, 0.8522, 0.9052, 0.9785, 1.0961, 1.3114],
        [0.2233, 0.3276, 0.3276, 0.3276, 0.4707, 0.7442, 0.8099, 0.8828, 0.9180, 0.9603, 0.9929, 1.1245],
        [0.1302, 0.3242, 0.3242, 0.3242, 0.4868, 0.8330, 0.8491, 0.8906, 0.9157, 0.9404, 0.9699, 1.0367],
        [0.0294, 0.3339, 0.3404, 0.3404, 0.6189, 0.8924, 0.8924, 0.9026, 0.9177, 0.9322, 0.9437, 0.9862],
        [-0.0012, 0.3652, 0.4646, 0.4646, 0.6546, 0.8910, 0.8956, 0.9077, 0.9127, 0.9248, 0.9360, 0.9667],
    ],
    [
        [0.4532, 0.5285, 0.6043, 0.6797, 0.7518, 0.8164, 0.8700, 0.9113, 0.9415, 0.9633, 0.9803, 0.9954],
        [0.4538, 0.5271, 0.6022, 0.6786, 0.7525, 0.8185, 0.8725, 0.9131, 0.9421, 0.9629, 0.9790, 0.9936],
        [0.4560, 0.5235, 0.5967, 0.6759, 0.7545, 0.8236, 0.8778, 0.9165, 0.9430, 0.9617, 0.9765, 0.9901],
        [0.4639, 0.5149, 0.5840, 0.6708, 0.7598, 0.8339, 0.8866, 0.9212, 0.9436, 0.9593, 0.9726, 0.9855],
        [0.4887, 0.4887, 0.5563, 0.6642, 0.7759, 0.8536, 0.8983, 0.9258, 0.9426, 0.9547, 0.9669, 0.9805],
        [0.4437, 0.4437, 0.5252, 0.6551, 0.8309, 0.8881, 0.9007, 0.9298, 0.9402, 0.9468, 0.9585, 0.9769],
        [0.3107, 0.5167, 0.5167, 0.5167, 0.7461, 0.8652, 0.8652, 0.8737, 0.8996, 0.9301, 0.9529, 0.9801],
        [0.3686, 0.6143, 0.6143, 0.6143, 0.7745, 0.8996, 0.8996, 0.8996, 0.9085, 0.9222, 0.9588, 0.9877],
    ],
];

/// The probability of a top-out, by speed, lines left and quality, from the same games.
pub(super) const TOPOUTS: [Grid; 2] = [
    [
        [0.7251, 0.0436, 0.0022, 0.0022, 0.0022, 0.0022, 0.0022, 0.0022, 0.0022, 0.0011, 0.0003, -0.0000],
        [1.0735, 0.2734, 0.0043, 0.0043, 0.0026, 0.0026, 0.0026, 0.0026, 0.0026, 0.0024, 0.0008, 0.0002],
        [1.0217, 0.1759, 0.0092, 0.0092, 0.0044, 0.0021, 0.0021, 0.0021, 0.0021, 0.0021, 0.0021, 0.0016],
        [1.1950, 0.2214, 0.0231, 0.0231, 0.0088, 0.0027, 0.0027, 0.0027, 0.0027, 0.0027, 0.0027, 0.0010],
        [1.2315, 0.2618, 0.0444, 0.0444, 0.0444, 0.0085, 0.0024, 0.0024, 0.0024, 0.0024, 0.0003, -0.0037],
        [1.1224, 0.2655, 0.0958, 0.0958, 0.0642, 0.0135, 0.0063, 0.0044, 0.0044, 0.0044, -0.0056, -0.0095],
        [1.1905, 0.2661, 0.1564, 0.1564, 0.0423, 0.0044, 0.0044, 0.0044, 0.0044, 0.0044, 0.0037, -0.0085],
        [1.1544, 0.4482, 0.1578, 0.1578, 0.0722, 0.0076, 0.0076, 0.0076, 0.0076, 0.0076, -0.0073, -0.0177],
    ],
    [
        [0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0056, 0.0002, -0.0046, -0.0091],
        [0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0100, 0.0050, -0.0000, -0.0045, -0.0088],
        [0.0103, 0.0103, 0.0103, 0.0103, 0.0103, 0.0103, 0.0103, 0.0090, 0.0039, -0.0004, -0.0044, -0.0084],
        [0.0107, 0.0107, 0.0107, 0.0107, 0.0107, 0.0107, 0.0107, 0.0065, 0.0028, -0.0006, -0.0041, -0.0078],
        [0.0118, 0.0118, 0.0118, 0.0118, 0.0118, 0.0118, 0.0060, 0.0039, 0.0023, -0.0004, -0.0036, -0.0075],
        [0.0419, 0.0419, 0.0419, 0.0419, 0.0147, 0.0027, 0.0027, 0.0027, 0.0027, -0.0010, -0.0021, -0.0078],
        [0.6018, 0.0578, 0.0578, 0.0578, 0.0260, 0.0071, 0.0071, 0.0052, 0.0052, 0.0052, -0.0095, -0.0130],
        [0.5822, 0.0279, 0.0279, 0.0279, 0.0279, 0.0085, 0.0085, 0.0037, 0.0016, 0.0003, 0.0003, -0.0058],
    ],
];
