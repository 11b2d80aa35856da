//! `FrameGames`: the games of [`crate::frame_vector`] with numpy arrays as their buffers.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{self, START_LEVELS, whole, word, wrong};
use crate::encoding::{CELLS, PIECES};
use crate::frame_vector::{self, FrameBuffers, FrameOptions, FrameReward, FrameSlot, LAST_COUNTS, Sight};
use crate::interrupts::Lookout;
use crate::memory::{MOST_GAMES, MOST_THREADS, Shared, memory, over, refused, writable};
use crate::shares::{Divide as _, Team};
use crate::states;
use crate::vector::Autoreset;
use maxout_rules::input::Buttons;
use maxout_rules::ram;

/// The number of frames that are played between two looks at the signals.
const CHUNK: usize = 1 << 21;

/// Many games frame by frame. An action is an index into a list of buttons. Each step writes the arrays in place; they are the
/// same objects for the life of the games.
#[pyclass(module = "maxout._maxout", frozen)]
pub(crate) struct FrameGames {
    /// The games, and whether they have begun.
    state: Shared<(Vec<FrameSlot>, bool)>,
    count: usize,
    /// The number of games whose board is seen, which is all or none, and the same for RAM.
    boards: usize,
    rams: usize,
    options: FrameOptions,
    actions: Vec<Buttons>,
    team: Team,
    /// The visible cells, 1 for a locked one and 2 for the piece in the air: uint8 (n, 20, 10).
    #[pyo3(get)]
    board: Py<PyArray3<u8>>,
    /// The piece in play, one-hot in the order T J Z O S L I: uint8 (n, 7).
    #[pyo3(get)]
    piece: Py<PyArray2<u8>>,
    /// The next piece, one-hot: uint8 (n, 7).
    #[pyo3(get)]
    next: Py<PyArray2<u8>>,
    /// The level: int32 (n, 1).
    #[pyo3(get)]
    level: Py<PyArray2<i32>>,
    /// The lines: int32 (n, 1).
    #[pyo3(get)]
    lines: Py<PyArray2<i32>>,
    /// The part of the console's RAM that the game uses: uint8 (n, 2048).
    #[pyo3(get)]
    ram: Py<PyArray2<u8>>,
    /// If autoreset is "same-step", the last board of each game that ended, in the form of board.
    #[pyo3(get)]
    last_board: Py<PyArray3<u8>>,
    /// The last piece in play of each game that ended, in the form of piece.
    #[pyo3(get)]
    last_piece: Py<PyArray2<u8>>,
    /// The last next piece of each game that ended, in the form of next.
    #[pyo3(get)]
    last_next: Py<PyArray2<u8>>,
    /// The last level of each game that ended, in the form of level.
    #[pyo3(get)]
    last_level: Py<PyArray2<i32>>,
    /// The last lines of each game that ended, in the form of lines.
    #[pyo3(get)]
    last_lines: Py<PyArray2<i32>>,
    /// The last RAM of each game that ended, in the form of ram.
    #[pyo3(get)]
    last_ram: Py<PyArray2<u8>>,
    /// Score, points, lines and frames at that end: int64 (n, 4).
    #[pyo3(get)]
    last_counts: Py<PyArray2<i64>>,
    /// The rewards of the last step: float64 (n,).
    #[pyo3(get)]
    reward: Py<PyArray1<f64>>,
    /// Whether the last step ended the game: bool (n,).
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    /// The score without the cap: int64 (n,).
    #[pyo3(get)]
    score: Py<PyArray1<i64>>,
    /// The points for lines: int64 (n,).
    #[pyo3(get)]
    points: Py<PyArray1<i64>>,
    /// The frames that were played: int64 (n,).
    #[pyo3(get)]
    frames: Py<PyArray1<i64>>,
}

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
        let (boards, rams) = seen;
        let ends = |games: usize| if autoreset == Autoreset::SameStep { games } else { 0 };
        Ok(Self {
            state: Shared::new((slots, false)),
            count,
            boards,
            rams,
            options,
            actions: actions.iter().map(|&held| Buttons(held)).collect(),
            team: Team::new(threads).map_err(wrong)?,
            board: PyArray3::zeros(py, [boards, 20, 10], false).unbind(),
            piece: PyArray2::zeros(py, [boards, PIECES], false).unbind(),
            next: PyArray2::zeros(py, [boards, PIECES], false).unbind(),
            level: PyArray2::zeros(py, [count, 1], false).unbind(),
            lines: PyArray2::zeros(py, [count, 1], false).unbind(),
            ram: PyArray2::zeros(py, [rams, ram::SIZE], false).unbind(),
            last_board: PyArray3::zeros(py, [ends(boards), 20, 10], false).unbind(),
            last_piece: PyArray2::zeros(py, [ends(boards), PIECES], false).unbind(),
            last_next: PyArray2::zeros(py, [ends(boards), PIECES], false).unbind(),
            last_level: PyArray2::zeros(py, [ends(count), 1], false).unbind(),
            last_lines: PyArray2::zeros(py, [ends(count), 1], false).unbind(),
            last_ram: PyArray2::zeros(py, [ends(rams), ram::SIZE], false).unbind(),
            last_counts: PyArray2::zeros(py, [ends(count), LAST_COUNTS], false).unbind(),
            reward: PyArray1::zeros(py, [count], false).unbind(),
            terminated: PyArray1::zeros(py, [count], false).unbind(),
            score: PyArray1::zeros(py, [count], false).unbind(),
            points: PyArray1::zeros(py, [count], false).unbind(),
            frames: PyArray1::zeros(py, [count], false).unbind(),
        })
    }

    /// Returns the state of the games, for restore().
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        states::write(py, &*self.state.lock()?)
    }

    /// Goes on from the state of games that were made with the same arguments.
    fn restore(&self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        self.go_on(py, states::read(state, "FrameGames")?)
    }

    /// Goes on as the games of another object do, which were made with the same arguments.
    fn follow(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let state = {
            let (slots, begun) = &*other.state.lock()?;
            (slots.iter().map(FrameSlot::fresh).collect(), *begun)
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
        let seeds = seeds.as_slice().map_err(wrong)?.to_vec();
        if seeds.len() != self.count {
            return Err(wrong(format!("seeds has {} elements, expected {}", seeds.len(), self.count)));
        }
        let options = &self.options;
        self.with_buffers(py, |slots, mut buffers, first| {
            for (at, slot) in slots.iter_mut().enumerate() {
                match seeds[first + at] {
                    -2 => continue,
                    seed @ 0.. => slot.reseed(seed as u64, options),
                    _ => slot.begin(options),
                }
                (buffers.reward[at], buffers.terminated[at]) = (0.0, false);
                slot.show(&mut buffers, at, options);
            }
        })
    }

    /// Takes one step in every game: actions is int64 of shape (n,). A game that ended in the last step begins anew,
    /// and its action does not count.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let wanted = actions.as_slice().map_err(wrong)?;
        if wanted.len() != self.count {
            return Err(wrong(format!("actions has {} elements, expected {}", wanted.len(), self.count)));
        }
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
            if !state.1 {
                return Err(wrong("the games have not begun, expected reset() before step()"));
            }
            let ended = state.0.iter().position(FrameSlot::is_over);
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
    /// Goes on from a state.
    fn go_on(&self, py: Python<'_>, state: (Vec<FrameSlot>, bool)) -> PyResult<()> {
        let begun = state.1;
        if state.0.len() != self.count {
            return Err(states::foreign("FrameGames"));
        }
        *self.state.lock()? = state;
        if begun {
            self.with_buffers(py, |slots, mut buffers, _| {
                for (at, slot) in slots.iter_mut().enumerate() {
                    slot.show(&mut buffers, at, &self.options);
                }
            })?;
        }
        Ok(())
    }

    /// Works on all games and their buffers, some games at a time, while Python may run other threads. `work` also gets the place of the
    /// first of these games. After a signal such as Ctrl-C the games have to begin anew.
    fn with_buffers(
        &self,
        py: Python<'_>,
        mut work: impl FnMut(&mut [FrameSlot], FrameBuffers<'_>, usize) + Send,
    ) -> PyResult<()> {
        let (n, boards, rams) = (self.count, self.boards, self.rams);
        let ends = |games: usize| if self.options.autoreset == Autoreset::SameStep { games } else { 0 };
        writable! {
            board: self.board.bind(py), boards * CELLS;
            piece: self.piece.bind(py), boards * PIECES;
            next: self.next.bind(py), boards * PIECES;
            level: self.level.bind(py), n;
            lines: self.lines.bind(py), n;
            ram: self.ram.bind(py), rams * ram::SIZE;
            last_board: self.last_board.bind(py), ends(boards) * CELLS;
            last_piece: self.last_piece.bind(py), ends(boards) * PIECES;
            last_next: self.last_next.bind(py), ends(boards) * PIECES;
            last_level: self.last_level.bind(py), ends(n);
            last_lines: self.last_lines.bind(py), ends(n);
            last_ram: self.last_ram.bind(py), ends(rams) * ram::SIZE;
            last_counts: self.last_counts.bind(py), ends(n) * LAST_COUNTS;
            reward: self.reward.bind(py), n;
            terminated: self.terminated.bind(py), n;
            score: self.score.bind(py), n;
            points: self.points.bind(py), n;
            frames: self.frames.bind(py), n
        }
        let last = Sight {
            board: last_board,
            piece: last_piece,
            next: last_next,
            level: last_level,
            lines: last_lines,
            ram: last_ram,
        };
        let now = Sight { board, piece, next, level, lines, ram };
        let buffers = FrameBuffers { now, last, reward, terminated, score, points, frames, last_counts };
        let chunk = (CHUNK / self.options.frame_skip as usize).max(1);
        py.detach(|| {
            let (mut rest, mut lookout) = (buffers, Lookout::new());
            for first in (0..n).step_by(chunk) {
                let count = chunk.min(n - first);
                let (now, later) = rest.divide(count, n - first);
                rest = later;
                let mut state = self.state.lock()?;
                work(&mut state.0[first..first + count], now, first);
                state.1 = first + count == n;
                drop(state);
                lookout.look().inspect_err(|_| drop(self.state.lock().map(|mut state| state.1 = false)))?;
            }
            Ok(())
        })
    }
}
