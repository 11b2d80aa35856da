//! Evolution of 17 weights with an adapting covariance matrix (CMA-ES, Hansen and Ostermeier 2001): [`Evolution`].
//!
//! Cumulative step size, rank-one and rank-mu update with the usual constants. Samples are `mean + sigma A z` with
//! A the Cholesky factor of the covariance, and the path of the step size follows the `z`: no eigenvectors are
//! needed. Candidates count by rank alone, so the unit of the fitness does not matter.

use serde::{Deserialize, Serialize};

use super::terms::{LIMIT, Weights};
use super::tuning::{Optimiser, RANGE, dice};
use maxout_rules::random::Dice;

const N: usize = 17;
/// Below this step size the evolution has converged.
const SMALL: f64 = RANGE / 1_000.0;

type Matrix = [Weights; N];

/// The evolution. When its best has not improved for some generations, or its steps have become small or huge, it
/// begins again with a fresh random mean.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evolution {
    mean: Weights,
    sigma: f64,
    covariance: Matrix,
    path: Weights,
    sigma_path: Weights,
    /// Generations since the last beginning.
    age: i32,
    samples: Vec<Sample>,
    best: Option<f64>,
    patience: u32,
    stale: u32,
    restarts: u32,
    #[serde(with = "dice")]
    random: Dice,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sample {
    /// The normal numbers.
    z: Weights,
    /// `A z`.
    y: Weights,
}

/// The lower factor of a positive definite matrix.
#[allow(clippy::needless_range_loop, reason = "the formulas go by index")]
fn cholesky(c: &Matrix) -> Matrix {
    let mut a = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let rest: f64 = c[i][j] - (0..j).map(|k| a[i][k] * a[j][k]).sum::<f64>();
            // Rounding may leave nothing of a small variance.
            a[i][j] = if i == j { rest.max(1e-20).sqrt() } else { rest / a[j][j] };
        }
    }
    a
}

