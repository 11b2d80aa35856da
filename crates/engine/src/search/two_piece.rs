//! A search over every reachable placement of the piece in play, each followed by every placement of the next piece:
//! [`TwoPiece`].

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
    pub filter: Option<Filter>,
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
    /// use maxout_engine::eval::Meatfighter;
    /// use maxout_rules::{Board, Piece, Progress};
    /// use maxout_engine::limits::Limits;
    /// use maxout_engine::Position;
    /// use maxout_engine::search::TwoPiece;
    /// // Four rows with an open right column: the I piece goes down there.
    /// let board: Board = "#########.\n".repeat(4).parse().unwrap();
    /// let mut search = TwoPiece::new(Meatfighter::PUBLISHED, Limits::EACH_BUTTON);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{CalmingRules, LockTrail, Meatfighter};
    use crate::grids::{Dice, gapped};
    use crate::limits::Limits;
    use crate::movegen::placements;
    use maxout_rules::Orientation;

    fn published() -> TwoPiece<Meatfighter> {
        TwoPiece::new(Meatfighter::PUBLISHED, Limits::EACH_BUTTON)
    }

    #[test]
    fn best_is_the_lowest_of_all_pairs_and_rank_agrees() {
        let mut search = published();
        for seed in 0..40 {
            let board = gapped(&mut Dice::new(seed), 2 + seed as usize % 14);
            let piece = Piece::ALL[seed as usize % 7];
            let next = Piece::ALL[seed as usize / 7 % 7];
            let start = Start::spawn(piece, 18);
            // One line short of level 19.
            let progress = Progress::at(129, 18);
            let mut pairs = Vec::new();
            let (mut first, mut second) = (Vec::new(), Vec::new());
            placements(&board, &start, Limits::EACH_BUTTON, &mut first);
            for &a in &first {
                let mut board = board;
                let lines_a = board.lock(a.x, a.y, a.orientation);
                let level = if lines_a > 0 { 19 } else { 18 };
                placements(&board, &Start::spawn(next, level), Limits::EACH_BUTTON, &mut second);
                for &b in &second {
                    let mut board = board;
                    let lines_b = board.lock(b.x, b.y, b.orientation);
                    let locks = LockTrail {
                        lines: u32::from(lines_a + lines_b),
                        heights: lock_height(a.y, a.orientation) + lock_height(b.y, b.orientation),
                        tetris: lines_a == 4 || lines_b == 4,
                    };
                    if let Some(value) = search.eval.score(&board, locks) {
                        pairs.push((value, a, b));
                    }
                }
            }
            let want = pairs.iter().copied().reduce(|best, pair| if pair.0 < best.0 { pair } else { best });
            let got = search.best(&Position { board, start, next: Some(next), progress });
            assert_eq!(got.map(|c| (c.value, c.placement, c.next.expect("has a next"))), want, "{board}");
            let ranked = search.rank(&Position { board, start, next: Some(next), progress });
            assert_eq!(ranked.first().copied(), got.map(|c| (c.placement, c.value)));
            assert!(ranked.is_sorted_by(|a, b| a.1 <= b.1));
        }
    }

    #[test]
    fn falls_back_to_the_lowest_placement_where_nothing_survives() {
        // Column 0 alone is open, and too far away: everything locks where it spawns.
        let mut rows = [0x3FE; 22];
        rows[..4].fill(0);
        let board = Board::from_rows(rows);
        let start = Start::spawn(Piece::O, 29);
        let mut search = published();
        assert_eq!(
            search.best(&Position::spawn(board, Piece::O, Some(Piece::T), Progress::at(230, 29))),
            None
        );
        let placement = search.fallback(&board, &start).expect("O fits at the top");
        assert_eq!((placement.y, placement.orientation), (0, Orientation::O));
    }

    #[test]
    fn finds_nothing_and_does_not_panic_on_a_solid_board() {
        let board = Board::from_rows([0x3FF; 22]);
        for rules in [CalmingRules::ALL, CalmingRules::NONE] {
            let mut search =
                TwoPiece::new(Meatfighter { rules, ..Meatfighter::PUBLISHED }, Limits::ONE_PER_ROW);
            for piece in Piece::ALL {
                let start = Start::spawn(piece, 19);
                assert_eq!(
                    search.best(&Position::spawn(board, piece, Some(Piece::I), Progress::at(0, 19))),
                    None
                );
                assert_eq!(search.fallback(&board, &start), None);
            }
        }
    }

    #[test]
    fn a_tetris_with_the_next_piece_is_prepared() {
        let board: Board = "#########.\n".repeat(4).parse().expect("art parses");
        let position = Position::spawn(board, Piece::O, Some(Piece::I), Progress::at(0, 19));
        let choice = published().best(&position).expect("a pair survives");
        assert!(choice.value < -1e8);
        assert!(choice.placement.x < 9);
    }
}
