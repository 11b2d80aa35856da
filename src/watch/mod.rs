//! A game live in a terminal: [`Live`] is shown every frame and keeps the pace; [`view`] draws.
//!
//! Keys only change how fast frames are taken: what is played is decided elsewhere.

pub mod controls;
pub mod view;

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::game::{PlayState, Score};
use crate::host::ram::Snapshot;
use crate::pace::{FRAMES_PER_SECOND, Pace};
use crate::session::scored;
use controls::{Controls, Step};
use view::Scene;

/// Between two drawings, at least.
const DRAWING: Duration = Duration::from_millis(33);

/// Whether there is a terminal to draw on and to read keys from.
pub fn has_terminal() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// A terminal that shows a game. The terminal is as it was before when this is dropped, also by a panic.
pub struct Live {
    terminal: DefaultTerminal,
    controls: Controls,
    scene: Scene,
    ledger: Ledger,
    pace: Pace,
    drawn: Option<Instant>,
}

/// What is counted while looking on.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    before: Option<Snapshot>,
    score: Score,
}

impl Ledger {
    /// Takes in a frame: brings `scene` up to date. True if a piece came into play.
    pub fn frame(&mut self, scene: &mut Scene, now: &Snapshot) -> bool {
        let before = self.before.replace(*now).unwrap_or(*now);
        scene.show(now);
        let in_control = |seen: &Snapshot| seen.play_state == PlayState::Control as u8;
        let spawned = in_control(now) && !in_control(&before);
        if spawned {
            scene.drought = match now.current.piece() {
                Some(crate::game::Piece::I) => 0,
                _ => scene.drought + 1,
            };
        }
        if scored(&before, now) {
            let rows = before.completed_lines.min(4);
            self.score.add_lock(rows, now.level, before.hold_down_points, false);
            scene.score = self.score.value();
            scene.pieces += 1;
            match rows {
                0 => {}
                4 => (scene.tetrises, scene.burn) = (scene.tetrises + 1, 0),
                lines => scene.burn += u32::from(lines),
            }
        }
        spawned
    }
}

impl Live {
    /// Takes the terminal over to show what `player` plays on `seed`. `what` says more in a few words.
    pub fn new(player: &str, fair: bool, seed: u64, what: &str) -> io::Result<Self> {
        let terminal = ratatui::try_init()?;
        let scene = Scene::new(player, fair, seed, what);
        let (controls, pace) = (Controls::default(), Pace::new(FRAMES_PER_SECOND));
        Ok(Self { terminal, controls, scene, ledger: Ledger::default(), pace, drawn: None })
    }

    /// A new game begins.
    pub fn begin(&mut self, seed: u64) {
        self.scene = Scene::new(&self.scene.player, self.scene.fair, seed, &self.scene.what);
        self.ledger = Ledger::default();
    }

    /// Shows a frame of play and waits until the next is due. False if somebody wants to leave.
    pub fn frame(&mut self, now: &Snapshot) -> io::Result<bool> {
        let spawned = self.ledger.frame(&mut self.scene, now);
        if self.controls.step == Step::Piece && !spawned {
            return self.keys(Duration::ZERO).map(|()| !self.controls.quit);
        }
        if self.controls.step != Step::None {
            self.controls.step = Step::None;
            self.controls.paused = true;
        }
        if self.controls.paused || self.drawn.is_none_or(|drawn| drawn.elapsed() >= DRAWING) {
            self.draw()?;
            self.keys(Duration::ZERO)?;
        }
        while self.controls.paused && self.controls.step == Step::None && !self.controls.quit {
            self.keys(Duration::from_millis(500))?;
            self.draw()?;
            self.pace.rest();
        }
        if self.controls.step == Step::None
            && let Some(speed) = self.controls.speed()
        {
            self.pace.set(FRAMES_PER_SECOND * speed);
            self.pace.frame();
        }
        Ok(!self.controls.quit)
    }

    /// Shows the end of a game until a key is pressed.
    pub fn end(&mut self, how: &str) -> io::Result<()> {
        how.clone_into(&mut self.scene.what);
        self.controls.paused = true;
        while !self.controls.quit && self.controls.step == Step::None && self.controls.paused {
            self.draw()?;
            self.keys(Duration::from_millis(500))?;
        }
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        self.terminal.draw(|frame| view::draw(frame, &self.scene, &self.controls))?;
        self.drawn = Some(Instant::now());
        Ok(())
    }

    /// Takes what was typed, waiting for it as long as `wait`.
    fn keys(&mut self, wait: Duration) -> io::Result<()> {
        let mut wait = wait;
        while event::poll(wait)? {
            wait = Duration::ZERO;
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                self.controls.key(key);
            }
        }
        Ok(())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        ratatui::restore();
    }
}
