//! Text that comes from files and goes to terminals: bounded, on one line, without control characters. [`Lines`] reads
//! lines of a bounded length, and [`Bounded`] bytes of a bounded number.

use std::fmt::{self, Write as _};
use std::io::{self, BufRead, Read};

/// Most characters of a message; a culprit may be a file without a line break.
const LONGEST: usize = 500;
/// Most characters that a part of a message quotes.
const QUOTED: usize = 40;
/// Most characters of what another parser says of a file.
const TOLD: usize = 300;

/// Text on one line, control characters escaped, the middle left out if it is long.
pub fn one_line(text: &str) -> String {
    shorten(text, LONGEST)
}

/// What a parser says: on one line and short, since it may quote the whole file.
pub fn brief(told: &impl fmt::Display) -> String {
    shorten(&told.to_string(), TOLD)
}

/// The first forty characters of a text in quotes, with escapes.
pub fn quoted(text: &str) -> String {
    let mut letters = text.chars();
    let head = format!("{:?}", letters.by_ref().take(QUOTED).collect::<String>());
    let head = escape(&head);
    if letters.next().is_some() { head + "…" } else { head }
}

fn shorten(text: &str, longest: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let letters: Vec<char> = escape(&line).chars().collect();
    if letters.len() <= longest {
        return letters.into_iter().collect();
    }
    let (head, tail) = (&letters[..longest * 2 / 3], &letters[letters.len() - longest / 3 + 3..]);
    head.iter().chain(&['…']).chain(tail).collect()
}

/// Text whose control characters, line breaks aside, cannot reach a terminal.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_control(letter) && letter != '\n' {
            // Writing to a string does not fail.
            let _ = write!(escaped, "{}", letter.escape_default());
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

/// Whether a terminal may do something else than show the letter: control characters, and those that turn the
/// direction of writing.
pub const fn is_control(letter: char) -> bool {
    matches!(letter, '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}')
        || matches!(letter, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Reads lines of at most this number of bytes, one after the other, into the same memory.
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    limit: usize,
    number: usize,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`, each of at most `limit` bytes.
    pub const fn new(reader: R, limit: usize) -> Self {
        Self { reader, limit, number: 0, line: Vec::new() }
    }

    /// The next line and its number from 1, without its end; none after the last one. A line that is too long is an error
    /// that names it.
    pub fn next_line(&mut self) -> io::Result<Option<(usize, &[u8])>> {
        self.line.clear();
        // Two more for the line's end.
        let mut part = (&mut self.reader).take(self.limit as u64 + 2);
        if part.read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > self.limit {
            let Self { number, limit, .. } = self;
            let message = format!("line {number} has more than {limit} bytes, expected at most that many");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(Some((self.number, line)))
    }
}

/// A reader that fails if there are more bytes than its limit.
#[derive(Debug)]
pub struct Bounded<R> {
    reader: R,
    limit: u64,
    left: u64,
}

impl<R: Read> Bounded<R> {
    /// At most `limit` bytes of `reader`.
    pub const fn new(reader: R, limit: u64) -> Self {
        Self { reader, limit, left: limit }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left > 0 || buffer.is_empty() {
            let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            let got = self.reader.read(&mut buffer[..most])?;
            self.left -= got as u64;
            return Ok(got);
        }
        if self.reader.read(&mut [0])? == 0 {
            return Ok(0);
        }
        let message = format!("has more than {} bytes, expected at most that many", self.limit);
        Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_short_line_without_control_characters() {
        assert_eq!(one_line("a\n  b\u{1b}[31m"), "a b\\u{1b}[31m");
        assert_eq!(one_line("file\u{202e}txt.exe"), "file\\u{202e}txt.exe");
        let long = one_line(&"x".repeat(100_000));
        assert!(long.chars().count() <= LONGEST && long.contains('…'));
        assert_eq!(quoted("a\u{1b}b"), r#""a\u{1b}b""#);
        assert!(quoted(&"\u{1}".repeat(1_000)).chars().count() < 300);
    }

    #[test]
    fn lines_are_read_one_by_one_and_a_long_one_is_named() {
        let mut lines = Lines::new(&b"one\r\n\nthree\n12345\r\n123456"[..], 5);
        for expected in [(1, &b"one"[..]), (2, b""), (3, b"three"), (4, b"12345")] {
            assert_eq!(lines.next_line().expect("a line"), Some(expected));
        }
        let error = lines.next_line().expect_err("too long").to_string();
        assert!(error.contains("line 5 has more than 5 bytes"), "{error}");
        let mut endless = Lines::new(io::BufReader::new(io::repeat(b'x')), 1_000);
        assert!(endless.next_line().is_err());
        assert_eq!(Lines::new(&b""[..], 5).next_line().expect("the end"), None);
    }
}
