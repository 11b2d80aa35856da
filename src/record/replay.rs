//! What a replay shows of a log: [`Replay`] looks at the console after every frame, [`Ending`] is what it came to.

use serde::Serialize;

use super::champs::Display;
use super::games::{Game, Games};
use crate::game::EMPTY;
use crate::host::Console;
use crate::host::ram::{self, Snapshot};

/// The state after the last frame. The JSON keys are a contract (docs/formats.md).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ending {
    /// Frames of the log, menus included.
    pub frames: u64,
    /// Points as the game shows them.
    pub shown_score: u32,
    /// Lines.
    pub lines: u32,
    /// Level.
    pub level: u8,
    /// CRC-32 of RAM 0000–07FF in hex.
    pub ram_crc32: String,
    /// RAM 0400–04C7 in hex, row 0 first.
    pub field_bytes: String,
    /// The field drawn, row 0 first.
    pub field: Vec<String>,
    /// Every game that was played.
    pub games: Vec<Game>,
}

/// Looks on while a log is replayed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    games: Games,
    display: Display,
    champs: Option<Vec<u8>>,
    frames: u64,
}

impl Replay {
    /// A replay that gathers frames for score displays, or does not.
    pub fn new(with_champs: bool) -> Self {
        Self { champs: with_champs.then(Vec::new), ..Self::default() }
    }

    /// Tells of the state after frame `frame`.
    pub fn see(&mut self, frame: u64, console: &Console) {
        self.frames += 1;
        self.games.see(frame, &Snapshot::read(console.ram()));
        if let (Some(bytes), Some(game)) = (&mut self.champs, self.games.current()) {
            bytes.extend(self.display.show(game, frame, console.ram()).encode());
        }
    }

    /// The console was reset or switched off.
    pub fn reset(&mut self) {
        self.games.reset();
    }

    /// What it came to, and the frames for score displays.
    pub fn finish(self, console: &Console) -> (Ending, Option<Vec<u8>>) {
        let ram = console.ram();
        let now = Snapshot::read(ram);
        let field = &ram[usize::from(ram::FIELD)..][..200];
        let draw = |row: &[u8]| row.iter().map(|&cell| if cell < EMPTY { '#' } else { '.' }).collect();
        let ending = Ending {
            frames: self.frames,
            shown_score: now.score,
            lines: now.lines,
            level: now.level,
            ram_crc32: format!("{:08x}", crc32fast::hash(ram)),
            field_bytes: field.iter().map(|cell| format!("{cell:02X}")).collect(),
            field: field.chunks(10).map(draw).collect(),
            games: self.games.finish(),
        };
        (ending, self.champs)
    }
}
