//! Where a piece should be when the next one is seen: [`Expectimax::hover`].

use rustc_hash::FxHashMap;

use super::Expectimax;
use crate::eval::ntuple::odds;
use crate::movegen::{Hover, Placement, Reach, Start, Then, placements};
use maxout_rules::{Board, Piece, Progress};

/// What each placement is worth for each next piece. From that follows the worth of a choice among some of them.
struct Previews {
    place: FxHashMap<Placement, usize>,
    values: Vec<[f32; 7]>,
    /// For each next piece, the placements from the best to the worst.
    orders: [Vec<usize>; 7],
    odds: [f32; 7],
}

impl Previews {
    fn new(values: &[(Placement, [f32; 7])], piece: Piece) -> Self {
        let place = values.iter().enumerate().map(|(at, &(placement, _))| (placement, at)).collect();
        let values: Vec<[f32; 7]> = values.iter().map(|&(_, values)| values).collect();
        let orders = std::array::from_fn(|next| {
            let mut order: Vec<usize> = (0..values.len()).collect();
            order.sort_by(|&a, &b| values[b][next].total_cmp(&values[a][next]));
            order
        });
        Self { place, values, orders, odds: *odds(piece) }
    }

    /// The expectation, over the next piece, of the value of the best of these placements. `chosen` is a buffer.
    fn worth(&self, reachable: &[Placement], chosen: &mut Vec<bool>) -> f32 {
        chosen.clear();
        chosen.resize(self.values.len(), false);
        for placement in reachable {
            if let Some(&at) = self.place.get(placement) {
                chosen[at] = true;
            }
        }
        let best = |next: usize| self.orders[next].iter().find(|&&at| chosen[at]);
        let value = |next: usize| best(next).map_or(f32::MIN / 8.0, |&at| self.values[at][next]);
        (0..7).map(|next| self.odds[next] * value(next)).sum()
    }
}

impl Expectimax {
    /// Returns the best way to play the first `frames` frames of the piece at `start` for a player who sees the next piece
    /// only after them. It maximises the expectation, over the next piece, of the best placement that can still be reached;
    /// among equals, it has the fewest presses. Returns `None` if the piece has no placement.
    pub fn hover(
        &mut self,
        board: &Board,
        start: &Start,
        progress: Progress,
        frames: u32,
    ) -> Option<(Reach, Hover)> {
        let previews = Previews::new(&self.previews(board, start, progress), start.id.piece()?);
        let reach = Reach::new(board, start, self.input)?;
        let (mut reachable, mut chosen) = (Vec::new(), Vec::new());
        let mut best = None;
        for hover in reach.hovers(frames) {
            match &hover.then {
                Then::Falls(start) => placements(board, start, self.input, &mut reachable),
                Then::Locked(placement) => reachable = vec![*placement],
            }
            let worth = previews.worth(&reachable, &mut chosen);
            if best.is_none_or(|(best, _)| worth > best) {
                best = Some((worth, hover));
            }
        }
        best.map(|(_, hover)| (reach, hover))
    }
}
