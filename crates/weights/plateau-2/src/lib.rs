//! Part 2 of 2 of the network with which `maxout-engine` plays levels 19 to 28 at 30 Hz. crates.io takes at most 10 MB a
//! crate.

/// The bytes of this part.
pub static PART: &[u8] = include_bytes!("part.bin");
