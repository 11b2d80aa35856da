//! What a replay shows of a log: [`Replay`] looks at the emulator after every frame, and [`Ending`] is the result.

use serde::Serialize;

use super::display::Display;
use super::games::{Games, RecordedGame};
use maxout_host::Console;
use maxout_record::champs::Version;
use maxout_rules::EMPTY;
use maxout_rules::input::Buttons;
use maxout_rules::ram::{self, GameMode, RamValue as _};

/// Frames that a score display is shown after a game or a log has ended: enough for the next piece to appear after
/// the last clear.
const TRAIL: u8 = 16;

/// The state after the last frame of the log, and the games. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ending {
    /// Frames of the log, menus included.
    pub frames: u64,
    /// Frames played without buttons after the log, in which the games went on but nothing else here did.
    pub played_on: u64,
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
    pub games: Vec<RecordedGame>,
}

/// Looks on while a log is replayed: [`Replay::see`] in every frame, [`Replay::log_ends`] after the last of the log,
/// then frames without buttons while [`Replay::is_running`], if they are wanted, and [`Replay::finish`].
#[derive(Clone, Debug, Default)]
pub struct Replay {
    games: Games,
    champs: Option<Champs>,
    frames: u64,
    ending: Option<Ending>,
}

impl Replay {
    /// A replay that gathers frames for score displays, or does not.
    pub fn new(champs: Option<Version>) -> Self {
        Self { champs: champs.map(Champs::new), ..Self::default() }
    }

    /// Tells of the state after frame `frame`.
    pub fn see(&mut self, frame: u64, console: &Console) {
        self.frames += 1;
        self.games.see(frame, &console.snapshot());
        if let Some(champs) = &mut self.champs {
            champs.see(self.games.current(), frame, console);
        }
    }

    /// The console was reset or switched off.
    pub fn reset(&mut self) {
        self.games.reset();
        if let Some(champs) = &mut self.champs {
            champs.trail = 0;
        }
    }

    /// The log is at its end.
    pub fn log_ends(&mut self, console: &Console) {
        self.ending = Some(Ending::of(console, self.frames));
    }

    /// Whether a game is in progress.
    pub fn is_running(&self) -> bool {
        self.games.current().is_some()
    }

    /// The result, and for each game the frames for score displays. `next` is the number of the frame that would
    /// be next; the displays see a few more, which are no part of the games.
    pub fn finish(self, console: &Console, next: u64) -> (Ending, Vec<Vec<u8>>) {
        let mut ending = self.ending.unwrap_or_else(|| Ending::of(console, self.frames));
        ending.played_on = self.frames - ending.frames;
        ending.games = self.games.finish();
        let champs = self.champs.map(|champs| champs.finish(console, next)).unwrap_or_default();
        (ending, champs)
    }
}

impl Ending {
    fn of(console: &Console, frames: u64) -> Self {
        let ram = console.ram();
        let now = console.snapshot();
        let field = &ram[usize::from(ram::FIELD)..=usize::from(ram::last(ram::FIELD))];
        let draw = |row: &[u8]| row.iter().map(|&cell| if cell < EMPTY { '#' } else { '.' }).collect();
        Self {
            frames,
            played_on: 0,
            shown_score: now.score,
            lines: now.progress.lines(),
            level: now.progress.level,
            ram_crc32: format!("{:08x}", crc32fast::hash(ram)),
            field_bytes: field.iter().map(|cell| format!("{cell:02X}")).collect(),
            field: field.chunks(10).map(draw).collect(),
            games: Vec::new(),
        }
    }
}

/// Gathers the frames for score displays.
#[derive(Clone, Debug)]
struct Champs {
    version: Version,
    display: Display,
    /// Those of each game, one after the other.
    games: Vec<Vec<u8>>,
    /// Frame with which the time of the last game begins.
    begun: u64,
    /// Frames that are still to be shown once the game has ended.
    trail: u8,
}

impl Champs {
    fn new(version: Version) -> Self {
        Self { version, display: Display::default(), games: Vec::new(), begun: 0, trail: 0 }
    }

    /// Tells of the state after frame `frame`, which is one of game number `game` or of none.
    fn see(&mut self, game: Option<usize>, frame: u64, console: &Console) {
        if let Some(game) = game {
            if game > self.games.len() {
                self.games.resize(game, Vec::new());
                self.display = Display::new(console.edition());
                self.begun = frame;
            }
            self.trail = TRAIL;
        } else if self.trail > 0 && console.ram()[usize::from(ram::GAME_MODE)] == GameMode::Play.byte() {
            self.trail -= 1;
        } else {
            self.trail = 0;
            return;
        }
        let number = self.games.len();
        if let Some(bytes) = self.games.last_mut() {
            let shown = self.display.show(number, frame - self.begun, console.ram());
            bytes.extend(shown.encode(self.version));
        }
    }

    /// Plays on, on a copy of the console, as long as there is something to show.
    fn finish(mut self, console: &Console, next: u64) -> Vec<Vec<u8>> {
        let mut console = console.clone();
        for frame in next..next + u64::from(self.trail) {
            // A game that jams beyond level 153 has nothing more to show.
            if console.step(Buttons::NONE).is_err() {
                break;
            }
            self.see(None, frame, &console);
        }
        self.games
    }
}
