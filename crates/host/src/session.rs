//! One game from its first control frame to its stop: [`play`] with a player, [`replay`] from a button log, and
//! what it came to ([`Outcome`]).
//!
//! The same loop drives every host, so a game on the model and on the console differ in nothing but the host.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::pilot::{Counts, Pilot};
use crate::{Host, HostError};
use maxout_engine::movegen::Placement;
use maxout_engine::player::Mind;
use maxout_engine::search::clairvoyant::Goal;
use maxout_rules::danger::{Health, WATCH_LEVEL};
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::ram::Snapshot;
use maxout_rules::{Board, Opening, Orientation, Page, PlayState, Progress, Score, line_points};

/// When a game is finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// At the clear that reaches level 29.
    Level29,
    /// When the stack reaches the top.
    TopOut,
    /// At the clear that reaches this many lines.
    Lines(u32),
}

impl Stop {
    fn is_reached(self, now: &Snapshot) -> bool {
        match self {
            Self::Level29 => now.level >= 29,
            Self::TopOut => false,
            Self::Lines(lines) => now.lines >= lines,
        }
    }
}

impl From<Stop> for Goal {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Level29 => Self::Level29,
            Stop::TopOut => Self::Never,
            Stop::Lines(lines) => Self::Lines(lines),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level29 => f.write_str("level29"),
            Self::TopOut => f.write_str("topout"),
            Self::Lines(lines) => write!(f, "lines:{lines}"),
        }
    }
}

/// Text that names no stop.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("unknown stop {0:?}: expected level29, topout or lines:N with N from 1 to 3300")]
pub struct ParseStopError(String);

impl FromStr for Stop {
    type Err = ParseStopError;

    fn from_str(text: &str) -> Result<Self, ParseStopError> {
        match text {
            "level29" => Ok(Self::Level29),
            "topout" => Ok(Self::TopOut),
            _ => text
                .strip_prefix("lines:")
                .and_then(|n| n.parse().ok())
                .filter(|n| (1..=3300).contains(n))
                .map(Self::Lines)
                .ok_or_else(|| ParseStopError(text.to_owned())),
        }
    }
}

/// A piece that locked, and what it brought.
///
/// The board after each lock follows from the placements: lock them one after the other on an empty
/// [`maxout_rules::Board`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lock {
    /// Frame of play in which it was scored; the first is 1.
    pub frame: u64,
    /// Where the piece locked.
    pub placement: Placement,
    /// Lines it cleared, 0–4.
    pub rows: u8,
    /// Level after it.
    pub level: u8,
    /// Uncapped score after it, soft drop included.
    pub score: u64,
}

/// What a game came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Points as the game would have given them without its cap.
    pub score: u64,
    /// The same without soft drop.
    pub line_points: u64,
    /// Points as the game shows them.
    pub shown_score: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Level at the end.
    pub level: u8,
    /// Clears by size, singles first.
    pub clears: [u32; 4],
    /// Pieces locked.
    pub pieces: u32,
    /// Each of them, in order.
    pub locks: Vec<Lock>,
    /// Frames from the first control frame to the stop.
    pub frames: u64,
    /// Whether the stack reached the top.
    pub topped_out: bool,
    /// Whether the stop was reached.
    pub reached_stop: bool,
    /// Whether the game itself failed, as the unmodified game can from level 154 on.
    pub crashed: bool,
    /// The pilot's counts.
    pub counts: Counts,
    /// CPU time of the decisions.
    pub thinking: Duration,
    /// Time that the game took on the clock.
    pub wall: Duration,
    /// The buttons of those frames.
    pub log: InputLog,
}

/// Why a game has no outcome.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The host failed.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The game left play without topping out.
    #[error("the game left play in frame {frame}: game mode {mode:02x}, expected 04")]
    LeftPlay {
        /// Control frame.
        frame: u64,
        /// What RAM C0 says.
        mode: u8,
    },
    /// What the machine holds is not what was played on it.
    #[error("frame {frame}: {what} {got}, expected {expected}: not play alone has changed the game")]
    Tampered {
        /// Control frame.
        frame: u64,
        /// What differs.
        what: &'static str,
        /// What should be there.
        expected: String,
        /// What is there.
        got: String,
    },
    /// The game goes on for ever.
    #[error("the game was not over after {0} frames")]
    Endless(u64),
    /// No piece locked for a long time.
    #[error("no piece locked for {frames} frames: the game hangs in play state {play_state:02x}")]
    Hangs {
        /// Frames since the last lock.
        frames: u64,
        /// What RAM 68 says.
        play_state: u8,
    },
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Frames without a lock after which a game counts as hanging; the slowest fall takes about 1,060.
const WATCHDOG: u64 = 3_000;

