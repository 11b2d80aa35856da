//! [`Ledger`]: counts what happens in a game and compares the machine with it.

use std::fmt;
use std::time::Duration;

use crate::clock;
use crate::outcome::{GameOutcome, SessionError};
use maxout_record::result::{GameResult, Lock};
use maxout_rules::danger::WATCH_LEVEL;
use maxout_rules::input::Buttons;
use maxout_rules::observer::{Observer, ScoredLock};
use maxout_rules::ram::{Edition, Snapshot};
use maxout_rules::{Board, Page, Placement, Progress, Score, Stop, line_points};

/// The number of frames without a lock after which a game counts as hanging. The slowest fall takes about 1,060.
const WATCHDOG: u64 = 3_000;

/// The number of frames after which a game is broken off: a day. That is less than a button log may hold.
const LONGEST: u64 = 5_192_000;

/// Counts what happens in a game, frame by frame, and compares the machine with it.
pub(crate) struct Ledger {
    outcome: GameOutcome,
    score: Score,
    stop: Stop,
    observer: Observer,
    last_lock: u64,
    /// When the game began, by [`clock::now`].
    begun: Duration,
    account: Account,
    /// The first thing that play cannot explain.
    tampered: Option<SessionError>,
}

/// What the machine must hold after the pieces that have locked.
struct Account {
    page: Page,
    score: Score,
    progress: Progress,
    edition: Edition,
}

impl Account {
    fn of(now: &Snapshot, edition: Edition) -> Self {
        let bcd = |n: u32| (n / 10 % 10 * 16 + n % 10) as u8;
        let digits = [bcd(now.score), bcd(now.score / 100), bcd(now.score / 10_000)];
        let score = Score { digits, millions: now.score / 1_000_000 };
        Self { page: Page::from_rows(now.board.rows()), score, progress: now.progress, edition }
    }

    /// Counts a lock. If the machine counted something else, returns its name, the expected value and the machine's.
    fn lock(
        &mut self,
        placement: Option<Placement>,
        now: &Snapshot,
    ) -> Option<(&'static str, String, String)> {
        let board = Board::from(&self.page);
        let is_free = |at: &Placement| board.is_valid(at.x, at.y, at.orientation);
        let Some(Placement { y, orientation, x }) = placement.filter(is_free) else {
            let got =
                placement.map_or("nothing".to_owned(), |at| format!("{} in {at}", at.orientation.piece()));
            return Some(("what locked is", "a piece on free cells".to_owned(), got));
        };
        let rows = self.page.lock(x, y, orientation);
        self.progress.add_rows(rows);
        let cap = self.edition.has_score_cap();
        self.score.add_lock(rows, self.progress.level, now.hold_down_points, cap);
        let counted = now.completed_lines;
        (rows != counted).then(|| ("lines of a lock", rows.to_string(), counted.to_string()))
    }

    /// Returns what differs from the machine after a complete frame.
    fn differs(&self, after: &Snapshot) -> Option<(&'static str, String, String)> {
        let (Self { page, score, progress, .. }, text) = (self, |n: &dyn fmt::Display| n.to_string());
        let shown = score.value() as u32;
        if shown != after.score {
            return Some(("score", text(&shown), text(&after.score)));
        }
        if *progress != after.progress {
            let name = |p: Progress| format!("{} on level {}", p.lines(), p.level);
            return Some(("lines", name(*progress), name(after.progress)));
        }
        let board = Board::from(page);
        if after.in_control() && board != after.board {
            return Some(("solid cells", text(&board.cells()), format!("{} or others", after.board.cells())));
        }
        None
    }
}

impl Ledger {
    pub fn new(stop: Stop, edition: Edition, now: &Snapshot) -> Self {
        Self {
            outcome: GameOutcome::default(),
            score: Score::default(),
            stop,
            observer: Observer::new(now),
            last_lock: 0,
            begun: clock::now(),
            account: Account::of(now, edition),
            tampered: None,
        }
    }

