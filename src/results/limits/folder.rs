//! Where `maxout limits` keeps its games: [`HandsFolder`].
//!
//! A folder holds `identity.json`, which says what games they are ([`HandsIdentity`]), and for each cell a
//! folder such as `20hz-18`. There, `player.json` holds the fingerprint of the player under the limits of that cell: if the
//! player changes under some limits, the other cells keep their games. Each other file holds a block of up to
//! [`BLOCK`] games in the order of their seeds, and is named after the first seed of the block. Whenever one of its games
//! is finished, the file is written again under a temporary name and then replaced, so a kill at any moment costs only the
//! games in progress.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::cells::{HandsGame, LimitsFormat};
use crate::files;
use crate::text::{brief, is_control, quoted};

/// The number of games in a block.
pub const BLOCK: u64 = 25;

/// The format that this version writes and reads.
const FORMAT: &str = "maxout-limits 2";
/// The file that says what games a folder holds.
const IDENTITY: &str = "identity.json";
/// The file in the folder of a cell that says which player played there.
const PLAYER: &str = "player.json";
/// The most bytes of a block or an identity.
const MAX_BYTES: u64 = 64 << 10;

/// What all games of a folder have in common. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandsIdentity {
    /// The name and version of the format.
    format: String,
    /// The program version that played.
    version: String,
    /// The player's name.
    player: String,
    /// The seed of the first game.
    first_seed: u64,
    /// The start level.
    start_level: u8,
    /// When a game ends.
    stop: String,
    /// Whether pieces fall two rows a frame from level 39 on.
    double_killscreen: bool,
}

/// The format of an identity, whatever else it holds: those of other versions may hold other things.
#[derive(Deserialize)]
struct Format {
    format: String,
}

impl HandsIdentity {
    /// Makes the identity of games that this version plays.
    pub fn new(player: &str, first_seed: u64, format: LimitsFormat) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            player: player.to_owned(),
            first_seed,
            start_level: format.start_level,
            stop: format.stop.to_string(),
            double_killscreen: format.double_killscreen,
        }
    }

    /// Reads `identity.json`.
    pub fn read(file: &[u8]) -> Result<Self, HandsFolderError> {
        let foreign = |reason: String| HandsFolderError::Foreign(IDENTITY.to_owned(), reason);
        let format: Format = serde_json::from_slice(file).map_err(|error| foreign(brief(&error)))?;
        if format.format != FORMAT {
            return Err(foreign(format!("format {}, expected {FORMAT:?}", quoted(&format.format))));
        }
        let read: Self = serde_json::from_slice(file).map_err(|error| foreign(brief(&error)))?;
        let Self { version, player, stop, .. } = &read;
        if let Some(text) = [version, player, stop].into_iter().find(|text| text.chars().any(is_control)) {
            return Err(foreign(format!("{}, expected no control characters", quoted(text))));
        }
        Ok(read)
    }

    /// Fails if this is not the identity that is `wanted`.
    fn check(&self, wanted: &Self) -> Result<(), HandsFolderError> {
        let differing =
            self.words().into_iter().zip(wanted.words()).find(|((_, got), (_, want))| got != want);
        differing.map_or(Ok(()), |((what, got), (_, want))| {
            let got = if got.chars().count() > 80 { quoted(&got) } else { got };
            Err(HandsFolderError::Differs { what, got, want })
        })
    }

    /// Each value with its name.
    fn words(&self) -> [(&'static str, String); 6] {
        [
            ("player", self.player.clone()),
            ("first seed", self.first_seed.to_string()),
            ("start level", self.start_level.to_string()),
            ("stop", self.stop.clone()),
            ("double killscreen", self.double_killscreen.to_string()),
            ("program version", self.version.clone()),
        ]
    }
}

/// What all games of a cell have in common. The JSON key is a contract (docs/reference/formats.md).
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellPlayer {
    /// As [`fingerprints`](super::fingerprints) makes it, in eight hexadecimal digits.
    fingerprint: String,
}

/// Why a folder cannot be used.
#[derive(Debug, Error)]
pub enum HandsFolderError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// A file is not one of `maxout limits`.
    #[error("{0}: not a file of `maxout limits`: {1}")]
    Foreign(String, String),
    /// The folder holds other files and no identity.
    #[error("holds other files and no {IDENTITY}, expected an empty folder or one that `maxout limits` made")]
    Occupied,
    /// The folder does not exist, or has no identity.
    #[error("holds no games, expected a folder that `maxout limits` made")]
    Missing,
    /// The folder holds games of another identity.
    #[error("holds games of {what} {got}, expected {want}")]
    Differs {
        /// What differs.
        what: &'static str,
        /// What the folder holds.
        got: String,
        /// What is to be played.
        want: String,
    },
    /// The player has changed in some cells.
    #[error(
        "{0}: the player has changed under these limits since these games were played; remove these folders to play their games again"
    )]
    Changed(String),
    /// Two folders hold different games of the same seed.
    #[error("{file}: seed {seed} is not the same game as in a folder named before")]
    Conflict {
        /// The file of its block.
        file: String,
        /// The seed of the game.
        seed: u64,
    },
}

