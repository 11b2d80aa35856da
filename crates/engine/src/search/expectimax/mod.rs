//! Expectimax over the piece in play, the next one, and the unknown ones with their true odds: [`Expectimax`].
//!
//! Leaves are worth what [`crate::eval::ntuple`] has learned. Rewards are real points, so a clear that reaches
//! the next level counts at that level, and play that ends at level 29 is not paid for what would follow.

mod ending;

use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::parameters::{ExpectimaxParameters, Foresight, LAST_LEVEL, Widths};
use crate::eval::Shape;
use crate::eval::ntuple::{DEATH, Network, odds};
use crate::limits::Limits;
use crate::movegen::{Placement, Start, placements};
use ending::Ending;
use maxout_rules::{Board, Piece, Progress, line_points};

/// Points of one tetris at level 19: the unit of all values here.
const TETRIS: f32 = 24_000.0;

/// The search. It keeps what it knows between decisions: the stacks behind one piece are met again behind the
/// next.
#[derive(Clone, Debug)]
pub struct Expectimax {
    network: Arc<Network>,
    widths: Widths,
    /// What may be done with each piece, known or unknown.
    input: Limits,
    parameters: ExpectimaxParameters,
    /// Leaves and time after which a decision goes no deeper, if there are limits.
    limits: Foresight,
    /// When the time for this decision is over, by the clock of `limits`.
    deadline: Option<Duration>,
    /// Leaves looked at in this decision, those behind known values included.
    nodes: u64,
    ending: Ending,
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

impl Expectimax {
    /// A search with these leaves and widths, in which every piece is played within the presses of `input`.
    pub fn new(network: Arc<Network>, widths: Widths, input: Limits) -> Self {
        let parameters = ExpectimaxParameters::DEFAULT;
        Self {
            network,
            widths,
            input,
            parameters,
            limits: Foresight::DEFAULT,
            deadline: None,
            nodes: 0,
            ending: Ending::new(&parameters),
            known: FxHashMap::default(),
            reachable: Vec::new(),
            leaves: Vec::new(),
        }
    }

    /// The same search, which goes no deeper after the nodes of `limits`, or after their time. Equal nodes give equal
    /// moves, whatever was searched before; equal times need not.
    pub fn with_foresight(self, limits: Foresight) -> Self {
        Self { limits, ..self }
    }

    /// The same search with other tuned numbers.
    pub fn with_parameters(self, parameters: ExpectimaxParameters) -> Self {
        Self { parameters, ending: Ending::new(&parameters), known: FxHashMap::default(), ..self }
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
        if self.known.len() > self.parameters.most_known || bounded != self.ending.bounded {
            self.known.clear();
        }
        (self.ending.bounded, self.nodes) = (bounded, 0);
        self.deadline = self.limits.think.map(|think| (think.clock)() + think.time);
        let discount = self.parameters.discount;
        let root = Node { board: *board, shape: Shape::of(board), progress, reward: 0.0, total: 0.0 };
        let first = self.first(&root, start, piece, next);
        let mut pairs = self.pairs(&first, next);
        let at_sight = self.nodes;
        // Pairs before `kept` are searched at the present depth, those behind are done with.
        let mut kept = pairs.len();
        for depth in 0..self.widths.deeper.len() {
            let ply = self.widths.deeper[depth];
            let Some(best) = pairs.first().copied() else { break };
            kept = pairs[..kept].partition_point(|pair| pair.total >= best.total - ply.margin);
            kept = kept.min(ply.stacks);
            if pairs[..kept].iter().all(|pair| pair.placement == best.placement) {
                break;
            }
            let mut searched = 0;
            for pair in &mut pairs[..kept] {
                let Some(value) = self.chance(&pair.node, next, depth, depth) else { break };
                pair.total = pair.rewards + discount * discount * value;
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
        placements(&root.board, start, self.input, &mut reachable);
        let mut first = Vec::with_capacity(reachable.len());
        for &placement in &reachable {
            let mut node = self.after(root, placement);
            node.total = node.reward
                + self.parameters.discount * self.leaf(&node.shape, node.progress, Some(next), piece);
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
                    rewards: node.reward + self.parameters.discount * reply.reward,
                    node: reply,
                    total: node.reward + self.parameters.discount * reply.total,
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
        let ply = self.widths.deeper[depth];
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
                        let total = reply.reward
                            + self.parameters.discount * self.chance(&reply, piece, depth, more - 1)?;
                        Some((total, placement))
                    }
                },
            };
            known.values[piece as usize] =
                best.map_or_else(|| self.ending.worth(node.progress, DEATH), |best| best.0);
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
            || matches!((self.limits.think, self.deadline), (Some(think), Some(end)) if (think.clock)() >= end)
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
        let ply = self.widths.deeper[depth];
        let mut replies = self.replies(node, piece);
        let Some(at_sight) = replies.iter().map(|(_, reply)| reply.total).reduce(f32::max) else {
            return Some(None);
        };
        replies.retain(|(_, reply)| reply.total >= at_sight - ply.reply_margin);
        replies.sort_by(|a, b| b.1.total.total_cmp(&a.1.total));
        replies.truncate(ply.replies);
        let mut best = None;
        for (placement, reply) in &replies {
            let total =
                reply.reward + self.parameters.discount * self.chance(reply, piece, depth, more - 1)?;
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
            let total = reward + self.parameters.discount * self.leaf(shape, progress, None, piece);
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
            let total = reward + self.parameters.discount * self.leaf(&shape, progress, None, piece);
            replies.push((placement, Node { board, shape, progress, reward, total }));
        }
        self.leaves = leaves;
        replies
    }

    /// The placements of `piece` and what is locked by each, in the buffer that is to be given back; not those that
    /// leave more holes than another, by the hole margin or more.
    fn locked(&mut self, node: &Node, piece: Piece) -> Vec<(Placement, Board, Locked)> {
        let start = Start::spawn(piece, node.progress.level);
        placements(&node.board, &start, self.input, &mut self.reachable);
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        let lock = |&placement: &Placement| {
            let (board, locked) = self.lock(node, placement);
            (placement, board, locked)
        };
        leaves.extend(self.reachable.iter().map(lock));
        let holes = |leaf: &(Placement, Board, Locked)| leaf.2.0.all_holes();
        if let Some(fewest) = leaves.iter().map(holes).min() {
            leaves.retain(|leaf| holes(leaf) < fewest + self.parameters.hole_margin);
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
        let paid = !self.ending.bounded || node.progress.level < LAST_LEVEL;
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
        self.ending.worth(progress, value)
    }
}
