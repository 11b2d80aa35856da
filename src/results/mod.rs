//! The answer of `sim` and `play`: one table for people, one JSON object for programs ([`Report`]); a batch played in shares
//! ([`mod@merge`]); kept runs as text ([`runs`]).

pub mod merge;
mod report;
pub mod runs;
mod shard;
mod tally;

pub use report::{Mean, PerGame, Report};
pub use shard::{MAX_GAMES, Shard};
pub use tally::Tally;
