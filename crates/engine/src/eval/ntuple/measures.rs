//! What the digits of an index measure on a board: a [`Measure`] each.
//!
//! The well is the rightmost column, and the surface the nine columns left of it. A *step* is the height of a column
//! minus the height of its left neighbour. *Ready* rows are full but for the well and lie one above the other from the well's
//! height up.

use super::surface::{
    Places, WELL, cells, cliff, dig, dig_column, dig_missing, mode, ones, rows_above, wanted,
};
use crate::eval::Shape;
use crate::eval::parameters::{BAND_ENDS, LOW_BAND_ENDS};

/// Bands of max height that a table [split by height](super::Table::by_height) tells apart.
pub const BANDS: usize = BAND_ENDS.len() + 1;
/// Values of a height.
const HEIGHTS: usize = 21;

/// What measures read.
pub(super) struct View<'a> {
    shape: &'a Shape,
    // An array that is read at a place not known before stays in memory, and a struct of which it is a part with it.
    steps: &'a [i32; 9],
    max_height: i32,
    /// The band of max height, one of [`BANDS`].
    pub band: usize,
    /// Height of the lowest column between the leftmost one and the well.
    lowest_between: i32,
    /// Heights of the surface's columns, added up.
    sum: i32,
    // What follows is 0 before `complete`.
    holes: usize,
    ready: usize,
    ready_left: usize,
    places: Places,
    /// Place, direction and height of the greatest step, and the height of the second greatest.
    cliff: [usize; 3],
    /// The highest hole: its height, the cells above it in its column, the rows above it.
    dig: [usize; 3],
}

impl<'a> View<'a> {
    /// The steps of a board.
    #[inline]
    pub fn steps(shape: &Shape) -> [i32; 9] {
        std::array::from_fn(|c| i32::from(shape.heights[c + 1]) - i32::from(shape.heights[c]))
    }

    /// What early measures read.
    #[inline]
    pub fn surface(shape: &'a Shape, steps: &'a [i32; 9]) -> Self {
        let height = |c: usize| i32::from(shape.heights[c]);
        let (mut max_height, mut lowest_between, mut sum) = (height(0), 20, height(0));
        for c in 1..WELL {
            max_height = max_height.max(height(c));
            lowest_between = lowest_between.min(height(c));
            sum += height(c);
        }
        max_height = max_height.max(height(WELL));
        Self {
            shape,
            steps,
            max_height,
            band: band(max_height, BAND_ENDS),
            lowest_between,
            sum,
            holes: 0,
            ready: 0,
            ready_left: 0,
            places: Places::default(),
            cliff: [0; 3],
            dig: [0; 3],
        }
    }

    /// Adds what all other measures read.
    #[inline]
    pub fn complete(&mut self) {
        let columns = &self.shape.columns;
        let between = columns[1..WELL].iter().fold(!0, |full, column| full & column);
        self.holes = usize::from(self.shape.all_holes());
        self.ready = rows_above(between & columns[0], self.height(WELL));
        self.ready_left = rows_above(between & columns[WELL], self.height(0));
        self.places = Places::of(self.steps);
        self.cliff = cliff(self.steps);
        self.dig = dig(self.shape, self.max_height as usize);
    }

    #[inline]
    fn height(&self, column: usize) -> i32 {
        i32::from(self.shape.heights[column])
    }

    /// Heights of three columns, added up.
    #[inline]
    fn three(&self, from: usize) -> i32 {
        self.height(from) + self.height(from + 1) + self.height(from + 2)
    }
}

/// How many of the ends a max height is above.
#[inline]
fn band<const N: usize>(max_height: i32, ends: [i32; N]) -> usize {
    ends.map(|end| usize::from(max_height > end)).iter().sum()
}

/// Something that is measured on a board.
pub(super) trait Measure {
    /// Values from 0 on.
    const VALUES: usize;
    /// Windows in which it can be measured. What is measured on the whole board is the same in each.
    const WINDOWS: usize;
    /// Whether it reads only what [`View::surface`] knows.
    const EARLY: bool;
    /// Whether [`Measure::next`] goes on from the last value. A table may have one such digit.
    const ROLLS: bool = false;

    /// What is measured.
    fn name() -> String;

    /// The value in a window.
    fn of(view: &View<'_>, window: usize) -> usize;

    /// The same, window after window from the left: `last` is the value in the window before.
    #[inline]
    fn next(view: &View<'_>, window: usize, _last: &mut usize) -> usize {
        Self::of(view, window)
    }
}

/// `COUNT` steps side by side, each cut off at ±`REACH`; the first is the most significant.
pub(super) struct Steps<const COUNT: usize, const REACH: i32>;

impl<const COUNT: usize, const REACH: i32> Steps<COUNT, REACH> {
    const BASE: usize = 2 * REACH as usize + 1;

