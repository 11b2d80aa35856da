//! What is kept of a game: the [`Record`] with its result, and the log of its buttons as text. [`log_to_text`] writes the
//! log and [`log_from_text`] reads it, [`archive`](fn@archive) packs both as one file, and [`timeline`] says where each piece
//! went.
//!
//! docs/reference/formats.md describes both field by field.

mod archive;
mod film;

use serde::{Deserialize, Serialize};

use crate::cartridge;
use crate::movie::Credits;
use crate::result::{GameResult, HostKind};
use crate::text::{brief, is_control, quoted};
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::ram::Edition;
use maxout_rules::{Game, Region, Seed, Stop};

pub use crate::movie::MAX_FRAMES;
pub use archive::{ArchiveError, archive, from_bytes, unpack};
pub use film::{TimelineError, timeline};

/// The name and version of the format that this version writes, and the newest that it reads.
pub const FORMAT: &str = "maxout-run 1";
/// First line of a button log.
const LOG_HEADER: &str = "maxout-buttons 1";
/// The most bytes of `run.json`.
pub const MAX_RECORD: u64 = 1 << 20;
/// The most bytes of a button log as text: enough for the longest log if the buttons change in every frame.
pub const MAX_LOG: u64 = 64 << 20;
/// The most characters of a text in a record.
const MAX_TEXT: usize = 1000;

/// A cartridge image, by name and hash.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct RomName {
    /// What it is called.
    pub name: String,
    /// SHA-1 of the image without its header; none for the model.
    pub sha1: Option<String>,
}

/// The record of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Name and version of this format.
    pub format: String,
    /// When the game ended, UTC (RFC 3339).
    #[serde(default)]
    pub made_at: String,
    /// Program version that made it.
    pub version: String,
    /// Who played.
    pub player: String,
    /// Whether the player saw only what a person sees.
    pub fair: bool,
    /// Input limits of the player, and the misdrop rate of its hand if there is one.
    #[serde(default)]
    pub limits: String,
    /// What ran it.
    pub host: HostKind,
    /// The cartridge.
    pub rom: RomName,
    /// Seed of the game.
    pub seed: u64,
    /// Level it started on.
    pub start_level: u8,
    /// The stop that was set for the game.
    pub stop: Stop,
    /// The result.
    #[serde(flatten)]
    pub result: GameResult,
    /// Decisions made.
    pub decisions: u64,
    /// Decisions after which the game did something other than planned.
    pub replans: u64,
    /// CPU milliseconds per decision.
    #[serde(default)]
    pub cpu_ms_per_decision: f64,
    /// Seconds that the game took by the wall clock.
    #[serde(default)]
    pub wall_s: f64,
    /// Frames of the log before the first control frame; 0 if the game did not begin at power-on.
    pub menu_frames: u64,
    /// Frames of play; of a game that was read, those of the console for as long as it was seen.
    pub frames: u64,
    /// CRC-32 of RAM 0000–07FF after the last frame, in hex; none on the model.
    pub ram_crc32: Option<String>,
}

impl Record {
    /// The game at the end of its init frame, on the model. `start_level` is 0 to 19.
    pub fn start(&self) -> Game {
        Seed::new(self.seed).start_by(self.region().into(), self.start_level)
    }

    /// Whether [`Record::start`] is how the game began. On a practice cartridge it is on the seeds of that edition alone: what the
    /// menus of a build leave to other games is not recorded.
    pub fn has_start(&self) -> bool {
        self.edition() == Edition::Original || Seed::new(self.seed).edition().is_some()
    }

    /// The version of the game that was played.
    pub fn region(&self) -> Region {
        cartridge::region_of(&self.rom.name)
    }

    /// The edition of the game that was played.
    pub fn edition(&self) -> Edition {
        Seed::new(self.seed).edition().unwrap_or_else(|| cartridge::edition_of(&self.rom.name))
    }

