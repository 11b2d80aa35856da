//! The walk over frames, and the way back from a placement to its buttons.

use std::ops::Range;

use super::held::{self, HeldSet};
use super::masks::{ROWS, Set, fits};
use super::paced::{self, Layer};
use super::start::{Landed, Start};
use super::taps::tapped;
use crate::limits::{Das, Limits, Presses, TapTable};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Piece, Placement, Region};

/// Lists every placement that play from `start` can reach within the presses of `limits`, top row first; clears `out`
/// before. A reaction delay takes nothing away here: it says what the choice among these may depend on.
///
/// ```
/// use maxout_rules::{Board, Piece};
/// use maxout_engine::limits::Limits;
/// use maxout_engine::movegen::{placements, Start};
/// let mut out = Vec::new();
/// placements(&Board::EMPTY, &Start::spawn(Piece::O, 19), Limits::EACH_BUTTON, &mut out);
/// assert_eq!(out.len(), 9);
/// ```
pub fn placements(board: &Board, start: &Start, limits: Limits, out: &mut Vec<Placement>) {
    out.clear();
    let piece = start.orientation.piece();
    let free = fits(board, piece);
    let landed = match limits.presses {
        Presses::Table(table) => paced::landed(piece, &free, start, table),
        Presses::Das(das) => held::landed(piece, &free, start, das),
        Presses::ControllerStates => return tapped(board, start, out),
        Presses::EachButton => walk(piece, &free, start, false, |_, _, _| {}),
        Presses::OnePerRow => walk(piece, &free, start, true, |_, _, _| {}),
        Presses::Pal(_) => return placements(board, start, limits.in_region(Region::Pal), out),
    };
    list(piece, &landed, start.y, out);
}

/// As [`placements`]. Returns the most that the counter of the auto-shift can have after each of them, at most [`Start::CHARGED`]; where
/// no directions are held, all have that.
pub(crate) fn placements_with_charges(
    board: &Board,
    start: &Start,
    limits: Limits,
    out: &mut Vec<Placement>,
) -> Vec<u8> {
    let Presses::Das(das) = limits.presses else {
        placements(board, start, limits, out);
        return vec![Start::CHARGED; out.len()];
    };
    let piece = start.orientation.piece();
    let by_charge = held::landed_by_charge(piece, &fits(board, piece), start, das);
    let landed = std::array::from_fn(|y| by_charge.iter().fold(0, |all, landed| all | landed[y]));
    out.clear();
    list(piece, &landed, start.y, out);
    let charge = |placement: &Placement| {
        let lanes = lanes_of(piece, *placement);
        let lands = |charge: &u8| by_charge[usize::from(*charge)][usize::from(placement.y)] & lanes != 0;
        (0..=Start::CHARGED).rev().find(lands).unwrap_or(Start::CHARGED)
    };
    out.iter().map(charge).collect()
}

/// As [`placements`], and lists in `charged` those after which the auto-shift can be [charged](Start::CHARGED) when the piece locks; where
/// no directions are held, all of them.
pub(crate) fn placements_charged(
    board: &Board,
    start: &Start,
    limits: Limits,
    out: &mut Vec<Placement>,
    charged: &mut Vec<Placement>,
) {
    let charges = placements_with_charges(board, start, limits, out);
    charged.clear();
    charged
        .extend(out.iter().zip(charges).filter(|&(_, charge)| charge == Start::CHARGED).map(|(at, _)| *at));
}

/// The position of a placement, in every lane in which it may be.
fn lanes_of(piece: Piece, placement: Placement) -> Set {
    let bit = 1 << (16 * (placement.orientation.id() - piece.first_orientation()) + placement.x);
    if piece.orientations() == 2 { bit | bit << 32 } else { bit }
}

fn list(piece: Piece, landed: &Landed, from: u8, out: &mut Vec<Placement>) {
    list_rows(piece, landed, from..20, out);
}

fn list_rows(piece: Piece, landed: &Landed, rows: Range<u8>, out: &mut Vec<Placement>) {
    for y in rows {
        let set = landed[usize::from(y)];
        let mut set = if piece.orientations() == 2 { (set | set >> 32) & 0xFFFF_FFFF } else { set };
        while set != 0 {
            let bit = set.trailing_zeros() as u8;
            set &= set - 1;
            out.push(Placement { y, orientation: piece.turned(bit >> 4), x: bit & 15 });
        }
    }
}

/// Positions by the last frame's buttons: `[shift][rotation]`, 0 none, 1 Left or A, 2 Right or B.
pub(super) type State = [[Set; 3]; 3];

pub(super) const SHIFT: [Buttons; 3] = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
pub(super) const ROTATE: [Buttons; 3] = [Buttons::NONE, Buttons::A, Buttons::B];

