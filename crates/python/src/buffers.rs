//! `PlacementGames`: the games of [`crate::vector`] with numpy arrays as their buffers. The environments of the package
//! are thin layers over it.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use crate::arguments::{self, START_LEVELS, taps, whole, word, wrong};
use crate::encoding::{ACTIONS, CELLS, PIECES, action, write_board};
use crate::hovering::Delay;
use crate::interrupts::Lookout;
use crate::memory::{MOST_GAMES, MOST_THREADS, Shared, memory, over, refused, writable};
use crate::shares::{Divide as _, Team};
use crate::states;
use crate::vector::{self, Autoreset, Buffers, Illegal, LAST, Options, Reward, SavedSlot, Slot};
use maxout_engine::env::{Env, EnvRules};
use maxout_engine::limits::Reaction;
use maxout_rules::Pieces;
use maxout_rules::random::Dice;

/// The number of games that are worked on between two looks at the signals.
const CHUNK: usize = 2048;

/// Many games placement by placement. An action is turn × 200 + row × 10 + column of the piece's centre; the legal ones
/// are 1 in `mask`. Each step writes the arrays in place; they are the same objects for the life of the games.
#[pyclass(module = "maxout._maxout", frozen)]
pub(crate) struct PlacementGames {
    state: Shared<State>,
    count: usize,
    options: Options,
    team: Team,
    /// The visible cells: uint8 (n, 20, 10).
    #[pyo3(get)]
    board: Py<PyArray3<u8>>,
    /// The piece in play, one-hot in the order T J Z O S L I: uint8 (n, 7).
    #[pyo3(get)]
    piece: Py<PyArray2<u8>>,
    /// The next piece, one-hot: uint8 (n, 7).
    #[pyo3(get)]
    next: Py<PyArray2<u8>>,
    /// With a reaction delay, 1 in the second step of a piece and 0 in the first: uint8 (n, 1).
    #[pyo3(get)]
    placing: Py<PyArray2<u8>>,
    /// With a reaction delay, 1 in the second step for the cells of the piece when the next one is seen: uint8 (n, 20, 10).
    #[pyo3(get)]
    hover: Py<PyArray3<u8>>,
    /// The level: int32 (n, 1).
    #[pyo3(get)]
    level: Py<PyArray2<i32>>,
    /// The lines of the game so far: int32 (n, 1).
    #[pyo3(get)]
    lines: Py<PyArray2<i32>>,
    /// The legal actions: int8 (n, 800).
    #[pyo3(get)]
    mask: Py<PyArray2<i8>>,
    /// The rewards of the last step: float64 (n,).
    #[pyo3(get)]
    reward: Py<PyArray1<f64>>,
    /// Whether the last step ended the game by its rules: bool (n,).
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    /// Whether the last step reached the limit of pieces: bool (n,).
    #[pyo3(get)]
    truncated: Py<PyArray1<bool>>,
    /// The points for lines of the game so far: int64 (n,).
    #[pyo3(get)]
    points: Py<PyArray1<i64>>,
    /// The board at the end of the game, where autoreset is "same-step" and the step ended one: uint8 (n, 20, 10).
    #[pyo3(get)]
    last_board: Py<PyArray3<u8>>,
    /// Piece, next piece (0 to 6), level, lines and points at that end: int64 (n, 5).
    #[pyo3(get)]
    last_counts: Py<PyArray2<i64>>,
}

/// What changes.
struct State {
    slots: Vec<Slot>,
    dice: Dice,
    begun: bool,
}

/// What is kept of the games.
#[derive(Serialize, Deserialize)]
struct SavedGames {
    slots: Vec<SavedSlot>,
    dice: Dice,
    begun: bool,
}

/// Reads when a game ends: `level29`, `topout`, `lines:N` or `pieces:N`.
fn stop(rules: EnvRules, text: &str) -> PyResult<EnvRules> {
    let rules = EnvRules { until_level: None, ..rules };
    let number = |text: &str| text.parse::<u64>().ok().filter(|n| (1..=1_000_000_000).contains(n));
    let found = match text.split_once(':') {
        None if text == "level29" => Some(EnvRules { until_level: Some(29), ..rules }),
        None if text == "topout" => Some(rules),
        Some(("lines", n)) => number(n).map(|n| EnvRules { until_lines: Some(n), ..rules }),
        Some(("pieces", n)) => number(n).map(|n| EnvRules { until_pieces: Some(n), ..rules }),
        _ => None,
    };
    found.ok_or_else(|| {
        let text = arguments::shortened(text);
        wrong(format!("stop is {text:?}, expected level29, topout, lines:N or pieces:N with N from 1"))
    })
}

