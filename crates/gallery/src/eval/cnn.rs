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
const FIRST: usize = 8;
/// Filters of the second layer.
const SECOND: usize = 16;
/// Units of the third layer.
const UNITS: usize = 32;
/// Rows and columns after the first pooling.
const HALF: (usize, usize) = (10, 5);
/// Rows after the second pooling.
const QUARTER: usize = 5;
/// Inputs of the third layer.
const FLAT: usize = QUARTER * HALF.1 * SECOND;

// Where the weights of each layer begin.
const BIAS_1: usize = 9 * FIRST;
const TAPS_2: usize = BIAS_1 + FIRST;
const BIAS_2: usize = TAPS_2 + 9 * FIRST * SECOND;
const DENSE: usize = BIAS_2 + SECOND;
const BIAS_3: usize = DENSE + FLAT * UNITS;
const LAST: usize = BIAS_3 + UNITS;
const BIAS_4: usize = LAST + UNITS;
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

/// What the layers gave for one board, kept for learning from it.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Bits of rows -1..=20, column -1 in bit 0.
    rows: [u32; 22],
    first: [[f32; FIRST]; HALF.0 * HALF.1],
    /// Which of the four cells was the largest.
    first_from: [[u8; FIRST]; HALF.0 * HALF.1],
    second: [[f32; SECOND]; QUARTER * HALF.1],
    second_from: [[u8; SECOND]; QUARTER * HALF.1],
    units: [f32; UNITS],
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
        let mut network = Self { weights, table: [[[0.0; FIRST]; 8]; 3] };
        network.refresh();
        network
    }

    /// A network that knows nothing and hopes for `hope` everywhere; `random` gives numbers from -1 to 1.
    pub fn untrained(hope: f32, mut random: impl FnMut() -> f32) -> Self {
        let mut weights = vec![0.0; WEIGHTS];
        for (range, inputs) in [(0..BIAS_1, 9), (TAPS_2..BIAS_2, 9 * FIRST), (DENSE..BIAS_3, FLAT)] {
            let bound = (6.0 / inputs as f32).sqrt();
            weights[range].iter_mut().for_each(|weight| *weight = bound * random());
        }
        weights[LAST..BIAS_4].iter_mut().for_each(|weight| *weight = 0.1 * random());
        weights[BIAS_4] = hope;
        Self::new(weights)
    }

    /// The weights, in the order in which the file has them.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Lets `change` change the weights.
    pub fn adjust(&mut self, change: impl FnOnce(&mut [f32])) {
        change(&mut self.weights);
        self.refresh();
    }

    fn refresh(&mut self) {
        for (row, patterns) in self.table.iter_mut().enumerate() {
            for (pattern, sums) in patterns.iter_mut().enumerate() {
                *sums = [0.0; FIRST];
                for column in (0..3).filter(|column| pattern >> column & 1 == 1) {
                    let from = (3 * row + column) * FIRST;
                    add(sums, span(&self.weights, from), 1.0);
                }
            }
        }
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

    /// Adds to `gradient` how the value of `trace` depends on each weight, times `scale`.
    pub fn learn(&self, trace: &Trace, scale: f32, gradient: &mut [f32]) {
        gradient[BIAS_4] += scale;
        add(span_mut(gradient, LAST), &trace.units, scale);
        let units: [f32; UNITS] = std::array::from_fn(|unit| {
            if trace.units[unit] > 0.0 { scale * self.weights[LAST + unit] } else { 0.0 }
        });
        add(span_mut(gradient, BIAS_3), &units, 1.0);
        let mut at_first = [[0.0f32; FIRST]; HALF.0 * HALF.1];
        for cell in 0..QUARTER * HALF.1 {
            // How the value depends on the outputs of the two rows of this cell.
            let mut parts = [[0.0f32; SECOND]; 2];
            for (k, &input) in trace.second[cell].iter().enumerate() {
                if input > 0.0 {
                    let at = DENSE + (cell * SECOND + k) * UNITS;
                    add(span_mut(gradient, at), &units, input);
                    let part = usize::from(trace.second_from[cell][k]);
                    parts[part][k] = dot(&units, &self.weights[at..at + UNITS]);
                }
            }
            for (part, slopes) in parts.iter().enumerate() {
                add(span_mut(gradient, BIAS_2), slopes, 1.0);
                let (row, column) = (2 * (cell / HALF.1) + part, cell % HALF.1);
                for (tap, from) in neighbours(row, column) {
                    for (i, &input) in trace.first[from].iter().enumerate() {
                        if input > 0.0 {
                            let at = TAPS_2 + (tap * FIRST + i) * SECOND;
                            add(span_mut(gradient, at), slopes, input);
                            at_first[from][i] += dot(slopes, &self.weights[at..at + SECOND]);
                        }
                    }
                }
            }
        }
        for (cell, slopes) in at_first.iter().enumerate() {
            for (k, &slope) in slopes.iter().enumerate() {
                if slope == 0.0 {
                    continue;
                }
                gradient[BIAS_1 + k] += slope;
                let part = usize::from(trace.first_from[cell][k]);
                let (row, column) = (2 * (cell / HALF.1) + part / 2, 2 * (cell % HALF.1) + part % 2);
                for tap in (0..9).filter(|tap| trace.rows[row + tap / 3] >> (column + tap % 3) & 1 == 1) {
                    gradient[tap * FIRST + k] += slope;
                }
            }
        }
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
fn neighbours(row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
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

/// The `N` slopes from `at` on.
#[inline]
fn span_mut<const N: usize>(gradient: &mut [f32], at: usize) -> &mut [f32; N] {
    gradient[at..].first_chunk_mut().expect("a gradient is as long as the weights")
}

/// Arrays rather than slices: a length that is known keeps sums in registers.
#[inline]
fn add<const N: usize>(sum: &mut [f32; N], terms: &[f32; N], factor: f32) {
    for (sum, term) in sum.iter_mut().zip(terms) {
        *sum += factor * term;
    }
}

/// In four parts, which compilers add side by side.
#[inline]
fn dot(a: &[f32], b: &[f32]) -> f32 {
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

    /// Weights of a network that has few kinks near the boards of these tests.
    fn numbers() -> impl FnMut() -> f32 {
        let mut dice = Dice::from_state(5);
        move || dice.signed_f32()
    }

    /// The layers as the module's text says them, cell by cell.
    #[test]
    fn agrees_with_a_plain_reading_of_its_layers_on_ten_thousand_boards() {
        let network = Cnn::untrained(4.0, numbers());
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
    fn the_gradient_is_the_slope_of_the_value() {
        let network = Cnn::untrained(0.0, numbers());
        let board = bits(&mut Dice::new(9), 12, 0);
        let mut gradient = vec![0.0; WEIGHTS];
        network.learn(&network.trace(&board), 1.0, &mut gradient);
        let mut close = 0;
        for weight in (0..WEIGHTS).step_by(7) {
            let shifted = |by: f32| {
                let mut weights = network.weights().to_vec();
                weights[weight] += by;
                Cnn::new(weights).value(&board)
            };
            let slope = (shifted(1e-2) - shifted(-1e-2)) / 2e-2;
            // A step across a kink gives another slope.
            close += u32::from((slope - gradient[weight]).abs() < 0.02 * slope.abs() + 2e-3);
        }
        let checked = WEIGHTS.div_ceil(7) as u32;
        assert!(close > checked * 97 / 100, "{close} of {checked}");
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