pub(super) fn union(state: &State) -> Set {
    state.iter().flatten().fold(0, |all, set| all | set)
}

/// Spelled out, because a derived comparison calls memcmp: 12 % of a search.
fn equal(a: &State, b: &State) -> bool {
    a.iter().flatten().zip(b.iter().flatten()).fold(0, |differ, (a, b)| differ | a ^ b) == 0
}

/// One frame of every allowed input; `free` are the positions of the current row.
#[inline]
pub(super) fn any_input(state: &State, free: Set, turns: bool) -> State {
    let rotations = if turns { 3 } else { 1 };
    let mut moved = [[0; 3]; 3];
    for r in 0..rotations {
        let [none, left, right] = [state[0][r], state[1][r], state[2][r]];
        moved[0][r] = none | left | right;
        moved[1][r] = (none | right) >> 1 & free;
        moved[2][r] = (none | left) << 1 & free;
    }
    if !turns {
        return moved;
    }
    let mut next = [[0; 3]; 3];
    for s in 0..3 {
        let [none, a, b] = moved[s];
        next[s][0] = none | a | b;
        next[s][1] = (none | b).rotate_left(16) & free;
        next[s][2] = (none | a).rotate_right(16) & free;
    }
    next
}

/// One frame of one button or none.
fn one_input(state: &State, free: Set) -> State {
    let ready = state[0][0];
    let mut next = [[0; 3]; 3];
    next[0][0] = union(state);
    next[1][0] = ready >> 1 & free;
    next[2][0] = ready << 1 & free;
    next[0][1] = ready.rotate_left(16) & free;
    next[0][2] = ready.rotate_right(16) & free;
    next
}

fn no_input(state: &State) -> State {
    let mut next = [[0; 3]; 3];
    next[0][0] = union(state);
    next
}

/// The first state: the piece where it is, its held buttons not yet available again.
fn first_state(piece: Piece, start: &Start) -> State {
    let mut state = [[0; 3]; 3];
    if start.x < 10 && start.y < 20 {
        let lane = start.orientation.id() - piece.first_orientation();
        let used = |buttons: [Buttons; 3]| match [1, 2].map(|i| start.held.contains(buttons[i])) {
            [true, _] => 1,
            [false, true] => 2,
            [false, false] => 0,
        };
        let rotation = if piece == Piece::O { 0 } else { used(ROTATE) };
        state[used(SHIFT)][rotation] = 1 << (16 * lane + start.x);
    }
    state
}

/// Two opposite buttons held at once: nothing new can be pressed in the first frame.
fn is_jammed(held: Buttons) -> bool {
    held.contains(Buttons::LEFT | Buttons::RIGHT) || held.contains(Buttons::A | Buttons::B)
}

/// Walks from `start` to the floor, with each button by itself or with one button a row. `record` sees (row, frames,
/// state): the state that holds at the end of each of that many frames, before the drop that may follow.
#[inline]
fn walk(
    piece: Piece,
    free: &[Set; ROWS],
    start: &Start,
    one_per_row: bool,
    mut record: impl FnMut(u8, u32, &State),
) -> Landed {
    let turns = piece != Piece::O;
    let mut state = first_state(piece, start);
    let mut jammed = is_jammed(start.held);
    let mut landed = [0; 20];
    for y in start.y..20 {
        let frames = start.frames_in_row(y);
        let (here, below) = (free[usize::from(y)], free[usize::from(y) + 1]);
        let mut done = 0;
        while done < frames {
            let next = match one_per_row {
                _ if jammed => no_input(&state),
                false => any_input(&state, here, turns),
                true if done == 0 && !start.has_pressed_in_row(y) => one_input(&state, here),
                true => no_input(&state),
            };
            // Nothing new: the rest of the row's frames change nothing either.
            let settled = done > 0 && !jammed && equal(&next, &state);
            jammed = false;
            state = next;
            let count = if settled { frames - done } else { 1 };
            record(y, count, &state);
            done += count;
        }
        landed[usize::from(y)] = union(&state) & here & !below;
        for set in state.iter_mut().flatten() {
            *set &= below;
        }
        if union(&state) == 0 {
            break;
        }
    }
    landed
}

/// The buttons that lead to a placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// One entry a frame, from the first frame to the last in which a button is held; empty if none is.
    pub inputs: Vec<Buttons>,
    /// Frames until the failed drop that locks the piece, if Down is never pressed.
    pub frames: u32,
    /// The direction that is held before the first of these frames, if the entry delay is not over ([`Start::entering`]).
    pub held_before: Buttons,
}

