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
use maxout_rules::observer::{GameOver, Observer};
use maxout_rules::ram::{self, GameMode, GameType, LogicStage, RamValue as _, Snapshot};
use maxout_rules::{FrameStage, Game, Generator, Lfsr, PieceId};

pub use stream::Stream;

/// What the init frame leaves as the menus or the game before had it (the-game.md 6.5).
const KEPT: [u16; 8] = [
    ram::AUTOREPEAT_X,
    ram::COMPLETED_ROWS,
    ram::HOLD_DOWN_POINTS,
    ram::CLEAR_STEP,
    ram::COMPLETED_LINES,
    ram::LINE_INDEX,
    ram::CURTAIN_ROW,
    ram::NEXT_HIDDEN,
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
        self.console.snapshot()
    }

    /// Buttons of every frame so far.
    pub const fn log(&self) -> &InputLog {
        &self.log
    }

    /// Counts so far.
    pub const fn counts(&self) -> FuzzCounts {
        self.counts
    }

    /// Plays a stream of at most `frames` frames, fewer if `go_on` says no. The first difference, if there is any.
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
        if game.stage == FrameStage::Left {
            return self.compare_leaving();
        }
        self.counts.paused += u64::from(game.stage == FrameStage::Paused);
        let events = Observer::new(&before).see(&game);
        if let Some(lock) = events.scored {
            self.counts.locks += 1;
            self.counts.lines += u64::from(lock.rows);
        }
        self.counts.topped_out += u64::from(events.ended == Some(GameOver::ToppedOut));
        self.game = Some(game);
        self.compare(&game, None)
    }

    /// Compares all but one byte: in the init frame the stage is one that the rules do not have.
    fn compare(&mut self, game: &Game, but: Option<u16>) -> Option<FuzzDifference> {
        self.counts.compared += 1;
        let ram = self.console.ram();
        ram::MAP.iter().find_map(|variable| {
            (variable.first..=variable.last()).filter(|&address| Some(address) != but).find_map(|address| {
                let cartridge = ram[usize::from(address)];
                let model = game.peek(address)?;
                (model != cartridge).then_some(FuzzDifference {
                    frame: self.counts.frames - 1,
                    name: variable.name,
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
        let now = self.snapshot();
        let left = !now.is_play() || now.game_mode_state == LogicStage::GameOver;
        (!left).then_some(FuzzDifference {
            frame: self.counts.frames - 1,
            name: "game mode, after the game was left",
            address: ram::GAME_MODE,
            model: 0,
            cartridge: now.game_mode.byte(),
        })
    }
}

/// Whether the frame between these two states was the init frame of an A-type game.
fn begins(before: &[u8; ram::SIZE], after: &[u8; ram::SIZE]) -> bool {
    let is_set_up = |ram: &[u8; ram::SIZE]| ram[usize::from(ram::GAME_MODE_STATE)] == LogicStage::Init.byte();
    let after_is = |address: u16, value: u8| after[usize::from(address)] == value;
    !is_set_up(before)
        && is_set_up(after)
        && after_is(ram::GAME_MODE, GameMode::Play.byte())
        && after_is(ram::GAME_TYPE, GameType::A.byte())
}

/// The rules' own first frame of a game, from the state before it.
fn first_frame(before: &[u8; ram::SIZE], after: &[u8; ram::SIZE], buttons: Buttons) -> Game {
    let byte = |address: u16| before[usize::from(address)];
    let mut lfsr = Lfsr(u16::from_be_bytes([byte(ram::RNG), byte(ram::RNG + 1)]));
    lfsr.clock();
    let generator = Generator { lfsr, spawn_id: PieceId(0), spawn_count: byte(ram::SPAWN_COUNT) };
    let counter = u16::from_le_bytes([byte(ram::FRAME_COUNTER), byte(ram::FRAME_COUNTER + 1)]);
    let mut game =
        Game::init(after[usize::from(ram::START_LEVEL)], generator, counter.wrapping_add(1), buttons);
    for address in KEPT.into_iter().flat_map(|first| first..=ram::last(first)) {
        game.poke(address, byte(address));
    }
    game.pressed = buttons & !Buttons(byte(ram::HELD));
    game.sleep = byte(ram::SLEEP).saturating_sub(1);
    game
}
