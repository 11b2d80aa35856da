//! The numpy arrays that the package uses as buffers and writes to.

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

/// The error for games that a thread held when it failed.
pub(crate) fn broken() -> PyErr {
    wrong("the games have failed before and cannot go on, expected new ones")
}
