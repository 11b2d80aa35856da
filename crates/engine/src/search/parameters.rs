//! How far each search looks and what it keeps on the way, and how the clairvoyant beam values a board.

use std::borrow::Cow;

/// How far an expectimax looks, and what it keeps on the way.
#[derive(Clone, PartialEq, Debug)]
pub struct Widths {
    /// Placements of the piece in play that are followed by those of the next piece.
    pub first: usize,
    /// The plies of deepening, each one unknown piece deeper than the one before. Without any, the search looks
    /// only at the two visible pieces.
    pub deeper: Cow<'static, [Ply]>,
    /// More plies after those of `deeper`, only where a piece is placed before the next one is seen. There the next piece is unknown
    /// too, so without the first of them the search would look one piece less ahead. Both `maxout` and `maxout-fast` look three unknown pieces
    /// ahead there.
    pub alone: Cow<'static, [Ply]>,
}

/// A ply of deepening: every candidate that is kept is searched again, one unknown piece further than before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ply {
    /// The largest number of candidates (placements of the piece in play) that are searched again, best first.
    pub candidates: usize,
    /// Candidates that are worse than the best by more than this, in tetrises, are not searched again.
    pub margin: f32,
    /// The largest number of placements that are tried for each unknown piece that is followed by another: of those that
    /// the ply before found best for some piece after it, the most likely ones. At most 3.
    pub replies: usize,
}

impl Ply {
    const fn new(candidates: usize, margin: f32, replies: usize) -> Self {
        Self { candidates, margin, replies }
    }
}

/// The most placements of an unknown piece that a [`Ply`] can try.
pub const REPLIES: usize = 3;

impl Widths {
    const NO_MORE: Cow<'static, [Ply]> = Cow::Borrowed(&[]);

    /// The widths of the default player: five plies where they matter.
    pub const DEFAULT: Self = Self {
        first: 22,
        deeper: Cow::Borrowed(&[Ply::new(8, 0.6, 0), Ply::new(4, 0.2, 3), Ply::new(2, 0.06, 1)]),
        alone: Self::NO_MORE,
    };

    /// Returns the number of pieces that the search looks ahead: the piece in play, the next one, and the unknown
    /// pieces of the deepest ply.
    pub fn plies(&self) -> u8 {
        2 + self.deeper.len() as u8
    }

    /// Returns the ply of deepening at this index, if there is one; those of [`Widths::alone`] follow those of [`Widths::deeper`].
    pub(super) fn ply(&self, depth: usize) -> Option<&Ply> {
        self.deeper.iter().chain(&*self.alone).nth(depth)
    }

    /// Two plies: the visible pieces.
    pub const TWO: Self = Self { first: 22, deeper: Cow::Borrowed(&[]), alone: Self::NO_MORE };
    /// Three plies for placements that compete. The player `maxout-fast` uses these widths.
    pub const FAST: Self = Self {
        first: 22,
        deeper: Cow::Borrowed(&[Ply::new(3, 0.15, 0)]),
        alone: Cow::Borrowed(&[Ply::new(4, 0.2, 1), Ply::new(2, 0.06, 1)]),
    };
    /// Three plies.
    pub const THREE: Self =
        Self { first: 22, deeper: Cow::Borrowed(&[Ply::new(12, 1.0, 0)]), alone: Self::NO_MORE };
    /// Four plies, with more of everything.
    pub const FOUR: Self = Self {
        first: 22,
        deeper: Cow::Borrowed(&[Ply::new(16, 1.5, 0), Ply::new(8, 1.0, 3)]),
        alone: Self::NO_MORE,
    };
    /// All 49 sequences of two unknown pieces. The first of them goes where the ply before found most likely.
    pub const SEQUENCES: Self = Self {
        first: 22,
        deeper: Cow::Borrowed(&[Ply::new(12, 1.0, 0), Ply::new(8, 1.0, 1)]),
        alone: Self::NO_MORE,
    };
}

/// How far a player looks ahead, if that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foresight {
    /// States that the clairvoyant beam keeps at each piece.
    pub width: usize,
    /// Pieces that it looks ahead.
    pub horizon: usize,
    /// The number of leaves after which an expectimax looks no deeper.
    pub nodes: Option<u64>,
}

/// The largest number of plies of deepening before the next piece is known.
pub(super) const PREVIEW_PLIES: usize = 2;

/// The level after the plateau.
pub(super) const LAST_LEVEL: u8 = 29;

