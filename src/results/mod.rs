//! The answer of `sim` and `play`: one table for people, one JSON object for programs ([`BatchResult`]); a batch played in shares
//! ([`mod@merge`]); kept runs as text ([`runs`]).

mod batch;
pub mod merge;
pub mod runs;
mod shard;
mod tally;

pub use batch::{BatchResult, Mean, PerGame};
pub use shard::{MAX_GAMES, Shard};
pub use tally::Tally;
