//! What is best by static evaluation, without deepening.

use super::{Expectimax, Node};
use crate::movegen::{Placement, Start};
use maxout_rules::{Board, Piece, Progress};

impl Expectimax {
    /// As [`Expectimax::best`], for a search of the two visible pieces: nothing has to be kept of what is not the best.
    pub(super) fn best_at_sight(
        &mut self,
        board: &Board,
        start: &Start,
        next: Piece,
        progress: Progress,
    ) -> Option<Placement> {
        let piece = start.id.piece()?;
        self.begin(start, progress);
        let root = Node::root(board, progress);
        let first = self.first(&root, start, piece, Some(next), None);
        let mut best: Option<(f32, Placement)> = None;
        for (placement, node) in first.iter().take(self.widths.first) {
            let Some((reply, _)) = self.best_reply(node, next) else { continue };
            let total = node.reward + self.parameters.discount * reply;
            if best.is_none_or(|(best, _)| total.total_cmp(&best).is_gt()) {
                best = Some((total, *placement));
            }
        }
        best.map(|(_, placement)| placement).or_else(|| first.first().map(|&(placement, _)| placement))
    }

    /// Returns what the best placement of `piece` is worth by static evaluation, and that placement, or `None` if there
    /// is none.
    pub(super) fn best_reply(&mut self, node: &Node, piece: Piece) -> Option<(f32, Placement)> {
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
}