/// What the last lines before level 29 pay beyond the mean of a line, in tetrises at level 19, by the number of lines
/// left; with more lines left, the last entry holds. Every fourth entry jumps, because another line then leaves room
/// for another tetris. Measured on 2026-11-25 on 1,000 games of `maxout-fast`, seeds 22000 to 22999, as that player was
/// before it used this table. `cargo run --release -p maxout-lab --example last_lines -- 22000 1000` measures it
/// with the present player.
pub const LAST_LINES: [f32; 61] = [
    0.000, 0.858, 0.736, 0.488, 0.306, 0.788, 0.738, 0.605, 0.425, 0.785, 0.721, 0.567, 0.420, 0.818, 0.721,
    0.548, 0.437, 0.839, 0.726, 0.545, 0.491, 0.816, 0.752, 0.535, 0.530, 0.795, 0.776, 0.585, 0.522, 0.813,
    0.773, 0.657, 0.576, 0.834, 0.769, 0.684, 0.689, 0.821, 0.815, 0.734, 0.747, 0.838, 0.886, 0.831, 0.733,
    0.912, 0.983, 0.919, 0.754, 0.955, 1.032, 0.958, 0.886, 0.978, 1.009, 0.986, 0.962, 1.003, 1.015, 1.001,
    0.999,
];

/// The tuned numbers of an expectimax, apart from its widths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpectimaxParameters {
    /// How much each piece counts relative to the one before. The training uses the same number, except for the last
    /// stages of the network of the plateau.
    pub discount: f32,
    /// Placements that leave at least this many more holes than another one are left out.
    pub hole_margin: u8,
    /// The same where the [network of the plateau](crate::eval::ntuple::NetworkOf::with_plateau) is used, which is only
    /// at levels 19 to 28.
    pub plateau_hole_margin: u8,
    /// Where the piece in play locks before the next one is seen, only placements within this margin of the best, by static
    /// evaluation, are searched. In tetrises.
    pub blind_margin: f32,
    /// Learned value of an ordinary board minus learned value of the empty board, in tetrises. What a
    /// line pays on average follows from this.
    pub ordinary: f32,
    /// The merit of an ordinary board, in tetrises: its learned value less the empty board's and less the mean
    /// pay of its cells.
    pub ordinary_merit: f32,
    /// The number of cells on an ordinary board.
    pub ordinary_cells: u32,
    /// Play is taken to end at a speed of fall at which a piece has fallen this many rows or more before its fourth
    /// shift.
    pub too_fast: u8,
    /// The same where the next piece is seen too late.
    pub too_fast_alone: u8,
    /// The number of lines left at which 63 % of a board's merit still pays.
    pub effect_lines: f32,
    /// The factor by which the merit at the next speed of fall counts less for each piece before the change.
    pub fade: f32,
    /// The share of the merit at the present speed that no longer counts when the change comes.
    pub forgotten: f32,
    /// What a clear costs that may crash the game where others do not, or that leaves only such clears, in tetrises at its level.
    pub crash: f32,
    /// What a placement costs that leaves the counter of the auto-shift empty, where directions are held, in tetrises: in proportion to
    /// what its [charge](crate::movegen::Start::CHARGED) lacks, or in whole as long as the next piece is not seen.
    pub uncharged: f32,
    /// The [quality](crate::analysis::Outlook::quality) of the best placement below which the [rescue](crate::eval::Rescue) compares placements, at
    /// levels up to 28. Measured: lab/notebook/strength.md.
    pub rescue_below: f32,
    /// What a point of the rescue's cost counts, in tetrises of the learned value.
    pub rescue_cost: f32,
    /// The rescue compares none for presses that need more frames than these from a shift in the first frame to the third after it: at 10 Hz the learned values
    /// know such boards better.
    pub rescue_frames: u8,
    /// The number of entries of the transposition table that may be kept from one decision to the next, 180 bytes each.
    /// If there are more, all are forgotten.
    pub most_known: usize,
}

impl ExpectimaxParameters {
    /// The parameters of the default player.
    pub const DEFAULT: Self = Self {
        discount: 0.99,
        hole_margin: 3,
        plateau_hole_margin: 2,
        blind_margin: 1.0,
        ordinary: 1.0,
        ordinary_merit: -0.25,
        ordinary_cells: 70,
        too_fast: 17,
        too_fast_alone: 16,
        effect_lines: 20.0,
        fade: 0.8,
        forgotten: 0.4,
        crash: 20.0,
        uncharged: 0.1,
        rescue_below: -7.5,
        rescue_cost: 0.02,
        rescue_frames: 15,
        most_known: 1 << 15,
    };
}

