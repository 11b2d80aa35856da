//! Part 1 of 2 of the large tables that `maxout-engine` plays with at all speeds. crates.io takes at most 10 MB a crate.

/// The bytes of this part.
pub static PART: &[u8] = include_bytes!("part.bin");
