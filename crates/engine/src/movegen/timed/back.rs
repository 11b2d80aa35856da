//! The way back: which buttons led to a landing, frame by frame from the last one.

use super::super::masks::Set;
use super::super::reach::{CLASSES, ROTATE, SHIFT};
use super::{Kept, Landing, Timed};
use maxout_rules::input::Buttons;

/// Where a piece is at the end of a frame, on the way back.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// Down is up.
    Free { u: usize, shift: usize, turn: usize },
    /// Down has been held for `k` frames after its press, 0 or 1.
    Begun { k: u8, u: usize, turn: usize },
    /// The same for two and more.
    Held { k: u16, row: usize, turn: usize },
}

impl Timed {
    /// The frame of the failed drop: where the piece was before it; its buttons go to `inputs`.
    pub(super) fn last_frame(
        &self,
        landing: Landing,
        bits: [Set; 2],
        inputs: &mut Vec<Buttons>,
    ) -> Option<(At, Set)> {
        let Landing { placement, frame, hold } = landing;
        let row = usize::from(placement.y);
        let before = self.kept.get(usize::from(frame.checked_sub(1)?))?;
        let k = u16::from(hold) * 2;
        for bit in bits.into_iter().filter(|&bit| bit & self.free_cells[row] & !self.free_cells[row + 1] != 0)
        {
            for (shift, turn) in CLASSES {
                let u = row * self.gravity + self.gravity - 1;
                let held = Buttons::DOWN | ROTATE[turn];
                let found = if hold == 0 {
                    self.origin_up(before, u, (shift, turn), bit)
                        .map(|found| (SHIFT[shift] | ROTATE[turn], found))
                        .or_else(|| {
                            let pressed = || before.free_at(u, unturned(bit, turn), |_, t| differs(turn, t));
                            let second = || before.begun_at(0, u, unturned(bit, turn), turn);
                            pressed().or_else(second).map(|found| (held, found))
                        })
                } else {
                    before
                        .held_before(self.gravity, k - 1, row, bit, turn)
                        .or_else(|| {
                            let k = (self.gravity == 1).then_some(k)?;
                            before.held_before(self.gravity, k, row, bit, turn)
                        })
                        .map(|found| (held, found))
                };
                if let Some((buttons, found)) = found {
                    inputs.push(buttons);
                    return Some(found);
                }
            }
        }
        None
    }

    /// Where the piece was before `frame` if it was `at` after it.
    pub(super) fn frame_before(
        &self,
        frame: u16,
        at: At,
        bit: Set,
        inputs: &mut Vec<Buttons>,
    ) -> Option<(At, Set)> {
        let before = self.kept.get(usize::from(frame) - 1)?;
        let (buttons, found) = match at {
            At::Free { u, shift, turn } => {
                (SHIFT[shift] | ROTATE[turn], self.origin_up(before, u - 1, (shift, turn), bit))
            }
            At::Begun { k: 0, u, turn } => (
                Buttons::DOWN | ROTATE[turn],
                before.free_at(u - 1, unturned(bit, turn), |_, t| differs(turn, t)),
            ),
            At::Begun { u, turn, .. } => {
                (Buttons::DOWN | ROTATE[turn], before.begun_at(0, u - 1, unturned(bit, turn), turn))
            }
            At::Held { k, row, turn } => {
                let row = if self.drops_next(k - 1) { row - 1 } else { row };
                (Buttons::DOWN | ROTATE[turn], before.held_before(self.gravity, k - 1, row, bit, turn))
            }
        };
        inputs.push(buttons);
        found
    }

    /// The origin of a frame with Down up.
    fn origin_up(
        &self,
        before: &Kept,
        u: usize,
        (shift, turn): (usize, usize),
        bit: Set,
    ) -> Option<(At, Set)> {
        let unturned = unturned(bit, turn);
        let origin = match shift {
            1 => unturned << 1,
            2 => unturned >> 1,
            _ => unturned,
        };
        // A shift must have been possible in this row, in the orientation before the rotation.
        if shift > 0 && unturned & self.free_cells[u / self.gravity] == 0 {
            return None;
        }
        before
            .free_at(u, origin, |s, t| differs(shift, s) && differs(turn, t))
            .or_else(|| before.begun_at(0, u, origin, turn))
            .or_else(|| before.begun_at(1, u, origin, turn))
            .or_else(|| {
                let row = u / self.gravity;
                before
                    .holds
                    .iter()
                    .filter(|hold| self.held_height(hold.k, row) == u)
                    .find_map(|hold| before.held_at(hold.k, row, origin, turn))
            })
    }
}

impl Kept {
    fn free_at(&self, u: usize, bit: Set, allowed: impl Fn(usize, usize) -> bool) -> Option<(At, Set)> {
        let state = self.free.get(u.checked_sub(self.lo)?)?;
        CLASSES
            .into_iter()
            .find(|&(s, t)| allowed(s, t) && state[s][t] & bit != 0)
            .map(|(shift, turn)| (At::Free { u, shift, turn }, bit))
    }

    fn begun_at(&self, k: u8, u: usize, bit: Set, turn: usize) -> Option<(At, Set)> {
        let sets = if k == 0 { &self.hold0 } else { &self.hold1 };
        let sets = sets.get(u.checked_sub(self.lo)?)?;
        let found = (0..3).find(|&t| differs(turn, t) && sets[t] & bit != 0)?;
        Some((At::Begun { k, u, turn: found }, bit))
    }

    fn held_at(&self, k: u16, row: usize, bit: Set, turn: usize) -> Option<(At, Set)> {
        let hold = self.holds.iter().find(|hold| hold.k == k)?;
        let found = (0..3).find(|&t| differs(turn, t) && hold.cells[row][t] & bit != 0)?;
        Some((At::Held { k, row, turn: found }, bit))
    }

    /// The origin of a frame in which Down stays held, for its `k`-th frame before; `row` is the row before any
    /// drop.
    fn held_before(&self, gravity: usize, k: u16, row: usize, bit: Set, turn: usize) -> Option<(At, Set)> {
        let origin = unturned(bit, turn);
        match k {
            0 => None,
            1 => (row * gravity..(row + 1) * gravity).find_map(|u| self.begun_at(1, u, origin, turn)),
            _ => self.held_at(k, row, origin, turn),
        }
    }
}

/// Whether a button of class `now` counts as new after class `before`.
const fn differs(now: usize, before: usize) -> bool {
    now == 0 || now != before
}

const fn unturned(bit: Set, turn: usize) -> Set {
    match turn {
        1 => bit.rotate_right(16),
        2 => bit.rotate_left(16),
        _ => bit,
    }
}
