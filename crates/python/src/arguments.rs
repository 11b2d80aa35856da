//! Arguments of Python as values of our crates. Each function names the argument that is wrong and says what is expected.

use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use pyo3::exceptions::{PyException, PyOSError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use maxout_engine::limits::{Limits, ParsePressesError, Presses, Reaction};
use maxout_engine::search::Aggression;
use maxout_host::hand::MisdropRate;
use maxout_record::text::one_line;
use maxout_rules::input::Buttons;
use maxout_rules::{Piece, Progress, Region};

/// The start levels that the game's own menu offers.
pub(crate) const START_LEVELS: RangeInclusive<i64> = 0..=19;

/// Most characters of a path that is opened, and of one that a message quotes.
const LONGEST_PATH: usize = 4096;

/// Makes a `ValueError` of one line and at most 500 characters.
pub(crate) fn wrong(text: impl Display) -> PyErr {
    PyValueError::new_err(one_line(&text.to_string()))
}

/// Makes a `TypeError` of one line and at most 500 characters.
pub(crate) fn wrong_type(text: impl Display) -> PyErr {
    PyTypeError::new_err(one_line(&text.to_string()))
}

/// Returns what `repr()` says of a value, shortened.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    // `repr()` looks for Ctrl-C first, and its KeyboardInterrupt would be lost.
    let text = value
        .get_type()
        .call_method1("__repr__", (value,))
        .and_then(|text| Ok(text.cast_into::<PyString>()?));
    let text = text.map(|text| shortened(&text.to_string_lossy()));
    // An int of thousands of digits has no text.
    text.unwrap_or_else(|_| type_name(value).map_or("?".to_owned(), |name| format!("a {name}")))
}

/// The name of a value's type, without asking Python for a text: that looks for signals, and whoever asks may lose one.
fn type_name(value: &Bound<'_, PyAny>) -> Option<String> {
    value.get_type().name().ok().map(|name| name.to_string_lossy().into_owned())
}

/// What Python reads from a value, or `None` if it can't. Ctrl-C, which may come while it reads, is an error.
pub(crate) fn read<T>(py: Python<'_>, value: PyResult<T>) -> PyResult<Option<T>> {
    match value {
        Err(error) if error.is_instance_of::<PyException>(py) => Ok(None),
        other => other.map(Some),
    }
}

/// Reads the path of a file.
pub(crate) fn path(value: &Bound<'_, PyAny>, name: &str) -> PyResult<PathBuf> {
    let path: PathBuf = read(value.py(), value.extract())?
        .ok_or_else(|| wrong_type(format!("{name} is {}, expected the path of a file", shown(value))))?;
    let length = path.as_os_str().len();
    if length > LONGEST_PATH {
        let most = LONGEST_PATH;
        return Err(wrong(format!("{name} has {length} bytes, expected a path of at most {most}")));
    }
    Ok(path)
}

/// Returns the name of a file, for messages.
pub(crate) fn name_of(path: &Path) -> String {
    shortened(&path.file_name().unwrap_or_default().to_string_lossy())
}

/// Makes the `OSError` of a file, which names it.
pub(crate) fn os_error(error: &io::Error, path: &Path) -> PyErr {
    let name = path.to_string_lossy().into_owned();
    let text = error.to_string();
    match error.raw_os_error() {
        Some(code) => {
            let reason = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((code, reason, name))
        }
        None => PyOSError::new_err(format!("{}: {text}", shortened(&name))),
    }
}

/// Reads a whole number of this range. Whatever has `__index__` is one, numpy's integers too.
pub(crate) fn whole(value: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<i64>) -> PyResult<i64> {
    let (first, last) = (*range.start(), *range.end());
    let expected = || format!("expected a whole number from {first} to {last}");
    // numpy has a bool of its own.
    let is_bool =
        value.is_instance_of::<PyBool>() || type_name(value).is_some_and(|name| name.starts_with("bool"));
    let number = if is_bool { Err(wrong_type("")) } else { value.extract::<i64>() };
    let number = number.map_err(|error| {
        let py = value.py();
        if !error.is_instance_of::<PyTypeError>(py) && !error.is_instance_of::<PyOverflowError>(py) {
            // It comes from the caller's own __index__.
            return error;
        }
        let text = format!("{name} is {}, {}", shown(value), expected());
        if value.is_instance_of::<PyInt>() && !is_bool { wrong(text) } else { wrong_type(text) }
    })?;
    if range.contains(&number) {
        Ok(number)
    } else {
        Err(wrong(format!("{name} is {number}, {}", expected())))
    }
}

/// The beginning of a text, for messages.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain("…".chars()).collect()
}

/// Reads a seed, which is 0 to 2^63 - 1.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(whole(value, "seed", 0..=i64::MAX)? as u64)
}

