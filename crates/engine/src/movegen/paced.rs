//! The walk over frames under a [`TapTable`]: what may be pressed depends on the frames of the presses
//! before, so positions are kept apart by that history.

use super::masks::{ROWS, Set};
use super::start::{Landed, Start};
use crate::limits::TapTable;
use maxout_rules::Piece;
use maxout_rules::input::Buttons;

/// Frames of an even table that the quick walk has room for.
const EVEN: usize = 16;

/// Positions with the same history: bit n of it is a press n + 1 frames ago.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub history: u64,
    pub set: Set,
}

/// All positions at the end of a frame.
pub(super) type Layer = Vec<Entry>;

/// Where one press frame leads from `set`: a shift, a rotation, or a shift and then a rotation.
#[inline]
fn pressed(set: Set, free: Set, turns: bool) -> Set {
    let shifted = (set >> 1 | set << 1) & free;
    if !turns {
        return shifted;
    }
    let any = set | shifted;
    shifted | (any.rotate_left(16) | any.rotate_right(16)) & free
}

/// The position in which `start` is; none outside the field.
pub(super) fn first(piece: Piece, start: &Start) -> Set {
    if start.x >= 10 || start.y >= 20 {
        return 0;
    }
    1 << (16 * (start.orientation.id() - piece.first_orientation()) + start.x)
}

/// The frames of the presses so far. A button that is held counts as one that was pressed in the last frame.
fn first_history(start: &Start) -> u64 {
    let any = Buttons::LEFT | Buttons::RIGHT | Buttons::A | Buttons::B;
    start.pressed | u64::from(start.held.intersects(any))
}

/// Where the piece can land.
pub(super) fn landed(piece: Piece, free: &[Set; ROWS], start: &Start, table: TapTable) -> Landed {
    match table.every() {
        Some(frames) if usize::from(frames) <= EVEN => evenly(piece, free, start, usize::from(frames)),
        _ if table.is_timeline() => on_time(piece, free, start, table),
        _ => walk(piece, free, start, table, |_, _| {}),
    }
}

/// The quick walk, for presses that are equally far apart: `resting[n]` are the positions whose last press was n + 1
/// frames ago, `ready` those that may press.
fn evenly(piece: Piece, free: &[Set; ROWS], start: &Start, every: usize) -> Landed {
    let turns = piece != Piece::O;
    let (mut ready, mut resting) = (first(piece, start), [0; EVEN]);
    let rest = every - 1;
    let last_press = first_history(start).trailing_zeros() as usize;
    if last_press < rest {
        (ready, resting[last_press]) = (0, ready);
    }
    let mut landed = [0; 20];
    for y in start.y..20 {
        let frames = start.frames_in_row(y);
        let (here, below) = (free[usize::from(y)], free[usize::from(y) + 1]);
        for _ in 0..frames {
            let new = pressed(ready, here, turns);
            let woken = ready | resting[rest - 1];
            // What rests has moved on by a frame; if nothing is new, nothing will be in this row.
            if woken == ready && resting[..rest].iter().all(|&set| set == new) {
                break;
            }
            ready = woken;
            resting.copy_within(0..rest - 1, 1);
            resting[0] = new;
        }
        let all = resting[..rest].iter().fold(ready, |all, set| all | set);
        landed[usize::from(y)] = all & here & !below;
        if all & below == 0 {
            break;
        }
        ready &= below;
        for set in &mut resting[..rest] {
            *set &= below;
        }
    }
    landed
}

/// The quick walk for a timeline. After the first frame, the number of the frame alone says whether a press may begin.
fn on_time(piece: Piece, free: &[Set; ROWS], start: &Start, table: TapTable) -> Landed {
    let turns = piece != Piece::O;
    let mut set = first(piece, start);
    let (mut history, mut frame) = (first_history(start), start.elapsed);
    let mut landed = [0; 20];
    for y in start.y..20 {
        let (here, below) = (free[usize::from(y)], free[usize::from(y) + 1]);
        for _ in 0..start.frames_in_row(y) {
            if table.allows(history, frame) {
                set |= pressed(set, here, turns);
            }
            (history, frame) = (0, frame.wrapping_add(1));
        }
        landed[usize::from(y)] = set & here & !below;
        set &= below;
        if set == 0 {
            break;
        }
    }
    landed
}

