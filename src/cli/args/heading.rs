//! Headings of flags that several commands share.

/// The player and what it is held to.
pub const PLAYER: &str = "Who plays";
/// Seeds, levels, ends.
pub const GAMES: &str = "Which games";
/// Threads and shares.
pub const WORK: &str = "Sharing the work";
/// What happens to finished games.
pub const RESULTS: &str = "Results";
/// What to see meanwhile.
pub const WATCHING: &str = "Watching";
