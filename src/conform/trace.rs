//! Measured traces of the real game: gzipped CSV, one row per frame (docs/reference/formats.md).

use std::io::{BufReader, Read};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::text::{Lines, quoted};
use maxout_record::text::Bounded;
use maxout_rules::input::Buttons;
use maxout_rules::observer::Moment;
use maxout_rules::ram::{self, working_copy};
use maxout_rules::{Orientation, Placement};

/// Bytes of a trace, packed or not.
pub const MAX_BYTES: u64 = 64 << 20;
/// Bytes of a line.
const MAX_LINE: usize = 16 << 10;
/// Writes of all rows.
const MAX_POKES: usize = 100_000;

/// The single-byte columns and the RAM addresses that they record. The variables of the player block are recorded as
/// the working copy holds them. `btn` is the input of the frame and has no address.
pub const COLUMNS: [(&str, u16); 40] = [
    ("mode", ram::GAME_MODE),
    ("gms", ram::GAME_MODE_STATE),
    ("ps", working_copy(ram::PLAY_STATE)),
    ("x", working_copy(ram::X)),
    ("y", working_copy(ram::Y)),
    ("id", working_copy(ram::CURRENT_PIECE)),
    ("lvl", working_copy(ram::LEVEL)),
    ("ft", working_copy(ram::FALL_TIMER)),
    ("arx", working_copy(ram::AUTOREPEAT_X)),
    ("ary", working_copy(ram::AUTOREPEAT_Y)),
    ("hdp", working_copy(ram::HOLD_DOWN_POINTS)),
    ("l0", working_copy(ram::LINES)),
    ("l1", working_copy(ram::LINES + 1)),
    ("rowy", working_copy(ram::CLEAR_STEP)),
    ("s0", working_copy(ram::SCORE)),
    ("s1", working_copy(ram::SCORE + 1)),
    ("s2", working_copy(ram::SCORE + 2)),
    ("cl", working_copy(ram::COMPLETED_LINES)),
    ("li", working_copy(ram::LINE_INDEX)),
    ("cr0", working_copy(ram::COMPLETED_ROWS)),
    ("cr1", working_copy(ram::COMPLETED_ROWS + 1)),
    ("cr2", working_copy(ram::COMPLETED_ROWS + 2)),
    ("cr3", working_copy(ram::COMPLETED_ROWS + 3)),
    ("cur", working_copy(ram::CURTAIN_ROW)),
    ("vr", ram::VRAM_ROW),
    ("nb", ram::PRESSED),
    ("hb", ram::HELD),
    ("next", ram::NEXT_PIECE),
    ("sid", ram::SPAWN_ID),
    ("sct", ram::SPAWN_COUNT),
    ("r0", ram::RNG),
    ("r1", ram::RNG + 1),
    ("fc0", ram::FRAME_COUNTER),
    ("fc1", ram::FRAME_COUNTER + 1),
    ("slv", ram::START_LEVEL),
    ("dnp", ram::NEXT_HIDDEN),
    ("slp", ram::SLEEP),
    ("rm", ram::RENDER_MODE),
    ("gt", ram::GAME_TYPE),
    ("btn", 0),
];

/// Index of `btn`, which is the input and not a value.
const BTN: usize = COLUMNS.len() - 1;

/// Bytes to write before a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poke {
    /// First address.
    pub address: u16,
    /// Consecutive bytes.
    pub bytes: Vec<u8>,
}

/// One frame of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceRow {
    /// Frame number from power-on.
    pub frame: u32,
    /// The buttons that are held in this frame.
    pub buttons: Buttons,
    /// Writes before it.
    pub pokes: Vec<Poke>,
    /// RAM after it, in the order of [`COLUMNS`] (the last entry, `btn`, repeats those buttons).
    pub values: [u8; COLUMNS.len()],
    /// Blocks of RAM that changed in this frame.
    pub stats: Option<[u8; 14]>,
    /// Line-clear counts, D8–DB.
    pub clears: Option<[u8; 4]>,
    /// The page below the field, 04C8–04FF.
    pub below: Option<[u8; 56]>,
    /// Occupancy of the field, row 0 first, bit c = column c.
    pub field: Option<[u16; 20]>,
    /// CRC-32 of the field's 200 bytes.
    pub field_crc: Option<u32>,
}

