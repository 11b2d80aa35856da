//! Expectimax over the piece in play, the next one, and the unknown ones with their true odds: [`Expectimax`].
//!
//! Leaves are worth what [`crate::eval::ntuple`] has learned. Rewards are real points, so a clear that reaches
//! the next level counts at that level, and play that ends at level 29 is not paid for what would follow.

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::parameters::{Foresight, Widths};
use crate::eval::Shape;
use crate::eval::ntuple::{DEATH, Network, odds};
use crate::movegen::{InputRule, Placement, Start, placements};
use maxout_rules::{Board, Piece, Progress, line_points};

/// Discount per piece, as in training.
const GAMMA: f32 = 0.99;
/// Points of one tetris at level 19: the unit of all values here.
const TETRIS: f32 = 24_000.0;
/// Lines per piece when every cell is cleared: four cells a piece, ten a line.
const PIECES_PER_LINE: f32 = 2.5;
/// The plateau's end.
const LAST_LEVEL: u8 = 29;
/// Lines left from which on their number is looked at.
const FINISH: usize = 30;
/// Lines below which the share of the endless value shrinks no more.
const LAST_SHARES: usize = 17;
/// Value of an ordinary stack in the endless game.
const ORDINARY: f32 = 8.9;
/// Share of clears that are tetrises, near the end.
const TETRISES: f32 = 0.6;
/// Odds of the last tetris, when only one more is possible.
const LAST_TETRIS: f32 = 0.93;
/// Replies that leave so many more holes than others do are not looked at.
const HOLES: u8 = 3;
/// Known values that are kept from one decision to the next, before all are forgotten: 110 bytes each.
const KNOWN_MAX: usize = 1 << 15;

/// The search. It keeps what it knows between decisions: the stacks behind one piece are met again behind the
/// next.
#[derive(Clone, Debug)]
pub struct Expectimax<'a> {
    network: &'a Network,
    widths: Widths,
    /// Leaves and time after which a decision goes no deeper, if there are limits.
    limits: Foresight,
    /// When the time for this decision is over.
    deadline: Option<Instant>,
    /// Leaves looked at in this decision, those behind known values included.
    nodes: u64,
    /// Share of the endless game's value that is left when so many lines are; by lines.
    shares: Vec<f32>,
    /// What the last lines pay beyond that share; by lines that are left.
    finish: [f32; FINISH + 1],
    /// Whether values end at level 29; false once play is beyond it.
    bounded: bool,
    known: FxHashMap<Key, Known>,
    /// Buffers.
    reachable: Vec<Placement>,
    leaves: Vec<(Placement, Board, Locked)>,
}

/// A stack after some placements.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    shape: Shape,
    progress: Progress,
    /// Reward of the last placement.
    reward: f32,
    /// Reward and estimate of what follows, discounted to the last placement.
    total: f32,
}

/// The stack after a placement, lines and level, and the reward.
type Locked = (Shape, Progress, f32);

/// What the value of a node depends on, whatever piece comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    board: Board,
    lines: u16,
    level: u8,
    /// Unknown pieces that follow the first, and the ply of deepening, whose widths count if there are any.
    depth: u8,
}

impl Key {
    fn of(node: &Node, depth: usize, more: usize) -> Self {
        let depth = if more == 0 { 0 } else { (depth * 16 + more) as u8 };
        Self { board: node.board, lines: node.progress.lines() as u16, level: node.progress.level, depth }
    }
}

/// The value of a node.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// For each piece that may come next.
    values: [f32; 7],
    /// The placement of each that brings it.
    replies: [Option<Placement>; 7],
    /// Leaves it took.
    nodes: u32,
}

/// A placement and what it is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// Where the piece locks.
    pub placement: Placement,
    /// Expected points of it and of what follows, each piece later counting 0.99 as much.
    pub value: f32,
}

/// A stack after the piece in play and the next one.
#[derive(Clone, Copy, Debug)]
struct Pair {
    placement: Placement,
    /// Rewards of both placements, discounted to the first.
    rewards: f32,
    node: Node,
    /// Rewards and estimate of what follows.
    total: f32,
}

impl<'a> Expectimax<'a> {
    /// A search with these leaves and widths.
    pub fn new(network: &'a Network, widths: Widths) -> Self {
        Self {
            network,
            widths,
            limits: Foresight::DEFAULT,
            deadline: None,
            nodes: 0,
            shares: (0..=MOST_LINES as usize).map(share).collect(),
            finish: finish(),
            bounded: true,
            known: FxHashMap::default(),
            reachable: Vec::new(),
            leaves: Vec::new(),
        }
    }

