//! Checks outputs before any work: [`check_output`] for files, [`check_output_folder`] and [`prepare_folder`] for
//! folders.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::path::{folder_of, is_stdout, refusal};
use maxout_host::links::resolve;
use maxout_host::temporary::sweep;
use maxout_host::temporary::sync_folder;

/// First bytes of every SQLite database; a run library is one.
pub(super) const SQLITE: &[u8] = b"SQLite format 3\0";

/// Refuses a path that cannot be written, without leaving anything there. What can only be known by writing, such as
/// a disk that fills up, is not found. Temporary files that a killed process left beside it are removed.
pub fn check_output(path: &Path) -> io::Result<()> {
    if is_stdout(path) {
        return Ok(());
    }
    if path.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(refusal("names a folder, expected a file"));
    }
    let target = resolve(path)?;
    let folder = folder_of(&target);
    sweep(folder);
    match fs::metadata(&target) {
        Ok(found) if found.is_dir() => Err(refusal("is a folder, expected a file")),
        // Opening a pipe would wait for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        Ok(_) => {
            OpenOptions::new().write(true).open(&target)?;
            refuse_database(&target)
        }
        Err(_) if !folder.is_dir() => Err(refusal(format!("folder {} does not exist", folder.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => check_folder(folder),
        Err(error) => Err(error),
    }
}

/// Refuses a file that is a database.
pub(super) fn refuse_database(path: &Path) -> io::Result<()> {
    let mut first = [0; SQLITE.len()];
    if path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok()
        && first == *SQLITE
    {
        return Err(refusal("is a run library or another SQLite database, expected another file"));
    }
    Ok(())
}

/// Refuses a folder in which no file can be made.
#[cfg(unix)]
fn check_folder(folder: &Path) -> io::Result<()> {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| io::Error::other(format!("folder {}: {}", folder.display(), io::Error::from(error))))
}

/// Refuses a folder in which no file can be made.
#[cfg(not(unix))]
fn check_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Refuses a folder that cannot be made or written into, without making it.
pub fn check_output_folder(folder: &Path) -> io::Result<()> {
    if folder == Path::new("-") {
        return Err(refusal("is stdout, expected a folder (./- is one of that name)"));
    }
    for place in folder.ancestors() {
        let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
        match fs::metadata(place) {
            Ok(found) if found.is_dir() => {
                sweep(place);
                return check_folder(place);
            }
            Ok(_) if place == folder => return Err(refusal("is a file, expected a folder")),
            Ok(_) => return Err(refusal(format!("{} is a file, expected a folder", place.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Makes sure that files can be made in `folder`, creating it if need be. Folders that were made in vain go again.
pub fn prepare_folder(folder: &Path) -> io::Result<()> {
    check_output_folder(folder)?;
    let missing: Vec<&Path> = folder.ancestors().take_while(|place| !place.exists()).collect();
    let prepared = fs::create_dir_all(folder).and_then(|()| check_folder(folder));
    if prepared.is_ok() {
        // A folder has its name from the one around it.
        missing.iter().try_for_each(|place| sync_folder(folder_of(place)))?;
    } else {
        // Those that were not made cannot be removed, which is as well.
        for place in missing {
            let _ = fs::remove_dir(place);
        }
    }
    prepared
}
