//! Figures that others measured of published players, for comparison: [`baseline`].

/// Line points from a start at level 19 to level 29 or the top-out, as someone else measured them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Baseline {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub se: f64,
    /// The number of games.
    pub games: u32,
    /// The share of games that reached level 29, from 0 to 1.
    pub reaches: f64,
}

impl Baseline {
    /// Returns how many standard errors `mean` is above this baseline, counting the errors of both. `se` is the
    /// standard error of `mean`.
    pub fn z(&self, mean: f64, se: f64) -> f64 {
        (mean - self.mean) / self.se.hypot(se)
    }
}

/// All of them come from copies of the published players on a simulator made for this measurement: one action per row,
/// 230 lines, points as the game gives them, and an estimated phase of the generator. `plateau17` could shift and
/// rotate in one frame, shift first.
#[rustfmt::skip]
const BASELINES: &[(&str, Baseline)] = &[
    ("plateau17", measured(1_024_261, 9_846, 1_000, 0.811)),
    ("meatfighter2018", measured(894_510, 5_088, 6_000, 0.595)),
    ("meatfighter2018-1", measured(146_876, 6_721, 500, 0.0)),
    ("meatfighter2014", measured(214_338, 154, 600, 1.0)),
    ("meatfighter2014-text", measured(214_123, 193, 600, 1.0)),
    ("dellacherie", measured(221_282, 125, 2_000, 0.9995)),
    ("dellacherie-cells", measured(221_703, 125, 2_000, 1.0)),
    ("dellacherie-cells-2", measured(219_277, 190, 600, 1.0)),
    ("el-tetris", measured(224_772, 164, 2_000, 1.0)),
    ("el-tetris-2", measured(219_525, 222, 600, 1.0)),
    ("packing", measured(242_766, 1_345, 2_000, 0.82)),
    ("simple-tetris", measured(225_202, 172, 2_000, 1.0)),
    ("simple-tetris-coded", measured(226_032, 502, 2_000, 0.975)),
    ("simple-tetris-a", measured(16_628, 195, 1_000, 0.0)),
    ("simple-tetris-b", measured(156_521, 2_286, 1_000, 0.431)),
    ("simple-tetris-c", measured(214_661, 347, 1_000, 0.996)),
];

const fn measured(mean: u32, se: u32, games: u32, reaches: f64) -> Baseline {
    Baseline { mean: mean as f64, se: se as f64, games, reaches }
}

/// Returns the baseline of the player with this name, if there is one.
pub fn baseline(player: &str) -> Option<&'static Baseline> {
    BASELINES.iter().find(|(name, _)| *name == player).map(|(_, baseline)| baseline)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_baseline_is_of_a_registered_player() {
        for (name, _) in BASELINES {
            assert!(maxout_gallery::find(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn z_counts_the_errors_of_both_sides() {
        let four = measured(100, 4, 1_000, 1.0);
        assert!((four.z(110.0, 3.0) - 2.0).abs() < 1e-12);
    }
}
