//! [`Tape`] plays the records of a movie in the emulator.

use crate::{Console, ConsoleError};
use maxout_record::movie::{MovieFrame, WARM_UP_LEAD};

/// What a record did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The machine ran a frame.
    Ran,
    /// The machine was reset or switched off and on. It runs from the next record on.
    Reset,
    /// Nothing: one of the records of [`WARM_UP_LEAD`].
    Skipped,
}

/// Plays records on a console that was just switched on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tape {
    skip: usize,
}

impl Default for Tape {
    fn default() -> Self {
        Self { skip: WARM_UP_LEAD }
    }
}

impl Tape {
    /// Plays one record.
    pub fn play(&mut self, console: &mut Console, frame: MovieFrame) -> Result<Turn, ConsoleError> {
        let power = frame.commands & MovieFrame::POWER != 0;
        let reset = power || frame.commands & MovieFrame::RESET != 0;
        if power {
            console.power_cycle()?;
        } else if reset {
            console.reset();
        }
        if reset {
            self.skip = WARM_UP_LEAD;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(if reset { Turn::Reset } else { Turn::Skipped });
        }
        console.hold_second(frame.controllers[1]);
        console.step(frame.controllers[0])?;
        Ok(Turn::Ran)
    }
}
