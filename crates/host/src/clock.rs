//! The wall clock: [`now`].
//! In a browser it is the page's clock.

use std::sync::LazyLock;
use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

#[cfg(not(target_arch = "wasm32"))]
use cpu_time::ThreadTime;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Returns the time since this function was first called.
pub(crate) fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// Returns the CPU time of this thread. A browser does not tell, so there it is the time on the wall.
pub(crate) fn cpu() -> Duration {
    #[cfg(not(target_arch = "wasm32"))]
    return ThreadTime::now().as_duration();
    #[cfg(target_arch = "wasm32")]
    return now();
}
