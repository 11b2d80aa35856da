//! [`of_run`] makes a movie of a recorded run.

use super::Movie;
use crate::library::run::Record;
use maxout_host::movie::Credits;
use maxout_host::rom::Identity;
use maxout_rules::input::InputLog;

/// The movie of a run recorded from power-on on the cartridge `rom`. The same run gives the same movie.
pub fn of_run(record: &Record, log: &InputLog, rom: &Identity) -> Movie {
    let credits = Credits {
        version: &record.version,
        player: &record.player,
        fair: record.fair,
        seed: record.seed,
        start_level: record.start_level,
        stop: &record.stop,
        score: record.score,
        shown_score: record.shown_score,
        lines: record.lines,
        level: record.level,
        replans: record.replans,
    };
    Movie::of_game(&credits, log.frames().iter().copied(), rom)
}
