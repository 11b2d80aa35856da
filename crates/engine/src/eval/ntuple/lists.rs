//! The lists of tables. A line is a table: its name, how many windows of it stand side by side, whether each speed of
//! play has its own, whether it is split by bands of max height, and the digits of its index. `Holes: 8` is a digit of
//! eight values, the last of which means all larger ones.

use super::MOST_PATTERNS;
use super::lookup::Lookup;
use super::measures::{
    AboveReady, Bulge, Cells, CliffPlace, CliffStep, ColumnCover, ColumnHeight, ColumnHoles, Depth,
    DepthLeft, DigBuried, DigColumn, DigCover, DigHeight, DigMissing, Downs, EvenColumns, FitsI, FitsJ,
    FitsL, FitsO, FitsS, FitsT, FitsZ, Flats, HalfOdd, HeightBand, Holes, IDependencies, LowBand, MaxHeight,
    MeanHeight, Measure, Mode, NextCliff, Ready, ReadyLeft, RightHeights, RoomBelow, Roughness, Steps,
    StepsBeside, ThreeHeights, Threes, Tilt, Ups, View, Wanted, WellHeight, WellSide,
};
use super::odds::LANES;
use super::table::{Digit, Place, Table, TableList, digit};
use crate::eval::Shape;
use prefetch_index::prefetch_index;

/// Makes a [`TableList`] of its lines.
macro_rules! tables {
    (@values $measure:ty) => {
        <$measure as Measure>::VALUES
    };
    (@values $measure:ty, $values:literal) => {
        $values
    };
    (@is Own) => { true };
    (@is Shared) => { false };
    (@is ByHeight) => { true };
    (@is Whole) => { false };
    (
        $(#[$doc:meta])*
        $vis:vis $list:ident = $name:literal, $speeds:literal speeds;
        $($table:ident: $windows:literal $sharing:ident $split:ident [$($measure:ty $(: $values:literal)?),+];)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis struct $list;

        impl $list {
            /// Hands out the entries of the far tables, or of the others.
            #[inline]
            fn pass<const FAR: bool, const BY_HEIGHT: bool>(
                view: &View<'_>,
                own: Option<usize>,
                put: &mut impl FnMut(usize, usize),
            ) {
                enum Row {
                    $($table,)+
                }
                $({
                    const PLACE: Place = Place::of($list::LIST, Row::$table as usize);
                    if PLACE.far == FAR {
                        let band = if PLACE.by_height && BY_HEIGHT { view.band } else { 0 };
                        let mut last = 0;
                        for window in 0..$windows {
                            let mut index = band;
                            $({
                                const VALUES: usize = tables!(@values $measure $(, $values)?);
                                index = index * VALUES + digit::<$measure, VALUES>(view, window, &mut last);
                            })+
                            put(PLACE.pattern + window, PLACE.entry(own, window, index));
                        }
                    }
                })+
            }
        }

        impl TableList for $list {
            type Indices = [u32; $list::PATTERNS];

            const NAME: &'static str = $name;
            const SPEEDS: usize = $speeds;
            const LIST: &'static [Table] = &[$(
                Table {
                    name: stringify!($table),
                    windows: $windows,
                    own: tables!(@is $sharing),
                    by_height: tables!(@is $split),
                    digits: &[$(Digit::of::<$measure>(tables!(@values $measure $(, $values)?))),+],
                },
            )+];

            #[inline]
            fn visit<const BY_HEIGHT: bool>(shape: &Shape, speed: usize, mut put: impl FnMut(usize, usize)) {
                let own = (speed > 0).then(|| Self::COMMON + (speed - 1) * Self::OWN);
                let steps = View::steps(shape);
                let mut view = View::surface(shape, &steps);
                Self::pass::<true, BY_HEIGHT>(&view, own, &mut put);
                view.complete();
                Self::pass::<false, BY_HEIGHT>(&view, own, &mut put);
            }

            // Like `ask`, this is not generic, so every caller gets the code that is built with this crate, in one codegen unit.
            fn indices(shape: &Shape, by_height: bool, speed: usize) -> Self::Indices {
                let mut entries = [0; $list::PATTERNS];
                let mut filled = 0;
                let put = |_, entry| {
                    entries[filled] = entry as u32;
                    filled += 1;
                };
                if by_height {
                    Self::visit::<true>(shape, speed, put);
                } else {
                    Self::visit::<false>(shape, speed, put);
                }
                entries
            }

            fn ask(entries: &[[i16; LANES]], shape: &Shape, speed: usize, lookup: &mut Lookup) {
                const { assert!($list::PATTERNS <= MOST_PATTERNS) };
                Self::visit::<true>(shape, speed, |pattern, at| {
                    prefetch_index(entries, at);
                    lookup.at[pattern] = at as u32;
                });
            }
        }
    };
}

