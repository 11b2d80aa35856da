//! Ctrl-C as a flag: the first asks for a stop after what is finished, the second kills.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a second Ctrl-C.
const KILLED: i32 = 130;

/// A flag that becomes true at Ctrl-C (or SIGTERM).
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            std::process::exit(KILLED);
        }
    })?;
    Ok(flag)
}
