//! [`Snapshot`]: the game's state at a frame boundary, read from RAM or from the rules.

use super::{
    AUTOREPEAT_X, AUTOREPEAT_Y, BINARY_SCORE, COMPLETED_LINES, CURRENT_PIECE, CURTAIN_ROW, Edition,
    FALL_TIMER, FIELD, FRAME_COUNTER, GAME_MODE, GAME_MODE_STATE, GAME_TYPE, GameMode, GameType, HELD,
    HOLD_DOWN_POINTS, LEVEL, LINES, LogicStage, NEXT_HIDDEN, NEXT_PIECE, PLAY_STATE, PRESSED, RENDER_MODE,
    RNG, ROW_MINUS_1, ROW_MINUS_2, RamByte, RenderMode, SCORE, SIZE, SPAWN_COUNT, SPAWN_ID, START_LEVEL,
    VRAM_ROW, X, Y, last,
};
use crate::input::Buttons;
use crate::{Board, EMPTY, Generator, Lfsr, Page, PieceId, Placement, PlayState, Progress, Score};

/// The game's state at a frame boundary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// Which part of the program runs.
    pub game_mode: RamByte<GameMode>,
    /// The stage of the frame's logic that comes next.
    pub game_mode_state: RamByte<LogicStage>,
    /// What the screen shows.
    pub render_mode: RamByte<RenderMode>,
    /// What the game does with the piece.
    pub play_state: RamByte<PlayState>,
    /// The kind of game.
    pub game_type: RamByte<GameType>,
    /// The board, rows -2 to 19.
    pub board: Board,
    /// The piece in play.
    pub current: PieceId,
    /// The piece in the next box.
    pub next: PieceId,
    /// The column of the piece's centre.
    pub x: u8,
    /// The row of the piece's centre.
    pub y: u8,
    /// The number of frames since the piece last dropped.
    pub fall_timer: u8,
    /// The counter of the delayed auto-shift (DAS).
    pub autorepeat_x: u8,
    /// The state of the soft drop.
    pub autorepeat_y: u8,
    /// The number of rows that were soft-dropped while Down has been held.
    pub hold_down_points: u8,
    /// The number of lines that the current lock completed.
    pub completed_lines: u8,
    /// The next row of the field to draw.
    pub vram_row: u8,
    /// The level that was chosen in the menu.
    pub start_level: u8,
    /// The score as the game shows it.
    pub score: u32,
    /// The lines and the level.
    pub progress: Progress,
    /// The piece generator, which fair players must not see.
    pub generator: Generator,
    /// The frame counter.
    pub frame_counter: u16,
    /// The buttons that were held in the last frame.
    pub held: Buttons,
    /// The buttons that were newly pressed in the last frame.
    pub pressed: Buttons,
    /// How far the curtain has fallen after a top-out.
    pub curtain_row: u8,
    /// Whether the next box is hidden.
    pub next_hidden: bool,
}

impl Snapshot {
    /// Where the piece is, or `None` if none is shown.
    #[inline]
    pub fn placement(&self) -> Option<Placement> {
        Some(Placement { y: self.y, orientation: self.current.orientation()?, x: self.x })
    }

    /// Reads RAM of the original game. It reads the player block 60–7F, which is right in every state
    /// (docs/how-it-works/the-game.md 1.2).
    pub fn read(ram: &[u8; SIZE]) -> Self {
        Self::read_in(Edition::Original, ram)
    }

