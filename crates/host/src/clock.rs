//! The wall clock, for the engine, which reads no clock itself: [`now`], [`think`].

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use maxout_engine::search::Think;

/// Returns the time since this function was first called.
pub fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// Makes a limit of `time` on each decision, measured with the wall clock.
pub const fn think(time: Duration) -> Think {
    Think { time, clock: now }
}
