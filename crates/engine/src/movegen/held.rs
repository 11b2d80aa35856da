//! The walk over frames where directions may be held ([`Das`]): what the game does next depends on the direction that is held and on
//! the counter of its auto-repeat, so positions are kept apart by these, and by the frames since the last press.

use super::masks::{ROWS, Set};
use super::paced;
use super::start::{Landed, Start};
use crate::limits::Das;
use maxout_rules::input::Buttons;
use maxout_rules::{DAS_FULL, Piece, Region};

/// The values of the counter, 0 to 16.
const COUNTS: u8 = DAS_FULL + 1;
/// The number of [`HoldState`]s.
const HOLDS: usize = 3 * COUNTS as usize;
/// The largest value of [`Das::frames`].
const MOST: usize = Das::MOST_FRAMES as usize;
/// In rows of at least this many frames, the walk checks whether anything still changes.
const LONG_ROW: u32 = 8;

/// The direction that is held, and the counter of its auto-repeat as [`Start::das`] has it, in one number: 0 to 16 is the counter while neither is held, 17 to
/// 33 with Left, 34 to 50 with Right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct HoldState(u8);

impl HoldState {
    const DIRECTIONS: [Buttons; 3] = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];

    /// A counter beyond 16 shifts as soon as 16 does.
    const fn new(direction: u8, counter: u8) -> Self {
        Self(direction * COUNTS + if counter < DAS_FULL { counter } else { DAS_FULL })
    }

    /// 0 none, 1 Left, 2 Right.
    const fn direction(self) -> u8 {
        self.0 / COUNTS
    }

    /// The button that is held.
    pub const fn button(self) -> Buttons {
        Self::DIRECTIONS[self.direction() as usize]
    }

    pub const fn counter(self) -> u8 {
        self.0 % COUNTS
    }

    /// This hold, without the counter if no direction is held: it then matters only to the next piece.
    pub const fn for_this_piece(self) -> Self {
        if self.direction() == 0 { Self(0) } else { self }
    }

    /// Whether a direction that has been held since the entry delay would shift the next piece in its first frame.
    pub fn is_charged(self) -> bool {
        self.charge() == Start::CHARGED
    }

    /// The counter, with 16 read as 15: with either, a direction that has been held since the entry delay shifts the next piece in its first
    /// frame.
    pub fn charge(self) -> u8 {
        self.counter().min(Start::CHARGED)
    }
}

/// Positions in which the same may be pressed next, and the game does the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HeldSet {
    /// One less than the frames since the last press, or one less than the frames between presses if another may follow.
    pub rest: u8,
    pub hold: HoldState,
    pub set: Set,
}

impl HeldSet {
    /// The position `set` with this history of presses and this hold.
    pub fn new(das: Das, pressed: u64, hold: HoldState, set: Set) -> Self {
        Self { rest: pressed.trailing_zeros().min(u32::from(das.frames() - 1)) as u8, hold, set }
    }

    /// The history of presses that represents all with this rest, as [`Start::pressed`] has it.
    pub fn pressed(self, das: Das) -> u64 {
        if self.rest + 1 < das.frames() { 1 << self.rest } else { 0 }
    }
}

/// What may be pressed, and where it leads: one frame in one row.
#[derive(Clone, Copy)]
struct Frame {
    das: Das,
    free: Set,
    turns: bool,
    /// Whether the counter is remembered while no direction is held. It matters to the next piece only.
    keeps_counter: bool,
    /// The counter after a new press.
    pressed: u8,
    /// The counter after a repeat.
    repeated: u8,
}

impl Frame {
    fn new(das: Das, free: Set, piece: Piece, keeps_counter: bool, region: Region) -> Self {
        let [pressed, repeated] = [0, region.das_repeat()].map(|counter| Start::das_of(region, counter));
        Self { das, free, turns: piece != Piece::O, keeps_counter, pressed, repeated }
    }

