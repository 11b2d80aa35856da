//! `play`: whole games in the emulator, by a player of ours or by a function of Python.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arguments::{whole, wrong};
use crate::cartridges::identity;
use crate::movies::PyMovie;
use crate::simulation::{self, Trouble, entry};
use maxout_host::Console;
use maxout_host::batch::{self, Batch, Finished};
use maxout_host::movie::{Credits, Movie};
use maxout_host::rom::Identity;

/// How many frames pass between two looks at the signals.
const LOOK: u64 = 512;

/// A record, the buttons from power-on and the movie of one game.
type Played<'py> = (Bound<'py, PyDict>, Bound<'py, PyBytes>, PyMovie);

/// Plays games in the emulator, and returns for each its record (the fields of `run.json`), its buttons from power-on
/// and its movie. `maxout.play` makes `PlayedGame`s of them.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of maxout.play")]
pub(crate) fn play<'py>(
    py: Python<'py>,
    player: &Bound<'_, PyAny>,
    games: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    level: &Bound<'_, PyAny>,
    stop: &str,
    taps: Option<&str>,
    reaction: Option<&Bound<'_, PyAny>>,
    rom: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Played<'py>>> {
    let trouble = Arc::new(Trouble::default());
    let games = whole(games, "games", 1..=9_600)? as u64;
    let batch = simulation::batch(entry(player, taps, reaction, &trouble)?, games, seed, level, stop)?;
    batch.check_for_console().map_err(wrong)?;
    let identity = identity(rom)?;
    let mut finished = Vec::new();
    let signals = |py: Python<'_>| py.check_signals();
    let played = py.detach(|| {
        let mut console = Console::power_on(&identity.image).map_err(|error| error.to_string())?;
        let mut frames = 0;
        let mut watch = |_, _: &_, _: &_| {
            frames += 1;
            if frames % LOOK == 0
                && let Err(error) = Python::attach(signals)
            {
                trouble.keep(error);
            }
            Ok(!trouble.stop.load(Ordering::Relaxed))
        };
        batch::play(&batch, &mut console, &mut watch, &mut |game| {
            finished.push(game);
            Ok(())
        })
        .map_err(|error| error.to_string())
    });
    if let Some(error) = trouble.error.lock().ok().and_then(|mut error| error.take()) {
        return Err(error);
    }
    played.map_err(|error| wrong(format!("a game failed: {error}")))?;
    finished.iter().map(|game| told(py, game, &batch, &identity)).collect()
}

/// Returns what Python is told of a game.
fn told<'py>(py: Python<'py>, game: &Finished, batch: &Batch, rom: &Identity) -> PyResult<Played<'py>> {
    let outcome = &game.outcome;
    let stop = batch.stop.to_string();
    let credits = Credits {
        version: env!("CARGO_PKG_VERSION"),
        player: &batch.player.name,
        fair: batch.player.is_fair(),
        seed: game.seed,
        start_level: batch.start_level,
        stop: &stop,
        score: outcome.score,
        shown_score: outcome.shown_score,
        lines: outcome.lines,
        level: outcome.level,
        replans: outcome.counts.replans,
    };
    let log: Vec<_> = game.menu.frames().iter().chain(outcome.log.frames()).copied().collect();
    let bytes: Vec<u8> = log.iter().map(|buttons| buttons.0).collect();
    let record = record(py, game, batch, rom, &credits)?;
    Ok((record, PyBytes::new(py, &bytes), PyMovie(Movie::of_game(&credits, log, rom))))
}

/// Returns the fields of `run.json` in its order (docs/reference/formats.md), but for the time at which it is made.
fn record<'py>(
    py: Python<'py>,
    game: &Finished,
    batch: &Batch,
    rom: &Identity,
    credits: &Credits<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let outcome = &game.outcome;
    let record = PyDict::new(py);
    let cartridge = PyDict::new(py);
    cartridge.set_item("name", &rom.name)?;
    cartridge.set_item("sha1", &rom.sha1)?;
    record.set_item("version", credits.version)?;
    record.set_item("player", credits.player)?;
    record.set_item("fair", credits.fair)?;
    record.set_item("limits", batch.player.limits.to_string())?;
    record.set_item("host", "console")?;
    record.set_item("rom", cartridge)?;
    record.set_item("seed", game.seed)?;
    record.set_item("start_level", credits.start_level)?;
    record.set_item("stop", credits.stop)?;
    record.set_item("reached_stop", outcome.reached_stop)?;
    record.set_item("topped_out", outcome.topped_out)?;
    record.set_item("crashed", outcome.crashed)?;
    record.set_item("score", outcome.score)?;
    record.set_item("line_points", outcome.line_points)?;
    record.set_item("shown_score", outcome.shown_score)?;
    record.set_item("lines", outcome.lines)?;
    record.set_item("level", outcome.level)?;
    for (name, count) in ["singles", "doubles", "triples", "tetrises"].into_iter().zip(outcome.clears) {
        record.set_item(name, count)?;
    }
    let decisions = outcome.counts.decisions;
    record.set_item("pieces", outcome.pieces)?;
    record.set_item("decisions", decisions)?;
    record.set_item("replans", outcome.counts.replans)?;
    let cpu_ms = outcome.thinking.as_secs_f64() * 1e3 / decisions.max(1) as f64;
    record.set_item("cpu_ms_per_decision", cpu_ms)?;
    record.set_item("wall_s", outcome.wall.as_secs_f64())?;
    record.set_item("menu_frames", game.menu.len())?;
    record.set_item("frames", outcome.frames)?;
    record.set_item("ram_crc32", game.ram_crc.map(|crc| format!("{crc:08x}")))?;
    Ok(record)
}
