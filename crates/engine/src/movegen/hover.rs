//! Where a piece can be when some frames of it are over: [`hovers`]. That is all that somebody can choose who does not yet
//! know the next piece.

use super::start::{Placement, Start};
use crate::limits::{Limits, Presses};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Orientation};

/// A way to play the first frames of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The buttons of each frame.
    pub inputs: Vec<Buttons>,
    /// What they lead to.
    pub then: Then,
}

/// What the first frames of a piece lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The piece is in the air, and this is where play goes on.
    Falls(Start),
    /// The piece has locked.
    Locked(Placement),
}

/// A position at the end of a frame, before the drop that may follow.
#[derive(Clone, Copy)]
struct At {
    x: u8,
    id: Orientation,
    held: Buttons,
    /// Bit n is a press n + 1 frames ago.
    pressed: u64,
    /// How it was reached: an entry of the trail.
    trail: usize,
}

/// The buttons of a frame, after the frame that another entry is of.
struct Trail {
    before: usize,
    buttons: Buttons,
}

const SHIFTS: [Buttons; 3] = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
const TURNS: [Buttons; 3] = [Buttons::NONE, Buttons::A, Buttons::B];

impl At {
    /// Whether `buttons` may be pressed in the next frame.
    fn may_press(&self, buttons: Buttons, limits: Limits, first_in_row: bool) -> bool {
        if buttons.is_empty() {
            return true;
        }
        match limits.presses {
            Presses::EachButton => !self.held.intersects(buttons),
            Presses::OnePerRow => first_in_row && self.held.is_empty() && buttons.0.is_power_of_two(),
            Presses::Table(table) => table.allows(self.pressed),
            Presses::ControllerStates => false,
        }
    }

    /// The position after a frame with these buttons in row `y`: a shift, then a rotation. `None` if one of them fails.
    fn press(&self, board: &Board, y: u8, buttons: Buttons) -> Option<(u8, Orientation)> {
        let (mut x, mut id) = (self.x, self.id);
        if buttons.contains(Buttons::LEFT) {
            x = x.checked_sub(1)?;
        }
        if buttons.contains(Buttons::RIGHT) {
            x += 1;
        }
        if x != self.x && !board.is_valid(x, y, id) {
            return None;
        }
        if buttons.intersects(Buttons::A | Buttons::B) {
            id = if buttons.contains(Buttons::A) { id.clockwise() } else { id.counterclockwise() };
            if id == self.id || !board.is_valid(x, y, id) {
                return None;
            }
        }
        Some((x, id))
    }

    /// Whether the next frames may be the same for both.
    fn is_like(&self, other: &Self, limits: Limits) -> bool {
        let history = match limits.presses {
            Presses::Table(table) => (self.pressed ^ other.pressed) & table.window() == 0,
            _ => self.held == other.held,
        };
        history && (self.x, self.id) == (other.x, other.id)
    }
}

