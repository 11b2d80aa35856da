//! BK2, the movies of `BizHawk`: [`read`] and [`write()`].
//!
//! A zip archive of text files with CRLF; a project of its TAS studio (`.tasproj`) has further members. The input log has one line a frame, `|rP|UDLRSsBA|`; its `LogKey` names
//! the columns. Records are those of the FM2, one to one.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};

use serde_json::Value;
use thiserror::Error;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

use super::{MAX_FRAMES, Movie, MovieFrame};
use crate::members::{self, MAX_MEMBERS};
use crate::text::{Bounded, Lines, quoted};
use maxout_rules::Region;
use maxout_rules::input::Buttons;

/// Bytes that the header, the comments or the subtitles may have unpacked; they are held whole.
const MAX_TEXT: u64 = 1 << 20;
/// Bytes that the input log may have unpacked; it is read line by line.
const MAX_LOG: u64 = 160 << 20;
/// Lines of the input log.
const MAX_LINES: usize = MAX_FRAMES + 1000;
/// Bytes of a line of the input log.
const MAX_LINE: usize = 4096;
/// The console's own columns.
const CONSOLE: [(&str, u8, char); 2] = [("Reset", MovieFrame::RESET, 'r'), ("Power", MovieFrame::POWER, 'P')];
/// The columns of a controller, in the order of the log.
const PAD: [(&str, Buttons, char); 8] = [
    ("Up", Buttons::UP, 'U'),
    ("Down", Buttons::DOWN, 'D'),
    ("Left", Buttons::LEFT, 'L'),
    ("Right", Buttons::RIGHT, 'R'),
    ("Start", Buttons::START, 'S'),
    ("Select", Buttons::SELECT, 's'),
    ("B", Buttons::B, 'B'),
    ("A", Buttons::A, 'A'),
];

const HEADER: &str = "Header.txt";
const COMMENTS: &str = "Comments.txt";
const SUBTITLES: &str = "Subtitles.txt";
const SETTINGS: &str = "SyncSettings.json";
const LOG: &str = "Input Log.txt";

/// Why bytes are no BK2 movie from power-on.
#[derive(Debug, Error)]
pub enum Bk2Error {
    /// It is no archive, or a damaged one.
    #[error("not a BK2 archive")]
    Zip(#[from] ZipError),
    /// A member could not be unpacked.
    #[error("{member}: cannot be unpacked")]
    Member {
        /// Its name.
        member: &'static str,
        /// Why.
        source: io::Error,
    },
    /// A text is too long to be written.
    #[error("{member}: {bytes} bytes, expected at most {MAX_TEXT}")]
    Text {
        /// The member of the archive.
        member: &'static str,
        /// Its length.
        bytes: usize,
    },
    /// The archive has too many members.
    #[error("archive of {0} members, expected at most {MAX_MEMBERS}")]
    Members(usize),
    /// A line is not what it should be.
    #[error("{member}: line {line}: {message}")]
    Line {
        /// The member of the archive.
        member: &'static str,
        /// Line number, from 1.
        line: usize,
        /// What was expected.
        message: String,
    },
    /// There is no list of columns before the records.
    #[error("Input Log.txt: no LogKey, expected the names of the columns before the first record")]
    NoLogKey,
}

/// The movie as an archive; the same movie gives the same bytes.
pub fn write(movie: &Movie) -> Result<Vec<u8>, Bk2Error> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .system(System::Unix);
    let members = [
        (HEADER, header(movie)),
        (COMMENTS, movie.comments.iter().map(|comment| crlf(comment)).collect()),
        (SUBTITLES, subtitles(movie)),
        (SETTINGS, crlf(&sync_settings(movie))),
        (LOG, input_log(movie)),
    ];
    if movie.frames.len() > MAX_FRAMES {
        let (line, message) = (MAX_FRAMES, format!("expected at most {MAX_FRAMES} records"));
        return Err(Bk2Error::Line { member: LOG, line, message });
    }
    for (member, text) in members {
        if member != LOG && text.len() as u64 > MAX_TEXT {
            return Err(Bk2Error::Text { member, bytes: text.len() });
        }
        archive.start_file(member, options)?;
        archive.write_all(text.as_bytes()).map_err(|source| Bk2Error::Member { member, source })?;
    }
    Ok(archive.finish()?.into_inner())
}

