//! How long frames of the console last, in the units of picture formats.

/// Console frames a second are `RATE.0 / RATE.1`: a master clock of 236.25 / 11 MHz, a fourth of that for the
/// picture unit, 89,341.5 of whose clocks make a frame on average. 60.0988.
pub const RATE: (u32, u32) = (39_375_000, 655_171);

/// `frames` console frames in hundredths of a second, rounded.
pub fn hundredths(frames: u64) -> u64 {
    let (per_second, unit) = (u64::from(RATE.0), u64::from(RATE.1));
    (frames * unit * 100 + per_second / 2) / per_second
}

/// `frames` console frames in seconds, as the fraction nearest to it of two 16-bit numbers; those of several
/// minutes are cut to the longest that can be said.
pub fn fraction(frames: u64) -> (u16, u16) {
    // Convergents of the continued fraction; each is the best for its size.
    let (mut num, mut den) = (frames.min(3_000_000) * u64::from(RATE.1), u64::from(RATE.0));
    let (mut before, mut best) = ((0u64, 1u64), (1u64, 0u64));
    while den > 0 {
        let whole = num / den;
        let next = (whole * best.0 + before.0, whole * best.1 + before.1);
        if next.0.max(next.1) > u64::from(u16::MAX) {
            break;
        }
        (before, best) = (best, next);
        (num, den) = (den, num % den);
    }
    (best.0 as u16, best.1 as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_do_not_drift() {
        let delays: Vec<u64> = (0..6).map(|n| hundredths(n + 1) - hundredths(n)).collect();
        assert_eq!(delays, [2, 1, 2, 2, 1, 2]);
        // An hour, to the hundredth.
        assert_eq!(hundredths(216_356), 360_000);
    }

    #[test]
    fn a_fraction_of_16_bit_numbers_is_off_by_less_than_a_frame_in_an_hour() {
        for frames in [1, 2, 3, 4, 7, 10, 60, 123] {
            let (num, den) = fraction(frames);
            let got = f64::from(num) / f64::from(den);
            let want = frames as f64 * f64::from(RATE.1) / f64::from(RATE.0);
            assert!((got / want - 1.0).abs() < 1.0 / 216_356.0, "{frames}: {num}/{den}");
        }
        assert_eq!(fraction(0), (0, 1));
        assert!(fraction(u64::MAX).0 > 0);
    }
}
