//! Table entries that may still have to be unpacked: [`Entries`].

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::LANES;

/// Makes the entries.
type Unpack = Box<dyn FnOnce() -> Vec<[i16; LANES]> + Send>;

/// The entries of some tables, unpacked or still to be unpacked. Unlike a `LazyLock` they can be given away.
pub(super) struct Entries {
    unpacked: OnceLock<Vec<[i16; LANES]>>,
    unpack: Mutex<Option<Unpack>>,
}

impl Entries {
    /// Entries that are there.
    pub fn new(entries: Vec<[i16; LANES]>) -> Self {
        Self { unpacked: OnceLock::from(entries), unpack: Mutex::new(None) }
    }

    /// Entries that the first look makes: most games never reach the speeds of fall that they are for.
    #[cfg(feature = "embedded-weights")]
    pub fn later(unpack: impl FnOnce() -> Vec<[i16; LANES]> + Send + 'static) -> Self {
        Self { unpacked: OnceLock::new(), unpack: Mutex::new(Some(Box::new(unpack))) }
    }

    /// The entries. Whoever looks first unpacks them.
    ///
    /// # Panics
    /// If unpacking them panics.
    #[inline]
    pub fn all(&self) -> &[[i16; LANES]] {
        match self.unpacked.get() {
            Some(entries) => entries,
            None => self.unpack(),
        }
    }

    #[cold]
    fn unpack(&self) -> &[[i16; LANES]] {
        self.unpacked.get_or_init(|| {
            let unpack = self.unpack.lock().unwrap_or_else(PoisonError::into_inner).take();
            unpack.expect("nobody failed to unpack them before")()
        })
    }

    /// The entries, given away.
    ///
    /// # Panics
    /// If unpacking them panics.
    pub fn into_vec(self) -> Vec<[i16; LANES]> {
        self.all();
        self.unpacked.into_inner().expect("they are unpacked")
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries")
            .field("unpacked", &self.unpacked.get().map(Vec::len))
            .finish_non_exhaustive()
    }
}
