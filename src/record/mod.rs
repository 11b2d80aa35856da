//! What is kept of a run: the record and its button log ([`run`]), where each piece went ([`timeline`]), the page
//! that shows it ([`page`]), pictures ([`frames`]), and the way files
//! are written.

pub mod frames;
pub mod page;
pub mod run;
pub mod timeline;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file under a temporary name in the same folder and renames it, so that it is whole or not there.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let result = fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// Makes sure that files can be written into `folder`, creating it if need be.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = folder.join(format!(".maxout-{}.tmp", std::process::id()));
    fs::File::create(&probe)?;
    fs::remove_file(&probe)
}
