//! The learned value: a sum of table entries, one table per pattern of the stack ([`indices`]), each entry a
//! vector over the seven pieces that may come next ([`Network`]).
//!
//! Unit: one tetris at the level of play, discounted by 0.99 per piece over an endless game.

use super::shape::Shape;
use crate::game::Piece;

/// Patterns, and therefore table entries, that make one value.
pub const PATTERNS: usize = 47;
/// Entries of all tables.
pub const ENTRIES: usize = SIZES_SUM;
/// Values of an entry: one per piece, one to fill the vector.
pub const LANES: usize = 8;

/// A table and how many windows of it stand side by side.
struct Group {
    windows: usize,
    size: usize,
}

/// Six columns: five height differences in nine steps, and three bands of pile height.
const SIX: Group = Group { windows: 5, size: 3 * 9usize.pow(5) };
/// The nine columns left of the well: eight differences in five steps, and four bands of pile height.
const SURFACE: Group = Group { windows: 1, size: BANDS * 5usize.pow(8) };
/// Seven columns: six differences in seven steps, and four bands of pile height.
const SEVEN: Group = Group { windows: 4, size: BANDS * 7usize.pow(6) };
/// A column's height and the next difference in thirteen steps.
const STEP: Group = Group { windows: 9, size: 21 * 13 };
/// A column's holes, how deep the first is covered, height.
const HOLES: Group = Group { windows: 10, size: 4 * 5 * 21 };
/// Pile height, height of the well, holes.
const PILE: Group = Group { windows: 1, size: 21 * 21 * 8 };
/// Rows that are full but for the well, depth of the well, holes.
const READY: Group = Group { windows: 1, size: 9 * 13 * 8 };
/// Cells 3 wide, 4 high, from the top of the three columns down.
const CELLS_3: Group = Group { windows: 8, size: 1 << 12 };
/// Cells 4 wide, 4 high.
const CELLS_4: Group = Group { windows: 7, size: 1 << 16 };
/// Mean height, holes, ready rows.
const MEAN: Group = Group { windows: 1, size: 21 * 10 * 9 };

/// Bands of pile height that the large tables may tell apart: each holds between a sixth and a third of all stacks.
const BANDS: usize = 4;

const GROUPS: [Group; 10] = [SIX, SURFACE, SEVEN, STEP, HOLES, PILE, READY, CELLS_3, CELLS_4, MEAN];

const SIZES_SUM: usize = {
    let (mut sum, mut i) = (0, 0);
    while i < GROUPS.len() {
        sum += GROUPS[i].windows * GROUPS[i].size;
        i += 1;
    }
    sum
};

const _: () = {
    let (mut patterns, mut i) = (0, 0);
    while i < GROUPS.len() {
        patterns += GROUPS[i].windows;
        i += 1;
    }
    assert!(patterns == PATTERNS);
};

/// The column of the well: the rightmost.
const WELL: usize = 9;

/// Hands out the entry of one pattern after the other.
struct Cursor<F> {
    put: F,
    offset: usize,
}

impl<F: FnMut(usize)> Cursor<F> {
    #[inline]
    fn put(&mut self, group: &Group, index: usize) {
        debug_assert!(index < group.size);
        (self.put)(self.offset + index);
        self.offset += group.size;
    }

    /// One window of `COUNT` differences, cut off at ±`REACH`, after the other; the first digit of the code is the
    /// most significant one.
    #[inline]
    fn windows<const COUNT: usize, const REACH: i32>(
        &mut self,
        group: &Group,
        difference: &[i32; 9],
        more: usize,
    ) {
        let base = const { 2 * REACH as usize + 1 };
        let first = const { (2 * REACH as usize + 1).pow(COUNT as u32 - 1) };
        let digit = |c: usize| (difference[c].clamp(-REACH, REACH) + REACH) as usize;
        let mut code = (0..COUNT).fold(0, |code, c| code * base + digit(c));
        self.put(group, more + code);
        for c in 1..group.windows {
            code = (code - digit(c - 1) * first) * base + digit(c + COUNT - 1);
            self.put(group, more + code);
        }
    }
}

