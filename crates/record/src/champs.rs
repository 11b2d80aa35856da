//! [`ChampsFrame`]: one frame as bytes, and [`Frames`], which reads a file of them.

mod steady;

use std::io::{self, BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use crate::text::Bounded;
pub use steady::steady;

/// Bytes that a file may have unpacked: about two hours of play.
pub const MAX_BYTES: u64 = 32 << 20;
/// Bytes of the longest frame.
const LONGEST: usize = 74;
/// How often a file may be packed: web servers pack what is packed already.
const PACKED: usize = 2;
/// Bytes of the field, four cells in each.
const FIELD: usize = 50;
/// How often the player's number may change: a seat is changed now and then, frames of two players take turns.
const MOST_SEATS: usize = 16;
/// Milliseconds by which time falls, at least, where a new game begins. Frames out of order are less apart.
const BACK_MS: u64 = 5_000;
/// Game type of a frame that has everything.
const CLASSIC: u64 = 1;

/// Which layout the bits of a frame have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// Version 1: 71 bytes.
    V1,
    /// Version 2: 72 bytes.
    V2,
    /// Version 3: 73 bytes; what recorders write.
    V3,
    /// Version 4: 74 bytes, fewer with less in them; what the server writes.
    V4,
}

impl Version {
    /// All versions, in order.
    pub const ALL: [Self; 4] = [Self::V1, Self::V2, Self::V3, Self::V4];

    /// The version's number.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Bits of each piece's count.
    const fn count_bits(self) -> u32 {
        match self {
            Self::V1 => 8,
            Self::V2 => 9,
            Self::V3 | Self::V4 => 10,
        }
    }

    /// Version and game type of the frame whose first byte this is.
    fn of(byte: u8) -> Option<(Self, u64)> {
        let (number, kind) =
            if byte & 0x80 == 0 { (byte >> 5, byte >> 3 & 3) } else { (byte >> 2 & 31, byte & 3) };
        let version = Self::ALL.into_iter().find(|version| version.number() == number)?;
        let fits = (version == Self::V4) == (byte & 0x80 != 0) && kind < 3;
        fits.then_some((version, u64::from(kind)))
    }

    /// Bytes of a frame of this game type.
    const fn size(self, kind: u64) -> usize {
        match (self, kind) {
            (Self::V1, _) => 71,
            (Self::V2, _) => 72,
            (Self::V3, _) => 73,
            (Self::V4, CLASSIC) => 74,
            (Self::V4, 0) => 64,
            (Self::V4, _) => 65,
        }
    }

    /// Bytes of a frame of this game type before its field.
    const fn head(self, kind: u64) -> usize {
        match self {
            Self::V1 => 20,
            _ => self.size(kind) - FIELD,
        }
    }
}

/// One frame. A number that its bits cannot hold, and `None`, are sent as all ones, which means unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChampsFrame {
    /// Number of the game (16 bits).
    pub game: u32,
    /// Milliseconds since the game began (28 bits).
    pub time_ms: u64,
    /// Score as shown.
    pub score: Option<u32>,
    /// Lines.
    pub lines: Option<u32>,
    /// Level.
    pub level: Option<u32>,
    /// DAS counter now (5 bits).
    pub das: Option<u32>,
    /// The piece in the next box (3 bits: T J Z O S L I from 0).
    pub next: Option<u32>,
    /// DAS counter when the piece appeared (5 bits).
    pub das_at_spawn: Option<u32>,
    /// The piece in play (3 bits).
    pub current: Option<u32>,
    /// Pieces so far, T J Z O S L I.
    pub counts: [Option<u32>; 7],
    /// Colours of the cells, row 0 first: 0 empty, 1 white, 2 the level's first colour, 3 its second.
    pub field: [u8; 200],
}