/// A line of its own; a line break within would end it.
fn crlf(text: &str) -> String {
    text.replace(['\r', '\n'], " ") + "\r\n"
}

fn header(movie: &Movie) -> String {
    let mut lines = vec![
        "MovieVersion BizHawk v2.0.0".to_owned(),
        format!("Author {}", movie.author),
        "emuVersion Version 2.10".to_owned(),
        "OriginalEmuVersion Version 2.10".to_owned(),
        "Platform NES".to_owned(),
        format!("GameName {}", movie.rom_name),
    ];
    if let Some(sha1) = movie.rom_sha1 {
        lines.push(format!("SHA1 {}", sha1.iter().map(|b| format!("{b:02X}")).collect::<String>()));
    }
    if movie.region == Region::Pal {
        lines.push("PAL True".to_owned());
    }
    lines.push("Core NesHawk".to_owned());
    lines.push(format!("rerecordCount {}", movie.rerecords));
    lines.iter().map(|line| crlf(line)).collect()
}

fn subtitles(movie: &Movie) -> String {
    let line = |(frame, text): &(u64, String)| crlf(&format!("subtitle {frame} 0 0 120 FFFFFFFF {text}"));
    movie.subtitles.iter().map(line).collect()
}

/// What the console of the movie has plugged in, as `BizHawk` keeps it.
fn sync_settings(movie: &Movie) -> String {
    let [left, right] = movie.plugged.map(|plugged| if plugged { "ControllerNES" } else { "UnpluggedNES" });
    format!(
        concat!(
            r#"{{"o":{{"$type":"BizHawk.Emulation.Cores.Nintendo.NES.NES+NESSyncSettings, "#,
            r#"BizHawk.Emulation.Cores","BoardProperties":{{}},"RegionOverride":{},"Controls":{{"Famicom":false,"#,
            r#""NesLeftPort":"{}","NesRightPort":"{}","FamicomExpPort":"UnpluggedFam"}},"#,
            r#""InitialWRamStatePattern":[]}}}}"#
        ),
        if movie.region == Region::Pal { 2 } else { 0 },
        left,
        right
    )
}

fn input_log(movie: &Movie) -> String {
    let players = || (0..2).filter(|&player: &usize| movie.plugged[player]);
    let mut text = "[Input]\r\nLogKey:#Reset|Power|".to_owned();
    for player in players() {
        text.push('#');
        for (name, ..) in PAD {
            text += &format!("P{} {name}|", player + 1);
        }
    }
    text += "\r\n";
    for frame in &movie.frames {
        text.push('|');
        text.extend(CONSOLE.map(|(_, bit, letter)| if frame.commands & bit != 0 { letter } else { '.' }));
        for player in players() {
            let pad = frame.controllers[player];
            text.push('|');
            text.extend(PAD.map(|(_, button, letter)| if pad.contains(button) { letter } else { '.' }));
        }
        text += "|\r\n";
    }
    text + "[/Input]\r\n"
}

