//! Work that is divided: over the threads of a process ([`maxout_host::pool`]), over the ranks of an MPI job (`Ranks`, with the
//! feature `mpi`), or over machines that do not communicate ([`Share`]).
//!
//! The results are the same, however the work is divided.

#[cfg(feature = "mpi")]
mod ranks;
mod share;

#[cfg(feature = "mpi")]
pub use ranks::{Ranks, RanksError};
pub use share::{Share, ShareError};
