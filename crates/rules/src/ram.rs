//! The game's memory map (docs/how-it-works/the-game.md 1) and [`Snapshot`], the typed reading of it.

use crate::input::Buttons;
use crate::{Board, EMPTY, Generator, Lfsr, Orientation, Page, Progress, Score};

/// Size of the console's RAM.
pub const SIZE: usize = 0x800;

/// Generator, high byte; the low byte follows.
pub const RNG: u16 = 0x17;
/// Orientation last picked by the generator.
pub const SPAWN_ID: u16 = 0x19;
/// Picks since reset.
pub const SPAWN_COUNT: u16 = 0x1A;
/// Column of the piece's centre (player block, as all of 60–7F).
pub const X: u16 = 0x60;
/// Row of the piece's centre.
pub const Y: u16 = 0x61;
/// Orientation of the piece in play.
pub const CURRENT_PIECE: u16 = 0x62;
/// Level, binary.
pub const LEVEL: u16 = 0x64;
/// Frames since the last drop.
pub const FALL_TIMER: u16 = 0x65;
/// DAS counter.
pub const AUTOREPEAT_X: u16 = 0x66;
/// Level chosen in the menu, 0–19.
pub const START_LEVEL: u16 = 0x67;
/// Play state.
pub const PLAY_STATE: u16 = 0x68;
/// Next field row to draw.
pub const VRAM_ROW: u16 = 0x69;
/// Row numbers of the completed rows, four bytes, 0 for none.
pub const COMPLETED_ROWS: u16 = 0x6A;
/// Soft-drop state.
pub const AUTOREPEAT_Y: u16 = 0x6E;
/// Rows soft-dropped in the current hold.
pub const HOLD_DOWN_POINTS: u16 = 0x6F;
/// Lines: tens and ones BCD, then hundreds.
pub const LINES: u16 = 0x70;
/// Step of the clear animation.
pub const CLEAR_STEP: u16 = 0x72;
/// Score, BCD, low byte first.
pub const SCORE: u16 = 0x73;
/// Lines completed by the current lock.
pub const COMPLETED_LINES: u16 = 0x76;
/// Curtain position after a top-out.
pub const CURTAIN_ROW: u16 = 0x78;
/// Stage of the frame's logic.
pub const GAME_MODE_STATE: u16 = 0xA7;
/// Frame counter, low byte first.
pub const FRAME_COUNTER: u16 = 0xB1;
/// What the screen shows: 0 legal, title or pause, 1 menus, 2 name entry, 3 play, 4 ending.
pub const RENDER_MODE: u16 = 0xBD;
/// Piece in the next box.
pub const NEXT_PIECE: u16 = 0xBF;
/// Which screen: 0 legal, 1 title, 2 type menu, 3 level menu, 4 play, 5 demo.
pub const GAME_MODE: u16 = 0xC0;
/// 0 A-type, 1 B-type.
pub const GAME_TYPE: u16 = 0xC1;
/// Whether the next box is hidden; Select toggles it in play.
pub const NEXT_HIDDEN: u16 = 0xDF;
/// Buttons newly pressed.
pub const PRESSED: u16 = 0xF5;
/// Buttons held.
pub const HELD: u16 = 0xF7;
/// Piece counts, two bytes each, T J Z O S L I: tens and ones as BCD, then hundreds.
pub const STATISTICS: u16 = 0x3F0;
/// The field page.
pub const FIELD: u16 = 0x400;

/// The game's state at a frame boundary, read from RAM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// C0.
    pub game_mode: u8,
    /// A7.
    pub game_mode_state: u8,
    /// BD.
    pub render_mode: u8,
    /// 68; see [`crate::PlayState::from_byte`].
    pub play_state: u8,
    /// In play, but paused.
    pub paused: bool,
    /// The stack, rows -2..=19.
    pub board: Board,
    /// The piece in play.
    pub current: Orientation,
    /// The piece in the next box.
    pub next: Orientation,
    /// Column of the centre.
    pub x: u8,
    /// Row of the centre.
    pub y: u8,
    /// Frames since the last drop.
    pub fall_timer: u8,
    /// DAS counter.
    pub autorepeat_x: u8,
    /// Soft-drop state.
    pub autorepeat_y: u8,
    /// Rows soft-dropped in the current hold.
    pub hold_down_points: u8,
    /// Lines completed by the current lock.
    pub completed_lines: u8,
    /// Next field row to draw.
    pub vram_row: u8,
    /// Level.
    pub level: u8,
    /// Level chosen in the menu.
    pub start_level: u8,
    /// 0 A-type, 1 B-type.
    pub game_type: u8,
    /// Lines.
    pub lines: u32,
    /// Score as shown.
    pub score: u32,
    /// Lines and level as stored.
    pub progress: Progress,
    /// The piece generator: not for fair players.
    pub generator: Generator,
    /// Frame counter.
    pub frame_counter: u16,
    /// Buttons held in the last frame.
    pub held: Buttons,
    /// Buttons newly pressed in the last frame.
    pub pressed: Buttons,
    /// Curtain position.
    pub curtain_row: u8,
    /// Whether the next box is hidden.
    pub next_hidden: bool,
}

