//! The state search of the 2014 bot's game-pad version: what tapped buttons reach, frame by frame, with gravity.
//! [`tapped`] lists placements, [`taps_to`] says how to get one. Its author's control model in the real game's rules.
//!
//! A state is position, orientation and what is pressed: a shift, a rotation, Down in its first, second or third frame.
//! The fall timer is kept with the state but does not tell states apart: who comes first stays. Each frame
//!
//! * Down that is in its first or second frame goes on; in the third, when the piece drops, it may go on (every second
//!   frame is a drop then) or be released; with Down there is no shift;
//! * without Down a shift is pressed, if none was pressed in the frame before, or released; a piece that is to go
//!   straight down goes by Down. (The published list has no frame in which nothing is pressed after a frame in which no
//!   shift was.)
//! * A or B may be pressed too, if neither was in the frame before.

use super::masks::{ROWS, Set, fits};
use super::start::Start;
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Piece, Placement};

/// Frame of a soft drop in which the piece drops.
const DOWN_DROPS: u8 = 3;

/// What is pressed in a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Taps {
    /// 0 none, 1 Left, 2 Right.
    shift: u8,
    /// 0 none, 1 A, 2 B.
    turn: u8,
    /// Frame of the soft drop, 0 if Down is up.
    down: u8,
}

impl Taps {
    fn buttons(self) -> Buttons {
        let shift = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT][usize::from(self.shift)];
        let turn = [Buttons::NONE, Buttons::A, Buttons::B][usize::from(self.turn)];
        let down = if self.down > 0 { Buttons::DOWN } else { Buttons::NONE };
        shift | turn | down
    }

    /// Calls `each` with what may be pressed in the next frame, in the order of the published list.
    fn next(self, mut each: impl FnMut(Self)) {
        let turns = if self.turn == 0 { 0..=2 } else { 0..=0 };
        let down = match self.down {
            0 => 1,
            DOWN_DROPS => 2,
            frame => frame + 1,
        };
        for turn in turns.clone() {
            each(Self { shift: 0, turn, down });
        }
        if matches!(self.down, 0 | DOWN_DROPS) {
            let shifts = if self.shift == 0 { 1..=2 } else { 0..=0 };
            for shift in shifts {
                for turn in turns.clone() {
                    each(Self { shift, turn, down: 0 });
                }
            }
        }
    }
}

/// A piece in the air after a frame.
#[derive(Clone, Copy, Debug)]
struct State {
    x: u8,
    y: u8,
    /// Lane of the orientation.
    lane: u8,
    taps: Taps,
    fall_timer: u8,
    /// Number of the state before it.
    from: u32,
}

impl State {
    /// What tells states apart, as a number below [`KEYS`].
    fn key(&self) -> usize {
        let taps = usize::from((self.taps.down * 3 + self.taps.shift) * 3 + self.taps.turn);
        ((taps * 20 + usize::from(self.y)) * 4 + usize::from(self.lane)) * 10 + usize::from(self.x)
    }
}

const KEYS: usize = 4 * 3 * 3 * 20 * 4 * 10;

/// A breadth-first search from one start.
struct Search {
    piece: Piece,
    free: [Set; ROWS],
    gravity: u8,
    /// States in the order in which they were reached.
    states: Vec<State>,
    seen: [u64; KEYS.div_ceil(64)],
}

impl Search {
    fn new(board: &Board, start: &Start) -> Self {
        let piece = start.orientation.piece();
        let pressed = |buttons: [Buttons; 2]| {
            buttons.iter().position(|&button| start.held.contains(button)).map_or(0, |index| index as u8 + 1)
        };
        let taps = Taps {
            shift: pressed([Buttons::LEFT, Buttons::RIGHT]),
            turn: pressed([Buttons::A, Buttons::B]),
            down: 0,
        };
        let lane = start.orientation.id() - piece.first_orientation();
        let first = State { x: start.x, y: start.y, lane, taps, fall_timer: start.fall_timer, from: 0 };
        let free = fits(board, piece);
        let mut search = Self {
            piece,
            free,
            gravity: start.gravity(),
            states: Vec::with_capacity(4_096),
            seen: [0; KEYS.div_ceil(64)],
        };
        if start.x < 10 && start.y < 20 && search.is_free(start.x, start.y, lane) {
            search.states.push(first);
        }
        search
    }

    fn is_free(&self, x: u8, y: u8, lane: u8) -> bool {
        x < 10 && self.free[usize::from(y)] >> (16 * lane + x) & 1 == 1
    }

    /// Walks until nothing is new or `locked` says so, which is called with each lock: placement, number of the
    /// state before, and what is pressed in the frame of the lock.
    fn walk(&mut self, mut locked: impl FnMut(Placement, u32, Taps) -> bool) {
        let mut at = 0;
        let mut done = false;
        while let (Some(&state), false) = (self.states.get(at), done) {
            state.taps.next(|taps| {
                if let Some(placement) = self.step(&state, at as u32, taps) {
                    done |= locked(placement, at as u32, taps);
                }
            });
            at += 1;
        }
    }

