//! Tables that one speed of fall does not share with the others: [`SpeedTables`].

use super::entries::Entries;
use super::{LANES, Lookup, Ntuple59, Ntuple90, TableList};
use crate::eval::Shape;

/// All tables of one speed, unpacked or still to be unpacked: those of [`Ntuple59`] or of [`Ntuple90`]. The number of entries says which.
#[derive(Debug)]
pub(in crate::eval) struct SpeedTables(Entries);

impl SpeedTables {
    /// Tables with these entries.
    pub fn new(entries: Vec<[i16; LANES]>) -> Self {
        Self(Entries::new(entries))
    }

    /// Tables that the first look makes: most games never reach the speed that they are for.
    #[cfg(feature = "embedded-weights")]
    pub fn later(make: impl FnOnce() -> Vec<[i16; LANES]> + Send + 'static) -> Self {
        Self(Entries::later(make))
    }

    /// Asks for the entries that make the value of a board.
    #[inline]
    pub fn ask(&self, shape: &Shape, lookup: &mut Lookup) {
        let entries = self.entries();
        if entries.len() == Ntuple90::COMMON {
            Ntuple90::ask(entries, shape, 0, lookup);
        } else {
            Ntuple59::ask(entries, shape, 0, lookup);
        }
    }

    /// Adds up the entries that were asked for.
    #[inline]
    pub fn sum(&self, lookup: &Lookup) -> [i16; LANES] {
        let entries = self.entries();
        if entries.len() == Ntuple90::COMMON {
            Ntuple90::sum(entries, lookup)
        } else {
            Ntuple59::sum(entries, lookup)
        }
    }

    /// The entries.
    #[inline]
    pub fn entries(&self) -> &[[i16; LANES]] {
        self.0.all()
    }
}
