//! FM2, the movies of FCEUX: [`read`] and [`write()`].
//!
//! A text header of `key value` lines, then one record a frame, `|commands|RLDUTSBA|RLDUTSBA||`, or the same as
//! bytes after `binary 1`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use thiserror::Error;

use super::{MAX_FRAMES, Movie, MovieFrame};
use maxout_rules::Region;
use maxout_rules::input::Buttons;

/// The version of FCEUX that we claim to be: the one our movies are checked with.
const EMULATOR: &str = "20605";
/// Bytes of the header, whose comments and subtitles are held.
const MAX_HEADER: usize = 1 << 20;
/// Keys that the game does not need: what they say may be left out.
const REMARKS: [&str; 4] = ["rerecordCount", "romChecksum", "guid", "subtitle"];
/// Columns of a controller, from the lowest bit of [`Buttons`] up.
const COLUMNS: usize = 8;

/// Why bytes are no FM2 movie from power-on.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fm2Error {
    /// A line is not what it should be.
    #[error("line {line}: {message}")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// What is there and what was expected.
        message: String,
    },
    /// The binary log breaks off.
    #[error("record {record}: the log ends after {got} of {expected} bytes")]
    Truncated {
        /// Record number, from 0.
        record: usize,
        /// Bytes there.
        got: usize,
        /// Bytes of a record.
        expected: usize,
    },
    /// There are too many records.
    #[error("record {MAX_FRAMES}: expected at most {MAX_FRAMES} records")]
    TooLong,
    /// Comments and subtitles are too long to be written.
    #[error("a header of {0} bytes, expected at most {MAX_HEADER}")]
    Header(usize),
}

/// As [`write()`]; a movie that could not be read again is refused.
pub(super) fn write_readable(movie: &Movie) -> Result<Vec<u8>, Fm2Error> {
    if movie.frames.len() > MAX_FRAMES {
        return Err(Fm2Error::TooLong);
    }
    let text = write(movie);
    match text.find("\n|").unwrap_or(text.len()) {
        header if header >= MAX_HEADER => Err(Fm2Error::Header(header)),
        _ => Ok(text.into_bytes()),
    }
}

/// Reads a movie. Keys that do not matter to the game are passed over, and [`Movie::unread`] names those that are damaged; what it
/// cannot be played without is refused: a saved state to begin from, a zapper, four controllers. The disk system may be there; a record that
/// inserts a disk is refused when the movie is played. An FM3, a project of FCEUX' TAS editor, is an FM2 with more behind
/// its `length` records.
pub fn read(bytes: &[u8]) -> Result<Movie, Fm2Error> {
    let mut reader = Reader::default();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut rest = bytes;
    let mut line = 0;
    while !rest.is_empty() {
        line += 1;
        if rest[0] == b'|' && reader.binary {
            reader.binary_log(&rest[1..])?;
            break;
        }
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let text = &rest[..end];
        // As FCEUX has it, blanks before a line do not matter. Those at its end may belong to a value.
        let text = text.strip_suffix(b"\r").unwrap_or(text).trim_ascii_start();
        rest = rest.get(end + 1..).unwrap_or_default();
        let wrong = |message| Fm2Error::Line { line, message };
        if line == 1 && text.trim_ascii_end() != b"version 3" {
            return Err(wrong(format!("{}, expected \"version 3\"", quoted(text))));
        }
        // The header may say where the log ends; what follows is for others.
        if reader.full() && !reader.movie.frames.is_empty() {
            break;
        }
        if text.first() == Some(&b'|') {
            if reader.full() {
                break;
            }
            let frame = reader.frame(text[1..].trim_ascii_end()).map_err(wrong)?;
            reader.push(frame)?;
        } else if !text.is_empty() {
            if !reader.movie.frames.is_empty() {
                return Err(wrong(format!("{}, expected a record |0|RLDUTSBA|||", quoted(text))));
            }
            if bytes.len() - rest.len() > MAX_HEADER {
                let has = "a header of more than 1 MiB, expected the first record before that";
                return Err(wrong(has.to_owned()));
            }
            let text = String::from_utf8_lossy(text);
            match reader.key(&text) {
                Err(message) if REMARKS.contains(&text.split(' ').next().unwrap_or_default()) => {
                    reader.movie.miss(format!("line {line}: {message}; the line is left out"));
                }
                read => read.map_err(wrong)?,
            }
        }
    }
    if line == 0 {
        return Err(Fm2Error::Line { line: 1, message: "nothing, expected \"version 3\"".to_owned() });
    }
    let there = reader.movie.frames.len();
    if let Some(length) = reader.length.filter(|&length| length > there) {
        // Before all else: it is part of the game that is missing.
        let last = length - there;
        let missing = format!("length {length}: the log has {there} records, so the last {last} are missing");
        reader.movie.unread.insert(0, missing);
    }
    Ok(reader.movie)
}