/// Everything reachable from one start, with its history.
#[derive(Clone, Debug)]
pub struct Reach {
    pub(super) piece: Piece,
    pub(super) presses: Presses,
    pub(super) start: Start,
    pub(super) free: [Set; ROWS],
    landed: Landed,
    pub(super) steps: Vec<Step>,
    /// With a tap table instead of the steps: row and positions at the end of each frame.
    pub(super) layers: Vec<(u8, Layer)>,
    /// The same where directions are held.
    pub(super) holds: Vec<(u8, Vec<HeldSet>)>,
}

/// Which of the paths to a placement is wanted where directions are held.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefer {
    /// The shortest.
    Soonest,
    /// The one that leaves the counter of the auto-shift as full as possible.
    Charge,
}

/// A state that holds for `frames` frames in row `row`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub row: u8,
    pub frames: u32,
    pub state: State,
}

impl Reach {
    /// Searches from `start`. `None` under [`Presses::ControllerStates`], for which [`taps_to`](super::taps_to) finds the way.
    pub fn new(board: &Board, start: &Start, limits: Limits) -> Option<Self> {
        let piece = start.orientation.piece();
        let free = fits(board, piece);
        let presses = limits.presses;
        let (mut steps, mut layers, mut holds) = (Vec::new(), Vec::new(), Vec::new());
        let landed = match presses {
            Presses::ControllerStates => return None,
            Presses::Pal(_) => return Self::new(board, start, limits.in_region(Region::Pal)),
            Presses::Table(table) => {
                paced::walk(piece, &free, start, table, |row, layer| layers.push((row, layer.clone())))
            }
            Presses::Das(das) => {
                let (landed, all) = held::layers(piece, &free, start, das);
                holds = all;
                landed
            }
            Presses::EachButton | Presses::OnePerRow => {
                steps.push(Step { row: start.y, frames: 0, state: first_state(piece, start) });
                let record = |row, frames, &state: &State| steps.push(Step { row, frames, state });
                walk(piece, &free, start, presses == Presses::OnePerRow, record)
            }
        };
        Some(Self { piece, presses, start: *start, free, landed, steps, layers, holds })
    }

    /// All placements, top row first.
    pub fn placements(&self) -> Vec<Placement> {
        let mut out = Vec::new();
        list(self.piece, &self.landed, self.start.y, &mut out);
        out
    }

    /// The placements of these rows, top row first.
    pub(super) fn list_rows(&self, rows: Range<u8>, out: &mut Vec<Placement>) {
        list_rows(self.piece, &self.landed, rows, out);
    }

    /// A shortest button sequence to `placement`: one whose last held button comes as early as possible. `None` if it cannot be reached. If
    /// the entry delay is not over ([`Start::entering`]), a direction of the first frame may have been held since then
    /// ([`Path::held_before`]).
    pub fn path(&self, placement: Placement) -> Option<Path> {
        let goal = self.goal(placement)?;
        // Step 0 is the start itself and holds for no frame; its successors hold for at least one.
        let column = self.straight_fall(placement.y, goal);
        let frames = self.frames_to_lock(placement.y);
        if let Presses::Table(table) = self.presses {
            let inputs = self.taps(table, &column)?;
            return Some(Path { inputs, frames, held_before: Buttons::NONE });
        }
        if let Presses::Das(das) = self.presses {
            return self.holds_into(das, &column, Prefer::Soonest, frames);
        }
        let (step, at) = self.steps.iter().enumerate().find_map(|(i, step)| {
            let at = union(&step.state) & column[usize::from(step.row)];
            (at != 0).then(|| (i, 1 << at.trailing_zeros()))
        })?;
        let class = class_of(&self.steps[step].state, at)?;
        Some(Path { inputs: self.inputs(step, at, class), frames, held_before: Buttons::NONE })
    }

    /// The path to play: as [`Reach::path`], but where directions are held, the one that leaves the next piece with the fullest counter
    /// of the auto-shift, and of these the one that is over first.
    pub fn charging_path(&self, placement: Placement) -> Option<Path> {
        let Presses::Das(das) = self.presses else { return self.path(placement) };
        let column = self.straight_fall(placement.y, self.goal(placement)?);
        self.holds_into(das, &column, Prefer::Charge, self.frames_to_lock(placement.y))
    }

