//! Random numbers that repeat: the same seed gives the same numbers on every machine and in every version.
//!
//! Published results name their seeds: tunings, and the games of a player that tosses coins. So [`Dice`] may not change: each
//! number is [`splitmix64`] of the number before. They are not fit for cryptography.

/// The step by which the state of the splitmix64 generator grows: 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns one output of the splitmix64 generator for state `seed` (Steele, Lea, Flood 2014).
///
/// ```
/// assert_eq!(maxout_rules::splitmix64(1_234_567), 6_457_827_717_110_365_317);
/// ```
#[inline]
pub const fn splitmix64(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(GOLDEN);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Random numbers in which each is [`splitmix64`] of the one before.
///
/// ```
/// use maxout_rules::random::Dice;
/// let mut dice = Dice::new(7);
/// let throws: Vec<u32> = (0..5).map(|_| dice.roll(6)).collect();
/// assert!(throws.iter().all(|&number| number < 6));
/// // The same seed, the same throws.
/// let mut again = Dice::new(7);
/// assert!(throws.iter().all(|&number| number == again.roll(6)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Dice(u64);

impl Dice {
    /// The numbers of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(splitmix64(seed))
    }

    /// The numbers of several seeds together. With one seed they are those of [`Dice::new`].
    pub fn of(seeds: impl IntoIterator<Item = u64>) -> Self {
        Self(seeds.into_iter().fold(0, |state, seed| splitmix64(state ^ seed)))
    }

    /// The dice whose [`Dice::state`] was `state`.
    pub const fn from_state(state: u64) -> Self {
        Self(state)
    }

    /// The last number, from which all later ones follow; a checkpoint keeps it.
    pub const fn state(&self) -> u64 {
        self.0
    }

    /// 64 random bits.
    #[inline]
    pub const fn word(&mut self) -> u64 {
        self.0 = splitmix64(self.0);
        self.0
    }

    /// A number below `end`; 0 if that is 0.
    #[inline]
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.word()) * end as u128) >> 64) as usize
    }

    /// A number below `sides`; 0 if that is 0. It is the number that [`Dice::below`] gives.
    #[inline]
    pub fn roll(&mut self, sides: u32) -> u32 {
        self.below(sides as usize) as u32
    }

    /// True or false, with the same odds.
    #[inline]
    pub const fn coin(&mut self) -> bool {
        self.word() >> 63 == 1
    }

    /// A number from 0 to 1, without 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number from -1 to 1, without 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// A number from -1 to 1, without 1, made of the upper 24 bits of a word.
    pub fn signed_f32(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }

    /// A number of the normal distribution of mean 0 and variance 1 (Box and Muller 1958); it takes two words.
    pub fn normal(&mut self) -> f64 {
        let length = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        length * (std::f64::consts::TAU * self.unit()).cos()
    }
}
