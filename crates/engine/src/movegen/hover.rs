//! Where a piece can be when some frames of it are over: [`Reach::hovers`]. That is all that a player can choose who does
//! not yet know the next piece.

use super::masks::Set;
use super::paced::{self, is_freer};
use super::reach::{CLASSES, ROTATE, Reach, SHIFT};
use super::start::{Placement, Start};
use crate::limits::Presses;
use maxout_rules::Orientation;
use maxout_rules::input::Buttons;

/// A way to play the first frames of a piece. [`Reach::inputs_of`] says which buttons that takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it leads to.
    pub then: Then,
    /// The position, in the lane in which the search has it.
    at: Set,
    frames: u32,
}

/// What the first frames of a piece lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The piece is in the air, and this is where play goes on.
    Falls(Start),
    /// The piece has locked.
    Locked(Placement),
}

/// What was pressed before, as far as it matters for what may be pressed next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Before {
    held: Buttons,
    pressed: u64,
}

impl Before {
    /// Whether whatever may follow `other` may follow this, too.
    fn is_freer(self, other: Self) -> bool {
        other.held.contains(self.held) && is_freer(self.pressed, other.pressed)
    }
}

impl Reach {
    /// Returns the states of the piece after `frames` frames of shifts and rotations. Pieces that lock before are listed
    /// by where they lock. A state is left out if the piece can be in the same place with earlier presses, because then
    /// no placement is lost: what can be reached from all of these states together is what can be reached at all.
    ///
    /// ```
    /// use maxout_engine::limits::{Limits, TapTable};
    /// use maxout_engine::movegen::{Reach, Start};
    /// use maxout_rules::{Board, Piece};
    /// // 12 frames at 10 Hz: at most two presses, six frames apart, so that the O reaches five columns.
    /// let limits = Limits::taps(TapTable::HZ_10);
    /// let reach = Reach::new(&Board::EMPTY, &Start::spawn(Piece::O, 19), limits).unwrap();
    /// let hovers = reach.hovers(12);
    /// assert_eq!(hovers.iter().filter(|hover| reach.inputs_of(hover).len() == 12).count(), hovers.len());
    /// ```
    pub fn hovers(&self, frames: u32) -> Vec<Hover> {
        let mut locked = Vec::new();
        let (mut row, mut in_row) = (self.start.y, frames);
        while row < 20 && in_row >= self.start.frames_in_row(row) {
            in_row -= self.start.frames_in_row(row);
            row += 1;
        }
        self.list_rows(self.start.y..row, &mut locked);
        let locked =
            locked.into_iter().map(|placement| Hover { then: Then::Locked(placement), at: 0, frames });
        if row == 20 {
            return locked.collect();
        }
        let fall_timer =
            if row == self.start.y { self.start.fall_timer } else { 0 }.wrapping_add(in_row as u8);
        let mut states = self.states_after(frames, row);
        if self.presses == Presses::OnePerRow && in_row > 0 {
            // The row's first frame is over, and with it the press that the row could have had.
            for (_, before) in &mut states {
                before.pressed = 1 << (in_row - 1).min(63);
            }
        }
        if self.piece.orientations() == 2 {
            // The lanes hold both orientations twice.
            states.sort_by_key(|(lane_bit, _)| lane_bit & !0xFFFF_FFFF != 0);
        }
        let mut kept: Vec<(Set, Set, Before)> = Vec::with_capacity(states.len());
        for (at, before) in states {
            let place = if self.piece.orientations() == 2 { (at | at >> 32) & 0xFFFF_FFFF } else { at };
            if kept.iter().any(|&(_, other, freer)| other == place && freer.is_freer(before)) {
                continue;
            }
            kept.retain(|&(_, other, stricter)| other != place || !before.is_freer(stricter));
            kept.push((at, place, before));
        }
        let falls = kept.into_iter().map(|(at, place, Before { held, pressed })| {
            let bit = place.trailing_zeros() as u8;
            let id = Orientation(self.piece.first_orientation() + (bit >> 4));
            let elapsed = self.start.elapsed.wrapping_add(frames);
            let start = Start { x: bit & 15, y: row, id, fall_timer, held, pressed, elapsed, ..self.start };
            Hover { then: Then::Falls(start), at, frames }
        });
        falls.chain(locked).collect()
    }

