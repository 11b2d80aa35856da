//! Every placement *and the frame in which it locks*, with the soft drop begun and ended at any time: [`Timed`].
//!
//! The lock frame decides when the next piece spawns, and with it what the generator picks. [`Timed::landings`]
//! lists all pairs of placement and lock frame; [`Timed::buttons`] says how to get one of them.
//!
//! # How it works
//! As in [`super::Reach`], sets of (orientation, column) walk through frames. Now a set is needed for each height
//! the piece may have in that frame. While Down is up, height and fall timer are one number, `u = row * gravity +
//! timer`, that grows by one a frame; a drop is a step over a multiple of the gravity. While Down is held for `k`
//! frames, every second frame from the third on drops the piece and counts one soft-drop row.

mod back;

use super::masks::{ROWS, Set, fits};
use super::parameters::{FULL_GRAVITY, SLOW_LIMIT};
use super::reach::{ROTATE, SHIFT, State, any_input, union};
use super::start::Start;
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Piece, Placement};

/// A piece in the air, at a frame boundary in control; the soft drop may be in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flight {
    /// Position, timers and buttons.
    pub start: Start,
    /// Rows soft-dropped in the current hold (RAM 6F).
    pub hold_down_points: u8,
}

impl Flight {
    /// `piece` as it spawns, the buttons released.
    pub const fn spawn(piece: Piece, level: u8) -> Self {
        Self { start: Start::spawn(piece, level), hold_down_points: 0 }
    }
}

/// A way to lock: where, when, and with how many soft-drop rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Landing {
    /// Where the piece locks.
    pub placement: Placement,
    /// Frames of control until the failed drop, that one included.
    pub frame: u16,
    /// Soft-drop rows that the game will count (RAM 6F at the lock).
    pub hold: u8,
}

/// More soft-drop rows than any fall has.
pub const MAX_HOLD: usize = 24;

/// Sets by the rotation button of the last frame: none, A, B.
type Turned = [Set; 3];

/// Pieces that have been soft-dropping for the same number of frames, two or more.
#[derive(Clone, Debug)]
struct Hold {
    /// Frames since the press.
    k: u16,
    /// By row.
    cells: [Turned; ROWS],
    /// Rows that may hold something.
    rows: (u8, u8),
}

/// Landed sets of one frame, row and hold.
#[derive(Clone, Copy, Debug)]
struct Landed {
    frame: u16,
    y: u8,
    hold: u8,
    set: Set,
}

/// The state of the walk at the end of a frame, kept for the way back.
#[derive(Clone, Debug)]
struct Kept {
    lo: usize,
    free: Vec<State>,
    hold0: Vec<Turned>,
    hold1: Vec<Turned>,
    holds: Vec<Hold>,
}

/// The walk. It keeps its buffers between searches.
#[derive(Clone, Debug, Default)]
pub struct Timed {
    gravity: usize,
    turns: bool,
    folds: bool,
    free_cells: [Set; ROWS],
    frame: u16,
    lo: usize,
    hi: usize,
    free: Vec<State>,
    hold0: Vec<Turned>,
    hold1: Vec<Turned>,
    /// Pieces of `holds` by their height, for the frame in which Down is released.
    held: Vec<Turned>,
    holds: Vec<Hold>,
    landed: Vec<Landed>,
    kept: Vec<Kept>,
}

impl Timed {
    /// A walk with empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists every pair of placement and lock frame in `out` (cleared before), by frame, each once: with the
    /// number of soft-drop rows that `worth` likes best.
    pub fn landings(
        &mut self,
        board: &Board,
        flight: &Flight,
        worth: &[i32; MAX_HOLD],
        out: &mut Vec<Landing>,
    ) {
        out.clear();
        let piece = flight.start.orientation.piece();
        self.explore(board, flight, false);
        let mut landed = std::mem::take(&mut self.landed);
        for slice in landed.chunk_by_mut(|a, b| a.frame == b.frame) {
            slice.sort_unstable_by_key(|l| (-worth[usize::from(l.hold)], l.y, l.hold));
            let mut taken = [0; ROWS];
            for l in slice {
                let new = l.set & !taken[usize::from(l.y)];
                taken[usize::from(l.y)] |= new;
                list(piece, l, new, out);
            }
        }
        self.landed = landed;
    }

    /// Lists every triple of placement, lock frame and soft-drop rows in `out` (cleared before).
    pub fn all_landings(&mut self, board: &Board, flight: &Flight, out: &mut Vec<Landing>) {
        out.clear();
        let piece = flight.start.orientation.piece();
        self.explore(board, flight, false);
        for l in &self.landed {
            list(piece, l, l.set, out);
        }
        out.sort_unstable();
        out.dedup();
    }