/// Makes a [`TableList`] that begins with the 59 patterns of the shipped weights and goes on with its own lines.
macro_rules! tables_with_59 {
    ({ $($head:tt)+ } $($more:tt)*) => {
        tables! {
            $($head)+

            Six:     5 Shared Whole    [LowBand, Steps<5, 4>];
            Surface: 1 Shared ByHeight [Steps<8, 2>];
            Seven:   4 Shared ByHeight [Steps<6, 3>];
            Step:    9 Own    Whole    [ColumnHeight, Steps<1, 6>];
            Hidden: 10 Own    Whole    [ColumnHoles: 4, ColumnCover: 5, ColumnHeight];
            Tall:    1 Own    Whole    [MaxHeight, WellHeight, Holes: 8];
            Well:    1 Own    Whole    [Ready: 9, Depth: 13, Holes: 8];
            Cells3:  8 Shared Whole    [Cells<3, 4>];
            Cells4:  7 Shared Whole    [Cells<4, 4>];
            Mean:    1 Own    Whole    [MeanHeight, Holes: 10, Ready: 9];
            // A board may have its way out on the left in a drought.
            Left:    1 Own    Whole    [ReadyLeft: 9, DepthLeft: 13, Holes: 8];
            Waiting: 1 Own    Whole    [MaxHeight, Ready: 9, ReadyLeft: 5, Holes: 4];
            Want:    1 Own    Whole    [Wanted, HeightBand];
            Dig:     1 Own    Whole    [DigHeight, DigCover: 6, DigBuried: 8, Holes: 5];
            Beside:  1 Shared Whole    [StepsBeside, WellSide: 6, Ready: 5];
            Room:    1 Shared Whole    [Flats: 5, Ups: 4, Downs: 4, Threes: 4, IDependencies: 4, Ready: 5, HeightBand];
            Rough:   1 Own    Whole    [Roughness: 24, RoomBelow: 32, Holes: 4];
            Parity:  1 Shared Whole    [EvenColumns, HalfOdd, Ready: 5, HeightBand];
            Lean:    1 Shared Whole    [Tilt, Bulge, HeightBand];
            Cliff:   1 Shared Whole    [CliffPlace, CliffStep, NextCliff: 6, HeightBand];
            Above:   1 Own    Whole    [AboveReady: 13, Depth: 13, Ready: 5, Holes: 4];
            Fits:    1 Shared Whole    [FitsS: 3, FitsZ: 3, FitsT: 3, FitsO: 3, FitsL, FitsJ, FitsI, Ready: 5, HeightBand];
            $($more)*
        }
    };
}

tables_with_59! {
    {
        /// The 59 patterns of the shipped weights.
        pub Ntuple59 = "ntuple-59-a", 8 speeds;
    }
}

