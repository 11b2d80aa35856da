//! Every tuned number of the searches.

/// How far an expectimax looks, and what it keeps on the way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widths {
    /// Placements of the piece in play that are followed by those of the next piece.
    pub first: usize,
    /// One ply deeper each: unknown pieces 1, 2, 3 … Empty: only the two pieces that are seen.
    pub deeper: &'static [Ply],
}

/// A ply of deepening: every stack that is kept is searched again, one unknown piece further than before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ply {
    /// Stacks after the two pieces that are seen: at most so many, best first,
    pub stacks: usize,
    /// and none that is this much worse than the best, in tetrises.
    pub margin: f32,
    /// Placements of each unknown piece that is followed by another: at most so many,
    pub replies: usize,
    /// and none that is this much worse than the best, in tetrises.
    pub reply_margin: f32,
}

impl Ply {
    const fn new(stacks: usize, margin: f32, replies: usize, reply_margin: f32) -> Self {
        Self { stacks, margin, replies, reply_margin }
    }
}

/// No margin.
const ANY: f32 = f32::INFINITY;

impl Widths {
    /// The default player's: four plies where they matter.
    pub const DEFAULT: Self =
        Self { first: 22, deeper: &[Ply::new(24, 1.0, 0, ANY), Ply::new(6, 0.3, 2, 0.3)] };
    /// Two plies, and the quick player's: the pieces that are seen.
    pub const TWO: Self = Self { first: 22, deeper: &[] };
    /// Three plies.
    pub const THREE: Self = Self { first: 22, deeper: &[Ply::new(24, 1.0, 0, ANY)] };
    /// Four plies, with more of everything.
    pub const FOUR: Self =
        Self { first: 22, deeper: &[Ply::new(40, 1.5, 0, ANY), Ply::new(16, 1.0, 3, 1.0)] };
    /// All 49 sequences of two unknown pieces, the first of each placed as is best at sight.
    pub const SEQUENCES: Self =
        Self { first: 22, deeper: &[Ply::new(24, 1.0, 0, ANY), Ply::new(16, 1.0, 1, ANY)] };
}
