//! A game live in a terminal: [`Live`] is shown every frame and keeps the pace; [`view`] draws.
//!
//! Keys only change which frames are shown and how fast; they do not change what is played. A terminal that fails or
//! vanishes ends the program as the key `q` does.

pub mod colours;
pub mod controls;
mod history;
mod keys;
mod screen;
pub mod view;

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use screen::restore;

use crate::pace::Pace;
use controls::{Controls, PausedStep};
use history::History;
use keys::Keys;
use maxout_rules::Region;
use maxout_rules::observer::Observer;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Page, Score};
use screen::TerminalScreen;
use view::Scene;

/// Between two drawings, at least.
const DRAWING: Duration = Duration::from_millis(33);
/// Between two looks at the terminal while nothing moves.
const PAUSE: Duration = Duration::from_millis(100);

/// Whether there is a terminal to draw on and to read keys from.
pub fn has_terminal() -> bool {
    io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// A terminal that shows a game. The terminal is as it was before when this is dropped, also by a panic.
pub struct Live {
    screen: TerminalScreen,
    keys: Keys,
    controls: Controls,
    scene: Scene,
    ledger: Ledger,
    history: History,
    pace: Pace,
    region: Region,
    drawn: Option<Instant>,
    true_colour: bool,
    interrupt: Arc<AtomicBool>,
}

/// What is counted while looking on.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    observer: Observer,
    score: Score,
}

impl Ledger {
    /// Takes in a frame: brings `scene` up to date. True if a piece came into play.
    pub fn frame(&mut self, scene: &mut Scene, now: &Snapshot) -> bool {
        let events = self.observer.see(now);
        scene.show(now);
        if events.spawned {
            scene.drought = match now.current.piece() {
                Some(maxout_rules::Piece::I) => 0,
                _ => scene.drought + 1,
            };
        }
        if let Some(lock) = events.scored {
            self.score.add_lock(lock.rows, now.progress.level, lock.soft_drop, false);
            scene.score = self.score.value();
            scene.pieces += 1;
            match lock.rows {
                0 => {}
                4 => (scene.tetrises, scene.burn) = (scene.tetrises + 1, 0),
                lines => scene.burn += u32::from(lines),
            }
        }
        events.spawned
    }
}

impl Live {
    /// Takes the terminal over to show a game at the speed of this region's console, with the texts of [`Scene::new`]. It is
    /// left when `interrupt` becomes true.
    pub fn new(
        title: &str,
        game: &str,
        what: &str,
        region: Region,
        interrupt: &Arc<AtomicBool>,
    ) -> io::Result<Self> {
        Ok(Self {
            screen: TerminalScreen::new()?,
            keys: Keys::default(),
            controls: Controls::default(),
            scene: Scene::new(title, game, what),
            ledger: Ledger::default(),
            history: History::default(),
            pace: Pace::new(region.frames_per_second()),
            region,
            drawn: None,
            true_colour: colours::has_all(std::env::var("COLORTERM").ok().as_deref()),
            interrupt: Arc::clone(interrupt),
        })
    }

    /// A new game begins.
    pub fn begin(&mut self, game: &str) {
        self.scene = Scene::new(&self.scene.title, game, &self.scene.what);
        self.ledger = Ledger::default();
    }

    /// Shows a frame of play, with the tiles of the field, and waits until the next is due. False if the user wants to
    /// leave.
    pub fn frame(&mut self, now: &Snapshot, page: &Page) -> bool {
        self.scene.page = *page;
        let spawned = self.ledger.frame(&mut self.scene, now);
        self.history.add(self.scene.clone(), spawned);
        self.show()
    }

    /// Shows the end of a game until the user wants to leave.
    pub fn end(&mut self, how: &str) {
        self.history.amend(|newest| newest.what = how.into());
        loop {
            self.controls.paused = true;
            if !self.show() {
                return;
            }
        }
    }

    /// Shows the frame in view, and those after it if the user stepped back. False if the user wants to leave.
    fn show(&mut self) -> bool {
        loop {
            let shown = self.look();
            if shown.is_err() || self.controls.quit {
                return false;
            }
            if !self.history.step_on() {
                return true;
            }
        }
    }

    /// Shows one frame for as long as the keys say.
    fn look(&mut self) -> io::Result<()> {
        if self.controls.step == PausedStep::Piece && !self.history.spawned() {
            self.keys(Duration::ZERO)?;
            if self.controls.step == PausedStep::Piece {
                return Ok(());
            }
        }
        if self.controls.step != PausedStep::None {
            self.controls.step = PausedStep::None;
            self.controls.paused = true;
        }
        if self.controls.paused || self.drawn.is_none_or(|drawn| drawn.elapsed() >= DRAWING) {
            self.draw()?;
            self.keys(Duration::ZERO)?;
        }
        while self.controls.paused && self.controls.step == PausedStep::None && !self.controls.quit {
            self.keys(PAUSE)?;
            self.draw()?;
            self.pace.rest();
        }
        if self.controls.step == PausedStep::None
            && let Some(speed) = self.controls.speed()
        {
            self.pace.set(self.region.frames_per_second() * speed);
            self.pace.frame();
        }
        Ok(())
    }

    /// Does a step back, and pauses.
    fn go_back(&mut self) {
        match self.controls.step {
            PausedStep::FrameBack => {
                self.history.step_back();
            }
            PausedStep::PieceBack => self.history.piece_back(),
            PausedStep::None | PausedStep::Frame | PausedStep::Piece => return,
        }
        self.controls.step = PausedStep::None;
        self.controls.paused = true;
    }

    fn draw(&mut self) -> io::Result<()> {
        self.controls.back = self.history.back();
        if let Some(scene) = self.history.scene() {
            self.screen.draw(|frame| {
                view::draw(frame, scene, &self.controls);
                if !self.true_colour {
                    colours::reduce(frame.buffer_mut());
                }
            })?;
        }
        self.drawn = Some(Instant::now());
        Ok(())
    }

    /// Takes what was typed, waiting for it as long as `wait`.
    fn keys(&mut self, wait: Duration) -> io::Result<()> {
        for key in self.keys.read(wait)? {
            self.controls.key(key);
            // Each step is done before the next.
            self.go_back();
        }
        self.controls.quit |= self.interrupt.load(Ordering::Relaxed);
        Ok(())
    }
}