/// Frames after which a game is broken off: a day. More would not fit into a button log.
const LONGEST: u64 = 5_192_000;

/// Something that looks on: called after every frame with the host, and true to go on.
pub type Watcher<'a, H> = dyn FnMut(&H, &Snapshot, Buttons) -> bool + 'a;

/// Plays from the end of the init frame to `stop` or the top. `watch` sees each frame and may end the game
/// by answering false.
pub fn play<H: Host>(
    host: &mut H,
    mind: &mut Mind,
    opening: Opening,
    stop: Stop,
    watch: &mut Watcher<'_, H>,
) -> Result<Outcome, SessionError> {
    let mut pilot = Pilot::new(mind, opening);
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

/// Plays the buttons of a log from the end of the init frame, and counts as [`play`] does. Ends with the log, or
/// before if the game reaches `stop` or the top. The outcome has no decisions.
pub fn replay<H: Host>(
    host: &mut H,
    log: &[Buttons],
    stop: Stop,
    watch: &mut Watcher<'_, H>,
) -> Result<Outcome, SessionError> {
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

/// Counts what happens in a game, frame by frame, and holds the machine against it.
struct Ledger {
    outcome: Outcome,
    score: Score,
    stop: Stop,
    /// Where the piece was when it last locked; the machine forgets it when rows are cleared.
    placement: Placement,
    last_lock: u64,
    begun: Instant,
    account: Account,
    /// The first thing that play cannot explain.
    tampered: Option<SessionError>,
}

/// What the machine must hold by the pieces that locked.
struct Account {
    page: Page,
    score: Score,
    progress: Progress,
}

impl Account {
    fn of(now: &Snapshot) -> Self {
        let bcd = |n: u32| (n / 10 % 10 * 16 + n % 10) as u8;
        let digits = [bcd(now.score), bcd(now.score / 100), bcd(now.score / 10_000)];
        let score = Score { digits, millions: 0 };
        Self { page: Page::from_rows(now.board.rows()), score, progress: now.progress }
    }

    /// Takes in a lock. What should have been, if the machine counted something else.
    fn lock(&mut self, placement: Placement, now: &Snapshot) -> Option<(&'static str, String, String)> {
        let Placement { x, y, id } = placement;
        if id.piece().is_none() || !Board::from(&self.page).is_valid(x, y, id) {
            let got = format!("{id:?} at column {x}, row {y}");
            return Some(("a piece locked as", "a piece on free cells".to_owned(), got));
        }
        let rows = self.page.lock(x, y, id);
        self.progress.add_rows(rows);
        self.score.add_lock(rows, self.progress.level, now.hold_down_points, true);
        let counted = now.completed_lines;
        (rows != counted).then(|| ("lines of a lock", rows.to_string(), counted.to_string()))
    }

    /// What differs from the machine after a whole frame.
    fn differs(&self, after: &Snapshot) -> Option<(&'static str, String, String)> {
        let (Self { page, score, progress }, text) = (self, |n: &dyn fmt::Display| n.to_string());
        let shown = score.value() as u32;
        if shown != after.score {
            return Some(("score", text(&shown), text(&after.score)));
        }
        if *progress != after.progress {
            let name = |p: Progress| format!("{} on level {}", p.lines(), p.level);
            return Some(("lines", name(*progress), name(after.progress)));
        }
        let stable = after.play_state == PlayState::Control as u8;
        let board = Board::from(page);
        if stable && board != after.board {
            return Some(("solid cells", text(&board.cells()), format!("{} or others", after.board.cells())));
        }
        None
    }
}

impl Ledger {
    fn new(stop: Stop, now: &Snapshot) -> Self {
        Self {
            outcome: Outcome::default(),
            score: Score::default(),
            stop,
            placement: Placement { y: 0, id: Orientation::HIDDEN, x: 0 },
            last_lock: 0,
            begun: Instant::now(),
            account: Account::of(now),
            tampered: None,
        }
    }

    /// Takes in the frame between two snapshots.
    fn frame(&mut self, buttons: Buttons, now: &Snapshot, after: &Snapshot) {
        let outcome = &mut self.outcome;
        outcome.frames += 1;
        outcome.log.push(buttons);
        if after.play_state == PlayState::Lock as u8 {
            self.placement = Placement { y: after.y, id: after.current, x: after.x };
        }
        let mut wrong = None;
        if scored(now, after) {
            let rows = now.completed_lines.min(4);
            wrong = self.account.lock(self.placement, now);
            let level = self.account.progress.level;
            self.score.add_lock(rows, level, now.hold_down_points, false);
            outcome.line_points += line_points(rows, level);
            if rows > 0 {
                outcome.clears[usize::from(rows) - 1] += 1;
            }
            outcome.pieces += 1;
            outcome.locks.push(Lock {
                frame: outcome.frames,
                placement: self.placement,
                rows,
                level,
                score: self.score.value(),
            });
            self.last_lock = outcome.frames;
        } else if !matches!(after.hold_down_points.wrapping_sub(now.hold_down_points), 0 | 1)
            && after.hold_down_points != 0
        {
            let most = format!("at most {}", u16::from(now.hold_down_points) + 1);
            wrong = Some(("rows of soft drop", most, after.hold_down_points.to_string()));
        }
        // A frame of logic that took two has its results half in place.
        if after.in_play() {
            wrong = wrong.or_else(|| self.account.differs(after));
        }
        if let (Some((what, expected, got)), None) = (wrong, &self.tampered) {
            self.tampered = Some(SessionError::Tampered { frame: outcome.frames, what, expected, got });
        }
        outcome.topped_out =
            matches!(PlayState::from_byte(after.play_state), Some(PlayState::Curtain | PlayState::Finished));
        outcome.reached_stop = self.stop.is_reached(after) || self.stop == Stop::TopOut && outcome.topped_out;
    }

    /// Whether the game has topped out, reached its stop or failed where games fail. An error if it will never
    /// come to an end.
    fn is_over(&mut self, now: &Snapshot) -> Result<bool, SessionError> {
        let failure = self.failure(now);
        // From the dangerous levels on a failure is a way for a game to end, not a fault of the machine.
        self.outcome.crashed = failure.is_some() && self.account.progress.level >= WATCH_LEVEL;
        let over = self.outcome.topped_out || self.outcome.reached_stop;
        match failure {
            Some(failure @ SessionError::Tampered { .. }) if !self.outcome.crashed => Err(failure),
            _ if over => Ok(true),
            Some(reason) if self.outcome.crashed => {
                log::warn!("level {}, {} lines: {reason}", now.level, now.lines);
                Ok(true)
            }
            Some(failure) => Err(failure),
            None => Ok(false),
        }
    }

    /// Why the game cannot go on.
    fn failure(&mut self, now: &Snapshot) -> Option<SessionError> {
        let frame = self.outcome.frames;
        if now.game_mode != 4 {
            return Some(SessionError::LeftPlay { frame, mode: now.game_mode });
        }
        let frames = frame - self.last_lock;
        if frames > WATCHDOG {
            return Some(SessionError::Hangs { frames, play_state: now.play_state });
        }
        self.tampered.take().or_else(|| (frame >= LONGEST).then_some(SessionError::Endless(frame)))
    }

    /// What was played; a machine that crashed may show anything.
    fn close(mut self) -> Outcome {
        let Account { score, progress, .. } = self.account;
        self.outcome.score = self.score.value();
        self.outcome.shown_score = score.value() as u32;
        self.outcome.lines = progress.lines();
        self.outcome.level = progress.level;
        self.outcome.wall = self.begun.elapsed();
        self.outcome
    }
}

/// Whether this frame ran the game's scoring step (the-game.md 3.4, state 5).
pub fn scored(before: &Snapshot, after: &Snapshot) -> bool {
    after.play_state == PlayState::Goal as u8 && before.play_state != PlayState::Goal as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_read_as_they_print() {
        for text in ["level29", "topout", "lines:1390"] {
            assert_eq!(text.parse::<Stop>().expect("a stop").to_string(), text);
        }
        assert!("lines:0".parse::<Stop>().is_err());
        assert!("forever".parse::<Stop>().is_err());
    }
}
