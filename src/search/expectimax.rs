//! Expectimax over the piece in play, the next one, and the unknown ones with their true odds: [`Expectimax`].
//!
//! Leaves are worth what [`crate::eval::ntuple`] has learned. Rewards are real points, so a clear that reaches
//! the next level counts at that level, and play that ends at level 29 is not paid for what would follow.

use std::collections::HashMap;

use super::parameters::Widths;
use crate::eval::ntuple::{Network, odds};
use crate::game::{Board, Piece, Progress, line_points};
use crate::movegen::{InputRule, Placement, Start, placements};

/// Discount per piece, as in training.
const GAMMA: f32 = 0.99;
/// Points of one tetris at level 19: the unit of all values here.
const TETRIS: f32 = 24_000.0;
/// Lines per piece when every cell is cleared: four cells a piece, ten a line.
const PIECES_PER_LINE: f32 = 2.5;
/// The plateau's end.
const LAST_LEVEL: u8 = 29;

/// The search. It keeps its buffers between decisions.
#[derive(Clone, Debug)]
pub struct Expectimax<'a> {
    network: &'a Network,
    widths: Widths,
    /// Whether values end at level 29; false once play is beyond it.
    bounded: bool,
    seen: HashMap<Key, f32>,
    buffers: Vec<Vec<Placement>>,
}

/// A stack after some placements.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    progress: Progress,
    /// Reward of the last placement.
    reward: f32,
    /// Reward and estimate of what follows, discounted to the last placement.
    total: f32,
}

/// What the expected value of a node depends on: stack, last piece, unknown pieces before it, lines.
type Key = (Board, Piece, u8, u32);

impl Node {
    fn key(&self, last: Piece, depth: usize) -> Key {
        (self.board, last, depth as u8, self.progress.lines())
    }
}

impl<'a> Expectimax<'a> {
    /// A search with these leaves and widths.
    pub fn new(network: &'a Network, widths: Widths) -> Self {
        Self { network, widths, bounded: true, seen: HashMap::new(), buffers: vec![Vec::new(); 8] }
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
        let piece = start.id.piece()?;
        self.bounded = progress.level < LAST_LEVEL;
        self.seen.clear();
        let root = Node { board: *board, progress, reward: 0.0, total: 0.0 };
        let mut first: Vec<(Placement, Node)> = Vec::new();
        let mut reachable = std::mem::take(&mut self.buffers[0]);
        placements(board, start, InputRule::EveryFrame, &mut reachable);
        for &placement in &reachable {
            let mut node = self.after(&root, placement);
            node.total = node.reward + GAMMA * self.leaf(&node, Some(next), piece);
            first.push((placement, node));
        }
        self.buffers[0] = reachable;
        first.sort_by(|a, b| b.1.total.total_cmp(&a.1.total));
        first.truncate(self.widths.first);
        // With each pair the reward of both placements, discounted to the first.
        let mut pairs: Vec<(Placement, f32, Node)> = Vec::new();
        for &(placement, node) in &first {
            for reply in self.replies(&node, next) {
                let rewards = node.reward + GAMMA * reply.reward;
                pairs.push((placement, rewards, Node { total: node.reward + GAMMA * reply.total, ..reply }));
            }
        }
        if pairs.is_empty() {
            // Every first placement ends the game with the next piece: take what is best on its own.
            return first.first().map(|&(placement, _)| placement);
        }
        pairs.sort_by(|a, b| b.2.total.total_cmp(&a.2.total));
        if self.widths.unknown.is_empty() {
            return pairs.first().map(|&(placement, ..)| placement);
        }
        let mut best: Option<(Placement, f32)> = None;
        let mut boards = 0;
        for (placement, rewards, node) in pairs {
            // The same stack by another way costs nothing; a new one must be among the best.
            if !self.seen.contains_key(&node.key(next, 0)) {
                if boards == self.widths.pairs {
                    continue;
                }
                boards += 1;
            }
            let total = rewards + GAMMA * GAMMA * self.chance(&node, next, 0);
            if best.is_none_or(|best| total > best.1) {
                best = Some((placement, total));
            }
        }
        best.map(|(placement, _)| placement)
    }

    /// Expected value of what follows `node`, whose last piece was `last`; `depth` counts unknown pieces.
    fn chance(&mut self, node: &Node, last: Piece, depth: usize) -> f32 {
        let key = node.key(last, depth);
        if let Some(&value) = self.seen.get(&key) {
            return value;
        }
        let width = self.widths.unknown.get(depth + 1).copied().unwrap_or(0);
        let mut expected = 0.0;
        for piece in Piece::ALL {
            let chance = odds(last)[piece as usize];
            let mut replies = self.replies(node, piece);
            let best = if width == 0 {
                replies.iter().map(|reply| reply.total).fold(0.0, f32::max)
            } else {
                replies.sort_by(|a, b| b.total.total_cmp(&a.total));
                replies.truncate(width);
                let mut best = 0.0f32;
                for reply in &replies {
                    best = best.max(reply.reward + GAMMA * self.chance(reply, piece, depth + 1));
                }
                best
            };
            expected += chance * best;
        }
        self.seen.insert(key, expected);
        expected
    }

    /// All stacks that `piece` can make of `node`, each with its reward and the learned estimate.
    fn replies(&mut self, node: &Node, piece: Piece) -> Vec<Node> {
        let mut reachable = self.buffers.pop().unwrap_or_default();
        let start = Start::spawn(piece, node.progress.level);
        placements(&node.board, &start, InputRule::EveryFrame, &mut reachable);
        let replies = reachable
            .iter()
            .map(|&placement| {
                let mut reply = self.after(node, placement);
                reply.total = reply.reward + GAMMA * self.leaf(&reply, None, piece);
                reply
            })
            .collect();
        self.buffers.push(reachable);
        replies
    }

    fn after(&self, node: &Node, placement: Placement) -> Node {
        let Node { mut board, mut progress, .. } = *node;
        let lines = board.lock(placement.x, placement.y, placement.id).min(4);
        progress.add_rows(lines);
        let paid = !self.bounded || node.progress.level < LAST_LEVEL;
        let reward = if paid { line_points(lines, progress.level) as f32 / TETRIS } else { 0.0 };
        Node { board, progress, reward, total: 0.0 }
    }

    /// What the learned value says of `node`, in tetrises of level 19. The learned game is endless; of a game
    /// that ends at level 29 only the pieces that are left count.
    fn leaf(&self, node: &Node, next: Option<Piece>, last: Piece) -> f32 {
        let share = if self.bounded {
            if node.progress.level >= LAST_LEVEL {
                return 0.0;
            }
            let left = lines_to_the_end(node.progress) as f32;
            1.0 - GAMMA.powf(PIECES_PER_LINE * left)
        } else {
            1.0
        };
        let value = match next {
            Some(next) => self.network.values(&node.board)[next as usize],
            None => self.network.expected(&node.board, last),
        };
        let multiplier = (f32::from(node.progress.level) + 1.0) / 20.0;
        value * multiplier * share
    }
}

/// Lines until level 29 by the level rule of starts at 15 and above; for lower starts, a little fewer.
fn lines_to_the_end(progress: Progress) -> u32 {
    let by_lines = 230u32.saturating_sub(progress.lines());
    let by_level = u32::from(LAST_LEVEL - progress.level.min(LAST_LEVEL)) * 10 - progress.lines() % 10;
    by_lines.max(by_level.min(300)).max(1)
}
