//! What a score display shows of the machine.

use maxout_record::champs::ChampsFrame;
use maxout_rules::ram::{self, Edition, RamByte, Snapshot};
use maxout_rules::{PieceId, PlayState};

/// Frames of an NTSC console in 2^24 seconds: 1008307711 / 256 / 65536 in a second.
const FRAMES_PER_2_24_SECONDS: u64 = 1_008_307_711;

/// Looks at RAM after every frame of a game and says what a display is to show.
#[derive(Clone, Debug)]
pub struct Display {
    last_state: RamByte<PlayState>,
    das_at_spawn: Option<u32>,
    /// The field with the last locked piece in it, before its full rows were taken out.
    locked: [u8; 200],
    edition: Edition,
}

impl Default for Display {
    fn default() -> Self {
        Self::new(Edition::Original)
    }
}

impl Display {
    /// A display that reads the RAM of this edition.
    pub const fn new(edition: Edition) -> Self {
        Self {
            last_state: RamByte::Known(PlayState::Finished),
            das_at_spawn: None,
            locked: [0; 200],
            edition,
        }
    }

    /// The frame of game number `game`, `frame` frames after its first.
    pub fn show(&mut self, game: usize, frame: u64, ram: &[u8; ram::SIZE]) -> ChampsFrame {
        let now = Snapshot::read_in(self.edition, ram);
        if now.in_control() && self.last_state != PlayState::Control {
            self.das_at_spawn = Some(u32::from(now.autorepeat_x));
        }
        let field = self.field(ram, &now);
        self.last_state = now.play_state;
        ChampsFrame {
            game: game as u32,
            time_ms: milliseconds(frame),
            score: Some(now.score),
            lines: Some(now.progress.lines()),
            level: Some(u32::from(now.progress.level)),
            das: Some(u32::from(now.autorepeat_x)),
            next: code(now.next).filter(|_| !now.next_hidden),
            das_at_spawn: self.das_at_spawn,
            current: code(now.current),
            counts: counts(ram),
            field,
        }
    }

    /// The field as it is on the screen. RAM loses full rows while they are tested; the screen keeps them until the
    /// wipe, which takes two cells of each at a time, from the middle out (docs/how-it-works/the-game.md 3.1 and 3.4).
    fn field(&mut self, ram: &[u8; ram::SIZE], now: &Snapshot) -> [u8; 200] {
        let mut cells: [u8; 200] = std::array::from_fn(|i| colour(ram[usize::from(ram::FIELD) + i]));
        match now.play_state.known() {
            Some(PlayState::Control | PlayState::Lock | PlayState::Curtain)
                if now.current.piece().is_some() =>
            {
                for &(dx, dy) in now.current.cells() {
                    let (column, row) = (i32::from(now.x) + i32::from(dx), i32::from(now.y) + i32::from(dy));
                    if (0..10).contains(&column) && (0..20).contains(&row) {
                        cells[(10 * row + column) as usize] = colour(now.current.tile());
                    }
                }
            }
            Some(PlayState::CheckRows) => {
                if self.last_state != now.play_state {
                    self.locked = cells;
                }
                cells = self.locked;
            }
            Some(PlayState::ClearAnimation) => {
                cells = self.locked;
                let at = |address| usize::from(self.edition.address(address));
                let wiped = usize::from(ram[at(ram::CLEAR_STEP)].min(5));
                let rows = &ram[at(ram::COMPLETED_ROWS)..][..4];
                for &row in rows.iter().filter(|row| (1..20).contains(*row)) {
                    cells[10 * usize::from(row)..][5 - wiped..5 + wiped].fill(0);
                }
            }
            _ => {}
        }
        cells
    }
}

/// Time of the `frame`th frame, rounded down.
fn milliseconds(frame: u64) -> u64 {
    (u128::from(frame) * 1000 * (1 << 24) / u128::from(FRAMES_PER_2_24_SECONDS)) as u64
}

fn code(id: PieceId) -> Option<u32> {
    id.piece().map(|piece| piece as u32)
}

