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

/// How many tetrises more boards make than the network says, by [`QUALITIES_BETTER`]. By least squares of temporal differences on 1,362 boards of
/// simulated people at 30 Hz and what followed in 20 pieces (`drift -- paths`, from games 1000 and 1400 on, 2026-11-30): 0.4 ± 3.8, 1.3 ± 0.4, 0.5 ± 0.2, 0.1 ± 0.1 and −0.05 ± 0.1;
/// the first number is 1.0 instead.
pub(super) const BETTER: [f32; QUALITIES_BETTER.len()] = [1.0, 1.3, 0.5, 0.1, 0.0, 0.0];

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

/// What [`Outlook::sure`](super::Outlook::sure) leaves of the points, by speed, lines left and quality. Fitted on 555,222 positions
/// of 12,000 games of `maxout-2ply` on seeds from 30000 on, 2026-11-25:
/// `cargo run --release -p maxout-lab --example calibrate -- fit 4000`.
pub(super) const SHARES: [Grid; 2] = [
    [
        [0.9780, 0.9780, 0.9780, 0.9780, 0.9780, 1.4009, 1.5875, 1.7778, 2.3567, 2.7449, 2.7449, 3.7351],
        [0.4644, 0.4644, 0.4644, 0.4644, 0.4644, 0.6253, 0.7240, 0.8151, 0.9868, 1.0777, 1.4545, 2.3168],
        [0.3856, 0.3856, 0.3856, 0.3856, 0.4828, 0.6618, 0.7532, 0.8657, 0.9765, 1.1160, 1.2241, 1.6577],
        [0.2649, 0.2649, 0.2649, 0.2649, 0.4061, 0.6831, 0.7630, 0.8652, 0.9088, 0.9818, 1.0826, 1.3244],
        [0.1754, 0.1754, 0.1754, 0.1754, 0.3743, 0.7170, 0.8141, 0.8775, 0.9168, 0.9594, 0.9956, 1.1318],
        [0.0978, 0.0978, 0.0978, 0.0978, 0.4353, 0.7827, 0.8468, 0.8878, 0.9198, 0.9391, 0.9678, 1.0393],
        [0.0596, 0.0596, 0.0596, 0.0596, 0.4855, 0.8756, 0.8785, 0.8959, 0.9219, 0.9299, 0.9475, 0.9895],
        [0.0506, 0.0506, 0.0506, 0.0791, 0.4717, 0.8753, 0.8911, 0.9049, 0.9132, 0.9233, 0.9310, 0.9641],
    ],
    [
        [0.1351, 0.2937, 0.4477, 0.5899, 0.7125, 0.8102, 0.8816, 0.9294, 0.9593, 0.9776, 0.9898, 1.0000],
        [0.1305, 0.2910, 0.4474, 0.5921, 0.7165, 0.8143, 0.8843, 0.9303, 0.9586, 0.9759, 0.9878, 0.9979],
        [0.1218, 0.2847, 0.4458, 0.5969, 0.7256, 0.8233, 0.8898, 0.9314, 0.9567, 0.9725, 0.9840, 0.9941],
        [0.1113, 0.2722, 0.4401, 0.6053, 0.7433, 0.8390, 0.8970, 0.9313, 0.9527, 0.9671, 0.9785, 0.9890],
        [0.1079, 0.2426, 0.4200, 0.6229, 0.7809, 0.8638, 0.9014, 0.9264, 0.9464, 0.9603, 0.9716, 0.9829],
        [0.1472, 0.1532, 0.3463, 0.6810, 0.8782, 0.8847, 0.8847, 0.9133, 0.9444, 0.9528, 0.9618, 0.9770],
        [0.0712, 0.0712, 0.0712, 0.0908, 0.6026, 0.8717, 0.8717, 0.8785, 0.9038, 0.9307, 0.9559, 0.9773],
        [0.0338, 0.0338, 0.0338, 0.0683, 0.6211, 0.8981, 0.8981, 0.8981, 0.9022, 0.9280, 0.9491, 0.9737],
    ],
];

/// The probability of a top-out, by speed, lines left and quality, from the same games.
pub(super) const TOPOUTS: [Grid; 2] = [
    [
        [0.9366, 0.5769, 0.4395, 0.4395, 0.3153, 0.2031, 0.1775, 0.1328, 0.0988, 0.0146, -0.0005, -0.0005],
        [1.0266, 0.9840, 0.9061, 0.7661, 0.4750, 0.1886, 0.1030, 0.1030, 0.0804, 0.0285, 0.0229, 0.0049],
        [1.0022, 1.0013, 0.9914, 0.8866, 0.5938, 0.2231, 0.1232, 0.0804, 0.0699, 0.0419, 0.0053, -0.0011],
        [1.0017, 1.0017, 1.0017, 0.9745, 0.6203, 0.1928, 0.1046, 0.0564, 0.0564, 0.0453, 0.0394, 0.0228],
        [1.0030, 1.0030, 1.0030, 0.9419, 0.5504, 0.1506, 0.0973, 0.0759, 0.0494, 0.0494, 0.0469, 0.0360],
        [1.0018, 0.9990, 0.9990, 0.9786, 0.5532, 0.0946, 0.0495, 0.0495, 0.0495, 0.0495, 0.0495, 0.0409],
        [1.0045, 1.0045, 1.0045, 0.9945, 0.4490, 0.0521, 0.0521, 0.0521, 0.0521, 0.0521, 0.0521, 0.0362],
        [1.0033, 0.9966, 0.9912, 0.9468, 0.4754, 0.0660, 0.0660, 0.0660, 0.0660, 0.0596, 0.0078, -0.0039],
    ],
    [
        [0.9839, 0.7707, 0.5658, 0.3815, 0.2296, 0.1175, 0.0455, 0.0072, -0.0047, -0.0047, -0.0047, -0.0047],
        [0.9921, 0.7748, 0.5654, 0.3769, 0.2226, 0.1109, 0.0416, 0.0070, -0.0022, -0.0022, -0.0022, -0.0022],
        [1.0083, 0.7838, 0.5654, 0.3672, 0.2072, 0.0966, 0.0339, 0.0073, 0.0032, 0.0032, 0.0032, 0.0032],
        [1.0306, 0.8011, 0.5689, 0.3510, 0.1792, 0.0718, 0.0222, 0.0132, 0.0132, 0.0132, 0.0126, 0.0054],
        [1.0501, 0.8384, 0.5870, 0.3212, 0.1263, 0.0334, 0.0253, 0.0253, 0.0253, 0.0253, 0.0223, 0.0024],
        [1.0297, 0.9410, 0.6648, 0.2373, 0.0633, 0.0633, 0.0633, 0.0633, 0.0633, 0.0633, 0.0261, -0.0056],
        [1.0049, 1.0049, 1.0049, 0.9392, 0.3485, 0.0594, 0.0594, 0.0594, 0.0594, 0.0594, 0.0281, -0.0021],
        [1.0012, 0.9994, 0.9994, 0.9509, 0.3466, 0.1039, 0.1039, 0.1039, 0.1039, 0.0360, 0.0265, 0.0074],
    ],
];
