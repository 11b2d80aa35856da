//! The numpy arrays that the package uses as buffers and writes to.

use std::process;
use std::sync::{Mutex, MutexGuard};

use numpy::{Element, PyReadwriteArray, ndarray};
use pyo3::prelude::*;

use crate::arguments::wrong;

/// The most games of one object. With more, the buffers would take more than about a gigabyte.
pub(crate) const MOST_GAMES: i64 = 1 << 18;
/// The most threads of one object.
pub(crate) const MOST_THREADS: i64 = 256;

/// Writable memory of a buffer. An array that the caller has made read-only or has taken apart is refused.
macro_rules! writable {
    ($($name:ident: $array:expr, $size:expr);*) => {
        $(
            let mut $name = $array.try_readwrite().map_err(|error| refused(stringify!($name), &error))?;
            let $name = memory(&mut $name, stringify!($name), $size)?;
        )*
    };
}
pub(crate) use writable;

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
