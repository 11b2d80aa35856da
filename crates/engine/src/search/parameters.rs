//! How far each search looks and what it keeps on the way, and what the clairvoyant beam thinks of a board.

use std::borrow::Cow;
use std::time::Duration;

/// How far an expectimax looks, and what it keeps on the way.
#[derive(Clone, PartialEq, Debug)]
pub struct Widths {
    /// Placements of the piece in play that are followed by those of the next piece.
    pub first: usize,
    /// One ply deeper each: unknown pieces 1, 2, 3 … Empty: only the two pieces that are seen.
    pub deeper: Cow<'static, [Ply]>,
}

/// A ply of deepening: every stack that is kept is searched again, one unknown piece further than before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ply {
    /// Stacks after the two pieces that are seen: at most so many, best first,
    pub stacks: usize,
    /// and none that is this much worse than the best, in tetrises.
    pub margin: f32,
    /// Placements of each unknown piece that is followed by another: at most so many; if 1, the one that the ply before
    /// found best,
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
    /// The default player's: six plies where they matter.
    pub const DEFAULT: Self = Self {
        first: 22,
        deeper: Cow::Borrowed(&[
            Ply::new(14, 0.6, 0, ANY),
            Ply::new(4, 0.2, 1, ANY),
            Ply::new(2, 0.06, 2, 0.04),
            Ply::new(2, 0.025, 1, ANY),
        ]),
    };
    /// Pieces that it looks ahead: the one in the air, the next, and the unknown ones of the deepest ply.
    pub fn plies(&self) -> u8 {
        2 + self.deeper.len() as u8
    }

    /// Two plies, and the quick player's: the pieces that are seen.
    pub const TWO: Self = Self { first: 22, deeper: Cow::Borrowed(&[]) };
    /// Three plies.
    pub const THREE: Self = Self { first: 22, deeper: Cow::Borrowed(&[Ply::new(24, 1.0, 0, ANY)]) };
    /// Four plies, with more of everything.
    pub const FOUR: Self =
        Self { first: 22, deeper: Cow::Borrowed(&[Ply::new(40, 1.5, 0, ANY), Ply::new(16, 1.0, 3, 1.0)]) };
    /// All 49 sequences of two unknown pieces, the first of each placed as is best at sight.
    pub const SEQUENCES: Self =
        Self { first: 22, deeper: Cow::Borrowed(&[Ply::new(24, 1.0, 0, ANY), Ply::new(16, 1.0, 1, ANY)]) };
}

/// How far a player looks, where that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foresight {
    /// States that the clairvoyant beam keeps at each piece.
    pub width: usize,
    /// Pieces that it looks ahead.
    pub horizon: usize,
    /// Leaves after which an expectimax looks no deeper.
    pub nodes: Option<u64>,
    /// Time after which a decision looks no further; without it equal games make equal decisions.
    pub think: Option<Think>,
}

/// Time since some moment that stays the same. The engine has no clock of its own.
pub type Clock = fn() -> Duration;

/// Time that a decision may take.
#[derive(Clone, Copy, Debug)]
pub struct Think {
    /// How long.
    pub time: Duration,
    /// By which clock.
    pub clock: Clock,
}

impl PartialEq for Think {
    /// Clocks are taken to be the same.
    fn eq(&self, other: &Self) -> bool {
        self.time == other.time
    }
}

impl Eq for Think {}

/// The plateau's end.
pub(super) const LAST_LEVEL: u8 = 29;

/// Tuned numbers of an expectimax, apart from its widths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExpectimaxParameters {
    /// What each later piece counts against the one before; that of the training.
    pub discount: f32,
    /// Replies that leave so many more holes than another are not looked at.
    pub hole_margin: u8,
    /// Value of an ordinary board in the endless game, in tetrises of level 19.
    pub ordinary: f32,
    /// Share of clears that are tetrises, near the end.
    pub tetrises: f32,
    /// Odds of the last tetris, when only one more is possible.
    pub last_tetris: f32,
    /// Lines left below which the share of the endless game's value shrinks no more.
    pub last_shares: usize,
    /// Entries of the transposition table that are kept from one decision to the next, 110 bytes each. Beyond that all
    /// are forgotten.
    pub most_known: usize,
}

