//! One game from its first control frame to its stop: [`play`] with a player, [`replay`] from a button log, and the
//! result of the game ([`GameOutcome`]).
//!
//! The same loop drives every host, so a game on the model and one in the emulator differ only in the host.

pub use crate::outcome::{GameOutcome, Lock, ParseStopError, SessionError, Stop};

use crate::Host;
use crate::ledger::Ledger;
use crate::pilot::Pilot;
use maxout_engine::player::Mind;
use maxout_rules::Opening;
use maxout_rules::danger::Health;
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;

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
    let mut pilot = Pilot::new(mind, opening).with_double_killscreen(host.double_killscreen());
    let mut now = host.snapshot();
    let mut ledger = Ledger::new(stop, &now);
    loop {
        let buttons = pilot.buttons(&now, &mut |tried| host.probe(tried).unwrap_or(Health::Crashed));
        host.step(buttons)?;
        let after = host.snapshot();
        pilot.verify(&after);
        ledger.frame(buttons, &now, &after);
        if !watch(host, &after, buttons) {
            return Err(SessionError::Interrupted);
        }
        if ledger.is_over(&after)? {
            let mut outcome = ledger.close();
            outcome.counts = pilot.counts();
            outcome.thinking = pilot.thinking();
            return Ok(outcome);
        }
        now = after;
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
    let mut ledger = Ledger::new(stop, &now);
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
