//! Placements of a recorded run and of what a console plays.

use super::{PlacedPiece, PlayedGame, SeenPiece};
use maxout_record::timeline::Timeline;
use maxout_rules::observer::Observer;
use maxout_rules::ram::{GameType, Snapshot};
use maxout_rules::{Placement, Progress, Region};

/// The placements of a recorded run of this region.
pub fn of_timeline(timeline: &Timeline, region: Region) -> PlayedGame {
    let mut game = PlayedGame::default();
    let (mut board, mut progress) = (timeline.board, timeline.progress);
    let mut moves = timeline.moves.iter().peekable();
    for lock in &timeline.locks {
        while let Some(moved) = moves.next_if(|moved| moved.frame <= lock.locked) {
            game.see(seen(lock.spawned, moved.frame, moved.placement, region));
        }
        game.add(PlacedPiece {
            frame: lock.spawned,
            board,
            piece: lock.piece,
            next: Some(lock.next),
            placement: Placement {
                y: lock.placement.y,
                orientation: lock.placement.orientation,
                x: lock.placement.x,
            },
            progress,
            region,
        });
        (board, progress) = (lock.board_after, Progress::at(lock.lines, lock.level));
    }
    game
}

/// The piece of frame `piece` where it is after frame `frame`.
fn seen(piece: u64, frame: u64, at: Placement, region: Region) -> SeenPiece {
    let time_ms = (frame as f64 * 1000.0 / region.frames_per_second()).round() as u64;
    SeenPiece { piece, time_ms, at, is_exact: true }
}

/// Looks on while a console plays, and notes every placement of every A-type game.
#[derive(Clone, Debug, Default)]
pub struct Camera {
    region: Region,
    games: Vec<PlayedGame>,
    observer: Observer,
    is_on: bool,
    /// The state in which the piece in play spawned, and its frame.
    spawned: Option<(u64, Snapshot)>,
    locked: Option<Placement>,
}

impl Camera {
    /// Looks on at a console of this region.
    pub fn of(region: Region) -> Self {
        Self { region, ..Self::default() }
    }

    /// Tells of the state after frame `frame`. Call it for every frame from power-on.
    pub fn see(&mut self, frame: u64, now: &Snapshot) {
        let events = self.observer.see(now);
        if events.began && !now.is_topped_out() {
            self.is_on = now.game_type == GameType::A;
            if self.is_on {
                self.games.push(PlayedGame::default());
            }
            self.spawned = Some((frame, *now));
            self.locked = None;
        }
        if events.spawned {
            self.spawned = Some((frame, *now));
        }
        if let (Some((piece, _)), None, true, Some(game), Some(at)) =
            (&self.spawned, self.locked, self.is_on, self.games.last_mut(), now.placement())
        {
            game.see(seen(*piece, frame, at, self.region));
        }
        if events.locked.is_some() {
            self.locked = events.locked;
        }
        if events.scored.is_some()
            && let (Some((frame, before)), Some(place)) = (self.spawned.take(), self.locked.take())
            && let (true, Some(game)) = (self.is_on, self.games.last_mut())
        {
            game.add(PlacedPiece {
                frame,
                board: before.board,
                piece: place.orientation.piece(),
                next: before.next.piece().filter(|_| !before.next_hidden),
                placement: place,
                progress: before.progress,
                region: self.region,
            });
        }
        if events.ended.is_some() {
            self.is_on = false;
        }
    }

    /// The console was reset or switched off.
    pub fn reset(&mut self) {
        self.is_on = false;
        self.observer.reset();
    }

    /// The games, in order. Those without a placement are left out.
    pub fn finish(mut self) -> Vec<PlayedGame> {
        self.games.retain(|game| !game.pieces.is_empty());
        self.games
    }
}
