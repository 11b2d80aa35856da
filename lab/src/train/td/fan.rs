//! [`Fan`]: everything that one piece can make of a board, and what of it is still open when the next piece is seen.

use super::position::{REWARD, StageRules};
use super::tables::Tables;
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{LANES, TableList, odds};
use maxout_engine::movegen::{Reach, Start, Then, placements};
use maxout_rules::danger::{Risk, risk_at};
use maxout_rules::{Board, Piece, Placement};

/// An afterstate: the board after a placement.
#[derive(Clone, Copy)]
pub(super) struct After<L: TableList> {
    pub board: Board,
    pub at: L::Indices,
    pub lines: u8,
    /// Reward and the discounted value for each next piece.
    pub totals: [f32; LANES],
}

/// A set of afterstates: bit n is the n-th. A piece has some twenty to forty placements; any beyond 128 would
/// count as closed.
pub(super) type Open = u128;

/// All afterstates that one piece can make of a board.
pub(super) struct Fan<L: TableList> {
    reachable: Vec<Placement>,
    pub after: Vec<After<L>>,
    /// With a reaction delay: for each way to play the frames before the next piece is seen, the afterstates that can still be
    /// reached. Empty without a delay: then all can be reached.
    open: Vec<Open>,
    /// With a reaction delay: which afterstate a placement leads to, by [`place`]; [`NONE`] if it was left out.
    index: Vec<u8>,
    locked: Vec<Locked>,
    buffer: Vec<Placement>,
}

/// A placement that has locked: the board after it, its lines, and its shape.
type Locked = (Placement, Board, u8, Shape);

/// The number of afterstates whose weights are prefetched before the first of them is evaluated.
const ASKED: usize = 8;

/// No afterstate.
const NONE: u8 = u8::MAX;

/// Rows of a placement's centre.
const ROWS: usize = 20;
/// Columns of a placement's centre.
const COLUMNS: usize = 10;
/// Orientations of all pieces.
const ORIENTATIONS: usize = 19;

/// The position of a placement in [`Fan::index`].
fn place(Placement { x, y, orientation: id }: Placement) -> usize {
    (usize::from(id.id()) * ROWS + usize::from(y)) * COLUMNS + usize::from(x)
}

impl<L: TableList> Fan<L> {
    pub const fn new() -> Self {
        Self {
            reachable: Vec::new(),
            after: Vec::new(),
            open: Vec::new(),
            index: Vec::new(),
            locked: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Looks at all placements of `piece`, except those that would crash the game or leave too many holes.
    pub fn fill(&mut self, tables: &Tables<L>, rules: StageRules, board: &Board, piece: Piece) {
        let start = Start::spawn(piece, rules.level).by(rules.fall_rule);
        placements(board, &start, rules.limits, &mut self.reachable);
        self.after.clear();
        self.open.clear();
        self.locked.clear();
        let shape = Shape::of(board);
        let mut fewest = u8::MAX;
        for &placement in &self.reachable {
            let mut board = *board;
            let lines = board.lock(placement.x, placement.y, placement.orientation);
            if lines > 0 && risk_at(lines, rules.level, true) == Risk::Band {
                continue;
            }
            let shape = if lines == 0 { shape.with(placement) } else { Shape::of(&board) };
            fewest = fewest.min(shape.all_holes());
            self.locked.push((placement, board, lines, shape));
        }
        let most = rules.hole_margin.map_or(u8::MAX, |margin| fewest.saturating_add(margin));
        self.locked.retain(|(_, _, _, shape)| shape.all_holes() < most);
        for group in self.locked.chunks(ASKED) {
            let known = self.after.len();
            for &(_, board, lines, ref shape) in group {
                let at = L::indices(shape, rules.by_height, rules.speed());
                tables.ask(&at);
                self.after.push(After { board, at, lines, totals: [0.0; LANES] });
            }
            for after in &mut self.after[known..] {
                let reward = REWARD[usize::from(after.lines)];
                after.totals = tables.values(&after.at);
                for total in &mut after.totals {
                    *total = reward + rules.earlier(total.max(rules.death));
                }
            }
        }
        if let Some(frames) = rules.delay() {
            self.find_open(&start, rules, board, frames);
        }
    }

    /// Finds out what is still open after `frames` frames. Sets that are part of another one are left out.
    fn find_open(&mut self, start: &Start, rules: StageRules, board: &Board, frames: u32) {
        let Self { reachable, open, index, locked, buffer, .. } = self;
        index.resize(ORIENTATIONS * ROWS * COLUMNS, NONE);
        for &placement in &*reachable {
            index[place(placement)] = NONE;
        }
        for (at, &(placement, ..)) in locked.iter().enumerate() {
            index[place(placement)] = at.min(usize::from(NONE)) as u8;
        }
        let Some(reach) = Reach::new(board, start, rules.limits) else { return };
        for hover in reach.hovers(frames) {
            match hover.then {
                Then::Falls(start) => placements(board, &start, rules.limits, buffer),
                Then::Locked(placement) => {
                    buffer.clear();
                    buffer.push(placement);
                }
            }
            let bit = |&at: &Placement| Open::checked_shl(1, index[place(at)].into()).unwrap_or(0);
            let set = buffer.iter().map(bit).fold(0, |set, bit| set | bit);
            if open.iter().all(|&other| set & !other != 0) {
                open.retain(|&other| other & !set != 0);
                open.push(set);
            }
        }
    }

    /// Whether the afterstate of number `at` is in `open`; without a set, all are.
    pub fn is_open(open: Option<Open>, at: usize) -> bool {
        open.is_none_or(|open| open.checked_shr(at as u32).is_some_and(|open| open & 1 == 1))
    }

    /// For each next piece, the best total of those that are open; `death` if all are closed.
    fn best_of(&self, open: Option<Open>, death: f32) -> [f32; LANES] {
        let mut best = [f32::MIN; LANES];
        for (_, after) in self.after.iter().enumerate().filter(|&(at, _)| Self::is_open(open, at)) {
            for (best, &total) in best.iter_mut().zip(&after.totals) {
                *best = best.max(total);
            }
        }
        best.map(|best| if best > f32::MIN { best } else { death })
    }

    /// The best total of the open afterstates with `next` as the next piece; `death` if all are closed.
    pub fn best(&self, open: Option<Open>, next: Piece, death: f32) -> f32 {
        self.best_of(open, death)[next as usize]
    }

    /// The worth of `piece`, whose fan this is, before the next piece is known. With a delay, also the best set of afterstates to keep
    /// open.
    pub fn choose(&self, piece: Piece, death: f32) -> (f32, Option<Open>) {
        let worth = |open: Option<Open>| -> f32 {
            let best = self.best_of(open, death);
            odds(piece).iter().zip(best).map(|(odds, best)| odds * best).sum()
        };
        let ways = self.open.iter().map(|&open| (worth(Some(open)), Some(open)));
        ways.reduce(|best, way| if way.0 > best.0 { way } else { best })
            .unwrap_or_else(|| (worth(None), None))
    }

    /// The worth of [`Fan::choose`].
    pub fn expected(&self, piece: Piece, death: f32) -> f32 {
        self.choose(piece, death).0
    }
}
