//! Temporary files: made under a name that nothing has, held while they are written ([`temporary_in`]), and removed after a
//! killed process ([`sweep`]). [`sync_folder`] makes names outlast a power cut.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use tempfile::{Builder, TempPath};

const PREFIX: &str = ".maxout-";
const SUFFIX: &str = ".tmp";
/// How often to try again if another process takes a new file for a leftover.
const TRIES: usize = 100;

/// Makes a file under a name that nothing has, and holds it: [`sweep`] leaves it alone while it is open. The number of the
/// process is not enough for a name: in containers that share a folder it is mostly 1.
///
/// # Errors
/// If no file can be made there.
pub fn temporary_in(folder: &Path) -> io::Result<(File, TempPath)> {
    let make = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    for _ in 0..TRIES {
        let (file, path) = Builder::new().prefix(PREFIX).suffix(SUFFIX).make_in(folder, make)?.into_parts();
        if hold(&file, &path) {
            return Ok((file, path));
        }
    }
    Err(io::Error::other("every temporary file is removed at once, expected that nothing else does so"))
}

/// Marks a new file as being written. False if it was swept away in the meantime.
///
/// The mark is a lock that ends with the process. Only where locks are advice: elsewhere ffmpeg could not write the file.
fn hold(file: &File, path: &Path) -> bool {
    if !cfg!(unix) {
        return true;
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => false,
        // Some file systems have no locks. There, nothing is swept either.
        Ok(()) | Err(TryLockError::Error(_)) => path.exists(),
    }
}

/// Removes the temporary files of processes that were killed while they wrote into `folder`. What cannot be removed stays.
pub fn sweep(folder: &Path) {
    if !cfg!(unix) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_ours = name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes());
        if is_ours && entry.file_type().is_ok_and(|found| found.is_file()) {
            let path = entry.path();
            let file = OpenOptions::new().read(true).write(true).open(&path);
            // Whoever still writes it holds it.
            if file.is_ok_and(|file| file.try_lock().is_ok()) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Makes the names in a folder outlast a power cut. A folder that cannot be opened, or on a file system that has no such
/// request, is left as it is.
///
/// # Errors
/// What the system says.
#[cfg(unix)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    folder.sync_all().or_else(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    })
}

/// Makes the names in a folder outlast a power cut, where the system has a request for it.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
