//! A small convolutional network that says what a board is worth: [`Cnn`]. Its weights are embedded.
//!
//! Cells of the field (walls and floor are solid, above is empty) → 8 filters of 3 × 3, the largest of each 2 × 2 →
//! 16 filters of 3 × 3, the larger of each 2 rows → 32 units → one number: how many tetrises (in points of one at the
//! level of play) follow, each piece later counting [`GAMMA`] as much. Units below zero give zero.

use std::sync::OnceLock;

use thiserror::Error;

pub use super::parameters::GAMMA;
use maxout_engine::eval::{Evaluator, Placed};
use maxout_rules::Board;

/// Filters of the first layer.
pub const FIRST: usize = 8;
/// Filters of the second layer.
pub const SECOND: usize = 16;
/// Units of the third layer.
pub const UNITS: usize = 32;
/// Rows and columns after the first pooling.
pub const HALF: (usize, usize) = (10, 5);
/// Rows after the second pooling.
pub const QUARTER: usize = 5;
/// Inputs of the third layer.
pub const FLAT: usize = QUARTER * HALF.1 * SECOND;

/// Where the first layer's biases begin, behind its taps.
pub const BIAS_1: usize = 9 * FIRST;
/// Where the second layer's taps begin.
pub const TAPS_2: usize = BIAS_1 + FIRST;
/// Where its biases begin.
pub const BIAS_2: usize = TAPS_2 + 9 * FIRST * SECOND;
/// Where the third layer's weights begin.
pub const DENSE: usize = BIAS_2 + SECOND;
/// Where its biases begin.
pub const BIAS_3: usize = DENSE + FLAT * UNITS;
/// Where the last layer's weights begin.
pub const LAST: usize = BIAS_3 + UNITS;
/// Where its bias is.
pub const BIAS_4: usize = LAST + UNITS;
/// Number of weights.
pub const WEIGHTS: usize = BIAS_4 + 1;

/// First bytes of a weights file.
pub const MAGIC: &[u8] = b"maxout-cnn 8x3x3 16x3x3 32\n";
/// The shipped weights.
const EMBEDDED: &[u8] = include_bytes!("cnn.bin");

/// Why bytes are not the weights of a [`Cnn`].
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CnnError {
    /// The bytes are another file, or damaged.
    #[error(
        "expected network weights of {expected} bytes with a sound checksum, found {found} bytes without"
    )]
    NoWeights {
        /// The length of a whole file, in bytes.
        expected: usize,
        /// The length of this one, in bytes.
        found: usize,
    },
}

/// What the layers gave for one board: the laboratory learns from it.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Bits of rows -1..=20, column -1 in bit 0.
    pub rows: [u32; 22],
    /// The first layer, after pooling.
    pub first: [[f32; FIRST]; HALF.0 * HALF.1],
    /// Which of the four cells was the largest.
    pub first_from: [[u8; FIRST]; HALF.0 * HALF.1],
    /// The second layer, after pooling.
    pub second: [[f32; SECOND]; QUARTER * HALF.1],
    /// Which of the two cells was the larger.
    pub second_from: [[u8; SECOND]; QUARTER * HALF.1],
    /// The third layer.
    pub units: [f32; UNITS],
    /// What the board is worth.
    pub value: f32,
}

/// The network: its weights, ready to evaluate boards.
#[derive(Clone, Debug)]
pub struct Cnn {
    weights: Vec<f32>,
    /// Sums of the first layer's weights for each row of the filter and each pattern of three cells.
    table: [[[f32; FIRST]; 8]; 3],
}

impl Cnn {
    /// A network with these [`WEIGHTS`] weights; missing ones are 0.
    pub fn new(mut weights: Vec<f32>) -> Self {
        weights.resize(WEIGHTS, 0.0);
        let mut table = [[[0.0; FIRST]; 8]; 3];
        for (row, patterns) in table.iter_mut().enumerate() {
            for (pattern, sums) in patterns.iter_mut().enumerate() {
                for column in (0..3).filter(|column| pattern >> column & 1 == 1) {
                    add(sums, span(&weights, (3 * row + column) * FIRST), 1.0);
                }
            }
        }
        Self { weights, table }
    }

    /// The weights, in the order in which the file has them.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// What `board` is worth.
    pub fn value(&self, board: &Board) -> f32 {
        self.trace(board).value
    }

