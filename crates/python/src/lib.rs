//! The Python package `maxout`: bindings over the rules, the engine and the hosts. `python/maxout` holds the part that is
//! written in Python, and the types of what is here (`_maxout.pyi`).
//!
//! Only [`vector`], [`frame_vector`] and what they need ([`encoding`], [`hovering`], [`shares`]) do work of their own: they
//! play many games at once and write the results straight into numpy's memory. They know nothing of Python. All other modules
//! turn Python's arguments into values of our crates and back. A caller's mistake becomes a `ValueError` or a `TypeError` with
//! one line of text.

mod arguments;
mod boards;
mod buffers;
mod cartridges;
mod emulator;
mod encoding;
mod frame_buffers;
mod frame_vector;
mod frames;
mod hovering;
mod interrupts;
mod memory;
mod movies;
mod pictures;
mod players;
mod playing;
mod reviews;
mod saving;
mod shares;
mod simulation;
mod states;
mod vector;

/// The compiled half of the package. Import `maxout`, which passes it all on.
#[pyo3::pymodule]
mod _maxout {
    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::boards::{PyBoard, PyHover, PyPlacement, hovers, placements};
    #[pymodule_export]
    use super::buffers::PlacementGames;
    #[pymodule_export]
    use super::emulator::{ConsoleState, PyConsole};
    #[pymodule_export]
    use super::frame_buffers::FrameGames;
    #[pymodule_export]
    use super::frames::PyGame;
    #[pymodule_export]
    use super::movies::PyMovie;
    #[pymodule_export]
    use super::pictures::Canvas;
    #[pymodule_export]
    use super::players::{PyPlan, PyPlayer, PyPosition, analyze, players};
    #[pymodule_export]
    use super::playing::{play, read_run, run_files, write_file};
    #[pymodule_export]
    use super::reviews::review;
    #[pymodule_export]
    use super::simulation::simulate;
}
