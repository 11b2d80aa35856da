//! The game as RAM: [`Game::peek`] and [`Game::poke`] by the addresses of [`crate::ram`].

use super::frame::Game;
use super::page::Page;
use super::piece::PieceId;
use crate::Board;
use crate::input::Buttons;
use crate::ram::{self, FrameStage, GameMode, GameType, PlayState, RamByte, RenderMode, Snapshot, last};

const RNG_LOW: u16 = ram::RNG + 1;
const WORKING_COPY_LAST: u16 = ram::PLAYER_BLOCK - 1;
const COMPLETED_ROWS_LAST: u16 = last(ram::COMPLETED_ROWS);
const LINES_HIGH: u16 = ram::LINES + 1;
const SCORE_LAST: u16 = last(ram::SCORE);
const FRAME_COUNTER_HIGH: u16 = ram::FRAME_COUNTER + 1;
const CLEAR_COUNTS_LAST: u16 = last(ram::CLEAR_COUNTS);
const STATISTICS_LAST: u16 = last(ram::STATISTICS);
const FIELD_PAGE_LAST: u16 = last(ram::ROW_MINUS_1);

impl Game {
    /// Returns the byte that RAM holds at `address`, if it is part of the modelled state. The working copy 40–5F reads
    /// as the player block 60–7F, which it equals at a frame boundary.
    #[must_use]
    pub fn peek(&self, address: u16) -> Option<u8> {
        Some(match address {
            ram::WORKING_COPY..=WORKING_COPY_LAST => return self.peek(ram::player_block(address)),
            ram::RNG => self.generator.lfsr.high(),
            RNG_LOW => self.generator.lfsr.0 as u8,
            ram::SPAWN_ID => self.generator.spawn_id.0,
            ram::SPAWN_COUNT => self.generator.spawn_count,
            ram::X => self.x,
            ram::Y => self.y,
            ram::CURRENT_PIECE => self.id.0,
            ram::LEVEL => self.progress.level,
            ram::FALL_TIMER => self.fall_timer,
            ram::AUTOREPEAT_X => self.autorepeat_x,
            ram::START_LEVEL => self.start_level,
            ram::PLAY_STATE => self.play_state as u8,
            ram::VRAM_ROW => self.vram_row,
            ram::COMPLETED_ROWS..=COMPLETED_ROWS_LAST => {
                self.completed_rows[usize::from(address - ram::COMPLETED_ROWS)]
            }
            ram::AUTOREPEAT_Y => self.autorepeat_y,
            ram::HOLD_DOWN_POINTS => self.hold_down_points,
            ram::LINES => self.progress.lines_low,
            LINES_HIGH => self.progress.lines_high,
            ram::CLEAR_STEP => self.row_y,
            ram::SCORE..=SCORE_LAST => self.score.digits[usize::from(address - ram::SCORE)],
            ram::COMPLETED_LINES => self.completed_lines,
            ram::LINE_INDEX => self.line_index,
            ram::CURTAIN_ROW => self.curtain_row,
            ram::GAME_MODE_STATE => self.stage.logic_stage() as u8,
            ram::FRAME_COUNTER => self.frame_counter as u8,
            FRAME_COUNTER_HIGH => (self.frame_counter >> 8) as u8,
            ram::RENDER_MODE if self.stage == FrameStage::Paused => RenderMode::Still as u8,
            ram::RENDER_MODE => RenderMode::Play as u8,
            ram::NEXT_PIECE => self.next.0,
            ram::GAME_MODE => GameMode::Play as u8,
            ram::GAME_TYPE => GameType::A as u8,
            ram::SLEEP => self.sleep,
            ram::CLEAR_COUNTS..=CLEAR_COUNTS_LAST => {
                self.clear_counts[usize::from(address - ram::CLEAR_COUNTS)]
            }
            ram::NEXT_HIDDEN => u8::from(self.next_hidden),
            ram::PRESSED => self.pressed.0,
            ram::HELD => self.held.0,
            ram::STATISTICS..=STATISTICS_LAST => {
                let offset = usize::from(address - ram::STATISTICS);
                self.piece_counts[offset / 2][offset % 2]
            }
            // The page begins at a multiple of 256, so the low byte is the place in it.
            ram::FIELD..=FIELD_PAGE_LAST => self.page.byte(address as u8),
            _ => return None,
        })
    }