    #[inline]
    fn digit(view: &View<'_>, column: usize) -> usize {
        (view.steps[column].clamp(-REACH, REACH) + REACH) as usize
    }
}

impl<const COUNT: usize, const REACH: i32> Measure for Steps<COUNT, REACH> {
    const VALUES: usize = Self::BASE.pow(COUNT as u32);
    const WINDOWS: usize = 10 - COUNT;
    const EARLY: bool = true;
    const ROLLS: bool = true;

    fn name() -> String {
        let plural = if COUNT == 1 { "" } else { "s" };
        format!("{COUNT} step{plural} of at most ±{REACH}")
    }

    #[inline]
    fn of(view: &View<'_>, window: usize) -> usize {
        (window..window + COUNT).fold(0, |code, column| code * Self::BASE + Self::digit(view, column))
    }

    #[inline]
    fn next(view: &View<'_>, window: usize, last: &mut usize) -> usize {
        *last = if window == 0 || COUNT == 1 {
            Self::of(view, window)
        } else {
            let left = Self::digit(view, window - 1) * const { Self::VALUES / Self::BASE };
            (*last - left) * Self::BASE + Self::digit(view, window + COUNT - 1)
        };
        *last
    }
}

/// Cells of `COLUMNS` columns, `ROWS` rows from the highest top down.
pub(super) struct Cells<const COLUMNS: usize, const ROWS: usize>;

impl<const COLUMNS: usize, const ROWS: usize> Measure for Cells<COLUMNS, ROWS> {
    const VALUES: usize = 1 << (ROWS * COLUMNS);
    const WINDOWS: usize = 11 - COLUMNS;
    const EARLY: bool = true;

    fn name() -> String {
        format!("Cells of {COLUMNS} columns, {ROWS} rows from the highest top down")
    }