    /// The same search, which goes no deeper after the nodes of `limits`, or after their time. Equal nodes give equal
    /// moves, whatever was searched before; equal times need not.
    pub fn with_limits(self, limits: Foresight) -> Self {
        Self { limits, ..self }
    }

    /// Leaves that the last decision looked at, those behind known values included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best placement of the piece at `start`, when `next` follows and then pieces unknown. `None` if there
    /// is no placement.
    pub fn best(
        &mut self,
        board: &Board,
        start: &Start,
        next: Piece,
        progress: Progress,
    ) -> Option<Placement> {
        self.rank(board, start, next, progress).first().map(|ranked| ranked.placement)
    }

    /// Placements of the piece at `start`, best first, as far as the widths keep them. Those that were dropped
    /// early were searched less deeply than those before them.
    pub fn rank(&mut self, board: &Board, start: &Start, next: Piece, progress: Progress) -> Vec<Ranked> {
        let Some(piece) = start.id.piece() else { return Vec::new() };
        let bounded = progress.level < LAST_LEVEL;
        if self.known.len() > KNOWN_MAX || bounded != self.bounded {
            self.known.clear();
        }
        (self.bounded, self.nodes) = (bounded, 0);
        self.deadline = self.limits.think.map(|think| Instant::now() + think);
        let root = Node { board: *board, shape: Shape::of(board), progress, reward: 0.0, total: 0.0 };
        let first = self.first(&root, start, piece, next);
        let mut pairs = self.pairs(&first, next);
        let at_sight = self.nodes;
        // Pairs before `kept` are searched at the present depth, those behind are done with.
        let mut kept = pairs.len();
        for (depth, ply) in self.widths.deeper.iter().enumerate() {
            let Some(best) = pairs.first().copied() else { break };
            kept = pairs[..kept].partition_point(|pair| pair.total >= best.total - ply.margin);
            kept = kept.min(ply.stacks);
            if pairs[..kept].iter().all(|pair| pair.placement == best.placement) {
                break;
            }
            let mut searched = 0;
            for pair in &mut pairs[..kept] {
                let Some(value) = self.chance(&pair.node, next, depth, depth) else { break };
                pair.total = pair.rewards + GAMMA * GAMMA * value;
                searched += 1;
            }
            if searched < kept {
                // Totals of unequal depth do not compare: those that were not reached stand behind.
                kept = searched;
            }
            pairs[..kept].sort_by(|a, b| b.total.total_cmp(&a.total));
        }
        if let Some(limit) = self.limits.nodes {
            // What went beyond the limit was not used.
            self.nodes = self.nodes.min(limit.max(at_sight));
        }
        let mut ranked: Vec<Ranked> = Vec::new();
        let totals = pairs.iter().map(|pair| (pair.placement, pair.total));
        // A first placement that ends the game with the next piece has no pair: last, on its own.
        let alone = first.iter().map(|&(placement, _)| (placement, DEATH));
        for (placement, total) in totals.chain(alone) {
            if ranked.iter().all(|other| other.placement != placement) {
                ranked.push(Ranked { placement, value: total * TETRIS });
            }
        }
        ranked
    }

    /// The best placements of the piece in play, with the next one known.
    fn first(&mut self, root: &Node, start: &Start, piece: Piece, next: Piece) -> Vec<(Placement, Node)> {
        let mut reachable = std::mem::take(&mut self.reachable);
        placements(&root.board, start, InputRule::EveryFrame, &mut reachable);
        let mut first = Vec::with_capacity(reachable.len());
        for &placement in &reachable {
            let mut node = self.after(root, placement);
            node.total = node.reward + GAMMA * self.leaf(&node.shape, node.progress, Some(next), piece);
            first.push((placement, node));
        }
        self.reachable = reachable;
        first.sort_by(|a, b| b.1.total.total_cmp(&a.1.total));
        first.truncate(self.widths.first);
        first
    }