fn length(v: &Weights) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Evolution {
    /// An evolution of `population` candidates a generation, at least 4, around a random mean. It begins again after
    /// `patience` generations without a better candidate.
    pub fn new(population: usize, patience: u32, seed: u64) -> Self {
        let mut evolution = Self {
            mean: [0.0; N],
            sigma: 0.0,
            covariance: [[0.0; N]; N],
            path: [0.0; N],
            sigma_path: [0.0; N],
            age: 0,
            samples: Vec::with_capacity(population),
            best: None,
            patience,
            stale: 0,
            restarts: 0,
            random: Dice::new(seed),
        };
        evolution.begin(population);
        evolution
    }

    fn begin(&mut self, population: usize) {
        self.mean = std::array::from_fn(|_| RANGE * self.random.signed());
        self.sigma = RANGE / 2.0;
        self.covariance = [[0.0; N]; N];
        (0..N).for_each(|i| self.covariance[i][i] = 1.0);
        (self.path, self.sigma_path) = ([0.0; N], [0.0; N]);
        (self.age, self.best, self.stale) = (0, None, 0);
        self.sample(population);
    }

    fn sample(&mut self, population: usize) {
        let a = cholesky(&self.covariance);
        self.samples.clear();
        for _ in 0..population {
            let z: Weights = std::array::from_fn(|_| self.random.normal());
            let y = std::array::from_fn(|i| (0..=i).map(|k| a[i][k] * z[k]).sum());
            self.samples.push(Sample { z, y });
        }
    }

    /// Moves mean, step size and covariance; `order` are the samples, best first.
    #[allow(clippy::needless_range_loop, reason = "the formulas go by index")]
    fn adapt(&mut self, order: &[usize]) {
        let n = N as f64;
        let parents = (order.len() / 2).max(1);
        let mut shares: Vec<f64> =
            (1..=parents).map(|rank| ((parents as f64 + 0.5).ln() - (rank as f64).ln()).max(0.0)).collect();
        let sum: f64 = shares.iter().sum();
        for share in &mut shares {
            *share /= sum;
        }
        let mu = 1.0 / shares.iter().map(|share| share * share).sum::<f64>();
        let (c_sigma, c_path) = ((mu + 2.0) / (n + mu + 5.0), (4.0 + mu / n) / (n + 4.0 + 2.0 * mu / n));
        let damping = 1.0 + 2.0 * (((mu - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_one = 2.0 / ((n + 1.3).powi(2) + mu);
        let c_mu = (1.0 - c_one).min(2.0 * (mu - 2.0 + 1.0 / mu) / ((n + 2.0).powi(2) + mu));
        let expected = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        let parents: Vec<(f64, &Sample)> =
            shares.iter().copied().zip(order.iter().map(|&i| &self.samples[i])).collect();
        let weighted = |of: fn(&Sample) -> &Weights| -> Weights {
            std::array::from_fn(|i| parents.iter().map(|(share, sample)| share * of(sample)[i]).sum())
        };
        let (z, y) = (weighted(|sample| &sample.z), weighted(|sample| &sample.y));
        self.age += 1;
        for i in 0..N {
            self.mean[i] += self.sigma * y[i];
            let push = (c_sigma * (2.0 - c_sigma) * mu).sqrt() * z[i];
            self.sigma_path[i] = (1.0 - c_sigma) * self.sigma_path[i] + push;
        }
        let norm = length(&self.sigma_path);
        let usual = (1.0 - (1.0 - c_sigma).powi(2 * self.age)).sqrt();
        // A path that is long because the steps were small must not stretch the covariance too.
        let moves = norm / usual < (1.4 + 2.0 / (n + 1.0)) * expected;
        let push = if moves { (c_path * (2.0 - c_path) * mu).sqrt() } else { 0.0 };
        let lost = if moves { 0.0 } else { c_path * (2.0 - c_path) };
        for i in 0..N {
            self.path[i] = (1.0 - c_path) * self.path[i] + push * y[i];
        }
        for i in 0..N {
            for j in 0..N {
                let ranks: f64 =
                    parents.iter().map(|(share, sample)| share * sample.y[i] * sample.y[j]).sum();
                let old = self.covariance[i][j];
                self.covariance[i][j] = (1.0 - c_one - c_mu) * old
                    + c_one * (self.path[i] * self.path[j] + lost * old)
                    + c_mu * ranks;
            }
        }
        self.sigma *= ((c_sigma / damping) * (norm / expected - 1.0)).min(1.0).exp();
    }

    fn has_converged(&self) -> bool {
        (0..N).all(|i| self.spread(i) < SMALL)
    }

    /// The order of candidates hardly depends on the length of the weights, so nothing holds that back.
    fn has_diverged(&self) -> bool {
        (0..N).any(|i| self.spread(i).max(self.mean[i].abs()) > LIMIT)
    }

    /// Standard deviation of the samples in this weight.
    fn spread(&self, weight: usize) -> f64 {
        self.sigma * self.covariance[weight][weight].sqrt()
    }
}

impl Optimiser for Evolution {
    fn candidates(&self) -> Vec<Weights> {
        let at = |sample: &Sample| {
            std::array::from_fn(|i| (self.mean[i] + self.sigma * sample.y[i]).clamp(-LIMIT, LIMIT))
        };
        self.samples.iter().map(at).collect()
    }

    fn learn(&mut self, worths: &[f64]) {
        let mut order: Vec<usize> = (0..self.samples.len().min(worths.len())).collect();
        // Equals in the order they were drawn.
        order.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]));
        let Some(&first) = order.first() else { return };
        self.stale += 1;
        if self.best.is_none_or(|best| worths[first] > best) {
            (self.best, self.stale) = (Some(worths[first]), 0);
        }
        self.adapt(&order);
        let population = self.samples.len();
        if self.stale >= self.patience || self.has_converged() || self.has_diverged() {
            self.restarts += 1;
            self.begin(population);
        } else {
            self.sample(population);
        }
    }

    fn restarts(&self) -> u32 {
        self.restarts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::tuning::tests::{climbs, goes_down_a_bent_valley};

    #[test]
    fn climbs_a_hill_and_begins_again_at_the_top() {
        climbs(Evolution::new(12, 15, 1));
    }

    #[test]
    fn goes_to_the_end_of_a_bent_valley() {
        goes_down_a_bent_valley(Evolution::new(12, 15, 1), 0.01);
    }

    #[test]
    fn the_factor_times_itself_is_the_matrix() {
        let c: Matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| if i == j { 3.0 } else { 1.0 / (1.0 + i.abs_diff(j) as f64) })
        });
        let a = cholesky(&c);
        for i in 0..N {
            for j in 0..N {
                let product: f64 = (0..N).map(|k| a[i][k] * a[j][k]).sum();
                assert!((product - c[i][j]).abs() < 1e-12);
            }
        }
    }
}