    /// One frame: shift, rotation, drop. Where the piece locks, if it does.
    fn step(&mut self, state: &State, from: u32, taps: Taps) -> Option<Placement> {
        let State { mut x, mut y, mut lane, fall_timer, .. } = *state;
        let wanted = match taps.shift {
            1 => x.wrapping_sub(1),
            2 => x + 1,
            _ => x,
        };
        if self.is_free(wanted, y, lane) {
            x = wanted;
        }
        let orientations = self.piece.orientations();
        let wanted = match taps.turn {
            1 => (lane + 1) % orientations,
            2 => (lane + orientations - 1) % orientations,
            _ => lane,
        };
        if self.is_free(x, y, wanted) {
            lane = wanted;
        }
        let mut timer = fall_timer.saturating_add(1);
        if taps.down == DOWN_DROPS || timer >= self.gravity {
            if !self.is_free(x, y + 1, lane) {
                return Some(Placement { x, y, orientation: self.piece.turned(lane) });
            }
            y += 1;
            timer = 0;
        }
        let next = State { x, y, lane, taps, fall_timer: timer, from };
        let key = next.key();
        let (word, bit) = (key / 64, 1 << (key % 64));
        if self.seen[word] & bit == 0 {
            self.seen[word] |= bit;
            self.states.push(next);
        }
        None
    }
}

/// Adds every placement that tapping from `start` leads to, the soonest first.
pub fn tapped(board: &Board, start: &Start, out: &mut Vec<Placement>) {
    let mut search = Search::new(board, start);
    let mut seen = [0u64; 20];
    let first = search.piece.first_orientation();
    search.walk(|placement, _, _| {
        let bit = 1 << (16 * (placement.orientation.id() - first) + placement.x);
        let row = &mut seen[usize::from(placement.y)];
        if *row & bit == 0 {
            *row |= bit;
            out.push(placement);
        }
        false
    });
}

/// The buttons of every frame up to the lock at `placement`, the soonest there is. `None` if tapping does not lead
/// there.
///
/// ```
/// use maxout_rules::{Board, Piece};
/// use maxout_engine::movegen::{Start, tapped, taps_to};
/// let (board, start) = (Board::EMPTY, Start::spawn(Piece::T, 19));
/// let mut out = Vec::new();
/// tapped(&board, &start, &mut out);
/// assert_eq!(out.len(), 34);
/// assert!(out.iter().all(|&placement| taps_to(&board, &start, placement).is_some()));
/// ```
pub fn taps_to(board: &Board, start: &Start, placement: Placement) -> Option<Vec<Buttons>> {
    let mut search = Search::new(board, start);
    let mut found = None;
    search.walk(|lock, from, taps| {
        if lock == placement {
            found = Some((from, taps));
        }
        found.is_some()
    });
    let (mut at, last) = found?;
    let mut buttons = vec![last.buttons()];
    while at > 0 {
        let state = search.states[at as usize];
        buttons.push(state.taps.buttons());
        at = state.from;
    }
    buttons.reverse();
    Some(buttons)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::movegen::placements;

    #[test]
    fn every_state_has_a_number_of_its_own() {
        let mut seen = vec![false; KEYS];
        // Miri is too slow for all of them.
        for x in (0..10).step_by(if cfg!(miri) { 9 } else { 1 }) {
            for y in 0..20 {
                for lane in 0..4 {
                    for (shift, turn, down) in (0..36).map(|n| (n % 3, n / 3 % 3, n / 9)) {
                        let taps = Taps { shift, turn, down };
                        let key = State { x, y, lane, taps, fall_timer: 0, from: 0 }.key();
                        assert!(!std::mem::replace(&mut seen[key], true));
                    }
                }
            }
        }
        assert!(cfg!(miri) || seen.iter().all(|&seen| seen));
    }

    /// What is tapped can be played; whether it is all that a controller can do is another matter.
    #[test]
    fn finds_no_more_than_every_frame_of_the_controller_allows_and_nearly_as_much() {
        let board: Board = "##......##\n".repeat(12).parse().expect("art parses");
        // Miri is too slow for all of them.
        for level in [29, 19, 18].into_iter().take(if cfg!(miri) { 1 } else { 3 }) {
            for piece in Piece::ALL {
                let start = Start::spawn(piece, level);
                let (mut every, mut some) = (Vec::new(), Vec::new());
                placements(&board, &start, Limits::EACH_BUTTON, &mut every);
                tapped(&board, &start, &mut some);
                assert!(some.iter().all(|placement| every.contains(placement)), "{piece} {level}");
                assert!(2 * some.len() > every.len(), "{piece} {level}: {} of {}", some.len(), every.len());
            }
        }
    }

    #[test]
    fn a_full_board_has_nothing() {
        let mut out = Vec::new();
        tapped(&Board::from_rows([0x3FF; 22]), &Start::spawn(Piece::T, 19), &mut out);
        assert!(out.is_empty());
    }
}
