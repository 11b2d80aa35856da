//! Every reachable placement of the piece in play, followed by every one of the next: [`TwoPiece`].

use crate::eval::{Features, Locks, Meatfighter, Packed, Shape, lock_height};
use crate::game::{Board, Piece, Progress};
use crate::movegen::{InputRule, Placement, Start, placements};

/// What a search decided.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// Where to put the piece in play.
    pub placement: Placement,
    /// Value of the board after both pieces; lower is better.
    pub value: f64,
    /// Where the next piece was put to get that value.
    pub next: Option<Placement>,
}

/// The two-piece search. It keeps its buffers, so a decision allocates nothing.
#[derive(Clone, Debug)]
pub struct TwoPiece {
    /// The evaluator.
    pub eval: Meatfighter,
    /// What the controller may do.
    pub rule: InputRule,
    first: Vec<Placement>,
    second: Vec<Placement>,
    nodes: u64,
}

impl TwoPiece {
    /// A search with this evaluator and these input limits.
    pub fn new(eval: Meatfighter, rule: InputRule) -> Self {
        Self { eval, rule, first: Vec::new(), second: Vec::new(), nodes: 0 }
    }

    /// Pairs of placements that the last decision looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The placement of the piece at `start` after which the best placement of `next` has the lowest value;
    /// among equals the first. `progress` is that before both. `None` if the evaluator rejects every pair.
    ///
    /// ```
    /// use maxout::eval::Meatfighter;
    /// use maxout::game::{Board, Piece, Progress};
    /// use maxout::movegen::{InputRule, Start};
    /// use maxout::search::TwoPiece;
    /// // Four rows with an open right column: the long bar goes down there.
    /// let board: Board = "#########.\n".repeat(4).parse().unwrap();
    /// let mut search = TwoPiece::new(Meatfighter::PUBLISHED, InputRule::EveryFrame);
    /// let start = Start::spawn(Piece::I, 19);
    /// let choice = search.best(&board, &start, Piece::T, Progress::at(0, 19)).unwrap();
    /// assert_eq!((choice.placement.x, choice.placement.y, choice.placement.id.0), (9, 18, 0x11));
    /// ```
    pub fn best(&mut self, board: &Board, start: &Start, next: Piece, progress: Progress) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        self.each_first(board, *start, next, progress, |choice| {
            // The last come first: of equals the one that comes last counts.
            best = best.filter(|best| best.value < choice.value).or(Some(choice));
            best.map_or(f64::INFINITY, |best| best.value)
        });
        best
    }

    /// All placements of the piece at `start` that lead somewhere, each with its best value, in ascending
    /// order; the first is that of [`TwoPiece::best`].
    pub fn rank(
        &mut self,
        board: &Board,
        start: &Start,
        next: Piece,
        progress: Progress,
    ) -> Vec<(Placement, f64)> {
        let mut ranked = Vec::new();
        self.each_first(board, *start, next, progress, |choice| {
            ranked.push((choice.placement, choice.value));
            f64::INFINITY
        });
        ranked.reverse();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        ranked
    }

    /// The lowest reachable placement, for boards on which [`TwoPiece::best`] finds nothing: lowest cell as
    /// deep as possible, then as few holes as possible, then the first. `None` if none can be reached.
    pub fn fallback(&mut self, board: &Board, start: &Start) -> Option<Placement> {
        placements(board, start, self.rule, &mut self.first);
        self.first.iter().copied().min_by_key(|placement| {
            let mut after = *board;
            after.lock(placement.x, placement.y, placement.id);
            (lock_height(placement.y, placement.id), Features::of(&after).holes)
        })
    }

    /// Calls `found` for first placements that have a second, each with the best of those; the last first, as good
    /// ones come late. `found` says what value a choice must not be above to matter: others may be left out, or
    /// come with a second that is not the best.
    fn each_first(
        &mut self,
        board: &Board,
        start: Start,
        next: Piece,
        progress: Progress,
        mut found: impl FnMut(Choice) -> f64,
    ) {
        let Self { eval, rule, first, second, nodes } = self;
        *nodes = 0;
        if !eval.admits(&Packed::of(board)) {
            return;
        }
        placements(board, &start, *rule, first);
        let shape = Shape::of(board);
        let mut limit = f64::INFINITY;
        for &placement in first.iter().rev() {
            let (after_first, lines, locks) = lock(board, placement, Locks::default());
            let rows = Packed::of(&after_first);
            if !eval.admits(&rows) {
                continue;
            }
            let mut progress = progress;
            progress.add_rows(lines);
            placements(&after_first, &Start::spawn(next, progress.level), *rule, second);
            *nodes += second.len() as u64;
            let shape = if lines == 0 { shape.with(placement) } else { Shape::of(&after_first) };
            let floor = eval.floor(&rows, &shape, locks);
            let mut best: Option<(f64, Placement)> = None;
            // The least value of this first placement, or what all of them must not be above.
            let mut least = limit;
            for &reply in second.iter().rev() {
                let with = rows.with(reply);
                let value = if with.has_full_row() {
                    let (after_both, _, locks) = lock(&after_first, reply, locks);
                    eval.score(&after_both, locks)
                } else if floor.is_some_and(|floor| floor.of(reply) > least) {
                    None
                } else {
                    eval.score_packed(&with, locks.and(reply.y, reply.id, 0))
                };
                let Some(value) = value else { continue };
                if best.is_none_or(|best| value <= best.0) {
                    best = Some((value, reply));
                    least = least.min(value);
                }
            }
            if let Some((value, reply)) = best {
                limit = found(Choice { placement, value, next: Some(reply) });
            }
        }
    }
}