    /// Writes a byte as something outside the game would. Returns false and changes nothing if the address is not part
    /// of the modelled state, or if the game could not continue from the value. Writes to the working copy 40–5F are
    /// lost, as on the machine.
    pub fn poke(&mut self, address: u16, byte: u8) -> bool {
        match address {
            ram::WORKING_COPY..=WORKING_COPY_LAST => {}
            ram::RNG => self.generator.lfsr.0 = self.generator.lfsr.0 & 0x00FF | u16::from(byte) << 8,
            RNG_LOW => self.generator.lfsr.0 = self.generator.lfsr.0 & 0xFF00 | u16::from(byte),
            ram::SPAWN_ID => self.generator.spawn_id = PieceId(byte),
            ram::SPAWN_COUNT => self.generator.spawn_count = byte,
            ram::X => self.x = byte,
            ram::Y => self.y = byte,
            ram::CURRENT_PIECE => self.id = PieceId(byte),
            ram::LEVEL => self.progress.level = byte,
            ram::FALL_TIMER => self.fall_timer = byte,
            ram::AUTOREPEAT_X => self.autorepeat_x = byte,
            ram::START_LEVEL => self.start_level = byte,
            ram::PLAY_STATE => match PlayState::from_byte(byte) {
                Some(state) => self.play_state = state,
                None => return false,
            },
            ram::VRAM_ROW => self.vram_row = byte,
            ram::COMPLETED_ROWS..=COMPLETED_ROWS_LAST => {
                self.completed_rows[usize::from(address - ram::COMPLETED_ROWS)] = byte;
            }
            ram::AUTOREPEAT_Y => self.autorepeat_y = byte,
            ram::HOLD_DOWN_POINTS => self.hold_down_points = byte,
            ram::LINES => self.progress.lines_low = byte,
            LINES_HIGH => self.progress.lines_high = byte,
            ram::CLEAR_STEP => self.row_y = byte,
            ram::SCORE..=SCORE_LAST => {
                self.score.digits[usize::from(address - ram::SCORE)] = byte;
                self.full_score = self.score;
            }
            ram::COMPLETED_LINES => self.completed_lines = byte,
            ram::LINE_INDEX => self.line_index = byte,
            ram::CURTAIN_ROW => self.curtain_row = byte,
            ram::FRAME_COUNTER => self.frame_counter = self.frame_counter & 0xFF00 | u16::from(byte),
            FRAME_COUNTER_HIGH => self.frame_counter = self.frame_counter & 0x00FF | u16::from(byte) << 8,
            ram::NEXT_PIECE => self.next = PieceId(byte),
            ram::SLEEP => self.sleep = byte,
            ram::CLEAR_COUNTS..=CLEAR_COUNTS_LAST => {
                self.clear_counts[usize::from(address - ram::CLEAR_COUNTS)] = byte;
            }
            ram::NEXT_HIDDEN => self.next_hidden = byte != 0,
            ram::PRESSED => self.pressed = Buttons(byte),
            ram::HELD => self.held = Buttons(byte),
            ram::STATISTICS..=STATISTICS_LAST => {
                let offset = usize::from(address - ram::STATISTICS);
                self.piece_counts[offset / 2][offset % 2] = byte;
            }
            ram::FIELD..=FIELD_PAGE_LAST => return self.page.set_byte(address as u8, byte),
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

impl From<&Game> for Snapshot {
    /// Returns what RAM would hold in this state of the rules.
    #[inline]
    fn from(game: &Game) -> Self {
        let paused = game.stage == FrameStage::Paused;
        Self {
            game_mode: RamByte::Known(game.stage.game_mode()),
            game_mode_state: RamByte::Known(game.stage.logic_stage()),
            render_mode: RamByte::Known(if paused { RenderMode::Still } else { RenderMode::Play }),
            play_state: RamByte::Known(game.play_state),
            game_type: RamByte::Known(GameType::A),
            board: Board::from(&game.page),
            current: game.id,
            next: game.next,
            x: game.x,
            y: game.y,
            fall_timer: game.fall_timer,
            autorepeat_x: game.autorepeat_x,
            autorepeat_y: game.autorepeat_y,
            hold_down_points: game.hold_down_points,
            completed_lines: game.completed_lines,
            vram_row: game.vram_row,
            start_level: game.start_level,
            score: game.score.value() as u32,
            progress: game.progress,
            generator: game.generator,
            frame_counter: game.frame_counter,
            held: game.held,
            pressed: game.pressed,
            curtain_row: game.curtain_row,
            next_hidden: game.next_hidden,
        }
    }
}
