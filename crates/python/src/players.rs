//! `Player`, `Observation`, `Plan` and `analyze`.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{self, piece, taps, whole, wrong};
use crate::boards::{PyBoard, PyPlacement};
use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, Reaction};
use maxout_engine::movegen::{Moves, Reach, Start};
use maxout_engine::player::{Entry, Mind, Observation, Plan, find};
use maxout_engine::search::clairvoyant::Goal;
use maxout_engine::search::{Expectimax, Foresight, Ranked, Widths};
use maxout_rules::input::Buttons;

/// What a fair player sees: board, piece in the air, next piece, level and lines.
#[pyclass(module = "maxout", name = "Observation", frozen)]
#[derive(Clone)]
pub(crate) struct PyObservation {
    pub(crate) seen: Observation,
    pub(crate) limits: Limits,
}

#[pymethods]
impl PyObservation {
    #[new]
    #[pyo3(signature = (board, piece, next, level, lines, *, taps = "30hz"))]
    fn new(
        board: &PyBoard,
        piece: &Bound<'_, PyAny>,
        next: &Bound<'_, PyAny>,
        level: &Bound<'_, PyAny>,
        lines: &Bound<'_, PyAny>,
        taps: &str,
    ) -> PyResult<Self> {
        let progress = arguments::progress(lines, level)?;
        let start = Start::spawn(self::piece(piece, "piece")?, progress.level);
        let next = self::piece(next, "next")?;
        let seen = Observation { board: board.0, start, autorepeat_y: 0, next, progress };
        Ok(Self { seen, limits: self::taps(taps)? })
    }

    /// The locked cells.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.seen.board)
    }

    /// The letter of the piece in the air.
    #[getter]
    fn piece(&self) -> Option<char> {
        self.seen.start.id.piece().map(maxout_rules::Piece::letter)
    }

    /// The letter of the next piece.
    #[getter]
    fn next(&self) -> char {
        self.seen.next.letter()
    }

    /// The level.
    #[getter]
    fn level(&self) -> u8 {
        self.seen.progress.level
    }

    /// The lines so far.
    #[getter]
    fn lines(&self) -> u32 {
        self.seen.progress.lines()
    }

    /// Lists the placements that the piece can reach from where it is, in a fixed order.
    fn placements(&self) -> Vec<PyPlacement> {
        let mut found = Vec::new();
        Moves::Pad(self.limits).list(&self.seen.board, &self.seen.start, &mut found);
        found.into_iter().map(PyPlacement).collect()
    }

    fn __repr__(&self) -> String {
        let piece = self.piece().unwrap_or('-');
        format!(
            "<Observation: {piece}, then {}, level {}, {} lines>",
            self.next(),
            self.level(),
            self.lines()
        )
    }
}

/// Where a piece goes, and the buttons of each frame until it locks.
#[pyclass(module = "maxout", name = "Plan", frozen)]
pub(crate) struct PyPlan(Plan);

#[pymethods]
impl PyPlan {
    /// Where the piece locks.
    #[getter]
    fn placement(&self) -> PyPlacement {
        PyPlacement(self.0.placement)
    }

    /// The buttons: one byte for each frame, the last one that of the lock.
    #[getter]
    fn buttons<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &bytes(&self.0.buttons))
    }

    fn __repr__(&self) -> String {
        format!("<Plan: {}, {} frames>", self.placement().__repr__(), self.0.buttons.len())
    }
}

/// What to change in a named player. Whatever is not given stays as it is.
#[derive(Clone, Copy, Default)]
pub(crate) struct Changes<'a, 'py> {
    pub(crate) taps: Option<&'a str>,
    pub(crate) reaction: Option<&'a Bound<'py, PyAny>>,
    pub(crate) aggression: Option<&'a Bound<'py, PyAny>>,
}

impl Changes<'_, '_> {
    /// Returns this player with the changes, or an error if it does not take one of them.
    pub(crate) fn of(self, entry: &Entry) -> PyResult<Entry> {
        let entry = limited(entry, self.taps, self.reaction)?;
        let Some(aggression) = self.aggression else { return Ok(entry) };
        entry.with_aggression(arguments::aggression(aggression)?).ok_or_else(|| {
            wrong(format!(
                "aggression: {} does not take it, expected a player on the learned value, such as maxout",
                entry.name
            ))
        })
    }
}

/// Returns the player with this name.
pub(crate) fn named(name: &str) -> PyResult<&'static Entry> {
    find(name).map_err(|error| wrong(format!("{:?}: {error}", arguments::shortened(name))))
}

/// Returns a player with other input limits, if any are given.
fn limited(entry: &Entry, text: Option<&str>, reaction: Option<&Bound<'_, PyAny>>) -> PyResult<Entry> {
    if text.is_none() && reaction.is_none() {
        return Ok(entry.clone());
    }
    let presses = text.map_or(Ok(entry.limits.presses), arguments::presses)?;
    let delay = reaction.map_or(Ok(entry.limits.reaction), arguments::reaction)?;
    let limits = Limits::new(presses).with_reaction(delay);
    entry.with_limits(limits).ok_or_else(|| {
        // Searches over the two known pieces take other taps, but must see both pieces from the start.
        let taps_alone = entry.with_limits(limits.with_reaction(entry.limits.reaction)).is_some();
        let name = &entry.name;
        wrong(if reaction.is_some() && taps_alone {
            format!(
                "reaction: {name} does not take it, expected a player on the learned value, such as maxout"
            )
        } else {
            format!("the input limits of {name} are part of it: expected no taps and no reaction")
        })
    })
}

