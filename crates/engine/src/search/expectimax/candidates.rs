//! The placements that a decision is about, searched deeper as long as they compete: [`Candidate`].

use super::choice::Choice;
use super::{Expectimax, Node};
use maxout_rules::{Piece, Placement};

/// A placement of the piece in play.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub placement: Placement,
    /// The boards after the next piece, each the best for some piece after that; the most likely first. If the next piece
    /// is not known, the board after this placement.
    pub pairs: Vec<Pair>,
    /// The rewards, and the estimate of what follows.
    pub total: f32,
}

/// A board after the piece in play and the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// Where the next piece goes, if it is known.
    pub reply: Option<Placement>,
    /// The rewards of both placements, discounted to the first.
    pub rewards: f32,
    pub node: Node,
}

impl Expectimax {
    /// Returns the placements of the piece in play with the boards that `next` makes then, best first.
    pub(super) fn candidates(&mut self, first: &[(Placement, Node)], next: Piece) -> Vec<Candidate> {
        let discount = self.parameters.discount;
        let mut candidates = Vec::with_capacity(first.len());
        for &(placement, node) in first {
            let choice = self.at_sight(&node, next);
            let Some(value) = choice.value(next) else { continue };
            let pair = |reply: Placement| {
                let after = self.after(&node, reply);
                Pair { reply: Some(reply), rewards: node.reward + discount * after.reward, node: after }
            };
            let pairs = choice.ranked(next).0.into_iter().flatten().map(pair).collect();
            candidates.push(Candidate { placement, pairs, total: node.reward + discount * value });
        }
        candidates.sort_by(|a, b| b.total.total_cmp(&a.total));
        candidates
    }

    /// Searches the candidates again, one ply of deepening after the other, and sorts them. `last` was the last piece of
    /// each pair, and what follows counts `follow`. `seen` gets the number of the ply and the candidates that it
    /// searched.
    pub(super) fn deepen(
        &mut self,
        candidates: &mut [Candidate],
        last: Piece,
        follow: f32,
        seen: &mut dyn FnMut(usize, &[Candidate]),
    ) {
        // Candidates before `kept` are searched at the present depth; those behind it are finished.
        let mut kept = candidates.len();
        for depth in 0..self.widths.deeper.len() {
            let ply = self.widths.deeper[depth];
            let Some(best) = candidates.first().map(|best| best.total) else { break };
            kept = candidates[..kept].partition_point(|other| other.total >= best - ply.margin);
            kept = kept.min(ply.candidates);
            if kept < 2 {
                break;
            }
            let mut searched = 0;
            for candidate in &mut candidates[..kept] {
                if self.search_again(candidate, depth, last, follow).is_none() {
                    break;
                }
                searched += 1;
            }
            // Totals of unequal depth cannot be compared, so candidates that were not reached come after the others.
            kept = searched;
            candidates[..kept].sort_by(|a, b| b.total.total_cmp(&a.total));
            seen(depth, &candidates[..kept]);
        }
    }

    /// Gives a candidate the total that its pairs have at a ply of deepening. Returns `None`, and changes nothing, if
    /// that takes more nodes than the limits allow.
    fn search_again(
        &mut self,
        candidate: &mut Candidate,
        depth: usize,
        last: Piece,
        follow: f32,
    ) -> Option<()> {
        let mut choice = Choice::default();
        for pair in &candidate.pairs {
            let known = self.look(&pair.node, depth, depth)?;
            let placement = pair.reply.unwrap_or(candidate.placement);
            let behind = known.values.map(|value| follow * value / self.parameters.discount);
            choice.offer(placement, self.prospects(pair.rewards, behind, last, pair.node.progress.level));
        }
        let (ranked, _) = choice.ranked(last);
        candidate.total = choice.value(last)?;
        let place = |pair: &Pair| ranked.iter().position(|at| *at == pair.reply);
        candidate.pairs.sort_by_key(|pair| place(pair).unwrap_or(ranked.len()));
        Some(())
    }
}