    /// Counts the frame between two snapshots.
    pub fn frame(&mut self, buttons: Buttons, now: &Snapshot, after: &Snapshot) {
        let outcome = &mut self.outcome;
        outcome.frames += 1;
        outcome.log.push(buttons);
        let mut wrong = None;
        if let Some(ScoredLock { place, rows, soft_drop }) = self.observer.see(after).scored {
            wrong = self.account.lock(place, now);
            let level = self.account.progress.level;
            self.score.add_lock(rows, level, soft_drop, false);
            outcome.result.line_points += line_points(rows, level);
            outcome.result.count_lock(rows);
            let (frame, score) = (outcome.frames, self.score.value());
            outcome.locks.extend(place.map(|placement| Lock { frame, placement, rows, level, score }));
            self.last_lock = outcome.frames;
        } else if !matches!(after.hold_down_points.wrapping_sub(now.hold_down_points), 0 | 1)
            && after.hold_down_points != 0
        {
            let most = format!("at most {}", u16::from(now.hold_down_points) + 1);
            wrong = Some(("rows of soft drop", most, after.hold_down_points.to_string()));
        }
        // If a frame of logic takes two frames, only half of its results are there after the first.
        if after.in_play() {
            wrong = wrong.or_else(|| self.account.differs(after));
        }
        if let (Some((what, expected, got)), None) = (wrong, &self.tampered) {
            self.tampered = Some(SessionError::Tampered { frame: outcome.frames, what, expected, got });
        }
        let result = &mut outcome.result;
        result.topped_out = after.is_topped_out();
        result.reached_stop =
            self.stop.is_reached(after.progress) || self.stop == Stop::TopOut && result.topped_out;
    }

    /// Whether the game has topped out, has reached its stop, or has failed at a level where games fail. A game that
    /// will never end is an error.
    pub fn is_over(&mut self, now: &Snapshot) -> Result<bool, SessionError> {
        let failure = self.failure(now);
        // From the dangerous levels on, a failure is one way for a game to end, not a fault of the machine. A game that takes too long
        // has not failed.
        let fails = failure.as_ref().is_some_and(|failure| !matches!(failure, SessionError::Endless(_)));
        let result = &mut self.outcome.result;
        result.crashed = fails && self.account.progress.level >= WATCH_LEVEL;
        let GameResult { crashed, topped_out, reached_stop, .. } = *result;
        let over = topped_out || reached_stop;
        match failure {
            Some(failure @ SessionError::Tampered { .. }) if !crashed => Err(failure),
            _ if over => Ok(true),
            Some(reason) if crashed => {
                log::warn!("level {}, {} lines: {reason}", now.progress.level, now.progress.lines());
                Ok(true)
            }
            Some(failure) => Err(failure),
            None => Ok(false),
        }
    }

    /// Returns why the game cannot go on.
    fn failure(&mut self, now: &Snapshot) -> Option<SessionError> {
        let frame = self.outcome.frames;
        if !now.is_play() {
            return Some(SessionError::LeftPlay { frame, mode: now.game_mode.byte() });
        }
        let frames = frame - self.last_lock;
        if frames > WATCHDOG {
            return Some(SessionError::Hangs { frames, play_state: now.play_state.byte() });
        }
        self.tampered.take().or_else(|| (frame >= LONGEST).then_some(SessionError::Endless(frame)))
    }

    /// Returns what was counted so far.
    pub const fn so_far(&self) -> &GameOutcome {
        &self.outcome
    }

    /// Returns what was played. A machine that crashed may show anything, so the ledger's own numbers count.
    pub fn close(mut self) -> GameOutcome {
        let outcome = std::mem::take(&mut self.outcome);
        self.filled_in(outcome)
    }

    /// Returns what [`Ledger::close`] would return now.
    pub fn result(&self) -> GameOutcome {
        self.filled_in(self.outcome.clone())
    }

    fn filled_in(&self, outcome: GameOutcome) -> GameOutcome {
        let Account { score, progress, .. } = self.account;
        let result = GameResult {
            score: self.score.value(),
            shown_score: score.value() as u32,
            lines: progress.lines(),
            level: progress.level,
            ..outcome.result
        };
        GameOutcome { result, wall: clock::now().saturating_sub(self.begun), ..outcome }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Seed;

    #[test]
    fn a_game_that_takes_too_long_has_not_crashed() {
        let now = Snapshot::from(&Seed::new(0).start(19));
        let mut ledger = Ledger::new(Stop::TopOut, Edition::Original, &now);
        ledger.account.progress.level = WATCH_LEVEL;
        (ledger.outcome.frames, ledger.last_lock) = (LONGEST, LONGEST);
        assert!(matches!(ledger.is_over(&now), Err(SessionError::Endless(LONGEST))));
        assert!(!ledger.result().result.crashed);
        ledger.last_lock = 0;
        assert!(ledger.is_over(&now).is_ok_and(|over| over), "it hangs");
        assert!(ledger.result().result.crashed);
    }
}
