//! A value whose table entries are known but not read yet: [`Lookup`].

use super::MOST_PATTERNS;

/// The table entries that make up the value of a board at one speed. [`NetworkOf::ask`](super::NetworkOf::ask) finds them and has
/// them brought from memory to the cache; that goes on while the entries of other boards are found. The tables are far larger
/// than any cache: values that are asked for eight at a time take two thirds of the time.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    /// One entry per pattern; what is left is not used.
    pub(super) at: [u32; MOST_PATTERNS],
}

impl Default for Lookup {
    fn default() -> Self {
        Self { at: [0; MOST_PATTERNS] }
    }
}
