//! Movies, the form in which other emulators keep what was pressed: [`Movie`] holds the records of a movie and what its
//! file says about them, and [`Movie::of_game`] makes one of a game.
//!
//! [`MovieFormat`] names the formats, each of which has its own file, and [`load`] reads a movie from a file of either.

pub mod bk2;
pub mod fm2;
mod format;

pub use fm2::write as write_fm2;
pub use format::{MovieError, MovieFormat, load};

use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cartridge::Identity;
use crate::cartridge::hex;
use crate::result::GameResult;
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::{Region, Seed, Stop};

/// Records of a movie from power-on (or a reset) that our machine does not play: FCEUX shows the game its first
/// buttons one frame later after that than tetanes does. An FM2 is this many blank records and then our log.
pub const WARM_UP_LEAD: usize = 1;

/// Records that a movie may have, and frames that a button log may hold: more than a day.
pub const MAX_FRAMES: usize = 6_000_000;

/// How many lines that could not be read are named.
const MOST_UNREAD: usize = 5;

/// One record: what happens in one frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MovieFrame {
    /// Bit field: [`MovieFrame::RESET`], [`MovieFrame::POWER`], and what other machines can do.
    pub commands: u8,
    /// The two controllers.
    pub controllers: [Buttons; 2],
}

impl MovieFrame {
    /// Command: the reset button.
    pub const RESET: u8 = 1;
    /// Command: power off and on.
    pub const POWER: u8 = 2;

    /// Only the first controller.
    pub const fn of_first(buttons: Buttons) -> Self {
        Self { commands: 0, controllers: [buttons, Buttons::NONE] }
    }
}

/// A movie from power-on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
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
    /// The console that it was made on.
    pub region: Region,
    /// Which controllers are plugged in.
    pub plugged: [bool; 2],
    /// Remarks, one line each.
    pub comments: Vec<String>,
    /// Record number and text.
    pub subtitles: Vec<(u64, String)>,
    /// What its file has that could not be read and that the game does not need, with the lines: a few of them. It is not written.
    pub unread: Vec<String>,
    /// The records. Serde leaves them out.
    #[serde(skip)]
    pub frames: Vec<MovieFrame>,
}

/// The error that a movie of the PAL version cannot be played on this cartridge.
#[derive(Debug, Error)]
#[error("a movie of the PAL version, expected a PAL cartridge image to play it on, not {0:?}, which is NTSC")]
pub struct RegionError(String);

/// What a movie of a game says about the game.
#[derive(Clone, Copy, Debug)]
pub struct Credits<'a> {
    /// The version of maxout that played.
    pub version: &'a str,
    /// The name of the player.
    pub player: &'a str,
    /// Whether the player saw only what a person sees.
    pub fair: bool,
    /// The seed of the game.
    pub seed: u64,
    /// The start level.
    pub start_level: u8,
    /// When the game was to end.
    pub stop: Stop,
    /// The result of the game.
    pub result: GameResult,
    /// The number of pieces that were planned anew.
    pub replans: u64,
}

impl Movie {
    /// Makes the movie of a game that was played from power-on on the cartridge `rom`. `log` holds the buttons of every
    /// frame. The same game gives the same movie.
    pub fn of_game(credits: &Credits<'_>, log: impl IntoIterator<Item = Buttons>, rom: &Identity) -> Self {
        let Credits { version, player, seed, start_level, stop, result, .. } = credits;
        let GameResult { score, shown_score, lines, level, .. } = result;
        let kind = if credits.fair { "fair" } else { "clairvoyant" };
        let mut guid = Md5::new();
        guid.update(rom.md5);
        guid.update(format!("maxout {version} {player} {start_level} {stop} {seed}"));
        Self {
            author: "maxout".to_owned(),
            rom_name: rom.name.clone(),
            rom_md5: Some(rom.md5),
            rom_sha1: Some(rom.file_sha1),
            guid: Some(guid.finalize().into()),
            rerecords: credits.replans,
            region: rom.region,
            plugged: [true, false],
            comments: vec![
                format!("program maxout {version}"),
                format!("player {player} ({kind})"),
                format!("seed {}, start level {start_level}, stop {stop}", Seed::name(*seed)),
                format!("score {score} ({shown_score} shown), {lines} lines, level {level}"),
                "rerecords pieces planned anew because the machine did something else than planned"
                    .to_owned(),
            ],
            subtitles: Vec::new(),
            unread: Vec::new(),
            frames: vec![MovieFrame::default(); WARM_UP_LEAD]
                .into_iter()
                .chain(log.into_iter().map(MovieFrame::of_first))
                .collect(),
        }
    }

    /// Fills in what the movie does not tell of the cartridge it was played on.
    #[must_use]
    pub fn on(mut self, rom: &Identity) -> Self {
        self.rom_md5.get_or_insert(rom.md5);
        self.rom_sha1.get_or_insert(rom.file_sha1);
        if self.guid.is_none() {
            self.guid = Some(Md5::digest(write_fm2(&self)).into());
        }
        self
    }

    /// Notes what could not be read.
    fn miss(&mut self, what: String) {
        match self.unread.len() {
            0..MOST_UNREAD => self.unread.push(what),
            MOST_UNREAD => self.unread.push("more lines like these are left out".to_owned()),
            _ => {}
        }
    }

    /// Fails if it was made on a PAL console, and `rom` is no PAL cartridge.
    pub fn check_region(&self, rom: &Identity) -> Result<(), RegionError> {
        match (self.region, rom.region) {
            (Region::Pal, Region::Ntsc) => Err(RegionError(rom.name.clone())),
            _ => Ok(()),
        }
    }

    /// Whether it names checksums, and none is that of `rom`. One is enough: dumps of a cartridge differ in their
    /// headers.
    pub fn is_foreign_to(&self, rom: &Identity) -> bool {
        let md5 = self.rom_md5.map(|md5| md5 == rom.md5);
        let sha1 = self.rom_sha1.map(|sha1| sha1 == rom.file_sha1 || hex(&sha1) == rom.sha1);
        let same = [md5, sha1];
        same.contains(&Some(false)) && !same.contains(&Some(true))
    }

    /// The first controller's log as our machine wants it: without the records of [`WARM_UP_LEAD`].
    pub fn log(&self) -> InputLog {
        self.frames.iter().skip(WARM_UP_LEAD).map(|frame| frame.controllers[0]).collect()
    }
}
