//! [`RunId`]: the number of a run in its library.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Number of a run in its library, from 1; never given twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RunId(pub(super) i64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Text that is no run id.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("run {0:?}: expected a run's number, as `maxout runs list` shows it")]
pub struct ParseRunIdError(String);

impl FromStr for RunId {
    type Err = ParseRunIdError;

    fn from_str(text: &str) -> Result<Self, ParseRunIdError> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|id| digits && *id > 0)
            .map(Self)
            .ok_or_else(|| ParseRunIdError(text.to_owned()))
    }
}
