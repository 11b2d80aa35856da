//! [`merge`]: makes one result of all shards of a batch, the same that the whole batch would have made. [`read`] reads
//! the file of a shard.

use maxout_rules::FallRule;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::time::Duration;

use serde_json::error::Category;
use thiserror::Error;

use super::batch::BatchResult;
use super::shard::{FORMAT, Shard};
use super::tally::Tally;
use crate::text::{brief, is_control, quoted};
use maxout_engine::player::UnknownPlayer;
use maxout_gallery::find;
use maxout_host::batch::Batch;
use maxout_record::result::HostKind;
use maxout_record::run::RomName;

/// Bytes of a file; 1,700 are a game.
pub const MAX_BYTES: u64 = 512 << 20;
/// Bytes that the values of all files together may take in memory, and what is reckoned for those behind a comma, a colon or a bracket: a
/// number of a list, a key, a list. A letter counts as one byte. A game takes 1,000.
const MAX_VALUES: u64 = 250 << 20;
const VALUES: [(u8, u64); 3] = [(b',', 8), (b':', 16), (b'[', 96)];
/// Most bytes of a text or a number.
const MAX_WORD: u64 = 64 << 10;

/// Why shards do not make a whole.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MergeError {
    /// There is nothing to merge.
    #[error("no shard given: expected the files of all shards")]
    None,
    /// A file is something else.
    #[error("{file}: not a shard: {reason}; expected a file that `maxout sim --shard I/N --json FILE` wrote")]
    Foreign {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Two shards are of different batches.
    #[error("{file}: {what} {got}, expected {want} as in {other}")]
    Differs {
        /// The file.
        file: String,
        /// What differs.
        what: &'static str,
        /// What it says.
        got: String,
        /// What the first file says.
        want: String,
        /// The first file.
        other: String,
    },
    /// Games of a batch are in no file.
    #[error("{} in no shard: expected all {games} games from seed {first_seed}", missing(.seeds))]
    Missing {
        /// The first such seeds.
        seeds: Range<u64>,
        /// Games of the batch.
        games: u64,
        /// Seed of its first.
        first_seed: u64,
    },
    /// A game is there twice.
    #[error("seed {seed} is in {first} and in {second}: expected each game once")]
    Twice {
        /// The game's seed.
        seed: u64,
        /// A file that has it.
        first: String,
        /// The other.
        second: String,
    },
    /// The player is not known here.
    #[error("{file}: player {name:?}: {error}", name = .error.name)]
    Player {
        /// The file.
        file: String,
        /// Why.
        error: UnknownPlayer,
    },
}

fn missing(seeds: &Range<u64>) -> String {
    let last = seeds.end - 1;
    if seeds.start == last {
        format!("seed {last} is")
    } else {
        format!("seeds {} to {last} are", seeds.start)
    }
}

/// Reads until the values would take too much memory.
struct Values<'a, R> {
    reader: R,
    left: &'a mut Room,
    /// Whether it is within a text, and behind a backslash there.
    in_text: bool,
    is_escaped: bool,
    /// Bytes of the text or number so far.
    word: u64,
}

/// Memory that is left for the values of shards.
#[derive(Debug)]
pub struct Room(u64);

impl Default for Room {
    fn default() -> Self {
        Self(MAX_VALUES)
    }
}

impl<R> Values<'_, R> {
    /// What a byte is reckoned as.
    fn weigh(&mut self, byte: u8) -> u64 {
        let ends = if self.in_text {
            byte == b'"' && !self.is_escaped
        } else {
            matches!(byte, b'"' | b',' | b':' | b'[' | b']' | b'{' | b'}' | b' ' | b'\n' | b'\r' | b'\t')
        };
        self.word = if ends { 0 } else { self.word + 1 };
        let weight = if self.in_text {
            1
        } else {
            VALUES.iter().find(|(sign, _)| *sign == byte).map_or(0, |(_, bytes)| *bytes)
        };
        self.in_text ^= byte == b'"' && !self.is_escaped;
        self.is_escaped = self.in_text && byte == b'\\' && !self.is_escaped;
        weight
    }
}

