//! maxout plays NES Tetris in an embedded emulator, through the controller, for the highest score.
//!
//! This is the program. To build on maxout, use its crates: `maxout-rules` (the game frame by frame), `maxout-engine`
//! (move generation, evaluation, search, players) and `maxout-host` (the emulator, the model, whole games). What makes and
//! measures the players is another program, `maxout-lab`.
//!
//! The modules, in the order in which they may depend on each other: [`files`], [`words`], [`pace`] and [`share`];
//! [`conform`], [`stats`] and [`library`]; [`movie`], [`export`], [`results`], [`serve`]
//! and [`watch`]; [`video`]; [`cli`]. docs/how-it-works/architecture.md says more.

pub mod boards;
pub mod cli;
pub mod conform;
pub mod export;
pub mod files;
pub mod library;
pub mod movie;
pub mod pace;
pub mod results;
pub mod review;
pub mod serve;
pub mod share;
pub mod stats;
pub mod video;
pub mod watch;
pub mod words;

pub use maxout_record::text;

/// The examples of the README are tested, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;

/// So is the player of the guide: it needs nothing of our crates that is not public.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide/write-a-player.md")]
struct WriteAPlayer;
