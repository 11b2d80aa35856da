//! What a search over the pieces on the screen asks: [`Evaluator`].

use maxout_rules::{Board, Placement};

/// A placement, and what it did.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The board without the piece.
    pub before: &'a Board,
    /// Where the piece locked.
    pub placement: Placement,
    /// The board with it, completed rows removed.
    pub after: &'a Board,
    /// Rows it completed.
    pub lines: u8,
}

impl Placed<'_> {
    /// How many of the piece's own cells were in completed rows.
    pub fn cells_removed(&self) -> u32 {
        if self.lines == 0 {
            return 0;
        }
        let cells = self.placement.orientation.cells().map(|(dx, dy)| {
            let (column, row) = (self.placement.x as i8 + dx, self.placement.y as i8 + dy);
            (row, 1u16 << column)
        });
        let completed = |row: i8| {
            let own = cells.iter().filter(|cell| cell.0 == row).fold(0, |all, cell| all | cell.1);
            row >= 0 && self.before.row(row) | own == 0x3FF
        };
        cells.iter().filter(|cell| completed(cell.0)).count() as u32
    }
}

/// Says what boards are worth. A search places one piece or several and asks for the cost of what is left.
pub trait Evaluator {
    /// What is noted of the placements on the way to a board.
    type Trail: Copy + Default;

    /// `trail`, and one placement more.
    fn follow(&self, trail: Self::Trail, placed: &Placed<'_>) -> Self::Trail;

    /// What `board`, reached by the placements of `trail`, costs; lower is better. `None` rejects it.
    fn cost(&self, board: &Board, trail: Self::Trail) -> Option<f64>;

    /// The board after `placement`, the rows it completed, and `trail` with it.
    #[inline]
    fn place(&self, board: &Board, placement: Placement, trail: Self::Trail) -> (Board, u8, Self::Trail) {
        let mut after = *board;
        let lines = after.lock(placement.x, placement.y, placement.orientation);
        let trail = self.follow(trail, &Placed { before: board, placement, after: &after, lines });
        (after, lines, trail)
    }

    /// The cheapest of `replies` on `board`, to which `trail` led: what it costs, and which; the first of equals.
    /// Those that cost more than `limit` may be left out. `None` if all others are rejected.
    fn cheapest(
        &self,
        board: &Board,
        trail: Self::Trail,
        replies: &[Placement],
        _limit: f64,
    ) -> Option<(f64, Placement)> {
        let mut best: Option<(f64, Placement)> = None;
        for &reply in replies {
            let (after, _, trail) = self.place(board, reply, trail);
            let Some(cost) = self.cost(&after, trail) else { continue };
            if best.is_none_or(|best| cost < best.0) {
                best = Some((cost, reply));
            }
        }
        best
    }

    /// Whether the way may lead over `board`; asked before and between placements.
    fn admits(&self, _board: &Board) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Orientation;

    #[test]
    fn only_the_piece_s_cells_in_completed_rows_are_removed_ones() {
        let before: Board = "#########.\n########..\n#########.\n".parse().expect("art parses");
        // An upright I piece in the last column: rows 16 to 19, of which 17 and 19 are completed.
        let placement = Placement { y: 18, orientation: Orientation::IVertical, x: 9 };
        let mut after = before;
        let lines = after.lock(placement.x, placement.y, placement.orientation);
        let placed = Placed { before: &before, placement, after: &after, lines };
        assert_eq!((lines, placed.cells_removed()), (2, 2));
    }
}