    /// Calls `each` with what every allowed input makes of these positions, and the input.
    #[inline]
    fn outcomes(self, from: HeldSet, mut each: impl FnMut(HeldSet, Buttons)) {
        let ready = self.das.frames() - 1;
        let may_press = from.rest == ready;
        let rest = ready.min(from.rest + 1);
        let (direction, counter) = (from.hold.direction(), from.hold.counter());
        let mut turned = |hold: HoldState, set: Set| {
            if self.turns && may_press && set != 0 {
                let to = |set: Set| HeldSet { rest: 0, hold, set: set & self.free };
                each(to(set.rotate_left(16)), hold.button() | Buttons::A);
                each(to(set.rotate_right(16)), hold.button() | Buttons::B);
            }
        };
        let released = HoldState::new(0, if self.keeps_counter { counter } else { 0 });
        let mut goes_on = [(released, from.set), (HoldState(0), 0), (HoldState(0), 0)];
        if direction != 0 {
            if counter + 1 < DAS_FULL {
                goes_on[1] = (HoldState::new(direction, counter + 1), from.set);
            } else {
                let (moved, blocked) = self.shift(from.set, direction);
                goes_on[1] = (HoldState::new(direction, self.repeated), moved);
                goes_on[2] = (HoldState::new(direction, DAS_FULL), blocked);
            }
        }
        for (hold, set) in goes_on {
            turned(hold, set);
        }
        let mut pressed = [(HoldState(0), 0); 4];
        if may_press {
            for anew in [1, 2] {
                if anew != direction {
                    let (moved, blocked) = self.shift(from.set, anew);
                    let at = 2 * usize::from(anew - 1);
                    pressed[at] = (HoldState::new(anew, self.pressed), moved);
                    pressed[at + 1] = (HoldState::new(anew, DAS_FULL), blocked);
                }
            }
            for (hold, set) in pressed {
                turned(hold, set);
            }
        }
        for (hold, set) in goes_on {
            each(HeldSet { rest, hold, set }, hold.button());
        }
        for (hold, set) in pressed {
            each(HeldSet { rest: 0, hold, set }, hold.button());
        }
    }

    /// The positions that a shift leads to, and those in which it is blocked.
    #[inline]
    fn shift(self, set: Set, direction: u8) -> (Set, Set) {
        if direction == 1 {
            let moved = set >> 1 & self.free;
            (moved, set & !(moved << 1))
        } else {
            let moved = set << 1 & self.free;
            (moved, set & !(moved >> 1))
        }
    }
}

/// All positions at the end of a frame. A set counts only if its bit in `used` is set.
struct State {
    sets: [[Set; HOLDS]; MOST],
    used: [u64; MOST],
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let same = |rest: usize, at: usize| self.sets[rest][at] == other.sets[rest][at];
        let used = |rest: usize| (0..HOLDS).filter(move |at| self.used[rest] >> at & 1 == 1);
        self.used == other.used && (0..MOST).all(|rest| used(rest).all(|at| same(rest, at)))
    }
}

impl State {
    const EMPTY: Self = Self { sets: [[0; HOLDS]; MOST], used: [0; MOST] };

    #[inline]
    fn add(&mut self, HeldSet { rest, hold, set }: HeldSet) {
        if set == 0 {
            return;
        }
        let (rest, bit) = (usize::from(rest), 1 << hold.0);
        let known = &mut self.sets[rest][usize::from(hold.0)];
        *known = if self.used[rest] & bit == 0 { set } else { *known | set };
        self.used[rest] |= bit;
    }

    /// Calls `each` with what is there; positions that it clears are gone.
    #[inline]
    fn for_each(&mut self, mut each: impl FnMut(&mut HeldSet)) {
        for rest in (0..MOST).rev() {
            let mut left = self.used[rest];
            while left != 0 {
                let at = left.trailing_zeros();
                left &= left - 1;
                let set = &mut self.sets[rest][at as usize];
                let mut held = HeldSet { rest: rest as u8, hold: HoldState(at as u8), set: *set };
                each(&mut held);
                *set = held.set;
                if held.set == 0 {
                    self.used[rest] &= !(1 << at);
                }
            }
        }
    }

    /// Leaves out what is also there with more freedom: with the same hold and an earlier press.
    fn prune(&mut self) {
        let mut freer = [0; HOLDS];
        self.for_each(|held| {
            let freer = &mut freer[usize::from(held.hold.0)];
            held.set &= !*freer;
            *freer |= held.set;
        });
    }
}

/// Where the piece begins, with each direction that may be held then.
pub(super) fn first(piece: Piece, start: &Start, das: Das) -> Vec<HeldSet> {
    let set = paced::first(piece, start);
    let turned = start.held.intersects(Buttons::A | Buttons::B);
    let both = start.held.contains(Buttons::LEFT | Buttons::RIGHT);
    // Two opposite directions go right, and nothing can be pressed anew.
    let history = start.pressed | u64::from(turned || both);
    let held = (0..3).filter(|&direction: &u8| match direction {
        _ if start.entering => true,
        2 => start.held.contains(Buttons::RIGHT),
        1 => start.held.contains(Buttons::LEFT) && !both,
        _ => !start.held.intersects(Buttons::LEFT | Buttons::RIGHT),
    });
    held.map(|direction| HeldSet::new(das, history, HoldState::new(direction, start.das), set)).collect()
}

/// Where the piece can land.
pub(super) fn landed(piece: Piece, free: &[Set; ROWS], start: &Start, das: Das) -> Landed {
    walk(piece, free, start, das, false, |_, _| {}, |_, _| {})
}

/// Where the piece can land with each [charge](HoldState::charge) of the auto-shift.
pub(super) fn landed_by_charge(
    piece: Piece,
    free: &[Set; ROWS],
    start: &Start,
    das: Das,
) -> [Landed; Start::CHARGED as usize + 1] {
    let mut charges = [[0; 20]; Start::CHARGED as usize + 1];
    let land = |y, held: HeldSet| charges[usize::from(held.hold.charge())][usize::from(y)] |= held.set;
    walk(piece, free, start, das, true, |_, _| {}, land);
    charges
}