impl TraceRow {
    /// The value of the named column; 0 for an unknown name.
    pub fn value(&self, name: &str) -> u8 {
        COLUMNS.iter().position(|&(column, _)| column == name).map_or(0, |i| self.values[i])
    }

    /// What an observer of games sees after this frame.
    pub fn moment(&self) -> Moment {
        Moment {
            game_mode: self.value("mode").into(),
            game_mode_state: self.value("gms").into(),
            play_state: self.value("ps").into(),
            piece: Orientation::from_id(self.value("id")).map(|orientation| Placement {
                y: self.value("y"),
                orientation,
                x: self.value("x"),
            }),
            completed_lines: self.value("cl"),
            hold_down_points: self.value("hdp"),
        }
    }
}

/// Why a file is no trace.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The file could not be read or unpacked.
    #[error("cannot read the trace")]
    Io(#[from] std::io::Error),
    /// The first line misses a column.
    #[error(
        "not a trace: the first line has no column {0:?}, expected the columns of docs/reference/formats.md"
    )]
    MissingColumn(String),
    /// A line with another number of fields than the header.
    #[error("trace line {line} has {got} fields, expected {expected}")]
    Fields {
        /// Line number, from 1.
        line: usize,
        /// Fields found.
        got: usize,
        /// Fields of the header.
        expected: usize,
    },
    /// A field that is not what its column holds.
    #[error("trace line {line}, column {column}: {value}, expected {expected}")]
    Value {
        /// Line number, from 1.
        line: usize,
        /// Column name.
        column: String,
        /// What stands there, in quotes.
        value: String,
        /// What should.
        expected: &'static str,
    },
    /// A row that is not the next frame.
    #[error("trace line {line}, column f: {got}, expected {expected}: one row a frame")]
    Frame {
        /// Line number, from 1.
        line: usize,
        /// The row's frame.
        got: u32,
        /// The frame after the previous row's.
        expected: u32,
    },
    /// More writes than are held.
    #[error("trace line {line}: expected at most {MAX_POKES} writes in all")]
    Pokes {
        /// Line number, from 1.
        line: usize,
    },
    /// Only a header, or nothing.
    #[error("trace is empty: expected a header line and at least one row")]
    Empty,
}

