//! `Player`, `Position`, `Plan`, `analyze` and `players`.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::arguments::{self, piece, taps, wrong, wrong_type};
use crate::boards::{PyBoard, PyPlacement};
use crate::interrupts::abandonable;
use crate::states::{self, Reduced};
use maxout_engine::Position;
use maxout_engine::analysis::Analyst;
use maxout_engine::limits::{Limits, Reaction};
use maxout_engine::movegen::{Moves, Start};
use maxout_engine::player::{Entry, Mind, Plan};
use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_rules::Stop;
use maxout_rules::input::Buttons;

/// What a fair player sees: board, piece in the air, next piece, level and lines.
#[pyclass(module = "maxout", name = "Position", frozen)]
#[derive(Clone)]
pub(crate) struct PyPosition {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (board, piece, next, level, lines, *, taps = "each-button"))]
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
        let position = Position { board: board.0, start, next: Some(next), progress };
        Ok(Self { position, limits: self::taps(taps)? })
    }

    /// The locked cells.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(self.position.board)
    }

    /// The letter of the piece in the air.
    #[getter]
    fn piece(&self) -> char {
        self.position.start.orientation.piece().letter()
    }

    /// The letter of the next piece.
    #[getter]
    fn next(&self) -> Option<char> {
        self.position.next.map(maxout_rules::Piece::letter)
    }

    /// The level.
    #[getter]
    fn level(&self) -> u8 {
        self.position.progress.level
    }

    /// The lines so far.
    #[getter]
    fn lines(&self) -> u32 {
        self.position.progress.lines()
    }

    /// Lists the placements that the piece can reach from where it is, in a fixed order.
    fn placements(&self) -> Vec<PyPlacement> {
        let mut found = Vec::new();
        Moves::Pad(self.limits).list(&self.position.board, &self.position.start, &mut found);
        found.into_iter().map(PyPlacement).collect()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        let state = states::write(py, &(&self.position, self.limits))?;
        Ok((py.get_type::<Self>().getattr("_restore")?, (state,)))
    }

    /// Makes the position of a state that pickle has kept.
    #[staticmethod]
    fn _restore(state: &[u8]) -> PyResult<Self> {
        let (position, limits): (Position, Limits) = states::read(state, "Position")?;
        if position.start.x > 9 || position.start.y > 19 {
            return Err(states::foreign("Position"));
        }
        Ok(Self { position, limits })
    }

    fn __repr__(&self) -> String {
        let piece = self.piece();
        format!(
            "<Position: {piece}, then {}, level {}, {} lines>",
            self.next().unwrap_or('-'),
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

    /// The buttons: one byte for each frame, up to the frame of the lock.
    #[getter]
    fn buttons<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &bytes(&self.0.buttons))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, (states::write(py, &self.0)?,)))
    }

    /// Makes the plan of a state that pickle has kept.
    #[staticmethod]
    fn _restore(state: &[u8]) -> PyResult<Self> {
        states::read(state, "Plan").map(Self)
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

/// Returns the player that a name or a `Player` means, or `None` for anything else.
pub(crate) fn known(player: &Bound<'_, PyAny>) -> PyResult<Option<Entry>> {
    if let Ok(name) = player.cast::<PyString>() {
        return named(name.to_cow()?.as_ref()).cloned().map(Some);
    }
    Ok(player.cast::<PyPlayer>().ok().map(|known| known.get().entry.clone()))
}

/// Returns the player that a name or a `Player` means.
pub(crate) fn named_or_player(player: &Bound<'_, PyAny>) -> PyResult<Entry> {
    known(player)?.ok_or_else(|| {
        wrong_type(format!("player is {}, expected a name or a Player", arguments::shown(player)))
    })
}

/// Fails if a player has no analyst.
pub(crate) fn check_learned(entry: &Entry) -> PyResult<()> {
    if entry.capabilities().is_learned {
        return Ok(());
    }
    let name = &entry.name;
    Err(wrong(format!("player: {name} does not rank in points, expected a player on the learned value")))
}

/// Returns the analyst of a player on the learned value.
pub(crate) fn analyst_of(entry: &Entry) -> PyResult<Analyst> {
    check_learned(entry)?;
    entry.analyst(Foresight::DEFAULT).ok_or_else(|| wrong("player: it does not rank in points"))
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

/// Name, taps, reaction and aggression.
type Arguments = (String, Option<String>, Option<Py<PyAny>>, Option<Py<PyAny>>);

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
    /// The arguments that it was made with.
    made: Arguments,
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
        let given = |value: Option<&Bound<'_, PyAny>>| value.map(|value| value.clone().unbind());
        let made = (name.to_owned(), taps.map(str::to_owned), given(reaction), given(aggression));
        Ok(Self { entry, made, mind: Mutex::new(None) })
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        let (name, taps, reaction, aggression) = &self.made;
        let given = |value: &Option<Py<PyAny>>| value.as_ref().map(|value| value.clone_ref(py));
        let made = (name.clone(), taps.clone(), given(reaction), given(aggression));
        Self { entry: self.entry.clone(), made, mind: Mutex::new(None) }
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Bound<'py, PyTuple>> {
        let (name, taps, reaction, aggression) = &self.made;
        let made = (name, taps, reaction, aggression).into_pyobject(py)?;
        Ok((py.get_type::<Self>().getattr("_restore")?, made))
    }

    /// Makes the player of the arguments that pickle has kept.
    #[staticmethod]
    fn _restore(
        name: &str,
        taps: Option<&str>,
        reaction: Option<&Bound<'_, PyAny>>,
        aggression: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::new(name, taps, reaction, aggression)
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

    /// What the player does, and who invented it.
    #[getter]
    fn source(&self) -> &str {
        &self.entry.source
    }

    /// How many pieces the player looks ahead, the one in the air included.
    #[getter]
    fn plies(&self) -> u8 {
        self.entry.plies()
    }

    /// Whether the player plays by the learned value. Only these players rank in points, and take reaction and aggression.
    #[getter]
    fn learned(&self) -> bool {
        self.entry.capabilities().is_learned
    }

    /// Whether the player sees only what a person sees.
    #[getter]
    fn fair(&self) -> bool {
        self.entry.capabilities().is_fair
    }

    /// Decides where the piece goes. Returns None if the player gives up.
    ///
    /// Raises ValueError for a player that is not fair or that has a reaction delay in frames: it needs a whole game, as
    /// in simulate().
    fn plan(&self, py: Python<'_>, position: &PyPosition) -> PyResult<Option<PyPlan>> {
        if !self.entry.capabilities().is_fair {
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
        let position = position.position;
        py.detach(|| {
            let mut mind = self.mind.lock().map_err(|_| wrong("this player has failed before"))?;
            let mind = mind.get_or_insert_with(|| self.entry.make(Foresight::DEFAULT, Stop::Level29));
            Ok(match mind {
                Mind::Fair(player) => player.plan(&position).map(PyPlan),
                Mind::Clairvoyant(_) => None,
            })
        })
    }

    fn __repr__(&self) -> String {
        format!("Player({:?})", self.entry.name)
    }
}

/// Answers a question, in JSON as serde writes an answer. `maxout.analyze` makes an `Answer` of it.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of maxout.analyze")]
pub(crate) fn analyze(
    py: Python<'_>,
    board: &PyBoard,
    piece: &Bound<'_, PyAny>,
    next: Option<&Bound<'_, PyAny>>,
    level: &Bound<'_, PyAny>,
    lines: &Bound<'_, PyAny>,
    player: &Bound<'_, PyAny>,
    taps: Option<&str>,
    aggression: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let progress = arguments::progress(lines, level)?;
    let start = Start::spawn(self::piece(piece, "piece")?, progress.level);
    let next = next.map(|next| self::piece(next, "next")).transpose()?;
    let entry = Changes { taps, aggression, reaction: None }.of(&named_or_player(player)?)?;
    let mut analyst = analyst_of(&entry)?;
    let position = Position { board: board.0, start, next, progress };
    let answer = abandonable(py, move || analyst.answer(&position))?;
    serde_json::to_string(&answer).map_err(|error| wrong(error.to_string()))
}

/// Returns all players.
#[pyfunction]
pub(crate) fn players() -> Vec<PyPlayer> {
    let player = |entry: &Entry| {
        let made = (entry.name.clone().into_owned(), None, None, None);
        PyPlayer { entry: entry.clone(), made, mind: Mutex::new(None) }
    };
    maxout_gallery::players().iter().map(player).collect()
}
