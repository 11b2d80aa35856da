//! Pipes and devices: opening them never waits forever, and reading waits for a limited time.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
#[cfg(unix)]
use std::thread;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

/// How long to wait for the other end of a pipe; shorter where only that it ends is looked at.
const PATIENCE: Duration = if cfg!(test) { Duration::from_secs(2) } else { Duration::from_secs(10) };

/// Nobody came to the other end of a pipe.
#[cfg(unix)]
fn alone(what: &str, end: &str) -> io::Error {
    let message = format!("{what} for {} s, expected a file or a pipe with a {end}", PATIENCE.as_secs());
    io::Error::new(io::ErrorKind::TimedOut, message)
}

/// Opens a pipe or a device to write, or a file at its end.
#[cfg(unix)]
pub(super) fn open_through(path: &Path, append: bool) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt;
    let begun = Instant::now();
    // An ordinary open would wait for the pipe's reader forever.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    loop {
        match OpenOptions::new().write(true).append(append).custom_flags(flags).open(path) {
            Ok(file) => {
                fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
                return Ok(file);
            }
            Err(error) if error.raw_os_error() != Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                return Err(error);
            }
            Err(_) if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
            Err(_) => return Err(alone("nobody read", "reader")),
        }
    }
}

/// Opens a device to write, or a file at its end.
#[cfg(not(unix))]
pub(super) fn open_through(path: &Path, append: bool) -> io::Result<File> {
    OpenOptions::new().write(true).append(append).open(path)
}

/// Waits until there is something to read, or the end.
#[cfg(unix)]
pub(super) fn wait_for(file: &File) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let timeout = Timespec { tv_sec: PATIENCE.as_secs().cast_signed(), tv_nsec: 0 };
    let mut files = [PollFd::new(file, PollFlags::IN)];
    loop {
        match poll(&mut files, Some(&timeout)) {
            Ok(0) => {
                return Err(alone("nothing came", "writer"));
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(()),
        }
    }
}

/// Waits until there is something to read, or the end.
#[cfg(not(unix))]
pub(super) fn wait_for(_file: &File) -> io::Result<()> {
    Ok(())
}
