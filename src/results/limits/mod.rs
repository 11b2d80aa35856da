//! `maxout limits`: games under human limits, beside what BetaTetris has published. [`cells`] says which games,
//! [`HandsRun`] plays them and keeps them in [`folder`]s, and [`HandsReport`] is the results as text, JSON and a plot.

pub mod cells;
pub mod folder;
mod plot;
pub mod published;
mod report;
mod run;

pub use plot::plot_cells;
pub use report::{CellReport, Comparison, HandsReport, Won};
pub use run::{DueGame, HandsRun, fingerprint};
