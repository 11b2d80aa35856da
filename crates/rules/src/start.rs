//! How a game begins: what a seed means, and the state that the menus leave (the-game.md 4.4, 6).

use std::error::Error;
use std::fmt;

use super::frame::{Game, POWER_ON_GENERATOR};
use super::piece::PieceId;
use super::random::splitmix64;
use super::rng::{Generator, Lfsr};
use super::timing::{FallRule, Region};
use crate::input::Buttons;
use crate::ram::Edition;

/// The first frame in which the legal screen accepts Start.
pub const LEGAL_START: usize = Region::Ntsc.legal_start();
/// The number of frames from the legal screen's Start to the title's.
pub const TITLE_GATE: usize = 5;
/// The number of frames from the title's Start to the type menu's.
pub const TYPE_GATE: usize = 4;
/// The number of frames from the type menu's Start to the level menu's first processing frame.
pub const LEVEL_GATE: usize = 5;
/// The number of frames from the level menu's Start to the init frame.
pub const INIT_FRAMES: usize = 4;

/// The number of level-menu waits that a seed can ask for.
const WAITS: u64 = 120;
/// The number of first-piece hangs that a seed can ask for.
const HANGS: u64 = 80;

/// What a seed number asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seed {
    /// The seed says how long to wait after power-on, which any host can do.
    PowerOn {
        /// The number of extra frames in the level menu before Start, 0 to 119.
        menu_wait: u8,
        /// The number of control frames for which the first piece hangs before Down releases it, 0 to 79.
        hang: u8,
    },
    /// The seed is a state of the generator that is mixed from the number, as it may be after earlier games.
    /// Only the model can play it.
    Model(u64),
    /// The seed is one of the practice edition: three bytes that its menu takes.
    Practice(u32),
}

/// The error that only the model can play this seed.
#[derive(Debug, PartialEq, Eq)]
pub struct SeedError(pub u64);

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seed = self.0;
        match Seed::new(seed) {
            Seed::Practice(_) => {
                let name = Seed::name(seed);
                write!(
                    f,
                    "seed {name} needs a practice cartridge (--rom FILE): expected 0 to 9599 on this one"
                )
            }
            _ => write!(
                f,
                "seed {seed} is a model seed: expected 0 to 9599, the seeds that power-on and waiting can reach"
            ),
        }
    }
}

impl Error for SeedError {}

impl Seed {
    /// The number of power-on seeds. All seeds below it are power-on seeds.
    pub const POWER_ON_SEEDS: u64 = WAITS * HANGS;

    /// The number of the practice edition's seed 000000. The 2^24 numbers from here on are its seeds.
    pub const FIRST_PRACTICE_SEED: u64 = 0x67_79_6D << 24;
    /// The number of the practice edition's seed FFFFFF.
    pub const LAST_PRACTICE_SEED: u64 = Self::FIRST_PRACTICE_SEED + 0xFF_FF_FF;

    /// Returns the number of the practice edition's seed with this name: gym: and six hex digits.
    pub fn practice_number(name: &str) -> Option<u64> {
        let digits = name.strip_prefix("gym:").filter(|digits| digits.len() == 6)?;
        let whole = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let seed = u64::from_str_radix(digits, 16).ok().filter(|_| whole)?;
        Some(Self::FIRST_PRACTICE_SEED + seed)
    }

    /// Returns how seed `number` is written: as a number, or as gym:XXXXXX if it is one of the practice edition.
    pub fn name(number: u64) -> String {
        match Self::new(number) {
            Self::Practice(seed) => format!("gym:{seed:06X}"),
            Self::PowerOn { .. } | Self::Model(_) => number.to_string(),
        }
    }

    /// Returns the edition that the seed needs, or `None` if any will do.
    pub const fn edition(self) -> Option<Edition> {
        match self {
            Self::Practice(_) => Some(Edition::Practice),
            Self::PowerOn { .. } | Self::Model(_) => None,
        }
    }

    /// Returns the meaning of seed `number`.
    pub const fn new(number: u64) -> Self {
        if number >= Self::FIRST_PRACTICE_SEED && number <= Self::LAST_PRACTICE_SEED {
            return Self::Practice((number - Self::FIRST_PRACTICE_SEED) as u32);
        }
        if number < Self::POWER_ON_SEEDS {
            Self::PowerOn { menu_wait: (number % WAITS) as u8, hang: (number / WAITS) as u8 }
        } else {
            Self::Model(number)
        }
    }

    /// Returns how the first piece is released.
    pub const fn opening(self) -> Opening {
        match self {
            Self::PowerOn { hang, .. } => Opening { hang },
            Self::Model(_) | Self::Practice(_) => Opening { hang: 0 },
        }
    }

    /// Returns the game at the end of its init frame, on the model. `level` is 0–19, or any on a practice seed.
    pub fn start(self, level: u8) -> Game {
        self.start_by(FallRule::Ntsc, level)
    }

    /// The same by this rule of falling, in its region's version.
    pub fn start_by(self, fall_rule: FallRule, level: u8) -> Game {
        let region = fall_rule.region();
        let game = match self {
            Self::PowerOn { menu_wait, .. } => begin(region, MenuScript { level, wait: menu_wait }),
            Self::Model(number) => model_start(level, number),
            Self::Practice(seed) => Game::init_seeded(level, seed),
        };
        Game { fall_rule, autorepeat_y: region.first_piece_delay(), ..game }
    }
}

/// The first frames of control, in which the first piece hangs in the air until Down is tapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The number of control frames without input before the tap.
    pub hang: u8,
}