/// Reads a movie. What it cannot be played without is refused: a saved state to begin from, another
/// machine, an input that this machine has not.
pub fn read(bytes: &[u8]) -> Result<Movie, Bk2Error> {
    members::check(bytes).map_err(Bk2Error::Members)?;
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut movie = Movie::default();
    for (line, text) in (1..).zip(member(&mut archive, HEADER)?.lines()) {
        let wrong = |want: &str| Bk2Error::Line {
            member: HEADER,
            line,
            message: format!("{}, expected {want}", quoted(text)),
        };
        let (key, value) = text.split_once(' ').unwrap_or((text, ""));
        match key {
            "Author" => value.clone_into(&mut movie.author),
            "GameName" => value.clone_into(&mut movie.rom_name),
            "rerecordCount" => match value.parse() {
                Ok(count) => movie.rerecords = count,
                Err(_) => movie.miss(format!("{}; the line is left out", wrong("a whole number from 0 on"))),
            },
            // The import of an FM2 leaves its MD5 here; the first field, too, may hold either sum.
            "SHA1" | "MD5" => {
                if !value.is_empty() && sum::<20>(value).is_none() && sum::<16>(value).is_none() {
                    movie.miss(format!("{}; the line is left out", wrong("a checksum")));
                }
                movie.rom_sha1 = sum(value).or(movie.rom_sha1);
                movie.rom_md5 = sum(value).or(movie.rom_md5);
            }
            "Platform" if value != "NES" => return Err(wrong("Platform NES")),
            "PAL" if is_true(value) => movie.region = Region::Pal,
            "StartsFromSavestate" | "StartsFromSaveRam" if is_true(value) => {
                return Err(wrong("a movie from power-on"));
            }
            _ => {}
        }
    }
    if let Some(region) = console_region(&member_if_any(&mut archive, SETTINGS)?)? {
        movie.region = region;
    }
    for text in member_if_any(&mut archive, COMMENTS)?.lines() {
        movie.comments.push(text.to_owned());
    }
    for (line, text) in (1..).zip(member_if_any(&mut archive, SUBTITLES)?.lines()) {
        if let Some(rest) = text.strip_prefix("subtitle ") {
            let mut fields = rest.splitn(6, ' ');
            let frame = fields.next().and_then(|frame| frame.parse().ok());
            let (Some(frame), Some(words)) = (frame, fields.nth(4)) else {
                let message = format!("{}, expected subtitle FRAME X Y LENGTH COLOUR TEXT", quoted(text));
                movie.miss(format!(
                    "{}; the line is left out",
                    Bk2Error::Line { member: SUBTITLES, line, message }
                ));
                continue;
            };
            movie.subtitles.push((frame, words.to_owned()));
        }
    }
    read_log(open(&mut archive, LOG, MAX_LOG)?, &mut movie)?;
    Ok(movie)
}

/// Returns the console that the settings name, if there are any. `BizHawk` numbers the regions: default, NTSC, PAL, Dendy.
/// The default is the region of the cartridge. Fails if the console is another one.
fn console_region(settings: &str) -> Result<Option<Region>, Bk2Error> {
    let message = if settings.trim().is_empty() {
        return Ok(None);
    } else {
        match serde_json::from_str::<Value>(settings) {
            Err(error) => format!("{error}, expected JSON"),
            Ok(settings) => match region(&settings) {
                None => return Ok(None),
                Some(found) => match (found.as_u64(), found.as_str()) {
                    (Some(0), _) | (_, Some("Default")) => return Ok(None),
                    (Some(1), _) | (_, Some("NTSC")) => return Ok(Some(Region::Ntsc)),
                    (Some(2), _) | (_, Some("PAL")) => return Ok(Some(Region::Pal)),
                    (Some(3), _) => "RegionOverride Dendy, expected an NTSC or a PAL movie".to_owned(),
                    _ => format!(
                        "RegionOverride {}, expected an NTSC or a PAL movie",
                        quoted(&found.to_string())
                    ),
                },
            },
        }
    };
    Err(Bk2Error::Line { member: SETTINGS, line: 1, message })
}

/// The region that the settings, or settings within them, name.
fn region(settings: &Value) -> Option<&Value> {
    settings.get("RegionOverride").or_else(|| settings.as_object()?.values().find_map(region))
}

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// A member that fails after `limit` bytes.
fn open(archive: &mut Archive<'_>, name: &'static str, limit: u64) -> Result<impl BufRead, Bk2Error> {
    let file = archive.by_name(name).map_err(|error| match error {
        ZipError::FileNotFound => {
            let source = io::Error::new(io::ErrorKind::NotFound, "not in the archive");
            Bk2Error::Member { member: name, source }
        }
        other => Bk2Error::Zip(other),
    })?;
    Ok(BufReader::new(Bounded::new(file, limit)))
}

