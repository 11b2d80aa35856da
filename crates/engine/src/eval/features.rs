//! What evaluators measure on a board: [`Features::of`] and a few measures that only some of them want.
//!
//! All of them see the visible rows 0..=19 only. The *top* of a column is its highest solid cell, its *height*
//! the distance from there to the floor: 1 for a single cell on the floor, 0 for an empty column.
//!
//! # How it works
//! Four rows make one `u64`, a row to each lane of 16 bits, so a board is five words and most features are
//! bits to count in a few operations per word. Rows are 10 bits wide: shifts by one column stay in the lane.
//! There is no popcount instruction on the baseline x86-64 that we compile for, so bits are added up in
//! nibbles, which hold the counts of three words; the lower three words of a board are scanned together, and
//! the upper two only if the board reaches that high.

use super::packed::{LANES, Packed};
use maxout_rules::{Board, Orientation};

/// A full row.
const FULL: u16 = 0x3FF;
/// The cells that the seven spawning pieces cover together, in rows 0 and 1.
const SPAWN_CELLS: [u16; 2] = [0x078, 0x070];
/// Column of the spawning piece's centre.
const SPAWN_COLUMN: u16 = 1 << 5;
/// Rows from the centre of an orientation down to its lowest cell.
const LOWEST: [u8; 19] = {
    let mut lowest = [0; 19];
    let mut id = 0;
    while id < Orientation::ALL.len() {
        let cells = Orientation::ALL[id].cells();
        let mut i = 0;
        while i < 4 {
            if cells[i].1 > lowest[id] as i8 {
                lowest[id] = cells[i].1 as u8;
            }
            i += 1;
        }
        id += 1;
    }
    lowest
};

/// Counts over a whole board. A *hole* is an empty cell directly below a solid one; its *depth* is its row
/// minus the row of the top of its column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// Empty cells above the top of their column whose left and right neighbours are solid; walls are solid.
    pub well_cells: u32,
    /// Columns with three well cells or more.
    pub deep_wells: u32,
    /// Holes.
    pub holes: u32,
    /// Sum over the holes of their row, counted from 1 at the top.
    pub weighted_holes: u32,
    /// Sum of the holes' depths.
    pub hole_depths: u32,
    /// Smallest depth of a hole, 20 without holes.
    pub min_hole_depth: u32,
    /// Largest depth of a hole, 0 without holes.
    pub max_hole_depth: u32,
    /// Changes between solid and empty down each column from its top; the floor is no cell.
    pub column_transitions: u32,
    /// Changes between solid and empty along each row from the highest used row down; walls are solid.
    pub row_transitions: u32,
    /// Sum of the column heights.
    pub column_heights: u32,
    /// Max height: the height of the tallest column.
    pub max_height: u32,
    /// Height of the tallest column minus height of the shortest.
    pub height_spread: u32,
    /// Solid cells.
    pub solid_cells: u32,
    /// Sum of the heights of all solid cells, 1 for a cell on the floor.
    pub weighted_cells: u32,
    /// Sum of the absolute height differences of neighbouring columns.
    pub height_differences: u32,
}

impl Features {
    /// Measures `board`.
    ///
    /// ```
    /// use maxout_engine::eval::Features;
    /// use maxout_rules::Board;
    /// let board: Board = "###.......\n#.########".parse().unwrap();
    /// let features = Features::of(&board);
    /// assert_eq!((features.holes, features.max_height, features.height_spread), (1, 2, 1));
    /// ```
    #[inline]
    pub fn of(board: &Board) -> Self {
        Self::of_packed(&Packed::of(board))
    }

    /// Measures packed rows.
    #[inline]
    pub fn of_packed(rows: &Packed) -> Self {
        let [a, b, c, d, e] = rows.words;
        let mut features = Self { min_hole_depth: 20, ..Self::default() };
        let mut scan = Scan::default();
        if a | b != 0 {
            scan.words(&mut features, [a, b]);
        }
        scan.words(&mut features, [c, d, e]);
        features.height_spread = features.max_height - scan.shortest;
        features.deep_wells = scan.wells.three_or_more();
        features
    }
}