#[pymethods]
impl PlacementGames {
    #[new]
    #[pyo3(signature = (
        num_envs, *, threads, start_level, stop, taps, reaction, pieces, reward, illegal, autoreset
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of the environments")]
    fn new(
        py: Python<'_>,
        num_envs: &Bound<'_, PyAny>,
        threads: &Bound<'_, PyAny>,
        start_level: &Bound<'_, PyAny>,
        stop: &str,
        taps: &str,
        reaction: &Bound<'_, PyAny>,
        pieces: &str,
        reward: &str,
        illegal: &str,
        autoreset: &str,
    ) -> PyResult<Self> {
        let count = whole(num_envs, "num_envs", 1..=MOST_GAMES)? as usize;
        let threads = whole(threads, "threads", 1..=MOST_THREADS)? as usize;
        let level = arguments::level(start_level, "start_level", START_LEVELS)?;
        let (reaction, limits) = (arguments::reaction(reaction)?, self::taps(taps)?);
        let delay = match reaction {
            Reaction::NONE | Reaction::NextPiece => None,
            Reaction::Frames(frames) => Some(Delay { limits, frames: frames.into() }),
        };
        let rules = self::stop(EnvRules::game(level).with_moves(limits), stop)?;
        let pieces = word("pieces", pieces, &[("nes", Pieces::Nes), ("uniform", Pieces::Uniform)])?;
        let rules = EnvRules { pieces, ..rules };
        let options = Options {
            rules,
            reward: word("reward", reward, &[("points", Reward::Points), ("lines", Reward::Lines)])?,
            illegal: word("illegal", illegal, &[("end", Illegal::End), ("raise", Illegal::Refuse)])?,
            autoreset: word("autoreset", autoreset, &Autoreset::NAMES)?,
            hide_next: reaction == Reaction::NextPiece,
            delay,
        };
        let team = Team::new(threads).map_err(wrong)?;
        let slots = (0..count).map(|_| Slot::new(rules)).collect();
        let state = State { slots, dice: Dice::new(0), begun: false };
        Ok(Self {
            state: Shared::new(state),
            count,
            options,
            team,
            board: PyArray3::zeros(py, [count, 20, 10], false).unbind(),
            piece: PyArray2::zeros(py, [count, PIECES], false).unbind(),
            next: PyArray2::zeros(py, [count, PIECES], false).unbind(),
            placing: PyArray2::zeros(py, [count, 1], false).unbind(),
            hover: PyArray3::zeros(py, [count, 20, 10], false).unbind(),
            level: PyArray2::zeros(py, [count, 1], false).unbind(),
            lines: PyArray2::zeros(py, [count, 1], false).unbind(),
            mask: PyArray2::zeros(py, [count, ACTIONS], false).unbind(),
            reward: PyArray1::zeros(py, [count], false).unbind(),
            terminated: PyArray1::zeros(py, [count], false).unbind(),
            truncated: PyArray1::zeros(py, [count], false).unbind(),
            points: PyArray1::zeros(py, [count], false).unbind(),
            last_board: PyArray3::zeros(py, [count, 20, 10], false).unbind(),
            last_counts: PyArray2::zeros(py, [count, LAST], false).unbind(),
        })
    }

