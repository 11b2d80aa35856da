//! One frame of an A-type game: [`Game::step`]. The rules are those of the-game.md 3 and 5, in the game's own order.

use super::page::{CURTAIN, Page};
use super::piece::PieceId;
use super::placement::Placement;
use super::ram::{Edition, FrameStage, PlayState};
use super::rng::{Generator, Lfsr};
use super::score::{Progress, Score, line_points};
use super::timing::{FIRST_PIECE_DELAY, FallRule};
use crate::input::Buttons;

/// The `vram_row` of a field whose picture is up to date.
const DRAWN: u8 = 0x20;
/// The `curtain_row` of a curtain that is down.
pub const CURTAIN_DOWN: u8 = 0x14;

/// The whole state of an A-type game in play, as RAM holds it at a frame boundary.
///
/// Field comments give the RAM address in hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Game {
    /// The field page (0400–04FF).
    pub page: Page,
    /// The column of the piece's centre (60).
    pub x: u8,
    /// The row of the piece's centre (61).
    pub y: u8,
    /// The piece in play (62).
    pub id: PieceId,
    /// The piece in the next box (BF).
    pub next: PieceId,
    /// What the game does with the piece (68).
    pub play_state: PlayState,
    /// Where the frame's logic stands (A7, BD).
    pub stage: FrameStage,
    /// The number of frames since the piece last dropped (65).
    pub fall_timer: u8,
    /// The counter of the delayed auto-shift (66).
    pub autorepeat_x: u8,
    /// The state of the soft drop (6E).
    pub autorepeat_y: u8,
    /// The number of rows that were soft-dropped while Down has been held (6F).
    pub hold_down_points: u8,
    /// The next row of the field to draw; 20 hex when all are drawn (69).
    pub vram_row: u8,
    /// The step of the line-clear animation (72).
    pub row_y: u8,
    /// The number of rows that the current lock completed (76).
    pub completed_lines: u8,
    /// Which of the four rows is tested next (77).
    pub line_index: u8,
    /// The row numbers of the completed rows; 0 means none (6A–6D).
    pub completed_rows: [u8; 4],
    /// How far the curtain has fallen (78).
    pub curtain_row: u8,
    /// The lines and the level (70, 71, 64).
    pub progress: Progress,
    /// The score as the game shows it, with its cap (73–75).
    pub score: Score,
    /// The same points without the cap.
    pub full_score: Score,
    /// The points from lines alone, without the cap.
    pub line_points: u64,
    /// The level that the game started on (67).
    pub start_level: u8,
    /// How fast pieces fall, and with it the version of the game. RAM does not hold it.
    #[serde(default)]
    pub fall_rule: FallRule,
    /// The edition of the game. RAM does not hold it.
    #[serde(default)]
    pub edition: Edition,
    /// The piece generator (17, 18, 19, 1A).
    pub generator: Generator,
    /// The generator that picks the pieces instead, in a game on a seed of the practice edition.
    #[serde(default)]
    pub seeded: Option<Generator>,
    /// The frame counter (B1, B2).
    pub frame_counter: u16,
    /// The buttons that were newly pressed in this frame (F5).
    pub pressed: Buttons,
    /// The buttons that were held in this frame (F7).
    pub held: Buttons,
    /// The sleep counter (C3).
    pub sleep: u8,
    /// Whether the next box is hidden (DF).
    pub next_hidden: bool,
    /// The piece counts in the order T J Z O S L I: ones and tens in BCD, then the hundreds (03F0–03FD).
    pub piece_counts: [[u8; 2]; 7],
    /// The numbers of singles, doubles, triples and tetrises, in BCD (D8–DB).
    pub clear_counts: [u8; 4],
}

impl Game {
    /// Returns the game at the end of its first frame, the init frame (the-game.md 6.5); the first control frame comes next.
    ///
    /// `generator` and `frame_counter` are those of that frame, after its NMI and before its picks. `held` are the
    /// buttons that were held in it.
    pub fn init(start_level: u8, mut generator: Generator, frame_counter: u16, held: Buttons) -> Self {
        generator.spawn_id = PieceId(0);
        Self::undealt(start_level, generator, frame_counter, held).dealt()
    }