impl<R: Read> Read for Values<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.reader.read(buffer)?;
        let refused = |message: &str| Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        let mut taken = 0;
        for &byte in &buffer[..got] {
            taken += self.weigh(byte);
            if self.word > MAX_WORD {
                return refused("has a text or a number of more than 64 KiB");
            }
        }
        match self.left.0.checked_sub(taken) {
            Some(left) => self.left.0 = left,
            None => {
                return refused(
                    "has more than 250 MiB of values, with the files before it, expected fewer games",
                );
            }
        }
        Ok(got)
    }
}

/// Reads a shard's file, which is called `file`. All shards of a batch share the room.
pub fn read(file: &str, source: impl Read, room: &mut Room) -> Result<BatchResult, MergeError> {
    let foreign = |reason: String| MergeError::Foreign { file: file.to_owned(), reason };
    let values = Values { reader: source, left: room, in_text: false, is_escaped: false, word: 0 };
    let mut result: BatchResult =
        serde_json::from_reader(BufReader::new(values)).map_err(|error| match error.classify() {
            Category::Data => foreign(format!("JSON of something else ({})", brief(&error))),
            Category::Syntax | Category::Eof => foreign(format!("not JSON, or damaged ({})", brief(&error))),
            Category::Io => foreign(brief(&error)),
        })?;
    let BatchResult { player, limits, rom, .. } = &result;
    if let Some(name) = [player, limits, &rom.name].into_iter().find(|name| name.chars().any(is_control)) {
        return Err(foreign(format!("{}, expected no control characters", quoted(name))));
    }
    let Some(shard) = &mut result.shard else {
        return Err(foreign("the results of a whole batch".to_owned()));
    };
    if shard.format != FORMAT {
        return Err(foreign(format!("format {}, expected {FORMAT:?}", quoted(&shard.format))));
    }
    let (games, counted) = (result.per_game.len() as u64, shard.sample.games());
    if result.games != games || counted != games || !shard.sample.fits(games) {
        return Err(foreign(format!("{} games, {games} of them listed, {counted} measured", result.games)));
    }
    Ok(result)
}

/// The result of the whole batch from those of all its shares, in any order, each with the name of its file.
///
/// CPU time is the sum; clock time is the longest share's. Numbers of runs are kept if one library keeps all.
pub fn merge(mut shards: Vec<(String, BatchResult)>) -> Result<BatchResult, MergeError> {
    // By seeds, so that the order of the files changes nothing.
    shards.sort_by_key(|(_, result)| result.per_game.first().map(|game| game.seed));
    let mut tally = Tally::default();
    let Some((first, model)) = shards.first() else { return Err(MergeError::None) };
    let mut wall: f64 = 0.0;
    let library = model.library.clone().filter(|_| shards.iter().all(|(_, r)| r.library == model.library));
    let Some(of) = &model.shard else {
        let reason = "the results of a whole batch".to_owned();
        return Err(MergeError::Foreign { file: first.clone(), reason });
    };
    // What a filtered player was held to does not matter any more; its name goes on behind a plus.
    let free = of.filter.as_ref().and(model.player.split_once('+')).map_or(&*model.player, |(free, _)| free);
    let entry = find(free).map_err(|error| MergeError::Player { file: first.clone(), error })?;
    let batch = Batch {
        first_seed: of.first_seed,
        start_level: model.start_level,
        stop: model.stop,
        fall_rule: FallRule::with_double_killscreen(model.double_killscreen),
        ..Batch::new(entry.clone(), of.games)
    };
    for (file, result) in &shards {
        let wanted = identity(model);
        for ((what, got), (_, want)) in identity(result).into_iter().zip(wanted) {
            if got != want {
                let (file, other) = (file.clone(), first.clone());
                return Err(MergeError::Differs { file, what, got, want, other });
            }
        }
    }
    every_seed_once(&shards, of)?;
    let (host, rom): (HostKind, RomName) = (model.host, model.rom.clone());
    let (player, limits) = (model.player.clone(), model.limits.clone());
    for (_, mut result) in shards {
        let Some(shard) = result.shard.take() else { continue };
        tally.games.append(&mut result.per_game);
        tally.sample.merge(shard.sample);
        tally.reached += shard.reached;
        tally.decisions += result.decisions;
        tally.replans += result.replans;
        tally.gave_up += result.gave_up;
        tally.thinking += Duration::from_nanos(shard.thinking_ns);
        wall = wall.max(result.wall_s);
    }
    tally.games.sort_by_key(|game| game.seed);
    if library.is_none() {
        tally.games.iter_mut().for_each(|game| game.run = None);
    }
    let mut result = tally.result(&batch, host, rom, Duration::ZERO, library);
    result.player = player;
    result.limits = limits;
    result.wall_s = wall;
    Ok(result)
}

