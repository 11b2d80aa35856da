//! The game's field page (RAM 0400–04FF): the 20 visible rows, the bytes below them, and the two rows above.
//!
//! The page is stored as three 256-bit planes instead of 256 bytes. Occupancy decides everything; the two colour planes
//! only remember which tile a cell shows. Bit i is the byte at 0400 + i.

use std::fmt;

use super::piece::PieceId;
use serde::{Deserialize, Serialize};

/// The tile of an empty cell.
pub const EMPTY: u8 = 0xEF;
/// The tile of the curtain that falls after a top-out.
pub const CURTAIN: u8 = 0x4F;
/// The tiles a cell can hold besides [`EMPTY`], by colour code.
const TILES: [u8; 4] = [0x7B, 0x7C, 0x7D, CURTAIN];

/// A 256-bit set, bit 0 first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Plane([u64; 4]);

impl Plane {
    const fn get(&self, i: u8) -> bool {
        self.0[(i >> 6) as usize] >> (i & 63) & 1 == 1
    }

    fn put(&mut self, i: u8, on: bool) {
        let word = &mut self.0[(i >> 6) as usize];
        *word = *word & !(1 << (i & 63)) | u64::from(on) << (i & 63);
    }

    /// Returns ten bits from bit `from` on (at most 246).
    const fn ten(&self, from: u8) -> u16 {
        let (word, shift) = ((from >> 6) as usize, from & 63);
        let mut bits = self.0[word] >> shift;
        if shift > 54 && word < 3 {
            bits |= self.0[word + 1] << (64 - shift);
        }
        bits as u16 & 0x3FF
    }

    /// Sets the bits of `bits` from bit `from` on (at most 246).
    fn or_ten(&mut self, from: u8, bits: u16) {
        let (word, shift) = ((from >> 6) as usize, from & 63);
        self.0[word] |= u64::from(bits) << shift;
        if shift > 54 && word < 3 {
            self.0[word + 1] |= u64::from(bits) >> (64 - shift);
        }
    }

    /// Moves bits 0..`end` - 10 up by ten, clears bits 0..10 and leaves the rest. `end` is 1..=256.
    fn push_ten(&mut self, end: usize) {
        let old = self.0;
        let mut carry = 0;
        for (w, word) in self.0.iter_mut().enumerate() {
            let moved = old[w] << 10 | carry;
            carry = old[w] >> 54;
            let low = end.saturating_sub(64 * w).min(64);
            let mask = if low == 64 { u64::MAX } else { (1 << low) - 1 };
            *word = old[w] & !mask | moved & mask;
        }
    }
}

/// The field page. Rows are numbered from 0 (top) to 19; rows -1 and -2 exist, off screen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Page {
    solid: Plane,
    colour: [Plane; 2],
}

impl Page {
    /// Returns a page of empty cells.
    pub const fn empty() -> Self {
        const NONE: Plane = Plane([0; 4]);
        Self { solid: NONE, colour: [NONE; 2] }
    }

    /// Returns the index of a cell in rows -2 to 19. Other rows wrap as they do in the game.
    pub const fn index(row: i8, column: i8) -> u8 {
        (row as u8).wrapping_mul(10).wrapping_add(column as u8)
    }

    /// Whether the cell at `index` is not empty.
    pub const fn is_solid(&self, index: u8) -> bool {
        self.solid.get(index)
    }

    /// Returns the ten cells of a row, -2 to 20, as bits; bit 0 is column 0.
    pub const fn row(&self, row: i8) -> u16 {
        let from = Self::index(row, 0);
        self.solid.ten(from)
    }

    /// Returns the tile at `index`.
    pub fn byte(&self, index: u8) -> u8 {
        if !self.solid.get(index) {
            return EMPTY;
        }
        let code = usize::from(self.colour[0].get(index)) + 2 * usize::from(self.colour[1].get(index));
        TILES[code]
    }

    /// Writes a tile. Returns false and writes nothing if no cell of the game ever holds `byte`.
    pub fn set_byte(&mut self, index: u8, byte: u8) -> bool {
        let code = TILES.iter().position(|&t| t == byte);
        if code.is_none() && byte != EMPTY {
            return false;
        }
        self.solid.put(index, code.is_some());
        let code = code.unwrap_or(0);
        self.colour[0].put(index, code & 1 == 1);
        self.colour[1].put(index, code & 2 == 2);
        true
    }

    /// Clears the full row `row`: the rows above move down. For row 0 the game's copy loop runs over the whole page
    /// (the-game.md 2.5), so everything moves down by ten bytes.
    pub fn clear_row(&mut self, row: u8) {
        let end = if row == 0 { 256 } else { 10 * (usize::from(row) + 1) };
        self.solid.push_ten(end);
        self.colour[0].push_ten(end);
        self.colour[1].push_ten(end);
    }

    /// Locks `id` at (x, y), which must be valid, and clears the rows that it completes; the game takes several frames
    /// for this. Returns the number of lines as the game counts them.
    pub fn lock(&mut self, x: u8, y: u8, id: impl Into<PieceId>) -> u8 {
        let id = id.into();
        for &(dx, dy) in id.cells() {
            self.set_byte(Self::index((y as i8).wrapping_add(dy), (x as i8).wrapping_add(dx)), id.tile());
        }
        let top = y.saturating_sub(2);
        (top..top + 4)
            .map(|row| {
                let full = self.row(row as i8) == 0x3FF;
                if full {
                    self.clear_row(row);
                }
                u8::from(full)
            })
            .sum()
    }

    /// Makes a page with these 22 rows, row -2 first, in tile 7B, and with nothing below the field.
    pub fn from_rows(rows: &[u16; 22]) -> Self {
        let mut page = Self::empty();
        for (row, &bits) in (-2..20).zip(rows) {
            page.solid.or_ten(Self::index(row, 0), bits);
        }
        page
    }

    /// Returns all 256 bytes.
    pub fn bytes(&self) -> [u8; 256] {
        std::array::from_fn(|i| self.byte(i as u8))
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in -2..20 {
            let bits = self.row(row);
            for column in 0..10 {
                write!(f, "{}", if bits >> column & 1 == 1 { '#' } else { '.' })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
