//! Generators of numbers that published results of the laboratory name the seeds of, so that none may change. New code takes
//! [`Dice`](maxout_rules::random::Dice).
//!
//! * [`SplitMix64`] is the generator as its authors published it. The fuzzer's made-up buttons come from it.
//! * [`Xorshift64Star`] deals the pieces in temporal-difference training, where it is a part of the inner loop.

use maxout_rules::splitmix64;

/// The step by which the state of [`SplitMix64`] grows: 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The splitmix64 generator (Steele, Lea, Flood 2014): the state counts up in equal steps, and each number is the
/// mixed state.
///
/// ```
/// use maxout_lab::random::SplitMix64;
/// let mut numbers = SplitMix64::new(1_234_567);
/// assert_eq!([numbers.word(), numbers.word()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The numbers of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    #[inline]
    pub const fn word(&mut self) -> u64 {
        let word = splitmix64(self.0);
        self.0 = self.0.wrapping_add(GOLDEN);
        word
    }

    /// A number below `sides`, by the remainder of the upper 32 bits; 0 if `sides` is 0.
    #[inline]
    pub fn roll(&mut self, sides: u64) -> u64 {
        (self.word() >> 32) % sides.max(1)
    }
}

/// The generator xorshift64* (Vigna 2016, shifts 12, 25 and 27): small and fast, and enough for sampling pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Xorshift64Star(u64);

impl Xorshift64Star {
    /// The numbers of `seed`. Seeds that differ by 1 may share a state, but not those of different upper 63 bits.
    pub const fn new(seed: u64) -> Self {
        // The state must not be 0.
        Self(seed.wrapping_mul(GOLDEN) | 1)
    }

    /// 64 random bits.
    #[inline]
    pub const fn word(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 to 1, without 1, made of the upper 24 bits of a word.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number below `end`; 0 if that is 0.
    #[inline]
    pub fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f32) as usize).min(end.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_the_published_numbers() {
        let mut numbers = SplitMix64::new(1_234_567);
        let want = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!([(); 5].map(|()| numbers.word()), want);
    }

    #[test]
    fn xorshift_is_its_definition_bit_by_bit() {
        let mut dice = Xorshift64Star::new(3);
        let mut state = 3u64.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        for _ in 0..100 {
            state = state ^ (state >> 12);
            state = state ^ (state << 25);
            state = state ^ (state >> 27);
            assert_eq!(u128::from(dice.word()), u128::from(state) * 0x2545_F491_4F6C_DD1D % (1 << 64));
        }
    }

    #[test]
    fn numbers_stay_in_their_range_and_fill_it_evenly() {
        let (mut published, mut star) = (SplitMix64::new(1), Xorshift64Star::new(1));
        let mut counts = [[0u32; 6]; 2];
        for _ in 0..6_000 {
            counts[0][published.roll(6) as usize] += 1;
            counts[1][star.below(6)] += 1;
            assert!((0.0..1.0).contains(&star.unit()));
        }
        assert!(counts.iter().flatten().all(|count| (850..1_150).contains(count)), "{counts:?}");
        assert_eq!((published.roll(0), star.below(0)), (0, 0));
    }
}
