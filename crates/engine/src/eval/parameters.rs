//! Every tuned number of the evaluators: what the learned values were made with.

/// What a lost game is worth, in tetrises, by these weights' training. No board is worth less.
pub const DEATH: f32 = -10.0;

/// A difference of a band of height, or of a speed, from the first that the weights file does not keep, in the tables' unit: worth 141
/// points at level 19. Without this the file would pass its 16 MB.
pub(super) const NOISE: u16 = 3;
/// The same for the tables that one speed of fall has for itself: a short training changes many entries by little.
pub(super) const NOISE_ALONE: u16 = 1;

/// The last max height of each band but the highest, for tables that are split by height: each band holds between a sixth
/// and a third of all boards.
pub(super) const BAND_ENDS: [i32; 3] = [7, 10, 13];

/// The same for the table of six columns, which has three bands.
pub(super) const LOW_BAND_ENDS: [i32; 2] = [7, 12];

/// Tables of this many entries, windows together, are looked up before anything else is worked out: they do not fit
/// into a core's cache, and their entries arrive while the rest is worked out.
pub(super) const FAR: usize = 1 << 17;
