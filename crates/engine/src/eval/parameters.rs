//! Every tuned number of the evaluators: what the learned values were made with.

/// What a lost game is worth, in tetrises, by these weights' training. No board is worth less.
pub const DEATH: f32 = -10.0;

/// The last max height of each band but the highest, for tables that are split by height: each band holds between a sixth
/// and a third of all boards.
pub(super) const BAND_ENDS: [i32; 3] = [7, 10, 13];

/// The same for the table of six columns, which has three bands.
pub(super) const LOW_BAND_ENDS: [i32; 2] = [7, 12];

/// Tables of this many entries, windows together, are looked up before anything else is worked out: they do not fit
/// into a core's cache, and their entries arrive while the rest is worked out.
pub(super) const FAR: usize = 1 << 17;
