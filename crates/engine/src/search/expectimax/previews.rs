//! What placements are worth before the next piece is known: [`Expectimax::previews`].

use super::{Expectimax, Key, Known, Node, TETRIS};
use crate::eval::Shape;
use crate::movegen::{Placement, Start, placements};
use maxout_rules::{Board, Piece, Progress};

impl Expectimax {
    /// Returns what each placement of the piece at `start` is worth for each next piece, in points: the value of the best
    /// placement of that next piece, with unknown pieces behind it. For a decision that does not know the next piece.
    pub fn previews(
        &mut self,
        board: &Board,
        start: &Start,
        progress: Progress,
    ) -> Vec<(Placement, [f32; 7])> {
        self.begin(start, progress);
        let root = Node { board: *board, shape: Shape::of(board), progress, reward: 0.0, total: 0.0 };
        let mut reachable = Vec::new();
        placements(board, start, self.input, &mut reachable);
        let worth = |placement: Placement| {
            let node = self.after(&root, placement);
            let values = self.glance(&node).values;
            let discount = self.parameters.discount;
            (placement, values.map(|value| (node.reward + discount * value) * TETRIS))
        };
        reachable.into_iter().map(worth).collect()
    }

    /// Returns what follows `node` for each piece that may come next, by static evaluation of the boards behind it.
    fn glance(&mut self, node: &Node) -> Known {
        let key = Key::of(node, 0, 0);
        if let Some(known) = self.known.get(&key).copied() {
            self.nodes += u64::from(known.nodes);
            return known;
        }
        let before = self.nodes;
        let best = Piece::ALL.map(|piece| self.best_reply(node, piece));
        let known = Known {
            values: best.map(|best| best.map_or_else(|| self.lost(node.progress), |best| best.0)),
            replies: best.map(|best| best.map(|best| best.1)),
            nodes: (self.nodes - before) as u32,
        };
        self.known.insert(key, known);
        known
    }
}
