//! Ctrl-C as a flag: the first asks for a stop after what is finished, a later one kills.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::exit::INTERRUPTED;
use crate::watch;
use maxout_host::pool;

/// Signals so soon after the first are the same request: a terminal that is closed sends several.
const TOGETHER: Duration = Duration::from_secs(1);
/// How long the terminal may take to become as it was before.
const RESTORING: Duration = Duration::from_millis(500);

/// A flag that becomes true at Ctrl-C, at SIGTERM and when the terminal is closed.
pub fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    // There can be one handler only, and all parts of a command stop together.
    if let Some(flag) = FLAG.get() {
        return Ok(Arc::clone(flag));
    }
    let flag = Arc::new(AtomicBool::new(false));
    if !pool::has_thread() {
        log::warn!("no thread is left to wait for Ctrl-C: it ends the program at once");
        return Ok(flag);
    }
    let shared = Arc::clone(&flag);
    let mut first = None;
    ctrlc::set_handler(move || {
        shared.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() >= TOGETHER {
            kill();
        }
    })?;
    Ok(Arc::clone(FLAG.get_or_init(|| flag)))
}

/// Ends the program at once, with the terminal as it was, unless that takes too long.
fn kill() -> ! {
    let (done, restored) = mpsc::channel();
    let restore = move || {
        watch::restore();
        let _ = done.send(());
    };
    if thread::Builder::new().spawn(restore).is_ok() {
        let _ = restored.recv_timeout(RESTORING);
    }
    process::exit(i32::from(INTERRUPTED))
}