/// Walks from `start` to the floor, for any table. `record` sees the row and the layer at the end of each frame, before
/// the drop that may follow.
pub(super) fn walk(
    piece: Piece,
    free: &[Set; ROWS],
    start: &Start,
    table: TapTable,
    mut record: impl FnMut(u8, &Layer),
) -> Landed {
    let turns = piece != Piece::O;
    let mut layer = vec![Entry { history: first_history(start), set: first(piece, start) }];
    let mut next = Layer::new();
    let mut frame = start.elapsed;
    let mut landed = [0; 20];
    for y in start.y..20 {
        let frames = start.frames_in_row(y);
        let (here, below) = (free[usize::from(y)], free[usize::from(y) + 1]);
        for _ in 0..frames {
            step(&layer, here, turns, (table, frame), &mut next);
            frame = frame.wrapping_add(1);
            std::mem::swap(&mut layer, &mut next);
            record(y, &layer);
        }
        let all = layer.iter().fold(0, |all, entry| all | entry.set);
        landed[usize::from(y)] = all & here & !below;
        layer.retain_mut(|entry| {
            entry.set &= below;
            entry.set != 0
        });
        if layer.is_empty() {
            break;
        }
    }
    landed
}

/// One frame of every allowed input; `frame` is its number, counted from the piece's first.
fn step(layer: &Layer, free: Set, turns: bool, (table, frame): (TapTable, u32), next: &mut Layer) {
    next.clear();
    let window = table.window();
    for entry in layer {
        let history = entry.history << 1 & window;
        add(next, Entry { history, set: entry.set });
        if table.allows(entry.history, frame) {
            add(next, Entry { history: history | 1, set: pressed(entry.set, free, turns) });
        }
    }
    next.retain(|entry| entry.set != 0);
}

/// Adds positions, but for those that are there with a history that leaves more freedom; takes out those for which the
/// new history does.
fn add(layer: &mut Layer, mut new: Entry) {
    let mut same = None;
    for (at, old) in layer.iter_mut().enumerate() {
        if old.history == new.history {
            same = Some(at);
        } else if is_freer(old.history, new.history) {
            new.set &= !old.set;
        } else if is_freer(new.history, old.history) {
            old.set &= !new.set;
        }
    }
    match same {
        Some(at) => layer[at].set |= new.set,
        None if new.set != 0 => layer.push(new),
        None => {}
    }
}

/// Whether whatever may follow history `b` may follow `a` too: each press of `a`, counted from the last, lies at least
/// as far back as the same press of `b`.
pub(super) fn is_freer(mut a: u64, mut b: u64) -> bool {
    while a != 0 {
        if b == 0 || a.trailing_zeros() < b.trailing_zeros() {
            return false;
        }
        a &= a - 1;
        b &= b - 1;
    }
    true
}

/// The buttons of each frame from the start to a position and a history at the end of the last of these layers (with
/// their rows).
pub(super) fn inputs(
    layers: &[(u8, Layer)],
    free: &[Set; ROWS],
    start: &Start,
    piece: Piece,
    table: TapTable,
    (mut at, mut history): (Set, u64),
) -> Vec<Buttons> {
    let turns = piece != Piece::O;
    let origin = [Entry { history: first_history(start), set: first(piece, start) }];
    let mut inputs = Vec::with_capacity(layers.len());
    for at_frame in (0..layers.len()).rev() {
        let (row, _) = layers[at_frame];
        let frame = start.elapsed.wrapping_add(at_frame as u32);
        let here = free[usize::from(row)];
        // What could not drop into this row has landed and is no origin.
        let (before, there): (&[Entry], Set) = match layers[..at_frame].last() {
            None => (&origin, Set::MAX),
            Some((above, layer)) => (
                layer,
                free[usize::from(*above) + 1..=usize::from(row)].iter().fold(Set::MAX, |all, set| all & set),
            ),
        };
        let (buttons, from) = before
            .iter()
            .filter(|entry| entry.history << 1 & table.window() == history & !1)
            .filter(|entry| history & 1 == 0 || table.allows(entry.history, frame))
            .find_map(|entry| {
                let found = came_from(entry.set & there, at, here, turns, history & 1 == 1);
                found.map(|(buttons, from)| (buttons, (from, entry.history)))
            })
            .unwrap_or((Buttons::NONE, (at, history >> 1)));
        inputs.push(buttons);
        (at, history) = from;
    }
    inputs.reverse();
    inputs
}

/// The buttons that lead from a position of `set` to `at` in one frame, fewest first, and that position.
fn came_from(set: Set, at: Set, free: Set, turns: bool, press: bool) -> Option<(Buttons, Set)> {
    if !press {
        return (set & at != 0).then_some((Buttons::NONE, at));
    }
    let rotations: &[_] = if turns {
        &[(Buttons::NONE, at), (Buttons::A, at.rotate_right(16)), (Buttons::B, at.rotate_left(16))]
    } else {
        &[(Buttons::NONE, at)]
    };
    for &(rotation, unturned) in rotations {
        let shifts = [(Buttons::LEFT, unturned << 1), (Buttons::RIGHT, unturned >> 1)];
        if !rotation.is_empty() && set & unturned != 0 {
            return Some((rotation, unturned));
        }
        // The piece shifts before it turns, and must fit in between.
        let shift = shifts.into_iter().find(|&(_, from)| set & from != 0 && unturned & free != 0);
        if let Some((shift, from)) = shift {
            return Some((rotation | shift, from));
        }
    }
    None
}
