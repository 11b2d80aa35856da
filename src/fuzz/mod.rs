//! The differential fuzzer: the same buttons for a cartridge in the emulator and for the rules in [`maxout_rules`],
//! and every variable that the rules hold compared in every frame.
//!
//! [`Duel`] does that for one frame at a time, from power-on: it follows the cartridge through its menus and begins
//! a game of the rules whenever the cartridge begins an A-type game. [`Stream`] makes up the buttons.

pub mod readers;
mod stream;

use std::fmt;

use maxout_host::{Console, ConsoleError};
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::ram::{self, Snapshot};
use maxout_rules::{Game, Generator, Lfsr, Orientation, Stage};

pub use stream::Stream;

/// What the init frame leaves as the menus or the game before had it (game.md 6.5), and the sleep counter.
const KEPT: [u16; 11] = [0x66, 0x6A, 0x6B, 0x6C, 0x6D, 0x6F, 0x72, 0x76, 0x77, 0x78, 0xDF];

/// Stretches of RAM that the rules hold, with their names: first address, last address.
const HELD: [(u16, u16, &str); 38] = [
    (0x17, 0x18, "generator"),
    (0x19, 0x19, "spawn id"),
    (0x1A, 0x1A, "spawn count"),
    (0x60, 0x60, "x"),
    (0x61, 0x61, "y"),
    (0x62, 0x62, "piece"),
    (0x64, 0x64, "level"),
    (0x65, 0x65, "fall timer"),
    (0x66, 0x66, "autorepeat x"),
    (0x67, 0x67, "start level"),
    (0x68, 0x68, "play state"),
    (0x69, 0x69, "vram row"),
    (0x6A, 0x6D, "completed rows"),
    (0x6E, 0x6E, "autorepeat y"),
    (0x6F, 0x6F, "hold-down points"),
    (0x70, 0x71, "lines"),
    (0x72, 0x72, "row y"),
    (0x73, 0x75, "score"),
    (0x76, 0x76, "completed lines"),
    (0x77, 0x77, "line index"),
    (0x78, 0x78, "curtain row"),
    (0xA7, 0xA7, "stage"),
    (0xB1, 0xB2, "frame counter"),
    (0xBD, 0xBD, "render mode"),
    (0xBF, 0xBF, "next piece"),
    (0xC0, 0xC0, "game mode"),
    (0xC1, 0xC1, "game type"),
    (0xC3, 0xC3, "sleep counter"),
    (0xD8, 0xDB, "clear counts"),
    (0xDF, 0xDF, "next hidden"),
    (0xF5, 0xF5, "pressed"),
    (0xF7, 0xF7, "held"),
    (0x3F0, 0x3FD, "piece counts"),
    (0x400, 0x4C7, "field"),
    (0x4C8, 0x4D1, "row 20"),
    (0x4D2, 0x4EB, "rest of the field page"),
    (0x4EC, 0x4F5, "row -2"),
    (0x4F6, 0x4FF, "row -1"),
];

/// One byte that the rules and the cartridge do not agree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FuzzDifference {
    /// Frame from power-on, from 0.
    pub frame: u64,
    /// What the byte is.
    pub name: &'static str,
    /// Where it is in RAM.
    pub address: u16,
    /// The byte of the rules.
    pub model: u8,
    /// The byte of the cartridge.
    pub cartridge: u8,
}

impl fmt::Display for FuzzDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, name, address, model, cartridge } = self;
        write!(f, "frame {frame}, {name} ({address:04X}): model {model:02X}, cartridge {cartridge:02X}")
    }
}

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FuzzCounts {
    /// Frames that the cartridge ran.
    pub frames: u64,
    /// Frames of A-type games in which every variable was compared.
    pub compared: u64,
    /// A-type games.
    pub games: u64,
    /// Of the compared frames, those of a pause.
    pub paused: u64,
    /// Locks in the compared frames, and the lines that they cleared.
    pub locks: u64,
    /// Lines cleared in the compared frames.
    pub lines: u64,
    /// Games that topped out.
    pub topped_out: u64,
    /// Games that were left out from some frame on, because they went beyond what is known of the real game.
    pub unknown: u64,
}

impl std::ops::AddAssign for FuzzCounts {
    fn add_assign(&mut self, more: Self) {
        self.frames += more.frames;
        self.compared += more.compared;
        self.games += more.games;
        self.paused += more.paused;
        self.locks += more.locks;
        self.lines += more.lines;
        self.topped_out += more.topped_out;
        self.unknown += more.unknown;
    }
}

/// A cartridge and the rules, frame by frame on the same buttons.
pub struct Duel<'a> {
    console: &'a mut Console,
    game: Option<Game>,
    log: InputLog,
    counts: FuzzCounts,
}

impl<'a> Duel<'a> {
    /// Switches the console off and on; the next frame is the first.
    pub fn new(console: &'a mut Console) -> Result<Self, ConsoleError> {
        console.power_cycle()?;
        Ok(Self { console, game: None, log: InputLog::new(), counts: FuzzCounts::default() })
    }

