//! What evaluators measure on a board: [`Features::of`] and a few measures that only some of them want.
//!
//! All of them see the visible rows 0..=19 only. The *top* of a column is its highest solid cell, its *height*
//! the distance from there to the floor: 1 for a single cell on the floor, 0 for an empty column.
//!
//! # How it works
//! Four rows make one `u64`, a row to each lane of 16 bits, so a board is five words and most features are
//! bits to count in a few operations per word. Rows are 10 bits wide: shifts by one column stay in the lane.
//! Bits are added up per byte over all words and folded once at the end, as there is no popcount instruction
//! on the baseline x86-64 that we compile for.

use crate::game::{Board, Orientation};

/// Bit 0 of each lane; times a row it is that row in each lane.
const LANES: u64 = 0x0001_0001_0001_0001;
/// A full row.
const FULL: u16 = 0x3FF;
/// The cells that the seven spawning pieces cover together, in rows 0 and 1.
const SPAWN_CELLS: [u16; 2] = [0x078, 0x070];
/// Column of the spawning piece's centre.
const SPAWN_COLUMN: u16 = 1 << 5;

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
    /// Smallest depth of a hole, 20 if there is none.
    pub min_hole_depth: u32,
    /// Largest depth of a hole, 0 if there is none.
    pub max_hole_depth: u32,
    /// Changes between solid and empty down each column from its top; the floor is no cell.
    pub column_transitions: u32,
    /// Changes between solid and empty along each row from the pile's top row down; walls are solid.
    pub row_transitions: u32,
    /// Sum of the column heights.
    pub column_heights: u32,
    /// Height of the tallest column.
    pub pile_height: u32,
    /// Height of the tallest column minus that of the shortest.
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
    /// use maxout::{eval::Features, game::Board};
    /// let board: Board = "###.......\n#.########".parse().unwrap();
    /// let features = Features::of(&board);
    /// assert_eq!((features.holes, features.pile_height, features.height_spread), (1, 2, 1));
    /// ```
    #[inline]
    pub fn of(board: &Board) -> Self {
        let words = pack(board.visible());
        let Some(first) = words.iter().position(|&word| word != 0) else {
            return Self { min_hole_depth: 20, ..Self::default() };
        };
        let pile_height = 20 - 4 * first as u32 - words[first].trailing_zeros() / 16;

        let (mut well_bits, mut wells) = (BitCount::default(), Saturating::default());
        let (mut hole_bits, mut holes) = (WeightedCount::default(), [0; 5]);
        let (mut column_changes, mut row_changes) = (BitCount::default(), BitCount::default());
        let (mut covered_bits, mut covered) = (BitCount::default(), [0; 5]);
        let (mut cells, mut steps, mut full_lanes) = (WeightedCount::default(), BitCount::default(), 0);
        // The row above the word: its cells, and the columns whose top is there or higher.
        let (mut row_above, mut roof) = (0, 0);
        for i in first..5 {
            let word = words[i];
            let above = word << 16 | row_above;
            // Cells at or below the top of their column: solid cells smeared down.
            let mut below_top = word | roof;
            below_top |= below_top << 16;
            below_top |= below_top << 32;
            let roofed = below_top << 16 | roof;
            row_above = word >> 48;
            roof = below_top >> 48;

            let well = !below_top & (word << 1 | LANES) & (word >> 1 | LANES << 9);
            well_bits.add(well);
            wells.add(well);
            holes[i] = above & !word;
            hole_bits.add(holes[i]);
            column_changes.add((word ^ above) & roofed);
            row_changes.add((word << 1 | LANES) ^ (word | LANES << 10));
            covered[i] = below_top;
            covered_bits.add(below_top);
            cells.add(word);
            // Two neighbours differ in height by the rows in which one of them is below its top and the other
            // is not.
            steps.add((below_top ^ below_top >> 1) & (LANES * 0x1FF));
            full_lanes += (below_top + LANES) >> 10 & LANES;
        }
        // The shortest column is as tall as there are rows in which all columns are below their top.
        let shortest = sum_lanes(full_lanes);
        let rows_above_pile = 20 - 4 * first as u32 - pile_height;
        let well_cells = well_bits.total();
        let (hole_count, hole_heights) = hole_bits.totals();
        let (solid_cells, weighted_cells) = cells.totals();
        let (hole_depths, min_hole_depth, max_hole_depth) =
            if hole_count == 0 { (0, 20, 0) } else { depths(&holes, &covered) };
        Self {
            well_cells,
            deep_wells: if well_cells < 3 { 0 } else { wells.three_or_more() },
            holes: hole_count,
            // A cell of height h is in row 21 - h, counted from 1.
            weighted_holes: 21 * hole_count - hole_heights,
            hole_depths,
            min_hole_depth,
            max_hole_depth,
            column_transitions: column_changes.total(),
            // An empty row counts two.
            row_transitions: row_changes.total() - 2 * rows_above_pile,
            column_heights: covered_bits.total(),
            pile_height,
            height_spread: pile_height - shortest,
            solid_cells,
            weighted_cells,
            height_differences: steps.total(),
        }
    }
}

