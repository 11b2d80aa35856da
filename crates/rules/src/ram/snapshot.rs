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