/// Reads a trace, gzipped or plain, line by line. It may begin in any frame; none is missing after that.
pub fn read(bytes: &[u8]) -> Result<Vec<TraceRow>, TraceError> {
    let reader: Box<dyn Read> =
        if bytes.starts_with(&[0x1F, 0x8B]) { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    let mut lines = Lines::new(BufReader::new(Bounded::new(reader, MAX_BYTES)), MAX_LINE);
    let (_, header) = lines.next_line()?.ok_or(TraceError::Empty)?;
    let layout = Layout::new(&String::from_utf8_lossy(header))?;
    let (mut rows, mut pokes): (Vec<TraceRow>, usize) = (Vec::new(), 0);
    while let Some((line, text)) = lines.next_line()? {
        if text.is_empty() {
            continue;
        }
        let row = layout.row(line, &String::from_utf8_lossy(text))?;
        let expected = rows.last().map_or(row.frame, |last| last.frame.saturating_add(1));
        if row.frame != expected {
            return Err(TraceError::Frame { line, got: row.frame, expected });
        }
        pokes += row.pokes.len();
        if pokes > MAX_POKES {
            return Err(TraceError::Pokes { line });
        }
        rows.push(row);
    }
    if rows.is_empty() { Err(TraceError::Empty) } else { Ok(rows) }
}

/// Where each column is in a line.
struct Layout {
    fields: usize,
    frame: usize,
    poke: usize,
    values: [usize; COLUMNS.len()],
    blocks: [usize; 5],
}

const BLOCKS: [&str; 5] = ["stats", "lcs", "pfx", "pf", "pfcrc"];

impl Layout {
    fn new(header: &str) -> Result<Self, TraceError> {
        let names: Vec<&str> = header.trim_end().split(',').collect();
        let find = |name: &str| {
            names.iter().position(|&n| n == name).ok_or_else(|| TraceError::MissingColumn(name.to_owned()))
        };
        let mut values = [0; COLUMNS.len()];
        for (slot, (name, _)) in values.iter_mut().zip(COLUMNS) {
            *slot = find(name)?;
        }
        let mut blocks = [0; 5];
        for (slot, name) in blocks.iter_mut().zip(BLOCKS) {
            *slot = find(name)?;
        }
        Ok(Self { fields: names.len(), frame: find("f")?, poke: find("poke")?, values, blocks })
    }

    fn row(&self, line: usize, text: &str) -> Result<TraceRow, TraceError> {
        let fields: Vec<&str> = text.trim_end().split(',').collect();
        if fields.len() != self.fields {
            return Err(TraceError::Fields { line, got: fields.len(), expected: self.fields });
        }
        let wrong = |column: &str, value: &str, expected| TraceError::Value {
            line,
            column: column.to_owned(),
            value: quoted(value),
            expected,
        };
        let frame = fields[self.frame];
        let frame = frame.parse().map_err(|_| wrong("f", frame, "a decimal frame number"))?;
        let mut values = [0; COLUMNS.len()];
        for (i, (name, _)) in COLUMNS.into_iter().enumerate() {
            let field = fields[self.values[i]];
            values[i] = u8::from_str_radix(field, 16).map_err(|_| wrong(name, field, "a hex byte"))?;
        }
        let block = |i: usize| {
            let field = fields[self.blocks[i]];
            let expected = "hex digits of the column's length, or nothing";
            if field.is_empty() {
                return Ok(None);
            }
            hex(field).map(Some).ok_or_else(|| wrong(BLOCKS[i], field, expected))
        };
        let sized = |i: usize| wrong(BLOCKS[i], fields[self.blocks[i]], "another number of hex digits");
        let poke = fields[self.poke];
        Ok(TraceRow {
            frame,
            buttons: Buttons(values[BTN]),
            pokes: parse_pokes(poke).ok_or_else(|| wrong("poke", poke, "addr=hexbytes;..."))?,
            values,
            stats: block(0)?.map(array).transpose().map_err(|()| sized(0))?,
            clears: block(1)?.map(array).transpose().map_err(|()| sized(1))?,
            below: block(2)?.map(array).transpose().map_err(|()| sized(2))?,
            field: block(3)?.map(array::<25>).transpose().map_err(|()| sized(3))?.map(|b| occupancy(&b)),
            field_crc: block(4)?.map(array).transpose().map_err(|()| sized(4))?.map(u32::from_be_bytes),
        })
    }
}

fn array<const N: usize>(bytes: Vec<u8>) -> Result<[u8; N], ()> {
    bytes.try_into().map_err(|_| ())
}

/// Bytes from hex digits; an odd number of digits is padded on the left.
fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let padded: Vec<u8> = if digits.len() % 2 == 1 { [&[0], &digits[..]].concat() } else { digits };
    Some(padded.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn parse_pokes(text: &str) -> Option<Vec<Poke>> {
    text.split(';')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (address, bytes) = part.split_once('=')?;
            if bytes.is_empty() || bytes.len() % 2 == 1 {
                return None;
            }
            let address = u16::from_str_radix(address, 16).ok()?;
            let bytes = hex(bytes)?;
            (usize::from(address) + bytes.len() <= ram::SIZE).then_some(Poke { address, bytes })
        })
        .collect()
}

/// 200 bits, most significant first, row by row.
fn occupancy(bytes: &[u8; 25]) -> [u16; 20] {
    let mut rows = [0; 20];
    for cell in 0..200 {
        if bytes[cell / 8] >> (7 - cell % 8) & 1 == 1 {
            rows[cell / 10] |= 1 << (cell % 10);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_no_trace_in_one_line() {
        assert_eq!(
            read(b"").expect_err("empty").to_string(),
            "trace is empty: expected a header line and at least one row"
        );
        assert_eq!(
            read(b"a,b\n").expect_err("no columns").to_string(),
            "not a trace: the first line has no column \"mode\", expected the columns of docs/reference/formats.md"
        );
        assert!(read(&[0x1F, 0x8B, 1, 2, 3]).is_err());
    }

    #[test]
    fn pokes_are_addresses_with_hex_bytes() {
        let want =
            vec![Poke { address: 0x40, bytes: vec![1, 2] }, Poke { address: 0x400, bytes: vec![0xEF] }];
        assert_eq!(parse_pokes("40=0102;400=ef"), Some(want));
        assert_eq!(parse_pokes("40=1"), None);
        assert_eq!(parse_pokes("7ff=0102"), None);
    }
}
