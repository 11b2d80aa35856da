//! Where a piece should be when the next one is seen: [`Expectimax::hover`].

use crate::Position;
use rustc_hash::FxHashMap;

use super::{Expectimax, TETRIS};
use crate::eval::ntuple::odds;
use crate::movegen::{Hover, Reach, Then, placements_charged};
use maxout_rules::{Piece, Placement};

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

    /// The value of the best of these placements, for each next piece. `chosen` is a buffer.
    fn best_of(&self, reachable: &[Placement], chosen: &mut Vec<bool>) -> [f32; 7] {
        chosen.clear();
        chosen.resize(self.values.len(), false);
        for placement in reachable {
            if let Some(&at) = self.place.get(placement) {
                chosen[at] = true;
            }
        }
        let best = |next: usize| self.orders[next].iter().find(|&&at| chosen[at]);
        std::array::from_fn(|next| best(next).map_or(f32::MIN / 8.0, |&at| self.values[at][next]))
    }

    /// The expectation, over the next piece, of the value of the best of these placements. Those that are not among the `charged` ones
    /// count for less, by `uncharged` points.
    fn worth(
        &self,
        reachable: &[Placement],
        charged: &[Placement],
        uncharged: f32,
        chosen: &mut Vec<bool>,
    ) -> f32 {
        let all = self.best_of(reachable, chosen);
        let best = if reachable.len() == charged.len() { all } else { self.best_of(charged, chosen) };
        (0..7).map(|next| self.odds[next] * best[next].max(all[next] - uncharged)).sum()
    }
}

impl Expectimax {
    /// Returns the best way to play the first `frames` frames of the piece in play for a player who sees the next piece
    /// only after them. It maximises the expectation, over the next piece, of the best placement that can still be reached;
    /// among equals, it has the fewest presses. Returns `None` if the piece has no placement.
    pub fn hover(&mut self, position: &Position, frames: u32) -> Option<(Reach, Hover)> {
        let Position { board, start, .. } = position;
        let previews = Previews::new(&self.previews(position), start.orientation.piece());
        let reach = Reach::new(board, start, self.input)?;
        let (mut reachable, mut charged, mut chosen) = (Vec::new(), Vec::new(), Vec::new());
        let uncharged = self.parameters.uncharged * TETRIS;
        let (mut best, mut all_charged) = (None, Vec::new());
        placements_charged(board, start, self.input, &mut reachable, &mut all_charged);
        for hover in reach.hovers(frames) {
            match &hover.then {
                Then::Falls(start) => {
                    placements_charged(board, start, self.input, &mut reachable, &mut charged);
                }
                Then::Locked(placement) => {
                    reachable = vec![*placement];
                    charged = if all_charged.contains(placement) { vec![*placement] } else { Vec::new() };
                }
            }
            let worth = previews.worth(&reachable, &charged, uncharged, &mut chosen);
            if best.is_none_or(|(best, _)| worth > best) {
                best = Some((worth, hover));
            }
        }
        best.map(|(_, hover)| (reach, hover))
    }
}
