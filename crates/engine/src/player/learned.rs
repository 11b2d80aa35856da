//! Players on the learned value: expectimax, then the soft drop. With a reaction delay a decision has two steps.

use std::sync::Arc;

use super::{Observation, Plan, Player};
use crate::eval::ntuple::{Network, odds};
use crate::limits::{Limits, Reaction};
use crate::movegen::{Hover, Placement, Reach, Start, Then, hovers, placements};
use crate::search::{Expectimax, Foresight, Widths};
use maxout_rules::Piece;
use maxout_rules::input::Buttons;

/// Goes where an expectimax says, then soft-drops.
pub(super) struct LearnedPlayer {
    search: Expectimax,
    /// What values placements for each next piece, while the next piece is not known.
    preview: Expectimax,
    input: Limits,
    /// Where the piece should be when the next one is known, if its first frames were played without that knowledge.
    waiting: Option<Start>,
    nodes: u64,
}

/// The two pieces that are seen, all placements of the first.
const PREVIEW: Widths = Widths { first: usize::MAX, ..Widths::TWO };

impl LearnedPlayer {
    pub fn new(network: Arc<Network>, widths: Widths, input: Limits, foresight: Foresight) -> Self {
        let preview = Expectimax::new(Arc::clone(&network), PREVIEW, input);
        let search = Expectimax::new(network, widths, input).with_foresight(foresight);
        Self { search, preview, input, waiting: None, nodes: 0 }
    }

    /// The plan with the next piece known, from a start that may say more of earlier presses than is seen.
    fn informed(&mut self, seen: &Observation, start: &Start) -> Option<Plan> {
        let Observation { board, next, progress, .. } = seen;
        let placement = self.search.best(board, start, *next, *progress)?;
        self.nodes = self.search.nodes();
        let path = Reach::new(board, start, self.input)?.path(placement)?;
        Plan::along(seen, placement, &path, true)
    }

    /// What each placement is worth for each next piece, in points.
    fn previews(&mut self, seen: &Observation) -> Vec<(Placement, [f32; 7])> {
        let Observation { board, start, progress, .. } = seen;
        let mut values: Vec<(Placement, [f32; 7])> = Vec::new();
        self.nodes = 0;
        for next in Piece::ALL {
            for ranked in self.preview.rank(board, start, next, *progress) {
                let at = values.iter().position(|(placement, _)| *placement == ranked.placement);
                let at = at.unwrap_or_else(|| {
                    values.push((ranked.placement, [f32::NEG_INFINITY; 7]));
                    values.len() - 1
                });
                values[at].1[next as usize] = ranked.value;
            }
            self.nodes += self.preview.nodes();
        }
        values
    }

    /// The plan of somebody who does not yet see what follows `piece`, and will after `frames` frames. Nothing of it
    /// depends on the next piece.
    fn blind(&mut self, seen: &Observation, piece: Piece, frames: u8) -> Option<Plan> {
        let Observation { board, start, .. } = seen;
        let values = self.previews(seen);
        let worth = |reachable: &[Placement]| -> f32 {
            let best = |next: Piece| {
                let of = |(placement, values): &(Placement, [f32; 7])| {
                    reachable.contains(placement).then_some(values[next as usize])
                };
                values.iter().filter_map(of).fold(f32::MIN, f32::max)
            };
            Piece::ALL.iter().zip(odds(piece)).map(|(&next, odds)| odds * best(next)).sum()
        };
        let mut best: Option<(f32, Hover)> = None;
        let mut reachable = Vec::new();
        for hover in hovers(board, start, self.input, frames) {
            match &hover.then {
                Then::Falls(start) => placements(board, start, self.input, &mut reachable),
                Then::Locked(placement) => reachable = vec![*placement],
            }
            let worth = worth(&reachable);
            if best.as_ref().is_none_or(|(best, _)| worth > *best) {
                best = Some((worth, hover));
            }
        }
        let (_, hover) = best?;
        let plan = Plan::fly(seen, &hover.inputs, Buttons::NONE)?;
        if let Then::Falls(start) = hover.then {
            self.waiting = Some(start);
            return Some(Plan { review: Some(usize::from(frames)), ..plan });
        }
        Some(plan)
    }

    /// The plan of somebody who never sees what follows `piece` while it falls.
    fn unseeing(&mut self, seen: &Observation, piece: Piece) -> Option<Plan> {
        let values = self.previews(seen);
        let mean =
            |values: &[f32; 7]| -> f32 { values.iter().zip(odds(piece)).map(|(v, odds)| v * odds).sum() };
        let best = values.iter().max_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1)))?.0;
        let path = Reach::new(&seen.board, &seen.start, self.input)?.path(best)?;
        Plan::along(seen, best, &path, true)
    }
}

impl Player for LearnedPlayer {
    fn plan(&mut self, seen: &Observation) -> Option<Plan> {
        let piece = seen.start.id.piece()?;
        match (self.input.reaction, self.waiting.take()) {
            (Reaction::Frames(0), _) => self.informed(seen, &seen.start),
            (Reaction::NextPiece, _) => self.unseeing(seen, piece),
            (Reaction::Frames(_), Some(then)) if Start { pressed: 0, ..then } == seen.start => {
                self.informed(seen, &then)
            }
            (Reaction::Frames(frames), _) => self.blind(seen, piece, frames),
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
