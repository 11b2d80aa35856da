//! A movie: what other emulators keep of a run, the pads of every frame from power-on. [`Movie::of_run`] makes
//! one of a recorded run, [`load`] reads one from a file, [`Tape`] plays one on the console.
//!
//! The files themselves are the business of [`self::fm2`] and [`self::bk2`].

pub mod bk2;
pub mod champs;
pub mod fm2;
pub mod games;
pub mod replay;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use md5::{Digest, Md5};
use thiserror::Error;

use crate::library::run::Record;
use bk2::Bk2Error;
use fm2::Fm2Error;
use maxout_host::rom::Identity;
use maxout_host::{Console, ConsoleError};
use maxout_rules::input::{Buttons, InputLog};

/// Records of a movie from power-on (or a reset) that our machine does not play: FCEUX shows the game its first
/// pad one frame later after that than tetanes does. An FM2 is this many blank records and then our log.
pub const LEAD: usize = 1;

/// Records that a movie may have: more than a day.
pub const MAX_FRAMES: usize = 6_000_000;

/// Larger files are not read; the longest movie as text stays below.
const MAX_BYTES: u64 = 160 << 20;

/// One record: what happens in one frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Frame {
    /// Bit field: [`Frame::RESET`], [`Frame::POWER`], and what other machines can do.
    pub commands: u8,
    /// The two controllers.
    pub pads: [Buttons; 2],
}

impl Frame {
    /// Command: the reset button.
    pub const RESET: u8 = 1;
    /// Command: power off and on.
    pub const POWER: u8 = 2;

    /// Only the first controller.
    pub const fn pad(buttons: Buttons) -> Self {
        Self { commands: 0, pads: [buttons, Buttons::NONE] }
    }
}

/// A movie from power-on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Movie {
    /// Who made it.
    pub author: String,
    /// What the cartridge is called.
    pub rom_name: String,
    /// MD5 of program and graphics; FM2 has it, and a BK2 that was made from one.
    pub rom_md5: Option<[u8; 16]>,
    /// SHA-1 of the cartridge file, or of what follows its header; BK2 has it, FM2 has not.
    pub rom_sha1: Option<[u8; 20]>,
    /// Distinguishes movies; FM2 has it, BK2 has not.
    pub guid: Option<[u8; 16]>,
    /// How often its maker went back to change something.
    pub rerecords: u64,
    /// Which controllers are plugged in.
    pub plugged: [bool; 2],
    /// Remarks, one line each.
    pub comments: Vec<String>,
    /// Record number and text.
    pub subtitles: Vec<(u64, String)>,
    /// The records.
    pub frames: Vec<Frame>,
}

/// The formats, by file name extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// FCEUX.
    Fm2,
    /// `BizHawk`.
    Bk2,
}

impl Format {
    /// The format that a file name promises.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "fm2" => Some(Self::Fm2),
            "bk2" => Some(Self::Bk2),
            _ => None,
        }
    }
}

/// Why a movie cannot be read or played.
#[derive(Debug, Error)]
pub enum MovieError {
    /// It could not be read.
    #[error("cannot read the file")]
    Io(#[from] io::Error),
    /// It is a folder, a pipe or the like.
    #[error("is not a regular file, expected a movie")]
    NotAFile,
    /// It is too large.
    #[error("file has {0} bytes, expected a movie of at most {MAX_BYTES}")]
    TooLarge(u64),
    /// It is no FM2.
    #[error(transparent)]
    Fm2(#[from] Fm2Error),
    /// It is no BK2.
    #[error(transparent)]
    Bk2(#[from] Bk2Error),
    /// There is nothing in it.
    #[error("movie has no record, expected at least one frame")]
    Empty,
    /// A record asks for something else than this machine has.
    #[error(
        "record {record}: command {commands}, expected 0, 1 (reset) or 2 (power): this is a plain console"
    )]
    Command {
        /// Record number, from 0.
        record: usize,
        /// The bit field.
        commands: u8,
    },
}

/// Reads a movie that [`Tape`] can play.
pub fn load(path: &Path, format: Format) -> Result<Movie, MovieError> {
    // Before opening: opening a pipe that nobody writes to would wait for ever.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(MovieError::NotAFile);
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(MovieError::TooLarge(metadata.len()));
    }
    let movie = match format {
        Format::Fm2 => fm2::read(&bytes)?,
        Format::Bk2 => bk2::read(&bytes)?,
    };
    movie.check()?;
    Ok(movie)
}

