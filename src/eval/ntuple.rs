//! The learned value: a sum of table entries, one table per pattern of the stack ([`indices`]), each entry a
//! vector over the seven pieces that may come next ([`Network`]).
//!
//! Unit: one tetris at the level of play, discounted by 0.99 per piece over an endless game.

use crate::game::{Board, Piece};

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
/// The nine columns left of the well: eight differences in five steps.
const SURFACE: Group = Group { windows: 1, size: 5usize.pow(8) };
/// Seven columns: six differences in seven steps.
const SEVEN: Group = Group { windows: 4, size: 7usize.pow(6) };
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

/// Collects the entry of one pattern after the other.
struct Cursor {
    out: [u32; PATTERNS],
    filled: usize,
    offset: usize,
}

impl Cursor {
    fn put(&mut self, group: &Group, index: usize) {
        debug_assert!(index < group.size);
        self.out[self.filled] = (self.offset + index) as u32;
        self.filled += 1;
        self.offset += group.size;
    }
}

/// The column of the well: the rightmost.
const WELL: usize = 9;

/// The entries that make the value of `board`, one per pattern.
pub fn indices(board: &Board) -> [u32; PATTERNS] {
    let rows = board.visible();
    // Bit r of a column is row r.
    let mut columns = [0u32; 10];
    for (r, &row) in rows.iter().enumerate() {
        for (c, column) in columns.iter_mut().enumerate() {
            *column |= u32::from(row >> c & 1) << r;
        }
    }
    let tops = columns.map(|column| column.trailing_zeros().min(20));
    let heights = tops.map(|top| 20 - top as i32);
    let mut holes = [0u32; 10];
    let mut cover = [0u32; 10];
    for c in 0..10 {
        holes[c] = heights[c] as u32 - columns[c].count_ones();
        cover[c] = if holes[c] == 0 { 0 } else { (columns[c] >> tops[c]).trailing_ones() };
    }
    let all_holes: u32 = holes.iter().sum();
    let pile = *heights.iter().max().unwrap_or(&0);
    let lowest = *heights[..WELL].iter().min().unwrap_or(&0);
    let well = heights[WELL];
    let ready = ready_rows(rows, well);
    let mut difference = [0i32; 9];
    for c in 0..9 {
        difference[c] = heights[c + 1] - heights[c];
    }
    let digits = |from: usize, count: usize, reach: i32| {
        difference[from..from + count]
            .iter()
            .fold(0, |code, d| code * (2 * reach as usize + 1) + (d.clamp(&-reach, &reach) + reach) as usize)
    };

    let mut cursor = Cursor { out: [0; PATTERNS], filled: 0, offset: 0 };
    let band = match pile {
        0..=7 => 0,
        8..=12 => 1,
        _ => 2,
    };
    for c in 0..SIX.windows {
        cursor.put(&SIX, band * 9usize.pow(5) + digits(c, 5, 4));
    }
    cursor.put(&SURFACE, digits(0, 8, 2));
    for c in 0..SEVEN.windows {
        cursor.put(&SEVEN, digits(c, 6, 3));
    }
    for (c, &height) in heights.iter().enumerate().take(STEP.windows) {
        cursor.put(&STEP, height as usize * 13 + digits(c, 1, 6));
    }
    for c in 0..HOLES.windows {
        cursor.put(&HOLES, ((holes[c].min(3) * 5 + cover[c].min(4)) * 21) as usize + heights[c] as usize);
    }
    cursor.put(&PILE, (pile as usize * 21 + well as usize) * 8 + all_holes.min(7) as usize);
    let depth = (lowest - well).clamp(0, 12) as usize;
    cursor.put(&READY, (ready.min(8) * 13 + depth) * 8 + all_holes.min(7) as usize);
    for c in 0..CELLS_3.windows {
        cursor.put(&CELLS_3, cells::<3>(&columns, &tops, c));
    }
    for c in 0..CELLS_4.windows {
        cursor.put(&CELLS_4, cells::<4>(&columns, &tops, c));
    }
    let mean = heights[..WELL].iter().sum::<i32>() as usize / WELL;
    cursor.put(&MEAN, (mean * 10 + all_holes.min(9) as usize) * 9 + ready.min(8));
    cursor.out
}

/// Rows from the well's height up that are full but for the well.
fn ready_rows(rows: &[u16; 20], well: i32) -> usize {
    let first = (19 - well).max(-1);
    (0..=first).rev().take_while(|&r| rows[r as usize] & 0x1FF == 0x1FF).count()
}

/// Four rows of `N` columns from the highest top down, the ground below the floor solid.
fn cells<const N: usize>(columns: &[u32; 10], tops: &[u32; 10], from: usize) -> usize {
    let top = tops[from..from + N].iter().min().copied().unwrap_or(0);
    columns[from..from + N].iter().fold(0, |code, column| {
        let ground = column | !0 << 20;
        code << 4 | (ground >> top & 15) as usize
    })
}

/// Odds of the next piece after `last`, averaged over the generator's states (docs/game.md 4.5).
pub fn odds(last: Piece) -> &'static [f32; 7] {
    &ODDS[last as usize]
}

const ODDS: [[f32; 7]; 7] = {
    let thirty_seconds = [
        [1, 5, 6, 5, 5, 5, 5],
        [6, 1, 5, 5, 5, 5, 5],
        [5, 6, 1, 5, 5, 5, 5],
        [5, 5, 5, 2, 5, 5, 5],
        [5, 5, 5, 5, 2, 5, 5],
        [6, 5, 5, 5, 5, 1, 5],
        [5, 5, 5, 5, 6, 5, 1],
    ];
    let mut odds = [[0.0; 7]; 7];
    let mut i = 0;
    while i < 49 {
        odds[i / 7][i % 7] = thirty_seconds[i / 7][i % 7] as f32 / 32.0;
        i += 1;
    }
    odds
};

/// Fixed-point unit of a [`Network`]'s weights: 1/1024 tetris.
const UNIT: f32 = 1.0 / 1024.0;

/// Learned tables, ready to play.
#[derive(Clone, Debug)]
pub struct Network {
    entries: Vec<[i16; LANES]>,
}

impl Network {
    /// Rounds weights (entry by entry, [`LANES`] each, in tetrises) to fixed point; weights beyond ±32 saturate.
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

    /// Value of `board` for each next piece, in tetrises at the level of play; never negative.
    pub fn values(&self, board: &Board) -> [f32; 7] {
        let mut sum = [0i32; LANES];
        for &at in &indices(board) {
            let Some(entry) = self.entries.get(at as usize) else { continue };
            for (sum, &weight) in sum.iter_mut().zip(entry) {
                *sum += i32::from(weight);
            }
        }
        std::array::from_fn(|piece| sum[piece].max(0) as f32 * UNIT)
    }

    /// Value of `board` when the next piece is not known and `last` was the one before it.
    pub fn expected(&self, board: &Board, last: Piece) -> f32 {
        self.values(board).iter().zip(odds(last)).map(|(value, odds)| value * odds).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_entries_in_range_and_in_order() {
        let mut seed = 3u64;
        for fill in 0..400 {
            let rows = std::array::from_fn(|r| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if r < fill % 22 { 0 } else { (seed >> 40) as u16 }
            });
            let found = indices(&Board::from_rows(rows));
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
