//! What the user's own placements lost: [`OwnRatings`].

use std::collections::VecDeque;

use maxout_engine::Position;
use maxout_rules::{Placement, Region};

use maxout_engine::analysis::{Judgement, MoveClass};
use maxout_engine::movegen::Start;
use maxout_host::review::{PlacedPiece, SeenPiece, meant};
use maxout_record::result::Lock;
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use serde::Serialize;

use crate::pace::pace;
use crate::scene::{CellList, placed};

/// Frames of which the taps are timed: those of five minutes, on PAL of six.
const TIMED_FRAMES: usize = 18_000;

/// A placement of the user's, or of the game in a video, and what it lost.
#[derive(Clone, Serialize, PartialEq, Debug)]
pub struct OwnRating {
    /// The number of the piece in the game; the first is 1.
    pub number: usize,
    /// The frame of play in which it was scored, or the picture in which its piece was first seen.
    pub frame: u64,
    /// How good it is.
    pub class: MoveClass,
    /// The class for people.
    pub name: &'static str,
    /// The points lost against the best placement.
    pub loss: f32,
    /// Why, in words, from an inaccuracy on.
    pub why: Vec<String>,
    /// Whether the limits allow it.
    pub within_limits: bool,
    /// Where the piece went.
    pub played: Placement,
    /// Where it would best have gone.
    pub best: Placement,
    /// Letter of the piece.
    pub piece: char,
    /// The cells of the best placement.
    pub cells: CellList,
    /// Where it was probably meant to go, if it was misdropped.
    pub meant: Option<Placement>,
}

impl OwnRating {
    /// Says what a placement lost.
    pub fn of(number: usize, frame: u64, position: &Position, judgement: &Judgement) -> Self {
        let Judgement { verdict, best, loss, class, within_limits, .. } = *judgement;
        Self {
            number,
            frame,
            class,
            name: class.name(),
            loss,
            why: judgement.why(position, &verdict, class),
            within_limits,
            played: verdict.placement,
            best: best.placement,
            piece: best.placement.orientation.piece().letter(),
            cells: placed(best.placement),
            meant: None,
        }
    }
}

/// The ratings of a game. Pieces that the player placed alone are not rated.
pub struct OwnRatings {
    /// The version of the game.
    region: Region,
    /// The position in which the piece in the air spawned.
    position: Option<Position>,
    /// Whether the user held the controller while it fell.
    by_hand: bool,
    locks: usize,
    list: Vec<OwnRating>,
    counts: [u32; MoveClass::ALL.len()],
    /// Where the piece in the air was seen on its way.
    way: Vec<SeenPiece>,
    /// What the user pressed, frame by frame, and nothing in the player's frames: the last [`TIMED_FRAMES`], the oldest first.
    pressed: VecDeque<Buttons>,
    pace: Option<f32>,
}

impl OwnRatings {
    /// No ratings yet of a game of this region.
    pub const fn new(region: Region) -> Self {
        Self {
            region,
            position: None,
            by_hand: false,
            locks: 0,
            list: Vec::new(),
            counts: [0; MoveClass::ALL.len()],
            way: Vec::new(),
            pressed: VecDeque::new(),
            pace: None,
        }
    }

    /// Notes what was held in a frame.
    pub fn press(&mut self, held: Buttons, by_hand: bool) {
        if self.pressed.len() >= TIMED_FRAMES {
            self.pressed.pop_front();
        }
        self.pressed.push_back(if by_hand { held } else { Buttons::NONE });
    }

    /// Sees the state after frame `frame`, in which the user may have held the controller, and the locks so far. `judge` is asked about
    /// what locked.
    pub fn see(
        &mut self,
        now: &Snapshot,
        (by_hand, frame): (bool, u64),
        locks: &[Lock],
        judge: impl FnOnce(&Position, Placement) -> Option<Judgement>,
    ) {
        self.by_hand |= by_hand;
        if let (Some(lock), true) = (locks.last(), locks.len() > self.locks) {
            self.locks = locks.len();
            let (position, by_hand) = (self.position.take(), std::mem::take(&mut self.by_hand));
            let way = std::mem::take(&mut self.way);
            if let Some(position) = position.filter(|_| by_hand)
                && let Some(judgement) = judge(&position, lock.placement)
            {
                self.add(lock, &position, &judgement, &way);
                self.pace = pace(self.pressed.iter().copied(), self.region);
            }
        }
        if let (true, Some(at)) = (now.in_control(), now.placement())
            && self.way.last().is_none_or(|seen| seen.at != at)
        {
            let time_ms = (1_000.0 * frame as f64 / self.region.frames_per_second()) as u64;
            self.way.push(SeenPiece { piece: 0, time_ms, at, is_exact: true });
        }
        if self.position.is_none()
            && now.in_control()
            && let Some(piece) = now.current.piece()
        {
            self.position = Some(Position {
                board: now.board,
                start: Start::spawn(piece, now.progress.level).by(self.region.into()),
                next: now.next.piece().filter(|_| !now.next_hidden),
                progress: now.progress,
            });
        }
    }

    fn add(&mut self, lock: &Lock, position: &Position, judgement: &Judgement, way: &[SeenPiece]) {
        let at = MoveClass::ALL.iter().position(|&known| known == judgement.class);
        if let Some(at) = at {
            self.counts[at] += 1;
        }
        let &Position { board, next, progress, .. } = position;
        let (piece, placement) = (lock.placement.orientation.piece(), lock.placement);
        let placed = PlacedPiece { frame: 0, board, piece, next, placement, progress, region: self.region };
        let meant = meant(&placed, way, judgement);
        self.list.push(OwnRating { meant, ..OwnRating::of(self.locks, lock.frame, position, judgement) });
    }

    /// Returns the frames of the game in a second.
    pub const fn frames_per_second(&self) -> f64 {
        self.region.frames_per_second()
    }

    /// Returns the user's taps a second of late, or `None` if there were too few.
    pub const fn pace(&self) -> Option<f32> {
        self.pace
    }

    /// Returns all ratings, in order.
    pub fn list(&self) -> &[OwnRating] {
        &self.list
    }

    /// Returns how many placements are of each class, in the order of [`MoveClass::ALL`].
    pub const fn counts(&self) -> [u32; MoveClass::ALL.len()] {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pressed_is_kept_for_five_minutes() {
        let mut ratings = OwnRatings::new(Region::Ntsc);
        for frame in 0..3 * TIMED_FRAMES {
            ratings.press(if frame % 2 == 0 { Buttons::LEFT } else { Buttons::NONE }, frame >= TIMED_FRAMES);
        }
        assert!(ratings.pressed.len() == TIMED_FRAMES && ratings.pressed.capacity() < 2 * TIMED_FRAMES);
        assert_eq!((ratings.pressed[0], ratings.pressed[1]), (Buttons::LEFT, Buttons::NONE));
    }
}