/// Every distinct state of the piece at `start` after `frames` frames in which nothing but shifts and rotations within
/// `limits` was pressed, each with buttons that lead there. Pieces that lock before are listed by where they lock.
/// Empty if no piece is in the air, or under [`Presses::ControllerStates`].
///
/// ```
/// use maxout_engine::limits::{Limits, TapTable};
/// use maxout_engine::movegen::{Start, hovers};
/// use maxout_rules::{Board, Piece};
/// // 12 frames at 10 Hz: at most two presses, six frames apart.
/// let limits = Limits::taps(TapTable::HZ_10);
/// let all = hovers(&Board::EMPTY, &Start::spawn(Piece::O, 19), limits, 12);
/// let presses = |inputs: &[maxout_rules::input::Buttons]| inputs.iter().filter(|b| !b.is_empty()).count();
/// assert!(all.iter().all(|hover| hover.inputs.len() == 12 && presses(&hover.inputs) <= 2));
/// ```
pub fn hovers(board: &Board, start: &Start, limits: Limits, frames: u8) -> Vec<Hover> {
    if start.id.piece().is_none() || start.x > 9 || limits.presses == Presses::ControllerStates {
        return Vec::new();
    }
    let pressed = start.pressed | u64::from(!start.held.is_empty());
    let mut trail = vec![Trail { before: 0, buttons: Buttons::NONE }];
    let mut layer = vec![At { x: start.x, id: start.id, held: start.held, pressed, trail: 0 }];
    let mut locked: Vec<(Placement, usize)> = Vec::new();
    let (mut y, mut in_row) = (start.y, 0);
    let mut row_frames = start.frames_in_row(y);
    for _ in 0..frames {
        let mut next: Vec<At> = Vec::new();
        for at in &layer {
            for buttons in SHIFTS.iter().flat_map(|&shift| TURNS.map(|turn| shift | turn)) {
                if !at.may_press(buttons, limits, in_row == 0) {
                    continue;
                }
                let Some((x, id)) = at.press(board, y, buttons) else { continue };
                let pressed = at.pressed << 1 | u64::from(!buttons.is_empty());
                let then = At { x, id, held: buttons, pressed, trail: trail.len() };
                if next.iter().all(|other| !other.is_like(&then, limits)) {
                    trail.push(Trail { before: at.trail, buttons });
                    next.push(then);
                }
            }
        }
        layer = next;
        in_row += 1;
        // A drop of two rows passes one of them within the frame.
        while in_row == row_frames && !layer.is_empty() {
            layer.retain(|at| {
                let falls = board.is_valid(at.x, y + 1, at.id);
                let placement = Placement { y, id: at.id, x: at.x };
                if !falls && locked.iter().all(|(other, _)| *other != placement) {
                    locked.push((placement, at.trail));
                }
                falls
            });
            (y, in_row) = (y + 1, 0);
            row_frames = if y < 20 { start.frames_in_row(y) } else { 1 };
        }
    }
    let inputs = |mut entry: usize| {
        let mut inputs = Vec::with_capacity(usize::from(frames));
        while entry != 0 {
            inputs.push(trail[entry].buttons);
            entry = trail[entry].before;
        }
        inputs.reverse();
        inputs
    };
    let first_row = if y == start.y { start.fall_timer } else { 0 };
    let falls = layer.iter().map(|at| {
        let fall_timer = first_row.wrapping_add(in_row as u8);
        let start = Start { x: at.x, y, id: at.id, fall_timer, held: at.held, pressed: at.pressed, ..*start };
        Hover { inputs: inputs(at.trail), then: Then::Falls(start) }
    });
    let rests = locked
        .iter()
        .map(|&(placement, entry)| Hover { inputs: inputs(entry), then: Then::Locked(placement) });
    falls.chain(rests).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grids::{Dice, gapped};
    use crate::limits::TapTable;
    use crate::movegen::{Reach, placements};
    use maxout_rules::Piece;
    use std::collections::BTreeSet;

    #[test]
    fn what_can_be_reached_by_way_of_the_first_frames_is_what_can_be_reached() {
        let mut dice = Dice::new(22);
        for round in 0..300 {
            let height = round % 15;
            let board = gapped(&mut dice, height);
            let piece = Piece::ALL[dice.below(7)];
            let level = [0, 18, 19, 29, 39][dice.below(5)];
            let limits = [
                Limits::EACH_BUTTON,
                Limits::taps(TapTable::HZ_12),
                Limits::taps(TapTable::SLOW_5),
            ][dice.below(3)];
            let start = Start::spawn(piece, level).with_double_killscreen(dice.coin());
            let mut direct = Vec::new();
            placements(&board, &start, limits, &mut direct);
            let frames = dice.below(40) as u8;
            let mut found = BTreeSet::new();
            for hover in hovers(&board, &start, limits, frames) {
                match hover.then {
                    Then::Locked(placement) => _ = found.insert(placement),
                    Then::Falls(start) => {
                        let reach = Reach::new(&board, &start, limits).expect("a piece");
                        found.extend(reach.placements());
                    }
                }
            }
            let direct: BTreeSet<_> = direct.into_iter().collect();
            assert_eq!(found, direct, "{piece} level {level}, {limits}, {frames} frames{board}");
        }
    }
}
