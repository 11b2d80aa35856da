//! Placements that are made without knowing the next piece, wholly or in part: [`Expectimax::worth_alone`],
//! [`Expectimax::as_seen`].

use super::{Expectimax, LEVELS, Node};
use crate::eval::ntuple::odds;
use crate::search::parameters::Ply;
use maxout_rules::Piece;

impl Expectimax {
    /// Whether the player sees the next piece before a piece that falls at `level` locks.
    #[inline]
    pub const fn sees_next(&self, level: u8) -> bool {
        self.input.reaction.ends_before_lock(level, self.fall_rule)
    }

    /// The share of the decision about a piece that falls at `level` that is made without knowing the next one
    /// ([`Sight`](crate::limits::Sight)).
    #[inline]
    pub(super) fn blind_share(&self, level: u8) -> f32 {
        self.blind_shares[self.fall_rule as usize][usize::from(level).min(LEVELS - 1)]
    }

    /// Takes the values of a placement of `piece` for each piece that may follow, and returns them as the player sees them: each is mixed
    /// with the expectation over all seven, whose share is that of [`Expectimax::blind_share`].
    #[inline]
    pub(super) fn as_seen(&self, values: [f32; 7], piece: Piece, level: u8) -> [f32; 7] {
        let blind = self.blind_share(level);
        if blind <= 0.0 {
            return values;
        }
        let mean: f32 = odds(piece).iter().zip(values).map(|(odds, value)| odds * value).sum();
        values.map(|value| (1.0 - blind) * value + blind * mean)
    }

    /// Returns what each of `nodes`, the boards after the placements of `piece`, is worth, reward included, by expectation over the
    /// pieces to come.
    ///
    /// First, the best placements by static evaluation are searched one unknown piece (the next piece) deep: at most
    /// [`Widths::first`](crate::search::Widths::first) of them, all within
    /// [`blind_margin`](crate::search::ExpectimaxParameters::blind_margin) of the best. Each ply after the first, including
    /// [`Widths::alone`](crate::search::Widths::alone), then searches the best candidates within its margin one piece deeper. The
    /// search stops when fewer than two are close enough. After each ply, placements that were not searched change by as much
    /// as the one that was best before, so values remain comparable. If the limit on nodes is reached, the values of the
    /// ply before are returned.
    pub(super) fn worth_alone(&mut self, nodes: &[Node], piece: Piece) -> Vec<f32> {
        let discount = self.parameters.discount;
        let mut totals: Vec<f32> = nodes
            .iter()
            .map(|node| node.reward + discount * self.leaf(&node.shape, node.progress, None, piece))
            .collect();
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by(|&a, &b| totals[b].total_cmp(&totals[a]));
        let mut kept = order.len();
        for depth in 0.. {
            let (candidates, margin) = if depth == 0 {
                (self.widths.first, self.parameters.blind_margin)
            } else {
                let Some(&Ply { candidates, margin, .. }) = self.widths.ply(depth) else { break };
                (candidates, margin)
            };
            let close = |&&at: &&usize| totals[at] >= totals[order[0]] - margin;
            kept = order[..kept].iter().take(candidates).filter(close).count();
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
