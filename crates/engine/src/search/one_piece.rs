//! A search over every placement of the piece in play, which ignores the next piece: [`OnePiece`].

use std::sync::Arc;

use super::ties::Ties;
use crate::eval::Evaluator;
use crate::movegen::{Filter, Moves, Start};
use maxout_rules::{Board, Placement};

/// The one-piece search. It keeps its buffer, so a decision allocates nothing.
#[derive(Clone, Debug)]
pub struct OnePiece<E> {
    /// The evaluator.
    pub eval: E,
    /// What may be done with the piece.
    pub moves: Moves,
    /// The tie-break: which of several equal placements is taken.
    pub ties: Ties,
    /// Which placements are left out.
    pub filter: Option<Arc<dyn Filter>>,
    placements: Vec<Placement>,
}

impl<E: Evaluator> OnePiece<E> {
    /// Makes a search with this evaluator, these moves and this tie-break.
    pub fn new(eval: E, moves: impl Into<Moves>, ties: Ties) -> Self {
        Self { eval, moves: moves.into(), ties, filter: None, placements: Vec::new() }
    }

    /// Placements that the last decision looked at.
    pub fn nodes(&self) -> u64 {
        self.placements.len() as u64
    }

    /// Returns the placement of the piece at `start` that costs least, or `None` if the evaluator and the filter reject
    /// every placement.
    pub fn best(&mut self, board: &Board, start: &Start) -> Option<Placement> {
        let Self { eval, moves, ties, filter, placements } = self;
        moves.list(board, start, placements);
        if let Some(filter) = filter {
            filter.sift(board, placements);
        }
        ties.arrange(start, placements);
        let mut judge = ties.judge(board, start);
        let mut best: Option<(f64, Placement)> = None;
        for &placement in &*placements {
            let (after, _, trail) = eval.place(board, placement, E::Trail::default());
            let Some(cost) = eval.cost(&after, trail) else { continue };
            if best.is_none_or(|best| judge.prefers((cost, placement), best)) {
                best = Some((cost, placement));
            }
        }
        best.map(|(_, placement)| placement)
    }

    /// Returns all placements of the piece at `start` that the evaluator and the filter do not reject, each with its cost,
    /// in ascending order.
    pub fn rank(&mut self, board: &Board, start: &Start) -> Vec<(Placement, f64)> {
        let Self { eval, moves, ties, filter, placements } = self;
        moves.list(board, start, placements);
        if let Some(filter) = filter {
            filter.sift(board, placements);
        }
        ties.arrange(start, placements);
        let cost = |&placement: &Placement| {
            let (after, _, trail) = eval.place(board, placement, E::Trail::default());
            Some((placement, eval.cost(&after, trail)?))
        };
        let mut ranked: Vec<(Placement, f64)> = placements.iter().filter_map(cost).collect();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        ranked
    }
}
