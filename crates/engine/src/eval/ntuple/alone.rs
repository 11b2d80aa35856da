//! Tables that one speed of fall does not share with the others: [`SpeedTables`].

use std::sync::OnceLock;

use super::LANES;

/// Turns the entries of a network's first speed, and a file, into the tables of one speed.
type Unpack = fn(&[[i16; LANES]], &[u8]) -> Vec<[i16; LANES]>;

/// All tables of one speed, unpacked or still to be unpacked.
#[derive(Debug)]
pub(in crate::eval) struct SpeedTables {
    entries: OnceLock<Vec<[i16; LANES]>>,
    packed: Option<(&'static [u8], Unpack)>,
}

impl SpeedTables {
    /// Tables with these entries.
    pub fn new(entries: Vec<[i16; LANES]>) -> Self {
        Self { entries: OnceLock::from(entries), packed: None }
    }

    /// Tables that the first look unpacks from a file: most games never reach the speed that they are for.
    pub const fn packed(file: &'static [u8], unpack: Unpack) -> Self {
        Self { entries: OnceLock::new(), packed: Some((file, unpack)) }
    }

    /// The entries. `first` are the network's entries, which start with those of the first speed; a packed file holds differences from
    /// these.
    #[inline]
    pub fn entries(&self, first: &[[i16; LANES]]) -> &[[i16; LANES]] {
        self.entries.get_or_init(|| match self.packed {
            Some((file, unpack)) => unpack(first, file),
            None => Vec::new(),
        })
    }
}