/// Reads the level of a game in progress.
pub(crate) fn level(value: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<i64>) -> PyResult<u8> {
    Ok(whole(value, name, range)? as u8)
}

/// Reads a piece: one of the letters T, J, Z, O, S, L and I, or its place in that order, 0 to 6.
pub(crate) fn piece(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Piece> {
    if let Ok(text) = value.extract::<String>() {
        return text.parse().map_err(|why| wrong(format!("{name} is {:?}, {why}", shortened(&text))));
    }
    Ok(Piece::ALL[whole(value, name, 0..=6)? as usize])
}

/// Reads the buttons of one frame, which are a byte.
pub(crate) fn buttons(value: &Bound<'_, PyAny>) -> PyResult<Buttons> {
    Ok(Buttons(whole(value, "buttons", 0..=255)? as u8))
}

/// The name of [`Limits::EACH_BUTTON`].
pub(crate) const EACH_BUTTON: &str = "each-button";

/// Reads input limits: `each-button`, `one-per-row`, or taps such as `12hz`, `X..X.` or `0,2,4,6,18`.
pub(crate) fn taps(text: &str) -> PyResult<Limits> {
    match text {
        EACH_BUTTON => Ok(Limits::EACH_BUTTON),
        "one-per-row" => Ok(Limits::ONE_PER_ROW),
        _ => text
            .parse()
            .map(Limits::taps)
            .map_err(|error| wrong(format!("taps is {error}; {EACH_BUTTON} and one-per-row are taken, too"))),
    }
}

/// Reads input limits as [`taps`] does, and rates that only the PAL version has; [`check_region`] refuses those elsewhere.
pub(crate) fn region_taps(text: &str) -> PyResult<Limits> {
    match text.parse::<Presses>() {
        Ok(presses) if presses.only_on_pal() => Ok(Limits::new(presses)),
        _ => taps(text),
    }
}

/// Fails if games of this region cannot be played within these limits.
pub(crate) fn check_region(limits: Limits, region: Region) -> PyResult<()> {
    if limits.presses.only_on_pal() && region != Region::Pal {
        let name = limits.presses.name(Region::Pal);
        return Err(wrong(format!(
            "taps is {name}, only the PAL version has this rate, expected one of NTSC such as 12hz"
        )));
    }
    Ok(())
}

/// Reads what a player may press: as [`taps`], and `das` or a steady rate and `+das`.
pub(crate) fn presses(text: &str) -> PyResult<Presses> {
    match text.parse() {
        Ok(held @ Presses::Das(_)) => Ok(held),
        Err(error @ ParsePressesError::Das(_)) => Err(wrong(format!("taps is {error}"))),
        _ => taps(text).map(|limits| limits.presses),
    }
}

/// Reads a reaction delay.
pub(crate) fn reaction(value: &Bound<'_, PyAny>) -> PyResult<Reaction> {
    if let Ok(text) = value.extract::<String>() {
        return text.parse().map_err(|error| wrong(format!("reaction is {error}")));
    }
    Ok(Reaction::Frames(whole(value, "reaction", 0..=255)? as u8))
}

/// Reads an aggression: the name of a step, or a number from -3 to 3.
pub(crate) fn aggression(value: &Bound<'_, PyAny>) -> PyResult<Aggression> {
    let aggression = match value.extract::<String>() {
        Ok(text) => text.parse().ok(),
        Err(_) => read(value.py(), value.extract::<f64>())?.and_then(|number| Aggression::new(number as f32)),
    };
    aggression.ok_or_else(|| {
        let text = shown(value);
        let names = Aggression::STEPS.map(|(name, _)| name).join(", ");
        wrong(format!("aggression is {text}, expected {names}, or a number from -3 (safest) to 3 (boldest)"))
    })
}

/// Reads how often a press goes wrong, a probability below 1.
pub(crate) fn misdrop(value: &Bound<'_, PyAny>) -> PyResult<MisdropRate> {
    read(value.py(), value.extract::<f64>())?.and_then(MisdropRate::new).ok_or_else(|| {
        let text = shown(value);
        wrong(format!("misdrop is {text}, expected a probability from 0 to 1, without 1"))
    })
}

/// Reads lines and level of a game in progress.
pub(crate) fn progress(lines: &Bound<'_, PyAny>, at: &Bound<'_, PyAny>) -> PyResult<Progress> {
    let lines = whole(lines, "lines", 0..=25_599)?;
    Ok(Progress::at(lines as u32, level(at, "level", 0..=255)?))
}

/// Reads one of a few words.
pub(crate) fn word<T: Copy>(name: &str, text: &str, words: &[(&str, T)]) -> PyResult<T> {
    words.iter().find(|(known, _)| *known == text).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
        wrong(format!("{name} is {:?}, expected {}", shortened(text), known.join(" or ")))
    })
}
