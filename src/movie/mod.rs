//! Movies: the form in which other emulators keep a run, with the buttons of every frame from power-on.
//! [`of_run`] makes a movie of a recorded run, [`load`] reads one from a file, and [`Tape`] plays one in the
//! emulator.
//!
//! Movies and their formats, [`fm2`] and [`bk2`], are part of `maxout-host`, because the Python package has them, too.
//! [`champs`] is not a movie format: it holds the frames that score displays get. [`games`] finds the games in what was
//! played.

pub mod champs;
pub mod games;
mod origin;
pub mod replay;

pub use maxout_host::tape::{Tape, Turn};
pub use maxout_record::movie::{
    MAX_FRAMES, Movie, MovieError, MovieFormat, MovieFrame, WARM_UP_LEAD, bk2, fm2, load,
};
pub use origin::of_run;