#[derive(Default)]
struct Reader {
    movie: Movie,
    binary: bool,
    /// Records after which the log ends, whatever follows.
    length: Option<usize>,
}

impl Reader {
    fn full(&self) -> bool {
        self.length.is_some_and(|length| self.movie.frames.len() >= length)
    }

    fn push(&mut self, frame: MovieFrame) -> Result<(), Fm2Error> {
        if self.movie.frames.len() == MAX_FRAMES {
            return Err(Fm2Error::TooLong);
        }
        self.movie.frames.push(frame);
        Ok(())
    }

    fn key(&mut self, line: &str) -> Result<(), String> {
        let (key, text) = line.split_once(' ').unwrap_or((line, ""));
        let value = text.trim();
        let expect = |want: &str| Err(format!("{key} {}, expected {want}", quoted(value.as_bytes())));
        let movie = &mut self.movie;
        match key {
            "rerecordCount" => match value.parse() {
                Ok(count) => movie.rerecords = count,
                Err(_) => return expect("a whole number from 0 on"),
            },
            "romFilename" => text.clone_into(&mut movie.rom_name),
            "romChecksum" | "guid" if value.is_empty() => {}
            "romChecksum" => match checksum(value) {
                Some(md5) => movie.rom_md5 = Some(md5),
                None => return expect("base64: and 16 bytes, or 0x and 32 hex digits"),
            },
            "guid" => match guid(value) {
                Some(guid) => movie.guid = Some(guid),
                None => return expect("32 hex digits in five groups"),
            },
            "port0" | "port1" => match value {
                "0" | "1" => movie.plugged[usize::from(key == "port1")] = value == "1",
                _ => return expect("0 (nothing) or 1 (a controller)"),
            },
            "FDS" if value == "1" => {}
            "palFlag" => match value {
                "0" => movie.region = Region::Ntsc,
                "1" => movie.region = Region::Pal,
                _ => return expect("0 (NTSC) or 1 (PAL)"),
            },
            "fourscore" | "port2" | "FDS" if value != "0" => {
                return expect("0: this is a console with two controllers at most");
            }
            "savestate" | "saveram" => return Err(format!("{key}, expected a movie from power-on")),
            "binary" => match value {
                "0" | "1" => self.binary = value == "1",
                _ => return expect("0 or 1"),
            },
            "length" => match value.parse::<i64>() {
                // FCEUX plays the whole log where it is 0 or less.
                Ok(length) => self.length = usize::try_from(length).ok().filter(|&length| length > 0),
                Err(_) => return expect("a whole number"),
            },
            "comment" => match text.strip_prefix("author ") {
                Some(author) if movie.author.is_empty() => author.clone_into(&mut movie.author),
                _ => movie.comments.push(text.to_owned()),
            },
            "subtitle" => {
                let (frame, text) = text.split_once(' ').unwrap_or((text, ""));
                match frame.parse() {
                    Ok(frame) => movie.subtitles.push((frame, text.to_owned())),
                    Err(_) => return expect("a frame number and a text"),
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A record without its first `|`: `commands|controller 1|controller 2|expansion|`.
    fn frame(&self, record: &[u8]) -> Result<MovieFrame, String> {
        let wrong = |what: &str| Err(format!("record {}, expected {what}", quoted(record)));
        let fields: Vec<&[u8]> = record.splitn(6, |&b| b == b'|').collect();
        let (commands, pads) = match fields[..] {
            [commands, first, second, b""] | [commands, first, second, b"", b""] => {
                (commands, [first, second])
            }
            _ => return wrong("commands and three ports between bars"),
        };
        let Some(commands) = std::str::from_utf8(commands).ok().and_then(|text| text.trim().parse().ok())
        else {
            return wrong("commands from 0 to 255");
        };
        let mut frame = MovieFrame { commands, ..MovieFrame::default() };
        for ((pad, text), plugged) in frame.controllers.iter_mut().zip(pads).zip(self.movie.plugged) {
            if text.len() != if plugged { COLUMNS } else { 0 } {
                return wrong("eight columns for each controller of the header, none for the others");
            }
            // As FCEUX has it: a dot or a space is up, anything else is down.
            for (bit, &column) in text.iter().enumerate() {
                pad.0 |= u8::from(column != b'.' && column != b' ') << bit;
            }
        }
        Ok(frame)
    }

    /// Command byte, then a byte for each controller, A in the lowest bit.
    fn binary_log(&mut self, log: &[u8]) -> Result<(), Fm2Error> {
        let plugged = self.movie.plugged;
        let expected = 1 + plugged.iter().filter(|&&p| p).count();
        for bytes in log.chunks(expected) {
            if self.full() {
                break;
            }
            if bytes.len() < expected {
                let record = self.movie.frames.len();
                return Err(Fm2Error::Truncated { record, got: bytes.len(), expected });
            }
            let mut frame = MovieFrame { commands: bytes[0], ..MovieFrame::default() };
            let mut pads = bytes[1..].iter();
            for (pad, _) in frame.controllers.iter_mut().zip(plugged).filter(|(_, plugged)| *plugged) {
                *pad = Buttons(pads.next().map_or(0, |byte| byte.reverse_bits()));
            }
            self.push(frame)?;
        }
        Ok(())
    }
}

/// At most forty characters of a line, for messages.
fn quoted(text: &[u8]) -> String {
    let head = &text[..text.len().min(160)];
    crate::text::quoted(&String::from_utf8_lossy(head))
}

/// The sixteen bytes of a checksum. Blanks mean nothing, as in FCEUX.
fn checksum(text: &str) -> Option<[u8; 16]> {
    let text: String = text.split_whitespace().collect();
    if let Some(code) = text.strip_prefix("base64:") {
        return BASE64.decode(code).ok()?.try_into().ok();
    }
    bytes_of_hex(text.strip_prefix("0x")?)
}

fn guid(text: &str) -> Option<[u8; 16]> {
    let groups: Vec<&str> = text.split('-').map(str::trim).collect();
    let lengths = [8, 4, 4, 4, 12];
    // FCEUX fills the last group up with spaces.
    let filled = groups.iter().zip(lengths).map(|(group, length)| format!("{group:0>length$}"));
    if groups.len() == lengths.len() { bytes_of_hex(&filled.collect::<String>()) } else { None }
}

fn bytes_of_hex(text: &str) -> Option<[u8; 16]> {
    if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u128::from_str_radix(text, 16).ok().map(u128::to_be_bytes)
}

/// Returns the movie as the text of an FM2 file, one record a line.
pub fn write(movie: &Movie) -> String {
    let flag = u8::from;
    let mut text = format!("version 3\nemuVersion {EMULATOR}\n");
    // FCEUX reads a signed 32-bit number.
    text += &format!(
        "rerecordCount {}\npalFlag {}\n",
        movie.rerecords.min(i32::MAX as u64),
        flag(movie.region == Region::Pal)
    );
    text += &format!("romFilename {}\n", one_line(&movie.rom_name));
    if let Some(md5) = movie.rom_md5 {
        text += &format!("romChecksum base64:{}\n", BASE64.encode(md5));
    }
    if let Some(guid) = movie.guid {
        let hex: String = guid.iter().map(|b| format!("{b:02X}")).collect();
        text +=
            &format!("guid {}-{}-{}-{}-{}\n", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]);
    }
    let [first, second] = movie.plugged;
    text += &format!("fourscore 0\nmicrophone 0\nport0 {}\nport1 {}\nport2 0\n", flag(first), flag(second));
    text += "FDS 0\nNewPPU 0\nRAMInitOption 0\nRAMInitSeed 0\n";
    if !movie.author.is_empty() {
        text += &format!("comment author {}\n", one_line(&movie.author));
    }
    for comment in &movie.comments {
        text += &format!("comment {}\n", one_line(comment));
    }
    for (frame, subtitle) in &movie.subtitles {
        text += &format!("subtitle {frame} {}\n", one_line(subtitle));
    }
    for frame in &movie.frames {
        text += &format!("|{}|", frame.commands);
        for (pad, plugged) in frame.controllers.iter().zip(movie.plugged) {
            if plugged {
                text += &pad.to_string();
            }
            text.push('|');
        }
        text += "|\n";
    }
    text
}

/// A line break in a value would end it.
fn one_line(value: &str) -> String {
    value.replace(['\r', '\n'], " ")
}
