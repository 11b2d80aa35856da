//! A movie: what other emulators keep of a run, the buttons of every frame from power-on. [`Movie::of_run`] makes
//! one of a recorded run, [`load`] reads one from a file, [`Tape`] plays one on the console.
//!
//! [`MovieFormat`] names the formats. Each has its own file: [`fm2`] and [`bk2`]. [`champs`] is no movie format but the
//! frames that score displays are sent; [`games`] finds the games in what was played.

pub mod bk2;
pub mod champs;
pub mod fm2;
mod format;
pub mod games;
mod origin;
mod records;
pub mod replay;
mod tape;

pub use format::{MovieError, MovieFormat, load};
pub use records::{MAX_FRAMES, Movie, MovieFrame, WARM_UP_LEAD};
pub use tape::{Tape, Turn};