/// Why bytes are no frames for score displays.
#[derive(Debug, Error)]
pub enum ChampsError {
    /// The bytes begin as gzip does, and do not go on so.
    #[error("cannot be unpacked, expected whole gzip data")]
    Gzip(#[source] io::Error),
    /// There are too many bytes.
    #[error("has more than {MAX_BYTES} bytes unpacked, expected at most that many")]
    TooLarge,
    /// There are no bytes.
    #[error("has no frame, expected at least one NestrisChamps frame")]
    Empty,
    /// A frame begins with something else than a version and a game type.
    #[error("frame {frame} begins with {byte:02X} hex, expected a NestrisChamps frame of version 1 to 4")]
    Version {
        /// Frame number, from 0.
        frame: usize,
        /// Its first byte.
        byte: u8,
    },
    /// A frame has another version or game type than the first.
    #[error("frame {frame} has another version or game type than frame 0, expected the same in all")]
    Mixed {
        /// Frame number, from 0.
        frame: usize,
    },
    /// The frames are those of several players.
    #[error(
        "frame {frame} is of player {player}, the one before of player {before}, expected frames of one player"
    )]
    Players {
        /// Frame number, from 0.
        frame: usize,
        /// Number of its player.
        player: u8,
        /// Number of the player of the frame before.
        before: u8,
    },
    /// The last frame ends before its field.
    #[error("frame {frame} ends after {got} bytes, expected at least {expected}")]
    Truncated {
        /// Frame number, from 0.
        frame: usize,
        /// Bytes that it has.
        got: usize,
        /// Bytes before its field.
        expected: usize,
    },
}

impl From<io::Error> for ChampsError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Self::TooLarge,
            _ => Self::Gzip(error),
        }
    }
}

/// Reads all frames of a file. Each takes 350 bytes of memory; [`Frames`] reads one at a time.
pub fn read(bytes: &[u8]) -> Result<Vec<ChampsFrame>, ChampsError> {
    Frames::new(bytes).collect()
}

/// The frames of a file, as they are or packed with gzip, once or twice. All have the version of the first. The field of
/// the last may be cut off; what is missing is empty. Nothing follows an error. Where a new game begins under the number
/// of the one before, as in recordings that were put together, it and all later ones have the next numbers.
pub struct Frames<'a> {
    source: Box<dyn BufRead + 'a>,
    /// Why the beginning cannot be unpacked.
    failed: Option<io::Error>,
    /// Version and game type of the first frame.
    kind: Option<(Version, u64)>,
    /// Frames so far.
    number: usize,
    /// The number of the player, and how often it changed.
    player: (u8, usize),
    /// The last frame that told something, and games that began under the number of the one before.
    before: Option<ChampsFrame>,
    begun: u32,
    is_over: bool,
}

