//! Every tuned number of the evaluators: published weights, and what the network was learned with. Evaluators carry their
//! weights, so an experiment may pass others.

/// The published weights of the 2018 bot. Positive is a penalty. The order is that of [`LockTrail`](super::LockTrail)
/// (lines, heights), then of the fields of [`Features`](maxout_engine::eval::Features).
pub const WEIGHTS_2018: [f64; 17] = [
    0.286_127_095_297_893_9,
    1.701_233_676_909_959_2,
    0.711_304_230_768_307_7,
    0.910_665_415_998_680_4,
    1.879_338_064_244_357,
    2.168_463_848_297_177,
    -0.265_587_111_961_757_27,
    0.289_886_584_949_610_5,
    0.362_361_055_261_181_73,
    -0.028_668_795_795_469_625,
    0.874_179_981_113_233_1,
    -0.507_409_683_144_361_9,
    -2.148_676_202_831_281,
    -1.187_558_540_281_141_7,
    -2.645_656_132_241_128,
    0.242_043_416_268_706_62,
    0.287_838_126_164_431_44,
];

/// The published weights of the 2014 bot: lines, lock heights, well cells, holes, column transitions, row transitions.
pub const WEIGHTS_2014: [f64; 6] = [
    1.0,
    12.885_008_263_218_383,
    15.842_707_182_438_396,
    26.894_496_507_795_95,
    27.616_914_062_397_015,
    30.185_110_719_279_04,
];

/// Dellacherie's weights as they are usually given: landing height, eroded cells, row transitions, column transitions,
/// holes and wells.
pub(super) const SIX_TERMS: [f64; 6] = [-1.0, 1.0, -1.0, -1.0, -4.0, -1.0];

/// El-Tetris' weights of the same terms.
pub(super) const EL_TETRIS: [f64; 6] = [
    -4.500_158_825_082_766,
    3.418_126_810_139_269_4,
    -3.217_888_286_848_775_3,
    -9.348_695_305_445_199,
    -7.899_265_427_351_652,
    -3.385_597_224_726_362_6,
];

/// The weights of `SimpleTetris`, in whole numbers, of the same terms.
pub(super) const WHOLE_NUMBERS: [f64; 6] = [-45.0, 34.0, -32.0, -93.0, -79.0, -34.0];

/// What these come to in its program, which reads the holes from a stale board.
pub(super) const WHOLE_NUMBERS_AS_CODED: [f64; 6] = [-45.0, 34.0, -32.0, -93.0, 0.0, -34.0];

/// Discount per piece.
pub const GAMMA: f32 = 0.99;
