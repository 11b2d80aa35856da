//! The menus of the practice edition, and how a cartridge is recognised as one.
//!
//! Builds of it differ, so nothing here counts frames or knows places on the screen. It reads the words and digits that
//! the screen shows, presses a button and looks what changed. Each search is bounded.

use crate::Console;
use crate::menus::{Autopilot, MenuError};
use maxout_rules::cursor_moves;
use maxout_rules::input::Buttons;
use maxout_rules::ram::{self, Edition, GameMode, RamByte, Snapshot};

/// The number of frames without buttons within which the title screen must come: this edition has no legal screen, which
/// lasts 204 frames at least.
const BOOT: usize = 60;
/// The number of frames after a press until the screen shows what it did.
const SHOWN: usize = 4;
/// The most rows of the menu.
const ROWS: usize = 32;
/// The digits of a seed.
const DIGITS: usize = 6;
/// The frame counter's low byte in the frame of a seeded game's Start: the init frame then ends at 0.
const SEEDED_START: u8 = 0xFB;

/// Whether the cartridge in this console, which was just switched on, behaves as the practice edition: the title comes
/// without a legal screen, the menus lead to a game on level 0, and only the block at 40 holds it.
pub(crate) fn is_practice(console: Console) -> bool {
    let mut console = console.in_edition(Edition::Practice);
    let mut sleep = 0;
    let boots = (0..BOOT).any(|_| {
        let before = std::mem::replace(&mut sleep, console.ram()[usize::from(ram::SLEEP)]);
        // The legal screen of the original: it sleeps for longer than a title screen may take, and nothing else needs to be seen.
        let waits = usize::from(sleep) > BOOT && before.checked_sub(1) == Some(sleep);
        waits || console.step(Buttons::NONE).is_err() || is_title(&console)
    });
    if !boots || !is_title(&console) || crate::menus::reach_play(&mut console, 0, 0).is_err() {
        return false;
    }
    let (here, there) = (console.snapshot(), Snapshot::read(console.ram()));
    let (x, y, field) = (here.x, here.y, here.board.cells());
    let begins = here.in_play() && here.in_control() && (x, y, here.progress.level, field) == (5, 0, 0, 0);
    let original = there.in_control() && (there.x, there.current) == (x, here.current);
    begins && here.current.piece().is_some() && here.next.piece().is_some() && !original
}

fn is_title(console: &Console) -> bool {
    RamByte::<GameMode>::from(console.ram()[usize::from(ram::GAME_MODE)]) == GameMode::Title
}

/// The text of a row of the screen: digits and capitals, and spaces for all else.
fn text(row: &[u8; 32]) -> String {
    let letter = |&tile: &u8| match tile {
        0..=9 => char::from(b'0' + tile),
        0x0A..=0x23 => char::from(b'A' + tile - 0x0A),
        _ => ' ',
    };
    row.iter().map(letter).collect()
}

/// The seed that the screen shows: six hex digits in a row with the word SEED.
fn seed_shown(console: &Console) -> Option<[u8; DIGITS]> {
    console.tiles().iter().map(text).find_map(|line| {
        let (_, behind) = line.split_once("SEED")?;
        let word = behind.split_whitespace().next().filter(|word| word.len() == DIGITS)?;
        let digits: Vec<u8> = word.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
        digits.try_into().ok()
    })
}

impl Autopilot<'_> {
    /// Presses a button, and waits until the screen shows what it did.
    fn press(&mut self, button: Buttons) -> Result<(), MenuError> {
        self.frame(button)?;
        self.frames(Buttons::NONE, SHOWN)
    }

    fn shown(&self, expected: &'static str) -> Result<[u8; DIGITS], MenuError> {
        seed_shown(self.console).ok_or(MenuError::NotFound { expected })
    }

    /// Chooses the seeded game and its seed in the menu of game types: Select draws another seed where the cursor is on
    /// its row.
    pub(crate) fn choose_seed(&mut self, seed: u32) -> Result<(), MenuError> {
        self.frames(Buttons::NONE, SHOWN)?;
        let mut rows = 0;
        loop {
            let before = self.shown("a row SEED with six hex digits in the menu")?;
            self.press(Buttons::SELECT)?;
            if self.shown("six hex digits after SEED")? != before {
                break;
            }
            rows += 1;
            if rows > ROWS {
                return Err(MenuError::NotFound { expected: "a row on which Select draws a seed" });
            }
            self.press(Buttons::DOWN)?;
        }
        let wanted: [u8; DIGITS] = std::array::from_fn(|i| (seed >> (4 * (DIGITS - 1 - i)) & 15) as u8);
        for _ in 0..2 * DIGITS {
            if self.shown("six hex digits after SEED")? == wanted {
                return Ok(());
            }
            self.press(Buttons::RIGHT)?;
            self.turn_digit(&wanted)?;
        }
        if self.shown("six hex digits after SEED")? == wanted {
            return Ok(());
        }
        Err(MenuError::NotFound { expected: "digits of the seed that Right, Up and Down change" })
    }

    /// Turns the digit under the cursor to what is wanted.
    fn turn_digit(&mut self, wanted: &[u8; DIGITS]) -> Result<(), MenuError> {
        let expected = "a digit of the seed that Up changes by one";
        let before = self.shown(expected)?;
        self.press(Buttons::UP)?;
        let after = self.shown(expected)?;
        let Some(place) = (0..DIGITS).find(|&place| before[place] != after[place]) else { return Ok(()) };
        for _ in 0..16 {
            if self.shown(expected)?[place] == wanted[place] {
                return Ok(());
            }
            self.press(Buttons::UP)?;
        }
        Err(MenuError::NotFound { expected })
    }

    /// Moves the level menu's cursor to the level of one's own, right of 9, and sets it.
    pub(crate) fn choose_custom_level(&mut self, level: u8) -> Result<(), MenuError> {
        let expected = "a level right of 9 that Up and Down change";
        for buttons in cursor_moves(self.byte(ram::START_LEVEL) % 10, 9) {
            self.frame(buttons)?;
        }
        self.frame(Buttons::NONE)?;
        self.press(Buttons::RIGHT)?;
        for _ in 0..=u8::MAX {
            let now = self.console.ram()[usize::from(ram::CUSTOM_LEVEL)];
            let button = match level.wrapping_sub(now) {
                0 => return Ok(()),
                1..=0x7F => Buttons::UP,
                0x80.. => Buttons::DOWN,
            };
            self.frame(button)?;
            self.frame(Buttons::NONE)?;
            if self.console.ram()[usize::from(ram::CUSTOM_LEVEL)] == now {
                return Err(MenuError::NotFound { expected });
            }
        }
        Err(MenuError::NotFound { expected })
    }

    /// Waits until a seeded game may begin, so that it does not depend on the way through the menus.
    pub(crate) fn await_seeded_start(&mut self, held: Buttons) -> Result<(), MenuError> {
        for _ in 0..=u8::MAX {
            if self.byte(ram::FRAME_COUNTER) == SEEDED_START {
                return Ok(());
            }
            self.frame(held)?;
        }
        Err(MenuError::NotFound { expected: "a frame counter that counts" })
    }
}
