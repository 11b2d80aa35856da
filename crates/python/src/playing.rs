//! `play`: whole games in the emulator, by a player of ours or by a Python function, and the files of such runs.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{os_error, whole, wrong};
use crate::cartridges::identity;
use crate::movies::PyMovie;
use crate::players::Changes;
use crate::saving;
use crate::simulation::{self, Caller};
use maxout_host::batch::{self, Batch, Finished};
use maxout_host::rom;
use maxout_record::cartridge::Identity;
use maxout_record::movie::Movie;
use maxout_record::result::HostKind;
use maxout_record::run::{Record, RomName, log_from_text, log_to_text, record_from_json};
use maxout_rules::Region;
use maxout_rules::input::Buttons;

/// A record (`run.json` as text), the buttons from power-on and the movie of one game.
type Played<'py> = (String, Bound<'py, PyBytes>, PyMovie);

/// Plays games in the emulator, and returns for each its record (`run.json` as text), its buttons from power-on and its
/// movie. `maxout.play` makes `PlayedGame`s of them.
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
    aggression: Option<&Bound<'_, PyAny>>,
    misdrop: &Bound<'_, PyAny>,
    rom: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Played<'py>>> {
    let games = whole(games, "games", 1..=9_600)? as u64;
    let caller = Caller::of(player, Changes { taps, reaction, aggression })?;
    let batch = simulation::batch(caller.entry.clone(), games, seed, level, stop, misdrop)?;
    let identity = identity(rom)?;
    batch.check_for_console(identity.edition).map_err(wrong)?;
    if identity.region == Region::Pal && !batch.player.capabilities().plays_double_killscreen {
        let name = &batch.player.name;
        return Err(wrong(format!("player: {name} does not know the PAL version, expected another")));
    }
    let batch = Batch { fall_rule: identity.region.into(), ..batch };
    let mut finished = Vec::new();
    let played = caller.play(py, |stop| {
        let mut console = rom::power_on(&identity).map_err(|error| error.to_string())?;
        let mut watch = |_, _: &_, _: &_| Ok(!stop.load(Ordering::Relaxed));
        batch::play(&batch, &mut console, &mut watch, &mut |game| {
            finished.push(game);
            Ok(())
        })
        .map_err(|error| error.to_string())
    })?;
    played.map_err(|error| wrong(format!("a game failed: {error}")))?;
    finished.iter().map(|game| told(py, game, &batch, &identity)).collect()
}

/// Returns what Python gets for a game. The record has no time, because Python adds it.
fn told<'py>(py: Python<'py>, game: &Finished, batch: &Batch, rom: &Identity) -> PyResult<Played<'py>> {
    let name = RomName { name: rom.name.clone(), sha1: Some(rom.sha1.clone()) };
    let record = game.record(batch, HostKind::Console, name, String::new());
    let log = game.log();
    let bytes: Vec<u8> = log.frames().iter().map(|buttons| buttons.0).collect();
    let movie = Movie::of_game(&record.credits(), log.frames().iter().copied(), rom);
    Ok((record.to_json().map_err(wrong)?, PyBytes::new(py, &bytes), PyMovie(movie.into())))
}

/// Returns the name of a run's folder, and the texts of its files `run.json` and `buttons.txt`.
#[pyfunction]
pub(crate) fn run_files(record: &str, buttons: &[u8]) -> PyResult<(String, String, String)> {
    let record = checked(record, buttons.len())?;
    let log = buttons.iter().copied().map(Buttons).collect();
    Ok((record.folder_name(), record.to_json().map_err(wrong)?, log_to_text(&log)))
}

/// Writes a file, whole or not at all.
#[pyfunction]
pub(crate) fn write_file(path: PathBuf, content: &[u8]) -> PyResult<()> {
    saving::write(&path, content).map_err(|error| os_error(&error, &path))
}

/// Returns the buttons of a run from the texts of its two files.
#[pyfunction]
pub(crate) fn read_run<'py>(py: Python<'py>, record: &str, log: &str) -> PyResult<Bound<'py, PyBytes>> {
    let log = log_from_text(log)
        .map_err(|(line, message)| wrong(format!("buttons.txt: line {line}: {message}")))?;
    checked(record, log.len())?;
    let bytes: Vec<u8> = log.frames().iter().map(|buttons| buttons.0).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// Reads the record of a run with this number of frames.
fn checked(record: &str, frames: usize) -> PyResult<Record> {
    let record = record_from_json(record).map_err(|told| wrong(format!("not a run record: {told}")))?;
    record.quarrel(frames).map_or(Ok(record), |told| Err(wrong(format!("not a run record: {told}"))))
}