    /// Reads RAM of this edition.
    pub fn read_in(edition: Edition, ram: &[u8; SIZE]) -> Self {
        let byte = |address: u16| ram[usize::from(edition.address(address))];
        let score = match edition {
            Edition::Original => {
                let digits = [byte(SCORE), byte(SCORE + 1), byte(SCORE + 2)];
                Score { digits, millions: 0 }.value() as u32
            }
            Edition::Practice => u32::from_le_bytes([0, 1, 2, 3].map(|i| ram[usize::from(BINARY_SCORE) + i])),
        };
        // The practice edition has other game types, and keeps something else in that byte.
        let game_type = match edition {
            Edition::Original => byte(GAME_TYPE).into(),
            Edition::Practice => RamByte::Known(GameType::A),
        };
        Self {
            game_mode: byte(GAME_MODE).into(),
            game_mode_state: byte(GAME_MODE_STATE).into(),
            render_mode: byte(RENDER_MODE).into(),
            play_state: byte(PLAY_STATE).into(),
            game_type,
            board: board(ram),
            current: PieceId(byte(CURRENT_PIECE)),
            next: PieceId(byte(NEXT_PIECE)),
            x: byte(X),
            y: byte(Y),
            fall_timer: byte(FALL_TIMER),
            autorepeat_x: byte(AUTOREPEAT_X),
            autorepeat_y: byte(AUTOREPEAT_Y),
            hold_down_points: byte(HOLD_DOWN_POINTS),
            completed_lines: byte(COMPLETED_LINES),
            vram_row: byte(VRAM_ROW),
            start_level: byte(START_LEVEL),
            score,
            progress: Progress { lines_low: byte(LINES), lines_high: byte(LINES + 1), level: byte(LEVEL) },
            generator: Generator {
                lfsr: Lfsr(u16::from_be_bytes([byte(RNG), byte(RNG + 1)])),
                spawn_id: PieceId(byte(SPAWN_ID)),
                spawn_count: byte(SPAWN_COUNT),
            },
            frame_counter: u16::from_le_bytes([byte(FRAME_COUNTER), byte(FRAME_COUNTER + 1)]),
            held: Buttons(byte(HELD)),
            pressed: Buttons(byte(PRESSED)),
            curtain_row: byte(CURTAIN_ROW),
            next_hidden: byte(NEXT_HIDDEN) != 0,
        }
    }

    /// Whether a game is running, paused or not, or its ending is shown.
    #[inline]
    #[must_use]
    pub fn is_play(&self) -> bool {
        self.game_mode == GameMode::Play
    }

    /// Whether the game is paused.
    #[inline]
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_play() && self.render_mode == RenderMode::Still
    }

    /// Whether the next frame is a frame of play: after a complete frame of logic, or after the init frame.
    #[inline]
    #[must_use]
    pub fn in_play(&self) -> bool {
        self.is_play()
            && matches!(self.game_mode_state.known(), Some(LogicStage::Init | LogicStage::Counters))
            && self.render_mode == RenderMode::Play
    }

    /// Whether the player controls the piece.
    #[inline]
    #[must_use]
    pub fn in_control(&self) -> bool {
        self.play_state == PlayState::Control
    }

    /// Whether the board has reached the top.
    #[inline]
    #[must_use]
    pub fn is_topped_out(&self) -> bool {
        self.play_state.known().is_some_and(PlayState::is_over)
    }
}

/// Returns the tiles of the field, rows 0 to 19. A cell that holds no tile of the game counts as empty.
pub fn page(ram: &[u8; SIZE]) -> Page {
    let mut page = Page::empty();
    for (index, &byte) in (0..200).zip(&ram[usize::from(FIELD)..=usize::from(last(FIELD))]) {
        page.set_byte(index, byte);
    }
    page
}