    /// Returns the same for a game on `seed` of the practice edition, at frame counter 0. There the autopilot begins such
    /// games, so that they do not depend on the menus.
    pub fn init_seeded(start_level: u8, seed: u32) -> Self {
        let game = Self::undealt(start_level, POWER_ON_GENERATOR, 0, Buttons::NONE);
        Self { edition: Edition::Practice, seeded: Some(Generator::seeded(seed)), ..game }.dealt()
    }

    /// A game without pieces.
    const fn undealt(start_level: u8, generator: Generator, frame_counter: u16, held: Buttons) -> Self {
        Self {
            page: Page::empty(),
            x: 5,
            y: 0,
            id: PieceId(0),
            next: PieceId(0),
            play_state: PlayState::Control,
            stage: FrameStage::Running,
            fall_timer: 0,
            autorepeat_x: 0,
            autorepeat_y: FIRST_PIECE_DELAY,
            hold_down_points: 0,
            vram_row: 0,
            row_y: 0,
            completed_lines: 0,
            line_index: 0,
            completed_rows: [0; 4],
            curtain_row: 0,
            progress: Progress { lines_low: 0, lines_high: 0, level: start_level },
            fall_rule: FallRule::Ntsc,
            edition: Edition::Original,
            seeded: None,
            score: Score::ZERO,
            full_score: Score::ZERO,
            line_points: 0,
            start_level,
            generator,
            frame_counter,
            pressed: Buttons::NONE,
            held,
            sleep: 0,
            next_hidden: false,
            piece_counts: [[0; 2]; 7],
            clear_counts: [0; 4],
        }
    }

    /// Picks the first two pieces.
    fn dealt(mut self) -> Self {
        self.id = self.pick();
        self.count_piece();
        self.generator.lfsr.clock();
        self.next = self.pick();
        self
    }

    fn pick(&mut self) -> PieceId {
        match &mut self.seeded {
            None => self.generator.pick(),
            Some(seeded) => {
                self.generator.spawn_id = seeded.pick_seeded();
                self.generator.spawn_id
            }
        }
    }

    /// Where the piece is, or `None` if none is shown.
    #[inline]
    pub fn placement(&self) -> Option<Placement> {
        Some(Placement { y: self.y, orientation: self.id.orientation()?, x: self.x })
    }

    /// Whether the four cells of `id` at (x, y) are inside the field and free (the-game.md 2.2).
    pub fn is_valid(&self, x: u8, y: u8, id: PieceId) -> bool {
        id.cells().iter().all(|&(dx, dy)| {
            let (row, column) = ((y as i8).wrapping_add(dy), (x as i8).wrapping_add(dx));
            (-2..20).contains(&row)
                && (0..10).contains(&column)
                && !self.page.is_solid(Page::index(row, column))
        })
    }

    /// Whether the game has topped out, or ended altogether.
    pub fn is_over(&self) -> bool {
        self.play_state.is_over() || self.stage == FrameStage::Left
    }

    /// Plays one frame with these buttons held.
    pub fn step(&mut self, buttons: Buttons) {
        self.nmi(buttons);
        match self.stage {
            FrameStage::Left => {}
            FrameStage::Paused => {
                if self.pressed == Buttons::START {
                    self.stage = FrameStage::Running;
                    self.vram_row = 0;
                }
            }
            FrameStage::Split => {
                self.stage = FrameStage::Running;
                self.pause_test();
            }
            FrameStage::Running => self.logic(),
        }
    }

    fn nmi(&mut self, buttons: Buttons) {
        if self.stage != FrameStage::Paused {
            self.draw_field();
        }
        self.sleep = self.sleep.saturating_sub(1);
        self.frame_counter = self.frame_counter.wrapping_add(1);
        self.generator.lfsr.clock();
        self.pressed = buttons & !self.held;
        self.held = buttons;
    }

    fn draw_field(&mut self) {
        if self.play_state == PlayState::ClearAnimation {
            if self.frame_counter & 3 == 0 {
                self.row_y = self.row_y.wrapping_add(1);
                if self.row_y >= 5 {
                    self.play_state = PlayState::Score;
                }
            }
            self.vram_row = 0;
            return;
        }
        if self.vram_row < 0x15 {
            let row = self.vram_row + 4;
            self.vram_row = if row >= 0x14 { DRAWN } else { row };
        }
    }

