//! `simulate`: whole games on the model, by a player of ours or by a function of Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{self, START_LEVELS, taps, whole, wrong};
use crate::boards::PyPlacement;
use crate::players::{Changes, PyObservation, PyPlayer, named};
use maxout_engine::limits::{Limits, Reaction};
use maxout_engine::movegen::Reach;
use maxout_engine::player::{Entry, Observation, Plan, Player};
use maxout_engine::search::Aggression;
use maxout_host::batch::{Batch, sim};
use maxout_host::session::Stop;

/// One game: seed, score, line points, lines, level, singles, doubles, triples, tetrises, pieces, frames, topped out,
/// reached its stop.
type Row = [u64; 13];

/// The first error of a function of Python, and whether the games should end for it.
#[derive(Default)]
pub(crate) struct Trouble {
    pub(crate) error: Mutex<Option<PyErr>>,
    pub(crate) stop: AtomicBool,
}

impl Trouble {
    pub(crate) fn keep(&self, error: PyErr) {
        if let Ok(mut kept) = self.error.lock() {
            kept.get_or_insert(error);
        }
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A player that is a function of Python: it gets an `Observation` and returns a `Placement`, or None to give up.
struct FunctionPlayer {
    function: Arc<Py<PyAny>>,
    limits: Limits,
    trouble: Arc<Trouble>,
}

impl FunctionPlayer {
    fn ask(&self, seen: &Observation) -> PyResult<Option<Plan>> {
        let answer = Python::attach(|py| -> PyResult<Option<_>> {
            let view = PyObservation { seen: *seen, limits: self.limits };
            let answer = self.function.bind(py).call1((view,))?;
            if answer.is_none() {
                return Ok(None);
            }
            let placement = answer.cast::<PyPlacement>().map_err(|_| {
                let text = answer.repr().map(|text| arguments::shortened(&text.to_string()));
                let text = text.unwrap_or_else(|_| "?".to_owned());
                PyTypeError::new_err(format!("the player returned {text}, expected a Placement or None"))
            })?;
            Ok(Some(placement.get().0))
        })?;
        let Some(placement) = answer else { return Ok(None) };
        let path = Reach::new(&seen.board, &seen.start, self.limits).and_then(|reach| reach.path(placement));
        let plan = path.and_then(|path| Plan::along(seen, placement, &path, true));
        plan.map(Some).ok_or_else(|| {
            let place = PyPlacement(placement).__repr__();
            wrong(format!("the player returned {place}, expected one of Observation.placements()"))
        })
    }
}

impl Player for FunctionPlayer {
    fn plan(&mut self, seen: &Observation) -> Option<Plan> {
        if self.trouble.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.ask(seen).unwrap_or_else(|error| {
            self.trouble.keep(error);
            None
        })
    }
}

/// The entry of what Python calls a player.
pub(crate) fn entry(
    player: &Bound<'_, PyAny>,
    changes: Changes<'_, '_>,
    trouble: &Arc<Trouble>,
) -> PyResult<Entry> {
    if let Ok(name) = player.cast::<PyString>() {
        return changes.of(named(name.to_cow()?.as_ref())?);
    }
    if let Ok(known) = player.cast::<PyPlayer>() {
        return changes.of(&known.get().entry);
    }
    if !player.is_callable() {
        return Err(PyTypeError::new_err("player: expected a name, a Player or a function"));
    }
    let Changes { taps: limits, reaction, aggression } = changes;
    if aggression.map_or(Ok(Aggression::NORMAL), arguments::aggression)? != Aggression::NORMAL {
        return Err(wrong(
            "aggression: a function takes none, expected a player on the learned value, such as maxout",
        ));
    }
    if reaction.map_or(Ok(Reaction::NONE), arguments::reaction)? != Reaction::NONE {
        return Err(wrong(
            "reaction: a function decides once, when a piece spawns, and sees both: expected no reaction",
        ));
    }
    let limits = taps(limits.unwrap_or("30hz"))?;
    let (function, trouble) = (Arc::new(player.clone().unbind()), Arc::clone(trouble));
    Ok(Entry::fair("python", limits, move |_| FunctionPlayer {
        function: Arc::clone(&function),
        limits,
        trouble: Arc::clone(&trouble),
    }))
}

/// Returns the games that the arguments of `simulate` and `play` name.
pub(crate) fn batch(
    player: Entry,
    games: u64,
    seed: &Bound<'_, PyAny>,
    level: &Bound<'_, PyAny>,
    stop: &str,
    misdrop: &Bound<'_, PyAny>,
) -> PyResult<Batch> {
    Ok(Batch {
        first_seed: arguments::seed(seed)?,
        start_level: arguments::level(level, "level", START_LEVELS)?,
        stop: stop.parse::<Stop>().map_err(|error| wrong(format!("stop: {error}")))?,
        misdrop: arguments::misdrop(misdrop)?,
        ..Batch::new(player, games)
    })
}

/// Plays games on the model, and returns a row of numbers for each, in the order of their seeds.
/// `maxout.simulate` makes a structured array of them.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of maxout.simulate")]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    player: &Bound<'_, PyAny>,
    games: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
    jobs: &Bound<'_, PyAny>,
    level: &Bound<'_, PyAny>,
    stop: &str,
    taps: Option<&str>,
    reaction: Option<&Bound<'_, PyAny>>,
    aggression: Option<&Bound<'_, PyAny>>,
    misdrop: &Bound<'_, PyAny>,
    double_killscreen: bool,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let trouble = Arc::new(Trouble::default());
    let games = whole(games, "games", 1..=1_000_000)? as u64;
    let changes = Changes { taps, reaction, aggression };
    let batch = batch(entry(player, changes, &trouble)?, games, seed, level, stop, misdrop)?;
    if double_killscreen && !batch.player.plays_double_killscreen() {
        return Err(wrong(format!(
            "double_killscreen: {} does not know it, expected another player, such as maxout",
            batch.player.name
        )));
    }
    let batch = Batch { double_killscreen, ..batch };
    let jobs = whole(jobs, "jobs", 1..=256)? as usize;
    let mut rows = Vec::new();
    let signals = |py: Python<'_>| py.check_signals();
    let played = py.detach(|| {
        sim(&batch, jobs, &trouble.stop, &mut |game| {
            let o = &game.outcome;
            let [singles, doubles, triples, tetrises] = o.clears.map(u64::from);
            let (lines, level, pieces) = (o.lines.into(), o.level.into(), o.pieces.into());
            let (topped_out, reached_stop) = (o.topped_out.into(), o.reached_stop.into());
            let row: Row = [
                game.seed,
                o.score,
                o.line_points,
                lines,
                level,
                singles,
                doubles,
                triples,
                tetrises,
                pieces,
                o.frames,
                topped_out,
                reached_stop,
            ];
            rows.push(row.to_vec());
            // Ctrl-C ends the games after the next one.
            Python::attach(signals).map_err(|error| {
                trouble.keep(error);
                "interrupted".into()
            })
        })
    });
    if let Some(error) = trouble.error.lock().ok().and_then(|mut error| error.take()) {
        return Err(error);
    }
    played.map_err(|error| wrong(format!("a game failed: {error}")))?;
    PyArray2::from_vec2(py, &rows).map_err(wrong)
}