/// A folder with games.
#[derive(Clone, Debug)]
pub struct HandsFolder {
    folder: PathBuf,
}

impl HandsFolder {
    /// Opens the folder of the games with this identity. It must exist.
    pub fn open(folder: &Path, identity: &HandsIdentity) -> Result<Self, HandsFolderError> {
        match files::read(&folder.join(IDENTITY), MAX_BYTES) {
            Ok(file) => HandsIdentity::read(&file)?.check(identity)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(HandsFolderError::Missing),
            Err(error) => return Err(HandsFolderError::Io(IDENTITY.to_owned(), error)),
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// Opens the folder of the games with this identity, or makes it.
    pub fn open_or_create(folder: &Path, identity: &HandsIdentity) -> Result<Self, HandsFolderError> {
        let opened = Self::open(folder, identity);
        if !matches!(opened, Err(HandsFolderError::Missing)) {
            return opened;
        }
        let failed = |error| HandsFolderError::Io("the folder cannot be used".to_owned(), error);
        files::prepare_folder(folder).map_err(failed)?;
        for entry in fs::read_dir(folder).map_err(failed)? {
            // A program that was killed may have left a temporary file.
            if !entry.map_err(failed)?.file_name().as_encoded_bytes().starts_with(b".") {
                return Err(HandsFolderError::Occupied);
            }
        }
        let made = Self { folder: folder.to_owned() };
        let text = serde_json::to_string_pretty(identity)
            .map_err(|error| HandsFolderError::Io(IDENTITY.to_owned(), error.into()))?;
        made.write_file(Path::new(IDENTITY), &(text + "\n"))?;
        Ok(made)
    }

    /// Returns the fingerprint of the player whose games of this cell the folder holds, or `None` if it holds none.
    pub fn player(&self, cell: &str) -> Result<Option<u32>, HandsFolderError> {
        let file = Path::new(cell).join(PLAYER);
        let bytes = match files::read(&self.folder.join(&file), MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.has_games(cell) => {
                return Ok(None);
            }
            Err(error) => return Err(HandsFolderError::Io(file.display().to_string(), error)),
        };
        let foreign = |reason| HandsFolderError::Foreign(file.display().to_string(), reason);
        let read: CellPlayer = serde_json::from_slice(&bytes).map_err(|error| foreign(brief(&error)))?;
        let player = u32::from_str_radix(&read.fingerprint, 16).ok().filter(|_| read.fingerprint.len() == 8);
        player
            .map(Some)
            .ok_or_else(|| foreign(format!("{}, expected eight hex digits", quoted(&read.fingerprint))))
    }

    /// Whether the folder has blocks of a cell. A program that was killed may have left a temporary file.
    fn has_games(&self, cell: &str) -> bool {
        let entries = fs::read_dir(self.folder.join(cell)).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
    }

    /// Makes the folder of a cell, if need be, and records there whose games it holds.
    pub fn begin(&self, cell: &str, fingerprint: u32) -> Result<(), HandsFolderError> {
        if self.player(cell)? == Some(fingerprint) {
            return Ok(());
        }
        let file = Path::new(cell).join(PLAYER);
        let failed = |error| HandsFolderError::Io(file.display().to_string(), error);
        fs::create_dir_all(self.folder.join(cell)).map_err(failed)?;
        let player = CellPlayer { fingerprint: format!("{fingerprint:08x}") };
        let text = serde_json::to_string_pretty(&player).map_err(|error| failed(error.into()))?;
        self.write_file(&file, &(text + "\n"))
    }

    /// Returns the games of the block of `cell` that begins with the seed `first`, in the order of their seeds.
    /// There are none if there is no such file.
    pub fn read(&self, cell: &str, first: u64) -> Result<Vec<HandsGame>, HandsFolderError> {
        let file = file_of(cell, first);
        let bytes = match files::read(&self.folder.join(&file), MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(HandsFolderError::Io(file.display().to_string(), error)),
        };
        read_block(&bytes, first)
            .map_err(|reason| HandsFolderError::Foreign(file.display().to_string(), reason))
    }

    /// Writes the games of the block of `cell` that begins with the seed `first`, in the order of their seeds, into the folder that
    /// [`Self::begin`] has made.
    pub fn write(&self, cell: &str, first: u64, games: &[HandsGame]) -> Result<(), HandsFolderError> {
        let file = file_of(cell, first);
        let failed = |error| HandsFolderError::Io(file.display().to_string(), error);
        let lines: Result<Vec<String>, _> = games.iter().map(serde_json::to_string).collect();
        let lines = lines.map_err(|error| failed(error.into()))?.join(",\n");
        self.write_file(&file, &format!("[\n{lines}\n]\n"))
    }

    fn write_file(&self, file: &Path, text: &str) -> Result<(), HandsFolderError> {
        files::write(&self.folder.join(file), text.as_bytes())
            .map_err(|error| HandsFolderError::Io(file.display().to_string(), error))
    }
}

/// Where a block is kept.
pub(super) fn file_of(cell: &str, first: u64) -> PathBuf {
    Path::new(cell).join(format!("{first}.json"))
}

/// Reads the file of the block that begins with the seed `first`. An error says what is wrong.
pub fn read_block(file: &[u8], first: u64) -> Result<Vec<HandsGame>, String> {
    let games: Vec<HandsGame> = serde_json::from_slice(file).map_err(|error| brief(&error))?;
    let mut due = first;
    for game in &games {
        if game.seed < due || game.seed - first >= BLOCK {
            let last = first.saturating_add(BLOCK - 1);
            return Err(format!("seed {}, expected rising seeds from {first} to {last}", game.seed));
        }
        due = game.seed.saturating_add(1);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_host::session::Stop;

    fn game(seed: u64) -> HandsGame {
        HandsGame {
            seed,
            score: 1_000_000,
            line_points: 990_000,
            lines: 330,
            level: 38,
            tetrises: 70,
            topped_out: true,
            reached_stop: false,
            decisions: 825,
            thinking_us: 1_234_567,
        }
    }

    fn identity(first_seed: u64) -> HandsIdentity {
        let format = LimitsFormat { start_level: 18, stop: Stop::Lines(430), double_killscreen: true };
        HandsIdentity::new("maxout-fast", first_seed, format)
    }

    #[test]
    fn games_are_kept_and_those_of_others_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        assert!(matches!(HandsFolder::open(&inner, &identity(5)), Err(HandsFolderError::Missing)));
        let made = HandsFolder::open_or_create(&inner, &identity(5)).expect("made");
        assert_eq!(made.read("20hz-0", 5).expect("read"), []);
        assert_eq!(made.player("20hz-0").expect("none"), None);
        made.begin("20hz-0", 7).expect("begun");
        made.write("20hz-0", 5, &[game(6), game(29)]).expect("written");
        assert_eq!(made.player("20hz-0").expect("read"), Some(7));
        let player = inner.join("20hz-0/player.json");
        fs::write(&player, "{\"fingerprint\": \"7\"}").expect("written");
        let error = made.player("20hz-0").expect_err("not eight digits").to_string();
        assert_eq!(
            error,
            "20hz-0/player.json: not a file of `maxout limits`: \"7\", expected eight hex digits"
        );
        fs::remove_file(&player).expect("removed");
        let error = made.player("20hz-0").expect_err("whose games?").to_string();
        assert!(error.starts_with("20hz-0/player.json: "), "{error}");
        let opened = HandsFolder::open_or_create(&inner, &identity(5)).expect("opened");
        assert_eq!(opened.read("20hz-0", 5).expect("read"), [game(6), game(29)]);
        let error = HandsFolder::open(&inner, &identity(6)).expect_err("other games").to_string();
        assert_eq!(error, "holds games of first seed 5, expected 6");
        let error = HandsFolder::open_or_create(folder.path(), &identity(5)).expect_err("occupied");
        assert!(error.to_string().contains("other files and no identity.json"), "{error}");
    }

    #[test]
    fn what_is_left_of_a_kill_does_not_matter() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(".maxout-1-0.tmp"), "{\"for").expect("written");
        let made = HandsFolder::open_or_create(folder.path(), &identity(5)).expect("made");
        // It was killed when it had made the folder of a cell, but not yet said whose games it holds.
        fs::create_dir(folder.path().join("20hz-0")).expect("a folder");
        fs::write(folder.path().join("20hz-0/.maxout-1-2.tmp"), "{").expect("written");
        assert_eq!(made.player("20hz-0").expect("no games"), None);
        made.begin("20hz-0", 7).expect("begun");
        made.write("20hz-0", 5, &[game(5)]).expect("written");
        fs::write(folder.path().join("20hz-0/.maxout-1-1.tmp"), "[").expect("written");
        assert_eq!(made.read("20hz-0", 5).expect("read"), [game(5)]);
    }

    #[test]
    fn a_block_has_rising_seeds_of_its_own() {
        let read = |games: &[HandsGame]| read_block(&serde_json::to_vec(games).expect("JSON"), 50);
        assert!(read(&[game(50), game(51), game(74)]).is_ok());
        for games in [[game(50), game(50)], [game(60), game(59)], [game(50), game(75)], [game(49), game(50)]]
        {
            assert!(read(&games).expect_err("refused").contains("expected rising seeds from 50 to 74"));
        }
        assert!(read_block(b"[{\"seed\": 50}]", 50).is_err() && read_block(b"", 50).is_err());
        let last = [game(u64::MAX)];
        assert!(read_block(&serde_json::to_vec(&last).expect("JSON"), u64::MAX).is_ok());
    }
}