    /// What `board` is worth, with what each layer gave on the way.
    pub fn trace(&self, board: &Board) -> Trace {
        let mut trace = Trace {
            rows: [0x801; 22],
            first: [[0.0; FIRST]; HALF.0 * HALF.1],
            first_from: [[0; FIRST]; HALF.0 * HALF.1],
            second: [[0.0; SECOND]; QUARTER * HALF.1],
            second_from: [[0; SECOND]; QUARTER * HALF.1],
            units: [0.0; UNITS],
            value: 0.0,
        };
        for (bits, &row) in trace.rows[1..].iter_mut().zip(board.visible()) {
            *bits |= u32::from(row) << 1;
        }
        trace.rows[21] = 0xFFF;
        self.first_layer(&mut trace);
        self.second_layer(&mut trace);
        let units = self.dense(&trace.second);
        trace.units = units.map(|unit| unit.max(0.0));
        trace.value = self.weights[BIAS_4] + dot(&trace.units, &self.weights[LAST..BIAS_4]);
        trace
    }

    /// The sums of the 32 units. Apart, so that they stay in registers.
    #[inline(never)]
    fn dense(&self, second: &[[f32; SECOND]; QUARTER * HALF.1]) -> [f32; UNITS] {
        let mut units = *span(&self.weights, BIAS_3);
        for (&input, weights) in second.as_flattened().iter().zip(self.weights[DENSE..BIAS_3].as_chunks().0) {
            if input > 0.0 {
                add(&mut units, weights, input);
            }
        }
        units
    }

    fn first_layer(&self, trace: &mut Trace) {
        let bias: [f32; FIRST] = std::array::from_fn(|k| self.weights[BIAS_1 + k]);
        for cell in 0..HALF.0 * HALF.1 {
            for part in 0..4 {
                let (row, column) = (2 * (cell / HALF.1) + part / 2, 2 * (cell % HALF.1) + part % 2);
                let mut sum = bias;
                for (tap, sums) in self.table.iter().enumerate() {
                    add(&mut sum, &sums[(trace.rows[row + tap] >> column & 7) as usize], 1.0);
                }
                keep_larger(&mut trace.first[cell], &mut trace.first_from[cell], &sum, part as u8);
            }
        }
    }

    fn second_layer(&self, trace: &mut Trace) {
        let bias: [f32; SECOND] = std::array::from_fn(|k| self.weights[BIAS_2 + k]);
        for cell in 0..QUARTER * HALF.1 {
            for part in 0..2 {
                let (row, column) = (2 * (cell / HALF.1) + part, cell % HALF.1);
                let sum = self.filtered(&bias, &trace.first, row, column);
                keep_larger(&mut trace.second[cell], &mut trace.second_from[cell], &sum, part as u8);
            }
        }
    }

    /// The sums of the second layer at one cell. Apart, so that they stay in registers.
    #[inline(never)]
    fn filtered(
        &self,
        bias: &[f32; SECOND],
        first: &[[f32; FIRST]; HALF.0 * HALF.1],
        row: usize,
        column: usize,
    ) -> [f32; SECOND] {
        let mut sum = *bias;
        for (tap, from) in neighbours(row, column) {
            let taps = &self.weights[TAPS_2 + tap * FIRST * SECOND..BIAS_2];
            // Zeros are not skipped: the branch would cost more than the sums.
            for (&input, weights) in first[from].iter().zip(taps.as_chunks().0) {
                add(&mut sum, weights, input);
            }
        }
        sum
    }

    /// The weights as a file.
    pub fn encode(&self) -> Vec<u8> {
        let body: Vec<u8> = self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        [MAGIC, &crc32fast::hash(&body).to_le_bytes(), &body].concat()
    }

    /// The network in a weights file.
    pub fn decode(file: &[u8]) -> Result<Self, CnnError> {
        let expected = MAGIC.len() + 4 + 4 * WEIGHTS;
        let error = CnnError::NoWeights { expected, found: file.len() };
        let Some((crc, body)) = file.strip_prefix(MAGIC).and_then(<[u8]>::split_first_chunk::<4>) else {
            return Err(error);
        };
        if file.len() != expected || crc32fast::hash(body) != u32::from_le_bytes(*crc) {
            return Err(error);
        }
        Ok(Self::new(body.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()))
    }

    /// The embedded network.
    ///
    /// # Panics
    /// Never in a build whose tests pass: they read these very bytes.
    pub fn embedded() -> &'static Self {
        static NETWORK: OnceLock<Cnn> = OnceLock::new();
        NETWORK.get_or_init(|| Self::decode(EMBEDDED).expect("the embedded weights are whole"))
    }
}

/// The reward of a clear, in tetrises.
pub fn reward(lines: u8) -> f32 {
    [0.0, 40.0, 100.0, 300.0, 1200.0][usize::from(lines.min(4))] / 1200.0
}

/// The rewards of the placements on the way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paid {
    /// Their rewards, discounted to the first.
    sum: f32,
    /// Discount of what follows.
    discount: f32,
}