    fn logic(&mut self) {
        self.fall_timer = self.fall_timer.wrapping_add(1);
        if self.pressed.contains(Buttons::SELECT) {
            self.next_hidden = !self.next_hidden;
        }
        if self.play_state == PlayState::Finished {
            self.stage = FrameStage::Left;
            return;
        }
        self.play();
        if self.held == Buttons::SOFT_RESET {
            self.stage = FrameStage::Left;
        } else if self.held == Buttons::SPLIT {
            self.stage = FrameStage::Split;
        } else {
            self.pause_test();
        }
    }

    fn pause_test(&mut self) {
        if self.pressed.contains(Buttons::START) && self.play_state != PlayState::Curtain {
            self.stage = FrameStage::Paused;
        }
    }

    fn play(&mut self) {
        match self.play_state {
            PlayState::Control => {
                self.shift();
                self.rotate();
                self.fall();
            }
            PlayState::Lock => self.lock(),
            PlayState::CheckRows => self.check_row(),
            PlayState::Score => self.count_score(),
            PlayState::Goal => self.play_state = PlayState::Garbage,
            PlayState::Garbage => self.play_state = PlayState::Spawn,
            PlayState::Spawn => self.spawn(),
            PlayState::Curtain => self.curtain(),
            PlayState::Skip => self.play_state = PlayState::Finished,
            PlayState::ClearAnimation | PlayState::Unused | PlayState::Finished => {}
        }
    }

    fn shift(&mut self) {
        let sideways = Buttons::LEFT | Buttons::RIGHT;
        if self.held.contains(Buttons::DOWN) {
            return;
        }
        if self.pressed.intersects(sideways) {
            self.autorepeat_x = 0;
        } else if !self.held.intersects(sideways) {
            return;
        } else {
            self.autorepeat_x = self.autorepeat_x.wrapping_add(1);
            if self.autorepeat_x < self.fall_rule.region().das_full() {
                return;
            }
            self.autorepeat_x = self.fall_rule.region().das_repeat();
        }
        let right = self.held.contains(Buttons::RIGHT);
        let x = if right { self.x.wrapping_add(1) } else { self.x.wrapping_sub(1) };
        if self.is_valid(x, self.y, self.id) {
            self.x = x;
        } else {
            self.autorepeat_x = self.fall_rule.region().das_full();
        }
    }

    fn rotate(&mut self) {
        let turned = if self.pressed.contains(Buttons::A) {
            self.id.clockwise()
        } else if self.pressed.contains(Buttons::B) {
            self.id.counterclockwise()
        } else {
            return;
        };
        if self.is_valid(self.x, self.y, turned) {
            self.id = turned;
        }
    }

    fn fall(&mut self) {
        let directions = Buttons(0x0F);
        if self.autorepeat_y >= 0x80 {
            if self.pressed.contains(Buttons::DOWN) {
                self.autorepeat_y = 0;
            } else {
                self.autorepeat_y = self.autorepeat_y.wrapping_add(1);
                return;
            }
        }
        if self.autorepeat_y == 0 {
            if !self.held.intersects(Buttons::LEFT | Buttons::RIGHT)
                && self.pressed & directions == Buttons::DOWN
            {
                self.autorepeat_y = 1;
            }
        } else if self.held & directions != Buttons::DOWN {
            self.autorepeat_y = 0;
            self.hold_down_points = 0;
        } else {
            self.autorepeat_y += 1;
            if self.autorepeat_y >= 3 {
                self.autorepeat_y = 1;
                self.hold_down_points = self.hold_down_points.wrapping_add(1);
                self.drop_one();
                return;
            }
        }
        if self.fall_timer.wrapping_sub(self.fall_rule.gravity(self.progress.level)) & 0x80 == 0 {
            self.drop_one();
        }
    }

    fn drop_one(&mut self) {
        self.fall_timer = 0;
        let rows = self.fall_rule.rows_per_drop(self.progress.level);
        for row in 0..rows {
            if !self.is_valid(self.x, self.y.wrapping_add(1), self.id) {
                break;
            }
            self.y = self.y.wrapping_add(1);
            if row + 1 == rows {
                return;
            }
        }
        self.play_state = PlayState::Lock;
        let top = self.lock_top();
        if (top as i8) < self.vram_row as i8 {
            self.vram_row = top;
        }
    }

    /// Returns the first of the four rows that a lock may complete.
    fn lock_top(&self) -> u8 {
        self.y.saturating_sub(2)
    }