/// Where the piece can land, and the row and the positions at the end of each frame, before the drop that may follow.
pub(super) fn layers(
    piece: Piece,
    free: &[Set; ROWS],
    start: &Start,
    das: Das,
) -> (Landed, Vec<(u8, Vec<HeldSet>)>) {
    let mut layers = Vec::new();
    let record = |y, state: &mut State| {
        let mut layer = Vec::new();
        state.for_each(|held| layer.push(*held));
        layers.push((y, layer));
    };
    let landed = walk(piece, free, start, das, true, record, |_, _| {});
    (landed, layers)
}

/// Walks from `start` to the floor, and returns where the piece can land. `record` sees the row and the positions at the end of each
/// frame, before the drop that may follow; `land` sees those of each row that land there.
fn walk(
    piece: Piece,
    free: &[Set; ROWS],
    start: &Start,
    das: Das,
    keeps_counter: bool,
    mut record: impl FnMut(u8, &mut State),
    mut land: impl FnMut(u8, HeldSet),
) -> Landed {
    let (mut state, mut next) = (State::EMPTY, State::EMPTY);
    for held in first(piece, start, das) {
        let hold = if keeps_counter { held.hold } else { held.hold.for_this_piece() };
        state.add(HeldSet { hold, ..held });
    }
    let mut landed = [0; 20];
    for y in start.y..20 {
        let (here, below) = (free[usize::from(y)], free[usize::from(y) + 1]);
        let frame = Frame::new(das, here, piece, keeps_counter, start.fall_rule.region());
        let frames = start.frames_in_row(y);
        let mut settled = false;
        for _ in 0..frames {
            if !settled {
                next.used = [0; MOST];
                state.for_each(|held| frame.outcomes(*held, |to, _| next.add(to)));
                next.prune();
                // Nothing new: the rest of the row's frames change nothing either.
                settled = frames >= LONG_ROW && state == next;
                std::mem::swap(&mut state, &mut next);
            }
            record(y, &mut state);
        }
        let mut goes_on = false;
        state.for_each(|held| {
            let lands = held.set & here & !below;
            landed[usize::from(y)] |= lands;
            land(y, HeldSet { set: lands, ..*held });
            held.set &= below;
            goes_on |= held.set != 0;
        });
        if !goes_on {
            break;
        }
    }
    landed
}

/// The buttons of each frame from the start to `goal`, a single position at the end of the last of these layers (with their rows), and
/// what is held before the first frame.
pub(super) fn inputs(
    layers: &[(u8, Vec<HeldSet>)],
    free: &[Set; ROWS],
    start: &Start,
    piece: Piece,
    das: Das,
    goal: HeldSet,
) -> (Vec<Buttons>, HoldState) {
    let origin = first(piece, start, das);
    let mut inputs = Vec::with_capacity(layers.len());
    let mut at = goal;
    for index in (0..layers.len()).rev() {
        let row = layers[index].0;
        // What could not drop into this row has landed and is no origin.
        let (before, there): (&[HeldSet], Set) = match layers[..index].last() {
            None => (&origin, Set::MAX),
            Some((above, layer)) => (
                layer,
                free[usize::from(*above) + 1..=usize::from(row)].iter().fold(Set::MAX, |all, set| all & set),
            ),
        };
        let frame = Frame::new(das, free[usize::from(row)], piece, true, start.fall_rule.region());
        // Every state has an origin.
        let Some((buttons, from)) = came_from(frame, before, there, at) else { break };
        inputs.push(buttons);
        at = from;
    }
    inputs.reverse();
    (inputs, at.hold)
}

/// The buttons that lead from one of the positions of `before` that are in `there` to `at` in one frame, and that position.
fn came_from(frame: Frame, before: &[HeldSet], there: Set, at: HeldSet) -> Option<(Buttons, HeldSet)> {
    let row = at.set | at.set << 1 | at.set >> 1;
    let near = row | row.rotate_left(16) | row.rotate_right(16);
    let ready = frame.das.frames() - 1;
    let follows = |held: &&HeldSet| match at.rest {
        0 => held.rest == ready,
        rest => held.rest + 1 == rest || rest == ready && held.rest == ready,
    };
    before.iter().filter(follows).find_map(|held| {
        let mut left = held.set & there & near;
        while left != 0 {
            let from = HeldSet { set: left & left.wrapping_neg(), ..*held };
            left &= left - 1;
            let mut found = None;
            frame.outcomes(from, |to, buttons| {
                if to == at {
                    found = Some(buttons);
                }
            });
            if let Some(buttons) = found {
                return Some((buttons, from));
            }
        }
        None
    })
}