/// What a scan from the top down carries from one word to the next.
#[derive(Default)]
struct Scan {
    /// The row above, in the lowest lane.
    row_above: u64,
    /// The columns that have a solid cell above, in the lowest lane.
    roof: u64,
    /// The row after the last one scanned.
    end: u32,
    /// Cells at or below the top of their column, so far.
    covered: [u64; 5],
    wells: Saturating,
    /// Height of the shortest column.
    shortest: u32,
}

impl Scan {
    /// Adds the upper two or the lower three words of a board.
    #[inline]
    fn words<const N: usize>(&mut self, features: &mut Features, words: [u64; N]) {
        let first = if N == 2 { 0 } else { 2 };
        let mut holes = [0; N];
        let (mut wells, mut column_changes, mut row_changes) = (Bits(0), Bits(0), Bits(0));
        let (mut covered, mut steps, mut cells, mut weighted) = (Bits(0), Bits(0), Bits(0), Bits(0));
        let (mut used, mut full) = (0, 0);
        for (i, word) in words.into_iter().enumerate() {
            let above = word << 16 | self.row_above;
            // Cells at or below the top of their column: solid cells smeared down.
            let mut below_top = word | self.roof;
            below_top |= below_top << 16;
            below_top |= below_top << 32;
            let roofed = below_top << 16 | self.roof;
            self.row_above = word >> 48;
            self.roof = below_top >> 48;
            self.covered[first + i] = below_top;

            let well = !below_top & (word << 1 | LANES) & (word >> 1 | LANES << 9);
            self.wells.add(well);
            wells.add(well);
            holes[i] = above & !word;
            column_changes.add((word ^ above) & roofed);
            row_changes.add((word << 1 | LANES) ^ (word | LANES << 10));
            covered.add(below_top);
            // Two neighbours differ in height by the rows in which one of them is below its top and the other
            // is not.
            steps.add((below_top ^ below_top >> 1) & (LANES * 0x1FF));
            let count = nibble_counts(word);
            cells.0 += count;
            weighted.0 += count * i as u64;
            // Bit 10 of the sums: whether any column, or every column, is below its top in this row. The
            // tallest and the shortest column are as tall as there are such rows.
            used += (below_top + LANES * 0x3FF) & (LANES << 10);
            full += (below_top + LANES) & (LANES << 10);
        }
        let rows = 4 * N as u32;
        self.end = 4 * (first + N) as u32;
        let below = 20 - self.end;
        let max_height = sum_lanes(used >> 10);
        features.well_cells += wells.total();
        features.column_transitions += column_changes.total();
        // An empty row counts two.
        features.row_transitions += row_changes.total() - 2 * (rows - max_height);
        features.column_heights += covered.total();
        features.max_height += max_height;
        features.height_differences += steps.total();
        self.shortest += sum_lanes(full >> 10);
        // Lane k of word i holds cells of height below + rows - 4i - k.
        let solid = cells.total();
        features.solid_cells += solid;
        features.weighted_cells += (below + rows) * solid - 4 * weighted.total() - cells.lane_numbers();
        for (i, &word) in holes.iter().enumerate() {
            self.holes(features, word, 4 * (first + i) as u32);
        }
    }

    /// Adds the holes of a word whose first row is `row`.
    #[inline]
    fn holes(&self, features: &mut Features, word: u64, row: u32) {
        let mut left = word;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let row = row + bit / 16;
            let column = bit % 16;
            // Rows from the top of the column to the last one scanned.
            let height = sum_lanes(self.covered.iter().map(|word| word >> column & LANES).sum());
            let depth = row + height - self.end;
            features.holes += 1;
            features.weighted_holes += row + 1;
            features.hole_depths += depth;
            features.min_hole_depth = features.min_hole_depth.min(depth);
            features.max_hole_depth = features.max_hole_depth.max(depth);
        }
    }
}

