//! One file per subcommand.

pub(super) mod analyze;
mod browser;
pub(super) mod completions;
pub(super) mod conform;
mod import;
pub(super) mod manual;
pub(super) mod merge;
pub(super) mod play;
pub(super) mod players;
pub(super) mod replay;
pub(super) mod report;
pub(super) mod review;
pub(super) mod rom;
pub(super) mod runs;
pub(super) mod serve;
pub mod sim;
mod verify;
pub(super) mod watch;