/// Two bytes a piece: tens and ones as BCD, hundreds.
fn counts(ram: &[u8; ram::SIZE]) -> [Option<u32>; 7] {
    let statistics = usize::from(ram::STATISTICS);
    std::array::from_fn(|piece| {
        let [low, high] = [ram[statistics + 2 * piece], ram[statistics + 2 * piece + 1]].map(u32::from);
        Some(high * 100 + (low >> 4) * 10 + (low & 15))
    })
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
    use maxout_record::champs::Version;

    #[test]
    fn a_known_state_gives_the_known_bytes() {
        let mut ram = [0; ram::SIZE];
        ram[0x60..=0x68].copy_from_slice(&[5, 0, 0x12, 0, 19, 0, 16, 19, 1]);
        ram[0x70..=0x75].copy_from_slice(&[0x30, 2, 0, 0x56, 0x34, 0x12]);
        ram[0xBD..=0xC0].copy_from_slice(&[3, 1, 0x0E, 4]);
        ram[0x3FC..=0x3FD].copy_from_slice(&[0x23, 1]);
        ram[0x400..0x4C8].fill(0xEF);
        ram[0x4C5..=0x4C7].copy_from_slice(&[0x7B, 0x7D, 0x7C]);
        let frame = Display::default().show(7, 601, &ram);
        let bytes = frame.encode(Version::V1);
        // 601 frames are 10,000 ms and a bit: 0002710 in 28 bits.
        assert_eq!(bytes[..7], [0x28, 0x00, 0x07, 0x00, 0x02, 0x71, 0x00]);
        // 123456 in 21 bits, 230 in 9, 19 in 6.
        assert_eq!(bytes[7..11], [0xF1, 0x20, 0x39, 0x93]);
        assert_eq!(bytes[11..13], [16 << 3 | 5, 16 << 3 | 6], "DAS and next L, DAS and I in play");
        assert_eq!(bytes[13..20], [0, 0, 0, 0, 0, 0, 123]);
        // The I lies in columns 3 to 6 of row 0, in white.
        assert_eq!(bytes[20..23], [0b0000_0001, 0b0101_0100, 0]);
        assert_eq!(bytes[69..], [0b0001_1011, 0]);
        let bytes = frame.encode(Version::V3);
        // 230 in 12 bits, 19 in 8, 123456 in 24.
        assert_eq!(bytes[..8], [0x68, 0x00, 0x07, 0x00, 0x02, 0x71, 0x00, 0xE6]);
        assert_eq!(bytes[8..14], [19, 0x01, 0xE2, 0x40, 16 << 3 | 5, 16 << 3 | 6]);
        assert_eq!(
            bytes[14..23],
            [0, 0, 0, 0, 0, 0, 0, 0b0000_0001, 0b1110_1100],
            "60 bits of 0, then 123 in 10 and a pad of 2"
        );
        assert_eq!(bytes[72], 0b0001_1011);
    }

    #[test]
    fn full_rows_stay_until_they_are_wiped_from_the_middle() {
        let mut ram = [0; ram::SIZE];
        ram[0x400..0x4C8].fill(0xEF);
        ram[0x4B4..0x4BE].fill(0x7B);
        ram[0x4BE] = 0x7C;
        let mut display = Display::default();
        let mut show = |ram: &[u8; ram::SIZE]| {
            let field = display.show(1, 0, ram).field;
            [&field[170..180], &field[180..190], &field[190..]]
                .map(|row| row.iter().filter(|&&cell| cell > 0).count())
        };
        ram[usize::from(ram::PLAY_STATE)] = 3;
        assert_eq!(show(&ram), [0, 10, 1]);
        // The row is taken out of RAM while the next one is tested.
        ram[0x4B4..0x4BE].fill(0xEF);
        ram[usize::from(ram::COMPLETED_ROWS) + 1] = 18;
        ram[usize::from(ram::CURRENT_PIECE)] = 0x13;
        assert_eq!(show(&ram), [0, 10, 1]);
        ram[usize::from(ram::PLAY_STATE)] = 4;
        for step in 0..5 {
            ram[usize::from(ram::CLEAR_STEP)] = step;
            assert_eq!(show(&ram), [0, 10 - 2 * usize::from(step), 1]);
        }
        ram[usize::from(ram::CLEAR_STEP)] = 1;
        assert_eq!(display.show(1, 0, &ram).field[180..190], [1, 1, 1, 1, 0, 0, 1, 1, 1, 1]);
        ram[usize::from(ram::PLAY_STATE)] = 6;
        assert_eq!(display.show(1, 0, &ram).field[180..190], [0; 10]);
    }
}
