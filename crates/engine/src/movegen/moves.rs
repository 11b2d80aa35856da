//! Which placements a search may choose from: [`Moves`]. Straight drops need no controller: [`drops`]; nor does
//! steering a piece that never falls by itself: [`locks`].

use super::masks::{ROWS, Set, fits};
use super::reach::placements;
use super::start::Start;
use crate::limits::Limits;
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Orientation, Piece, Placement};

/// What may be done with a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Moves {
    /// Everything that can be steered to under gravity within these limits.
    Pad(Limits),
    /// Of that, what a straight drop reaches too.
    StraightPad(Limits),
    /// Under gravity: turns and shifts from the first frame on, then hands off.
    Top,
    /// Straight drops from above the field, in every column and orientation; nothing falls before.
    Drops,
    /// Everything that a piece can be steered to which moves down on command only, spins and tucks included.
    Commands,
}

impl From<Limits> for Moves {
    fn from(limits: Limits) -> Self {
        Self::Pad(limits)
    }
}

impl Moves {
    /// Lists the placements of the piece at `start`; clears `out` before.
    pub fn list(self, board: &Board, start: &Start, out: &mut Vec<Placement>) {
        match self {
            Self::Pad(limits) => placements(board, start, limits, out),
            Self::StraightPad(limits) => {
                placements(board, start, limits, out);
                let tops = board.tops();
                out.retain(|placement| {
                    drop_row(&tops, placement.x, placement.orientation) == Some(placement.y)
                });
            }
            Self::Top => {
                out.clear();
                falls(board, start, out);
            }
            Self::Drops => {
                out.clear();
                drops(board, start.orientation.piece(), out);
            }
            Self::Commands => {
                out.clear();
                locks(board, start, out);
            }
        }
    }
}

/// Adds every place where the piece at `start` can be but not go down from, when it moves down, left and right
/// and turns on command only: top row first, orientations clockwise, columns from the left.
///
/// A piece never goes up, so a row at a time is closed under shifts and turns, as a set.
///
/// ```
/// use maxout_rules::{Board, Piece};
/// use maxout_engine::movegen::{Start, locks};
/// // A tuck below the overhang on the left.
/// let board: Board = "####......\n..........\n..........".parse().unwrap();
/// let mut out = Vec::new();
/// locks(&board, &Start::spawn(Piece::O, 0), &mut out);
/// assert!(out.iter().any(|placement| (placement.x, placement.y) == (1, 18)));
/// ```
pub fn locks(board: &Board, start: &Start, out: &mut Vec<Placement>) {
    let piece = start.orientation.piece();
    if start.x > 9 {
        return;
    }
    let rows = fits(board, piece);
    let (first, turns) = (piece.first_orientation(), piece.orientations());
    let lane = start.orientation.id() - first;
    // With two orientations the lanes repeat them.
    let lanes = if turns == 2 { 1u64 << 32 | 1 } else { 1 };
    let mut set = lanes << (16 * lane + start.x);
    for y in start.y..20 {
        let (here, below) = (rows[usize::from(y)], rows[usize::from(y) + 1]);
        set &= here;
        loop {
            let turned = set | set.rotate_left(16) | set.rotate_right(16);
            let wider = (turned | set << 1 | set >> 1) & here;
            if wider == set {
                break;
            }
            set = wider;
        }
        for turn in 0..turns {
            let mut columns = (set & !below) >> (16 * turn) & 0x3FF;
            while columns != 0 {
                let x = columns.trailing_zeros() as u8;
                columns &= columns - 1;
                out.push(Placement { y, orientation: piece.turned(turn), x });
            }
        }
        set &= below;
        if set == 0 {
            return;
        }
    }
}

/// Adds where the piece at `start` locks when it is turned and shifted at once, each in every second frame from the
/// first on, and then left alone under gravity: top row first. Nothing slides or spins further down.
///
/// ```
/// use maxout_rules::{Board, Piece};
/// use maxout_engine::movegen::{Start, falls};
/// let mut out = Vec::new();
/// falls(&Board::EMPTY, &Start::spawn(Piece::T, 19), &mut out);
/// assert_eq!(out.len(), 8 + 8 + 9 + 9);
/// ```
pub fn falls(board: &Board, start: &Start, out: &mut Vec<Placement>) {
    let piece = start.orientation.piece();
    if start.x > 9 {
        return;
    }
    let rows = fits(board, piece);
    let first = out.len();
    // Clockwise; the last of four is one turn back.
    let turns: &[i8] = match piece.orientations() {
        1 => &[0],
        2 => &[0, 1],
        _ => &[0, 1, 2, -1],
    };
    for &turn in turns {
        for x in 0..10 {
            out.extend(fall(piece, &rows, start, turn, x as i8 - start.x as i8));
        }
    }
    // The order of `Placement`, by one comparison each.
    let order =
        |at: &Placement| u32::from(at.y) << 16 | u32::from(at.orientation.id()) << 8 | u32::from(at.x);
    out[first..].sort_unstable_by_key(order);
}

