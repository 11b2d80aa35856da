//! How the value of the convolutional network depends on its weights ([`learn`]), and a network to begin with.

use maxout_gallery::eval::cnn::{
    BIAS_1, BIAS_2, BIAS_3, BIAS_4, Cnn, DENSE, FIRST, FLAT, HALF, LAST, QUARTER, SECOND, TAPS_2, Trace,
    UNITS, WEIGHTS, add, dot, neighbours,
};

/// A network that knows nothing and hopes for `hope` everywhere; `random` gives numbers from -1 to 1.
pub fn untrained(hope: f32, mut random: impl FnMut() -> f32) -> Cnn {
    let mut weights = vec![0.0; WEIGHTS];
    for (range, inputs) in [(0..BIAS_1, 9), (TAPS_2..BIAS_2, 9 * FIRST), (DENSE..BIAS_3, FLAT)] {
        let bound = (6.0 / inputs as f32).sqrt();
        weights[range].iter_mut().for_each(|weight| *weight = bound * random());
    }
    weights[LAST..BIAS_4].iter_mut().for_each(|weight| *weight = 0.1 * random());
    weights[BIAS_4] = hope;
    Cnn::new(weights)
}

/// Adds to `gradient` how the value of `trace` depends on each weight, times `scale`.
pub fn learn(network: &Cnn, trace: &Trace, scale: f32, gradient: &mut [f32]) {
    let weights = network.weights();
    gradient[BIAS_4] += scale;
    add(span_mut(gradient, LAST), &trace.units, scale);
    let units: [f32; UNITS] =
        std::array::from_fn(|unit| if trace.units[unit] > 0.0 { scale * weights[LAST + unit] } else { 0.0 });
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
                parts[part][k] = dot(&units, &weights[at..at + UNITS]);
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
                        at_first[from][i] += dot(slopes, &weights[at..at + SECOND]);
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

/// The `N` slopes from `at` on.
#[inline]
fn span_mut<const N: usize>(gradient: &mut [f32], at: usize) -> &mut [f32; N] {
    gradient[at..].first_chunk_mut().expect("a gradient is as long as the weights")
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Board;
    use maxout_rules::random::Dice;

    #[test]
    fn the_gradient_is_the_slope_of_the_value() {
        let mut dice = Dice::from_state(5);
        let network = untrained(0.0, || dice.signed_f32());
        let rows = std::array::from_fn(|row| if row < 10 { 0 } else { 1 + dice.below(0x3FE) as u16 });
        let board = Board::from_rows(rows);
        let mut gradient = vec![0.0; WEIGHTS];
        learn(&network, &network.trace(&board), 1.0, &mut gradient);
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
}
