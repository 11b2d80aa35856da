//! The learned value: a sum of table entries, one table per pattern of the stack ([`indices`]), each entry a
//! vector over the seven pieces that may come next ([`Network`]).
//!
//! Unit: one tetris at the level of play, discounted by 0.99 per piece over an endless game.

use super::shape::Shape;
use maxout_rules::Piece;

/// Patterns, and therefore table entries, that make one value.
pub const PATTERNS: usize = 59;
/// Entries of all tables.
pub const ENTRIES: usize = COMMON + (SPEEDS - 1) * OWN;
/// Values of an entry: one per piece, one to fill the vector.
pub const LANES: usize = 8;

/// A table and how many windows of it stand side by side.
struct Group {
    windows: usize,
    size: usize,
    /// Whether it is there once for each of the [`SPEEDS`].
    own: bool,
}

/// Speeds of play whose small tables differ: levels 19 to 28, up to 18, from 29 on ([`speed`]).
pub const SPEEDS: usize = 3;

/// Which of the [`SPEEDS`] a level has: 0 for levels 19 to 28, 1 for those below, 2 for those above.
#[inline]
pub const fn speed(level: u8) -> usize {
    match level {
        ..=18 => 1,
        19..=28 => 0,
        29.. => 2,
    }
}

/// Six columns: five height differences in nine steps, and three bands of pile height.
const SIX: Group = Group { windows: 5, size: 3 * 9usize.pow(5), own: false };
/// The nine columns left of the well: eight differences in five steps, and four bands of pile height.
const SURFACE: Group = Group { windows: 1, size: BANDS * 5usize.pow(8), own: false };
/// Seven columns: six differences in seven steps, and four bands of pile height.
const SEVEN: Group = Group { windows: 4, size: BANDS * 7usize.pow(6), own: false };
/// A column's height and the next difference in thirteen steps.
const STEP: Group = Group { windows: 9, size: 21 * 13, own: true };
/// A column's holes, how deep the first is covered, height.
const HOLES: Group = Group { windows: 10, size: 4 * 5 * 21, own: true };
/// Pile height, height of the well, holes.
const PILE: Group = Group { windows: 1, size: 21 * 21 * 8, own: true };
/// Rows that are full but for the well, depth of the well, holes.
const READY: Group = Group { windows: 1, size: 9 * 13 * 8, own: true };
/// Cells 3 wide, 4 high, from the top of the three columns down.
const CELLS_3: Group = Group { windows: 8, size: 1 << 12, own: false };
/// Cells 4 wide, 4 high.
const CELLS_4: Group = Group { windows: 7, size: 1 << 16, own: false };
/// Mean height, holes, ready rows.
const MEAN: Group = Group { windows: 1, size: 21 * 10 * 9, own: true };
/// As [`READY`], with the leftmost column for the well: where a stack may have its way out in a drought.
const LEFT: Group = Group { windows: 1, size: READY.size, own: true };
/// Pile height, rows that wait for the right column, rows that wait for the left one, holes.
const WAITING: Group = Group { windows: 1, size: 21 * 9 * 5 * 4, own: true };
/// Cells that five rows from the well's height up still want, the well's own aside, each up to four; bands of pile
/// height.
const WANTED: Group = Group { windows: 1, size: 5usize.pow(WANTED_ROWS as u32) * BANDS, own: true };
/// Rows of [`WANTED`].
const WANTED_ROWS: usize = 5;
/// Height of the highest hole (0: none), cells above it in its column, rows of the pile above it, holes.
const DIG: Group = Group { windows: 1, size: 20 * 6 * 8 * 5, own: true };
/// The five columns next to the well: four height differences in seven steps, depth of the well beside them, ready
/// rows.
const BESIDE: Group = Group { windows: 1, size: 7usize.pow(4) * 6 * 5, own: false };
/// What the surface has room for: neighbours of equal height, steps up and down by one, three in a row of equal height,
/// dents that only an I fills; ready rows, bands of pile height.
const ROOM: Group = Group { windows: 1, size: 5 * 4 * 4 * 4 * 4 * 5 * BANDS, own: false };
/// Sum of the steps left of the well, cells that the nine columns want up to the pile's height, holes.
const ROUGH: Group = Group { windows: 1, size: 24 * 32 * 4, own: true };
/// Columns left of the well whose height is as even or odd as their place; whether half the cells are an odd number;
/// ready rows; bands of pile height.
const PARITY: Group = Group { windows: 1, size: 10 * 2 * 5 * BANDS, own: false };
/// How much higher the left end stands than the right one, and the middle than both, three columns each; bands of pile
/// height.
const TILT: Group = Group { windows: 1, size: 17 * 17 * BANDS, own: false };
/// The greatest step: its place, height and direction; the second greatest; bands of pile height.
const CLIFF: Group = Group { windows: 1, size: 8 * 21 * 6 * BANDS, own: false };
/// Rows of the pile above the ready ones, depth of the well, ready rows, holes.
const ABOVE: Group = Group { windows: 1, size: 13 * 13 * 5 * 4, own: true };
/// Places where S, Z, T and O leave no hole (0–2 each), whether there are some for L, J and a lying I; ready rows, bands
/// of pile height.
const FITS: Group = Group { windows: 1, size: 81 * 8 * 5 * BANDS, own: false };

