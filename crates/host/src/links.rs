//! Where a path leads: [`resolve`] follows symbolic links.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Links followed before a loop is assumed, as on Linux.
const MOST_LINKS: usize = 40;

/// Returns where the bytes for `path` finally go: the end of its symbolic links, whether anything is there or not.
///
/// # Errors
/// A link that cannot be read, or more than 40 of them.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            // The links in these folders stand for what is open, not for a path.
            Ok(found) if found.is_symlink() && !is_descriptor(&path) => {
                let target = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(target);
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => return Ok(path),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "too many symbolic links"))
}

/// Whether the path is an open file of a process, such as `/dev/fd/3`: links there cannot be read as paths.
pub fn is_descriptor(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
}
