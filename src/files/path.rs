//! Where a path leads: [`resolve`] follows links, [`is_stdout`] knows the names of standard output.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Links followed before a loop is assumed, as on Linux.
const MOST_LINKS: usize = 40;

/// The error of a path that is refused.
pub(super) fn refusal(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
}

/// Where the bytes for `path` finally go: the end of its symbolic links, whether anything is there or not.
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
    Err(refusal("too many symbolic links"))
}

/// Whether the path is an open file of a process, such as `/dev/fd/3`: links there cannot be read as paths.
pub(super) fn is_descriptor(path: &Path) -> bool {
    let Some(folder) = path.parent() else { return false };
    folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
}

/// Whether `path` is this process's standard output: `-`, or `/dev/stdout` under any of its names.
pub fn is_stdout(path: &Path) -> bool {
    if path == Path::new("-") {
        return true;
    }
    let Ok(path) = resolve(path) else { return false };
    path.file_name().is_some_and(|name| name == "1") && is_descriptor(&path) && is_ours(&path)
}

/// Whether it is an open file of this process and not of another one, as in `/proc/PID/fd`.
fn is_ours(descriptor: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let (folder, ours) = (descriptor.parent().and_then(real), real(Path::new("/proc/self")));
    // Some systems have /dev/fd, but no /proc.
    ours.is_none_or(|ours| folder.is_some_and(|folder| folder.starts_with(ours)))
}

/// The folder in which `path` stands.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
