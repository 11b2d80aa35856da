//! Players on the learned value: expectimax, then the soft drop. With a reaction delay a decision has two steps.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Observation, Plan, Player};
use crate::eval::ntuple::{Network, odds};
use crate::limits::{Limits, Reaction};
use crate::movegen::{Placement, Reach, Start, Then, placements};
use crate::search::{Expectimax, Foresight, Widths};
use maxout_rules::Piece;
use maxout_rules::input::Buttons;

/// Goes where an expectimax says, then soft-drops.
pub(super) struct LearnedPlayer {
    search: Expectimax,
    input: Limits,
    /// Where the piece should be when the next one is known, if its first frames were played without that knowledge.
    waiting: Option<Start>,
    nodes: u64,
}

/// What each placement is worth, for each next piece, and so what it is worth to be able to choose among some of them.
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

    /// The expectation, over the next piece, of the best of these placements. `chosen` is a buffer.
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

impl LearnedPlayer {
    pub fn new(network: Arc<Network>, widths: Widths, input: Limits, foresight: Foresight) -> Self {
        let search = Expectimax::new(network, widths, input).with_foresight(foresight);
        Self { search, input, waiting: None, nodes: 0 }
    }

    /// The plan with the next piece known, from a start that may say more of earlier presses than is seen.
    fn informed(&mut self, seen: &Observation, start: &Start) -> Option<Plan> {
        let Observation { board, next, progress, .. } = seen;
        let placement = self.search.best(board, start, *next, *progress)?;
        self.nodes = self.search.nodes();
        let path = Reach::new(board, start, self.input)?.path(placement)?;
        Plan::along(seen, placement, &path, true)
    }

    /// The plan of somebody who does not yet see what follows the piece in play, and will after `frames` frames. Nothing
    /// of it depends on the next piece.
    fn blind(&mut self, seen: &Observation, frames: u32) -> Option<Plan> {
        let Observation { board, start, progress, .. } = seen;
        let previews = Previews::new(&self.search.previews(board, start, *progress), start.id.piece()?);
        self.nodes = self.search.nodes();
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
        let (_, hover) = best?;
        match hover.then {
            Then::Locked(placement) => Plan::along(seen, placement, &reach.path(placement)?, true),
            Then::Falls(then) => {
                let inputs = reach.inputs_of(&hover);
                let held = inputs.last().copied().unwrap_or(start.held);
                self.waiting = Some(Start { held, ..then });
                let plan = Plan::fly(seen, &inputs, Buttons::NONE)?;
                Some(Plan { review: Some(inputs.len()), ..plan })
            }
        }
    }
}

impl Player for LearnedPlayer {
    fn plan(&mut self, seen: &Observation) -> Option<Plan> {
        match (self.input.reaction, self.waiting.take()) {
            (Reaction::Frames(0), _) => self.informed(seen, &seen.start),
            (Reaction::Frames(_), Some(then))
                if Start { pressed: seen.start.pressed, ..then } == seen.start =>
            {
                self.informed(seen, &then)
            }
            (Reaction::Frames(frames), _) => self.blind(seen, frames.into()),
            (Reaction::NextPiece, _) => self.blind(seen, u32::MAX),
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