fn member(archive: &mut Archive<'_>, name: &'static str) -> Result<String, Bk2Error> {
    let mut bytes = Vec::new();
    let read = open(archive, name, MAX_TEXT)?.read_to_end(&mut bytes);
    read.map_err(|source| Bk2Error::Member { member: name, source })?;
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    Ok(String::from_utf8_lossy(text).into_owned())
}

fn member_if_any(archive: &mut Archive<'_>, name: &'static str) -> Result<String, Bk2Error> {
    if archive.index_for_name(name).is_some() { member(archive, name) } else { Ok(String::new()) }
}

fn is_true(value: &str) -> bool {
    value == "1" || value.eq_ignore_ascii_case("true")
}

/// A checksum of `N` bytes in hex; none if it is another one.
fn sum<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut sum = [0; N];
    for (i, byte) in sum.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).ok()?;
    }
    Some(sum)
}

/// What a column of the log does.
#[derive(Clone, Copy)]
enum Column {
    Command(u8),
    Pad(usize, Buttons),
    /// It may stand there, but not be used.
    Foreign,
}

fn column(name: &str) -> Column {
    for (console, bit, _) in CONSOLE {
        if name == console {
            return Column::Command(bit);
        }
    }
    for (pad, prefix) in ["P1 ", "P2 "].into_iter().enumerate() {
        for (button_name, button, _) in PAD {
            if name.strip_prefix(prefix) == Some(button_name) {
                return Column::Pad(pad, button);
            }
        }
    }
    Column::Foreign
}

fn read_log(log: impl BufRead, movie: &mut Movie) -> Result<(), Bk2Error> {
    let mut columns: Option<Vec<Column>> = None;
    let mut lines = Lines::new(log, MAX_LINE);
    let failed = |source| Bk2Error::Member { member: LOG, source };
    while let Some((line, bytes)) = lines.next_line().map_err(failed)? {
        let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
        let text = &*text;
        let wrong = |message: String| Bk2Error::Line { member: LOG, line, message };
        if line > MAX_LINES {
            return Err(wrong(format!("expected at most {MAX_LINES} lines")));
        }
        if let Some(key) = text.strip_prefix("LogKey:") {
            let found: Vec<Column> =
                key.split(['#', '|']).filter(|name| !name.is_empty()).map(column).collect();
            for &column in &found {
                if let Column::Pad(pad, _) = column {
                    movie.plugged[pad] = true;
                }
            }
            columns = Some(found);
        } else if text.starts_with('|') {
            let columns = columns.as_ref().ok_or(Bk2Error::NoLogKey)?;
            if movie.frames.len() == MAX_FRAMES {
                return Err(wrong(format!("expected at most {MAX_FRAMES} records")));
            }
            let held = text.chars().filter(|&c| c != '|');
            let got = held.clone().count();
            if got != columns.len() {
                return Err(wrong(format!("{got} columns, expected the {} of the LogKey", columns.len())));
            }
            let mut frame = MovieFrame::default();
            for (column, _) in columns.iter().zip(held).filter(|(_, held)| *held != '.') {
                match *column {
                    Column::Command(bit) => frame.commands |= bit,
                    Column::Pad(pad, button) => frame.controllers[pad] |= button,
                    Column::Foreign => {
                        return Err(wrong(
                            "an input that a plain console has not, expected a dot".to_owned(),
                        ));
                    }
                }
            }
            movie.frames.push(frame);
        } else if text == "[/Input]" {
            break;
        } else if !text.is_empty() && text != "[Input]" {
            return Err(wrong(format!("{}, expected a record |..|UDLRSsBA|", quoted(text))));
        }
    }
    Ok(())
}