impl Opening {
    /// The buttons of control frame `t` (0 = the first), or `None` once the opening is over.
    pub fn buttons(self, t: usize) -> Option<Buttons> {
        match t.cmp(&usize::from(self.hang)) {
            std::cmp::Ordering::Less => Some(Buttons::NONE),
            std::cmp::Ordering::Equal => Some(Buttons::DOWN),
            std::cmp::Ordering::Greater => None,
        }
    }
}

/// The fastest way from power-on to an A-type game at `level` (the-game.md 6.3), `wait` frames longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MenuScript {
    /// The start level, 0 to 19.
    pub level: u8,
    /// The number of extra frames in the level menu.
    pub wait: u8,
}

impl MenuScript {
    /// Returns the cursor moves in the level menu, from level 0.
    fn cursor_moves(self) -> Vec<Buttons> {
        cursor_moves(0, self.level % 10)
    }

    /// Returns the button that is held while the level menu is open: A, if the level needs it.
    pub const fn modifier(self) -> Buttons {
        if self.level >= 10 { Buttons::A } else { Buttons::NONE }
    }

    /// Returns the frame of the level menu's Start, counted from power-on.
    pub fn start_frame(self, region: Region) -> usize {
        type_start(region) + LEVEL_GATE + self.cursor_moves().len() + usize::from(self.wait)
    }

    /// Returns the buttons of every frame from power-on to the init frame. The next frame is the first control frame.
    pub fn frames(self) -> Vec<Buttons> {
        self.frames_in(Region::Ntsc)
    }

    /// The same for the version of this region.
    pub fn frames_in(self, region: Region) -> Vec<Buttons> {
        let (start, legal, type_start) = (self.start_frame(region), region.legal_start(), type_start(region));
        let mut frames = vec![Buttons::NONE; start + INIT_FRAMES + 1];
        for press in [legal, legal + TITLE_GATE, type_start] {
            frames[press] = Buttons::START;
        }
        frames[type_start + 2..=start].fill(self.modifier());
        let first = type_start + LEVEL_GATE;
        for (frame, buttons) in self.cursor_moves().into_iter().enumerate() {
            frames[first + frame] |= buttons;
        }
        frames[start] |= Buttons::START;
        frames
    }
}

/// Returns the frame in which the fastest script presses the type menu's Start.
const fn type_start(region: Region) -> usize {
    region.legal_start() + TITLE_GATE + TYPE_GATE
}

/// Returns the presses that move the level menu's cursor from one digit to another, with a released frame between equal
/// presses (the-game.md 6.2).
pub fn cursor_moves(from: u8, to: u8) -> Vec<Buttons> {
    let mut moves = Vec::new();
    match (from >= 5, to >= 5) {
        (false, true) => moves.push(Buttons::DOWN),
        (true, false) => moves.push(Buttons::UP),
        _ => {}
    }
    let (from, to) = (from % 5, to % 5);
    let sideways = if to > from { Buttons::RIGHT } else { Buttons::LEFT };
    for step in 0..from.abs_diff(to) {
        if step > 0 {
            moves.push(Buttons::NONE);
        }
        moves.push(sideways);
    }
    moves
}

/// Returns the game at the end of its init frame after [`MenuScript`] from power-on. It is computed, and equals what
/// `play` finds on the machine. `level` is 0–19, `menu_wait` any number of frames.
pub fn power_on_start(level: u8, menu_wait: u8) -> Game {
    begin(Region::Ntsc, MenuScript { level, wait: menu_wait })
}

/// Returns the game that the script leads to, but for what the region changes in play.
fn begin(region: Region, script: MenuScript) -> Game {
    let (start, type_start) = (script.start_frame(region), type_start(region));
    let mut lfsr = Lfsr::POWER_ON;
    let mut nmis = 0u16;
    // The NMI runs from frame 3 on, but not in frame 4 nor in the level menu's loading frame.
    for frame in (3..=start + INIT_FRAMES).filter(|&f| f != 4 && f != type_start + 2) {
        nmis += 1;
        lfsr.clock();
        if (type_start + LEVEL_GATE..start).contains(&frame) {
            for _player in 0..2 {
                roll_garbage_hole(&mut lfsr);
            }
        }
    }
    // The counter's high byte is zeroed on the title screen; no menu lasts long enough to wrap the low one again.
    let generator = Generator { lfsr, ..POWER_ON_GENERATOR };
    Game::init(script.level, generator, nmis & 0xFF, Buttons::NONE)
}

/// Clocks the register as the level menu does, which re-rolls a garbage hole for each player in every frame
/// (the-game.md 4.4).
fn roll_garbage_hole(lfsr: &mut Lfsr) {
    loop {
        lfsr.clock();
        if lfsr.high() & 0x0F < 0x0A {
            return;
        }
    }
}

/// Returns a game as it may begin after any number of earlier games: generator, frame counter and spawn count are mixed
/// from `seed` (splitmix64).
pub fn model_start(level: u8, seed: u64) -> Game {
    let mixed = splitmix64(seed);
    let mut lfsr = Lfsr((mixed % 0x7FFF + 1) as u16 * 2);
    // One clock takes any register with a set bit above bit 0 onto the one cycle.
    lfsr.clock();
    let generator = Generator { lfsr, spawn_id: PieceId(0), spawn_count: (mixed >> 16) as u8 };
    Game::init(level, generator, (mixed >> 24) as u16, Buttons::NONE)
}