/// Returns the board on the field page. Rows -2 and -1 are the page's last twenty bytes (docs/how-it-works/the-game.md
/// 2.4).
fn board(ram: &[u8; SIZE]) -> Board {
    let bytes = |first: u16, last: u16| &ram[usize::from(first)..=usize::from(last)];
    let (visible, above) = (bytes(FIELD, last(FIELD)), bytes(ROW_MINUS_2, last(ROW_MINUS_1)));
    let mut rows = [0; 22];
    for (bits, cells) in rows.iter_mut().zip(above.chunks_exact(10).chain(visible.chunks_exact(10))) {
        for (column, &cell) in cells.iter().enumerate() {
            *bits |= u16::from(cell < EMPTY) << column;
        }
    }
    Board::from_rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_read_from_its_place() {
        let mut ram = [0; SIZE];
        ram[0x17..=0x1A].copy_from_slice(&[0x62, 0xD6, 0x0B, 2]);
        // The working copy lags behind in some states and must not be read.
        ram[0x40..0x60].fill(0x77);
        ram[0x60..=0x69].copy_from_slice(&[5, 3, 0x12, 0, 29, 7, 16, 19, 1, 0x20]);
        ram[0x6E..=0x76].copy_from_slice(&[0xA1, 4, 0x30, 2, 0, 0x56, 0x34, 0x12, 3]);
        ram[0x78] = 0xF3;
        ram[0xA7] = 2;
        ram[0xB1..=0xB2].copy_from_slice(&[0x20, 1]);
        ram[0xBD..=0xC1].copy_from_slice(&[3, 1, 0x0E, 4, 1]);
        ram[0xF5] = 0x01;
        ram[0xF7] = 0x81;
        let now = Snapshot::read(&ram);
        assert_eq!((now.x, now.y, now.current, now.next), (5, 3, PieceId(0x12), PieceId(0x0E)));
        assert_eq!((now.progress.level, now.start_level), (29, 19));
        assert_eq!(now.game_type, GameType::B);
        assert_eq!((now.fall_timer, now.autorepeat_x, now.autorepeat_y), (7, 16, 0xA1));
        assert_eq!((now.hold_down_points, now.completed_lines, now.vram_row), (4, 3, 0x20));
        assert_eq!((now.progress.lines(), now.score, now.curtain_row), (230, 123_456, 0xF3));
        assert_eq!(now.progress, Progress { lines_low: 0x30, lines_high: 2, level: 29 });
        assert_eq!((now.generator.lfsr, now.generator.spawn_count), (Lfsr(0x62D6), 2));
        assert_eq!((now.generator.spawn_id, now.frame_counter), (PieceId(0x0B), 0x0120));
        assert_eq!((now.held, now.pressed), (Buttons::A | Buttons::RIGHT, Buttons::RIGHT));
        assert!(now.in_play() && !now.is_paused() && now.in_control());
        ram[usize::from(RENDER_MODE)] = 0;
        let now = Snapshot::read(&ram);
        assert!(!now.in_play() && now.is_paused());
        ram[usize::from(GAME_MODE)] = 5;
        assert!(!Snapshot::read(&ram).is_paused(), "the demo is not our game");
    }

    #[test]
    fn a_snapshot_of_the_rules_is_that_of_their_ram() {
        let mut game = crate::Seed::new(0).start(18);
        // Miri is too slow for a whole game.
        for frame in 0..if cfg!(miri) { 12 } else { 2_000u16 } {
            let mut ram = [0; SIZE];
            for (address, byte) in (0..).zip(&mut ram) {
                *byte = game.peek(address).unwrap_or(0);
            }
            assert_eq!(Snapshot::from(&game), Snapshot::read(&ram), "frame {frame}");
            game.step(match frame % 97 {
                // In the curtain Start would lead out of play, of which the rules keep no RAM.
                0 | 5 if !game.is_over() => Buttons::START,
                50.. => Buttons::DOWN,
                _ => Buttons(1 << (frame % 2)),
            });
        }
        assert!(game.is_over() || cfg!(miri));
    }

    #[test]
    fn the_rows_above_the_field_come_from_the_end_of_its_page() {
        let mut ram = [0; SIZE];
        ram[0x400..0x500].fill(0xEF);
        for address in [0x4EC, 0x4F6 + 1, 0x400 + 2, 0x4C7] {
            ram[address] = 0x7B;
        }
        // Row 20 of the page is no row of the field.
        ram[0x4C8] = 0x7B;
        let mut rows = [0; 22];
        (rows[0], rows[1], rows[2], rows[21]) = (1 << 0, 1 << 1, 1 << 2, 1 << 9);
        assert_eq!(Snapshot::read(&ram).board, Board::from_rows(rows));
        let tiles = page(&ram);
        assert_eq!((0..200).filter(|&index| tiles.byte(index) != EMPTY).collect::<Vec<_>>(), [2, 199]);
        assert_eq!(tiles.byte(199), 0x7B);
    }
}
