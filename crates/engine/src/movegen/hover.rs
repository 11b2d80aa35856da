//! Where a piece can be when some frames of it are over: [`Reach::hovers`]. That is all that a player can choose who does
//! not yet know the next piece.

use super::held::{self, HeldSet, HoldState};
use super::masks::Set;
use super::paced::{self, is_freer};
use super::reach::{CLASSES, ROTATE, Reach, SHIFT};
use super::start::Start;
use crate::limits::Presses;
use maxout_rules::Placement;
use maxout_rules::input::Buttons;

/// A way to play the first frames of a piece. [`Reach::inputs_of`] says which buttons that takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it leads to.
    pub then: Then,
    /// The position, in the lane in which the search has it.
    at: Set,
    frames: u32,
    /// What is held then, where directions are held.
    hold: Option<HoldState>,
}

/// What the first frames of a piece lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
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
    /// What is held, where directions are held.
    hold: Option<HoldState>,
}

impl Before {
    /// Whether whatever may follow `other` may follow this, too, and leaves the auto-shift charged if that does.
    fn is_freer(self, other: Self) -> bool {
        // A charged auto-shift is worth something to the next piece.
        let charged = |before: Self| before.hold.is_some_and(HoldState::is_charged);
        let hold = |before: Self| before.hold.map(HoldState::for_this_piece);
        other.held.contains(self.held)
            && hold(self) == hold(other)
            && charged(self) >= charged(other)
            && is_freer(self.pressed, other.pressed)
    }
}

impl Reach {
    /// Returns the states of the piece after `frames` frames of shifts and rotations. Pieces that lock before are listed
    /// by where they lock. A state is left out if the piece can be in the same place with earlier presses, because then
    /// no placement is lost: what can be reached from all of these states together is what can be reached at all. Where directions may be
    /// held, the other state must also have the same hold, and a charged auto-shift if this one has. If the entry delay is not over
    /// ([`Start::entering`]), it is part of the choice which direction is held in its last frame ([`Reach::held_before`]).
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
        let locked = locked.into_iter().map(|placement| Hover {
            then: Then::Locked(placement),
            at: 0,
            frames,
            hold: None,
        });
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
        // Of equals, the first one stays.
        states.sort_by_key(|(_, before)| std::cmp::Reverse(before.hold.map(HoldState::counter)));
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
        let falls = kept.into_iter().map(|(at, place, Before { held, pressed, hold })| {
            let bit = place.trailing_zeros() as u8;
            let id = self.piece.turned(bit >> 4);
            let elapsed = self.start.elapsed.wrapping_add(frames);
            let das = hold.map_or(self.start.das, HoldState::counter);
            let entering = self.start.entering && frames == 0 && hold.is_none();
            let at_row = Start { x: bit & 15, y: row, orientation: id, fall_timer, ..self.start };
            let start = Start { held, pressed, elapsed, das, entering, ..at_row };
            Hover { then: Then::Falls(start), at, frames, hold }
        });
        falls.chain(locked).collect()
    }

    /// The direction to hold in the entry delay before `hover`, which must be one of [`Reach::hovers`] and, if the piece has locked, is
    /// played by the [charging path](Reach::charging_path).
    pub fn held_before(&self, hover: &Hover) -> Buttons {
        match hover.then {
            Then::Locked(placement) => {
                self.charging_path(placement).map_or(Buttons::NONE, |path| path.held_before)
            }
            Then::Falls(_) if !self.start.entering => Buttons::NONE,
            Then::Falls(start) => {
                self.holds_to(hover, &start).map_or(Buttons::NONE, |(_, hold)| hold.button())
            }
        }
    }

    /// Where directions are held, the buttons of each frame that lead to `hover`, and what is held before.
    fn holds_to(&self, hover: &Hover, start: &Start) -> Option<(Vec<Buttons>, HoldState)> {
        let (Presses::Das(das), Some(hold)) = (self.presses, hover.hold) else { return None };
        let layers = &self.holds[..self.holds.len().min(hover.frames as usize)];
        let goal = HeldSet::new(das, start.pressed, hold, hover.at);
        Some(held::inputs(layers, &self.free, &self.start, self.piece, das, goal))
    }

    /// The buttons of each frame that lead to `hover`, which must be one of [`Reach::hovers`]. For a piece that has
    /// locked, they end with the last frame in which a button is held.
    pub fn inputs_of(&self, hover: &Hover) -> Vec<Buttons> {
        let start = match hover.then {
            Then::Locked(placement) => {
                return self.charging_path(placement).map_or(Vec::new(), |path| path.inputs);
            }
            Then::Falls(start) => start,
        };
        if let Some((inputs, _)) = self.holds_to(hover, &start) {
            return inputs;
        }
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
            let between = self.free.get(usize::from(from) + 1..=usize::from(row));
            between.unwrap_or_default().iter().fold(Set::MAX, |all, set| all & set)
        };
        let mut add = |mut set: Set, before: Before| {
            while set != 0 {
                states.push((set & set.wrapping_neg(), before));
                set &= set - 1;
            }
        };
        if let Presses::Das(das) = self.presses {
            let (from, layer) = match frames.checked_sub(1) {
                None => (row, &held::first(self.piece, &self.start, das)),
                Some(last) => match self.holds.get(last as usize) {
                    Some((from, layer)) => (*from, layer),
                    None => return states,
                },
            };
            for held in layer {
                let turned =
                    if frames == 0 { self.start.held & (Buttons::A | Buttons::B) } else { Buttons::NONE };
                let (held_now, pressed) = (held.hold.button() | turned, held.pressed(das));
                let before = Before { held: held_now, pressed, hold: Some(held.hold) };
                add(held.set & fallen(from), before);
            }
        } else if frames == 0 {
            let before = Before { held: self.start.held, pressed: self.start.pressed, hold: None };
            add(paced::first(self.piece, &self.start), before);
        } else if let Presses::Table(_) = self.presses {
            if let Some((from, layer)) = self.layers.get(frames as usize - 1) {
                for entry in layer {
                    let before = Before { held: Buttons::NONE, pressed: entry.history, hold: None };
                    add(entry.set & fallen(*from), before);
                }
            }
        } else if let Some((step, held_for)) = self.step_at(frames) {
            let step = &self.steps[step];
            // What is pressed is pressed in the first frame of a step.
            let classes = if held_for > 1 { &CLASSES[..1] } else { &CLASSES };
            for &(s, r) in classes {
                let before = Before { held: SHIFT[s] | ROTATE[r], pressed: 0, hold: None };
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
