#![doc = include_str!("../README.md")]

pub mod batch;
pub mod boards;
mod clock;
mod console;
pub mod hand;
mod ledger;
pub mod links;
pub mod menus;
mod model;
mod outcome;
mod packed;
pub mod pilot;
pub mod pool;
mod practice;
pub mod review;
pub mod rom;
pub mod screen;
pub mod session;
pub mod tape;
#[cfg(not(target_arch = "wasm32"))]
pub mod temporary;

use thiserror::Error;

pub use console::{Console, ConsoleError, Instruction, SOUND_RATE, SavedState, Screen};
pub use model::Model;

use maxout_rules::danger::Health;
use maxout_rules::input::Buttons;
use maxout_rules::ram::{Edition, LogicStage, RenderMode, Snapshot};
use maxout_rules::{FallRule, PlayState};

/// The image of our own cartridge, which is built from `roms/testcart/`.
pub static TEST_CARTRIDGE: &[u8] = include_bytes!("testcart.image");

/// What runs a game: the emulator or the model.
pub trait Host {
    /// Plays one frame with these buttons held.
    fn step(&mut self, buttons: Buttons) -> Result<(), HostError>;

    /// Returns the state at the frame boundary.
    fn snapshot(&self) -> Snapshot;

    /// How fast pieces fall, and with it the version of the game.
    fn fall_rule(&self) -> FallRule {
        FallRule::Ntsc
    }

    /// The edition of the game.
    fn edition(&self) -> Edition {
        Edition::Original
    }

    /// Returns how the game would be after these frames, one of which may score. The machine itself does not change. A
    /// host that cannot look ahead returns [`Health::Well`].
    fn probe(&mut self, buttons: &[Buttons]) -> Result<Health, HostError> {
        let _ = buttons;
        Ok(Health::Well)
    }
}

/// The number of frames that a game may need to come back from a lag (the-game.md 8.4).
const LAG_FRAMES: usize = 3;

/// Plays `buttons` on `host` and returns how the game is, by the signs of the-game.md 8.4: play state, game mode,
/// render mode and stage.
pub fn health_after<H: Host>(host: &mut H, buttons: &[Buttons]) -> Result<Health, HostError> {
    let begun = host.snapshot().frame_counter;
    let mut lags = false;
    for &now in buttons {
        host.step(now)?;
        lags |= !is_whole(&host.snapshot());
    }
    let mut frames = buttons.len();
    while !is_whole(&host.snapshot()) && frames < buttons.len() + LAG_FRAMES {
        host.step(Buttons::NONE)?;
        frames += 1;
    }
    let now = host.snapshot();
    let runs = now.frame_counter.wrapping_sub(begun) == frames as u16;
    let in_play = now.is_play() && now.render_mode == RenderMode::Play;
    let lives = now.play_state.known().is_some_and(PlayState::is_live);
    Ok(match (runs && in_play, is_whole(&now)) {
        (true, true) if lives && lags => Health::Lags,
        (true, true) if lives => Health::Well,
        (true, false) => Health::Hangs,
        _ => Health::Crashed,
    })
}

/// Whether the logic of the frame is complete.
fn is_whole(now: &Snapshot) -> bool {
    now.game_mode_state == LogicStage::Counters
}

/// The error that the machine failed.
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
        Self::snapshot(self)
    }

    fn fall_rule(&self) -> FallRule {
        self.region().into()
    }

    fn edition(&self) -> Edition {
        Self::edition(self)
    }

    fn probe(&mut self, buttons: &[Buttons]) -> Result<Health, HostError> {
        let kept = self.save();
        // If the processor jams, that is an error of the emulator, but here it is an answer.
        let health = health_after(self, buttons).unwrap_or(Health::Crashed);
        self.restore(&kept)?;
        Ok(health)
    }
}