    /// The buttons of every frame up to `landing`'s failed drop. `None` if it cannot be reached.
    pub fn buttons(&mut self, board: &Board, flight: &Flight, landing: Landing) -> Option<Vec<Buttons>> {
        let piece = flight.start.orientation.piece();
        let Placement { x, y, orientation } = landing.placement;
        if orientation.piece() != piece || x >= 10 || y >= 20 {
            return None;
        }
        self.explore(board, flight, true);
        let bit = 1 << (16 * (orientation.id() - piece.first_orientation()) + x);
        let bits = if piece.orientations() == 2 { [bit, bit << 32] } else { [bit, 0] };
        let mut inputs = Vec::new();
        let (mut at, mut bit) = self.last_frame(landing, bits, &mut inputs)?;
        for frame in (1..landing.frame).rev() {
            (at, bit) = self.frame_before(frame, at, bit, &mut inputs)?;
        }
        inputs.reverse();
        Some(inputs)
    }

    /// Walks all frames; `keep` remembers each for the way back.
    fn explore(&mut self, board: &Board, flight: &Flight, keep: bool) {
        let Flight { start, hold_down_points } = *flight;
        let autorepeat_y = start.autorepeat_y;
        self.landed.clear();
        self.kept.clear();
        self.holds.clear();
        let piece = start.orientation.piece();
        if start.x >= 10 || start.y >= 20 || autorepeat_y > 2 {
            return;
        }
        let speed = start.gravity();
        self.gravity = usize::from(speed);
        self.turns = piece != Piece::O;
        self.folds = piece.orientations() == 2;
        self.free_cells = fits(board, piece);
        self.frame = 0;
        let heights = 20 * self.gravity + 2;
        for sets in [&mut self.hold0, &mut self.hold1, &mut self.held] {
            sets.clear();
            sets.resize(heights, [0; 3]);
        }
        self.free.clear();
        self.free.resize(heights, [[0; 3]; 3]);
        let u = usize::from(start.y) * self.gravity + usize::from(start.fall_timer).min(self.gravity - 1);
        (self.lo, self.hi) = (u, u);
        let bit = 1 << (16 * (start.orientation.id() - piece.first_orientation()) + start.x);
        let used = |buttons: [Buttons; 3]| (1..3).find(|&i| start.held.contains(buttons[i])).unwrap_or(0);
        let turn = if self.turns { used(ROTATE) } else { 0 };
        let k = 2 * u16::from(hold_down_points) + u16::from(autorepeat_y.saturating_sub(1));
        match (autorepeat_y, k) {
            (0, _) => self.free[u][used(SHIFT)][turn] = bit,
            (_, 0) => self.hold0[u][turn] = bit,
            (_, 1) => self.hold1[u][turn] = bit,
            _ => {
                let mut cells = [[0; 3]; ROWS];
                cells[usize::from(start.y)][turn] = bit;
                self.holds.push(Hold { k, cells, rows: (start.y, start.y) });
                self.collect_held();
            }
        }
        // Down that is held without a soft drop must be released first.
        let mut may_press = autorepeat_y != 0 || !start.held.contains(Buttons::DOWN);
        let limit = if speed > FULL_GRAVITY { SLOW_LIMIT } else { u16::MAX };
        if keep {
            self.keep();
        }
        while self.frame < limit && self.step(may_press, speed <= FULL_GRAVITY) {
            may_press = true;
            if keep {
                self.keep();
            }
        }
    }

    fn keep(&mut self) {
        let range = self.lo..=self.hi;
        self.kept.push(Kept {
            lo: self.lo,
            free: self.free[range.clone()].to_vec(),
            hold0: self.hold0[range.clone()].to_vec(),
            hold1: self.hold1[range].to_vec(),
            holds: self.holds.clone(),
        });
    }

    /// One frame. False when nothing is in the air after it.
    fn step(&mut self, may_press: bool, may_release: bool) -> bool {
        self.frame += 1;
        let begun = self.step_heights(may_press, may_release);
        let mut holds = std::mem::take(&mut self.holds);
        for hold in &mut holds {
            self.step_hold(hold);
        }
        holds.extend(begun);
        holds.retain(|hold| hold.cells.iter().flatten().any(|&set| set != 0));
        self.holds = holds;
        self.collect_held();
        !self.holds.is_empty()
            || (self.lo..=self.hi)
                .any(|u| union(&self.free[u]) | any(&self.hold0[u]) | any(&self.hold1[u]) != 0)
    }