impl<'a> Frames<'a> {
    /// The frames in a file.
    pub fn new(file: impl Read + 'a) -> Self {
        let mut source: Box<dyn BufRead + 'a> = Box::new(BufReader::new(Bounded::new(file, MAX_BYTES)));
        let mut failed = None;
        for _ in 0..PACKED {
            match source.fill_buf() {
                Ok([0x1F, 0x8B, ..]) => {
                    source = Box::new(BufReader::new(Bounded::new(MultiGzDecoder::new(source), MAX_BYTES)));
                }
                Ok(_) => {}
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        Self { source, failed, kind: None, number: 0, player: (0, 0), before: None, begun: 0, is_over: false }
    }

    /// Reads until the buffer is full or the file ends, and returns the number of bytes read.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut got = 0;
        while got < buffer.len() {
            match self.source.read(&mut buffer[got..])? {
                0 => break,
                more => got += more,
            }
        }
        Ok(got)
    }

    fn frame(&mut self) -> Result<Option<ChampsFrame>, ChampsError> {
        if let Some(error) = self.failed.take() {
            return Err(error.into());
        }
        let frame = self.number;
        let mut bytes = [0; LONGEST];
        if self.fill(&mut bytes[..1])? == 0 {
            return if frame == 0 { Err(ChampsError::Empty) } else { Ok(None) };
        }
        let byte = bytes[0];
        let kind = Version::of(byte).ok_or(ChampsError::Version { frame, byte })?;
        if *self.kind.get_or_insert(kind) != kind {
            return Err(ChampsError::Mixed { frame });
        }
        let (version, kind) = kind;
        let got = 1 + self.fill(&mut bytes[1..version.size(kind)])?;
        self.number += 1;
        let expected = version.head(kind);
        let mut decoded = ChampsFrame::decode(version, kind, &bytes[..got])
            .ok_or(ChampsError::Truncated { frame, got, expected })?;
        let player = if version == Version::V4 { bytes[1] >> 3 } else { bytes[0] & 7 };
        let (before, changes) = self.player;
        self.player = (player, changes + usize::from(frame > 0 && before != player));
        if self.player.1 > MOST_SEATS {
            return Err(ChampsError::Players { frame, player, before });
        }
        let begins = self.before.as_ref().is_some_and(|before| decoded.begins_anew(before));
        self.begun += u32::from(begins);
        // A frame that tells nothing, between two recordings, hides neither the end of one nor the beginning of the other. Nor does the
        // first piece beside lines and points of the game before.
        let tells = decoded.lines.is_some() && decoded.cells() > 4;
        if tells || begins || self.before.as_ref().is_none_or(|before| before.game != decoded.game) {
            self.before = Some(decoded.clone());
        }
        decoded.game += self.begun;
        Ok(Some(decoded))
    }
}

impl Iterator for Frames<'_> {
    type Item = Result<ChampsFrame, ChampsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let frame = self.frame().transpose();
        self.is_over = !matches!(frame, Some(Ok(_)));
        frame
    }
}

impl ChampsFrame {
    /// The bytes of a classic frame, first bit first. The player number is left 0: the server sets it.
    pub fn encode(&self, version: Version) -> Vec<u8> {
        let mut bits = Writer { bytes: Vec::with_capacity(version.size(CLASSIC)), free: 0 };
        let number = u64::from(version.number());
        // Of version 4 the highest bits of lines and score stand in the second byte.
        let (lines, score) = (coded(13, self.lines), coded(26, self.score));
        match version {
            Version::V4 => {
                bits.put_all(&[
                    (1, 1),
                    (5, number),
                    (2, CLASSIC),
                    (5, 0),
                    (1, lines >> 12),
                    (2, score >> 24),
                ]);
            }
            _ => bits.put_all(&[(3, number), (2, CLASSIC), (3, 0)]),
        }
        bits.put_all(&[(16, self.game.into()), (28, self.time_ms)]);
        let known = |width, value| (width, coded(width, value));
        match version {
            Version::V1 => bits.put_all(&[known(21, self.score), known(9, self.lines), known(6, self.level)]),
            Version::V2 | Version::V3 => {
                bits.put_all(&[known(12, self.lines), known(8, self.level), known(24, self.score)]);
            }
            Version::V4 => bits.put_all(&[(12, lines), known(8, self.level), (24, score)]),
        }
        bits.put_all(&[
            known(5, self.das),
            known(3, self.next),
            known(5, self.das_at_spawn),
            known(3, self.current),
        ]);
        bits.put_all(&self.counts.map(|count| known(version.count_bits(), count)));
        bits.free = 0;
        bits.put_all(&self.field.map(|cell| (2, u64::from(cell))));
        bits.bytes.resize(version.size(CLASSIC), 0);
        bits.bytes
    }

    /// The occupied cells.
    fn cells(&self) -> usize {
        self.field.iter().filter(|&&cell| cell > 0).count()
    }