impl Movie {
    /// The movie of a run recorded from power-on on the cartridge `rom`. The same run gives the same movie.
    pub fn of_run(record: &Record, log: &InputLog, rom: &Identity) -> Self {
        let Record { version, player, seed, start_level, stop, score, shown_score, lines, level, .. } =
            record;
        let kind = if record.fair { "fair" } else { "clairvoyant" };
        let mut guid = Md5::new();
        guid.update(rom.md5);
        guid.update(format!("maxout {version} {player} {start_level} {stop} {seed}"));
        Self {
            author: "maxout".to_owned(),
            rom_name: rom.name.clone(),
            rom_md5: Some(rom.md5),
            rom_sha1: Some(rom.file_sha1),
            guid: Some(guid.finalize().into()),
            rerecords: record.replans,
            plugged: [true, false],
            comments: vec![
                format!("program maxout {version}"),
                format!("player {player} ({kind})"),
                format!("seed {seed}, start level {start_level}, stop {stop}"),
                format!("score {score} ({shown_score} shown), {lines} lines, level {level}"),
                "rerecords pieces planned anew because the machine did something else than planned"
                    .to_owned(),
            ],
            subtitles: Vec::new(),
            frames: vec![Frame::default(); LEAD]
                .into_iter()
                .chain(log.frames().iter().copied().map(Frame::pad))
                .collect(),
        }
    }

    /// Fills in what the movie does not tell of the cartridge it was played on.
    #[must_use]
    pub fn on(mut self, rom: &Identity) -> Self {
        self.rom_md5.get_or_insert(rom.md5);
        self.rom_sha1.get_or_insert(rom.file_sha1);
        if self.guid.is_none() {
            self.guid = Some(Md5::digest(fm2::write(&self)).into());
        }
        self
    }

    /// Whether it names checksums, and none is that of `rom`. One is enough: dumps of a cartridge differ in their
    /// headers.
    pub fn is_foreign_to(&self, rom: &Identity) -> bool {
        let md5 = self.rom_md5.map(|md5| md5 == rom.md5);
        let sha1 = self.rom_sha1.map(|sha1| sha1 == rom.file_sha1 || hex(&sha1) == rom.sha1);
        let same = [md5, sha1];
        same.contains(&Some(false)) && !same.contains(&Some(true))
    }

    /// The first controller's log as our machine wants it: without the records of [`LEAD`].
    pub fn log(&self) -> InputLog {
        self.frames.iter().skip(LEAD).map(|frame| frame.pads[0]).collect()
    }

    fn check(&self) -> Result<(), MovieError> {
        if self.frames.is_empty() {
            return Err(MovieError::Empty);
        }
        let known = Frame::RESET | Frame::POWER;
        match self.frames.iter().position(|frame| frame.commands & !known != 0) {
            Some(record) => Err(MovieError::Command { record, commands: self.frames[record].commands }),
            None => Ok(()),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// What a record did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The machine ran a frame.
    Ran,
    /// The machine was reset or switched off and on. It runs from the next record on.
    Reset,
    /// Nothing: one of the records of [`LEAD`].
    Skipped,
}

/// Plays records on a console that was just switched on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tape {
    skip: usize,
}

impl Default for Tape {
    fn default() -> Self {
        Self { skip: LEAD }
    }
}

impl Tape {
    /// Plays one record.
    pub fn play(&mut self, console: &mut Console, frame: Frame) -> Result<Turn, ConsoleError> {
        let power = frame.commands & Frame::POWER != 0;
        let reset = power || frame.commands & Frame::RESET != 0;
        if power {
            console.power_cycle()?;
        } else if reset {
            console.reset();
        }
        if reset {
            self.skip = LEAD;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(if reset { Turn::Reset } else { Turn::Skipped });
        }
        console.hold_second(frame.pads[1]);
        console.step(frame.pads[0])?;
        Ok(Turn::Ran)
    }
}