impl Snapshot {
    /// Reads RAM. Reads the player block 60–7F, which is right in every state (docs/how-it-works/the-game.md 1.2).
    pub fn read(ram: &[u8; SIZE]) -> Self {
        let byte = |address: u16| ram[usize::from(address)];
        let game_mode = byte(GAME_MODE);
        let render_mode = byte(RENDER_MODE);
        let progress = Progress { lines_low: byte(LINES), lines_high: byte(LINES + 1), level: byte(LEVEL) };
        let digits = [byte(SCORE), byte(SCORE + 1), byte(SCORE + 2)];
        Self {
            game_mode,
            game_mode_state: byte(GAME_MODE_STATE),
            render_mode,
            play_state: byte(PLAY_STATE),
            paused: game_mode == 4 && render_mode == 0,
            board: board(ram),
            current: Orientation(byte(CURRENT_PIECE)),
            next: Orientation(byte(NEXT_PIECE)),
            x: byte(X),
            y: byte(Y),
            fall_timer: byte(FALL_TIMER),
            autorepeat_x: byte(AUTOREPEAT_X),
            autorepeat_y: byte(AUTOREPEAT_Y),
            hold_down_points: byte(HOLD_DOWN_POINTS),
            completed_lines: byte(COMPLETED_LINES),
            vram_row: byte(VRAM_ROW),
            level: byte(LEVEL),
            start_level: byte(START_LEVEL),
            game_type: byte(GAME_TYPE),
            lines: progress.lines(),
            score: Score { digits, millions: 0 }.value() as u32,
            progress,
            generator: Generator {
                lfsr: Lfsr(u16::from_be_bytes([byte(RNG), byte(RNG + 1)])),
                spawn_id: Orientation(byte(SPAWN_ID)),
                spawn_count: byte(SPAWN_COUNT),
            },
            frame_counter: u16::from_le_bytes([byte(FRAME_COUNTER), byte(FRAME_COUNTER + 1)]),
            held: Buttons(byte(HELD)),
            pressed: Buttons(byte(PRESSED)),
            curtain_row: byte(CURTAIN_ROW),
            next_hidden: byte(NEXT_HIDDEN) != 0,
        }
    }

    /// Whether the next frame is one of play: after a whole frame of logic, or after the init frame.
    pub const fn in_play(&self) -> bool {
        self.game_mode == 4 && matches!(self.game_mode_state, 1 | 2) && self.render_mode == 3
    }
}

/// The tiles of the field, rows 0 to 19; a cell that holds no tile of the game is empty.
pub fn page(ram: &[u8; SIZE]) -> Page {
    let mut page = Page::empty();
    for (index, &byte) in (0..200).zip(&ram[usize::from(FIELD)..]) {
        page.set_byte(index, byte);
    }
    page
}

/// The stack on the field page; rows -1 and -2 are the page's last twenty bytes (docs/how-it-works/the-game.md 2.4).
fn board(ram: &[u8; SIZE]) -> Board {
    let page = &ram[usize::from(FIELD)..usize::from(FIELD) + 0x100];
    let (visible, above) = (&page[..200], &page[236..256]);
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
        assert_eq!((now.x, now.y, now.current, now.next), (5, 3, Orientation(0x12), Orientation(0x0E)));
        assert_eq!((now.level, now.start_level, now.game_type), (29, 19, 1));
        assert_eq!((now.fall_timer, now.autorepeat_x, now.autorepeat_y), (7, 16, 0xA1));
        assert_eq!((now.hold_down_points, now.completed_lines, now.vram_row), (4, 3, 0x20));
        assert_eq!((now.lines, now.score, now.curtain_row), (230, 123_456, 0xF3));
        assert_eq!(now.progress, Progress { lines_low: 0x30, lines_high: 2, level: 29 });
        assert_eq!((now.generator.lfsr, now.generator.spawn_count), (Lfsr(0x62D6), 2));
        assert_eq!((now.generator.spawn_id, now.frame_counter), (Orientation(0x0B), 0x0120));
        assert_eq!((now.held, now.pressed), (Buttons::A | Buttons::RIGHT, Buttons::RIGHT));
        assert!(now.in_play() && !now.paused && now.play_state == 1);
        ram[usize::from(RENDER_MODE)] = 0;
        let now = Snapshot::read(&ram);
        assert!(!now.in_play() && now.paused);
        ram[usize::from(GAME_MODE)] = 5;
        assert!(!Snapshot::read(&ram).paused, "the demo is not our game");
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
