//! Part 2 of 2 of the weights that `maxout-engine` plays with. crates.io takes at most 10 MB a crate.

/// The bytes of this part.
pub static PART: &[u8] = include_bytes!("part.bin");
