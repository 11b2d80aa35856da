//! Headings of flags that several commands share.

/// The player and what it is held to.
pub(super) const PLAYER: &str = "Who plays";
/// Seeds, levels, ends.
pub(super) const GAMES: &str = "Which games";
/// Threads and shares.
pub(super) const WORK: &str = "Sharing the work";
/// What happens to finished games.
pub(super) const RESULTS: &str = "Results";
/// What to see meanwhile.
pub(super) const WATCHING: &str = "Watching";
