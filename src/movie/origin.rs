//! [`of_run`] makes a movie of a recorded run.

use super::Movie;
use maxout_record::cartridge::Identity;
use maxout_record::run::Record;
use maxout_rules::input::InputLog;

/// The movie of a run recorded from power-on on the cartridge `rom`. The same run gives the same movie.
pub fn of_run(record: &Record, log: &InputLog, rom: &Identity) -> Movie {
    Movie::of_game(&record.credits(), log.frames().iter().copied(), rom)
}