/// Sum of the holes' depths, the smallest and the largest.
fn depths(holes: &[u64; 5], covered: &[u64; 5]) -> (u32, u32, u32) {
    let (mut sum, mut min, mut max) = (0, 20, 0);
    for (i, &word) in (0..).zip(holes) {
        let mut left = word;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let column = bit % 16;
            let height = sum_lanes(covered.iter().map(|word| word >> column & LANES).sum());
            let row = 4 * i + bit / 16;
            let depth = row + height - 20;
            sum += depth;
            min = min.min(depth);
            max = max.max(depth);
        }
    }
    (sum, min, max)
}

fn pack(rows: &[u16; 20]) -> [u64; 5] {
    let mut words = [0; 5];
    for (word, four) in words.iter_mut().zip(rows.as_chunks::<4>().0) {
        let [a, b, c, d] = four.map(u64::from);
        *word = a | b << 16 | c << 32 | d << 48;
    }
    words
}

/// Sum of the four lanes, if it fits into one.
fn sum_lanes(lanes: u64) -> u32 {
    (lanes.wrapping_mul(LANES) >> 48) as u32
}

/// Number of bits in each byte.
fn byte_counts(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F
}

fn lane_sums(bytes: u64) -> u64 {
    (bytes & (LANES * 0xFF)) + (bytes >> 8 & (LANES * 0xFF))
}

/// Number of bits in up to five words.
#[derive(Default)]
struct BitCount {
    bytes: u64,
}

impl BitCount {
    fn add(&mut self, word: u64) {
        self.bytes += byte_counts(word);
    }

    fn total(&self) -> u32 {
        sum_lanes(lane_sums(self.bytes))
    }
}

/// Number of bits in words up to the last of the board, and the sum of their heights.
#[derive(Default)]
struct WeightedCount {
    bytes: u64,
    /// Each word's bits once for itself and once for each word below it.
    running: u64,
}

impl WeightedCount {
    fn add(&mut self, word: u64) {
        self.bytes += byte_counts(word);
        self.running += self.bytes;
    }

