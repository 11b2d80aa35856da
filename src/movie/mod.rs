//! Movies: the form in which other emulators keep a run, with the buttons of every frame from power-on.
//! [`of_run`] makes a movie of a recorded run, [`load`] reads one from a file, and [`Tape`] plays one in the
//! emulator.
//!
//! [`MovieFormat`] names the formats. Each has its own file: [`fm2`] and [`bk2`]. [`champs`] is not a movie format: it
//! holds the frames that score displays get. [`games`] finds the games in what was played.

pub mod bk2;
pub mod champs;
pub mod fm2;
mod format;
pub mod games;
mod origin;
pub mod replay;
mod tape;

pub use format::{MovieError, MovieFormat, load};
pub use maxout_host::movie::{MAX_FRAMES, Movie, MovieFrame, WARM_UP_LEAD};
pub use origin::of_run;
pub use tape::{Tape, Turn};
