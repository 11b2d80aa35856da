//! The autopilot leads from power-on, or from any other screen, to the end of a game's init frame.
//!
//! It reads RAM and confirms each step (docs/how-it-works/the-game.md 6). From power-on it takes exactly the frames of
//! [`maxout_rules::MenuScript`], so that the model knows what the machine will find.

use thiserror::Error;

use super::{Console, ConsoleError};
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::ram::{self, Edition, GameMode, GameType, LogicStage, RamByte, RamValue as _};
use maxout_rules::{INIT_FRAMES, LEVEL_GATE, MenuScript, TITLE_GATE, TYPE_GATE, cursor_moves};

/// The number of frames after which a screen counts as hanging. The slowest, an ending, takes about 550.
const PATIENCE: u64 = 1_200;
/// The number of screens to pass before giving up. The screens of a cartridge may go in circles.
const SCREENS: u32 = 16;

/// Why play was not reached.
#[derive(Debug, Error)]
pub enum MenuError {
    /// A screen never came.
    #[error(
        "{screen} was never reached: expected the menus of the game, but after {frames} frames of trying game mode is \
         {mode:02x} ({now})"
    )]
    NeverReached {
        /// The screen that was expected.
        screen: &'static str,
        /// The number of frames that were spent on the screen before.
        frames: u64,
        /// The byte that RAM holds for the game mode (C0).
        mode: u8,
        /// The name of that screen.
        now: &'static str,
    },
    /// A menu of the practice edition shows or does something else.
    #[error("the menus of the practice cartridge: {expected} not found; expected those of TetrisGYM")]
    NotFound {
        /// What was expected.
        expected: &'static str,
    },
    /// The emulator failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
}

/// Leads to an A-type game at `level` ([`Edition::last_start_level`]), with `wait` extra frames in the level menu. Returns
/// the buttons of every frame on the way. The last of these is the init frame; the next frame is the first control
/// frame.
pub fn reach_play(console: &mut Console, level: u8, wait: u8) -> Result<InputLog, MenuError> {
    reach(console, MenuScript { level, wait }, None)
}

/// The same on a seed of the practice edition, 0 to FFFFFF, which its menu takes.
pub fn reach_seeded(console: &mut Console, level: u8, seed: u32) -> Result<InputLog, MenuError> {
    reach(console, MenuScript { level, wait: 0 }, Some(seed))
}

fn reach(console: &mut Console, script: MenuScript, seed: Option<u32>) -> Result<InputLog, MenuError> {
    let mut autopilot = Autopilot { console, log: InputLog::new(), script, seed };
    for _ in 0..SCREENS {
        match autopilot.mode().known() {
            // It boots into the title screen.
            Some(GameMode::Legal) if autopilot.is_practice() => {
                autopilot.tap(Buttons::START, PATIENCE as usize / 2, "the title screen")?;
            }
            Some(GameMode::TypeMenu) if autopilot.is_practice() => {
                if let Some(seed) = autopilot.seed {
                    autopilot.choose_seed(seed)?;
                }
                autopilot.tap(Buttons::START, TYPE_GATE, "the level menu")?;
            }
            Some(GameMode::Legal) => autopilot.pass_legal()?,
            Some(GameMode::Title) => autopilot.tap(Buttons::START, TITLE_GATE, "the type menu")?,
            Some(GameMode::TypeMenu) => autopilot.pass_type_menu()?,
            // The level menu has no way to change the type, and B-type would give its buttons other meanings.
            Some(GameMode::LevelMenu) if !autopilot.is_a_type() => {
                autopilot.tap(Buttons::B, LEVEL_GATE, "the type menu")?;
            }
            Some(GameMode::LevelMenu) => {
                if autopilot.pass_level_menu()? {
                    return Ok(autopilot.log);
                }
            }
            Some(GameMode::Play) => autopilot.leave_play()?,
            Some(GameMode::Demo | GameMode::DemoStart) | None => {
                autopilot.tap(Buttons::START, 2, "the title screen")?;
            }
        }
    }
    Err(autopilot.never_reached("the first frame of play", 0))
}

/// What presses the buttons, and what it has pressed.
pub(crate) struct Autopilot<'a> {
    pub(crate) console: &'a mut Console,
    log: InputLog,
    script: MenuScript,
    /// The seed to choose in the menu.
    seed: Option<u32>,
}

