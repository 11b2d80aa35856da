//! Takes the place of `watch` in a program that is built without the feature of that name: nothing can be shown live, and a
//! message says why.

use std::convert::Infallible;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use maxout_rules::ram::Snapshot;
use maxout_rules::{Page, Region};

/// Whether there is a terminal to draw on and to read keys from.
pub fn has_terminal() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// Nothing was taken over that must be given back.
pub fn restore() {}

/// A terminal that shows a game, which this build lacks.
#[derive(Debug)]
pub struct Live(Infallible);

impl Live {
    /// Refuses, and says why.
    pub fn new(
        _title: &str,
        _game: &str,
        _what: &str,
        _region: Region,
        _interrupt: &Arc<AtomicBool>,
    ) -> io::Result<Self> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "nothing can be watched, expected a program with the feature `watch` (maxout --version lists the features)",
        ))
    }

    /// Never comes to be called.
    pub fn begin(&mut self, _game: &str) {
        match self.0 {}
    }

    /// Never comes to be called.
    pub fn frame(&mut self, _now: &Snapshot, _page: &Page) -> bool {
        match self.0 {}
    }

    /// Never comes to be called.
    pub fn end(&mut self, _how: &str) {
        match self.0 {}
    }
}

impl Drop for Live {
    /// Nothing; but callers that drop one to have their terminal back can do so here too.
    fn drop(&mut self) {}
}
