//! `BinaryFrame` version 1 of `NestrisChamps`: what a score display is sent for every frame of play. A [`Display`]
//! makes one from RAM, [`Frame::encode`] its 71 bytes.

use crate::game::{Orientation, PlayState};
use crate::host::ram::{self, Snapshot};

/// Bytes of a frame. The fields fill 70 of them; the last is 0.
pub const SIZE: usize = 71;

/// Frames of an NTSC console in 2^24 seconds: 1008307711 / 256 / 65536 in a second.
const FRAMES_PER_2_24_SECONDS: u64 = 1_008_307_711;

/// One frame. A number that its bits cannot hold, and `None`, are sent as all ones, which means unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Number of the game (16 bits).
    pub game: u32,
    /// Milliseconds (28 bits).
    pub time_ms: u64,
    /// Score as shown (21 bits).
    pub score: Option<u32>,
    /// Lines (9 bits).
    pub lines: Option<u32>,
    /// Level (6 bits).
    pub level: Option<u32>,
    /// DAS counter now (5 bits).
    pub das: Option<u32>,
    /// The piece in the next box (3 bits: T J Z O S L I from 0).
    pub next: Option<u32>,
    /// DAS counter when the piece appeared (5 bits).
    pub das_at_spawn: Option<u32>,
    /// The piece in play (3 bits).
    pub current: Option<u32>,
    /// Pieces so far, T J Z O S L I (8 bits each).
    pub counts: [Option<u32>; 7],
    /// Colours of the cells, row 0 first: 0 empty, 1 white, 2 the level's first colour, 3 its second.
    pub field: [u8; 200],
}

impl Frame {
    /// The 71 bytes, first bit first. The player number is left 0: the server sets it.
    pub fn encode(&self) -> [u8; SIZE] {
        let mut bits = Bits::default();
        let version = 1;
        let classic = 1;
        bits.put(3, version);
        bits.put(2, classic);
        bits.put(3, 0);
        bits.put(16, u64::from(self.game));
        bits.put(28, self.time_ms);
        for (width, value) in
            [(21, self.score), (9, self.lines), (6, self.level), (5, self.das), (3, self.next)]
        {
            bits.put_or_unknown(width, value);
        }
        bits.put_or_unknown(5, self.das_at_spawn);
        bits.put_or_unknown(3, self.current);
        for count in self.counts {
            bits.put_or_unknown(8, count);
        }
        for &cell in &self.field {
            bits.put(2, u64::from(cell));
        }
        bits.bytes
    }
}

struct Bits {
    bytes: [u8; SIZE],
    next: usize,
}

impl Default for Bits {
    fn default() -> Self {
        Self { bytes: [0; SIZE], next: 0 }
    }
}

impl Bits {
    /// Appends the low `width` bits of a value, the highest first.
    fn put(&mut self, width: u32, value: u64) {
        for bit in (0..width).rev() {
            self.bytes[self.next / 8] |= ((value >> bit & 1) as u8) << (7 - self.next % 8);
            self.next += 1;
        }
    }

    fn put_or_unknown(&mut self, width: u32, value: Option<u32>) {
        let unknown = (1 << width) - 1;
        self.put(width, value.map(u64::from).filter(|&value| value < unknown).unwrap_or(unknown));
    }
}

/// Looks at RAM after every frame of play and says what a display is to show.
#[derive(Clone, Debug, Default)]
pub struct Display {
    last_state: u8,
    das_at_spawn: Option<u32>,
}

impl Display {
    /// The frame of game number `game`, `frame` frames after power-on.
    pub fn show(&mut self, game: usize, frame: u64, ram: &[u8; ram::SIZE]) -> Frame {
        let now = Snapshot::read(ram);
        let control = PlayState::Control as u8;
        if now.play_state == control && self.last_state != control {
            self.das_at_spawn = Some(u32::from(now.autorepeat_x));
        }
        self.last_state = now.play_state;
        let hidden = ram[usize::from(ram::NEXT_HIDDEN)] != 0;
        Frame {
            game: game as u32,
            time_ms: milliseconds(frame),
            score: Some(now.score),
            lines: Some(now.lines),
            level: Some(u32::from(now.level)),
            das: Some(u32::from(now.autorepeat_x)),
            next: code(now.next).filter(|_| !hidden),
            das_at_spawn: self.das_at_spawn,
            current: code(now.current),
            counts: counts(ram),
            field: field(ram, &now),
        }
    }
}

/// Time of the `frame`th frame, rounded down.
fn milliseconds(frame: u64) -> u64 {
    (u128::from(frame) * 1000 * (1 << 24) / u128::from(FRAMES_PER_2_24_SECONDS)) as u64
}

fn code(orientation: Orientation) -> Option<u32> {
    orientation.piece().map(|piece| piece as u32)
}

/// Two bytes a piece: tens and ones as BCD, hundreds.
fn counts(ram: &[u8; ram::SIZE]) -> [Option<u32>; 7] {
    let statistics = usize::from(ram::STATISTICS);
    std::array::from_fn(|piece| {
        let [low, high] = [ram[statistics + 2 * piece], ram[statistics + 2 * piece + 1]].map(u32::from);
        Some(high * 100 + (low >> 4) * 10 + (low & 15))
    })
}