    /// What a movie of the game says about it.
    pub fn credits(&self) -> Credits<'_> {
        let Self { version, player, fair, seed, start_level, stop, result, replans, .. } = self;
        let (fair, seed, start_level, stop) = (*fair, *seed, *start_level, *stop);
        Credits { version, player, fair, seed, start_level, stop, result: *result, replans: *replans }
    }

    /// Why this record and a log of `frames` frames do not belong to one run; `None` if they do.
    pub fn quarrel(&self, frames: usize) -> Option<String> {
        if self.format != FORMAT {
            return Some(format!("format {}, expected {FORMAT:?}", quoted(&self.format)));
        }
        // What was read has no buttons.
        let want = if self.host.is_read() { 0 } else { self.menu_frames.saturating_add(self.frames) };
        (frames as u64 != want)
            .then(|| format!("the record promises {want} frames, the button log has {frames}"))
    }

    /// What of the record neither is read nor may be written, if anything: a text that is no name for terminals and tables, or a
    /// time that is no number.
    pub fn fault(&self) -> Option<String> {
        for (name, time) in [("cpu_ms_per_decision", self.cpu_ms_per_decision), ("wall_s", self.wall_s)] {
            if !time.is_finite() {
                return Some(format!("{name} {time}, expected a number"));
            }
        }
        let Self { format, made_at, version, player, limits, rom, ram_crc32, .. } = self;
        let texts = [format, made_at, version, player, limits, &rom.name];
        let wrong = |text: &&String| text.chars().count() > MAX_TEXT || text.chars().any(is_control);
        let found = texts.into_iter().chain(&rom.sha1).chain(ram_crc32).find(wrong)?;
        let expected = format!("expected at most {MAX_TEXT} characters and no control characters");
        Some(format!("{}: {expected}", quoted(found)))
    }

    /// Name of the run's folder.
    pub fn folder_name(&self) -> String {
        let stop = self.stop.to_string().replace(':', "");
        let (player, host, level) = (&self.player, self.host.name(), self.start_level);
        let name = format!("{player}-l{level:02}-s{}-{stop}-{host}", Seed::name(self.seed));
        // The parts come from a file and must not lead to another folder.
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
    }

    /// The text of `run.json`.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// Reads the text of `run.json`; the error says what is wrong with it.
pub fn record_from_json(json: &str) -> Result<Record, String> {
    let record: Record = serde_json::from_str(json).map_err(|error| brief(&error))?;
    match record.fault() {
        Some(message) => Err(message),
        None => Ok(record),
    }
}

/// A button log as text: a header, then `frames buttons` for each stretch of equal frames.
pub fn log_to_text(log: &InputLog) -> String {
    let mut text = format!("{LOG_HEADER}\n");
    for stretch in log.frames().chunk_by(|a, b| a == b) {
        text += &format!("{} {}\n", stretch.len(), stretch[0]);
    }
    text
}

/// Reads [`log_to_text`]'s text; the error is a line number and what was expected there.
pub fn log_from_text(text: &str) -> Result<InputLog, (usize, &'static str)> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(LOG_HEADER) {
        return Err((1, "expected \"maxout-buttons 1\""));
    }
    let mut log = InputLog::new();
    for (i, line) in lines {
        let wrong = (i + 1, "expected a number of frames and eight columns RLDUTSBA");
        let (count, held) = line.split_once(' ').ok_or(wrong)?;
        let count: usize = count.parse().map_err(|_| wrong)?;
        let buttons: Buttons = held.parse().map_err(|_| wrong)?;
        if count > MAX_FRAMES - log.len() {
            return Err((i + 1, "expected at most 6,000,000 frames in all"));
        }
        for _ in 0..count {
            log.push(buttons);
        }
    }
    Ok(log)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_log_reads_back_as_it_was_written(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let log: InputLog = bytes.into_iter().map(Buttons).collect();
            prop_assert_eq!(log_from_text(&log_to_text(&log)), Ok(log));
        }

        #[test]
        fn any_text_is_a_log_or_an_error(text in ".{0,200}") {
            let _ = log_from_text(&format!("{LOG_HEADER}\n{text}"));
        }
    }

    #[test]
    fn a_log_that_promises_too_much_is_refused() {
        let text = format!("{LOG_HEADER}\n99999999999 ........\n");
        assert_eq!(log_from_text(&text), Err((2, "expected at most 6,000,000 frames in all")));
    }
}