    /// Returns the state of the games, for restore().
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = py.detach(|| {
            let state = self.state.lock()?;
            let slots = state.slots.iter().map(Slot::save).collect();
            PyResult::Ok(SavedGames { slots, dice: state.dice.clone(), begun: state.begun })
        })?;
        states::write(py, &saved)
    }

    /// Goes on from the state of games that were made with the same arguments.
    fn restore(&self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        let SavedGames { slots, dice, begun } = states::read(state, "PlacementGames")?;
        if slots.len() != self.count {
            return Err(states::foreign("PlacementGames"));
        }
        let restored: Option<Vec<Slot>> =
            slots.into_iter().map(|saved| Slot::restore(saved, &self.options)).collect();
        let slots = restored.ok_or_else(|| states::foreign("PlacementGames"))?;
        self.go_on(py, State { slots, dice, begun })
    }

    /// Goes on as the games of another object do, which were made with the same arguments.
    fn follow(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let (state, options) = (other.state.lock()?, &self.options);
        let slots = state.slots.iter().map(|slot| Slot::restore(slot.save(), options)).collect();
        let (dice, begun) = (state.dice.clone(), state.begun);
        drop(state);
        match slots {
            Some(slots) if other.count == self.count => self.go_on(py, State { slots, dice, begun }),
            _ => Err(states::foreign("PlacementGames")),
        }
    }

    /// The number of games.
    #[getter]
    fn num_envs(&self) -> usize {
        self.count
    }

    /// The frames of a piece after which the next one is seen, if that splits each piece into two steps; otherwise 0.
    #[getter]
    fn delay(&self) -> u32 {
        self.options.delay.map_or(0, |delay| delay.frames)
    }

    /// Begins games: seeds is int64 of shape (n,). A seed of -1 begins the next game of the seed before, and -2 leaves
    /// a game as it is.
    fn reset(&self, py: Python<'_>, seeds: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let seeds = seeds.as_slice().map_err(wrong)?.to_vec();
        if seeds.len() != self.count {
            return Err(wrong(format!("seeds has {} elements, expected {}", seeds.len(), self.count)));
        }
        {
            let mut state = self.state.lock()?;
            if !state.begun {
                state.dice = Dice::of([seeds.first().map_or(0, |&seed| seed as u64), 1]);
            }
        }
        let options = &self.options;
        self.with_buffers(py, |slots, mut buffers, first| {
            for (at, slot) in slots.iter_mut().enumerate() {
                match seeds[first + at] {
                    -2 => continue,
                    seed @ 0.. => slot.reseed(seed as u64, options),
                    _ => slot.begin(options),
                }
                (buffers.reward[at], buffers.terminated[at], buffers.truncated[at]) = (0.0, false, false);
                slot.show(&mut buffers, at, options);
            }
        })
    }

    /// Does one step of every game: actions is int64 of shape (n,). A game that ended in the last step begins anew,
    /// and its action does not count.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let wanted = actions.as_slice().map_err(wrong)?.to_vec();
        if wanted.len() != self.count {
            return Err(wrong(format!("actions has {} elements, expected {}", wanted.len(), self.count)));
        }
        let actions = self.checked(&wanted)?;
        let (options, pool) = (&self.options, self.team.pool().map_err(wrong)?);
        self.with_buffers(py, |slots, buffers, first| {
            let actions = &actions[first..][..slots.len()];
            vector::step(slots, actions, buffers, options, pool.as_deref());
        })
    }

    /// Draws a legal action for every game, all equally likely: int64 (n,). A game that is over gets 0.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let drawn = py.detach(|| {
            let mut state = self.state.lock()?;
            let State { slots, dice, .. } = &mut *state;
            let draw = |slot: &Slot| match slot.open() {
                [] => 0,
                open => open[dice.below(open.len())] as i64,
            };
            PyResult::Ok(slots.iter().map(draw).collect::<Vec<i64>>())
        });
        Ok(PyArray1::from_vec(py, drawn?))
    }

    /// Seeds the draws of sample().
    fn seed_sample(&self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<()> {
        let seed = arguments::seed(seed)?;
        py.detach(|| self.state.lock().map(|mut state| state.dice = Dice::of([seed, 1])))
    }

    /// Returns the boards after each placement of every game, one after the other, and what belongs to them: boards
    /// uint8 (k, 20, 10), actions int64 (k,), rewards float64 (k,), ends bool (k,) where the game ends by its stop or
    /// by a top-out, and offsets int64 (n + 1,): game i has those from offsets[i] to offsets[i + 1].
    #[expect(clippy::type_complexity, reason = "it is a tuple of arrays")]
    fn afterstates<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        Bound<'py, PyArray3<u8>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray1<f64>>,
        Bound<'py, PyArray1<bool>>,
        Bound<'py, PyArray1<i64>>,
    )> {
        let offsets = py.detach(|| {
            let state = self.state.lock()?;
            let mut sum = 0;
            let ends = state.slots.iter().map(|slot| {
                sum += slot.list().len() as i64;
                sum
            });
            PyResult::Ok(std::iter::once(0).chain(ends).collect::<Vec<i64>>())
        })?;
        let total = offsets.last().map_or(0, |&last| last as usize);
        let boards = PyArray3::zeros(py, [total, 20, 10], false);
        let (mut actions, mut rewards, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        {
            let mut writable = boards.try_readwrite().map_err(wrong)?;
            let cells = memory(&mut writable, "boards", total * CELLS)?;
            let (state, reward) = (&self.state, self.options.reward);
            py.detach(|| {
                let (mut cells, mut lookout) = (cells.chunks_exact_mut(CELLS), Lookout::new());
                for first in (0..self.count).step_by(CHUNK) {
                    let state = state.lock()?;
                    for slot in state.slots.iter().skip(first).take(CHUNK) {
                        for &placement in slot.list() {
                            let mut after: Env = slot.env().clone();
                            let (Ok(step), Some(cells)) = (after.step(placement), cells.next()) else {
                                continue;
                            };
                            write_board(after.board(), cells);
                            actions.push(action(placement) as i64);
                            rewards.push(match reward {
                                Reward::Points => step.reward as f64,
                                Reward::Lines => f64::from(step.lines),
                            });
                            ends.push(step.done);
                        }
                    }
                    drop(state);
                    if actions.len() as i64 != offsets[(first + CHUNK).min(self.count)] {
                        return Err(wrong(
                            "the games went on meanwhile, expected no other thread that steps them",
                        ));
                    }
                    lookout.look()?;
                }
                Ok(())
            })?;
        }
        Ok((
            boards,
            PyArray1::from_vec(py, actions),
            PyArray1::from_vec(py, rewards),
            PyArray1::from_vec(py, ends),
            PyArray1::from_vec(py, offsets),
        ))
    }
}

