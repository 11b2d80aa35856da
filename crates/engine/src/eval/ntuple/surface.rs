//! Counts and codes of a board's surface, its holes and its rows, a few operations each.
//!
//! `wanted` and `dig` are not inlined: the caller has no registers to spare, and is faster without their loops.

use crate::eval::Shape;

/// The column of the well.
pub(super) const WELL: usize = 9;

/// Rows of `full`, one above the other, from `height` up.
#[inline]
pub(super) fn rows_above(full: u32, height: i32) -> usize {
    // Row 0 is the lowest bit; count from the row above the top up, towards bit 0.
    let above = 20 - height as u32;
    if above == 0 { 0 } else { (full << (32 - above)).leading_ones() as usize }
}

/// Cells that each of five rows from the well's height up still wants, the well's own aside, up to 4: the lowest row is
/// the most significant digit.
#[inline(never)]
pub(super) fn wanted(columns: &[u32; 10], well: i32) -> usize {
    // Empty cells of each row, counted in three bit planes.
    let (mut ones, mut twos, mut more) = (0u32, 0u32, 0u32);
    for column in &columns[..WELL] {
        let carry = ones & !column;
        ones ^= !column;
        more |= twos & carry;
        twos ^= carry;
    }
    (1..=5).fold(0, |code, above| {
        // Above the field all is wanted.
        let digit = match u32::try_from(20 - well - above) {
            Ok(row) if more >> row & 1 == 0 => (ones >> row & 1) + 2 * (twos >> row & 1),
            _ => 4,
        };
        code * 5 + digit as usize
    })
}

/// The highest hole: its height, the cells above it in its column, and the rows above it up to the max height.
#[inline(never)]
pub(super) fn dig(shape: &Shape, max_height: usize) -> [usize; 3] {
    let Shape { heights, holes, cover, .. } = shape;
    // Of each column the height of its highest hole, and how many cells are above that.
    let hole = |c: usize| {
        let (top, above) = (heights[c] - cover[c], cover[c]);
        if holes[c] > 0 { u32::from(top) << 8 | u32::from(above) } else { 0 }
    };
    let highest = (0..10).map(hole).fold(0, u32::max);
    let (highest, above) = ((highest >> 8) as usize, (highest & 0xFF) as usize);
    let buried = if highest == 0 { 0 } else { max_height.saturating_sub(highest) };
    [highest, above, buried]
}

/// The place of the greatest step of the surface, that step from -10 to 10 as 0 to 20, and the size of the second
/// greatest. Of equal steps the first is the greatest.
#[inline]
pub(super) fn cliff(steps: &[i32; 9]) -> [usize; 3] {
    let (mut greatest, mut second) = (0, 0);
    for (c, &step) in steps[..8].iter().enumerate() {
        let size = step.unsigned_abs() << 3 | (7 - c as u32);
        second = second.max(size.min(greatest));
        greatest = greatest.max(size);
    }
    let (place, second) = (7 - (greatest & 7) as usize, (second >> 3) as usize);
    [place, (steps[place].clamp(-10, 10) + 10) as usize, second]
}

/// The column of the highest hole, the leftmost of several; 10 without holes.
#[inline]
pub(super) fn dig_column(shape: &Shape) -> usize {
    let Shape { heights, holes, cover, .. } = shape;
    let mut highest = (0, 10);
    for c in 0..10 {
        let height = if holes[c] > 0 { heights[c] - cover[c] } else { 0 };
        if height > highest.0 {
            highest = (height, c);
        }
    }
    highest.1
}

/// Cells that each of the three rows above the highest hole wants, the well's own aside, up to 4: the lowest row is the
/// most significant digit. 0 without holes; `hole` is the height of the highest one.
#[inline]
pub(super) fn dig_missing(columns: &[u32; 10], hole: usize) -> usize {
    if hole == 0 {
        return 0;
    }
    (hole + 1..=hole + 3).fold(0, |code, height| {
        // Above the field all is wanted.
        let missing = 20usize.checked_sub(height).map_or(4, |row| {
            let solid: u32 = columns[..WELL].iter().map(|column| column >> row & 1).sum();
            (WELL - solid as usize).min(4)
        });
        code * 5 + missing
    })
}

