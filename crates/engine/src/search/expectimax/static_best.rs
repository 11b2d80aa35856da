//! What is best by static evaluation, without deepening.

use super::choice::Choice;
use super::pending::ASKED;
use super::{Expectimax, Node};
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
        best.map(|(_, placement)| placement).or_else(|| first.first().map(|&(placement, _)| placement))
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