impl PlacementGames {
    /// Goes on from a state.
    fn go_on(&self, py: Python<'_>, state: State) -> PyResult<()> {
        let begun = state.begun;
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

    /// Reads the actions of a step. An error says which game's is wrong, and then no game has changed.
    fn checked(&self, wanted: &[i64]) -> PyResult<Vec<usize>> {
        let state = self.state.lock()?;
        if !state.begun {
            return Err(wrong("the games have not begun, expected reset() before step()"));
        }
        let check = |(at, (slot, &action)): (usize, (&Slot, &i64))| {
            let number = usize::try_from(action).ok().filter(|&number| number < ACTIONS);
            if slot.is_over() && self.options.autoreset == Autoreset::Disabled {
                return Err(over(at));
            }
            let number = number.ok_or_else(|| {
                wrong(format!("action {action} of game {at} does not exist, expected 0 to {}", ACTIONS - 1))
            })?;
            if self.options.illegal == Illegal::Refuse && !slot.is_over() && !slot.allows(number) {
                let (piece, what) = (slot.env().piece(), slot.wants());
                return Err(wrong(format!(
                    "action {action} of game {at} is no {what} of its {piece}, expected one of mask"
                )));
            }
            Ok(number)
        };
        state.slots.iter().zip(wanted).enumerate().map(check).collect()
    }

    /// Works on all games and their buffers, some games at a time, while Python may run other threads. `work` also gets the place of the
    /// first of these games. After a signal such as Ctrl-C the games have to begin anew.
    fn with_buffers(
        &self,
        py: Python<'_>,
        mut work: impl FnMut(&mut [Slot], Buffers<'_>, usize) + Send,
    ) -> PyResult<()> {
        let n = self.count;
        writable! {
            board: self.board.bind(py), n * CELLS;
            piece: self.piece.bind(py), n * PIECES;
            next: self.next.bind(py), n * PIECES;
            placing: self.placing.bind(py), n;
            hover: self.hover.bind(py), n * CELLS;
            level: self.level.bind(py), n;
            lines: self.lines.bind(py), n;
            mask: self.mask.bind(py), n * ACTIONS;
            reward: self.reward.bind(py), n;
            terminated: self.terminated.bind(py), n;
            truncated: self.truncated.bind(py), n;
            points: self.points.bind(py), n;
            last_board: self.last_board.bind(py), n * CELLS;
            last_counts: self.last_counts.bind(py), n * LAST
        }
        let buffers = Buffers {
            board,
            piece,
            next,
            placing,
            hover,
            level,
            lines,
            mask,
            reward,
            terminated,
            truncated,
            points,
            last_board,
            last_counts,
        };
        py.detach(|| {
            let (mut rest, mut lookout) = (buffers, Lookout::new());
            for first in (0..n).step_by(CHUNK) {
                let count = CHUNK.min(n - first);
                let (now, later) = rest.divide(count, n - first);
                rest = later;
                let mut state = self.state.lock()?;
                work(&mut state.slots[first..first + count], now, first);
                state.begun = first + count == n;
                drop(state);
                lookout
                    .look()
                    .inspect_err(|_| drop(self.state.lock().map(|mut state| state.begun = false)))?;
            }
            Ok(())
        })
    }
}
