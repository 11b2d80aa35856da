//! Conformance: replays measured traces of the real game and compares every recorded variable.
//!
//! [`on_model`] feeds a trace to the rules in [`maxout_rules`], [`on_cartridge`] to a cartridge image in the
//! emulator; both answer with a [`TraceVerdict`].

pub mod trace;

use std::fmt;

use thiserror::Error;

use maxout_host::{Console, ConsoleError};
use maxout_rules::input::Buttons;
use maxout_rules::observer::Observer;
use maxout_rules::ram::{self, GameType, LogicStage, RamByte, RamValue as _, RenderMode};
use maxout_rules::{EMPTY, FrameStage, Game, Generator, Lfsr, PieceId, PlayState};
use trace::{COLUMNS, TraceRow};

/// The latest frame in which a trace for a cartridge may begin: about half an hour after power-on.
pub const LATEST_START: u32 = 100_000;

/// Why a trace cannot be played on a cartridge.
#[derive(Debug, Error)]
pub enum ConformError {
    /// The emulator failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The trace leaves out too much.
    #[error(
        "trace begins at frame {0}, expected {LATEST_START} at most: a cartridge is played from power-on"
    )]
    Late(u32),
}

/// One variable that is not what the trace says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceDifference {
    /// Frame number from power-on.
    pub frame: u32,
    /// Column of the trace.
    pub column: &'static str,
    /// The trace's value.
    pub expected: String,
    /// Ours.
    pub got: String,
}

impl fmt::Display for TraceDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, column, expected, got } = self;
        write!(f, "frame {frame}, column {column}: trace {expected}, here {got}")
    }
}

/// The outcome of one trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceVerdict {
    /// Rows compared.
    pub rows: u64,
    /// Frames before the first row, which the cartridge played without buttons.
    pub unseen: u32,
    /// Games found in the trace.
    pub games: u32,
    /// Games that were left out because they are B-type, which the model does not play.
    pub skipped_games: u32,
    /// Values that differ, over all rows.
    pub differences: u64,
    /// The first of them.
    pub first: Option<TraceDifference>,
}

impl TraceVerdict {
    fn differ(
        &mut self,
        frame: u32,
        column: &'static str,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) {
        self.differences += 1;
        if self.first.is_none() {
            self.first = Some(TraceDifference { frame, column, expected: expected.into(), got: got.into() });
        }
    }
}

/// The last known contents of the blocks that a trace records only when they change.
#[derive(Clone, Default)]
struct Blocks {
    stats: Option<[u8; 14]>,
    clears: Option<[u8; 4]>,
    below: Option<[u8; 56]>,
    field: Option<[u16; 20]>,
    crc: Option<u32>,
}

impl Blocks {
    fn update(&mut self, row: &TraceRow) {
        self.stats = row.stats.or(self.stats);
        self.clears = row.clears.or(self.clears);
        self.below = row.below.or(self.below);
        self.field = row.field.or(self.field);
        self.crc = row.field_crc.or(self.crc);
    }

    /// Compares the blocks with what `peek` reads.
    fn compare(&self, frame: u32, with_colours: bool, peek: impl Fn(u16) -> u8, verdict: &mut TraceVerdict) {
        let mut bytes = |column, from: u16, want: Option<&[u8]>| {
            let Some(want) = want else { return };
            let got: Vec<u8> = (from..).take(want.len()).map(&peek).collect();
            if got != want {
                verdict.differ(frame, column, hex(want), hex(&got));
            }
        };
        bytes("stats", ram::STATISTICS, self.stats.as_ref().map(<[u8; 14]>::as_slice));
        bytes("lcs", ram::CLEAR_COUNTS, self.clears.as_ref().map(<[u8; 4]>::as_slice));
        if with_colours {
            bytes("pfx", ram::ROW_20, self.below.as_ref().map(<[u8; 56]>::as_slice));
        }
        let field: Vec<u8> = (ram::FIELD..=ram::last(ram::FIELD)).map(&peek).collect();
        if let Some(want) = self.field {
            for (row, want) in want.into_iter().enumerate() {
                let cells = &field[10 * row..10 * row + 10];
                let got = (0..10).fold(0, |bits, c| bits | u16::from(cells[c] != EMPTY) << c);
                if got != want {
                    verdict.differ(frame, "pf", draw(row, want), draw(row, got));
                }
            }
        }
        if let (true, Some(want)) = (with_colours, self.crc) {
            let got = crc32fast::hash(&field);
            if got != want {
                verdict.differ(frame, "pfcrc", format!("{want:08x}"), format!("{got:08x}"));
            }
        }
    }
}

