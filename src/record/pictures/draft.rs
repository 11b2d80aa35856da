//! [`Draft`]: a file that grows under a temporary name and gets its own when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file in the making; dropped before [`Draft::finish`], it leaves nothing behind.
#[derive(Debug)]
pub(super) struct Draft {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
}

impl Draft {
    /// Begins the file that is to be at `path`.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::Error::other("is a folder, expected a file"));
        }
        // The new file takes the place of the old: a device or a pipe would be gone.
        if path.exists() && !path.is_file() {
            return Err(io::Error::other("is a device or a pipe, expected a file"));
        }
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(format!(".{}.tmp", std::process::id()));
        let temporary = PathBuf::from(temporary);
        let file = Some(BufWriter::new(File::create(&temporary)?));
        Ok(Self { path: path.to_owned(), temporary, file })
    }

    /// Where it grows, for another program that writes it.
    pub(super) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if let Some(file) = self.file.take() {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        }
        fs::rename(&self.temporary, &self.path)
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

impl Drop for Draft {
    fn drop(&mut self) {
        self.file = None;
        // After `finish` nothing is there to remove.
        let _ = fs::remove_file(&self.temporary);
    }
}
