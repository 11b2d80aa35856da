//! Files that get their name when they are complete: [`write`]. The program has the same, and more of it, in `src/files/`.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::Builder;

/// Links followed before a loop is assumed, as on Linux.
const MOST_LINKS: usize = 40;

/// Writes a file. An existing one is replaced when the new one is complete, which takes over its permissions. A link stays a link,
/// and devices and pipes are written to as they are.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = resolve(path)?;
    let found = fs::metadata(&path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) || is_descriptor(&path) {
        return fs::write(&path, bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let make = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
    let mut draft = Builder::new().prefix(".maxout-").suffix(".new").make_in(folder, make)?;
    draft.as_file_mut().write_all(bytes)?;
    if let Some(found) = found {
        draft.as_file().set_permissions(found.permissions())?;
    }
    draft.persist(&path).map(drop).map_err(|error| error.error)
}

/// Where the bytes for `path` finally go: the end of its symbolic links, whether anything is there or not.
fn resolve(path: &Path) -> io::Result<PathBuf> {
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

/// Whether the path is an open file of a process, such as `/dev/fd/3`.
fn is_descriptor(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
}