    /// The stacks after both pieces, best first, each once.
    fn pairs(&mut self, first: &[(Placement, Node)], next: Piece) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for &(placement, node) in first {
            for (_, reply) in self.replies(&node, next) {
                pairs.push(Pair {
                    placement,
                    rewards: node.reward + GAMMA * reply.reward,
                    node: reply,
                    total: node.reward + GAMMA * reply.total,
                });
            }
        }
        pairs.sort_by(|a, b| b.total.total_cmp(&a.total));
        let mut seen = rustc_hash::FxHashSet::default();
        pairs.retain(|pair| seen.insert((pair.node.board, pair.node.progress.lines())));
        pairs
    }

    /// Expected value of what follows `node`, whose last piece was `last`, by the ply of deepening `depth`; `more`
    /// unknown pieces follow the first. `None` if that takes more nodes or time than there may be.
    fn chance(&mut self, node: &Node, last: Piece, depth: usize, more: usize) -> Option<f32> {
        let known = self.look(node, depth, more)?;
        Some(odds(last).iter().zip(known.values).map(|(odds, value)| odds * value).sum())
    }

    /// What follows `node`, for each piece that may come next. `None` if that takes more nodes or time than there
    /// may be.
    fn look(&mut self, node: &Node, depth: usize, more: usize) -> Option<Known> {
        if self.is_spent() {
            return None;
        }
        let key = Key::of(node, depth, more);
        if let Some(known) = self.known.get(&key).copied() {
            self.nodes += u64::from(known.nodes);
            // As if it were searched now.
            return (!self.is_spent()).then_some(known);
        }
        let before = self.nodes;
        let ply = &self.widths.deeper[depth];
        let replies =
            if more > 0 && ply.replies == 1 { Some(self.replies_before(node, depth, more)?) } else { None };
        let mut known = Known { values: [0.0; 7], replies: [None; 7], nodes: 0 };
        for piece in Piece::ALL {
            let best = match replies {
                _ if more == 0 => self.best_reply(node, piece),
                None => self.best_deep(node, piece, depth, more)?,
                Some(replies) => match replies[piece as usize] {
                    None => None,
                    Some(placement) => {
                        let reply = self.after(node, placement);
                        let total = reply.reward + GAMMA * self.chance(&reply, piece, depth, more - 1)?;
                        Some((total, placement))
                    }
                },
            };
            known.values[piece as usize] =
                best.map_or_else(|| self.worth(node.progress, DEATH), |best| best.0);
            known.replies[piece as usize] = best.map(|best| best.1);
        }
        if self.is_spent() {
            return None;
        }
        known.nodes = (self.nodes - before) as u32;
        self.known.insert(key, known);
        Some(known)
    }

    /// The reply to each piece that the ply before found best.
    fn replies_before(&mut self, node: &Node, depth: usize, more: usize) -> Option<[Option<Placement>; 7]> {
        if let Some(known) = self.known.get(&Key::of(node, depth - 1, more - 1)) {
            return Some(known.replies);
        }
        Some(self.look(node, depth - 1, more - 1)?.replies)
    }

    /// Whether there may be no more nodes, or the time is over.
    fn is_spent(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What the best placement of `piece` is worth, `more` unknown pieces deep, and that placement; `Some(None)` if
    /// there is none, `None` if that takes more nodes or time than there may be.
    #[expect(clippy::option_option, reason = "no placement and no answer are two things")]
    fn best_deep(
        &mut self,
        node: &Node,
        piece: Piece,
        depth: usize,
        more: usize,
    ) -> Option<Option<(f32, Placement)>> {
        let ply = &self.widths.deeper[depth];
        let mut replies = self.replies(node, piece);
        let Some(at_sight) = replies.iter().map(|(_, reply)| reply.total).reduce(f32::max) else {
            return Some(None);
        };
        replies.retain(|(_, reply)| reply.total >= at_sight - ply.reply_margin);
        replies.sort_by(|a, b| b.1.total.total_cmp(&a.1.total));
        replies.truncate(ply.replies);
        let mut best = None;
        for (placement, reply) in &replies {
            let total = reply.reward + GAMMA * self.chance(reply, piece, depth, more - 1)?;
            if best.is_none_or(|(best, _)| total > best) {
                best = Some((total, *placement));
            }
        }
        Some(best)
    }

    /// What the best placement of `piece` is worth at sight, and that placement; `None` if there is none.
    fn best_reply(&mut self, node: &Node, piece: Piece) -> Option<(f32, Placement)> {
        let mut best = None;
        let leaves = self.locked(node, piece);
        for &(placement, _, (ref shape, progress, reward)) in &leaves {
            let total = reward + GAMMA * self.leaf(shape, progress, None, piece);
            if best.is_none_or(|(best, _)| total > best) {
                best = Some((total, placement));
            }
        }
        self.leaves = leaves;
        best
    }

    /// The stacks that `piece` can make of `node`, each with its reward and the learned estimate.
    fn replies(&mut self, node: &Node, piece: Piece) -> Vec<(Placement, Node)> {
        let leaves = self.locked(node, piece);
        let mut replies = Vec::with_capacity(leaves.len());
        for &(placement, board, (shape, progress, reward)) in &leaves {
            let total = reward + GAMMA * self.leaf(&shape, progress, None, piece);
            replies.push((placement, Node { board, shape, progress, reward, total }));
        }
        self.leaves = leaves;
        replies
    }

    /// The placements of `piece` and what is locked by each, in the buffer that is to be given back; not those that
    /// leave [`HOLES`] more holes than another.
    fn locked(&mut self, node: &Node, piece: Piece) -> Vec<(Placement, Board, Locked)> {
        let start = Start::spawn(piece, node.progress.level);
        placements(&node.board, &start, InputRule::EveryFrame, &mut self.reachable);
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        let lock = |&placement: &Placement| {
            let (board, locked) = self.lock(node, placement);
            (placement, board, locked)
        };
        leaves.extend(self.reachable.iter().map(lock));
        let holes = |leaf: &(Placement, Board, Locked)| leaf.2.0.all_holes();
        if let Some(fewest) = leaves.iter().map(holes).min() {
            leaves.retain(|leaf| holes(leaf) < fewest + HOLES);
        }
        leaves
    }

    fn after(&self, node: &Node, placement: Placement) -> Node {
        let (board, (shape, progress, reward)) = self.lock(node, placement);
        Node { board, shape, progress, reward, total: 0.0 }
    }

    /// The stack after a placement, and its shape, lines and reward.
    #[inline]
    fn lock(&self, node: &Node, placement: Placement) -> (Board, Locked) {
        let Node { mut board, mut progress, .. } = *node;
        let lines = board.lock(placement.x, placement.y, placement.id).min(4);
        if lines == 0 {
            return (board, (node.shape.with(placement), progress, 0.0));
        }
        progress.add_rows(lines);
        let paid = !self.bounded || node.progress.level < LAST_LEVEL;
        let reward = if paid { line_points(lines, progress.level) as f32 / TETRIS } else { 0.0 };
        (board, (Shape::of(&board), progress, reward))
    }

    /// What the learned value says of a stack.
    #[inline]
    fn leaf(&mut self, shape: &Shape, progress: Progress, next: Option<Piece>, last: Piece) -> f32 {
        self.nodes += 1;
        let value = match next {
            Some(next) => self.network.values(shape, progress.level)[next as usize],
            None => self.network.expected(shape, progress.level, last),
        };
        self.worth(progress, value)
    }

    /// What a learned value is worth, in tetrises of level 19. The learned game is endless; of a game that ends
    /// at level 29 only the pieces that are left count, and how many tetrises the last lines have room for.
    #[inline]
    fn worth(&self, progress: Progress, value: f32) -> f32 {
        if self.bounded && progress.level >= LAST_LEVEL {
            return 0.0;
        }
        let left = if self.bounded { lines_to_the_end(progress) as usize } else { MOST_LINES as usize };
        let finish = self.finish.get(left).copied().unwrap_or(0.0);
        value * multiplier(progress.level) * self.shares[left] + finish
    }
}

