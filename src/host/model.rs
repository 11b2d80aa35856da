//! The rules as a host: the same game as on the console, thousands of times faster.

use super::ram::Snapshot;
use super::{Host, HostError};
use crate::game::{Board, Game, Stage};
use crate::input::Buttons;

/// A game on the bit-exact model.
#[derive(Clone, Debug)]
pub struct Model {
    game: Game,
}

impl Model {
    /// Goes on from `game`.
    pub const fn new(game: Game) -> Self {
        Self { game }
    }

    /// The state.
    pub const fn game(&self) -> &Game {
        &self.game
    }
}

impl Host for Model {
    fn step(&mut self, buttons: Buttons) -> Result<(), HostError> {
        self.game.step(buttons);
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        let game = &self.game;
        let paused = game.stage == Stage::Paused;
        Snapshot {
            game_mode: if game.stage == Stage::Left { 3 } else { 4 },
            game_mode_state: if matches!(game.stage, Stage::Paused | Stage::Split) { 7 } else { 2 },
            render_mode: if paused { 0 } else { 3 },
            play_state: game.play_state as u8,
            paused,
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
            level: game.progress.level,
            start_level: game.start_level,
            game_type: 0,
            lines: game.progress.lines(),
            score: game.score.value() as u32,
            progress: game.progress,
            generator: game.generator,
            frame_counter: game.frame_counter,
            held: game.held,
            pressed: game.pressed,
            curtain_row: game.curtain_row,
        }
    }
}
