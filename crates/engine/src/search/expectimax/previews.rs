//! What placements are worth before the next piece is known: [`Expectimax::previews`].

use super::{Expectimax, Key, Known, Node, TETRIS};
use crate::Position;
use crate::movegen::placements;
use crate::search::parameters::{PREVIEW_PLIES, Ply};
use maxout_rules::{Piece, Placement};

impl Expectimax {
    /// Returns what each placement of the piece in play is worth for each next piece, in points beyond
    /// [`Expectimax::average_pay`]: the value of the best placement of that next piece, with unknown pieces behind it. For a
    /// decision that does not know the next piece.
    ///
    /// Only placements that are among the best by static evaluation for some next piece are followed by it, for each next piece a third
    /// as many as the widths keep. The others keep that value. Then, in up to two plies, those that compete for some next
    /// piece are searched one unknown piece further: for each next piece half as many as the ply keeps, but at least two, within its
    /// margin.
    ///
    /// If the piece locks before the next one is seen, a placement is worth the same for each next piece: the expectation
    /// over them.
    pub fn previews(&mut self, position: &Position) -> Vec<(Placement, [f32; 7])> {
        let Position { board, start, progress, .. } = position;
        let progress = *progress;
        self.begin(board, start, progress);
        let root = Node::root(board, progress);
        let mut reachable = Vec::new();
        placements(board, start, self.input, &mut reachable);
        let nodes: Vec<Node> = reachable.iter().map(|&placement| self.after(&root, placement)).collect();
        if !self.sees_next(progress.level) {
            let totals = self.worth_alone(&nodes, start.orientation.piece());
            return reachable.into_iter().zip(totals.into_iter().map(|total| [total * TETRIS; 7])).collect();
        }
        let mut values: Vec<[f32; 7]> = nodes.iter().map(|node| self.sights(node)).collect();
        let searched = among_the_best(&values, self.widths.first / 3, f32::INFINITY);
        let discount = self.parameters.discount;
        for ((node, values), searched) in nodes.iter().zip(&mut values).zip(searched) {
            if searched {
                *values = self.glance(node).values.map(|value| node.reward + discount * value);
            }
        }
        self.deepen_previews(&nodes, &mut values);
        reachable
            .into_iter()
            .zip(values)
            .map(|(at, values)| (at, values.map(|value| value * TETRIS)))
            .collect()
    }

    /// Searches the placements that are close to the best for some next piece again, one ply of deepening after the other. What
    /// that changes about the best one for a next piece, it changes about those that are not searched: so they stay comparable.
    fn deepen_previews(&mut self, nodes: &[Node], values: &mut [[f32; 7]]) {
        let discount = self.parameters.discount;
        for depth in (1..self.widths.deeper.len()).take(PREVIEW_PLIES) {
            let Ply { candidates, margin, .. } = self.widths.deeper[depth];
            let close = among_the_best(values, (candidates / 2).max(2), margin);
            if close.iter().all(|close| !close) {
                break;
            }
            let mut deeper = vec![None; values.len()];
            for at in (0..values.len()).filter(|&at| close[at]) {
                let Some(known) = self.look(&nodes[at], depth, depth) else { return };
                deeper[at] = Some(known.values.map(|value| nodes[at].reward + discount * value));
            }
            for next in Piece::ALL.map(|next| next as usize) {
                let searched = (0..values.len()).filter_map(|at| Some((values[at][next], deeper[at]?[next])));
                let best = searched.max_by(|a, b| a.0.total_cmp(&b.0));
                let change = best.map_or(0.0, |(before, after)| after - before);
                for (values, deeper) in values.iter_mut().zip(&deeper) {
                    values[next] = deeper.map_or(values[next] + change, |deeper| deeper[next]);
                }
            }
        }
    }

    /// Returns the reward of `node` with its static evaluation for each piece that may come next.
    fn sights(&mut self, node: &Node) -> [f32; 7] {
        let Node { ref shape, progress, reward, .. } = *node;
        let discount = self.parameters.discount;
        self.leaves(shape, progress).map(|value| reward + discount * value)
    }

    /// Returns what follows `node` for each piece that may come next, by static evaluation of the boards behind it and whatever the limit
    /// on nodes says.
    fn glance(&mut self, node: &Node) -> Known {
        let key = Key::of(node, 0, 0, self.in_mirror);
        if let Some(known) = self.known.get(&key).copied() {
            self.nodes += u64::from(known.nodes);
            return known;
        }
        let before = self.nodes;
        let choices = Piece::ALL.map(|piece| self.at_sight(node, piece));
        self.keep(node, key, &choices, before)
    }
}

/// Returns which of these are, for some next piece, among the best `count` and worse than the best by at most `margin`; for a
/// next piece with only one of that kind, it is not among them.
fn among_the_best(values: &[[f32; 7]], count: usize, margin: f32) -> Vec<bool> {
    let mut among = vec![false; values.len()];
    let mut order: Vec<usize> = (0..values.len()).collect();
    for next in Piece::ALL.map(|next| next as usize) {
        order.sort_by(|&a, &b| values[b][next].total_cmp(&values[a][next]));
        let Some(&best) = order.first() else { break };
        let close = order.iter().take(count).filter(|&&at| values[at][next] >= values[best][next] - margin);
        if close.clone().nth(1).is_some() {
            close.for_each(|&at| among[at] = true);
        }
    }
    among
}