    /// The path that leads into `column` and locks after this number of frames.
    fn holds_into(&self, das: Das, column: &[Set; 20], prefer: Prefer, lock: u32) -> Option<Path> {
        let origin = held::first(self.piece, &self.start, das);
        let layers = self.holds.iter().map(|(row, layer)| (*row, layer));
        let mut best: Option<(u8, usize, HeldSet)> = None;
        for (frames, (row, layer)) in std::iter::once((self.start.y, &origin)).chain(layers).enumerate() {
            for held in layer {
                let at = held.set & column[usize::from(row)];
                let value = if prefer == Prefer::Charge { held.hold.charge() } else { 0 };
                if at != 0 && best.is_none_or(|(most, ..)| value > most) {
                    best = Some((value, frames, HeldSet { set: 1 << at.trailing_zeros(), ..*held }));
                }
            }
        }
        let (_, frames, goal) = best?;
        let layers = &self.holds[..frames];
        let (inputs, before) = held::inputs(layers, &self.free, &self.start, self.piece, das, goal);
        let held_before = if self.start.entering { before.button() } else { Buttons::NONE };
        Some(Path { inputs, frames: lock, held_before })
    }

    /// The taps that lead into `column` first.
    fn taps(&self, table: TapTable, column: &[Set; 20]) -> Option<Vec<Buttons>> {
        let start = paced::first(self.piece, &self.start);
        if start & column[usize::from(self.start.y)] != 0 {
            return Some(Vec::new());
        }
        let (frame, at) = self.layers.iter().enumerate().find_map(|(frame, (row, layer))| {
            let all = layer.iter().fold(0, |all, entry| all | entry.set);
            let at = all & column[usize::from(*row)];
            let at: Set = (at != 0).then(|| 1 << at.trailing_zeros())?;
            let entry = layer.iter().find(|entry| entry.set & at != 0)?;
            Some((frame, (at, entry.history)))
        })?;
        let layers = &self.layers[..=frame];
        Some(paced::inputs(layers, &self.free, &self.start, self.piece, table, at))
    }

    /// The lanes and column of `placement`, if the piece lands there.
    fn goal(&self, placement: Placement) -> Option<Set> {
        if placement.orientation.piece() != self.piece || placement.x >= 10 {
            return None;
        }
        let goal = lanes_of(self.piece, placement) & self.landed.get(usize::from(placement.y))?;
        (goal != 0).then_some(goal)
    }

    /// By row, the positions that end in `goal` at row `y` by falling alone.
    fn straight_fall(&self, y: u8, goal: Set) -> [Set; 20] {
        let mut column = [0; 20];
        let mut at = goal;
        for row in (self.start.y..=y).rev() {
            at &= self.free[usize::from(row)];
            column[usize::from(row)] = at;
        }
        // The start may overlap the board's cells and still fall free of it.
        let first = usize::from(self.start.y);
        if column.get(first + 1).is_some_and(|&below| below != 0) {
            column[first] |= column[first + 1];
        }
        column
    }

    fn frames_to_lock(&self, y: u8) -> u32 {
        (self.start.y..=y).map(|row| self.start.frames_in_row(row)).sum()
    }

    /// Walks back from position `at` at the end of the first frame of step `last`, whose buttons were those of a class.
    pub(super) fn inputs(&self, last: usize, at: Set, class: (usize, usize)) -> Vec<Buttons> {
        let mut inputs = Vec::new();
        let (mut at, (mut s, mut r)) = (at, class);
        for step in (1..=last).rev() {
            inputs.push(SHIFT[s] | ROTATE[r]);
            let before = &self.steps[step - 1];
            // A state that holds for several frames was left from its last frame; nothing was pressed
            // between, as what is there at its end was there at its first.
            let (came_from, class) =
                self.predecessor(&before.state, at, (s, r)).expect("every state has an origin");
            at = came_from;
            (s, r) = class;
            if before.frames > 1 {
                inputs.extend(std::iter::repeat_n(Buttons::NONE, before.frames as usize - 1));
            }
        }
        inputs.reverse();
        inputs
    }

    /// Where `at`, reached by the buttons of class (s, r), was one frame before, and in which class.
    fn predecessor(&self, before: &State, at: Set, (s, r): (usize, usize)) -> Option<(Set, (usize, usize))> {
        let unturned = match r {
            1 => at.rotate_right(16),
            2 => at.rotate_left(16),
            _ => at,
        };
        let origin = match s {
            1 => unturned << 1,
            2 => unturned >> 1,
            _ => unturned,
        };
        let allowed = |(s0, r0): (usize, usize)| match self.presses {
            Presses::EachButton => (s == 0 || s0 != s) && (r == 0 || r0 != r),
            _ => (s, r) == (0, 0) || (s0, r0) == (0, 0),
        };
        CLASSES
            .into_iter()
            .find(|&class| allowed(class) && before[class.0][class.1] & origin != 0)
            .map(|class| (origin, class))
    }
}

/// All classes, those with fewer buttons first.
pub(super) const CLASSES: [(usize, usize); 9] =
    [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)];

fn class_of(state: &State, at: Set) -> Option<(usize, usize)> {
    CLASSES.into_iter().find(|&(s, r)| state[s][r] & at != 0)
}