impl Default for ExpectimaxParameters {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Foresight {
    /// With these numbers the beam survived 150 games and found 58 tetrises in each; with half of them it does not.
    pub const DEFAULT: Self = Self { width: 50, horizon: 30, nodes: None };
}

impl Default for Foresight {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// How the clairvoyant beam values a board, in points. Only differences between boards with equal numbers of cells
/// matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardWeights {
    /// The points for each covered empty cell.
    pub hole: i32,
    /// The points for each cell above a hole.
    pub burden: i32,
    /// The points for each cell in the right column, where I pieces go; 0 if no column is kept free for them.
    pub well: i32,
    /// The points for each row of height difference between neighbouring columns.
    pub step: i32,
    /// The points for the square of each such difference.
    pub step_square: i32,
    /// The points for each row of an I-dependency beyond two.
    pub i_dependency: i32,
    /// The max height up to which height costs nothing.
    pub free_height: i32,
    /// The points for the square of the max height above that.
    pub height: i32,
}

impl BoardWeights {
    /// The weights while a row takes two frames or more.
    pub const SLOW: Self = Self {
        hole: -2500,
        burden: -200,
        well: -2500,
        step: -25,
        step_square: -8,
        i_dependency: -300,
        free_height: 7,
        height: -60,
    };
    /// The weights while a row takes one frame: pieces no longer reach the walls over a high board.
    pub const FAST: Self = Self { free_height: 3, height: -150, ..Self::SLOW };
    /// The weights at the levels where only singles are safe.
    pub const SINGLES: Self = Self { well: 0, free_height: 2, ..Self::FAST };
}

/// The tuned numbers of the clairvoyant beam. [`Foresight`] says how wide and how deep it searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeamParameters {
    /// How boards are valued while a row takes two frames or more.
    pub slow: BoardWeights,
    /// How boards are valued from [`BeamParameters::lower_before`] lines before level 29 on, where a row takes one
    /// frame.
    pub fast: BoardWeights,
    /// How boards are valued where only singles are safe.
    pub singles: BoardWeights,
    /// How many lines before level 29 the beam begins to keep boards low.
    pub lower_before: u32,
    /// How many lines before the levels of safe singles the beam begins to prepare the board for them.
    pub singles_before: u32,
    /// What a clear costs if the danger map warns of it: more than any tetris.
    pub danger: i64,
    /// How many more line points than a finished plan an unfinished plan must promise at least. A smaller promise is
    /// not worth waiting for.
    pub promise: i64,
    /// The same as a share of the finished plan's own points: one part in this number.
    pub promise_share: i64,
    /// The number of finished plans that are kept for each piece.
    pub finishes: usize,
    /// How many candidates are sorted first, as a multiple of the width. The others are sorted only if these are too
    /// few.
    pub pool: usize,
    /// The number of states with the same board that are kept, in a beam of width 20 or less, of 50 or less, and of
    /// more. Such states differ in the pieces that the generator will give.
    pub per_board: [u8; 3],
    /// Factor by which the beam grows when all its plans top out; less than 2 counts as 2.
    pub widening: usize,
    /// The largest factor by which the beam grows.
    pub most_widening: usize,
    /// In a game without a goal, the number of lines up to which the beam plans. From a start on 19, the level counter
    /// has wrapped to 0 by then.
    pub lines_without_goal: u32,
    /// In a game without a goal, the number of lines that the beam looks ahead beyond that.
    pub lines_further: u32,
}

impl BeamParameters {
    /// The parameters of the clairvoyant player.
    pub const DEFAULT: Self = Self {
        slow: BoardWeights::SLOW,
        fast: BoardWeights::FAST,
        singles: BoardWeights::SINGLES,
        lower_before: 25,
        singles_before: 30,
        danger: 10_000_000,
        promise: 100,
        promise_share: 16_384,
        finishes: 4,
        pool: 12,
        per_board: [1, 2, 4],
        widening: 4,
        most_widening: 64,
        lines_without_goal: 3_300,
        lines_further: 400,
    };

    /// Returns how many states with the same board a beam of this width keeps.
    pub(super) const fn per_board(&self, width: usize) -> u8 {
        let [narrow, middle, broad] = self.per_board;
        match width {
            0..=20 => narrow,
            21..=50 => middle,
            _ => broad,
        }
    }
}
