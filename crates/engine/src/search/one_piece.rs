//! Every placement of the piece in play, the next one unseen: [`OnePiece`].

use super::ties::Ties;
use crate::eval::Evaluator;
use crate::movegen::{Filter, Moves, Placement, Start};
use maxout_rules::Board;

/// The one-piece search. It keeps its buffer, so a decision allocates nothing.
#[derive(Clone, Debug)]
pub struct OnePiece<E> {
    /// The evaluator.
    pub eval: E,
    /// What may be done with the piece.
    pub moves: Moves,
    /// Which of several equal placements is taken.
    pub ties: Ties,
    /// What placements are left out.
    pub filter: Option<Filter>,
    placements: Vec<Placement>,
}

impl<E: Evaluator> OnePiece<E> {
    /// A search with this evaluator, these moves and this rule for equals.
    pub fn new(eval: E, moves: impl Into<Moves>, ties: Ties) -> Self {
        Self { eval, moves: moves.into(), ties, filter: None, placements: Vec::new() }
    }

    /// Placements that the last decision looked at.
    pub fn nodes(&self) -> u64 {
        self.placements.len() as u64
    }

    /// The placement of the piece at `start` that costs least. `None` if the evaluator and the filter reject
    /// all.
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
}
