//! Every tuned number of the evaluators: what the learned values were made with.

/// What a lost game is worth, in tetrises, by these weights' training. No board is worth less.
pub const DEATH: f32 = -10.0;

/// The weights of [`Rescue`](super::Rescue). Tuned from those that M. Birken published in 2018, on 400 boards on which few games recover:
/// `cargo run --release -p maxout-lab --example rescue -- tune boards.txt -6 12 weights.txt` (lab/notebook/strength.md).
pub(super) const RESCUE: [f32; 18] = [
    0.391, 1.683, 0.778, 0.881, 1.78, 0.838, -0.079, 0.398, 0.293, -0.027, 1.238, -0.555, -2.454, -1.518,
    -2.417, 0.341, 0.193, 0.708,
];

/// The last max height of each band but the highest, for tables that are split by height: each band holds between a sixth
/// and a third of all boards.
pub(super) const BAND_ENDS: [i32; 3] = [7, 10, 13];

/// The same for the table of six columns, which has three bands.
pub(super) const LOW_BAND_ENDS: [i32; 2] = [7, 12];

/// Tables of this many entries, windows together, are looked up before anything else is worked out: they do not fit
/// into a core's cache, and their entries arrive while the rest is worked out.
pub(super) const FAR: usize = 1 << 17;