fn bytes(buttons: &[Buttons]) -> Vec<u8> {
    buttons.iter().map(|buttons| buttons.0).collect()
}

/// A player of maxout's registry by name, such as "maxout", "maxout-fast" or "plateau17".
///
/// taps and reaction give it other input limits; a player whose limits are fixed raises ValueError.
/// reaction is the number of frames of a piece in which its next piece is not known yet (0 to 255), or "none-after-spawn".
/// aggression says how much risk a player on the learned value takes for points: "safest", "safer", "safe", "normal", "bold",
/// "bolder", "boldest", or a number from -3 (safest) to 3 (boldest). The name is NAME+AGGRESSION, unless it is normal. Other
/// players raise ValueError.
#[pyclass(module = "maxout", name = "Player", frozen)]
pub(crate) struct PyPlayer {
    pub(crate) entry: Entry,
    mind: Mutex<Option<Mind>>,
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (name = "maxout", *, taps = None, reaction = None, aggression = None))]
    fn new(
        name: &str,
        taps: Option<&str>,
        reaction: Option<&Bound<'_, PyAny>>,
        aggression: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let entry = Changes { taps, reaction, aggression }.of(named(name)?)?;
        Ok(Self { entry, mind: Mutex::new(None) })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.entry.name
    }

    /// The input limits, in words.
    #[getter]
    fn limits(&self) -> String {
        self.entry.limits.to_string()
    }

    /// Whether the player sees only what a person sees.
    #[getter]
    fn fair(&self) -> bool {
        self.entry.is_fair()
    }

    /// Decides where the piece goes. Returns None if the player gives up.
    ///
    /// Raises ValueError for a player that is not fair or that has a reaction delay in frames: it needs a whole game, as
    /// in simulate().
    fn plan(&self, py: Python<'_>, seen: &PyObservation) -> PyResult<Option<PyPlan>> {
        if !self.entry.is_fair() {
            let name = &self.entry.name;
            return Err(wrong(format!(
                "{name} reads the piece generator: expected a fair player, or simulate()"
            )));
        }
        if let Reaction::Frames(1..) = self.entry.limits.reaction {
            return Err(wrong(
                "a decision with a reaction delay has two steps: expected no reaction, none-after-spawn, or simulate()",
            ));
        }
        let seen = seen.seen;
        py.detach(|| {
            let mut mind = self.mind.lock().map_err(|_| wrong("this player has failed before"))?;
            let mind = mind.get_or_insert_with(|| self.entry.make(Foresight::DEFAULT, Goal::Level29));
            Ok(match mind {
                Mind::Fair(player) => player.plan(&seen).map(PyPlan),
                Mind::Clairvoyant(_) => None,
            })
        })
    }

    fn __repr__(&self) -> String {
        format!("Player({:?})", self.entry.name)
    }
}

/// Ranks the placements of a piece, best first, by maxout's learned value and a search: a list of tuples of the
/// placement, its worth in expected points from here on, and the buttons of its frames up to the last press. The learned value is that
/// for these taps.
///
/// plies is how many pieces the search looks ahead, from 2 (the two that one sees) to 4.
#[pyfunction]
#[pyo3(signature = (board, piece, next, *, level = None, lines = None, taps = "30hz", plies = None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn analyze<'py>(
    py: Python<'py>,
    board: &PyBoard,
    piece: &Bound<'_, PyAny>,
    next: &Bound<'_, PyAny>,
    level: Option<&Bound<'_, PyAny>>,
    lines: Option<&Bound<'_, PyAny>>,
    taps: &str,
    plies: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(PyPlacement, f32, Bound<'py, PyBytes>)>> {
    let (piece, next) = (self::piece(piece, "piece")?, self::piece(next, "next")?);
    let level = level.map_or(Ok(19), |level| arguments::level(level, "level", 0..=255))?;
    let lines = lines.map_or(Ok(0), |lines| whole(lines, "lines", 0..=25_599))?;
    let limits = self::taps(taps)?;
    let widths = match plies.map_or(Ok(3), |plies| whole(plies, "plies", 2..=4))? {
        2 => Widths::TWO,
        3 => Widths::THREE,
        _ => Widths::FOUR,
    };
    let (start, board) = (Start::spawn(piece, level), board.0);
    let progress = maxout_rules::Progress::at(lines as u32, level);
    let ranked = py.detach(|| {
        let mut search = Expectimax::new(weights::embedded_for(limits), widths, limits);
        let ranked = search.rank(&board, &start, next, progress);
        let reach = Reach::new(&board, &start, limits);
        let path = |ranked: &Ranked| reach.as_ref()?.path(ranked.placement).map(|path| bytes(&path.inputs));
        ranked.iter().map(|ranked| (*ranked, path(ranked).unwrap_or_default())).collect::<Vec<_>>()
    });
    let row = |(ranked, buttons): (Ranked, Vec<u8>)| {
        (PyPlacement(ranked.placement), ranked.value, PyBytes::new(py, &buttons))
    };
    Ok(ranked.into_iter().map(row).collect())
}
