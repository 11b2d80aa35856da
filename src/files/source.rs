//! Reads files with a bound on memory and patience: [`read`], [`read_text`] and [`open`].

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::path::refusal;
use super::pipe::wait_for;
pub use maxout_host::text::Bounded;

/// Reads a whole file of at most `limit` bytes. A pipe is read to its end; one that nobody writes into is given up
/// after ten seconds.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Bounded::new(open(path)?, limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// As [`read`], for text.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is no UTF-8, expected text"))
    })
}

/// A file that is being read.
#[derive(Debug)]
pub struct Source {
    file: File,
    /// Whether it may have to be waited for.
    patient: bool,
}

/// Opens a file to read. The caller bounds how much.
pub fn open(path: &Path) -> io::Result<Source> {
    let found = fs::metadata(path)?;
    if found.is_dir() {
        return Err(refusal("is a folder, expected a file"));
    }
    let patient = !found.is_file();
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a pipe into which nobody writes would wait forever.
    #[cfg(unix)]
    if patient {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    Ok(Source { file: options.open(path)?, patient })
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.patient {
            wait_for(&self.file)?;
        }
        self.file.read(buffer)
    }
}
