//! The marks that distinguish a run library from other databases, and its versions.

/// SQLite's `application_id` of a run library: "MAXO".
pub(super) const APPLICATION: i32 = 0x4D41_584F;
/// SQLite's `user_version`: the schema that this program writes.
pub(super) const VERSION: i32 = 2;
/// The first schema, which is read as well. It has no column `note`.
pub(super) const OLDEST: i32 = 1;

/// What is read as the note of a run.
pub(super) const fn note_column(version: i32) -> &'static str {
    if version < 2 { "'' AS note" } else { "note" }
}