    /// Lane k of word i is row 4i + k, of height 20 - 4i - k = 4 (5 - i) - k.
    fn totals(&self) -> (u32, u32) {
        let lanes = lane_sums(self.bytes);
        // The top lane of this product is 0 x lane 0 + 1 x lane 1 + 2 x lane 2 + 3 x lane 3.
        let offsets = (lanes.wrapping_mul(0x0000_0001_0002_0003) >> 48) as u32;
        (sum_lanes(lanes), 4 * sum_lanes(lane_sums(self.running)) - offsets)
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
    fn add(&mut self, word: u64) {
        self.three |= self.two & word;
        self.two |= self.one & word;
        self.one |= word;
    }

    /// Number of columns set three times or more in all lanes together.
    fn three_or_more(&self) -> u32 {
        let Self { mut one, mut two, mut three } = *self;
        for shift in [32, 16] {
            three |= three >> shift | one & two >> shift | two & one >> shift;
            two |= two >> shift | one & one >> shift;
            one |= one >> shift;
        }
        (three as u16 & FULL).count_ones()
    }
}

/// The 2018 bot's penalty for a high stack: each solid cell in rows 0..=6 counts 7 - row.
#[inline]
pub fn high_stack(board: &Board) -> u32 {
    let rows = &board.visible()[..7];
    if rows.iter().fold(0, |all, row| all | row) == 0 {
        return 0;
    }
    (1..).zip(rows.iter().rev()).map(|(weight, row)| weight * row.count_ones()).sum()
}

/// Whether each of the seven pieces could spawn: row 0 is free in columns 3-6, row 1 in columns 4-6.
#[inline]
pub fn spawn_is_free(board: &Board) -> bool {
    let rows = board.visible();
    rows[0] & SPAWN_CELLS[0] == 0 && rows[1] & SPAWN_CELLS[1] == 0
}

/// Whether some row could still be completed by what enters at the top: a row has no empty cell that is cut
/// off from the spawn cell (row 0, column 5), moving through empty cells up, down, left and right.
///
/// Always true if row 0 is empty.
///
/// ```
/// use maxout::{eval::can_clear_a_row, game::Board};
/// let lid = "#########.\n".repeat(2) + &"#.#.#.#.#.\n".repeat(18);
/// assert!(!can_clear_a_row(&lid.parse::<Board>().unwrap()));
/// ```
#[inline]
pub fn can_clear_a_row(board: &Board) -> bool {
    board.visible()[0] == 0 || fills_a_row(board.visible())
}

#[cold]
fn fills_a_row(rows: &[u16; 20]) -> bool {
    let mut reached = [0u16; 20];
    reached[0] = SPAWN_COLUMN & !rows[0];
    loop {
        let before = reached;
        // Down, then up: few boards need a second round.
        for row in (0..20).chain((0..19).rev()) {
            let above = if row > 0 { reached[row - 1] } else { 0 };
            let below = if row < 19 { reached[row + 1] } else { 0 };
            reached[row] = spread(reached[row] | above | below, !rows[row] & FULL);
        }
        if reached == before {
            break;
        }
    }
    rows.iter().zip(reached).any(|(row, reached)| row | reached == FULL)
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
    let lowest = id.cells().iter().map(|&(_, dy)| dy).max().unwrap_or(0);
    (19 - i32::from(y) - i32::from(lowest)).max(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_a_hand_drawn_board() {
        // Heights 3 1 0 4 4 0 2 2 1 4; holes at row 18 column 3, row 19 column 4 and row 18 column 9.
        let board: Board = "...##....#
                            #...#....#
                            #..##.##..
                            ##.#..####"
            .parse()
            .expect("art parses");
        let got = Features::of(&board);
        // Tops: rows 17 19 20 16 16 20 18 18 19 16.
        assert_eq!(
            got,
            Features {
                // Column 2 rows 18 no, 19 yes; column 5 row 18 yes, row 19 no (column 4 is empty there);
                // column 8 row 18 no. So 2; and row 18 column 8 has column 9 empty.
                well_cells: 2,
                deep_wells: 0,
                // Column 3 row 17, column 4 row 19, column 9 row 18.
                holes: 3,
                weighted_holes: 18 + 20 + 19,
                hole_depths: 1 + 3 + 2,
                min_hole_depth: 1,
                max_hole_depth: 3,
                // Column 3: two; column 4: one; column 9: two.
                column_transitions: 5,
                // Row 16: 4; row 17: |#...#....#| 4; row 18: |#..##.##..| 6; row 19: |##.#..####| 4.
                row_transitions: 4 + 4 + 6 + 4,
                column_heights: 3 + 1 + 4 + 4 + 2 + 2 + 1 + 4,
                pile_height: 4,
                height_spread: 4,
                solid_cells: 3 + 3 + 5 + 7,
                weighted_cells: 3 * 4 + 3 * 3 + 5 * 2 + 7,
                // 3 1 0 4 4 0 2 2 1 4
                height_differences: 2 + 1 + 4 + 4 + 2 + 1 + 3,
            },
            "{board}"
        );
    }

    #[test]
    fn an_empty_board_has_no_features_but_the_depth_of_a_missing_hole() {
        assert_eq!(Features::of(&Board::EMPTY), Features { min_hole_depth: 20, ..Features::default() });
    }

    #[test]
    fn lock_height_is_zero_on_the_floor() {
        assert_eq!(lock_height(19, Orientation(0x12)), 0, "flat I");
        assert_eq!(lock_height(18, Orientation(0x11)), 0, "upright I");
        assert_eq!(lock_height(0, Orientation(0x0A)), 18, "O at its spawn");
    }

    #[test]
    fn every_spawn_shape_lies_in_the_protected_cells_and_they_hold_no_other_cell() {
        let mut union = [0; 2];
        for piece in crate::game::Piece::ALL {
            for &(dx, dy) in piece.spawn().cells() {
                union[dy as usize] |= 1u16 << (5 + dx);
            }
        }
        assert_eq!(union, SPAWN_CELLS);
    }
}