impl Autopilot<'_> {
    pub(crate) fn frame(&mut self, buttons: Buttons) -> Result<(), MenuError> {
        self.console.step(buttons)?;
        self.log.push(buttons);
        Ok(())
    }

    pub(crate) fn frames(&mut self, buttons: Buttons, count: usize) -> Result<(), MenuError> {
        (0..count).try_for_each(|_| self.frame(buttons))
    }

    /// Returns the byte of a variable by its address in the original.
    pub(crate) fn byte(&self, address: u16) -> u8 {
        self.console.ram()[usize::from(self.console.edition().address(address))]
    }

    fn is_practice(&self) -> bool {
        self.console.edition() == Edition::Practice
    }

    fn mode(&self) -> RamByte<GameMode> {
        self.byte(ram::GAME_MODE).into()
    }

    fn is_a_type(&self) -> bool {
        self.is_practice() || self.byte(ram::GAME_TYPE) == GameType::A.byte()
    }

    fn never_reached(&self, screen: &'static str, frames: u64) -> MenuError {
        let mode = self.mode();
        let now = match mode.known() {
            Some(GameMode::Legal) => "legal screen",
            Some(GameMode::Title) => "title screen",
            Some(GameMode::TypeMenu) => "type menu",
            Some(GameMode::LevelMenu) => "level menu",
            Some(GameMode::Play) => "play",
            Some(GameMode::Demo | GameMode::DemoStart) => "demo",
            None => "no screen of this game",
        };
        MenuError::NeverReached { screen, frames, mode: mode.byte(), now }
    }

    /// Presses `button` in the `gate`th frame from now and then every second frame, until the mode changes.
    fn tap(&mut self, button: Buttons, gate: usize, towards: &'static str) -> Result<(), MenuError> {
        let before = self.mode();
        let mut frames = 0;
        while self.mode() == before {
            if frames > PATIENCE {
                return Err(self.never_reached(towards, frames));
            }
            let press = frames + 1 >= gate as u64 && (frames + 1 - gate as u64).is_multiple_of(2);
            self.frame(if press { button } else { Buttons::NONE })?;
            frames += 1;
        }
        Ok(())
    }

    /// Leaves the legal screen. After power-on the screen ignores Start for a known time; after a reset the autopilot
    /// presses Start again and again.
    fn pass_legal(&mut self) -> Result<(), MenuError> {
        let until =
            (self.console.region().legal_start() as u64 + 1).saturating_sub(self.console.frames()).max(1);
        self.tap(Buttons::START, until as usize, "the title screen")
    }

    fn pass_type_menu(&mut self) -> Result<(), MenuError> {
        if !self.is_a_type() {
            self.frames(Buttons::NONE, TYPE_GATE)?;
            self.frame(Buttons::LEFT)?;
        }
        self.tap(Buttons::START, TYPE_GATE, "the level menu")
    }

    /// Begins a game. Returns false if Start did not lead to the wanted level; the next screen tells where it led.
    fn pass_level_menu(&mut self) -> Result<bool, MenuError> {
        let MenuScript { level, wait } = self.script;
        let custom = level > 19;
        let modifier = if custom { Buttons::NONE } else { self.script.modifier() };
        // A must be down before Start and without it, so it is held from the beginning.
        self.frame(Buttons::NONE)?;
        self.frames(modifier, LEVEL_GATE - 2)?;
        if custom {
            self.choose_custom_level(level)?;
        } else {
            self.choose_level(level % 10, modifier)?;
        }
        self.frames(modifier, usize::from(wait))?;
        if self.seed.is_some() {
            self.await_seeded_start(modifier)?;
        }
        self.frame(modifier | Buttons::START)?;
        if self.mode() == GameMode::LevelMenu {
            self.frames(modifier, 2)?;
            self.frame(modifier | Buttons::START)?;
        }
        if self.mode() != GameMode::Play || self.byte(ram::START_LEVEL) != level {
            return Ok(false);
        }
        for _ in 0..4 * INIT_FRAMES {
            self.frame(Buttons::NONE)?;
            if self.byte(ram::GAME_MODE_STATE) == LogicStage::Init.byte() {
                return Ok(true);
            }
        }
        Err(self.never_reached("the first frame of play", 4 * INIT_FRAMES as u64))
    }

    /// Moves the level menu's cursor to a level from 0 to 9.
    fn choose_level(&mut self, level: u8, modifier: Buttons) -> Result<(), MenuError> {
        for _ in 0..=8 {
            for buttons in cursor_moves(self.byte(ram::START_LEVEL), level) {
                self.frame(modifier | buttons)?;
            }
            if self.byte(ram::START_LEVEL) == level {
                return Ok(());
            }
            // A press may be lost while a screen loads.
            self.frames(modifier, 2)?;
        }
        Err(self.never_reached("the chosen start level", self.log.len() as u64))
    }

    /// Leaves a game that is not ours: the curtain with Start, live play with the soft reset.
    fn leave_play(&mut self) -> Result<(), MenuError> {
        let mut frames = 0;
        let mut last = Buttons::NONE;
        while self.mode() == GameMode::Play {
            if frames > PATIENCE {
                return Err(self.never_reached("the level menu", frames));
            }
            let now = self.console.snapshot();
            let ready = now.in_play() && now.in_control();
            let even = frames % 2 == 0;
            last = match () {
                // Buttons are released first: a reset with Down held, or between two pieces, would affect the next
                // game.
                () if ready && frames > 1 && last != Buttons::SELECT => {
                    // The reset's own Select toggles the next box, and a new game does not show it again.
                    let shown = self.byte(ram::NEXT_HIDDEN) == 0;
                    if shown { Buttons::SELECT } else { Buttons::SOFT_RESET }
                }
                () if (now.is_topped_out() || now.is_paused()) && even => Buttons::START,
                () => Buttons::NONE,
            };
            self.frame(last)?;
            frames += 1;
        }
        // A button that is held across the change of screen is not new there.
        self.frame(Buttons::NONE)
    }
}
