//! Adding games to the library: one after the other, or in any order under reserved [`Numbers`], which are in the order
//! of the seeds.

use rusqlite::types::Value as Sql;

use super::columns::{columns, flat, names, to_sql};
use super::error::{LibraryError, Result};
use super::id::RunId;
use super::log::{pack, pack_bytes};
use super::note::clean;
use super::open::Library;
use crate::stats::Statistics;
use maxout_record::run::{MAX_FRAMES, Record};
use maxout_rules::input::InputLog;

/// What a library did with a run that it was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// It is kept under this number.
    Kept(RunId),
    /// The library had it already.
    Known(RunId),
}

/// Run numbers that are reserved, so that no other batch gets them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The number before the first.
    before: i64,
    count: i64,
}

/// The numbers that are given are in SQLite's own table for `AUTOINCREMENT`; it has no row before the first run.
const BEGIN: &str = "INSERT INTO sqlite_sequence (name, seq)
    SELECT 'runs', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'runs')";
const GIVEN: &str = "SELECT seq FROM sqlite_sequence WHERE name = 'runs'";
const TAKE: &str = "UPDATE sqlite_sequence SET seq = seq + ?1 WHERE name = 'runs'";
/// Gives back what is behind the last run, unless another process has taken numbers since.
const GIVE_BACK: &str = "UPDATE sqlite_sequence
    SET seq = max(?1, (SELECT coalesce(max(id), 0) FROM runs)) WHERE name = 'runs' AND seq = ?2";

impl Library {
    /// Keeps a game under the next number, whole or not at all.
    pub fn add(&mut self, record: &Record, statistics: &Statistics, log: &InputLog) -> Result<RunId> {
        self.add_at(None, record, statistics, log)
    }

    /// Keeps a game that was read from a video or a recording under the next number, whole or not at all: `frames` are those of its
    /// recording (.ngf).
    pub fn add_read(
        &mut self,
        record: &Record,
        statistics: &Statistics,
        note: &str,
        frames: &[u8],
    ) -> Result<RunId> {
        self.check_readable(record, &InputLog::new())?;
        self.insert(None, record, statistics, &pack_bytes(frames), &clean(note))
    }

    fn insert(
        &mut self,
        id: Option<i64>,
        record: &Record,
        statistics: &Statistics,
        log: &[u8],
        note: &str,
    ) -> Result<RunId> {
        let holes = vec!["?"; columns().count() + 4].join(", ");
        let sql = format!("INSERT INTO runs (id, {}, statistics, log, note) VALUES ({holes})", names());
        let mut values = vec![id.map_or(Sql::Null, Sql::Integer)];
        values.extend(columns().zip(flat(record)).map(|((_, kind), value)| to_sql(kind, &value)));
        values.push(Sql::Text(serde_json::to_string(statistics).unwrap_or_default()));
        values.push(Sql::Blob(log.to_vec()));
        values.push(Sql::Text(note.to_owned()));
        self.change(|change| {
            change.execute(&sql, rusqlite::params_from_iter(values))?;
            Ok(Ok(RunId(change.last_insert_rowid())))
        })
    }

    /// Refuses what the library could not read again.
    fn check_readable(&self, record: &Record, log: &InputLog) -> Result<()> {
        let frames = log.len();
        let long = (frames > MAX_FRAMES).then(|| format!("{frames} frames, expected at most {MAX_FRAMES}"));
        match long.or_else(|| record.quarrel(frames)).or_else(|| record.fault()) {
            Some(message) => Err(LibraryError::Unreadable { path: self.path().to_owned(), message }),
            None => Ok(()),
        }
    }

    /// Sets the next `count` numbers aside.
    pub fn set_aside(&mut self, count: u64) -> Result<Numbers> {
        self.change(|change| {
            change.execute(BEGIN, [])?;
            let before: i64 = change.query_row(GIVEN, [], |row| row.get(0))?;
            let count = i64::try_from(count).unwrap_or(i64::MAX).min(i64::MAX - before);
            change.execute(TAKE, [count])?;
            Ok(Ok(Numbers { before, count }))
        })
    }

    /// Keeps a game as [`Library::add`] does, under the number at `place` (from 0) of those set aside; under the next free
    /// one if fewer were set aside, or none.
    pub fn add_at(
        &mut self,
        place: Option<(Numbers, u64)>,
        record: &Record,
        statistics: &Statistics,
        log: &InputLog,
    ) -> Result<RunId> {
        self.check_readable(record, log)?;
        let id = place.and_then(|(Numbers { before, count }, place)| {
            i64::try_from(place).ok().filter(|place| *place < count).map(|place| before + 1 + place)
        });
        self.insert(id, record, statistics, &pack(log), "")
    }

    /// Gives back the numbers behind the last run that was kept.
    pub fn give_back(&mut self, numbers: Numbers) -> Result<()> {
        let Numbers { before, count } = numbers;
        self.connection.execute(GIVE_BACK, [before, before + count]).map(|_| ()).map_err(|e| self.explain(e))
    }
}