    fn lock(&mut self) {
        if !self.is_valid(self.x, self.y, self.id) {
            self.play_state = PlayState::Curtain;
            self.curtain_row = 0xF0;
            return;
        }
        if self.vram_row < DRAWN {
            return;
        }
        for &(dx, dy) in self.id.cells() {
            let index = Page::index(self.y as i8 + dy, self.x as i8 + dx);
            self.page.set_byte(index, self.id.tile());
        }
        self.line_index = 0;
        self.vram_row = self.lock_top();
        self.play_state = PlayState::CheckRows;
    }

    fn check_row(&mut self) {
        if self.vram_row < DRAWN {
            return;
        }
        let row = self.lock_top().wrapping_add(self.line_index);
        let slot = usize::from(self.line_index & 3);
        if self.page.row(row as i8) == 0x3FF {
            self.completed_lines = self.completed_lines.wrapping_add(1);
            self.completed_rows[slot] = row;
            self.page.clear_row(row);
            self.id = PieceId::HIDDEN;
        } else {
            self.completed_rows[slot] = 0;
        }
        self.line_index = self.line_index.wrapping_add(1);
        if self.line_index >= 4 {
            self.vram_row = 0;
            self.row_y = 0;
            self.play_state =
                if self.completed_lines > 0 { PlayState::ClearAnimation } else { PlayState::Score };
        }
    }

    fn count_score(&mut self) {
        let rows = self.completed_lines.min(4);
        if rows > 0 {
            let count = &mut self.clear_counts[usize::from(rows) - 1];
            *count = count.wrapping_add(1);
            if *count & 0x0F >= 0x0A {
                *count = count.wrapping_add(6);
            }
            self.progress.add_rows(rows);
        }
        let level = self.progress.level;
        self.score.add_lock(rows, level, self.hold_down_points, self.edition.has_score_cap());
        self.full_score.add_lock(rows, level, self.hold_down_points, false);
        self.line_points += line_points(rows, level);
        self.completed_lines = 0;
        self.hold_down_points = 0;
        self.play_state = PlayState::Goal;
    }

    fn spawn(&mut self) {
        if self.vram_row < DRAWN {
            return;
        }
        self.fall_timer = 0;
        self.y = 0;
        self.x = 5;
        self.play_state = PlayState::Control;
        self.id = self.next;
        self.count_piece();
        self.next = self.pick();
        self.autorepeat_y = 0;
    }

    fn count_piece(&mut self) {
        let Some(piece) = self.id.piece() else { return };
        let [low, high] = &mut self.piece_counts[piece as usize];
        *low = low.wrapping_add(1);
        if *low & 0x0F >= 0x0A {
            *low = low.wrapping_add(6);
        }
        if *low & 0xF0 >= 0xA0 {
            *low = low.wrapping_add(0x60);
            *high = high.wrapping_add(1);
        }
    }

    fn curtain(&mut self) {
        // The practice edition has neither curtain nor ending.
        if self.edition == Edition::Practice || self.curtain_row == CURTAIN_DOWN {
            // From 30,000 points on an ending comes first, which is not play and not modelled.
            if !self.ending_follows() && self.pressed == Buttons::START {
                self.play_state = PlayState::Finished;
                // Measured (trace a1, frame 980): this uses up the press, so it does not pause the game.
                self.pressed = Buttons::NONE;
            }
            return;
        }
        if self.frame_counter & 3 != 0 {
            return;
        }
        if self.curtain_row < 0x80 {
            for column in 0..10 {
                self.page.set_byte(Page::index(self.curtain_row as i8, column), CURTAIN);
            }
            self.id = PieceId::HIDDEN;
            self.vram_row = self.curtain_row;
        }
        self.curtain_row = self.curtain_row.wrapping_add(1);
    }

    /// Whether the curtain is down on a score that an ending screen follows. The rules end here.
    pub fn ending_follows(&self) -> bool {
        self.edition == Edition::Original
            && self.play_state == PlayState::Curtain
            && self.curtain_row == CURTAIN_DOWN
            && self.score.digits[2] >= 3
    }
}

/// The state of the generator after power-on, for [`super::start`].
pub(super) const POWER_ON_GENERATOR: Generator =
    Generator { lfsr: Lfsr::POWER_ON, spawn_id: PieceId(0), spawn_count: 0 };