    /// The cartridge's state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::read(self.console.ram())
    }

    /// Buttons of every frame so far.
    pub const fn log(&self) -> &InputLog {
        &self.log
    }

    /// Counts so far.
    pub const fn counts(&self) -> FuzzCounts {
        self.counts
    }

    /// Plays a stream of so many frames, fewer if `go_on` says no. The first difference, if there is any.
    pub fn play(
        &mut self,
        stream: &mut Stream,
        frames: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<FuzzDifference>, ConsoleError> {
        let mut found = None;
        stream.play(self.snapshot(), frames, &mut |buttons| {
            if !go_on() {
                return Ok(None);
            }
            found = self.step(buttons)?;
            Ok::<_, ConsoleError>(found.is_none().then(|| self.snapshot()))
        })?;
        Ok(found)
    }

    /// Runs one frame on both; the first difference, if there is any.
    pub fn step(&mut self, buttons: Buttons) -> Result<Option<FuzzDifference>, ConsoleError> {
        let before = *self.console.ram();
        self.log.push(buttons);
        self.console.step(buttons)?;
        self.counts.frames += 1;
        let difference = match self.game {
            Some(game) => self.follow(game, buttons),
            None => None,
        };
        if difference.is_none() && self.game.is_none() && begins(&before, self.console.ram()) {
            let game = first_frame(&before, self.console.ram(), buttons);
            self.game = Some(game);
            self.counts.games += 1;
            return Ok(self.compare(&game, Some(ram::GAME_MODE_STATE)));
        }
        Ok(difference)
    }

    /// Plays the frame on the rules and compares.
    fn follow(&mut self, before: Game, buttons: Buttons) -> Option<FuzzDifference> {
        self.game = None;
        // An ending screen comes next, of which the rules know nothing.
        if before.ending_follows() {
            return None;
        }
        // Lines carried over a soft reset and more than four with those of a lock: nothing is known of that.
        if before.completed_lines > 4 {
            self.counts.unknown += 1;
            return None;
        }
        let mut game = before;
        game.step(buttons);
        if game.stage == Stage::Left {
            return self.compare_leaving();
        }
        self.counts.paused += u64::from(game.stage == Stage::Paused);
        if game.play_state != before.play_state {
            use maxout_rules::PlayState::{Curtain, Goal};
            self.counts.locks += u64::from(game.play_state == Goal);
            self.counts.lines += if game.play_state == Goal { u64::from(before.completed_lines) } else { 0 };
            self.counts.topped_out += u64::from(game.play_state == Curtain);
        }
        self.game = Some(game);
        self.compare(&game, None)
    }

    /// Compares all but one byte: in the init frame the stage is one that the rules do not have.
    fn compare(&mut self, game: &Game, but: Option<u16>) -> Option<FuzzDifference> {
        self.counts.compared += 1;
        let ram = self.console.ram();
        HELD.iter().find_map(|&(first, last, name)| {
            (first..=last).filter(|&address| Some(address) != but).find_map(|address| {
                let cartridge = ram[usize::from(address)];
                let model = game.peek(address)?;
                (model != cartridge).then_some(FuzzDifference {
                    frame: self.counts.frames - 1,
                    name,
                    address,
                    model,
                    cartridge,
                })
            })
        })
    }

    /// The rules left play: the cartridge must have, too, for another mode or for the table of scores.
    fn compare_leaving(&mut self) -> Option<FuzzDifference> {
        self.counts.compared += 1;
        let byte = |address: u16| self.console.ram()[usize::from(address)];
        let left = byte(ram::GAME_MODE) != 4 || byte(ram::GAME_MODE_STATE) == 3;
        (!left).then_some(FuzzDifference {
            frame: self.counts.frames - 1,
            name: "game mode, after the game was left",
            address: ram::GAME_MODE,
            model: 0,
            cartridge: byte(ram::GAME_MODE),
        })
    }
}

/// Whether the frame between these two states was the init frame of an A-type game.
fn begins(before: &[u8; ram::SIZE], after: &[u8; ram::SIZE]) -> bool {
    let stage = usize::from(ram::GAME_MODE_STATE);
    let after_is = |address: u16, value: u8| after[usize::from(address)] == value;
    before[stage] != 1 && after[stage] == 1 && after_is(ram::GAME_MODE, 4) && after_is(ram::GAME_TYPE, 0)
}

/// The rules' own first frame of a game, from the state before it.
fn first_frame(before: &[u8; ram::SIZE], after: &[u8; ram::SIZE], buttons: Buttons) -> Game {
    let byte = |address: u16| before[usize::from(address)];
    let mut lfsr = Lfsr(u16::from_be_bytes([byte(ram::RNG), byte(ram::RNG + 1)]));
    lfsr.clock();
    let generator = Generator { lfsr, spawn_id: Orientation(0), spawn_count: byte(ram::SPAWN_COUNT) };
    let counter = u16::from_le_bytes([byte(ram::FRAME_COUNTER), byte(ram::FRAME_COUNTER + 1)]);
    let mut game =
        Game::init(after[usize::from(ram::START_LEVEL)], generator, counter.wrapping_add(1), buttons);
    for address in KEPT {
        game.poke(address, byte(address));
    }
    game.pressed = buttons & !Buttons(byte(ram::HELD));
    game.sleep = byte(0xC3).saturating_sub(1);
    game
}
