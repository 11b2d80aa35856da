//! Where `maxout-lab limits` keeps its games: [`HandsFolder`].
//!
//! A folder holds `identity.json`, which says what games they are ([`identity`]), and for each cell a
//! folder such as `20hz-18`. There, `player.json` holds the fingerprint of the player under the limits of that cell: if the
//! player changes under some limits, the other cells keep their games. Each other file holds a block of up to
//! [`BLOCK`] games in the order of their seeds, and is named after the first seed of the block. Whenever one of its games
//! is finished, the file is written again under a temporary name and then replaced, so a kill at any moment costs only the
//! games in progress.

use maxout_rules::FallRule;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::cells::{HandsGame, LimitsFormat};
use crate::resumed::{Identity, ResumeError, ResumedFolder, check_identity, has_results};
use maxout::files;
use maxout::text::{brief, quoted};

/// The number of games in a block.
pub const BLOCK: u64 = 25;

/// The format that this version writes and reads.
const FORMAT: &str = "maxout-limits 2";
/// The file in the folder of a cell that says which player played there.
const PLAYER: &str = "player.json";
/// The most bytes of a block.
const MAX_BYTES: u64 = 64 << 10;

/// The identity of games that this version plays.
pub fn identity(player: &str, first_seed: u64, format: LimitsFormat) -> Identity {
    let LimitsFormat { start_level, stop, fall_rule } = format;
    let facts = [
        ("player", player.into()),
        ("first_seed", first_seed.into()),
        ("start_level", start_level.into()),
        ("stop", stop.to_string().into()),
        ("double_killscreen", (fall_rule == FallRule::DoubleKillscreen).into()),
    ];
    Identity::new(FORMAT, "maxout-lab limits", "games", facts)
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
    /// A file is not one of `maxout-lab limits`.
    #[error("{0}: not a file of `maxout-lab limits`: {1}")]
    Foreign(String, String),
    /// The folder cannot be worked in, or holds other games.
    #[error(transparent)]
    Folder(#[from] ResumeError),
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
#[derive(Debug)]
pub struct HandsFolder {
    folder: PathBuf,
    /// If new games are kept there.
    _work: Option<ResumedFolder>,
}

impl HandsFolder {
    /// Opens the folder of the games with this identity to read them. It must exist.
    pub fn open(folder: &Path, identity: &Identity) -> Result<Self, HandsFolderError> {
        check_identity(folder, identity)?;
        Ok(Self { folder: folder.to_owned(), _work: None })
    }

    /// Opens the folder of the games with this identity to keep more of them there, or makes it. Until it is dropped, no
    /// other process can.
    pub fn open_or_create(folder: &Path, identity: &Identity) -> Result<Self, HandsFolderError> {
        let results = || Ok(has_results(folder)?.then(|| "other files".to_owned()));
        let (work, _) = ResumedFolder::open(folder, identity.clone(), results)?;
        Ok(Self { folder: folder.to_owned(), _work: Some(work) })
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
        let file = Path::new(cell).join(PLAYER);
        let failed = |error| HandsFolderError::Io(file.display().to_string(), error);
        files::prepare_folder(&self.folder.join(cell)).map_err(failed)?;
        if self.player(cell)? == Some(fingerprint) {
            return Ok(());
        }
        let player = CellPlayer { fingerprint: format!("{fingerprint:08x}") };
        let text = serde_json::to_string_pretty(&player).map_err(|error| failed(error.into()))?;
        self.write_file(&file, &(text + "\n"))
    }

    /// Returns the games of the block of `cell` that begins with the seed `first`, in the order of their seeds.
    /// Empty if the file is missing.
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

    /// Adds a game to its block, the one of `cell` that begins with the seed `first`, in the folder that [`Self::begin`] has made.
    /// The other games of the block stay, also those that this run does not ask for.
    pub fn add(&self, cell: &str, first: u64, game: &HandsGame) -> Result<(), HandsFolderError> {
        let mut games = self.read(cell, first)?;
        match games.binary_search_by_key(&game.seed, |kept| kept.seed) {
            Ok(place) if games[place].is_same_as(game) => return Ok(()),
            Ok(_) => {
                let file = file_of(cell, first).display().to_string();
                return Err(HandsFolderError::Conflict { file, seed: game.seed });
            }
            Err(place) => games.insert(place, *game),
        }
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
    use maxout_rules::Stop;

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

    fn from(first_seed: u64) -> Identity {
        let format =
            LimitsFormat { start_level: 18, stop: Stop::Lines(430), fall_rule: FallRule::DoubleKillscreen };
        identity("maxout-fast", first_seed, format)
    }

    #[test]
    fn games_are_kept_and_those_of_others_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        assert!(matches!(
            HandsFolder::open(&inner, &from(5)),
            Err(HandsFolderError::Folder(ResumeError::Missing { .. }))
        ));
        let made = HandsFolder::open_or_create(&inner, &from(5)).expect("made");
        assert_eq!(made.read("20hz-0", 5).expect("read"), []);
        assert_eq!(made.player("20hz-0").expect("none"), None);
        made.begin("20hz-0", 7).expect("begun");
        made.add("20hz-0", 5, &game(29)).expect("written");
        made.add("20hz-0", 5, &game(6)).expect("written");
        made.add("20hz-0", 5, &HandsGame { thinking_us: 7, ..game(6) }).expect("the same game");
        let error =
            made.add("20hz-0", 5, &HandsGame { lines: 7, ..game(6) }).expect_err("another game").to_string();
        assert_eq!(error, "20hz-0/5.json: seed 6 is not the same game as in a folder named before");
        assert_eq!(made.player("20hz-0").expect("read"), Some(7));
        let player = inner.join("20hz-0/player.json");
        fs::write(&player, "{\"fingerprint\": \"7\"}").expect("written");
        let error = made.player("20hz-0").expect_err("not eight digits").to_string();
        assert_eq!(
            error,
            "20hz-0/player.json: not a file of `maxout-lab limits`: \"7\", expected eight hex digits"
        );
        fs::remove_file(&player).expect("removed");
        let error = made.player("20hz-0").expect_err("whose games?").to_string();
        assert!(error.starts_with("20hz-0/player.json: "), "{error}");
        let busy = HandsFolder::open_or_create(&inner, &from(5)).expect_err("locked").to_string();
        assert!(busy.contains("another maxout process"), "{busy}");
        drop(made);
        let opened = HandsFolder::open_or_create(&inner, &from(5)).expect("opened");
        assert_eq!(opened.read("20hz-0", 5).expect("read"), [game(6), game(29)]);
        let error = HandsFolder::open(&inner, &from(6)).expect_err("other games").to_string();
        assert_eq!(error, "holds games of first seed 5, expected 6");
        let error = HandsFolder::open_or_create(folder.path(), &from(5)).expect_err("occupied");
        assert!(error.to_string().contains("other files and no identity.json"), "{error}");
    }

    #[test]
    fn what_is_left_of_a_kill_does_not_matter() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(".maxout-1-0.tmp"), "{\"for").expect("written");
        let made = HandsFolder::open_or_create(folder.path(), &from(5)).expect("made");
        // It was killed when it had made the folder of a cell, but not yet said whose games it holds.
        fs::create_dir(folder.path().join("20hz-0")).expect("a folder");
        fs::write(folder.path().join("20hz-0/.maxout-1-2.tmp"), "{").expect("written");
        assert_eq!(made.player("20hz-0").expect("no games"), None);
        made.begin("20hz-0", 7).expect("begun");
        made.add("20hz-0", 5, &game(5)).expect("written");
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
