//! What is best by static evaluation, without deepening.

use super::choice::Choice;
use super::pending::ASKED;
use super::{Expectimax, Node, TETRIS};
use crate::Position;
use maxout_rules::{Piece, Placement};

impl Expectimax {
    /// As [`Expectimax::best`], for a search of the two visible pieces: nothing has to be kept of what is not the best.
    pub(super) fn best_at_sight(&mut self, position: &Position) -> Option<Placement> {
        let Position { board, start, next, progress } = position;
        let (piece, next, progress) = (start.orientation.piece(), (*next)?, *progress);
        self.begin(board, start, progress);
        let root = Node::root(board, progress);
        let first = self.first(&root, start, piece, Some(next), None);
        let mut best: Option<(f32, Placement)> = None;
        for (placement, node) in first.iter().take(self.widths.first) {
            let Some(reply) = self.at_sight(node, next).value(next) else { continue };
            let total = node.reward + self.parameters.discount * reply;
            if best.is_none_or(|(best, _)| total.total_cmp(&best).is_gt()) {
                best = Some((total, *placement));
            }
        }
        let (top, best) =
            best.or_else(|| first.first().map(|&(placement, ref node)| (node.total, placement)))?;
        let rescued = self.rescue(&first, next, progress, top);
        Some(rescued.first().map_or(best, |rescued| rescued.placement))
    }

    /// Returns the placements of the piece in play, and `also`, with the points that each loses against the best, that one first, by the values that
    /// [`Expectimax::best`] of a search of the two visible pieces compares. Those beyond the widths are compared without the next piece. The
    /// list is empty if the next piece is not known.
    pub(crate) fn weigh_at_sight(
        &mut self,
        position: &Position,
        also: Option<Placement>,
    ) -> Vec<(Placement, f32)> {
        let &Position { ref board, ref start, next, progress } = position;
        let (piece, Some(next)) = (start.orientation.piece(), next) else { return Vec::new() };
        self.begin(board, start, progress);
        let root = Node::root(board, progress);
        let first = self.first(&root, start, piece, Some(next), also);
        let looks = self.widths.first;
        let mut total = |(number, (placement, node)): (usize, &(Placement, Node))| {
            let is_seen = number < looks || Some(*placement) == also;
            is_seen.then(|| {
                let reply = self.at_sight(node, next).value(next);
                node.reward + self.parameters.discount * reply.unwrap_or_else(|| self.lost(node.progress))
            })
        };
        let totals: Vec<Option<f32>> = first.iter().enumerate().map(&mut total).collect();
        let top = totals.iter().flatten().copied().fold(f32::MIN, f32::max);
        let alone = first.first().map_or(0.0, |(_, node)| node.total);
        let loss = |(&(placement, ref node), total): (&(Placement, Node), Option<f32>)| {
            (placement, total.map_or(alone - node.total, |total| top - total) * TETRIS)
        };
        let mut weighed: Vec<(Placement, f32)> = first.iter().zip(totals).map(loss).collect();
        weighed.sort_by(|a, b| a.1.total_cmp(&b.1));
        weighed
    }

    /// Returns which placements of `piece` are the best by static evaluation, for each piece after it.
    pub(super) fn at_sight(&mut self, node: &Node, piece: Piece) -> Choice {
        let mut choice = Choice::default();
        let level = node.progress.level;
        let informed = self.blind_share(level) < 1.0;
        let leaves = self.locked(node, piece);
        self.nodes += leaves.len() as u64;
        let mut asked = std::mem::take(&mut self.asked);
        for group in leaves.chunks(ASKED) {
            for ((.., (shape, progress, _)), asked) in group.iter().zip(&mut *asked) {
                self.ask(shape, *progress, asked);
            }
            for (&(placement, _, (ref shape, progress, reward)), asked) in group.iter().zip(&*asked) {
                let behind = if informed {
                    self.as_seen(self.worths(shape, progress, asked), piece, level)
                } else {
                    [self.expected_worth(shape, progress, asked, piece); 7]
                };
                choice.offer(placement, behind.map(|value| reward + self.parameters.discount * value));
            }
        }
        self.asked = asked;
        self.leaves = leaves;
        choice
    }
}
