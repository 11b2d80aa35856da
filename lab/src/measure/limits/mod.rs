//! `maxout-lab limits`: games under human limits, beside the scores that BetaTetris has published. [`cells`] says which
//! games are played, [`HandsRun`] plays them and keeps them in [`folder`]s, and [`HandsResult`] holds the results as
//! text and JSON. [`plot_cells`] draws them.

pub mod cells;
pub mod folder;
mod plot;
pub mod published;
mod results;
mod run;

pub use plot::plot_cells;
pub use results::{CellResult, Comparison, HandsResult, Won};
pub use run::{DueGame, HandsRun, fingerprints};