/// What a level pays, against level 19.
fn multiplier(level: u8) -> f32 {
    (f32::from(level) + 1.0) / 20.0
}

/// Share of an endless game's value that falls to `lines` lines. Of the last few it is not made smaller still:
/// what tells a good stack from a bad one is as great there as before.
fn share(lines: usize) -> f32 {
    1.0 - GAMMA.powf(PIECES_PER_LINE * lines.max(LAST_SHARES) as f32)
}

/// By lines that are left before level 29: what they pay in expectation, in tetrises of level 19, beyond the share
/// of an ordinary endless game, less the same at `FINISH + 1`.
///
/// With 5 lines left two more tetrises can be made, with 4 only one: what a lesser clear costs depends on the line
/// it is made at. The expectation is that of a player who clears four lines with [`TETRISES`] of the clears and
/// one with the others, and who waits for the last tetris.
fn finish() -> [f32; FINISH + 1] {
    let pays = |left: usize| multiplier(LAST_LEVEL - left.div_ceil(10) as u8);
    let mut expected = [0.0; FINISH + 2];
    for left in 1..expected.len() {
        let after = |lines: usize| left.saturating_sub(lines);
        let tetris = GAMMA.powi(5) * pays(after(4)) + GAMMA.powi(10) * expected[after(4)];
        let single = GAMMA.powf(PIECES_PER_LINE) * (pays(after(1)) / 30.0 + expected[after(1)]);
        expected[left] =
            if left <= 4 { LAST_TETRIS * pays(0) } else { TETRISES * tetris + (1.0 - TETRISES) * single };
    }
    let beyond = |left: usize| expected[left] - ORDINARY * pays(left) * share(left);
    std::array::from_fn(|left| if left == 0 { 0.0 } else { beyond(left) - beyond(FINISH + 1) })
}

