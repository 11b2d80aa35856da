//! Spread of one quantity over many games: mean, standard error, percentiles.

use serde::{Deserialize, Serialize};

/// Spread of one quantity over n games.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// How many games.
    #[serde(default)]
    pub n: u64,
    /// Mean.
    pub mean: f64,
    /// Standard error of the mean; 0 for one game, for which it is not defined.
    pub se: f64,
    /// Sample standard deviation; 0 for one game.
    pub sd: f64,
    /// 50th percentile.
    pub median: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// 5th percentile.
    pub p5: f64,
    /// 25th percentile.
    pub p25: f64,
    /// 75th percentile.
    pub p75: f64,
    /// 95th percentile.
    pub p95: f64,
}

impl Summary {
    /// The spread of `values`; all zeros without values. Percentiles interpolate linearly between ranks.
    pub fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let mean = if sorted.is_empty() { 0.0 } else { sorted.iter().sum::<f64>() / n };
        let squares: f64 = sorted.iter().map(|v| (v - mean).powi(2)).sum();
        let sd = if sorted.len() < 2 { 0.0 } else { (squares / (n - 1.0)).sqrt() };
        let at = |share| percentile(&sorted, share);
        Self {
            n: sorted.len() as u64,
            mean,
            se: if sorted.is_empty() { 0.0 } else { sd / n.sqrt() },
            sd,
            median: at(0.5),
            min: at(0.0),
            max: at(1.0),
            p5: at(0.05),
            p25: at(0.25),
            p75: at(0.75),
            p95: at(0.95),
        }
    }

    /// The standard error, if it is known: one game has none.
    pub fn error(&self) -> Option<f64> {
        (self.n > 1).then_some(self.se)
    }
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let rank = share * last as f64;
    let (low, high) = (sorted[rank.floor() as usize], sorted[rank.ceil() as usize]);
    low + (high - low) * rank.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_sample() {
        let summary = Summary::of(&[4.0, 1.0, 3.0, 2.0, 5.0]);
        assert!((summary.mean - 3.0).abs() < 1e-12);
        assert!((summary.sd - 2.5f64.sqrt()).abs() < 1e-12);
        assert!((summary.se - 0.5f64.sqrt()).abs() < 1e-12);
        for (got, want) in [(summary.median, 3.0), (summary.p25, 2.0), (summary.max, 5.0)] {
            assert!((got - want).abs() < 1e-12);
        }
    }

    #[test]
    fn nothing_and_one_are_no_trouble() {
        assert!(Summary::of(&[]).mean.abs() < 1e-12);
        let one = Summary::of(&[7.0]);
        assert!(one.se.abs() < 1e-12 && (one.p95 - 7.0).abs() < 1e-12);
        assert_eq!((one.error(), Summary::of(&[7.0, 7.0]).error()), (None, Some(0.0)));
    }
}
