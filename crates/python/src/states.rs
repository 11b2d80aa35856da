//! States as bytes, which are what pickle keeps of an object: JSON, so that another version can say what it does not know.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::arguments::wrong;

/// What pickle calls to make an object again, with the arguments.
pub(crate) type Reduced<'py, A> = PyResult<(Bound<'py, PyAny>, A)>;

/// Writes a state.
pub(crate) fn write<'py>(py: Python<'py>, state: &impl Serialize) -> PyResult<Bound<'py, PyBytes>> {
    serde_json::to_vec(state).map(|bytes| PyBytes::new(py, &bytes)).map_err(wrong)
}

/// Reads the state of a `what`.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8], what: &str) -> PyResult<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        wrong(format!("not the state of a {what}: {error}, expected a state of this version"))
    })
}

/// The error for a state that can be read and is not one of a game.
pub(crate) fn foreign(what: &str) -> PyErr {
    wrong(format!("not the state of a {what}, expected a state of this version"))
}
