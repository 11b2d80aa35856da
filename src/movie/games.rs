//! The games in what a console plays, found by looking at RAM after every frame: [`Games::see`], then
//! [`Games::finish`].

use std::fmt;

use serde::Serialize;

use crate::words::{count, number};
use maxout_rules::observer::{GameOver, Observer, ScoredLock};
use maxout_rules::ram::{GameType, Snapshot};
use maxout_rules::{PlayState, Score, line_points};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The game topped out.
    TopOut,
    /// B-type: no line was left.
    Success,
    /// The console or the game was reset.
    Reset,
    /// The log ended first.
    LogEnded,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TopOut => "top-out",
            Self::Success => "success",
            Self::Reset => "reset",
            Self::LogEnded => "the log ended",
        })
    }
}

/// One game. Frames are numbered by whoever calls [`Games::see`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RecordedGame {
    /// `A` or `B`.
    #[serde(rename = "type")]
    pub kind: char,
    /// Points without the cap of 999,999, soft drop included.
    pub score: u64,
    /// Points of lines alone, without the cap.
    pub line_points: u64,
    /// Points as the game shows them.
    pub shown_score: u32,
    /// Lines cleared; in B-type those that are left.
    pub lines: u32,
    /// Level at the end.
    pub level: u8,
    /// Level it started on.
    pub start_level: u8,
    /// Pieces locked.
    pub pieces: u32,
    /// The first frame of control.
    pub first_frame: u64,
    /// The last frame: of the top-out, before a reset, or of the log.
    pub last_frame: u64,
    /// How it ended.
    pub end: End,
}

/// Looks on while a console plays.
#[derive(Clone, Debug, Default)]
pub struct Games {
    finished: Vec<RecordedGame>,
    open: Option<Open>,
    observer: Observer,
}

/// A game in progress.
#[derive(Clone, Debug)]
struct Open {
    game: RecordedGame,
    points: Score,
    /// Whether the last lock has just been scored.
    counted: bool,
}

impl Games {
    /// Tells of the state after frame `frame`. Call it for every frame from power-on.
    pub fn see(&mut self, frame: u64, now: &Snapshot) {
        let events = self.observer.see(now);
        if let Some(open) = &mut self.open {
            if events.ended == Some(GameOver::LeftPlay) {
                return self.close(End::Reset);
            }
            open.see(frame, now, events.scored);
            if events.ended == Some(GameOver::ToppedOut) {
                let success = open.game.kind == 'B' && now.progress.lines() == 0;
                self.close(if success { End::Success } else { End::TopOut });
            }
        } else if events.began && !now.is_topped_out() {
            self.open = Some(Open::new(frame, now));
        }
    }

    /// The console was reset or switched off.
    pub fn reset(&mut self) {
        self.close(End::Reset);
        self.observer.reset();
    }

    /// The log is at its end; all games, in order.
    pub fn finish(mut self) -> Vec<RecordedGame> {
        let won = self.open.as_ref().is_some_and(Open::is_won);
        self.close(if won { End::Success } else { End::LogEnded });
        self.finished
    }

    /// Number of the game in progress, from 1. A won game waits for the player, but is in progress no more.
    pub fn current(&self) -> Option<usize> {
        self.open.as_ref().filter(|open| !open.is_won()).map(|_| self.finished.len() + 1)
    }

    fn close(&mut self, end: End) {
        if let Some(open) = self.open.take() {
            self.finished.push(RecordedGame { end, ..open.game });
        }
    }
}

impl Open {
    fn new(frame: u64, now: &Snapshot) -> Self {
        let game = RecordedGame {
            kind: if now.game_type == GameType::A { 'A' } else { 'B' },
            score: 0,
            line_points: 0,
            shown_score: now.score,
            lines: now.progress.lines(),
            level: now.progress.level,
            start_level: now.start_level,
            pieces: 0,
            first_frame: frame,
            last_frame: frame,
            end: End::LogEnded,
        };
        Self { game, points: Score::default(), counted: counted(now) }
    }

    /// Whether it is a B-type game whose last line is cleared and counted (docs/how-it-works/the-game.md 6.6).
    fn is_won(&self) -> bool {
        self.game.kind == 'B' && self.game.lines == 0 && self.counted
    }

    fn see(&mut self, frame: u64, now: &Snapshot, scored: Option<ScoredLock>) {
        let (game, level) = (&mut self.game, now.progress.level);
        if let Some(ScoredLock { rows, soft_drop, .. }) = scored {
            self.points.add_lock(rows, level, soft_drop, false);
            game.line_points += line_points(rows, level);
            game.pieces += 1;
        }
        game.score = self.points.value();
        (game.shown_score, game.lines, game.level) = (now.score, now.progress.lines(), level);
        game.last_frame = frame;
        self.counted = counted(now);
    }
}