/// Where the piece locks after these turns clockwise and shifts to the right; `None` if one of them fails or comes too
/// late.
fn fall(piece: Piece, rows: &[Set; ROWS], start: &Start, turns: i8, shifts: i8) -> Option<Placement> {
    let (mut turns, mut shifts) = (turns, shifts);
    let lane = start.orientation.id() - piece.first_orientation();
    let mut at: Set = 1 << (16 * lane + start.x);
    // With two orientations the lanes repeat them.
    if piece.orientations() == 2 {
        at |= at << 32;
    }
    let used = Buttons::LEFT | Buttons::RIGHT | Buttons::A | Buttons::B;
    let mut ready = !start.held.intersects(used);
    for y in start.y..20 {
        let frames = start.frames_in_row(y);
        let (here, below) = (rows[usize::from(y)], rows[usize::from(y) + 1]);
        for _ in 0..frames {
            if (turns, shifts) == (0, 0) {
                break;
            }
            if ready {
                at = match shifts.signum() {
                    -1 => at >> 1 & here,
                    1 => at << 1 & here,
                    _ => at,
                };
                at = match turns.signum() {
                    -1 => at.rotate_right(16) & here,
                    1 => at.rotate_left(16) & here,
                    _ => at,
                };
                (turns, shifts) = (turns - turns.signum(), shifts - shifts.signum());
            }
            ready = !ready;
        }
        let landed = at & here & !below;
        if landed != 0 {
            let bit = landed.trailing_zeros() as u8;
            let id = piece.turned(bit >> 4);
            return ((turns, shifts) == (0, 0)).then_some(Placement { y, orientation: id, x: bit & 15 });
        }
        at &= below;
        if at == 0 {
            return None;
        }
    }
    None
}

/// Adds where `piece` comes to rest when it is dropped straight from above the field: orientations clockwise,
/// columns from the left. Where it would stick out at the top, it cannot be put.
///
/// ```
/// use maxout_rules::{Board, Piece};
/// use maxout_engine::movegen::drops;
/// let mut out = Vec::new();
/// drops(&Board::EMPTY, Piece::I, &mut out);
/// assert_eq!(out.len(), 10 + 7);
/// assert!(out.iter().all(|placement| placement.y >= 18));
/// ```
pub fn drops(board: &Board, piece: Piece, out: &mut Vec<Placement>) {
    let tops = board.tops();
    for id in (0..piece.orientations()).map(|turns| piece.turned(turns)) {
        for x in 0..10 {
            if let Some(y) = drop_row(&tops, x, id) {
                out.push(Placement { y, orientation: id, x });
            }
        }
    }
}

