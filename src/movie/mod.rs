//! What the emulator shows while a log is played again: the games ([`games`]), the frames for score displays ([`display`]), and all that
//! a replay comes to ([`replay`]). [`summary`] says which game the frames of a display show.
//!
//! Movies and those frames are part of `maxout-record`, the tape that plays a movie of `maxout-host`.

pub mod display;
pub mod games;
pub mod replay;
pub mod summary;