    /// All pieces whose height is `u`: Down up, or held for less than two frames. Returns those that now are held
    /// for two.
    fn step_heights(&mut self, may_press: bool, may_release: bool) -> Option<Hold> {
        let mut begun: Option<Hold> = None;
        for u in (self.lo..=self.hi).rev() {
            let row = u / self.gravity;
            let (here, below) = (self.free_cells[row], self.free_cells[row + 1]);
            let (free, hold0, hold1) = (self.free[u], self.hold0[u], self.hold1[u]);
            let mut up = free;
            if may_release {
                for turn in 0..3 {
                    up[0][turn] |= hold0[turn] | hold1[turn] | self.held[u][turn];
                }
            }
            let mut up = any_input(&up, here, self.turns);
            let pressed = std::array::from_fn(|turn| free[0][turn] | free[1][turn] | free[2][turn]);
            let mut pressed = if may_press { self.rotated(&pressed, here) } else { [0; 3] };
            let mut second = self.rotated(&hold0, here);
            let drops = (u + 1).is_multiple_of(self.gravity);
            if drops {
                self.land(row, 0, union(&up) | any(&pressed) | any(&second));
                up.iter_mut().flatten().chain(&mut pressed).chain(&mut second).for_each(|set| *set &= below);
            }
            (self.free[u + 1], self.hold0[u + 1], self.hold1[u + 1]) = (up, pressed, second);
            if any(&hold1) != 0 {
                let third = self.rotated(&hold1, here);
                self.land(row, 1, any(&third));
                let hold =
                    begun.get_or_insert(Hold { k: 2, cells: [[0; 3]; ROWS], rows: (ROWS as u8 - 1, 0) });
                if any(&third) & below != 0 {
                    for (cell, set) in hold.cells[row + 1].iter_mut().zip(third) {
                        *cell |= set & below;
                    }
                    hold.rows = (hold.rows.0.min(row as u8 + 1), hold.rows.1.max(row as u8 + 1));
                }
            }
        }
        let lo = self.lo;
        (self.free[lo], self.hold0[lo], self.hold1[lo]) = ([[0; 3]; 3], [0; 3], [0; 3]);
        for u in self.lo..=self.hi {
            self.held[u] = [0; 3];
        }
        self.lo += 1;
        self.hi = (self.hi + 1).min(20 * self.gravity - 1);
        begun
    }

    /// Whether a soft drop of `k` frames drops the piece in the next.
    fn drops_next(&self, k: u16) -> bool {
        k % 2 == 1 || self.gravity == 1
    }

    fn step_hold(&mut self, hold: &mut Hold) {
        let drops = self.drops_next(hold.k);
        let points = hold.k.div_ceil(2) as u8;
        for row in (hold.rows.0..=hold.rows.1).rev().map(usize::from) {
            let (here, below) = (self.free_cells[row], self.free_cells[row + 1]);
            let after = self.rotated(&hold.cells[row], here);
            if drops {
                self.land(row, points, any(&after));
                hold.cells[row] = [0; 3];
                hold.cells[row + 1] = after.map(|set| set & below);
            } else {
                hold.cells[row] = after;
            }
        }
        hold.k += 1;
        if drops {
            hold.rows = (hold.rows.0 + 1, (hold.rows.1 + 1).min(19));
        }
    }

    /// Height of a piece in row `row` that has been soft-dropping for `k` frames.
    fn held_height(&self, k: u16, row: usize) -> usize {
        row * self.gravity + if self.gravity > 1 { usize::from(k % 2) } else { 0 }
    }

    fn collect_held(&mut self) {
        for hold in &self.holds {
            for row in (hold.rows.0..=hold.rows.1).map(usize::from).filter(|&row| row < 20) {
                let u = self.held_height(hold.k, row);
                for (all, set) in self.held[u].iter_mut().zip(hold.cells[row]) {
                    *all |= set;
                }
                self.hi = self.hi.max(u);
            }
        }
    }

    /// A frame of any rotation and no shift.
    fn rotated(&self, sets: &Turned, here: Set) -> Turned {
        let [none, a, b] = *sets;
        if !self.turns {
            return [none, 0, 0];
        }
        [none | a | b, (none | b).rotate_left(16) & here, (none | a).rotate_right(16) & here]
    }

    fn land(&mut self, row: usize, hold: u8, set: Set) {
        let set = set & self.free_cells[row] & !self.free_cells[row + 1];
        // Two orientations fill the four lanes twice.
        let set = if self.folds { (set | set >> 32) & 0xFFFF_FFFF } else { set };
        if set != 0 {
            self.landed.push(Landed { frame: self.frame, y: row as u8, hold, set });
        }
    }
}

fn any(sets: &Turned) -> Set {
    sets[0] | sets[1] | sets[2]
}

fn list(piece: Piece, landed: &Landed, set: Set, out: &mut Vec<Landing>) {
    let mut set = set;
    while set != 0 {
        let bit = set.trailing_zeros() as u8;
        set &= set - 1;
        let placement = Placement { y: landed.y, orientation: piece.turned(bit >> 4), x: bit & 15 };
        out.push(Landing { placement, frame: landed.frame, hold: landed.hold });
    }
}