impl ExpectimaxParameters {
    /// The default player's.
    pub const DEFAULT: Self = Self {
        discount: 0.99,
        hole_margin: 3,
        ordinary: 8.9,
        tetrises: 0.6,
        last_tetris: 0.93,
        last_shares: 17,
        most_known: 1 << 15,
    };
}

impl Default for ExpectimaxParameters {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Foresight {
    /// Never died and always found 58 tetrises in 150 games; half of it does not.
    pub const DEFAULT: Self = Self { width: 50, horizon: 30, nodes: None, think: None };
}

impl Default for Foresight {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// What the clairvoyant beam thinks of a board, in points. Only differences between boards of equal cells matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardWeights {
    /// Each covered empty cell.
    pub hole: i32,
    /// Each cell above a hole.
    pub burden: i32,
    /// Each cell in the right column, where I pieces go; 0 if there is no such column.
    pub well: i32,
    /// Height difference of neighbours.
    pub step: i32,
    /// The square of that difference.
    pub step_square: i32,
    /// Each row of an I-dependency beyond two.
    pub i_dependency: i32,
    /// Max height that costs nothing.
    pub free_height: i32,
    /// Square of the max height above that.
    pub height: i32,
}

impl BoardWeights {
    /// Two frames a row and slower.
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
    /// One frame a row: pieces no longer reach the walls over a high board.
    pub const FAST: Self = Self { free_height: 3, height: -150, ..Self::SLOW };
    /// Where only single rows may be cleared.
    pub const SINGLES: Self = Self { well: 0, free_height: 2, ..Self::FAST };
}

/// What the clairvoyant beam is tuned by. [`Foresight`] says how much it looks at.
///
/// ```
/// use maxout_engine::search::{BeamParameters, Foresight};
/// use maxout_engine::search::clairvoyant::{Beam, Goal};
/// // A beam that begins to keep the board low earlier than the default one.
/// let parameters = BeamParameters { lower_before: 40, ..BeamParameters::DEFAULT };
/// let beam = Beam::new(Foresight::DEFAULT, Goal::Lines(300)).with_parameters(parameters);
/// assert_eq!(beam.nodes(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeamParameters {
    /// How boards are valued while a row takes two frames or more.
    pub slow: BoardWeights,
    /// How boards are valued from [`BeamParameters::lower_before`] lines before rows of one frame.
    pub fast: BoardWeights,
    /// How boards are valued where only single rows can be cleared safely.
    pub singles: BoardWeights,
    /// Lines before level 29 from which on boards are kept low.
    pub lower_before: u32,
    /// Lines before the stretch of single rows from which on boards are built for it.
    pub singles_before: u32,
    /// What a clear costs that the danger map warns of: more than any tetris.
    pub danger: i64,
    /// Line points that an unfinished plan must promise beyond a finished one, at least. A smaller promise is not worth
    /// waiting for.
    pub promise: i64,
    /// The same as a share of the finished plan's own points: one in so many.
    pub promise_share: i64,
    /// Finished plans that are kept for each piece.
    pub finishes: usize,
    /// Candidates that are sorted first, in widths; the others are sorted if these turn out too few.
    pub pool: usize,
    /// States of the same board that are kept beside each other in a beam of width 20 or less, of 50 or less, and of
    /// more: they differ in what the generator will give.
    pub per_board: [u8; 3],
    /// Factor by which the beam grows when all its plans top out; less than 2 counts as 2.
    pub widening: usize,
    /// The largest such factor.
    pub most_widening: usize,
    /// Lines up to which a game without a goal looks: from a start on 19 the level counter has come round to 0 there.
    pub lines_without_goal: u32,
    /// Lines that a game without a goal looks ahead beyond that.
    pub lines_further: u32,
}

impl BeamParameters {
    /// The clairvoyant player's.
    pub const DEFAULT: Self = Self {
        slow: BoardWeights::SLOW,
        fast: BoardWeights::FAST,
        singles: BoardWeights::SINGLES,
        lower_before: 25,
        singles_before: 12,
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

    /// States of the same board among those that a beam of this width keeps.
    pub(super) const fn per_board(&self, width: usize) -> u8 {
        let [narrow, middle, broad] = self.per_board;
        match width {
            0..=20 => narrow,
            21..=50 => middle,
            _ => broad,
        }
    }
}

impl Default for BeamParameters {
    fn default() -> Self {
        Self::DEFAULT
    }
}
