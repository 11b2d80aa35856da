//! Files that get their name when they are complete: [`write`].

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use maxout_host::links::{is_descriptor, resolve};
use maxout_host::temporary::{sweep, sync_folder, temporary_in};

/// The folder that was last written into. What killed processes left in it is removed.
static LAST: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Writes a file. An existing one is replaced when the new one is complete, which takes over its permissions. A link stays a link,
/// and devices and pipes are written to as they are.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = resolve(path)?;
    let found = fs::metadata(&path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) || is_descriptor(&path) {
        return fs::write(&path, bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tidy(folder);
    let (mut file, draft) = temporary_in(folder)?;
    file.write_all(bytes)?;
    if let Some(found) = found {
        file.set_permissions(found.permissions())?;
    }
    file.sync_all()?;
    draft.persist(&path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Removes what killed processes left in a folder, once for all files that are written there in a row.
fn tidy(folder: &Path) {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.as_deref() != Some(folder) {
        sweep(folder);
        *last = Some(folder.to_owned());
    }
}
