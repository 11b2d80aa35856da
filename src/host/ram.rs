//! The game's memory map (docs/game.md 1) and [`Snapshot`], the typed reading of it.

use crate::game::{Board, EMPTY, Generator, Lfsr, Orientation, Progress, Score};
use crate::input::Buttons;

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
/// Soft-drop state.
pub const AUTOREPEAT_Y: u16 = 0x6E;
/// Rows soft-dropped in the current hold.
pub const HOLD_DOWN_POINTS: u16 = 0x6F;
/// Lines: tens and ones BCD, then hundreds.
pub const LINES: u16 = 0x70;
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
/// Buttons newly pressed.
pub const PRESSED: u16 = 0xF5;
/// Buttons held.
pub const HELD: u16 = 0xF7;
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
    /// 68; see [`crate::game::PlayState::from_byte`].
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
}

impl Snapshot {
    /// Reads RAM. Reads the player block 60–7F, which is right in every state (docs/game.md 1.2).
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
        }
    }

    /// Whether the next frame is one of play: after a whole frame of logic, or after the init frame.
    pub const fn in_play(&self) -> bool {
        self.game_mode == 4 && matches!(self.game_mode_state, 1 | 2) && self.render_mode == 3
    }
}

/// The stack on the field page; rows -1 and -2 are the page's last twenty bytes (docs/game.md 2.4).
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