/// Row of the centre of `id` dropped in column `x`; `None` if it does not fit there.
fn drop_row(tops: &[i8; 10], x: u8, id: Orientation) -> Option<u8> {
    let mut y = i8::MAX;
    let mut highest = 0;
    for &(dx, dy) in id.cells() {
        let top = tops.get(usize::try_from(x as i8 + dx).ok()?)?;
        y = y.min(top - 1 - dy);
        highest = highest.min(dy);
    }
    if y + highest >= 0 { u8::try_from(y).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A random stack of each height from 0 to 18 rows, of three of these heights under Miri, which is slow.
    fn stacks(mut seed: u64) -> impl Iterator<Item = (usize, Board)> {
        (0..19).step_by(if cfg!(miri) { 9 } else { 1 }).map(move |height| {
            let mut rows = [0; 22];
            for row in &mut rows[22 - height..] {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *row = (seed >> 40) as u16;
            }
            (height, Board::from_rows(rows))
        })
    }

    #[test]
    fn a_drop_ends_where_the_piece_can_go_no_further_and_nowhere_else() {
        for (_, board) in stacks(3) {
            for piece in Piece::ALL {
                let mut want = Vec::new();
                for turn in 0..piece.orientations() {
                    let id = piece.turned(turn);
                    for x in 0..10 {
                        let fall = (0..20).take_while(|&y| board.is_valid(x, y, id)).last();
                        let inside = |y: u8| id.cells().iter().all(|&(_, dy)| y as i8 + dy >= 0);
                        // A piece that needs no room above begins below the top.
                        let begins = id.cells().iter().map(|&(_, dy)| -dy).max().unwrap_or(0).max(0) as u8;
                        let fits = (0..begins).all(|y| board.is_valid(x, y, id));
                        want.extend(fall.filter(|&y| fits && inside(y)).map(|y| Placement {
                            y,
                            orientation: id,
                            x,
                        }));
                    }
                }
                let mut got = Vec::new();
                drops(&board, piece, &mut got);
                assert_eq!(got, want, "{piece}{board}");
            }
        }
    }

    #[test]
    fn locks_are_those_of_a_search_state_by_state() {
        let mut seed = 11u64;
        for round in (0..200).step_by(if cfg!(miri) { 67 } else { 1 }) {
            let mut rows = [0; 22];
            for row in &mut rows[22 - round % 17..] {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *row = (seed >> 40) as u16 & (seed >> 50) as u16;
            }
            let board = Board::from_rows(rows);
            for piece in Piece::ALL {
                let spawn = (5u8, 0u8, piece.spawn());
                let mut queue = if board.is_valid(5, 0, spawn.2) { vec![spawn] } else { Vec::new() };
                let (mut seen, mut want) = (queue.clone(), Vec::new());
                while let Some((x, y, id)) = queue.pop() {
                    if !board.is_valid(x, y + 1, id) {
                        want.push(Placement { y, orientation: id, x });
                    }
                    let turns = [(x, y, id.clockwise()), (x, y, id.counterclockwise())];
                    for state in
                        turns.into_iter().chain([(x.wrapping_sub(1), y, id), (x + 1, y, id), (x, y + 1, id)])
                    {
                        if board.is_valid(state.0, state.1, state.2) && !seen.contains(&state) {
                            seen.push(state);
                            queue.push(state);
                        }
                    }
                }
                let mut got = Vec::new();
                locks(&board, &Start::spawn(piece, 0), &mut got);
                want.sort();
                assert!(got.is_sorted(), "{piece}{board}");
                assert_eq!(got, want, "{piece}{board}");
            }
        }
    }

    #[test]
    fn a_piece_that_is_not_on_the_board_locks_nowhere() {
        for piece in Piece::ALL {
            for x in 10..=u8::MAX {
                let (start, mut out) = (Start { x, ..Start::spawn(piece, 0) }, Vec::new());
                locks(&Board::EMPTY, &start, &mut out);
                falls(&Board::EMPTY, &start, &mut out);
                assert!(out.is_empty(), "{piece} {x}");
            }
        }
    }

    #[test]
    fn what_is_steered_at_the_top_is_within_reach_and_on_a_low_stack_it_is_every_straight_drop() {
        for (height, board) in stacks(9) {
            for piece in Piece::ALL {
                for (level, held) in
                    [(0, Buttons::NONE), (19, Buttons::LEFT | Buttons::B), (29, Buttons::NONE)]
                {
                    let start = Start { held, ..Start::spawn(piece, level) };
                    let (mut got, mut all, mut straight) = (Vec::new(), Vec::new(), Vec::new());
                    Moves::Top.list(&board, &start, &mut got);
                    Moves::Pad(Limits::EACH_BUTTON).list(&board, &start, &mut all);
                    Moves::StraightPad(Limits::EACH_BUTTON).list(&board, &start, &mut straight);
                    assert!(got.is_sorted_by(|a, b| a < b), "{piece}{board}");
                    assert!(got.iter().all(|placement| all.contains(placement)), "{piece}{board}");
                    if height < 7 {
                        assert_eq!(got, straight, "{piece} level {level}{board}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_straight_under_gravity_is_reachable_and_a_drop() {
        let board: Board = "##......##\n".repeat(12).parse().expect("art parses");
        let start = Start::spawn(Piece::T, 19);
        let (mut straight, mut all, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        Moves::StraightPad(Limits::ONE_PER_ROW).list(&board, &start, &mut straight);
        Moves::Pad(Limits::ONE_PER_ROW).list(&board, &start, &mut all);
        Moves::Drops.list(&board, &start, &mut dropped);
        let both = all.iter().copied().filter(|placement| dropped.contains(placement)).collect::<Vec<_>>();
        assert_eq!(straight, both);
        assert!(!straight.is_empty());
    }
}