/// Bands of pile height that the large tables may tell apart: each holds between a sixth and a third of all stacks.
const BANDS: usize = 4;

const GROUPS: [Group; 22] = [
    SIX, SURFACE, SEVEN, STEP, HOLES, PILE, READY, CELLS_3, CELLS_4, MEAN, LEFT, WAITING, WANTED, DIG,
    BESIDE, ROOM, ROUGH, PARITY, TILT, CLIFF, ABOVE, FITS,
];

/// Where the tables of [`CELLS_4`] begin: after those of the groups before it.
const CELLS_4_FIRST: usize = sizes(&[SIX, SURFACE, SEVEN, STEP, HOLES, PILE, READY, CELLS_3], false);

/// Entries of the tables for levels 19 to 28, and those that all speeds share; they come first.
const COMMON: usize = sizes(&GROUPS, false);
/// Entries of a further speed's own tables.
const OWN: usize = sizes(&GROUPS, true);

const fn sizes(groups: &[Group], own_only: bool) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < groups.len() {
        if groups[i].own || !own_only {
            sum += groups[i].windows * groups[i].size;
        }
        i += 1;
    }
    sum
}

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
    /// The next table.
    offset: usize,
    /// The next table among the speed's own.
    own: usize,
    /// Whether that is where they are.
    special: bool,
}

