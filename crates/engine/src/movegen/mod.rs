//! Every placement that frame-by-frame play can reach, and the buttons that lead there.
//!
//! [`placements`] lists them, [`Reach`] also remembers how each was reached so that [`Reach::path`] can say.
//! [`Moves`] chooses between that and what can be done without gravity; a [`Filter`] leaves some of it out.
//! [`tapped`] is a published bot's own search of controller states.
//! [`Timed`] also tells *when* each placement can lock, with every use of the soft drop.
//! What a controller may do is a value: [`Limits`](crate::limits::Limits). Knows the rules of [`maxout_rules`], nothing
//! of players.
//!
//! # How it works
//! While Down is up, the row a piece is in depends on the frame alone. So the search walks frames, not
//! states, and keeps *sets*: the columns that the piece's centre can be in, ten bits for each of four
//! orientations, packed into one `u64`. A shift moves all bits by one, a rotation rotates the word by one
//! lane, and what is left after masking with the free positions of that row is the new set. A button must be
//! up for a frame before it counts again, so there is one such set for each pair (last shift, last rotation):
//! nine words, and about fifty operations a frame for everything a controller can do.

mod filter;
mod held;
mod hover;
mod masks;
mod moves;
mod paced;
mod parameters;
mod reach;
mod start;
mod taps;
mod timed;

pub use filter::{Filter, Likeness};
pub use hover::{Hover, Then};
pub use moves::{Moves, drops, falls, locks};
pub use reach::{Path, Reach, placements};
pub(crate) use reach::{placements_charged, placements_with_charges};
pub use start::Start;
pub use taps::{tapped, taps_to};
pub use timed::{Flight, Landing, MAX_HOLD, Timed};