fn draw(row: usize, bits: u16) -> String {
    let cells: String = (0..10).map(|c| if bits >> c & 1 == 1 { '#' } else { '.' }).collect();
    format!("row {row} {cells}")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Replays a trace on the model, from the first in-game row of each game to that game's end.
pub fn on_model(rows: &[TraceRow]) -> TraceVerdict {
    let mut verdict = TraceVerdict::default();
    let mut blocks = Blocks::default();
    let mut running: Option<Run> = None;
    let mut observer = Observer::default();
    for row in rows {
        blocks.update(row);
        let now = row.moment();
        let began = observer.see(now).began;
        match &mut running {
            Some(run) => {
                if run.step(row) {
                    run.compare(row, &blocks, &mut verdict);
                } else {
                    running = None;
                }
            }
            None if began && now.play_state.known().is_some_and(PlayState::is_live) => {
                verdict.games += 1;
                if row.value("gt") == GameType::A.byte() {
                    let run = Run::enter(row, &blocks);
                    run.compare(row, &blocks, &mut verdict);
                    running = Some(run);
                } else {
                    verdict.skipped_games += 1;
                }
            }
            None => {}
        }
    }
    verdict
}

/// Replays a trace on a cartridge in the emulator, from power-on, and compares every recorded variable of every
/// row. Frames before the first row are played without buttons.
pub fn on_cartridge(rows: &[TraceRow], console: &mut Console) -> Result<TraceVerdict, ConformError> {
    let unseen = rows.first().map_or(0, |row| row.frame);
    if unseen > LATEST_START {
        return Err(ConformError::Late(unseen));
    }
    let mut verdict = TraceVerdict { unseen, ..TraceVerdict::default() };
    let mut blocks = Blocks::default();
    let mut observer = Observer::default();
    console.power_cycle()?;
    for _ in 0..unseen {
        console.step(Buttons::NONE)?;
    }
    for row in rows {
        for poke in &row.pokes {
            for (address, &byte) in (poke.address..).zip(&poke.bytes) {
                console.poke(address, byte);
            }
        }
        console.step(row.buttons)?;
        blocks.update(row);
        let peek = |address: u16| console.ram().get(usize::from(address)).copied().unwrap_or(0);
        compare_columns(row, peek, &mut verdict);
        blocks.compare(row.frame, true, peek, &mut verdict);
        verdict.rows += 1;
        verdict.games += u32::from(observer.see(row.moment()).began);
    }
    Ok(verdict)
}

/// One game of a trace on the model.
struct Run {
    game: Game,
    /// A trace that begins on a built-up field tells occupancy, not colours.
    colours_known: bool,
}

impl Run {
    fn enter(row: &TraceRow, blocks: &Blocks) -> Self {
        let blank = Generator { lfsr: Lfsr::POWER_ON, spawn_id: PieceId(0), spawn_count: 0 };
        let mut game = Game::init(0, blank, 0, Buttons::NONE);
        for (&(_, address), &value) in COLUMNS.iter().zip(&row.values) {
            // The working copy reads as the player block; writes must go to the latter.
            game.poke(ram::player_block(address), value);
        }
        let poke_all = |game: &mut Game, from: u16, bytes: &[u8]| {
            for (address, &byte) in (from..).zip(bytes) {
                game.poke(address, byte);
            }
        };
        poke_all(&mut game, ram::STATISTICS, &blocks.stats.unwrap_or([0; 14]));
        poke_all(&mut game, ram::CLEAR_COUNTS, &blocks.clears.unwrap_or([0; 4]));
        game.set_field(&blocks.field.unwrap_or([0; 20]));
        poke_all(&mut game, ram::ROW_20, &blocks.below.unwrap_or([EMPTY; 56]));
        let paused = row.value("rm") == RenderMode::Still.byte();
        game.stage = match row.moment().game_mode_state {
            RamByte::Known(LogicStage::PauseTest) if paused => FrameStage::Paused,
            RamByte::Known(LogicStage::PauseTest) => FrameStage::Split,
            _ => FrameStage::Running,
        };
        let colours_known = blocks.field.is_none_or(|rows| rows == [0; 20]);
        Self { game, colours_known }
    }

    /// Plays the row's frame; false once the game is over and what follows is no longer play.
    fn step(&mut self, row: &TraceRow) -> bool {
        for poke in &row.pokes {
            for (address, &byte) in (poke.address..).zip(&poke.bytes) {
                self.game.poke(address, byte);
            }
            self.colours_known |= poke.address == ram::FIELD && poke.bytes.len() >= 200;
        }
        let ended = self.game.ending_follows();
        self.game.step(row.buttons);
        !ended && self.game.stage != FrameStage::Left
    }

    fn compare(&self, row: &TraceRow, blocks: &Blocks, verdict: &mut TraceVerdict) {
        verdict.rows += 1;
        let peek = |address| self.game.peek(address).unwrap_or(0);
        compare_columns(row, peek, verdict);
        blocks.compare(row.frame, self.colours_known, peek, verdict);
    }
}

/// Compares the single-byte columns, the held buttons aside.
fn compare_columns(row: &TraceRow, peek: impl Fn(u16) -> u8, verdict: &mut TraceVerdict) {
    for (&(name, address), &want) in COLUMNS.iter().zip(&row.values).filter(|((name, _), _)| *name != "btn") {
        let got = peek(address);
        if got != want {
            verdict.differ(row.frame, name, format!("{want:02x}"), format!("{got:02x}"));
        }
    }
}