/// Calls `put` with the entries that make the value of a stack, one per pattern. Unless `BY_HEIGHT`, the large tables
/// do not tell pile heights apart: all are the first band's.
#[inline]
fn visit<const BY_HEIGHT: bool>(shape: &Shape, put: impl FnMut(usize)) {
    let Shape { columns, heights, holes, cover } = shape;
    let height = |c: usize| i32::from(heights[c]);
    let (mut pile, mut lowest, mut sum) = (0, 20, 0);
    for c in 0..WELL {
        pile = pile.max(height(c));
        lowest = lowest.min(height(c));
        sum += height(c);
    }
    let well = height(WELL);
    pile = pile.max(well);
    let all_holes = usize::from(shape.all_holes());
    let ready = ready_rows(columns, well);
    let mut difference = [0i32; 9];
    for (c, difference) in difference.iter_mut().enumerate() {
        *difference = height(c + 1) - height(c);
    }

    let mut cursor = Cursor { put, offset: 0 };
    let band = match pile {
        0..=7 => 0,
        8..=12 => 1,
        _ => 2,
    };
    cursor.windows::<5, 4>(&SIX, &difference, band * 9usize.pow(5));
    let band = match pile {
        _ if !BY_HEIGHT => 0,
        0..=7 => 0,
        8..=10 => 1,
        11..=13 => 2,
        _ => 3,
    };
    cursor.windows::<8, 2>(&SURFACE, &difference, band * 5usize.pow(8));
    cursor.windows::<6, 3>(&SEVEN, &difference, band * 7usize.pow(6));
    for (c, step) in difference.iter().enumerate() {
        cursor.put(&STEP, height(c) as usize * 13 + (step.clamp(&-6, &6) + 6) as usize);
    }
    for c in 0..HOLES.windows {
        let hidden = usize::from(holes[c].min(3) * 5 + cover[c].min(4));
        cursor.put(&HOLES, hidden * 21 + height(c) as usize);
    }
    cursor.put(&PILE, (pile as usize * 21 + well as usize) * 8 + all_holes.min(7));
    let depth = (lowest - well).clamp(0, 12) as usize;
    cursor.put(&READY, (ready.min(8) * 13 + depth) * 8 + all_holes.min(7));
    for c in 0..CELLS_3.windows {
        cursor.put(&CELLS_3, cells::<3>(columns, heights, c));
    }
    for c in 0..CELLS_4.windows {
        cursor.put(&CELLS_4, cells::<4>(columns, heights, c));
    }
    let mean = sum as usize / WELL;
    cursor.put(&MEAN, (mean * 10 + all_holes.min(9)) * 9 + ready.min(8));
}

/// The entries that make the value of a stack, one per pattern; without `by_height`, those of tables that were not
/// yet [`spread`].
pub fn indices(shape: &Shape, by_height: bool) -> [u32; PATTERNS] {
    let mut entries = [0; PATTERNS];
    let mut filled = 0;
    let put = |entry| {
        entries[filled] = entry as u32;
        filled += 1;
    };
    if by_height {
        visit::<true>(shape, put);
    } else {
        visit::<false>(shape, put);
    }
    entries
}

/// Hands out `(from, to)` such that copying each entry `from` to `to` gives every band of pile height what the first
/// one holds.
pub fn spread(mut copy: impl FnMut(usize, usize)) {
    let mut offset = 0;
    for (at, group) in GROUPS.iter().enumerate() {
        let bands = if matches!(at, 1 | 2) { BANDS } else { 1 };
        for _ in 0..group.windows {
            let band = group.size / bands;
            for entry in 0..band {
                for other in 1..bands {
                    copy(offset + entry, offset + other * band + entry);
                }
            }
            offset += group.size;
        }
    }
}

/// Rows from the well's height up that are full but for the well.
#[inline]
fn ready_rows(columns: &[u32; 10], well: i32) -> usize {
    let full = columns[..WELL].iter().fold(!0, |full, column| full & column);
    // Row 0 is the lowest bit; count from the row above the well's top up, towards bit 0.
    let above = 20 - well as u32;
    if above == 0 { 0 } else { (full << (32 - above)).leading_ones() as usize }
}

/// Four rows of `N` columns from the highest top down.
#[inline]
fn cells<const N: usize>(columns: &[u32; 10], heights: &[u8; 10], from: usize) -> usize {
    let highest = heights[from..from + N].iter().fold(0, |a, &b| a.max(b));
    let top = 20 - u32::from(highest);
    columns[from..from + N].iter().fold(0, |code, column| code << 4 | (column >> top & 15) as usize)
}