/// The stack, and the piece in the air as it is seen.
fn field(ram: &[u8; ram::SIZE], now: &Snapshot) -> [u8; 200] {
    let first = usize::from(ram::FIELD);
    let mut cells: [u8; 200] = std::array::from_fn(|i| colour(ram[first + i]));
    let falling = matches!(PlayState::from_byte(now.play_state), Some(PlayState::Control | PlayState::Lock));
    if falling && now.current.piece().is_some() {
        for &(dx, dy) in now.current.cells() {
            let (column, row) = (i32::from(now.x) + i32::from(dx), i32::from(now.y) + i32::from(dy));
            if (0..10).contains(&column) && (0..20).contains(&row) {
                cells[(10 * row + column) as usize] = colour(now.current.tile());
            }
        }
    }
    cells
}

fn colour(tile: u8) -> u8 {
    match tile {
        0x7B => 1,
        0x7D => 2,
        0x7C => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Takes a frame apart by the published table of fields, not by the encoder's way.
    fn decode(bytes: &[u8; SIZE]) -> Frame {
        let text: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        let mut next = 0;
        let mut take = |width: u32| {
            let first = next;
            next += width as usize;
            u64::from_str_radix(&text[first..next], 2).expect("bits")
        };
        let known = |width: u32, value: u64| (value != (1 << width) - 1).then_some(value as u32);
        assert_eq!((take(3), take(2), take(3)), (1, 1, 0), "version, game type, player");
        let (game, time_ms) = (take(16) as u32, take(28));
        let [score, lines, level] = [21, 9, 6].map(|width| known(width, take(width)));
        let [das, next_piece, das_at_spawn, current] = [5, 3, 5, 3].map(|width| known(width, take(width)));
        let counts = [8; 7].map(|width| known(width, take(width)));
        let field = std::array::from_fn(|_| take(2) as u8);
        assert_eq!(take(8), 0, "the last byte");
        Frame {
            game,
            time_ms,
            score,
            lines,
            level,
            das,
            next: next_piece,
            das_at_spawn,
            current,
            counts,
            field,
        }
    }

    /// Anything that fits, or unknown.
    fn number(width: u32) -> impl Strategy<Value = Option<u32>> {
        proptest::option::of(0..(1u32 << width) - 1)
    }

    prop_compose! {
        fn any_frame()(
            (game, time_ms) in (0u32..1 << 16, 0u64..1 << 28),
            (score, lines, level) in (number(21), number(9), number(6)),
            (das, next, das_at_spawn, current) in (number(5), number(3), number(5), number(3)),
            counts in proptest::array::uniform7(number(8)),
            field in proptest::collection::vec(0u8..4, 200),
        ) -> Frame {
            let field = field.try_into().expect("200 cells");
            Frame { game, time_ms, score, lines, level, das, next, das_at_spawn, current, counts, field }
        }
    }

    proptest! {
        #[test]
        fn a_frame_decodes_to_what_was_encoded(frame in any_frame()) {
            prop_assert_eq!(decode(&frame.encode()), frame);
        }

        #[test]
        fn what_does_not_fit_is_unknown(
            frame in any_frame(),
            lines in 511u32..,
            level in 63u32..,
            count in 255u32..,
        ) {
            let frame = Frame { lines: Some(lines), level: Some(level), counts: [Some(count); 7], ..frame };
            let unknown = Frame { lines: None, level: None, counts: [None; 7], ..frame.clone() };
            prop_assert_eq!(decode(&frame.encode()), unknown);
        }
    }

    #[test]
    fn a_known_state_gives_the_known_bytes() {
        let mut ram = [0; ram::SIZE];
        ram[0x60..=0x68].copy_from_slice(&[5, 0, 0x12, 0, 19, 0, 16, 19, 1]);
        ram[0x70..=0x75].copy_from_slice(&[0x30, 2, 0, 0x56, 0x34, 0x12]);
        ram[0xBD..=0xC0].copy_from_slice(&[3, 1, 0x0E, 4]);
        ram[0x3FC..=0x3FD].copy_from_slice(&[0x23, 1]);
        ram[0x400..0x4C8].fill(0xEF);
        ram[0x4C5..=0x4C7].copy_from_slice(&[0x7B, 0x7D, 0x7C]);
        let bytes = Display::default().show(7, 601, &ram).encode();
        // 601 frames are 10,000 ms and a bit: 0002710 in 28 bits.
        assert_eq!(bytes[..7], [0x28, 0x00, 0x07, 0x00, 0x02, 0x71, 0x00]);
        // 123456 in 21 bits, 230 in 9, 19 in 6.
        assert_eq!(bytes[7..11], [0xF1, 0x20, 0x39, 0x93]);
        assert_eq!(bytes[11..13], [16 << 3 | 5, 16 << 3 | 6], "DAS and next L, DAS and I in play");
        assert_eq!(bytes[13..20], [0, 0, 0, 0, 0, 0, 123]);
        // The I lies in columns 3 to 6 of row 0, in white.
        assert_eq!(bytes[20..23], [0b0000_0001, 0b0101_0100, 0]);
        assert_eq!(bytes[69..], [0b0001_1011, 0]);
    }
}
