//! [`Draft`]: a file that is being written, which gets its name when it is complete. [`write()`] and [`write_with`]
//! write one at once.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::output::refuse_database;
use super::path::{folder_of, is_stdout, refusal};
use super::pipe::open_through;
use maxout_host::links::{is_descriptor, resolve};
use maxout_host::temporary::sync_folder;
use maxout_host::temporary::temporary_in;

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// As [`write()`], for what is written piece by piece.
pub fn write_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let mut draft = Draft::create(path)?;
    write(&mut draft)?;
    Ok(draft.finish()?)
}

/// Makes a file that is not there yet, whole or not at all. If another process was faster, its file stays.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(path);
    let (mut file, temporary) = temporary_in(folder)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    match temporary.persist_noclobber(path) {
        Err(_) if path.exists() => return Ok(()),
        // Some file systems cannot tell.
        Err(error) => error.path.persist(path)?,
        Ok(()) => {}
    }
    sync_folder(folder)
}

/// Whether it is the folder that takes no file.
fn no_file_can_be_made(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Moves a complete file to its place.
fn take_name(temporary: TempPath, target: &Path) -> io::Result<()> {
    // It may have come into being since it was looked over.
    refuse_database(target)?;
    match temporary.persist(target) {
        // A file that is mounted, as containers do it, can be overwritten only.
        Err(error) if error.error.kind() == io::ErrorKind::ResourceBusy => {
            let mut file = OpenOptions::new().write(true).truncate(true).open(target)?;
            io::copy(&mut File::open(&error.path)?, &mut file)?;
            file.sync_all()
        }
        moved => {
            moved?;
            sync_folder(folder_of(target))
        }
    }
}

/// A file in the making. It takes its name with [`Draft::finish`]; dropped before, it leaves nothing behind. Pipes and
/// devices are written to at once, and so is a file in a folder where no other can be made.
#[derive(Debug)]
pub struct Draft {
    file: Option<BufWriter<File>>,
    /// Under which name it grows, and where it goes then; `None` if it is for work in between.
    renamed: Option<(TempPath, Option<PathBuf>)>,
}

impl Draft {
    /// Begins the file that will be at `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        if is_stdout(path) {
            return Ok(Self { file: Some(BufWriter::new(stdout()?)), renamed: None });
        }
        let target = resolve(path)?;
        let found = fs::metadata(&target).ok();
        if found.as_ref().is_some_and(Metadata::is_dir) {
            return Err(refusal("is a folder, expected a file"));
        }
        if let Some(found) = &found
            && (!found.is_file() || is_descriptor(&target))
        {
            // What was already written to a file that is open under another name stays before this.
            let file = open_through(&target, found.is_file())?;
            return Ok(Self { file: Some(BufWriter::new(file)), renamed: None });
        }
        match temporary_in(folder_of(&target)) {
            Ok((file, temporary)) => {
                if let Some(found) = found {
                    fs::set_permissions(&temporary, found.permissions())?;
                }
                Ok(Self { file: Some(BufWriter::new(file)), renamed: Some((temporary, Some(target))) })
            }
            // A full disk, for example, must not cost the file that is there.
            Err(error) if found.is_some() && no_file_can_be_made(&error) => {
                let file = OpenOptions::new().write(true).truncate(true).open(&target)?;
                Ok(Self { file: Some(BufWriter::new(file)), renamed: None })
            }
            Err(error) => Err(error),
        }
    }

    /// A file for work in between, which is gone when it is dropped: where this one grows, or among the system's
    /// temporary files if that is no folder.
    pub fn scratch(&self) -> io::Result<Self> {
        let folder = self.temporary().map_or_else(std::env::temp_dir, |path| folder_of(path).to_owned());
        let (file, temporary) = temporary_in(&folder)?;
        Ok(Self { file: Some(BufWriter::new(file)), renamed: Some((temporary, None)) })
    }

    /// Where it grows, for another program that writes it; none if it is written where it belongs.
    pub fn temporary(&self) -> Option<&Path> {
        self.renamed.as_ref().map(|(temporary, _)| &**temporary)
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            match self.renamed.take() {
                Some((temporary, Some(target))) => {
                    file.sync_all()?;
                    take_name(temporary, &target)?;
                }
                Some((_, None)) => {}
                None => file.sync_all().or_else(|error| match error.kind() {
                    // Pipes and devices cannot be told to.
                    io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
                    _ => Err(error),
                })?,
            }
        }
        Ok(())
    }

    fn open(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the file is finished"))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.open()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.open()?.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.open()?.seek(to)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            // Without a last flush: nobody wants these bytes.
            drop(file.into_parts());
        }
    }
}

#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}
