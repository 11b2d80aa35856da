//! The clock on the wall, for the engine, which has none: [`now`], [`think`].

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use maxout_engine::search::Think;

/// Time since this function was first called.
pub fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// A limit of `time` on each decision, on the clock on the wall.
pub const fn think(time: Duration) -> Think {
    Think { time, clock: now }
}