/// The board after `placement`, the lines it cleared, and `locks` with it.
#[inline]
fn lock(board: &Board, placement: Placement, locks: Locks) -> (Board, u8, Locks) {
    let mut after = *board;
    let lines = after.lock(placement.x, placement.y, placement.id);
    (after, lines, locks.and(placement.y, placement.id, lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Rules;
    use crate::game::Orientation;

    /// A stack with holes, rows up to `height`.
    fn stack(seed: u64, height: usize) -> Board {
        let mut seed = seed;
        let mut rows = [0; 22];
        for row in &mut rows[22 - height..] {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *row = !(1 << ((seed >> 33) % 10) | 1 << ((seed >> 45) % 10));
        }
        Board::from_rows(rows)
    }

    fn published() -> TwoPiece {
        TwoPiece::new(Meatfighter::PUBLISHED, InputRule::EveryFrame)
    }

    #[test]
    fn best_is_the_lowest_of_all_pairs_and_rank_agrees() {
        let mut search = published();
        for seed in 0..40 {
            let board = stack(seed, 2 + seed as usize % 14);
            let piece = Piece::ALL[seed as usize % 7];
            let next = Piece::ALL[seed as usize / 7 % 7];
            let start = Start::spawn(piece, 18);
            // One line short of level 19.
            let progress = Progress::at(129, 18);
            let mut pairs = Vec::new();
            let (mut first, mut second) = (Vec::new(), Vec::new());
            placements(&board, &start, InputRule::EveryFrame, &mut first);
            for &a in &first {
                let mut board = board;
                let lines_a = board.lock(a.x, a.y, a.id);
                let level = if lines_a > 0 { 19 } else { 18 };
                placements(&board, &Start::spawn(next, level), InputRule::EveryFrame, &mut second);
                for &b in &second {
                    let mut board = board;
                    let lines_b = board.lock(b.x, b.y, b.id);
                    let locks = Locks {
                        lines: u32::from(lines_a + lines_b),
                        heights: lock_height(a.y, a.id) + lock_height(b.y, b.id),
                        tetris: lines_a == 4 || lines_b == 4,
                    };
                    if let Some(value) = search.eval.score(&board, locks) {
                        pairs.push((value, a, b));
                    }
                }
            }
            let want = pairs.iter().copied().reduce(|best, pair| if pair.0 < best.0 { pair } else { best });
            let got = search.best(&board, &start, next, progress);
            assert_eq!(got.map(|c| (c.value, c.placement, c.next.expect("has a next"))), want, "{board}");
            let ranked = search.rank(&board, &start, next, progress);
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
        assert_eq!(search.best(&board, &start, Piece::T, Progress::at(230, 29)), None);
        let placement = search.fallback(&board, &start).expect("O fits at the top");
        assert_eq!((placement.y, placement.id), (0, Orientation(0x0A)));
    }

    #[test]
    fn finds_nothing_and_does_not_panic_on_a_solid_board() {
        let board = Board::from_rows([0x3FF; 22]);
        for rules in [Rules::ALL, Rules::NONE] {
            let mut search =
                TwoPiece::new(Meatfighter { rules, ..Meatfighter::PUBLISHED }, InputRule::OnePerRow);
            for piece in Piece::ALL {
                let start = Start::spawn(piece, 19);
                assert_eq!(search.best(&board, &start, Piece::I, Progress::at(0, 19)), None);
                assert_eq!(search.fallback(&board, &start), None);
            }
        }
    }

    #[test]
    fn a_tetris_with_the_next_piece_is_prepared() {
        let board = "#########.\n".repeat(4).parse().expect("art parses");
        let start = Start::spawn(Piece::O, 19);
        let choice =
            published().best(&board, &start, Piece::I, Progress::at(0, 19)).expect("a pair survives");
        assert!(choice.value < -1e8);
        assert!(choice.placement.x < 9);
    }
}