/// Sum of the four lanes, if it fits into one.
#[inline]
fn sum_lanes(lanes: u64) -> u32 {
    (lanes.wrapping_mul(LANES) >> 48) as u32
}

/// Number of bits in each nibble.
#[inline]
fn nibble_counts(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
}

/// Bits of up to three words, counted by nibble.
#[derive(Clone, Copy)]
struct Bits(u64);

impl Bits {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 += nibble_counts(word);
    }

    #[inline]
    fn bytes(self) -> u64 {
        (self.0 & 0x0F0F_0F0F_0F0F_0F0F) + (self.0 >> 4 & 0x0F0F_0F0F_0F0F_0F0F)
    }

    /// Their number, at most 255.
    #[inline]
    fn total(self) -> u32 {
        (self.bytes().wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// Sum of the numbers of the lanes they are in.
    #[inline]
    fn lane_numbers(self) -> u32 {
        let bytes = self.bytes();
        let lanes = (bytes & (LANES * 0xFF)) + (bytes >> 8 & (LANES * 0xFF));
        // The product's top lane is 0 x lane 0 + 1 x lane 1 + 2 x lane 2 + 3 x lane 3.
        (lanes.wrapping_mul(0x0000_0001_0002_0003) >> 48) as u32
    }
}

/// For each bit position, whether it was set in one, two, three words or more.
#[derive(Default)]
struct Saturating {
    one: u64,
    two: u64,
    three: u64,
}

impl Saturating {
    #[inline]
    fn add(&mut self, word: u64) {
        self.three |= self.two & word;
        self.two |= self.one & word;
        self.one |= word;
    }

    /// Number of columns set three times or more in all lanes together.
    #[inline]
    fn three_or_more(&self) -> u32 {
        let Self { mut one, mut two, mut three } = *self;
        for shift in [32, 16] {
            three |= three >> shift | one & two >> shift | two & one >> shift;
            two |= two >> shift | one & one >> shift;
            one |= one >> shift;
        }
        let mut left = three as u16 & FULL;
        let mut count = 0;
        while left != 0 {
            left &= left - 1;
            count += 1;
        }
        count
    }
}

/// The 2018 bot's penalty for a high board: each solid cell in rows 0..=6 counts 7 - row.
#[inline]
pub fn high_stack(rows: &Packed) -> u32 {
    if rows.words[0] | rows.words[1] << 16 == 0 {
        return 0;
    }
    (1..).zip(rows.rows()[..7].iter().rev()).map(|(weight, row)| weight * row.count_ones()).sum()
}

/// Whether each of the seven pieces could spawn: row 0 is free in columns 3-6, row 1 in columns 4-6.
#[inline]
pub fn spawn_is_free(rows: &Packed) -> bool {
    let [first, second] = SPAWN_CELLS.map(u64::from);
    rows.words[0] & (first | second << 16) == 0
}

/// Whether some row could still be completed by what enters at the top: a row has no empty cell that is cut
/// off from the spawn cell (row 0, column 5), moving through empty cells up, down, left and right.
///
/// Always true if row 0 is empty.
///
/// ```
/// use maxout_engine::eval::{Packed, can_clear_a_row};
/// use maxout_rules::Board;
/// let lid = "#########.\n".repeat(2) + &"#.#.#.#.#.\n".repeat(18);
/// assert!(!can_clear_a_row(&Packed::of(&lid.parse::<Board>().unwrap())));
/// ```
#[inline]
pub fn can_clear_a_row(rows: &Packed) -> bool {
    rows.words[0] as u16 == 0 || fills_a_row(&rows.rows())
}

#[cold]
fn fills_a_row(rows: &[u16; 20]) -> bool {
    let mut spawn = [0u16; 20];
    spawn[0] = SPAWN_COLUMN;
    let reached = flood(spawn, &rows.map(|row| !row & FULL));
    rows.iter().zip(reached).any(|(row, reached)| row | reached == FULL)
}

/// The cells of `free` that moves up, down, left and right reach from those of `from` in it. Both are rows, top row first, whose
/// bit 0 is the leftmost column.
pub fn flood(from: [u16; 20], free: &[u16; 20]) -> [u16; 20] {
    let mut reached = from;
    for (reached, free) in reached.iter_mut().zip(free) {
        *reached &= free;
    }
    loop {
        let before = reached;
        // Down, then up: few boards need a second round.
        for row in (0..20).chain((0..19).rev()) {
            let above = if row > 0 { reached[row - 1] } else { 0 };
            let below = if row < 19 { reached[row + 1] } else { 0 };
            reached[row] = spread(reached[row] | above | below, free[row]);
        }
        if reached == before {
            return reached;
        }
    }
}

/// The cells of `free` that sideways moves reach from those of `from` in it.
fn spread(from: u16, free: u16) -> u16 {
    let mut reached = from & free;
    loop {
        let wider = (reached | reached << 1 | reached >> 1) & free;
        if wider == reached {
            return reached;
        }
        reached = wider;
    }
}

/// Rows between the floor and the lowest cell of `id` locked with its centre in row `y`: 0 on the floor.
#[inline]
pub fn lock_height(y: u8, id: Orientation) -> u32 {
    let lowest = u32::from(y) + u32::from(LOWEST[id as usize]);
    19u32.saturating_sub(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_a_hand_drawn_board() {
        let board: Board = "...##....#
                            #...#....#
                            #..##.##..
                            ##.#..####"
            .parse()
            .expect("art parses");
        let want = Features {
            // Row 19 column 2 and row 18 column 5.
            well_cells: 2,
            deep_wells: 0,
            // Rows 17, 19 and 18 in columns 3, 4 and 9, all of which have their top in row 16.
            holes: 3,
            weighted_holes: 18 + 20 + 19,
            hole_depths: 1 + 3 + 2,
            min_hole_depth: 1,
            max_hole_depth: 3,
            // Of columns 3, 4 and 9.
            column_transitions: 2 + 1 + 2,
            row_transitions: 4 + 4 + 6 + 4,
            column_heights: 3 + 1 + 4 + 4 + 2 + 2 + 1 + 4,
            max_height: 4,
            height_spread: 4,
            solid_cells: 3 + 3 + 5 + 7,
            weighted_cells: 3 * 4 + 3 * 3 + 5 * 2 + 7,
            // Heights 3 1 0 4 4 0 2 2 1 4.
            height_differences: 2 + 1 + 4 + 4 + 2 + 1 + 3,
        };
        assert_eq!(Features::of(&board), want, "{board}");
    }

    #[test]
    fn a_well_is_deep_from_three_cells_on() {
        let art = |rows: usize| "#########.\n".repeat(rows).parse::<Board>().expect("art parses");
        let wells = |board| (Features::of(&board).well_cells, Features::of(&board).deep_wells);
        assert_eq!(wells(art(2)), (2, 0));
        assert_eq!(wells(art(3)), (3, 1));
        assert_eq!(wells(art(20)), (20, 1));
    }

    #[test]
    fn an_empty_board_has_no_features_but_the_depth_of_a_missing_hole() {
        assert_eq!(Features::of(&Board::EMPTY), Features { min_hole_depth: 20, ..Features::default() });
    }

    #[test]
    fn lock_height_is_zero_on_the_floor() {
        assert_eq!(lock_height(19, Orientation::IHorizontal), 0, "flat I");
        assert_eq!(lock_height(18, Orientation::IVertical), 0, "upright I");
        assert_eq!(lock_height(0, Orientation::O), 18, "O at its spawn");
    }

    #[test]
    fn every_spawn_shape_lies_in_the_protected_cells_and_they_hold_no_other_cell() {
        let mut union = [0; 2];
        for piece in maxout_rules::Piece::ALL {
            for &(dx, dy) in piece.spawn().cells() {
                union[dy as usize] |= 1u16 << (5 + dx);
            }
        }
        assert_eq!(union, SPAWN_CELLS);
    }
}