/// What shards of one batch have in common.
fn identity(result: &BatchResult) -> [(&'static str, String); 11] {
    let shard = result.shard.as_ref();
    let of = |value: fn(&Shard) -> String| shard.map(value).unwrap_or_default();
    [
        ("player", result.player.clone()),
        ("host", format!("{} ({})", result.host, result.rom.name)),
        ("start level", result.start_level.to_string()),
        ("stop", result.stop.to_string()),
        ("input limits", result.limits.clone()),
        ("double killscreen", result.double_killscreen.to_string()),
        ("first seed of the whole", of(|shard| shard.first_seed.to_string())),
        ("games of the whole", of(|shard| shard.games.to_string())),
        ("looking ahead", of(|shard| shard.foresight.clone())),
        ("filter", of(|shard| shard.filter.clone().unwrap_or_default())),
        ("program version", of(|shard| shard.version.clone())),
    ]
}

fn every_seed_once(shards: &[(String, BatchResult)], whole: &Shard) -> Result<(), MergeError> {
    let mut seeds: Vec<(u64, &str)> = shards
        .iter()
        .flat_map(|(file, result)| result.per_game.iter().map(move |game| (game.seed, file.as_str())))
        .collect();
    seeds.sort_unstable();
    if let Some(pair) = seeds.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let (seed, first, second) = (pair[0].0, pair[0].1.to_owned(), pair[1].1.to_owned());
        return Err(MergeError::Twice { seed, first, second });
    }
    let end = whole.first_seed.saturating_add(whole.games);
    if let Some(&(seed, file)) = seeds.iter().find(|(seed, _)| !(whole.first_seed..end).contains(seed)) {
        let reason = format!("seed {seed} is not among {} games from seed {}", whole.games, whole.first_seed);
        return Err(MergeError::Foreign { file: file.to_owned(), reason });
    }
    let mut due = whole.first_seed;
    for seed in seeds.iter().map(|&(seed, _)| seed).chain([end]) {
        if seed > due {
            let (games, first_seed) = (whole.games, whole.first_seed);
            return Err(MergeError::Missing { seeds: due..seed, games, first_seed });
        }
        due = seed.saturating_add(1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_without_end_is_refused_before_memory_is_full() {
        let endless = |begin: &str, again: &'static [u8; 2]| {
            let list = begin.as_bytes().chain(Repeat(again)).take(MAX_BYTES);
            read("a shard", list, &mut Room::default()).expect_err("too much").to_string()
        };
        let error = endless(r#"{"shard": {"sample": {"tetris_rate": [0"#, b",0");
        assert!(error.contains("more than 250 MiB of values"), "{error}");
        for begin in [r#"{"player": ""#, r#"{"player": "\"\\\""#, r#"{"tetris_rate": 0."#] {
            let error = endless(begin, b"00");
            assert!(error.contains("more than 64 KiB"), "{error}");
        }
    }

    struct Repeat(&'static [u8; 2]);

    impl Read for Repeat {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let pairs = buffer.chunks_exact_mut(2);
            let whole = 2 * pairs.len();
            pairs.for_each(|pair| pair.copy_from_slice(self.0));
            Ok(whole)
        }
    }
}
