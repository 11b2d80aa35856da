//! `FrameGames`: the games of [`crate::frame_vector`] with numpy arrays as their buffers.

use numpy::ndarray::Dim;
use numpy::{PyArray, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{self, START_LEVELS, whole, word, wrong};
use crate::encoding::PIECES;
use crate::frame_vector::{
    self, FrameBuffers, FrameOptions, FrameReward, FrameSizes, FrameSlot, LAST_COUNTS, frame_arrays,
};
use crate::memory::{
    Games, MOST_GAMES, MOST_THREADS, Shared, each_game, games, in_chunks, memory, over, refused,
};
use crate::shares::Team;
use crate::states;
use crate::vector::Autoreset;
use maxout_rules::input::Buttons;
use maxout_rules::ram;

/// The number of frames that are played between two looks at the signals.
const CHUNK: usize = 1 << 21;

frame_arrays!(games! {
    /// Many games frame by frame. An action is an index into a list of buttons. Each step writes the arrays in place; they are the
    /// same objects for the life of the games.
    FrameGames of FrameSlot, (), FrameBuffers, FrameSizes;
    options: FrameOptions,
    actions: Vec<Buttons>,
    team: Team,
});

#[pymethods]
impl FrameGames {
    #[new]
    #[pyo3(signature = (
        num_envs, *, threads, start_level, stop_level, stop_lines, observation, reward, actions, frame_skip, autoreset
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of the environment")]
    fn new(
        py: Python<'_>,
        num_envs: &Bound<'_, PyAny>,
        threads: &Bound<'_, PyAny>,
        start_level: &Bound<'_, PyAny>,
        stop_level: Option<u8>,
        stop_lines: Option<u32>,
        observation: &str,
        reward: &str,
        actions: &[u8],
        frame_skip: &Bound<'_, PyAny>,
        autoreset: &str,
    ) -> PyResult<Self> {
        let count = whole(num_envs, "num_envs", 1..=MOST_GAMES)? as usize;
        let threads = whole(threads, "threads", 1..=MOST_THREADS)? as usize;
        let start_level = arguments::level(start_level, "start_level", START_LEVELS)?;
        let seen = word("observation", observation, &[("board", (count, 0)), ("ram", (0, count))])?;
        let reward = word(
            "reward",
            reward,
            &[("score", FrameReward::Score), ("points", FrameReward::Points), ("lines", FrameReward::Lines)],
        )?;
        if actions.is_empty() {
            return Err(wrong("actions is empty, expected the buttons of 1 action or more"));
        }
        let frame_skip = whole(frame_skip, "frame_skip", 1..=3600)? as u32;
        let autoreset = word("autoreset", autoreset, &Autoreset::NAMES)?;
        let game = maxout_rules::Seed::new(0).start(start_level);
        let used = |address: &u16| address >> 8 != ram::FIELD >> 8 && game.peek(*address).is_some();
        let addresses = (0..ram::SIZE as u16).filter(used).collect();
        let options =
            FrameOptions { start_level, stop_level, stop_lines, reward, frame_skip, autoreset, addresses };
        let slots = (0..count).map(|_| FrameSlot::new(start_level)).collect();
        let ended = if autoreset == Autoreset::SameStep { [count, seen.0, seen.1] } else { [0; 3] };
        let sizes = FrameSizes { games: count, boards: seen.0, rams: seen.1, ended };
        let actions = actions.iter().map(|&held| Buttons(held)).collect();
        let team = Team::new(threads).map_err(wrong)?;
        Ok(Self::with_arrays(py, (slots, ()), sizes, (options, actions, team)))
    }

    /// Returns the state of the games, for restore().
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.state.lock()?;
        states::write(py, &(&state.slots, state.begun))
    }

    /// Goes on from the state of games that were made with the same arguments.
    fn restore(&self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        let (slots, begun) = states::read(state, "FrameGames")?;
        self.go_on(py, Games { slots, begun, dice: () })
    }

    /// Goes on as the games of another object do, which were made with the same arguments.
    fn follow(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let state = {
            let other = other.state.lock()?;
            let slots = other.slots.iter().map(FrameSlot::fresh).collect();
            Games { slots, begun: other.begun, dice: () }
        };
        self.go_on(py, state)
    }

    /// The number of games.
    #[getter]
    fn num_envs(&self) -> usize {
        self.count
    }

    /// Begins games: seeds is int64 of shape (n,). A seed of -1 begins the next game of the seed before, and -2 leaves
    /// a game as it is.
    fn reset(&self, py: Python<'_>, seeds: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        self.begin(py, &each_game(&seeds, "seeds", self.count)?)
    }

    /// Takes one step in every game: actions is int64 of shape (n,). A game that ended in the last step begins anew,
    /// and its action does not count.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let wanted = each_game(&actions, "actions", self.count)?;
        let held = wanted.iter().enumerate().map(|(at, &action)| {
            let held = usize::try_from(action).ok().and_then(|action| self.actions.get(action));
            held.copied().ok_or_else(|| {
                let last = self.actions.len() - 1;
                wrong(format!("action {action} of game {at} does not exist, expected 0 to {last}"))
            })
        });
        let held = held.collect::<PyResult<Vec<Buttons>>>()?;
        {
            let state = self.state.lock()?;
            if !state.begun {
                return Err(wrong("the games have not begun, expected reset() before step()"));
            }
            let ended = state.slots.iter().position(FrameSlot::is_over);
            if let (Some(at), Autoreset::Disabled) = (ended, self.options.autoreset) {
                return Err(over(at));
            }
        }
        let (options, pool) = (&self.options, self.team.pool().map_err(wrong)?);
        self.with_buffers(py, |slots, buffers, first| {
            let held = &held[first..][..slots.len()];
            frame_vector::step(slots, held, buffers, options, pool.as_deref());
        })
    }
}

impl FrameGames {
    /// The number of games that are worked on between two looks at the signals.
    fn chunk(&self) -> usize {
        (CHUNK / self.options.frame_skip as usize).max(1)
    }
}