impl<F: FnMut(usize)> Cursor<F> {
    #[inline]
    fn put(&mut self, group: &Group, index: usize) {
        debug_assert!(index < group.size);
        (self.put)(index + if group.own && self.special { self.own } else { self.offset });
        self.offset += group.size;
        if group.own {
            self.own += group.size;
        }
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
fn visit<const BY_HEIGHT: bool>(shape: &Shape, speed: usize, put: impl FnMut(usize)) {
    let Shape { columns, heights, holes, cover } = shape;
    let height = |c: usize| i32::from(heights[c]);
    let (left, well) = (height(0), height(WELL));
    let (mut pile, mut lowest, mut sum) = (left, 20, left);
    for c in 1..WELL {
        pile = pile.max(height(c));
        lowest = lowest.min(height(c));
        sum += height(c);
    }
    pile = pile.max(well);
    let depth_left = (lowest.min(well) - left).clamp(0, 12) as usize;
    lowest = lowest.min(left);
    let all_holes = usize::from(shape.all_holes());
    let between = columns[1..WELL].iter().fold(!0, |full, column| full & column);
    let ready = rows_above(between & columns[0], well);
    let ready_left = rows_above(between & columns[WELL], left);
    let mut difference = [0i32; 9];
    for (c, difference) in difference.iter_mut().enumerate() {
        *difference = height(c + 1) - height(c);
    }

    let own = COMMON + speed.saturating_sub(1) * OWN;
    let mut cursor = Cursor { put, offset: 0, own, special: speed > 0 };
    let band = match pile {
        0..=7 => 0,
        8..=12 => 1,
        _ => 2,
    };
    cursor.windows::<5, 4>(&SIX, &difference, band * 9usize.pow(5));
    let fine = match pile {
        0..=7 => 0,
        8..=10 => 1,
        11..=13 => 2,
        _ => 3,
    };
    let band = if BY_HEIGHT { fine } else { 0 };
    cursor.windows::<8, 2>(&SURFACE, &difference, band * 5usize.pow(8));
    cursor.windows::<6, 3>(&SEVEN, &difference, band * 7usize.pow(6));
    // The largest tables first: their entries come from far away, and the rest is worked out while they do.
    let after = std::mem::replace(&mut cursor.offset, CELLS_4_FIRST);
    for c in 0..CELLS_4.windows {
        cursor.put(&CELLS_4, cells::<4>(columns, heights, c));
    }
    cursor.offset = after;
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
    cursor.offset += CELLS_4.windows * CELLS_4.size;
    let mean = sum as usize / WELL;
    cursor.put(&MEAN, (mean * 10 + all_holes.min(9)) * 9 + ready.min(8));
    cursor.put(&LEFT, (ready_left.min(8) * 13 + depth_left) * 8 + all_holes.min(7));
    let waiting = (pile as usize * 9 + ready.min(8)) * 5 + ready_left.min(4);
    cursor.put(&WAITING, waiting * 4 + all_holes.min(3));
    let (all_ready, ready) = (ready as i32, ready.min(4));
    cursor.put(&WANTED, wanted(columns, well) * BANDS + fine);
    cursor.put(&DIG, dig(shape, pile as usize) * 5 + all_holes.min(4));
    let beside = difference[4..8].iter().fold(0, |code, step| code * 7 + (step.clamp(&-3, &3) + 3) as usize);
    cursor.put(&BESIDE, (beside * 6 + (height(WELL - 1) - well).clamp(0, 5) as usize) * 5 + ready);
    let places = Steps::of(&difference);
    cursor.put(&ROOM, (places.room() * 5 + ready) * BANDS + fine);
    let steps: i32 = difference[..8].iter().map(|step| step.abs()).sum();
    let rough = steps.min(23) as usize * 32 + (9 * pile - sum).min(31) as usize;
    cursor.put(&ROUGH, rough * 4 + all_holes.min(3));
    let even = (0..WELL).filter(|&c| (heights[c] as usize + c).is_multiple_of(2)).count();
    let cells = (sum + well) as usize - all_holes;
    let parity = (even * 2 + (cells >> 1 & 1)) * 5 + ready;
    cursor.put(&PARITY, parity * BANDS + fine);
    let three = |c: usize| height(c) + height(c + 1) + height(c + 2);
    let tilt = ((three(0) - three(6)) / 2).clamp(-8, 8) + 8;
    let bulge = ((2 * three(3) - three(0) - three(6)) / 4).clamp(-8, 8) + 8;
    cursor.put(&TILT, (tilt * 17 + bulge) as usize * BANDS + fine);
    cursor.put(&CLIFF, cliff(&difference) * BANDS + fine);
    let above = (pile - well - all_ready).clamp(0, 12) as usize;
    cursor.put(&ABOVE, ((above * 13 + depth) * 5 + ready) * 4 + all_holes.min(3));
    cursor.put(&FITS, (places.fits() * 5 + ready) * BANDS + fine);
}

/// The entries that make the value of a stack at one of the [`SPEEDS`], one per pattern; without `by_height`, those of
/// tables that were not yet [`spread`].
pub fn indices(shape: &Shape, by_height: bool, speed: usize) -> [u32; PATTERNS] {
    let mut entries = [0; PATTERNS];
    let mut filled = 0;
    let put = |entry| {
        entries[filled] = entry as u32;
        filled += 1;
    };
    if by_height {
        visit::<true>(shape, speed, put);
    } else {
        visit::<false>(shape, speed, put);
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

/// Hands out `(from, to)` such that copying each entry `from` to `to` gives `speed` the tables of levels 19 to 28.
pub fn spread_to(speed: usize, mut copy: impl FnMut(usize, usize)) {
    let (mut from, mut to) = (0, COMMON + speed.saturating_sub(1) * OWN);
    for group in &GROUPS {
        for _ in 0..group.windows {
            if group.own && speed > 0 {
                (0..group.size).for_each(|entry| copy(from + entry, to + entry));
                to += group.size;
            }
            from += group.size;
        }
    }
}

/// Whether an entry is one of a further speed's own.
pub const fn is_own(entry: usize) -> bool {
    entry >= COMMON
}

/// Rows of `full`, one above the other, from `height` up.
#[inline]
fn rows_above(full: u32, height: i32) -> usize {
    // Row 0 is the lowest bit; count from the row above the top up, towards bit 0.
    let above = 20 - height as u32;
    if above == 0 { 0 } else { (full << (32 - above)).leading_ones() as usize }
}

/// The code of [`WANTED`]: the lowest of its rows is the most significant digit.
#[inline]
fn wanted(columns: &[u32; 10], well: i32) -> usize {
    // Empty cells of each row, counted in three bit planes.
    let (mut ones, mut twos, mut more) = (0u32, 0u32, 0u32);
    for column in &columns[..WELL] {
        let carry = ones & !column;
        ones ^= !column;
        more |= twos & carry;
        twos ^= carry;
    }
    (1..=WANTED_ROWS as i32).fold(0, |code, above| {
        // Above the field all is wanted.
        let digit = match u32::try_from(20 - well - above) {
            Ok(row) if more >> row & 1 == 0 => (ones >> row & 1) + 2 * (twos >> row & 1),
            _ => 4,
        };
        code * 5 + digit as usize
    })
}

/// The code of [`DIG`] but for the number of holes.
#[inline]
fn dig(shape: &Shape, pile: usize) -> usize {
    let Shape { heights, holes, cover, .. } = shape;
    // Of each column the height of its highest hole, and how many cells are above that.
    let hole = |c: usize| {
        let (top, above) = (heights[c] - cover[c], cover[c]);
        if holes[c] > 0 { u32::from(top) << 8 | u32::from(above) } else { 0 }
    };
    let highest = (0..10).map(hole).fold(0, u32::max);
    let (highest, above) = ((highest >> 8) as usize, (highest & 0xFF) as usize);
    let buried = if highest == 0 { 0 } else { pile.saturating_sub(highest).min(7) };
    (highest.min(19) * 6 + above.min(5)) * 8 + buried
}

/// Where the nine columns left of the well step by so much: bit `c` is the step from column `c` to the next.
struct Steps {
    /// By -3 or less.
    far_down: usize,
    /// By -2.
    two_down: usize,
    down: usize,
    flat: usize,
    up: usize,
    /// By 2.
    two_up: usize,
    /// By 3 or more.
    far_up: usize,
}

impl Steps {
    #[inline]
    fn of(difference: &[i32; 9]) -> Self {
        // A byte for each step.
        let bit = |(c, step): (usize, &i32)| 1u64 << (8 * (step.clamp(&-3, &3) + 3) as usize + c);
        let bits = difference[..8].iter().enumerate().map(bit).fold(0, |all, bit| all | bit);
        let [far_down, two_down, down, flat, up, two_up, far_up, _] = bits.to_le_bytes().map(usize::from);
        Self { far_down, two_down, down, flat, up, two_up, far_up }
    }

    /// The code of [`ROOM`] but for ready rows and bands.
    #[inline]
    fn room(&self) -> usize {
        let &Self { far_down, down, flat, up, far_up, .. } = self;
        let threes = ones(flat & flat >> 1);
        // On either side of the nine columns is a wall.
        let dents = ones((far_down << 1 | 1) & (far_up | 1 << 8));
        let code = (ones(flat).min(4) * 4 + ones(up).min(3)) * 4 + ones(down).min(3);
        (code * 4 + threes.min(3)) * 4 + dents.min(3)
    }

    /// The code of [`FITS`] but for ready rows and bands.
    #[inline]
    fn fits(&self) -> usize {
        let &Self { two_down, down, flat, up, two_up, .. } = self;
        // The step after is of the columns left of the well, too.
        let (flat_after, up_after) = (flat >> 1, up >> 1);
        let s = ones(down) + ones(flat & up_after);
        let z = ones(up) + ones(down & flat_after);
        let t = ones(up) + ones(down) + ones(flat & flat_after | down & up_after);
        let [l, j, i] = [flat | two_down | up & flat_after, flat | two_up, flat & flat_after & flat >> 2]
            .map(|places| usize::from(places != 0));
        let code = ((s.min(2) * 3 + z.min(2)) * 3 + t.min(2)) * 3 + ones(flat).min(2);
        ((code * 2 + l) * 2 + j) * 2 + i
    }
}

/// How many of nine bits are set. The baseline processor has no instruction for that.
#[inline]
fn ones(bits: usize) -> usize {
    const ONES: [u8; 512] = {
        let mut ones = [0; 512];
        let mut bits = 0usize;
        while bits < 512 {
            ones[bits] = bits.count_ones() as u8;
            bits += 1;
        }
        ones
    };
    usize::from(ONES[bits & 511])
}

/// The code of [`CLIFF`] but for the bands. Of equal steps the first is the greatest.
#[inline]
fn cliff(difference: &[i32; 9]) -> usize {
    let (mut greatest, mut second) = (0, 0);
    for (c, &step) in difference[..8].iter().enumerate() {
        let size = step.unsigned_abs() << 3 | (7 - c as u32);
        second = second.max(size.min(greatest));
        greatest = greatest.max(size);
    }
    let (place, second) = (7 - (greatest & 7) as usize, (second >> 3) as usize);
    (place * 21 + (difference[place].clamp(-10, 10) + 10) as usize) * 6 + second.min(5)
}

/// Four rows of `N` columns from the highest top down.
#[inline]
fn cells<const N: usize>(columns: &[u32; 10], heights: &[u8; 10], from: usize) -> usize {
    let highest = heights[from..from + N].iter().fold(0, |a, &b| a.max(b));
    let top = 20 - u32::from(highest);
    columns[from..from + N].iter().fold(0, |code, column| code << 4 | (column >> top & 15) as usize)
}

/// Odds of the next piece after `last`, averaged over the generator's states (docs/how-it-works/the-game.md 4.5).
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
    fn sum(&self, shape: &Shape, level: u8) -> [i16; LANES] {
        let mut sum = [0i16; LANES];
        visit::<true>(shape, speed(level), |at| {
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

    /// Value of a stack for each next piece at the speed of `level`, in tetrises at the level of play.
    pub fn values(&self, shape: &Shape, level: u8) -> [f32; 7] {
        let sum = self.sum(shape, level);
        std::array::from_fn(|piece| f32::from(sum[piece]) * UNIT)
    }

    /// Value of a stack when the next piece is not known and `last` was the one before it.
    pub fn expected(&self, shape: &Shape, level: u8, last: Piece) -> f32 {
        let sum = self.sum(shape, level);
        let dot: i32 =
            sum.iter().zip(&THIRTY_SECONDS[last as usize]).map(|(&v, &o)| i32::from(v) * i32::from(o)).sum();
        dot as f32 * (UNIT / 32.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Board;

    #[test]
    fn every_board_has_entries_in_range_and_all_different() {
        let mut seed = 3u64;
        for fill in 0..400 {
            let rows = std::array::from_fn(|r| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if r < fill % 22 { 0 } else { (seed >> 40) as u16 }
            });
            let found = indices(&Shape::of(&Board::from_rows(rows)), true, 0);
            let apart: std::collections::HashSet<_> = found.iter().collect();
            assert_eq!(apart.len(), PATTERNS);
            assert!(found.iter().all(|&entry| (entry as usize) < COMMON));
        }
    }

    #[test]
    fn each_speed_has_small_tables_of_its_own() {
        let shape = Shape::of(&Board::EMPTY);
        let common = indices(&shape, true, 0);
        for own in 1..SPEEDS {
            let mut copied = std::collections::HashMap::new();
            spread_to(own, |from, to| {
                assert!(!is_own(from) && is_own(to) && to < ENTRIES);
                assert_eq!(copied.insert(from, to), None);
            });
            assert_eq!(copied.len(), OWN);
            let found = indices(&shape, true, own);
            for (&common, &found) in common.iter().zip(&found) {
                assert_eq!(copied.get(&(common as usize)).map_or(common, |&to| to as u32), found);
            }
        }
    }

    #[test]
    fn odds_add_up_to_one() {
        for piece in Piece::ALL {
            assert!((odds(piece).iter().sum::<f32>() - 1.0).abs() < 1e-6, "{piece}");
        }
    }
}
