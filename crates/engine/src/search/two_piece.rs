//! A search over every reachable placement of the piece in play, each followed by every placement of the next piece:
//! [`TwoPiece`].

use std::sync::Arc;

use super::ties::Ties;
use crate::Position;
use crate::eval::{Evaluator, Features, lock_height};
use crate::movegen::{Filter, Moves, Start};
use maxout_rules::{Board, Piece, Placement, Progress};

/// What a search decided.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairChoice {
    /// Where to put the piece in play.
    pub placement: Placement,
    /// Value of the board after both pieces; lower is better.
    pub value: f64,
    /// Where the next piece was put to get that value.
    pub next: Option<Placement>,
}

/// The two-piece search. It keeps its buffers, so a decision allocates nothing.
#[derive(Clone, Debug)]
pub struct TwoPiece<E> {
    /// The evaluator.
    pub eval: E,
    /// What may be done with a piece.
    pub moves: Moves,
    /// The tie-break: which of several equal placements of the piece in play is taken.
    pub ties: Ties,
    /// Which placements are left out.
    pub filter: Option<Arc<dyn Filter>>,
    first: Vec<Placement>,
    second: Vec<Placement>,
    nodes: u64,
}

impl<E: Evaluator> TwoPiece<E> {
    /// Makes a search with this evaluator and these moves, which takes the first of equal placements.
    pub fn new(eval: E, moves: impl Into<Moves>) -> Self {
        Self {
            eval,
            moves: moves.into(),
            ties: Ties::First,
            filter: None,
            first: Vec::new(),
            second: Vec::new(),
            nodes: 0,
        }
    }

    /// The same search with another tie-break.
    pub fn with_ties(self, ties: Ties) -> Self {
        Self { ties, ..self }
    }

    /// Pairs of placements that the last decision looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the placement of the piece in play after which the best placement of the next piece has the lowest value, or
    /// `None` if the evaluator and the filter reject every pair, or the next piece is not known.
    ///
    /// ```
    /// use maxout_engine::Position;
    /// use maxout_engine::eval::{Evaluator, Placed};
    /// use maxout_engine::limits::Limits;
    /// use maxout_engine::search::TwoPiece;
    /// use maxout_rules::{Board, Piece, Progress};
    ///
    /// /// Wants few cells on the board.
    /// struct Few;
    ///
    /// impl Evaluator for Few {
    ///     type Trail = ();
    ///     fn follow(&self, _: (), _: &Placed<'_>) {}
    ///     fn cost(&self, board: &Board, _: ()) -> Option<f64> {
    ///         Some(f64::from(board.cells()))
    ///     }
    /// }
    ///
    /// // Four rows with an open right column: the I piece goes down there.
    /// let board: Board = "#########.\n".repeat(4).parse().unwrap();
    /// let mut search = TwoPiece::new(Few, Limits::EACH_BUTTON);
    /// let choice = search.best(&Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(0, 19))).unwrap();
    /// assert_eq!((choice.placement.x, choice.placement.y, choice.placement.orientation.id()), (9, 18, 0x11));
    /// ```
    pub fn best(&mut self, position: &Position) -> Option<PairChoice> {
        let Position { board, start, next, progress } = position;
        let mut best: Option<PairChoice> = None;
        let mut judge = self.ties.judge(board, start);
        self.each_first(board, *start, (*next)?, *progress, |choice| {
            let better = best.is_none_or(|best| {
                let (older, newer) = ((best.value, best.placement), (choice.value, choice.placement));
                judge.prefers(newer, older)
            });
            if better {
                best = Some(choice);
            }
            best.map_or(f64::INFINITY, |best| best.value)
        });
        best
    }

    /// Returns all placements of the piece in play after which the next piece has a place, each with its best value,
    /// in ascending order. The first is that of [`TwoPiece::best`] if the tie-break takes the first of equals.
    pub fn rank(&mut self, position: &Position) -> Vec<(Placement, f64)> {
        let Position { board, start, next, progress } = position;
        let mut ranked = Vec::new();
        let Some(next) = *next else { return ranked };
        self.each_first(board, *start, next, *progress, |choice| {
            ranked.push((choice.placement, choice.value));
            f64::INFINITY
        });
        if self.ties == Ties::First {
            // Among equals, the last one in this list came first in the order of the moves.
            ranked.reverse();
        }
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        ranked
    }

    /// Returns the lowest reachable placement, for boards on which [`TwoPiece::best`] finds nothing. Its lowest cell is
    /// as deep as possible; of several such placements it has the fewest holes, and of several of these it is the
    /// first. Returns `None` if no placement can be reached.
    pub fn fallback(&mut self, board: &Board, start: &Start) -> Option<Placement> {
        self.moves.list(board, start, &mut self.first);
        self.first.iter().copied().min_by_key(|placement| {
            let mut after = *board;
            after.lock(placement.x, placement.y, placement.orientation);
            (lock_height(placement.y, placement.orientation), Features::of(&after).holes)
        })
    }

    /// Calls `found` for each first placement that has a second, with the best of those. `found` returns the value
    /// above which a choice no longer matters; choices above it may be left out.
    fn each_first(
        &mut self,
        board: &Board,
        start: Start,
        next: Piece,
        progress: Progress,
        mut found: impl FnMut(PairChoice) -> f64,
    ) {
        let Self { eval, moves, ties, filter, first, second, nodes } = self;
        *nodes = 0;
        if !eval.admits(board) {
            return;
        }
        moves.list(board, &start, first);
        if let Some(filter) = filter {
            filter.sift(board, first);
        }
        ties.arrange(&start, first);
        let mut limit = f64::INFINITY;
        for &placement in &*first {
            let (after_first, lines, trail) = eval.place(board, placement, E::Trail::default());
            if !eval.admits(&after_first) {
                continue;
            }
            let mut progress = progress;
            progress.add_rows(lines);
            moves.list(&after_first, &Start::spawn(next, progress.level).by(start.fall_rule), second);
            if let Some(filter) = filter {
                filter.sift(&after_first, second);
            }
            *nodes += second.len() as u64;
            if let Some((value, reply)) = eval.cheapest(&after_first, trail, second, limit) {
                limit = found(PairChoice { placement, value, next: Some(reply) });
            }
        }
    }
}