    #[inline]
    fn of(view: &View<'_>, window: usize) -> usize {
        cells::<COLUMNS, ROWS>(&view.shape.columns, &view.shape.heights, window)
    }
}

/// Makes a [`Measure`] of each line: its values, and how a view shows them.
macro_rules! measures {
    (
        early $early:literal;
        $($(#[doc = $name:literal])+ $measure:ident: $values:expr, |$view:pat_param, $window:pat_param| $of:expr;)+
    ) => {$(
        $(#[doc = $name])+
        pub(super) struct $measure;

        impl Measure for $measure {
            const VALUES: usize = $values;
            const WINDOWS: usize = 10;
            const EARLY: bool = $early;

            fn name() -> String {
                concat!($($name),+).trim().trim_end_matches('.').to_owned()
            }

            #[inline]
            fn of($view: &View<'_>, $window: usize) -> usize {
                $of
            }
        }
    )+};
}

measures! {
    early true;

    /// Height of the column.
    ColumnHeight: HEIGHTS, |v, c| v.height(c) as usize;
    /// Holes in the column.
    ColumnHoles: HEIGHTS, |v, c| usize::from(v.shape.holes[c]);
    /// Cells above the column's first hole.
    ColumnCover: HEIGHTS, |v, c| usize::from(v.shape.cover[c]);

    /// Max height: up to 7, up to 12, more.
    LowBand: 3, |v, _| band(v.max_height, LOW_BAND_ENDS);
    /// Band of max height.
    HeightBand: BANDS, |v, _| v.band;
    /// Max height.
    MaxHeight: HEIGHTS, |v, _| v.max_height as usize;
    /// Height of the well.
    WellHeight: HEIGHTS, |v, _| v.height(WELL) as usize;
    /// Mean height of the surface.
    MeanHeight: HEIGHTS, |v, _| v.sum as usize / WELL;
    /// Depth of the well below the lowest column of the surface.
    Depth: HEIGHTS, |v, _| (v.lowest_between.min(v.height(0)) - v.height(WELL)).max(0) as usize;
    /// Depth of the leftmost column below the lowest other one.
    DepthLeft: HEIGHTS, |v, _| (v.lowest_between.min(v.height(WELL)) - v.height(0)).max(0) as usize;
    /// Heights of three columns.
    ThreeHeights: HEIGHTS.pow(3), |v, c| (c..c + 3).fold(0, |code, c| code * HEIGHTS + v.height(c) as usize);
    /// Heights of the four columns on the right.
    RightHeights: HEIGHTS.pow(4), |v, _| (6..10).fold(0, |code, c| code * HEIGHTS + v.height(c) as usize);
    /// Depth of the well below its neighbour.
    WellSide: HEIGHTS, |v, _| (v.height(WELL - 1) - v.height(WELL)).max(0) as usize;
    /// 4 steps of at most ±3 beside the well.
    StepsBeside: 7usize.pow(4), |v, _| v.steps[4..8].iter().fold(0, |code, step| code * 7 + (step.clamp(&-3, &3) + 3) as usize);
    /// Cells that each of the five rows from the well's height up still wants, the well's own aside, up to 4.
    Wanted: 5usize.pow(5), |v, _| wanted(&v.shape.columns, v.height(WELL));
    /// Steps of the surface, added up.
    Roughness: 161, |v, _| v.steps[..8].iter().map(|step| step.unsigned_abs() as usize).sum();
    /// Cells that the surface wants up to the max height.
    RoomBelow: 181, |v, _| (WELL as i32 * v.max_height - v.sum) as usize;
    /// Columns of the surface whose height is even or odd as their place is.
    EvenColumns: 10, |v, _| (0..WELL).filter(|&c| (v.height(c) as usize + c).is_multiple_of(2)).count();
    /// How much higher the left three columns of the surface stand than the right three, halved, from -8 to 8.
    Tilt: 17, |v, _| (((v.three(0) - v.three(6)) / 2).clamp(-8, 8) + 8) as usize;
    /// How much higher the middle three columns stand than both, quartered, from -8 to 8.
    Bulge: 17, |v, _| (((2 * v.three(3) - v.three(0) - v.three(6)) / 4).clamp(-8, 8) + 8) as usize;
}

measures! {
    early false;

    /// Holes.
    Holes: 201, |v, _| v.holes;
    /// No hole and 0, 1 or 2, 3, or more ready rows; one hole and no ready row, or some; 2 or 3 holes; more.
    Mode: 8, |v, _| mode(v.holes, v.ready);
    /// Column of the highest hole, 10 without holes.
    DigColumn: 11, |v, _| dig_column(v.shape);
    /// Cells that each of the three rows above the highest hole wants, the well's own aside, up to 4; 0 without holes.
    DigMissing: 5usize.pow(3), |v, _| dig_missing(&v.shape.columns, v.dig[0]);
    /// Ready rows.
    Ready: HEIGHTS, |v, _| v.ready;
    /// Rows that wait for the leftmost column as ready ones do for the well.
    ReadyLeft: HEIGHTS, |v, _| v.ready_left;
    /// Rows up to the max height above the ready ones.
    AboveReady: HEIGHTS, |v, _| (v.max_height - v.height(WELL) - v.ready as i32).max(0) as usize;
    /// Whether half the number of cells is odd.
    HalfOdd: 2, |v, _| ((v.sum + v.height(WELL)) as usize - v.holes) >> 1 & 1;
    /// Height of the highest hole, 0 without holes.
    DigHeight: 20, |v, _| v.dig[0];
    /// Cells above the highest hole in its column.
    DigCover: HEIGHTS, |v, _| v.dig[1];
    /// Rows up to the max height above the highest hole.
    DigBuried: HEIGHTS, |v, _| v.dig[2];
    /// Place of the greatest step of the surface.
    CliffPlace: 8, |v, _| v.cliff[0];
    /// The greatest step, from -10 to 10.
    CliffStep: 21, |v, _| v.cliff[1];
    /// Size of the second greatest step.
    NextCliff: HEIGHTS, |v, _| v.cliff[2];
    /// Neighbours of equal height.
    Flats: 9, |v, _| ones(v.places.flat);
    /// Steps up by one.
    Ups: 9, |v, _| ones(v.places.up);
    /// Steps down by one.
    Downs: 9, |v, _| ones(v.places.down);
    /// Three columns of equal height.
    Threes: 8, |v, _| ones(v.places.threes());
    /// I-dependencies.
    IDependencies: 10, |v, _| ones(v.places.i_dependencies());
    /// Places where S leaves no hole.
    FitsS: 17, |v, _| v.places.fits_s();
    /// Places where Z leaves no hole.
    FitsZ: 17, |v, _| v.places.fits_z();
    /// Places where T leaves no hole.
    FitsT: 25, |v, _| v.places.fits_t();
    /// Places where O leaves no hole.
    FitsO: 9, |v, _| ones(v.places.flat);
    /// Whether there is one for L.
    FitsL: 2, |v, _| usize::from(v.places.fits_l());
    /// Whether there is one for J.
    FitsJ: 2, |v, _| usize::from(v.places.fits_j());
    /// Whether there is one for I, lying.
    FitsI: 2, |v, _| usize::from(v.places.fits_i());
}
