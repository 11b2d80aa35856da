//! Who executes buttons: the emulator ([`Console`]) or the rules ([`Model`]). Players cannot tell them apart.

mod console;
pub mod menus;
mod model;
pub mod ram;
pub mod rom;

use thiserror::Error;

pub use console::{Console, ConsoleError, Picture};
pub use model::Model;

use crate::input::Buttons;
use ram::Snapshot;

/// Our own cartridge, built from `roms/testcart/`.
pub const TEST_CARTRIDGE: &[u8] = include_bytes!("../../roms/testcart/maxout-testcart.nes");

/// A game in play.
pub trait Host {
    /// Plays one frame with these buttons held.
    fn step(&mut self, buttons: Buttons) -> Result<(), HostError>;

    /// The state at the frame boundary.
    fn snapshot(&self) -> Snapshot;
}

/// The machine failed.
#[derive(Debug, Error)]
pub enum HostError {
    /// The emulator gave up.
    #[error(transparent)]
    Console(#[from] ConsoleError),
}

impl Host for Console {
    fn step(&mut self, buttons: Buttons) -> Result<(), HostError> {
        Ok(Self::step(self, buttons)?)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::read(self.ram())
    }
}
