//! [`FolderLock`]: one process at a time works in a folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

/// The file that the process at work holds.
const LOCK: &str = ".maxout.lock";
/// How long to wait for the lock.
const PATIENCE: Duration = if cfg!(test) { Duration::from_millis(200) } else { Duration::from_secs(5) };

/// Why a folder cannot be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// The file of the lock cannot be made.
    #[error("{LOCK}: {0}")]
    Io(io::Error),
    /// Another process has the lock.
    #[error("another maxout process is at work in this folder, expected one at a time")]
    Busy,
}

/// Keeps other processes out of a folder until it is dropped, or the process ends in any way.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    file: File,
}

impl FolderLock {
    /// Locks a folder that exists. Another process in it is an error.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let path = folder.join(LOCK);
        let begun = Instant::now();
        loop {
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(LockError::Io)?;
            match file.try_lock() {
                // A process that was killed has it until its last write is over.
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(50));
                    continue;
                }
                Err(TryLockError::WouldBlock) => return Err(LockError::Busy),
                Err(TryLockError::Error(error)) => {
                    let folder = folder.display();
                    log::warn!(
                        "{folder}: no locks here ({error}), so make sure that no other process works in it"
                    );
                }
                // Whoever had the lock may just have removed its file.
                Ok(()) if !is_at(&file, &path) => continue,
                Ok(()) => {}
            }
            return Ok(Self { path, file });
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // While it is still locked: nobody else takes this file for the lock then.
        if is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the open file is the one that has this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |found: fs::Metadata| (found.dev(), found.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => place(open) == place(named),
        _ => false,
    }
}

/// Whether the open file is the one that has this name. An open file keeps its name here.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_the_lock_which_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = FolderLock::take(folder.path()).expect("free");
        let error = FolderLock::take(folder.path()).expect_err("locked").to_string();
        assert!(error.contains("another maxout process"), "{error}");
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
