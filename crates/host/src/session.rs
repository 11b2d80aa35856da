//! One game from its first control frame to its stop: [`play`] with a player, [`replay`] from a button log, and the
//! result of the game ([`GameOutcome`]).
//!
//! The same loop drives every host, so a game on the model and one in the emulator differ only in the host.

pub use crate::outcome::{GameOutcome, SessionError};

use std::borrow::BorrowMut;

use crate::Host;
use crate::hand::Hand;
use crate::ledger::Ledger;
use crate::pilot::{Pilot, PilotCounts};
use maxout_engine::player::{Mind, Plan};
use maxout_rules::danger::Health;
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Opening, Stop};

/// A watcher of the game. It is called after every frame, and returns true if the game should go on.
pub type Watcher<'a, H> = dyn FnMut(&H, &Snapshot, Buttons) -> bool + 'a;

/// Plays from the end of the init frame to `stop` or the top-out. `watch` sees each frame and can end the game by
/// returning false.
pub fn play<H: Host>(
    host: &mut H,
    mind: &mut Mind,
    opening: Opening,
    stop: Stop,
    watch: &mut Watcher<'_, H>,
) -> Result<GameOutcome, SessionError> {
    Session::new(host, mind, opening, stop).play(host, watch)
}

/// A game in progress, frame by frame: what [`play`] does, for a caller that has something else to do between frames.
pub struct Session<M> {
    pilot: Pilot<M>,
    ledger: Ledger,
    now: Snapshot,
}

impl<M: BorrowMut<Mind>> Session<M> {
    /// Begins a game on `host`, which is at the end of the init frame.
    pub fn new<H: Host + ?Sized>(host: &H, mind: M, opening: Opening, stop: Stop) -> Self {
        let now = host.snapshot();
        let pilot = Pilot::new(mind, opening).by(host.fall_rule());
        Self { pilot, ledger: Ledger::new(stop, host.edition(), &now), now }
    }

    /// Presses the buttons with this hand, which may miss.
    pub fn with_hand(self, hand: Hand) -> Self {
        Self { pilot: self.pilot.with_hand(hand), ..self }
    }

    /// Plays the game to its end, as [`play`] does.
    pub fn play<H: Host>(
        mut self,
        host: &mut H,
        watch: &mut Watcher<'_, H>,
    ) -> Result<GameOutcome, SessionError> {
        loop {
            let buttons = self.frame(host)?;
            if !watch(host, self.now(), buttons) {
                return Err(SessionError::Interrupted);
            }
            if self.is_over()? {
                return Ok(self.close());
            }
        }
    }

    /// Plays one frame on the host of this game, and returns its buttons: those that were really pressed.
    pub fn frame<H: Host + ?Sized>(&mut self, host: &mut H) -> Result<Buttons, SessionError> {
        let probe = &mut |tried: &[Buttons]| host.probe(tried).unwrap_or(Health::Crashed);
        let buttons = self.pilot.buttons(&self.now, probe);
        self.step(host, buttons)?;
        Ok(buttons)
    }

    /// Plays one frame with buttons that are not the player's. The player plans anew when it plays on.
    pub fn frame_by_hand<H: Host + ?Sized>(
        &mut self,
        host: &mut H,
        buttons: Buttons,
    ) -> Result<(), SessionError> {
        self.pilot.hand_over();
        self.step(host, buttons)
    }

    fn step<H: Host + ?Sized>(&mut self, host: &mut H, buttons: Buttons) -> Result<(), SessionError> {
        host.step(buttons)?;
        let after = host.snapshot();
        self.pilot.verify(&after);
        self.ledger.frame(buttons, &self.now, &after);
        self.now = after;
        Ok(())
    }

    /// Whether the game has topped out, has reached its stop, or has failed at a level where games fail. A game that
    /// will never end is an error.
    pub fn is_over(&mut self) -> Result<bool, SessionError> {
        self.ledger.is_over(&self.now)
    }

    /// Returns the state after the last frame.
    pub const fn now(&self) -> &Snapshot {
        &self.now
    }

    /// Returns the plan that is being executed.
    pub fn plan(&self) -> Option<&Plan> {
        self.pilot.plan()
    }

    /// Returns what was played so far. The numbers that [`Session::close`] fills in at the end are still 0.
    pub const fn so_far(&self) -> &GameOutcome {
        self.ledger.so_far()
    }

    /// Returns what the pilot has counted so far.
    pub const fn counts(&self) -> PilotCounts {
        self.pilot.counts()
    }

    /// Returns the result that the game would have if it ended now.
    pub fn result(&self) -> GameOutcome {
        let (counts, thinking) = (self.pilot.counts(), self.pilot.thinking());
        GameOutcome { counts, thinking, ..self.ledger.result() }
    }

    /// Ends the game and returns its result.
    pub fn close(self) -> GameOutcome {
        let (counts, thinking) = (self.pilot.counts(), self.pilot.thinking());
        GameOutcome { counts, thinking, ..self.ledger.close() }
    }
}

/// Plays the buttons of a log from the end of the init frame, and counts as [`play`] does. It ends with the log, or
/// earlier if the game reaches `stop` or the top-out. The outcome has no decisions.
pub fn replay<H: Host>(
    host: &mut H,
    log: &[Buttons],
    stop: Stop,
    watch: &mut Watcher<'_, H>,
) -> Result<GameOutcome, SessionError> {
    let mut now = host.snapshot();
    let mut ledger = Ledger::new(stop, host.edition(), &now);
    for &buttons in log {
        host.step(buttons)?;
        let after = host.snapshot();
        ledger.frame(buttons, &now, &after);
        if !watch(host, &after, buttons) {
            return Err(SessionError::Interrupted);
        }
        now = after;
        if ledger.is_over(&now)? {
            break;
        }
    }
    Ok(ledger.close())
}
