//! `PlacementGames`: the games of [`crate::vector`] with numpy arrays as their buffers. The environments of the package
//! are thin layers over it.

use numpy::ndarray::Dim;
use numpy::{PyArray, PyArray1, PyArray3, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use crate::arguments::{self, START_LEVELS, taps, whole, word, wrong};
use crate::encoding::{ACTIONS, CELLS, PIECES, action, write_board};
use crate::hovering::Delay;
use crate::interrupts::Lookout;
use crate::memory::{
    Games, MOST_GAMES, MOST_THREADS, Shared, each_game, games, in_chunks, memory, over, refused,
};
use crate::shares::Team;
use crate::states;
use crate::vector::{
    self, Autoreset, Buffers, Illegal, LAST, Options, Reward, SavedSlot, Slot, placement_arrays,
};
use maxout_engine::env::{Env, EnvRules};
use maxout_engine::limits::Reaction;
use maxout_rules::Pieces;
use maxout_rules::random::Dice;

/// The number of games that are worked on between two looks at the signals.
const CHUNK: usize = 2048;

placement_arrays!(games! {
    /// Many games placement by placement. An action is turn × 200 + row × 10 + column of the piece's centre; the legal ones
    /// are 1 in `mask`. Each step writes the arrays in place; they are the same objects for the life of the games.
    PlacementGames of Slot, Dice, Buffers, usize;
    options: Options,
    team: Team,
});

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
        Ok(Self::with_arrays(py, (slots, Dice::new(0)), count, (options, team)))
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
        self.restored(py, slots.into_iter(), dice, begun)
    }

    /// Goes on as the games of another object do, which were made with the same arguments.
    fn follow(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let (saved, dice, begun) = {
            let state = other.state.lock()?;
            (state.slots.iter().map(Slot::save).collect::<Vec<_>>(), state.dice.clone(), state.begun)
        };
        self.restored(py, saved.into_iter(), dice, begun)
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
        let seeds = each_game(&seeds, "seeds", self.count)?;
        {
            let mut state = self.state.lock()?;
            if !state.begun {
                state.dice = Dice::of([seeds.first().map_or(0, |&seed| seed as u64), 1]);
            }
        }
        self.begin(py, &seeds)
    }

    /// Does one step of every game: actions is int64 of shape (n,). A game that ended in the last step begins anew,
    /// and its action does not count.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let wanted = each_game(&actions, "actions", self.count)?;
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
            let Games { slots, dice, .. } = &mut *state;
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
    /// The number of games that are worked on between two looks at the signals.
    #[expect(clippy::unused_self, reason = "that of other games depends on their options")]
    const fn chunk(&self) -> usize {
        CHUNK
    }

    /// Goes on from what was kept of games with the same options.
    fn restored(
        &self,
        py: Python<'_>,
        saved: impl ExactSizeIterator<Item = SavedSlot>,
        dice: Dice,
        begun: bool,
    ) -> PyResult<()> {
        let whole = saved.len() == self.count;
        let slots: Option<_> = saved.map(|saved| Slot::restore(saved, &self.options)).collect();
        match slots {
            Some(slots) if whole => self.go_on(py, Games { slots, begun, dice }),
            _ => Err(states::foreign("PlacementGames")),
        }
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
}