/// Whether the state is the one that follows the counting of a lock.
fn counted(now: &Snapshot) -> bool {
    now.play_state == PlayState::Goal
}

impl fmt::Display for RecordedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}-type from level {}: score {} ({} shown), {}{}, level {}, {}, frames {} to {}, {}",
            self.kind,
            self.start_level,
            number(self.score),
            number(self.shown_score),
            count(self.lines, "line"),
            if self.kind == 'B' { " left" } else { "" },
            self.level,
            count(self.pieces, "piece"),
            self.first_frame,
            self.last_frame,
            self.end
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::ram;

    struct Machine([u8; ram::SIZE]);

    impl Machine {
        fn now(&self) -> Snapshot {
            Snapshot::read(&self.0)
        }

        fn set(&mut self, values: &[(u16, u8)]) -> Snapshot {
            for &(address, value) in values {
                self.0[usize::from(address)] = value;
            }
            self.now()
        }
    }

    const PLAYING: [(u16, u8); 4] =
        [(ram::GAME_MODE, 4), (ram::GAME_MODE_STATE, 2), (ram::RENDER_MODE, 3), (ram::PLAY_STATE, 1)];

    #[test]
    fn tells_top_out_reset_and_the_end_of_the_log_apart() {
        let mut machine = Machine([0; ram::SIZE]);
        let mut games = Games::default();
        games.see(0, &machine.now());
        games.see(1, &machine.set(&PLAYING));
        games.see(2, &machine.set(&[(ram::PLAY_STATE, 0x0A)]));
        games.see(3, &machine.now());
        games.see(4, &machine.set(&[(ram::GAME_MODE, 3)]));
        games.see(5, &machine.set(&PLAYING));
        games.see(6, &machine.set(&[(ram::RENDER_MODE, 0)]));
        assert_eq!(games.current(), Some(2), "a pause ends nothing");
        games.see(7, &machine.set(&[(ram::GAME_MODE, 0)]));
        games.see(8, &machine.set(&PLAYING));
        games.reset();
        games.see(9, &machine.now());
        games.see(10, &machine.set(&[(ram::GAME_MODE, 3)]));
        games.see(11, &machine.set(&PLAYING));
        let games = games.finish();
        let ends: Vec<_> = games.iter().map(|game| (game.first_frame, game.last_frame, game.end)).collect();
        let expected = [(1, 2, End::TopOut), (5, 6, End::Reset), (8, 8, End::Reset), (11, 11, End::LogEnded)];
        assert_eq!(ends, expected);
    }

    #[test]
    fn counts_points_past_the_cap_of_the_game() {
        let mut machine = Machine([0; ram::SIZE]);
        let mut games = Games::default();
        games.see(0, &machine.set(&PLAYING));
        for frame in 1..=100 {
            let scoring = [(ram::PLAY_STATE, 5), (ram::COMPLETED_LINES, 4), (ram::LEVEL, 18)];
            games.see(2 * frame, &machine.set(&scoring));
            let [low, mid, high] = [0, 1, 2].map(|byte| (ram::SCORE + byte, 0x99));
            games.see(2 * frame + 1, &machine.set(&[(ram::PLAY_STATE, 6), low, mid, high]));
        }
        let games = games.finish();
        assert_eq!((games[0].score, games[0].shown_score, games[0].pieces), (2_280_000, 999_999, 100));
    }

    #[test]
    fn a_b_type_game_is_won_when_its_last_line_is_counted() {
        let mut machine = Machine([0; ram::SIZE]);
        machine.set(&[(ram::GAME_TYPE, 1), (ram::LINES, 1)]);
        let mut games = Games::default();
        games.see(0, &machine.set(&PLAYING));
        games.see(1, &machine.set(&[(ram::PLAY_STATE, 6)]));
        assert_eq!(games.current(), Some(1), "a line is left");
        games.see(2, &machine.set(&[(ram::LINES, 0)]));
        assert_eq!(games.current(), None);
        assert_eq!(games.finish()[0].end, End::Success);
    }

    #[test]
    fn the_demo_is_no_game() {
        let mut machine = Machine([0; ram::SIZE]);
        let mut games = Games::default();
        machine.set(&PLAYING);
        games.see(0, &machine.set(&[(ram::GAME_MODE, 5)]));
        assert_eq!(games.finish(), []);
    }
}
