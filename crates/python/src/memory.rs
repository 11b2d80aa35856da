//! The numpy arrays that the package uses as buffers and writes to.

use std::process;
use std::sync::{Mutex, MutexGuard};

use numpy::{Element, PyReadonlyArray1, PyReadwriteArray, ndarray};
use pyo3::prelude::*;

use crate::arguments::wrong;
use crate::interrupts::Lookout;
use crate::shares::Divide;

/// The most games of one object. With more, the buffers would take more than about a gigabyte.
pub(crate) const MOST_GAMES: i64 = 1 << 18;
/// The most threads of one object.
pub(crate) const MOST_THREADS: i64 = 256;

/// The error for a buffer that cannot be written.
pub(crate) fn refused(name: &str, error: &impl std::fmt::Display) -> PyErr {
    wrong(format!("the buffer {name} cannot be written: {error}"))
}

/// The memory of a buffer, which has `size` elements.
pub(crate) fn memory<'a, T: Element, D: ndarray::Dimension>(
    array: &'a mut PyReadwriteArray<'_, T, D>,
    name: &str,
    size: usize,
) -> PyResult<&'a mut [T]> {
    let slice = array.as_slice_mut().map_err(|error| refused(name, &error))?;
    let found = slice.len();
    if found == size {
        Ok(slice)
    } else {
        Err(wrong(format!("the buffer {name} has {found} elements, expected {size}")))
    }
}

/// The error for a step of a game that has ended and does not begin anew by itself.
pub(crate) fn over(at: usize) -> PyErr {
    wrong(format!("game {at} is over, expected reset() with a reset_mask before step()"))
}

/// The error for games that a thread held when it failed.
pub(crate) fn broken() -> PyErr {
    wrong("the games have failed before and cannot go on, expected new ones")
}

/// What several threads may use, in this process and in those that are forked from it.
pub(crate) struct Shared<T> {
    value: Mutex<T>,
    process: u32,
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), process: process::id() }
    }

    /// Waits for the value and returns it. A forked process does not wait: a thread that held the value when it was forked is not there
    /// to release it.
    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, T>> {
        if self.process == process::id() {
            self.value.lock().map_err(|_| broken())
        } else {
            self.value
                .try_lock()
                .map_err(|_| wrong("the games were in use when this process was forked, expected new games"))
        }
    }
}

/// Games, and whether they have begun.
pub(crate) struct Games<S, D = ()> {
    pub(crate) slots: Vec<S>,
    pub(crate) begun: bool,
    /// What actions are drawn with.
    pub(crate) dice: D,
}

/// Reads one number for each of `count` games.
pub(crate) fn each_game(numbers: &PyReadonlyArray1<'_, i64>, name: &str, count: usize) -> PyResult<Vec<i64>> {
    let numbers = numbers.as_slice().map_err(wrong)?;
    if numbers.len() == count {
        Ok(numbers.to_vec())
    } else {
        Err(wrong(format!("{name} has {} elements, expected {count}", numbers.len())))
    }
}

/// Works on all games and their buffers, `chunk` games at a time. `work` also gets the place of the first of these games. After a signal
/// such as Ctrl-C the games have to begin anew.
pub(crate) fn in_chunks<S, D, B: Divide>(
    state: &Shared<Games<S, D>>,
    buffers: B,
    (count, chunk): (usize, usize),
    work: &mut impl FnMut(&mut [S], B, usize),
) -> PyResult<()> {
    let (mut rest, mut lookout) = (buffers, Lookout::new());
    for first in (0..count).step_by(chunk) {
        let games = chunk.min(count - first);
        let (now, later) = rest.divide(games, count - first);
        rest = later;
        let mut held = state.lock()?;
        work(&mut held.slots[first..first + games], now, first);
        held.begun = first + games == count;
        drop(held);
        lookout.look().inspect_err(|_| drop(state.lock().map(|mut held| held.begun = false)))?;
    }
    Ok(())
}

/// Makes a class of many games from a list of arrays, which are the same objects for the life of the games. It has their `state`, their
/// number, the `sizes` that the shapes of the arrays are made of, and the fields that are given; `options` must be one of these.
macro_rules! games {
    (
        {
            $(#[$about:meta])*
            $Class:ident of $Slot:ty, $Dice:ty, $Buffers:ident, $Sizes:ty;
            $($(#[$of:meta])* $field:ident: $type:ty,)*
        }
        $sizes:ident;
        $($(#[$doc:meta])* $name:ident: $element:ty, [$($size:expr),+];)*
    ) => {
        $(#[$about])*
        #[pyclass(module = "maxout._maxout", frozen)]
        pub(crate) struct $Class {
            state: Shared<Games<$Slot, $Dice>>,
            count: usize,
            sizes: $Sizes,
            $($(#[$of])* $field: $type,)*
            $(
                $(#[$doc])*
                #[pyo3(get)]
                $name: Py<PyArray<$element, Dim<[usize; [$(stringify!($size)),+].len()]>>>,
            )*
        }

        impl $Class {
            /// Makes games that have not begun, and arrays of these sizes, all zero.
            fn with_arrays(
                py: Python<'_>,
                (slots, dice): (Vec<$Slot>, $Dice),
                $sizes: $Sizes,
                ($($field,)*): ($($type,)*),
            ) -> Self {
                let count = slots.len();
                $(let $name = PyArray::zeros(py, [$($size),+], false).unbind();)*
                let state = Shared::new(Games { slots, begun: false, dice });
                Self { state, count, sizes: $sizes, $($field,)* $($name),* }
            }

            /// Works on all games and their arrays, some games at a time, while Python may run other threads.
            fn with_buffers(
                &self,
                py: Python<'_>,
                mut work: impl FnMut(&mut [$Slot], $Buffers<'_>, usize) + Send,
            ) -> PyResult<()> {
                let $sizes = self.sizes;
                $(
                    let mut $name =
                        self.$name.bind(py).try_readwrite().map_err(|error| refused(stringify!($name), &error))?;
                    let $name = memory(&mut $name, stringify!($name), [$($size),+].into_iter().product())?;
                )*
                let (buffers, games) = ($Buffers { $($name),* }, (self.count, self.chunk()));
                py.detach(|| in_chunks(&self.state, buffers, games, &mut work))
            }

            /// Begins games, as these seeds say.
            fn begin(&self, py: Python<'_>, seeds: &[i64]) -> PyResult<()> {
                self.with_buffers(py, |slots, mut buffers, first| {
                    for (at, slot) in slots.iter_mut().enumerate() {
                        slot.reset(seeds[first + at], &mut buffers, at, &self.options);
                    }
                })
            }

            /// Goes on from a state.
            fn go_on(&self, py: Python<'_>, state: Games<$Slot, $Dice>) -> PyResult<()> {
                if state.slots.len() != self.count {
                    return Err(states::foreign(stringify!($Class)));
                }
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
        }
    };
}
pub(crate) use games;