impl Default for Paid {
    fn default() -> Self {
        Self { sum: 0.0, discount: 1.0 }
    }
}

impl Evaluator for &Cnn {
    type Trail = Paid;

    fn follow(&self, trail: Paid, placed: &Placed<'_>) -> Paid {
        let sum = trail.sum + trail.discount * reward(placed.lines);
        Paid { sum, discount: GAMMA * trail.discount }
    }

    fn cost(&self, board: &Board, trail: Paid) -> Option<f64> {
        Some(-f64::from(trail.sum + trail.discount * self.value(board)))
    }
}

/// Taps of a 3 × 3 filter at this cell of the halved board, and the cells they lie on.
pub fn neighbours(row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..9).filter_map(move |tap| {
        let (y, x) = ((row + tap / 3).checked_sub(1)?, (column + tap % 3).checked_sub(1)?);
        (y < HALF.0 && x < HALF.1).then_some((tap, y * HALF.1 + x))
    })
}

/// The `N` weights from `at` on.
#[inline]
fn span<const N: usize>(weights: &[f32], at: usize) -> &[f32; N] {
    weights[at..].first_chunk().expect("every layer is within the weights")
}

/// Adds `factor` times the terms. Arrays rather than slices: a length that is known keeps sums in registers.
#[inline]
pub fn add<const N: usize>(sum: &mut [f32; N], terms: &[f32; N], factor: f32) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += factor * term;
    }
}

/// The sum of the products, in four parts, which compilers add side by side.
#[inline]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

#[inline]
fn keep_larger<const N: usize>(best: &mut [f32; N], from: &mut [u8; N], new: &[f32; N], part: u8) {
    for k in 0..N {
        let larger = new[k] > best[k];
        best[k] = if larger { new[k] } else { best[k] };
        from[k] = if larger { part } else { from[k] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grids::{Dice, bits};

    /// The layers as the module's text says them, cell by cell.
    #[test]
    fn agrees_with_a_plain_reading_of_its_layers_on_ten_thousand_boards() {
        let network = Cnn::embedded();
        let w = network.weights();
        for seed in 0..10_000 {
            let board = bits(&mut Dice::new(seed), seed as usize % 21, 0);
            let cell = |row: i32, column: i32| {
                !(0..10).contains(&column) || row >= 20 || row >= 0 && board.is_solid(row as i8, column as i8)
            };
            let mut half = vec![vec![[0.0f32; FIRST]; 5]; 10];
            for (row, column, k) in each(20, 10, FIRST) {
                let mut sum = w[BIAS_1 + k];
                for tap in 0..9 {
                    let (y, x) = (row as i32 + tap / 3 - 1, column as i32 + tap % 3 - 1);
                    sum += if cell(y, x) { w[tap as usize * FIRST + k] } else { 0.0 };
                }
                half[row / 2][column / 2][k] = half[row / 2][column / 2][k].max(sum);
            }
            let mut quarter = vec![0.0f32; FLAT];
            for (row, column, k) in each(10, 5, SECOND) {
                let mut sum = w[BIAS_2 + k];
                for tap in 0..9 {
                    let (y, x) = (row as i32 + tap / 3 - 1, column as i32 + tap % 3 - 1);
                    if (0..10).contains(&y) && (0..5).contains(&x) {
                        for i in 0..FIRST {
                            let weight = w[TAPS_2 + (tap as usize * FIRST + i) * SECOND + k];
                            sum += half[y as usize][x as usize][i] * weight;
                        }
                    }
                }
                let at = (row / 2 * 5 + column) * SECOND + k;
                quarter[at] = quarter[at].max(sum);
            }
            let mut value = w[BIAS_4];
            for unit in 0..UNITS {
                let inputs = quarter.iter().enumerate();
                let sum: f32 = inputs.map(|(i, input)| input * w[DENSE + i * UNITS + unit]).sum();
                value += (sum + w[BIAS_3 + unit]).max(0.0) * w[LAST + unit];
            }
            let got = network.value(&board);
            assert!((got - value).abs() < 1e-3, "{got} {value}");
        }
    }

    fn each(rows: usize, columns: usize, filters: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..rows * columns * filters)
            .map(move |i| (i / filters / columns, i / filters % columns, i % filters))
    }

    #[test]
    fn weights_pack_and_unpack_and_damage_is_seen() {
        let mut file = Cnn::embedded().encode();
        assert_eq!(file, EMBEDDED);
        file[100] ^= 1;
        assert!(Cnn::decode(&file).is_err());
        assert!(Cnn::decode(b"").is_err());
    }
}