tables_with_59! {
    {
        /// The 90 patterns of the plateau's network: those of [`Ntuple59`], and 31 that tell apart more about a board's holes and
        /// ready rows.
        pub Ntuple90 = "ntuple-90-a", 1 speeds;
    }

    // A surface is worth something else with holes under it, and with a tetris ready beside it.
    SixMode: 5 Shared Whole    [Mode, Steps<5, 4>];
    Triple:  8 Shared Whole    [Holes: 3, ThreeHeights];
    Deep3:   8 Shared Whole    [Cells<3, 5>];
    Flat5:   6 Shared Whole    [Cells<5, 3>];
    Coarse:  1 Shared Whole    [HeightBand, Ready: 5, Steps<8, 1>];
    Depths:  1 Shared Whole    [MaxHeight, Depth: 8, Ready: 6, Holes: 4];
    Right:   1 Shared Whole    [RightHeights];
    DigRows: 1 Shared Whole    [DigColumn, DigCover: 6, Ready: 3, DigMissing];
}

tables! {
    /// The 28 patterns of the hazard ([`Hazard`](crate::eval::Hazard)): those that see how high and how damaged a board is.
    pub Ntuple28 = "hazard-28-a", 1 speeds;

    Step:    9 Shared Whole [ColumnHeight, Steps<1, 6>];
    Hidden: 10 Shared Whole [ColumnHoles: 4, ColumnCover: 5, ColumnHeight];
    Tall:    1 Shared Whole [MaxHeight, WellHeight, Holes: 8];
    Well:    1 Shared Whole [Ready: 9, Depth: 13, Holes: 8];
    Mean:    1 Shared Whole [MeanHeight, Holes: 10, Ready: 9];
    Left:    1 Shared Whole [ReadyLeft: 9, DepthLeft: 13, Holes: 8];
    Waiting: 1 Shared Whole [MaxHeight, Ready: 9, ReadyLeft: 5, Holes: 4];
    Want:    1 Shared Whole [Wanted, HeightBand];
    Dig:     1 Shared Whole [DigHeight, DigCover: 6, DigBuried: 8, Holes: 5];
    Rough:   1 Shared Whole [Roughness: 24, RoomBelow: 32, Holes: 4];
    Above:   1 Shared Whole [AboveReady: 13, Depth: 13, Ready: 5, Holes: 4];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::ntuple::{NetworkOf, speed};
    use maxout_rules::{Board, splitmix64};

    tables! {
        /// Another list, of two patterns and two speeds.
        pub Little = "little", 2 speeds;

        Heights: 10 Shared ByHeight [ColumnHeight];
        Summary: 1 Own Whole [Holes: 4, MaxHeight];
    }

    #[test]
    fn sizes_follow_from_the_list() {
        assert_eq!((Little::PATTERNS, Little::COMMON, Little::OWN), (11, 10 * 4 * 21 + 4 * 21, 4 * 21));
        assert_eq!(Little::ENTRIES, 10 * 4 * 21 + 2 * 4 * 21);
    }

    #[test]
    fn networks_of_two_lists_play_in_one_process() {
        let mut seed = 1;
        let mut random = || {
            seed = splitmix64(seed);
            (seed >> 40) as f32 / (1u32 << 23) as f32
        };
        let weights: Vec<f32> = (0..Little::ENTRIES * LANES).map(|_| random()).collect();
        let network = NetworkOf::<Little>::from_weights(&weights);
        let board: Board = "..........\n##.#.#####\n#########.".parse().expect("art parses");
        let shape = Shape::of(&board);
        // By hand: of column c the entry of its height in the first band; no hole, max height 2, at level 18.
        assert_eq!(speed(18, maxout_rules::FallRule::Ntsc, false), 1);
        let summary = Little::COMMON + shape.all_holes() as usize * 21 + 2;
        let entries = (0..10).map(|c| c * 84 + usize::from(shape.heights[c])).chain([summary]);
        let sum = |lane: usize| -> f32 {
            let unit = |entry: usize| (weights[entry * LANES + lane] * 512.0).round();
            entries.clone().map(unit).sum::<f32>() / 512.0
        };
        let wanted: [f32; 7] = std::array::from_fn(sum);
        assert_eq!(network.values(&shape, 18).map(f32::to_bits), wanted.map(f32::to_bits));
    }
}
