//! The worth of placements that are made before the next piece is seen: [`Expectimax::worth_alone`].

use super::{Expectimax, LEVELS, Node};
use crate::eval::ntuple::odds;
use crate::search::parameters::Ply;
use maxout_rules::Piece;

impl Expectimax {
    /// Whether the player sees the next piece before a piece that falls at `level` locks.
    #[inline]
    pub const fn sees_next(&self, level: u8) -> bool {
        self.input.reaction.ends_before_lock(level, self.double_killscreen)
    }

    /// How much of the decision about a piece that falls at `level` is made without the next one
    /// ([`Sight`](crate::limits::Sight)).
    #[inline]
    pub(super) fn blind_share(&self, level: u8) -> f32 {
        self.blind_shares[usize::from(self.double_killscreen)][usize::from(level).min(LEVELS - 1)]
    }

    /// Returns what these values of a placement of `piece`, by the piece that follows, are to who places it: as far as the decision is
    /// made without that piece, they are the expectation over it.
    #[inline]
    pub(super) fn as_seen(&self, values: [f32; 7], piece: Piece, level: u8) -> [f32; 7] {
        let blind = self.blind_share(level);
        if blind <= 0.0 {
            return values;
        }
        let mean: f32 = odds(piece).iter().zip(values).map(|(odds, value)| odds * value).sum();
        values.map(|value| (1.0 - blind) * value + blind * mean)
    }

    /// Returns what each of `nodes`, the boards after the placements of `piece`, is worth by expectation over the pieces to come, with its
    /// reward.
    ///
    /// The best placements, as many as the widths keep first, are searched one unknown piece deep. Each ply of deepening after the
    /// first then searches those within its margin one unknown piece deeper. Placements that are not searched change by as much as
    /// the best one did, so values remain comparable.
    pub(super) fn worth_alone(&mut self, nodes: &[Node], piece: Piece) -> Vec<f32> {
        let discount = self.parameters.discount;
        let mut totals: Vec<f32> = nodes
            .iter()
            .map(|node| node.reward + discount * self.leaf(&node.shape, node.progress, None, piece))
            .collect();
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by(|&a, &b| totals[b].total_cmp(&totals[a]));
        let mut kept = self.widths.first.min(order.len());
        for depth in 0.. {
            if depth > 0 {
                let Some(&Ply { candidates, margin, .. }) = self.widths.ply(depth) else { break };
                let best = totals[order[0]];
                kept =
                    order[..kept].iter().take(candidates).filter(|&&at| totals[at] >= best - margin).count();
            }
            if kept < 2 {
                break;
            }
            let mut searched = Vec::with_capacity(kept);
            for &at in &order[..kept] {
                let Some(known) = self.look(&nodes[at], depth, depth) else { return totals };
                searched.push(nodes[at].reward + discount * known.mean(piece));
            }
            let change = searched[0] - totals[order[0]];
            order[kept..].iter().for_each(|&at| totals[at] += change);
            order.iter().zip(searched).for_each(|(&at, total)| totals[at] = total);
            order[..kept].sort_by(|&a, &b| totals[b].total_cmp(&totals[a]));
        }
        totals
    }
}
