//! How a game goes on from a board up to level 28: [`Outcome`], by a small network that was trained on boards of many styles of play.
//!
//! A search values the boards that its own player meets. Of boards that others build (tall clean stacks, holes, a slip a few
//! pieces ago) it thinks too little. So this network looks at the cells themselves.

use std::sync::LazyLock;

use crate::eval::Shape;
use maxout_rules::{Board, Piece};

/// Units of the two hidden layers.
const HIDDEN: [usize; 2] = [192, 48];
/// Cells of a board.
const CELLS: usize = 200;
/// Numbers that the network looks at: the cells, then what is said of columns, rows, the next piece and the search's value.
const INPUTS: usize = CELLS + 10 + 10 + 2 + 9 + 9 + 2 + 7 + 6;
/// The layers: inputs and outputs of each.
const LAYERS: [[usize; 2]; 3] = [[INPUTS, HIDDEN[0]], HIDDEN, [HIDDEN[1], 2]];
/// Where the weights of each layer begin. The biases of a layer follow its weights.
const BEGIN: [usize; 4] = {
    let mut begin = [0; 4];
    let mut layer = 0;
    while layer < LAYERS.len() {
        begin[layer + 1] = begin[layer] + (LAYERS[layer][0] + 1) * LAYERS[layer][1];
        layer += 1;
    }
    begin
};
/// Qualities beyond these are not told apart.
const QUALITIES: (f32, f32) = (-20.0, 3.0);
/// Without weights, the logit of a top-out at quality 0, and how much more it is for each tetris less.
const LOGIT: (f32, f32) = (-4.5, -0.55);

/// The shipped weights, four bytes each, little-endian.
static EMBEDDED: &[u8] = include_bytes!("outcome.bin");

/// How a game goes on from a board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The probability of losing the game by this board, 0 to 1. Later top-outs, as from any board, are not counted.
    pub topout: f32,
    /// How much more it makes than an ordinary board if the game is not lost, in tetrises.
    pub tetrises: f32,
}

/// A board after a placement, as the network sees it.
#[derive(Clone, Debug)]
pub struct OutcomeInputs {
    values: [f32; INPUTS],
    quality: f32,
}

impl OutcomeInputs {
    /// Describes `board` before `next` comes into play. `quality` is what the search says of it, in tetrises against an
    /// ordinary board with as few lines left ([`Outlook::quality_after`](super::Outlook::quality_after)). `early` says whether pieces fall as slowly as up to level 18.
    pub fn new(board: &Board, next: Piece, quality: f32, early: bool) -> Self {
        let mut values = [0.0; INPUTS];
        let (cells, mut rest) = values.split_at_mut(CELLS);
        let (mut full, mut ready) = (0.0, 0.0);
        for (row, cells) in board.visible().iter().zip(cells.chunks_exact_mut(10)) {
            for (column, cell) in cells.iter_mut().enumerate() {
                *cell = f32::from(row >> column & 1);
            }
            full += f32::from(u8::from((row & 0x3ff).count_ones() == 9));
            ready += f32::from(u8::from(row & 0x3ff == 0x1ff));
        }
        let shape = Shape::of(board);
        let heights = shape.heights.map(f32::from);
        let mut put = |numbers: &[f32]| {
            let (here, behind) = std::mem::take(&mut rest).split_at_mut(numbers.len());
            here.copy_from_slice(numbers);
            rest = behind;
        };
        put(&heights.map(|height| height / 8.0));
        put(&shape.holes.map(|holes| f32::from(holes) / 2.0));
        put(&[full / 4.0, ready / 4.0]);
        let steps: [f32; 9] = std::array::from_fn(|at| heights[at + 1] - heights[at]);
        put(&steps.map(|step| step / 4.0));
        put(&steps.map(|step| step.clamp(-2.0, 2.0) / 2.0));
        put(&[shape.cells() as f32 / 80.0, heights.iter().fold(0.0f32, |a, &b| a.max(b)) / 10.0]);
        put(&Piece::ALL.map(|piece| f32::from(u8::from(piece == next))));
        let quality = quality.clamp(QUALITIES.0, QUALITIES.1);
        let below = |knot: f32| (quality + knot).min(0.0) / 4.0;
        put(&[
            quality / 4.0,
            quality.max(0.0),
            below(1.0),
            below(3.0),
            below(6.0),
            f32::from(u8::from(early)),
        ]);
        Self { values, quality }
    }

    /// Returns the numbers that the network looks at.
    pub const fn values(&self) -> &[f32] {
        &self.values
    }
}

/// A network from [`OutcomeInputs`] to an [`Outcome`]: two layers of units that are zero below zero, then two numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct OutcomeNetwork {
    weights: Vec<f32>,
}

