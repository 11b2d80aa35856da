//! Every tuned number of move generation: limits of what is listed, none of the rules.

/// Slowest gravity at which Down may be pressed and released any number of times. Slower pieces press it at most
/// once and hold it to the lock, and only landings up to [`SLOW_LIMIT`] are listed: there is more choice than any
/// use for it.
pub(super) const FULL_GRAVITY: u8 = 3;

/// Last lock frame that is looked at when gravity is slower than [`FULL_GRAVITY`].
pub(super) const SLOW_LIMIT: u16 = 64;
