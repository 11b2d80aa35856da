//! Files that get their name when they are complete: [`write`].

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::Builder;

use maxout_host::links::{is_descriptor, resolve};

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