impl OutcomeNetwork {
    /// The number of weights.
    pub const WEIGHTS: usize = BEGIN[3];

    /// The inputs and outputs of each layer, for whoever draws the first weights. A layer's weights stand input by input, one for each
    /// output, and its biases stand behind them.
    pub const LAYERS: [[usize; 2]; 3] = LAYERS;

    /// Makes a network of weights, or returns `None` if their number is not [`Self::WEIGHTS`].
    pub fn from_weights(weights: Vec<f32>) -> Option<Self> {
        (weights.len() == Self::WEIGHTS).then_some(Self { weights })
    }

    /// Returns the shipped network.
    ///
    /// # Panics
    /// Never in a build whose tests pass: they read these very bytes.
    pub fn shipped() -> &'static Self {
        static NETWORK: LazyLock<OutcomeNetwork> =
            LazyLock::new(|| OutcomeNetwork::decode(EMBEDDED).expect("the shipped weights are whole"));
        &NETWORK
    }

    /// Reads weights of four bytes each, little-endian; `None` if their number is another.
    fn decode(file: &[u8]) -> Option<Self> {
        let (weights, rest) = file.as_chunks::<4>();
        let weights = weights.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        Self::from_weights(weights).filter(|_| rest.is_empty())
    }

    /// Returns how a game goes on from a board.
    pub fn outcome(&self, inputs: &OutcomeInputs) -> Outcome {
        let first = self.layer::<{ HIDDEN[0] }>(0, &inputs.values).map(|sum| sum.max(0.0));
        let second = self.layer::<{ HIDDEN[1] }>(1, &first).map(|sum| sum.max(0.0));
        let [logit, tetrises] = self.layer::<2>(2, &second);
        let logit = logit + LOGIT.0 + LOGIT.1 * inputs.quality;
        Outcome { topout: share(logit), tetrises: tetrises + inputs.quality }
    }

    /// The sums of a layer. Most inputs are zero.
    fn layer<const N: usize>(&self, layer: usize, inputs: &[f32]) -> [f32; N] {
        let (rows, _) = self.weights[BEGIN[layer]..BEGIN[layer + 1]].as_chunks::<N>();
        let mut sums = rows[inputs.len()];
        for (&input, row) in inputs.iter().zip(rows) {
            if input != 0.0 {
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
            }
        }
        sums
    }
}

/// The logistic function, with the same bits on every machine: the exponential is a power of 1,024.
pub(super) fn share(logit: f32) -> f32 {
    let mut power = 1.0 - f64::from(logit.clamp(-30.0, 30.0)) / 1024.0;
    for _ in 0..10 {
        power *= power;
    }
    (1.0 / (1.0 + power)) as f32
}

/// The 1,024th root. Square roots have the same bits on every machine.
fn root(number: f64) -> f64 {
    (0..10).fold(number, |root, _| root.sqrt())
}

/// The natural logarithm, with the same bits on every machine.
pub(super) fn ln(number: f32) -> f32 {
    let root = root(number.into());
    (512.0 * (root - 1.0 / root)) as f32
}

/// `base` from 0 to 1, raised to `exponent`, with the same bits on every machine.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    let step = (1.0 + exponent * (root(base) - 1.0)).max(0.0);
    (0..10).fold(step, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_are_whole() {
        assert_eq!(EMBEDDED.len(), 4 * OutcomeNetwork::WEIGHTS);
        let decodes = |file| OutcomeNetwork::decode(file).is_some();
        assert!(decodes(EMBEDDED) && !decodes(&EMBEDDED[4..]) && !decodes(&EMBEDDED[1..]));
    }

    #[test]
    fn logarithms_and_powers_are_those_of_the_library() {
        for number in [0.002f32, 0.1, 0.5, 0.98, 1.0, 2.0, 500.0] {
            assert!((ln(number) - number.ln()).abs() < 1e-3, "{number}");
        }
        for base in [0.0, 0.001, 0.1, 0.5, 0.9, 0.98, 1.0] {
            for exponent in [1.0, 1.12, 2.26, 5.26] {
                assert!((power(base, exponent) - base.powf(exponent)).abs() < 1e-3, "{base}, {exponent}");
            }
        }
    }

    #[test]
    fn shares_are_logistic() {
        for logit in [-12.0f32, -3.0, 0.0, 0.5, 4.0, 20.0] {
            let exact = 1.0 / (1.0 + (-f64::from(logit)).exp());
            // A tenth of the smaller share, or what single precision cannot tell from 1.
            let bound = (0.1 * exact.min(1.0 - exact)).max(1e-7);
            assert!((f64::from(share(logit)) - exact).abs() < bound, "{logit}");
        }
    }
}