/// More lines than can be left until level 29.
const MOST_LINES: u32 = 512;

/// Lines until level 29 by the level rule of starts at 15 and above; for lower starts, a little fewer.
fn lines_to_the_end(progress: Progress) -> u32 {
    let by_lines = 230u32.saturating_sub(progress.lines());
    let by_level = u32::from(LAST_LEVEL.saturating_sub(progress.level)) * 10 - progress.lines() % 10;
    by_lines.max(by_level).clamp(1, MOST_LINES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights::embedded;

    fn search() -> Expectimax<'static> {
        Expectimax::new(embedded(), Widths::TWO)
    }

    /// What the last `left` lines pay on average, by playing them out with the odds that [`finish`] assumes.
    fn played_out(left: usize, dice: &mut u64) -> f32 {
        let mut roll = || {
            *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*dice >> 40) as f32 / (1 << 24) as f32
        };
        let (mut left, mut pieces, mut sum) = (left, 0.0, 0.0);
        while left > 4 {
            let tetris = roll() < TETRISES;
            left -= if tetris { 4 } else { 1 };
            let pays = multiplier(LAST_LEVEL - left.div_ceil(10) as u8);
            if tetris {
                sum += GAMMA.powf(pieces + 5.0) * pays;
                pieces += 10.0;
            } else {
                pieces += PIECES_PER_LINE;
                sum += GAMMA.powf(pieces) * pays / 30.0;
            }
        }
        if left > 0 && roll() < LAST_TETRIS {
            sum += GAMMA.powf(pieces) * multiplier(LAST_LEVEL);
        }
        sum
    }

    #[test]
    fn what_the_last_lines_pay_is_what_playing_them_out_pays() {
        let finish = finish();
        let mut dice = 7;
        // Only differences count, so each number of lines is held against 30.
        let mut expected = |left: usize| {
            let mean = (0..40_000).map(|_| f64::from(played_out(left, &mut dice))).sum::<f64>() / 40_000.0;
            let pays = multiplier(LAST_LEVEL - left.div_ceil(10) as u8);
            mean as f32 - ORDINARY * pays * share(left)
        };
        let base = expected(FINISH);
        for left in 1..FINISH {
            let (got, want) = (finish[left] - finish[FINISH], expected(left) - base);
            assert!((got - want).abs() < 0.03, "{left} lines left: {got}, played out {want}");
        }
        assert!(finish[0] == 0.0);
    }

    #[test]
    fn a_share_grows_with_the_lines_and_is_never_all() {
        assert!((share(17) - share(0)).abs() < f32::EPSILON);
        assert!((share(40) - (1.0 - 0.99f32.powi(100))).abs() < 1e-6);
        assert!((17..300).all(|lines| share(lines) < share(lines + 1) && share(lines) < 1.0));
    }

    #[test]
    fn two_more_tetrises_are_worth_more_than_one() {
        let search = search();
        let worth = |lines: u32| search.worth(Progress::at(lines, 28), ORDINARY);
        // With 5 lines left another tetris leaves room for one more; with 4 it is the last.
        assert!(worth(225) > worth(226) + 0.3);
        assert!(
            (226..230).all(|lines| (worth(lines) - worth(226)).abs() < 0.1),
            "one tetris, whichever line"
        );
    }

    #[test]
    fn nothing_is_worth_anything_at_level_29_unless_play_goes_on() {
        let mut search = search();
        let end = Progress::at(230, 29);
        assert!(search.worth(end, ORDINARY) == 0.0 && search.worth(end, DEATH) == 0.0);
        search.bounded = false;
        assert!(search.worth(end, ORDINARY) > 10.0);
        assert!(search.worth(end, DEATH) < search.worth(end, 0.0));
    }

    #[test]
    fn a_level_pays_by_its_multiplier() {
        let search = search();
        let worth = |level: u8, value: f32| search.worth(Progress::at(100, level), value);
        let slope = |level: u8| worth(level, 2.0) - worth(level, 1.0);
        assert!((slope(27) / slope(20) - 28.0 / 21.0).abs() < 0.01);
    }
}
