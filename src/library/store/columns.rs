//! A record as the columns of a row: their names, how each is stored, and the conversion in both directions.

use rusqlite::Row;
use rusqlite::types::{Value as Sql, ValueRef};
use serde_json::Value as Json;

use crate::text::brief;
use maxout_record::result::{Figure, GameResult};
use maxout_record::run::{FORMAT, Record};

/// How a field of a record is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::library) enum Kind {
    Text,
    TextOrNull,
    Integer,
    Real,
    /// 0 or 1.
    Flag,
    /// A number as text, because seeds go beyond SQLite's integers.
    Digits,
}

/// The columns of a record before those of its result, named as its keys.
#[rustfmt::skip]
const BEFORE: [(&str, Kind); 11] = [
    ("made_at", Kind::Text),
    ("version", Kind::Text),
    ("player", Kind::Text),
    ("fair", Kind::Flag),
    ("limits", Kind::Text),
    ("host", Kind::Text),
    ("rom_name", Kind::Text),
    ("rom_sha1", Kind::TextOrNull),
    ("seed", Kind::Digits),
    ("start_level", Kind::Integer),
    ("stop", Kind::Text),
];

/// Those after it.
#[rustfmt::skip]
const AFTER: [(&str, Kind); 7] = [
    ("decisions", Kind::Integer),
    ("replans", Kind::Integer),
    ("cpu_ms_per_decision", Kind::Real),
    ("wall_s", Kind::Real),
    ("menu_frames", Kind::Integer),
    ("frames", Kind::Integer),
    ("ram_crc32", Kind::TextOrNull),
];

/// The columns that make a record.
pub(in crate::library) fn columns() -> impl Iterator<Item = (&'static str, Kind)> {
    let result = GameResult::default().columns().map(|(name, figure)| match figure {
        Figure::Flag(_) => (name, Kind::Flag),
        Figure::Count(_) => (name, Kind::Integer),
    });
    BEFORE.into_iter().chain(result).chain(AFTER)
}

impl Kind {
    pub(super) const fn sql(self) -> &'static str {
        match self {
            Self::Text | Self::Digits => "TEXT NOT NULL",
            Self::TextOrNull => "TEXT",
            Self::Integer | Self::Flag => "INTEGER NOT NULL",
            Self::Real => "REAL NOT NULL",
        }
    }
}

/// The names of a record's columns, for SQL.
pub(super) fn names() -> String {
    columns().map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

/// A record's fields in the order of the columns.
pub(in crate::library) fn flat(record: &Record) -> Vec<Json> {
    let mut fields = serde_json::to_value(record).unwrap_or_default();
    columns()
        .map(|(name, _)| {
            let field = match name {
                "rom_name" => fields.pointer_mut("/rom/name"),
                "rom_sha1" => fields.pointer_mut("/rom/sha1"),
                _ => fields.get_mut(name),
            };
            field.map(Json::take).unwrap_or_default()
        })
        .collect()
}

/// What does not fit becomes NULL, which the schema refuses.
pub(super) fn to_sql(kind: Kind, value: &Json) -> Sql {
    match kind {
        Kind::Text | Kind::TextOrNull => value.as_str().map(|text| Sql::Text(text.to_owned())),
        Kind::Integer => value.as_i64().map(Sql::Integer),
        Kind::Real => value.as_f64().map(Sql::Real),
        Kind::Flag => value.as_bool().map(|flag| Sql::Integer(i64::from(flag))),
        Kind::Digits => value.as_u64().map(|number| Sql::Text(number.to_string())),
    }
    .unwrap_or(Sql::Null)
}

fn from_sql(kind: Kind, value: ValueRef<'_>) -> Option<Json> {
    match (kind, value) {
        (Kind::TextOrNull, ValueRef::Null) => Some(Json::Null),
        (Kind::Text | Kind::TextOrNull, ValueRef::Text(text)) => {
            std::str::from_utf8(text).ok().map(Json::from)
        }
        (Kind::Integer, ValueRef::Integer(number)) => Some(number.into()),
        (Kind::Real, ValueRef::Real(number)) => Some(number.into()),
        (Kind::Flag, ValueRef::Integer(flag @ (0 | 1))) => Some((flag == 1).into()),
        (Kind::Digits, ValueRef::Text(text)) => {
            std::str::from_utf8(text).ok()?.parse::<u64>().ok().map(Json::from)
        }
        _ => None,
    }
}

/// The record in a row.
pub(super) fn record(row: &Row<'_>) -> Result<Record, String> {
    let mut fields = serde_json::Map::new();
    let mut rom = serde_json::Map::new();
    for (name, kind) in columns() {
        let value = row.get_ref(name).map_err(|e| e.to_string())?;
        let value = from_sql(kind, value).ok_or_else(|| format!("{name}: expected {}", kind.sql()))?;
        match name.strip_prefix("rom_") {
            Some(name) => rom.insert(name.to_owned(), value),
            None => fields.insert(name.to_owned(), value),
        };
    }
    fields.insert("rom".to_owned(), rom.into());
    fields.insert("format".to_owned(), FORMAT.into());
    let record: Record = serde_json::from_value(fields.into()).map_err(|e| brief(&e))?;
    match record.fault() {
        Some(message) => Err(message),
        None => Ok(record),
    }
}