/// What a surface is worth depends most on this: see `Mode`.
#[inline]
pub(super) const fn mode(holes: usize, ready: usize) -> usize {
    match (holes, ready) {
        (0, 0) => 0,
        (0, 1 | 2) => 1,
        (0, 3) => 2,
        (0, _) => 3,
        (1, 0) => 4,
        (1, _) => 5,
        (2 | 3, _) => 6,
        _ => 7,
    }
}

/// `ROWS` rows of `COLUMNS` columns from the highest top down.
#[inline]
pub(super) fn cells<const COLUMNS: usize, const ROWS: usize>(
    columns: &[u32; 10],
    heights: &[u8; 10],
    from: usize,
) -> usize {
    let highest = heights[from..from + COLUMNS].iter().fold(0, |a, &b| a.max(b));
    let top = 20 - u32::from(highest);
    let rows = (1 << ROWS) - 1;
    columns[from..from + COLUMNS]
        .iter()
        .fold(0, |code, column| code << ROWS | (column >> top & rows) as usize)
}

/// Where the surface steps by a given number of rows: bit `c` is the step from column `c` to the next.
#[derive(Default)]
pub(super) struct Places {
    /// By -3 or less.
    far_down: usize,
    /// By -2.
    two_down: usize,
    /// By -1.
    pub down: usize,
    /// By 0.
    pub flat: usize,
    /// By 1.
    pub up: usize,
    /// By 2.
    two_up: usize,
    /// By 3 or more.
    far_up: usize,
}

impl Places {
    #[inline]
    pub fn of(steps: &[i32; 9]) -> Self {
        // A byte for each step.
        let bit = |(c, step): (usize, &i32)| 1u64 << (8 * (step.clamp(&-3, &3) + 3) as usize + c);
        let bits = steps[..8].iter().enumerate().map(bit).fold(0, |all, bit| all | bit);
        let [far_down, two_down, down, flat, up, two_up, far_up, _] = bits.to_le_bytes().map(usize::from);
        Self { far_down, two_down, down, flat, up, two_up, far_up }
    }

    /// The first two of three columns of equal height.
    #[inline]
    pub fn threes(&self) -> usize {
        self.flat & self.flat >> 1
    }

    /// Columns of the surface that only an I fills. On either side of the surface is a wall.
    #[inline]
    pub fn i_dependencies(&self) -> usize {
        (self.far_down << 1 | 1) & (self.far_up | 1 << 8)
    }

    // The second step of three columns is on the surface, too: the shift leaves the well out.

    /// Places for S: a step down, or a flat and a step up.
    #[inline]
    pub fn fits_s(&self) -> usize {
        ones(self.down) + ones(self.flat & self.up >> 1)
    }

    /// Places for Z: a step up, or a step down and a flat.
    #[inline]
    pub fn fits_z(&self) -> usize {
        ones(self.up) + ones(self.down & self.flat >> 1)
    }

    /// Places for T: a step up or down, three equal columns, or a notch of one.
    #[inline]
    pub fn fits_t(&self) -> usize {
        ones(self.up) + ones(self.down) + ones(self.threes() | self.down & self.up >> 1)
    }

    /// Whether L fits somewhere: on two equal columns, at two down, or at one up and a flat.
    #[inline]
    pub fn fits_l(&self) -> bool {
        self.flat | self.two_down | self.up & self.flat >> 1 != 0
    }

    /// Whether J fits somewhere: on two equal columns, or at two up. A flat and one down has the two equal columns.
    #[inline]
    pub fn fits_j(&self) -> bool {
        self.flat | self.two_up != 0
    }

    /// Whether a lying I fits somewhere: on four equal columns.
    #[inline]
    pub fn fits_i(&self) -> bool {
        self.threes() & self.flat >> 2 != 0
    }
}

/// How many of nine bits are set. The baseline processor has no instruction for that.
#[inline]
pub(super) fn ones(bits: usize) -> usize {
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