/// Odds of the next piece after `last`, averaged over the generator's states (docs/game.md 4.5).
pub fn odds(last: Piece) -> &'static [f32; 7] {
    &ODDS[last as usize]
}

/// The odds in thirty-seconds; the eighth fills the vector.
const THIRTY_SECONDS: [[i16; LANES]; 7] = [
    [1, 5, 6, 5, 5, 5, 5, 0],
    [6, 1, 5, 5, 5, 5, 5, 0],
    [5, 6, 1, 5, 5, 5, 5, 0],
    [5, 5, 5, 2, 5, 5, 5, 0],
    [5, 5, 5, 5, 2, 5, 5, 0],
    [6, 5, 5, 5, 5, 1, 5, 0],
    [5, 5, 5, 5, 6, 5, 1, 0],
];

const ODDS: [[f32; 7]; 7] = {
    let mut odds = [[0.0; 7]; 7];
    let mut i = 0;
    while i < 49 {
        odds[i / 7][i % 7] = THIRTY_SECONDS[i / 7][i % 7] as f32 / 32.0;
        i += 1;
    }
    odds
};

/// Fixed-point unit of a [`Network`]'s weights: 1/512 tetris. A value, and no partial sum, must lie within ±64.
const UNIT: f32 = 1.0 / 512.0;

/// What a lost game is worth, in tetrises, by these weights' training. No stack is worth less.
pub const DEATH: f32 = -10.0;

/// Learned tables, ready to play.
#[derive(Clone, Debug)]
pub struct Network {
    entries: Vec<[i16; LANES]>,
}

impl Network {
    /// Rounds weights (entry by entry, [`LANES`] each, in tetrises) to fixed point; weights beyond ±64 saturate.
    pub fn from_weights(weights: &[f32]) -> Self {
        let (entries, _) = weights.as_chunks::<LANES>();
        let round = |w: f32| (w / UNIT).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
        Self { entries: entries.iter().map(|entry| entry.map(round)).collect() }
    }

    /// The entries, for the weights file.
    pub(super) fn entries(&self) -> &[[i16; LANES]] {
        &self.entries
    }

    /// Tables with these entries; `None` if there are not [`ENTRIES`] of them.
    pub(super) fn from_entries(entries: Vec<[i16; LANES]>) -> Option<Self> {
        (entries.len() == ENTRIES).then_some(Self { entries })
    }

    #[inline]
    fn sum(&self, shape: &Shape) -> [i16; LANES] {
        let mut sum = [0i16; LANES];
        visit::<true>(shape, |at| {
            if let Some(entry) = self.entries.get(at) {
                for (sum, &weight) in sum.iter_mut().zip(entry) {
                    // Partial sums may wrap; the whole one fits.
                    *sum = sum.wrapping_add(weight);
                }
            }
        });
        for value in &mut sum {
            *value = (*value).max((DEATH / UNIT) as i16);
        }
        sum
    }

    /// Value of a stack for each next piece, in tetrises at the level of play.
    pub fn values(&self, shape: &Shape) -> [f32; 7] {
        let sum = self.sum(shape);
        std::array::from_fn(|piece| f32::from(sum[piece]) * UNIT)
    }

    /// Value of a stack when the next piece is not known and `last` was the one before it.
    pub fn expected(&self, shape: &Shape, last: Piece) -> f32 {
        let sum = self.sum(shape);
        let dot: i32 =
            sum.iter().zip(&THIRTY_SECONDS[last as usize]).map(|(&v, &o)| i32::from(v) * i32::from(o)).sum();
        dot as f32 * (UNIT / 32.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Board;

    #[test]
    fn every_board_has_entries_in_range_and_in_order() {
        let mut seed = 3u64;
        for fill in 0..400 {
            let rows = std::array::from_fn(|r| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if r < fill % 22 { 0 } else { (seed >> 40) as u16 }
            });
            let found = indices(&Shape::of(&Board::from_rows(rows)), true);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]));
            assert!((found[PATTERNS - 1] as usize) < ENTRIES);
        }
    }

    #[test]
    fn odds_add_up_to_one() {
        for piece in Piece::ALL {
            assert!((odds(piece).iter().sum::<f32>() - 1.0).abs() < 1e-6, "{piece}");
        }
    }
}