    /// The buttons of each frame that lead to `hover`, which must be one of [`Reach::hovers`]. For a piece that has
    /// locked, they end with the last press.
    pub fn inputs_of(&self, hover: &Hover) -> Vec<Buttons> {
        let start = match hover.then {
            Then::Locked(placement) => return self.path(placement).map_or(Vec::new(), |path| path.inputs),
            Then::Falls(start) => start,
        };
        let frames = hover.frames as usize;
        if let Presses::Table(table) = self.presses {
            let layers = &self.layers[..frames.min(self.layers.len())];
            return paced::inputs(
                layers,
                &self.free,
                &self.start,
                self.piece,
                table,
                (hover.at, start.pressed),
            );
        }
        let Some((step, _)) = self.step_at(hover.frames) else { return Vec::new() };
        let class = CLASSES.into_iter().find(|&(s, r)| SHIFT[s] | ROTATE[r] == start.held);
        let mut inputs = self.inputs(step, hover.at, class.unwrap_or((0, 0)));
        inputs.resize(frames, Buttons::NONE);
        inputs
    }

    /// The step that holds at the end of frame `frames`, and for how many frames it has held then.
    fn step_at(&self, frames: u32) -> Option<(usize, u32)> {
        let mut left = frames;
        for (at, step) in self.steps.iter().enumerate() {
            if left <= step.frames {
                return Some((at, left));
            }
            left -= step.frames;
        }
        None
    }

    /// The positions after `frames` frames, when the piece has come to `row`.
    fn states_after(&self, frames: u32, row: u8) -> Vec<(Set, Before)> {
        let mut states = Vec::new();
        let fallen = |from: u8| {
            self.free[usize::from(from) + 1..=usize::from(row)].iter().fold(Set::MAX, |all, set| all & set)
        };
        let mut add = |mut set: Set, before: Before| {
            while set != 0 {
                states.push((set & set.wrapping_neg(), before));
                set &= set - 1;
            }
        };
        if frames == 0 {
            let before = Before { held: self.start.held, pressed: self.start.pressed };
            add(paced::first(self.piece, &self.start), before);
        } else if let Presses::Table(_) = self.presses {
            if let Some((from, layer)) = self.layers.get(frames as usize - 1) {
                for entry in layer {
                    let before = Before { held: Buttons::NONE, pressed: entry.history };
                    add(entry.set & fallen(*from), before);
                }
            }
        } else if let Some((step, held_for)) = self.step_at(frames) {
            let step = &self.steps[step];
            // What is pressed is pressed in the first frame of a step.
            let classes = if held_for > 1 { &CLASSES[..1] } else { &CLASSES };
            for &(s, r) in classes {
                let before = Before { held: SHIFT[s] | ROTATE[r], pressed: 0 };
                add(step.state[s][r] & fallen(step.row), before);
            }
        }
        states
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, TapTable};
    use maxout_rules::{Board, Piece};

    fn reach(piece: Piece, limits: Limits) -> Reach {
        Reach::new(&Board::EMPTY, &Start::spawn(piece, 19), limits).expect("a piece")
    }

    #[test]
    fn before_the_first_frame_there_is_the_start_alone() {
        let reach = reach(Piece::T, Limits::taps(TapTable::HZ_10));
        let [hover] = reach.hovers(0)[..] else { panic!("one hover expected") };
        assert_eq!(hover.then, Then::Falls(Start::spawn(Piece::T, 19)));
        assert!(reach.inputs_of(&hover).is_empty());
    }

    #[test]
    fn when_the_fall_is_over_every_placement_has_locked() {
        let reach = reach(Piece::L, Limits::EACH_BUTTON);
        let locked: Vec<Then> = reach.hovers(1_000).iter().map(|hover| hover.then).collect();
        assert_eq!(locked, reach.placements().into_iter().map(Then::Locked).collect::<Vec<_>>());
    }

    #[test]
    fn the_earliest_presses_stand_for_all_others() {
        // In 18 frames five shifts fit at 15 Hz: eleven columns, of which the O has nine. A column that takes fewer
        // presses stands once for each number of presses that leaves another freedom; early ones leave the most.
        let reach = reach(Piece::O, Limits::taps(TapTable::HZ_15));
        assert_eq!(reach.hovers(18).len(), 9);
    }
}
