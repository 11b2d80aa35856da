//! The game as RAM: [`Game::peek`] and [`Game::poke`] by the addresses of the-game.md 1.

use super::frame::{Game, PlayState, Stage};
use super::page::Page;
use super::piece::Orientation;
use crate::input::Buttons;

impl Game {
    /// The byte that RAM holds at `address`, if it is part of the modelled state. The working copy 40–5F
    /// reads as the player block 60–7F, which it equals at a frame boundary.
    #[must_use]
    pub fn peek(&self, address: u16) -> Option<u8> {
        let paused = self.stage == Stage::Paused;
        Some(match address {
            0x40..=0x5F => return self.peek(address + 0x20),
            0x17 => self.generator.lfsr.high(),
            0x18 => self.generator.lfsr.0 as u8,
            0x19 => self.generator.spawn_id.0,
            0x1A => self.generator.spawn_count,
            0x60 => self.x,
            0x61 => self.y,
            0x62 => self.id.0,
            0x64 => self.progress.level,
            0x65 => self.fall_timer,
            0x66 => self.autorepeat_x,
            0x67 => self.start_level,
            0x68 => self.play_state as u8,
            0x69 => self.vram_row,
            0x6A..=0x6D => self.completed_rows[usize::from(address - 0x6A)],
            0x6E => self.autorepeat_y,
            0x6F => self.hold_down_points,
            0x70 => self.progress.lines_low,
            0x71 => self.progress.lines_high,
            0x72 => self.row_y,
            0x73..=0x75 => self.score.digits[usize::from(address - 0x73)],
            0x76 => self.completed_lines,
            0x77 => self.line_index,
            0x78 => self.curtain_row,
            0xA7 => {
                if matches!(self.stage, Stage::Paused | Stage::Split) {
                    7
                } else {
                    2
                }
            }
            0xB1 => self.frame_counter as u8,
            0xB2 => (self.frame_counter >> 8) as u8,
            0xBD => {
                if paused {
                    0
                } else {
                    3
                }
            }
            0xBF => self.next.0,
            0xC0 => 4,
            0xC1 => 0,
            0xC3 => self.sleep,
            0xD8..=0xDB => self.clear_counts[usize::from(address - 0xD8)],
            0xDF => u8::from(self.next_hidden),
            0xF5 => self.pressed.0,
            0xF7 => self.held.0,
            0x3F0..=0x3FD => {
                let offset = usize::from(address - 0x3F0);
                self.piece_counts[offset / 2][offset % 2]
            }
            0x400..=0x4FF => self.page.byte(address as u8),
            _ => return None,
        })
    }

    /// Writes a byte as something outside the game would. False, and nothing changed, if the address is not
    /// part of the modelled state or the value is none that the game could go on from. Writes to the working
    /// copy 40–5F are lost, as on the machine.
    pub fn poke(&mut self, address: u16, byte: u8) -> bool {
        match address {
            0x40..=0x5F => {}
            0x17 => self.generator.lfsr.0 = self.generator.lfsr.0 & 0x00FF | u16::from(byte) << 8,
            0x18 => self.generator.lfsr.0 = self.generator.lfsr.0 & 0xFF00 | u16::from(byte),
            0x19 => self.generator.spawn_id = Orientation(byte),
            0x1A => self.generator.spawn_count = byte,
            0x60 => self.x = byte,
            0x61 => self.y = byte,
            0x62 => self.id = Orientation(byte),
            0x64 => self.progress.level = byte,
            0x65 => self.fall_timer = byte,
            0x66 => self.autorepeat_x = byte,
            0x67 => self.start_level = byte,
            0x68 => match PlayState::from_byte(byte) {
                Some(state) => self.play_state = state,
                None => return false,
            },
            0x69 => self.vram_row = byte,
            0x6A..=0x6D => self.completed_rows[usize::from(address - 0x6A)] = byte,
            0x6E => self.autorepeat_y = byte,
            0x6F => self.hold_down_points = byte,
            0x70 => self.progress.lines_low = byte,
            0x71 => self.progress.lines_high = byte,
            0x72 => self.row_y = byte,
            0x73..=0x75 => {
                self.score.digits[usize::from(address - 0x73)] = byte;
                self.full_score = self.score;
            }
            0x76 => self.completed_lines = byte,
            0x77 => self.line_index = byte,
            0x78 => self.curtain_row = byte,
            0xB1 => self.frame_counter = self.frame_counter & 0xFF00 | u16::from(byte),
            0xB2 => self.frame_counter = self.frame_counter & 0x00FF | u16::from(byte) << 8,
            0xBF => self.next = Orientation(byte),
            0xC3 => self.sleep = byte,
            0xD8..=0xDB => self.clear_counts[usize::from(address - 0xD8)] = byte,
            0xDF => self.next_hidden = byte != 0,
            0xF5 => self.pressed = Buttons(byte),
            0xF7 => self.held = Buttons(byte),
            0x3F0..=0x3FD => {
                let offset = usize::from(address - 0x3F0);
                self.piece_counts[offset / 2][offset % 2] = byte;
            }
            0x400..=0x4FF => return self.page.set_byte(address as u8, byte),
            _ => return false,
        }
        true
    }

    /// Fills the visible field from occupancy alone, row 0 first, bit c = column c; every cell gets tile 7B.
    pub fn set_field(&mut self, rows: &[u16; 20]) {
        for (row, bits) in (0..20).zip(rows) {
            for column in 0..10 {
                let tile = if bits >> column & 1 == 1 { 0x7B } else { super::EMPTY };
                self.page.set_byte(Page::index(row, column), tile);
            }
        }
    }
}
