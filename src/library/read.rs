//! Games that were read from videos and recordings, as the library keeps them: [`ReadRun`].

use std::path::Path;
use std::time::SystemTime;

use super::run::date;
use super::store::{Library, LibraryError, NOT_READ, Taken};
use crate::stats::{Statistics, is_tetris_ready};
use crate::text::is_control;
use maxout_host::review::{PlayedGame, SETS_LEVEL, Unread, of_frames, to_frames};
use maxout_record::champs::{ChampsError, Frames, Version};
use maxout_record::result::{GameResult, HostKind, Lock};
use maxout_record::run::{FORMAT, Record, RomName};
use maxout_rules::{Region, Score, Stop, line_points};

/// Who is said to have played where nothing tells it.
const UNKNOWN: &str = "unknown";

/// A game that was read: its record, and its placements as the frames of a score display.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadRun {
    pub(super) record: Record,
    pub(super) statistics: Statistics,
    /// What was not read.
    pub(super) note: String,
    /// `NestrisChamps` frames (.ngf).
    pub(super) frames: Vec<u8>,
}

/// A game as the bytes of a recording of a score display (.ngf, version 3), in which games are counted from `number`, and the number for
/// the next game.
pub fn recording(game: &PlayedGame, number: u32) -> (Vec<u8>, u32) {
    let frames = to_frames(game, number);
    let next = frames.last().map_or(number, |last| last.game.saturating_add(1));
    (frames.iter().flat_map(|frame| frame.encode(Version::V3)).collect(), next)
}

/// The games in the recording of one that was read: after a gap it has another one. What its note says was not read is said of the
/// first.
pub fn games(frames: &[u8], note: &str) -> Result<Vec<PlayedGame>, ChampsError> {
    let mut games = of_frames(Frames::new(frames), None)?;
    // Remarks may come before that.
    let reason = note.rfind(NOT_READ).map(|at| note[at + NOT_READ.len()..].to_owned());
    if let (Some(reason), Some(first)) = (reason, games.first_mut()) {
        let frame = first.pieces.first().map_or(0, |first| first.frame);
        first.unread.insert(0, Unread { frame, reason });
    }
    Ok(games)
}

impl ReadRun {
    /// A game that was read from this video or recording, now. What was read is all that it counts: points for soft drop, and what
    /// happened in gaps, are missing, and no end of the game is told.
    pub fn new(game: &PlayedGame, host: HostKind, source: &Path) -> Self {
        let name = source.file_name().unwrap_or(source.as_os_str()).to_string_lossy().into_owned();
        let (frames, _) = recording(game, 1);
        // Nothing sets the level of a game that is kept.
        let kept = |unread: &Unread| unread.reason.replace(SETS_LEVEL, "");
        let not_read: Vec<String> = game.unread.iter().map(kept).collect();
        let note =
            if not_read.is_empty() { String::new() } else { format!("{NOT_READ}{}", not_read.join("; ")) };
        let first = game.path.first().map_or(0, |seen| seen.time_ms);
        let seconds = game.path.last().map_or(0, |seen| seen.time_ms.saturating_sub(first)) as f64 / 1000.0;
        // The record says what its recording shows. What was just written is read without errors.
        let shown = whole(&frames).ok().flatten().unwrap_or_default();
        let start_level = start_level(&shown);
        let (result, statistics) = sums(&shown, start_level);
        let record = Record {
            format: FORMAT.to_owned(),
            made_at: date(SystemTime::now()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            player: game.played_by.clone().unwrap_or_else(|| UNKNOWN.to_owned()),
            fair: true,
            limits: String::new(),
            host,
            rom: RomName { name: format!("{host} {}", clean(&name)), sha1: None },
            seed: 0,
            start_level,
            stop: Stop::TopOut,
            result,
            decisions: 0,
            replans: 0,
            cpu_ms_per_decision: 0.0,
            wall_s: seconds,
            menu_frames: 0,
            frames: (seconds * Region::Ntsc.frames_per_second()) as u64,
            ram_crc32: None,
        };
        Self { record, statistics, note, frames }
    }

    /// A run from its folder: its record and its frames. The error says why they do not belong together.
    pub fn from_parts(record: Record, note: String, frames: Vec<u8>) -> Result<Self, String> {
        let Some(game) = whole(&frames).map_err(|error| error.to_string())? else {
            return Err("its recording has no placement, expected at least one".to_owned());
        };
        let (told, read) = (record.start_level, start_level(&game));
        if told != read {
            return Err(format!("its recording begins on level {read}, the record says {told}"));
        }
        let (result, statistics) = sums(&game, record.start_level);
        if result == record.result {
            return Ok(Self { record, statistics, note, frames });
        }
        let (told, read) = (record.result, result);
        Err(format!(
            "its recording has {} placements, {} lines and {} line points, the record says {}, {} and {}",
            read.pieces, read.lines, read.line_points, told.pieces, told.lines, told.line_points
        ))
    }

    /// The record.
    pub const fn record(&self) -> &Record {
        &self.record
    }
}

/// The parts of one game before and after a gap.
fn joined(mut game: PlayedGame, after: PlayedGame) -> PlayedGame {
    game.pieces.extend(after.pieces);
    game.unread.extend(after.unread);
    game.path.extend(after.path);
    game
}

/// The game in a recording, with its parts before and after gaps; none if it has no placement.
fn whole(frames: &[u8]) -> Result<Option<PlayedGame>, ChampsError> {
    let game = games(frames, "")?.into_iter().reduce(joined);
    Ok(game.filter(|game| !game.pieces.is_empty()))
}

/// The level on which the first piece that was read was placed.
fn start_level(game: &PlayedGame) -> u8 {
    game.pieces.first().map_or(0, |first| first.progress.level)
}

/// The part of a name that a record may have.
fn clean(name: &str) -> String {
    name.chars().filter(|&letter| !is_control(letter)).take(200).collect()
}

/// What was read of a game in numbers.
fn sums(game: &PlayedGame, start_level: u8) -> (GameResult, Statistics) {
    let mut result = GameResult::default();
    let (mut locks, mut ready) = (Vec::new(), 0);
    for placed in &game.pieces {
        let (at, mut after, mut progress) = (placed.placement, placed.board, placed.progress);
        let rows = after.lock(at.x, at.y, at.orientation);
        progress.add_rows(rows);
        result.count_lock(rows);
        result.line_points += line_points(rows.min(4), progress.level);
        ready += u64::from(is_tetris_ready(&after));
        locks.push(Lock {
            frame: placed.frame,
            placement: at,
            rows,
            level: progress.level,
            score: result.line_points,
        });
        (result.lines, result.level) = (progress.lines(), progress.level);
    }
    (result.score, result.shown_score) =
        (result.line_points, result.line_points.min(Score::MOST_SHOWN.into()) as u32);
    let mut statistics = Statistics::of(&locks, start_level);
    // Its boards need not begin empty, nor follow from each other.
    statistics.tetris_ready = ready as f64 / (locks.len().max(1)) as f64;
    (result, statistics)
}

impl Library {
    /// Keeps a game that was read, unless the library has one that is equal in everything but `made_at`.
    pub fn take_read(&mut self, run: &ReadRun) -> Result<Taken, LibraryError> {
        let ReadRun { record, statistics, note, frames } = run;
        for id in self.alike(record)? {
            if let Ok((known, known_frames)) = self.record_and_frames(id)
                && known_frames == *frames
                && (Record { made_at: record.made_at.clone(), ..known }) == *record
            {
                return Ok(Taken::Known(id));
            }
        }
        Ok(Taken::Kept(self.add_read(record, statistics, note, frames)?))
    }
}