    /// Whether this frame begins a game under the number of the one before: its first piece is in the air, or counted before it is
    /// seen, and nothing else is counted, after lines, points and a fuller field, or after a later time. What a frame misreads is
    /// not as much.
    fn begins_anew(&self, before: &Self) -> bool {
        let pieces: Option<u32> = self.counts.iter().copied().sum();
        let is_first = match self.cells() {
            0 => pieces == Some(1),
            cells => cells <= 4,
        } && self.lines == Some(0);
        let had = |number: Option<u32>| number.is_some_and(|number| number > 0);
        let counted = self.score == Some(0) && had(before.score) && had(before.lines) && before.cells() > 4;
        let is_back = self.time_ms + BACK_MS <= before.time_ms
            && !had(self.score)
            && (had(before.lines) || before.cells() > 4);
        self.game == before.game && is_first && (counted || is_back)
    }

    /// The frame of which these are the bytes; none if they end before the field.
    fn decode(version: Version, kind: u64, bytes: &[u8]) -> Option<Self> {
        let (head, field) = bytes.split_at_checked(version.head(kind))?;
        let mut bits = Reader { bytes: head, next: 8 };
        // Of version 4 the highest bits of lines and score stand in the second byte.
        let (lines_high, score_high) = match version {
            Version::V4 => {
                bits.next += 5;
                (bits.take(1), bits.take(2))
            }
            _ => (0, 0),
        };
        let (game, time_ms) = (bits.take(16) as u32, bits.take(28));
        let (score, lines, level) = match version {
            Version::V1 => (bits.known(21), bits.known(9), bits.known(6)),
            Version::V2 | Version::V3 => {
                let (lines, level) = (bits.known(12), bits.known(8));
                (bits.known(24), lines, level)
            }
            Version::V4 => {
                let (lines, level) = (lines_high << 12 | bits.take(12), bits.known(8));
                (known(26, score_high << 24 | bits.take(24)), known(13, lines), level)
            }
        };
        let (das, next) = (bits.known(5), bits.known(3));
        let short = version == Version::V4 && kind != CLASSIC;
        let (das_at_spawn, current) =
            if short && kind == 0 { (None, None) } else { (bits.known(5), bits.known(3)) };
        let counts = [(); 7].map(|()| if short { None } else { bits.known(version.count_bits()) });
        let cell = |at: usize| field.get(at / 4).map_or(0, |byte| byte >> (6 - at % 4 * 2) & 3);
        let field = std::array::from_fn(cell);
        Some(Self { game, time_ms, score, lines, level, das, next, das_at_spawn, current, counts, field })
    }
}

/// All ones of a width: unknown.
const fn unknown(width: u32) -> u64 {
    (1 << width) - 1
}

fn coded(width: u32, value: Option<u32>) -> u64 {
    value.map(u64::from).filter(|&value| value < unknown(width)).unwrap_or(unknown(width))
}

fn known(width: u32, value: u64) -> Option<u32> {
    (value != unknown(width)).then_some(value as u32)
}

struct Writer {
    bytes: Vec<u8>,
    /// Bits of the last byte that nothing was put into.
    free: u32,
}

impl Writer {
    /// Appends the low bits of values, each as wide as is said with it, the highest bit first.
    fn put_all(&mut self, values: &[(u32, u64)]) {
        for &(width, value) in values {
            for bit in (0..width).rev() {
                if self.free == 0 {
                    self.bytes.push(0);
                    self.free = 8;
                }
                self.free -= 1;
                if let Some(last) = self.bytes.last_mut() {
                    *last |= ((value >> bit & 1) as u8) << self.free;
                }
            }
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// The next bit.
    next: usize,
}

impl Reader<'_> {
    /// The next bits as a number, the first the highest.
    fn take(&mut self, width: u32) -> u64 {
        let bits = self.next..self.next + width as usize;
        self.next = bits.end;
        bits.fold(0, |value, bit| value << 1 | u64::from(self.bytes[bit / 8] >> (7 - bit % 8) & 1))
    }

    fn known(&mut self, width: u32) -> Option<u32> {
        known(width, self.take(width))
    }
}
