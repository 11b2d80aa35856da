//! Reads files with a bound on memory and patience: [`read`], [`read_text`] and [`open`].

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use super::path::refusal;
use super::pipe::wait_for;
use maxout_record::text::Bounded;

/// Reads a whole file of at most `limit` bytes. A pipe is read to its end; one that nobody writes into is given up
/// after ten seconds.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Bounded::new(open(path)?, limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// As [`read`], for text.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    text_of(&read(path, limit)?).map_err(|at| {
        io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is no UTF-8, expected text"))
    })
}

/// The text of a file in UTF-8 or in UTF-16, as some editors and shells of Windows write it, without its byte-order mark. UTF-16
/// without a mark is known by the zero in the first two bytes. The error is the first byte that does not fit.
pub fn text_of(bytes: &[u8]) -> Result<String, usize> {
    let (units, little, mark) = match bytes {
        [0xFF, 0xFE, units @ ..] => (units, true, 2),
        [0xFE, 0xFF, units @ ..] => (units, false, 2),
        [first, 0, ..] if *first != 0 => (bytes, true, 0),
        [0, second, ..] if *second != 0 => (bytes, false, 0),
        _ => {
            let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
            let skipped = bytes.len() - text.len();
            let text = std::str::from_utf8(text).map_err(|error| skipped + error.valid_up_to())?;
            return Ok(text.to_owned());
        }
    };
    let (pairs, rest) = units.as_chunks::<2>();
    let unit = |pair: &[u8; 2]| if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) };
    let mut text = String::with_capacity(pairs.len());
    let mut at = mark;
    for letter in char::decode_utf16(pairs.iter().map(unit)) {
        let letter = letter.map_err(|_| at)?;
        text.push(letter);
        at += 2 * letter.len_utf16();
    }
    if rest.is_empty() { Ok(text) } else { Err(bytes.len() - 1) }
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
