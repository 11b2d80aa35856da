//! `simulate`: whole games on the model, by a player of ours or by a function of Python.

use maxout_rules::{FallRule, Placement};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Sender, SyncSender};

use numpy::PyArray2;
use pyo3::prelude::*;

use crate::arguments::{self, EACH_BUTTON, START_LEVELS, taps, whole, wrong, wrong_type};
use crate::boards::PyPlacement;
use crate::interrupts::{Questions, answering};
use crate::players::{Changes, PyPosition, known};
use maxout_engine::Position;
use maxout_engine::limits::{Limits, Reaction};
use maxout_engine::movegen::Reach;
use maxout_engine::player::{Entry, Plan, Player};
use maxout_engine::search::Aggression;
use maxout_host::batch::{Batch, Finished, sim};
use maxout_record::result::Figure;
use maxout_rules::Stop;

/// What a function of Python is asked: what a player sees, and where the answer goes.
pub(crate) struct Ask {
    position: Position,
    answer: SyncSender<Option<Placement>>,
}

/// A function of Python that plays. The games run in other threads, which ask the calling one ([`answering`]).
pub(crate) struct Function {
    function: Py<PyAny>,
    limits: Limits,
}

impl Function {
    /// Answers one question.
    fn answer(&self, py: Python<'_>, asked: &Ask) -> PyResult<()> {
        let view = PyPosition { position: asked.position, limits: self.limits };
        let answer = self.function.bind(py).call1((view,))?;
        let placement = if answer.is_none() {
            None
        } else {
            let placement = answer.cast::<PyPlacement>().map_err(|_| {
                let text = arguments::shown(&answer);
                wrong_type(format!("the player returned {text}, expected a Placement or None"))
            })?;
            Some(placement.get().0)
        };
        if placement.is_some_and(|placement| self.plan(&asked.position, placement).is_none()) {
            let place = arguments::shown(&answer);
            return Err(wrong(format!("the player returned {place}, expected one of Position.placements()")));
        }
        // The games may have ended meanwhile.
        let _ = asked.answer.send(placement);
        Ok(())
    }

    fn plan(&self, position: &Position, placement: Placement) -> Option<Plan> {
        let path = Reach::new(&position.board, &position.start, self.limits)?.path(placement)?;
        Plan::along(position, placement, &path, true)
    }
}

/// The player that a game sees where a function of Python plays.
struct FunctionPlayer {
    ask: Sender<Option<Ask>>,
    limits: Limits,
}

impl Player for FunctionPlayer {
    fn plan(&mut self, position: &Position) -> Option<Plan> {
        let (answer, answered) = mpsc::sync_channel(1);
        self.ask.send(Some(Ask { position: *position, answer })).ok()?;
        // Without an answer, the games are about to be stopped.
        let placement = answered.recv().ok()??;
        let path = Reach::new(&position.board, &position.start, self.limits)?.path(placement)?;
        Plan::along(position, placement, &path, true)
    }
}

/// Who plays games for Python: a player of ours, or a function of Python with where its questions go.
pub(crate) struct Caller {
    pub(crate) entry: Entry,
    function: Option<Function>,
    questions: Questions<Ask>,
}

impl Caller {
    /// Reads what Python calls a player.
    pub(crate) fn of(player: &Bound<'_, PyAny>, changes: Changes<'_, '_>) -> PyResult<Self> {
        let questions = mpsc::channel();
        if let Some(entry) = known(player)? {
            return Ok(Self { entry: changes.of(&entry)?, function: None, questions });
        }
        if !player.is_callable() {
            let text = arguments::shown(player);
            return Err(wrong_type(format!("player is {text}, expected a name, a Player or a function")));
        }
        let limits = limits_of_function(changes)?;
        let ask = questions.0.clone();
        let entry = Entry::fair("python", limits, move |_| FunctionPlayer { ask: ask.clone(), limits });
        let function = Some(Function { function: player.clone().unbind(), limits });
        Ok(Self { entry, function, questions })
    }

    /// Plays games in other threads, and asks the function of Python, if there is one, in the calling one. `work` gets what says that it
    /// should stop.
    pub(crate) fn play<T: Send>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&AtomicBool) -> T + Send,
    ) -> PyResult<T> {
        let Self { function, questions, .. } = self;
        let stop = &AtomicBool::new(false);
        let answer = |py: Python<'_>, asked: Ask| {
            function.as_ref().map_or(Ok(()), |function| function.answer(py, &asked))
        };
        answering(py, stop, questions, answer, || work(stop))
    }
}

/// The input limits of a function of Python.
fn limits_of_function(changes: Changes<'_, '_>) -> PyResult<Limits> {
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
    taps(limits.unwrap_or(EACH_BUTTON))
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
    let games = whole(games, "games", 1..=1_000_000)? as u64;
    let caller = Caller::of(player, Changes { taps, reaction, aggression })?;
    let batch = batch(caller.entry.clone(), games, seed, level, stop, misdrop)?;
    if double_killscreen && !batch.player.capabilities().plays_double_killscreen {
        return Err(wrong(format!(
            "double_killscreen: {} does not know it, expected another player, such as maxout",
            batch.player.name
        )));
    }
    let batch = Batch { fall_rule: FallRule::with_double_killscreen(double_killscreen), ..batch };
    let jobs = whole(jobs, "jobs", 1..=256)? as usize;
    let mut rows = Vec::new();
    let played = caller.play(py, |stop| {
        sim(&batch, jobs, stop, &mut |game| {
            rows.push(row(&game));
            Ok(())
        })
        .map_err(|error| error.to_string())
    })?;
    played.map_err(|error| wrong(format!("a game failed: {error}")))?;
    PyArray2::from_vec2(py, &rows).map_err(wrong)
}

/// One game: its seed, the columns of its result, its frames.
fn row(game: &Finished) -> Vec<u64> {
    let result = game.outcome.result.columns().map(|(_, figure)| match figure {
        Figure::Flag(flag) => flag.into(),
        Figure::Count(count) => count,
    });
    [game.seed].into_iter().chain(result).chain([game.outcome.frames]).collect()
}
