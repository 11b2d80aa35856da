//! Training of an [`OutcomeNetwork`]: how the error of what it says changes with each weight ([`add_slopes`]).

use maxout_engine::analysis::{Outcome, OutcomeInputs, OutcomeNetwork};

/// Where the weights of a layer begin.
fn begin(layer: usize) -> usize {
    OutcomeNetwork::LAYERS[..layer].iter().map(|[inputs, outputs]| (inputs + 1) * outputs).sum()
}

/// The units of a hidden layer. Most inputs are zero.
fn units(weights: &[f32], layer: usize, inputs: &[f32]) -> Vec<f32> {
    let (rows, biases) =
        weights[begin(layer)..begin(layer + 1)].split_at(OutcomeNetwork::LAYERS[layer].iter().product());
    let mut sums = biases.to_vec();
    for (&input, row) in inputs.iter().zip(rows.chunks_exact(biases.len())) {
        if input != 0.0 {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
        }
    }
    sums.into_iter().map(|sum| sum.max(0.0)).collect()
}

/// Adds to `gradient` how the error of a network with these weights changes with each of them, where it says `said` of a board and should say
/// `target`. The error is four times the cross-entropy of the top-out and, as far as the game is not lost, half the square of the difference in
/// tetrises, which counts linearly beyond 4. Returns both parts.
pub fn add_slopes(
    weights: &[f32],
    inputs: &OutcomeInputs,
    said: Outcome,
    target: Outcome,
    gradient: &mut [f32],
) -> [f32; 2] {
    let first = units(weights, 0, inputs.values());
    let second = units(weights, 1, &first);
    let miss = said.tetrises - target.tetrises;
    // What a lost game would have made is not known.
    let alive = 1.0 - target.topout;
    let mut slopes = vec![4.0 * (said.topout - target.topout), alive * miss.clamp(-4.0, 4.0)];
    for (layer, inputs) in [inputs.values(), &first, &second].into_iter().enumerate().rev() {
        let part = begin(layer)..begin(layer + 1);
        slopes = back(&weights[part.clone()], inputs, &slopes, &mut gradient[part]);
    }
    let log = |share: f32| share.max(1e-7).ln();
    let entropy = -target.topout * log(said.topout) - (1.0 - target.topout) * log(1.0 - said.topout);
    let size = miss.abs();
    [entropy, alive * if size < 4.0 { size * size / 2.0 } else { 4.0 * size - 8.0 }]
}

/// Adds the slopes of a layer's weights, and returns those of its inputs; an input that is zero has none.
fn back(weights: &[f32], inputs: &[f32], slopes: &[f32], gradient: &mut [f32]) -> Vec<f32> {
    let (sums, biases) = gradient.split_at_mut(inputs.len() * slopes.len());
    biases.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope);
    let rows = weights.chunks_exact(slopes.len()).zip(sums.chunks_exact_mut(slopes.len()));
    let slope = |(&input, (row, sums)): (&f32, (&[f32], &mut [f32]))| {
        if input == 0.0 {
            return 0.0;
        }
        sums.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += input * slope);
        row.iter().zip(slopes).map(|(weight, slope)| weight * slope).sum()
    };
    inputs.iter().zip(rows).map(slope).collect()
}

#[cfg(test)]
mod tests {
    use maxout_rules::random::Dice;
    use maxout_rules::{Board, Piece};

    use super::*;

    #[test]
    fn the_slopes_are_those_of_the_error() {
        let mut dice = Dice::new(3);
        let mut weights: Vec<f32> = (0..OutcomeNetwork::WEIGHTS).map(|_| 0.2 * dice.signed_f32()).collect();
        let board: Board = ("##.##..#..\n".to_owned() + &"#########.\n".repeat(6)).parse().expect("art");
        let inputs = OutcomeInputs::new(&board, Piece::S, -2.5, false);
        let learn = |weights: &[f32], gradient: &mut [f32]| {
            let network = OutcomeNetwork::from_weights(weights.to_vec()).expect("as many");
            let target = Outcome { topout: 0.3, tetrises: -1.0 };
            let [entropy, miss] = add_slopes(weights, &inputs, network.outcome(&inputs), target, gradient);
            f64::from(4.0 * entropy + miss)
        };
        let mut gradient = vec![0.0; OutcomeNetwork::WEIGHTS];
        learn(&weights, &mut gradient);
        // Some weights of each layer, and all that have the largest slopes.
        let largest = (0..gradient.len()).max_by(|&a, &b| gradient[a].abs().total_cmp(&gradient[b].abs()));
        let some = (0..gradient.len()).step_by(97).chain(largest).chain(begin(1) - 9..begin(1) + 9);
        for at in some {
            let before = weights[at];
            let mut by = |change: f32| {
                weights[at] = before + change;
                let error = learn(&weights, &mut vec![0.0; OutcomeNetwork::WEIGHTS]);
                weights[at] = before;
                error
            };
            let measured = (by(1e-2) - by(-1e-2)) / 2e-2;
            let told = gradient[at];
            assert!((measured - f64::from(told)).abs() < 2e-2, "weight {at}: {measured}, {told}");
        }
    }
}
