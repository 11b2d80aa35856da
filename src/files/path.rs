//! What a path is: [`is_stdout`] knows the names of standard output.

use std::io;
use std::path::Path;

use maxout_host::links::{is_descriptor, resolve};

/// The error of a path that is refused.
pub(super) fn refusal(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message.into())
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
