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
    /// Describes `board` before `next` comes into play. `quality` is what the search says of it, without the lines that led to it, in
    /// tetrises against an ordinary board. `early` says whether pieces fall as slowly as up to level 18.
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
}

/// A network from [`OutcomeInputs`] to an [`Outcome`]: two layers of units that are zero below zero, then two numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct OutcomeNetwork {
    weights: Vec<f32>,
}

/// What the layers gave for one board: the units, then the logit of a top-out and the tetrises.
#[derive(Clone, Copy)]
struct Layers {
    first: [f32; HIDDEN[0]],
    second: [f32; HIDDEN[1]],
    last: [f32; 2],
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

    /// The weights, to change them.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
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

    /// Reads weights from a file that [`Self::encode`] has made; `None` if it has another length.
    pub fn decode(file: &[u8]) -> Option<Self> {
        let (weights, rest) = file.as_chunks::<4>();
        if !rest.is_empty() {
            return None;
        }
        Self::from_weights(weights.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }

    /// Returns the weights as a file: four bytes each, little-endian.
    pub fn encode(&self) -> Vec<u8> {
        self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }

    /// Returns how a game goes on from a board.
    pub fn outcome(&self, inputs: &OutcomeInputs) -> Outcome {
        let [logit, tetrises] = self.run(inputs).last;
        Outcome { topout: share(logit), tetrises }
    }

    fn run(&self, inputs: &OutcomeInputs) -> Layers {
        let first = self.layer::<{ HIDDEN[0] }>(0, &inputs.values).map(|sum| sum.max(0.0));
        let second = self.layer::<{ HIDDEN[1] }>(1, &first).map(|sum| sum.max(0.0));
        let [logit, tetrises] = self.layer::<2>(2, &second);
        Layers {
            first,
            second,
            last: [logit + LOGIT.0 + LOGIT.1 * inputs.quality, tetrises + inputs.quality],
        }
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

    /// Adds to `gradient`, which is as long as the weights, how the error for `target` changes with each weight. The error is four
    /// times the cross-entropy of the top-out and half the square of the difference in tetrises, which counts linearly beyond 4.
    /// Returns both parts.
    pub fn learn(&self, inputs: &OutcomeInputs, target: Outcome, gradient: &mut [f32]) -> [f32; 2] {
        let layers = self.run(inputs);
        let topout = share(layers.last[0]);
        let miss = layers.last[1] - target.tetrises;
        let slopes = [4.0 * (topout - target.topout), miss.clamp(-4.0, 4.0)];
        let back = self.back::<2>(2, &layers.second, slopes, gradient);
        let slopes: [f32; HIDDEN[1]] = std::array::from_fn(|at| back[at]);
        let back = self.back(1, &layers.first, slopes, gradient);
        let slopes: [f32; HIDDEN[0]] = std::array::from_fn(|at| back[at]);
        self.back(0, &inputs.values, slopes, gradient);
        let log = |share: f32| share.max(1e-7).ln();
        let entropy = -target.topout * log(topout) - (1.0 - target.topout) * log(1.0 - topout);
        let size = miss.abs();
        [entropy, if size < 4.0 { size * size / 2.0 } else { 4.0 * size - 8.0 }]
    }

    /// Adds the slopes of a layer's weights, and returns those of its inputs; an input that is zero has none.
    fn back<const N: usize>(
        &self,
        layer: usize,
        inputs: &[f32],
        slopes: [f32; N],
        gradient: &mut [f32],
    ) -> [f32; INPUTS] {
        let (rows, _) = self.weights[BEGIN[layer]..BEGIN[layer + 1]].as_chunks::<N>();
        let (sums, _) = gradient[BEGIN[layer]..BEGIN[layer + 1]].as_chunks_mut::<N>();
        let mut back = [0.0; INPUTS];
        for (((&input, row), sums), back) in inputs.iter().zip(rows).zip(&mut *sums).zip(&mut back) {
            if input != 0.0 {
                sums.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += input * slope);
                *back = row.iter().zip(slopes).map(|(weight, slope)| weight * slope).sum();
            }
        }
        sums[inputs.len()].iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
        back
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

    /// The inputs of a board with ready rows and an uneven top.
    fn inputs() -> OutcomeInputs {
        let board: Board = ("##.##..#..\n".to_owned() + &"#########.\n".repeat(6)).parse().expect("art");
        OutcomeInputs::new(&board, Piece::S, -2.5, false)
    }

    #[test]
    fn the_shipped_weights_are_whole() {
        assert_eq!(EMBEDDED.len(), 4 * OutcomeNetwork::WEIGHTS);
        assert_eq!(OutcomeNetwork::shipped().encode(), EMBEDDED);
        assert!(
            OutcomeNetwork::decode(&EMBEDDED[4..]).is_none()
                && OutcomeNetwork::decode(&EMBEDDED[1..]).is_none()
        );
    }

    #[test]
    fn the_slopes_are_those_of_the_error() {
        let mut dice = maxout_rules::random::Dice::new(3);
        let mut network = OutcomeNetwork {
            weights: (0..OutcomeNetwork::WEIGHTS).map(|_| 0.2 * dice.signed_f32()).collect(),
        };
        let (inputs, target) = (inputs(), Outcome { topout: 0.3, tetrises: -1.0 });
        let error = |network: &OutcomeNetwork| {
            let [entropy, miss] = network.learn(&inputs, target, &mut vec![0.0; OutcomeNetwork::WEIGHTS]);
            f64::from(4.0 * entropy + miss)
        };
        let mut gradient = vec![0.0; OutcomeNetwork::WEIGHTS];
        network.learn(&inputs, target, &mut gradient);
        // Some weights of each layer, and all that have the largest slopes.
        let largest = (0..gradient.len()).max_by(|&a, &b| gradient[a].abs().total_cmp(&gradient[b].abs()));
        let some = (0..gradient.len()).step_by(97).chain(largest).chain(BEGIN[1] - 9..BEGIN[1] + 9);
        for at in some {
            let before = network.weights[at];
            let mut by = |change: f32| {
                network.weights[at] = before + change;
                let error = error(&network);
                network.weights[at] = before;
                error
            };
            let measured = (by(1e-2) - by(-1e-2)) / 2e-2;
            assert!(
                (measured - f64::from(gradient[at])).abs() < 2e-2,
                "weight {at}: {measured}, {}",
                gradient[at]
            );
        }
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
