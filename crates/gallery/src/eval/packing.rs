//! The Qt robot's evaluation: how well a piece packs with what is around it, before rows are removed.

use maxout_engine::eval::{Evaluator, Placed};
use maxout_rules::{Board, Orientation, Piece, Placement};

/// An evaluator that rewards solid neighbours and completed rows, and punishes gaps below the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packing {
    /// Whether gaps further down are looked for in each cell's own column. As published they are looked for in the
    /// column of the left edge of the box that the piece is turned in.
    pub mended: bool,
}

/// (row, column) of the cells in a box of 4 × 4, as the piece first appears.
type Cells = [(i8, i8); 4];

const fn first_cells(piece: Piece) -> Cells {
    match piece {
        Piece::T => [(1, 1), (2, 0), (2, 1), (2, 2)],
        Piece::J => [(1, 0), (1, 1), (1, 2), (2, 2)],
        Piece::Z => [(1, 0), (1, 1), (2, 1), (2, 2)],
        Piece::O => [(1, 1), (1, 2), (2, 1), (2, 2)],
        Piece::S => [(1, 1), (1, 2), (2, 0), (2, 1)],
        Piece::L => [(1, 1), (1, 2), (1, 3), (2, 1)],
        Piece::I => [(1, 0), (1, 1), (1, 2), (1, 3)],
    }
}

/// Where the box's upper left corner is, from the piece's centre as (dx, dy), for each of its four turns that looks
/// like `id`; `None` for the others.
fn corners(id: Orientation) -> [Option<(i8, i8)>; 4] {
    let want = id.cells().map(|(dx, dy)| (dy, dx));
    let mut cells = first_cells(id.piece());
    std::array::from_fn(|turn| {
        if turn > 0 {
            cells = cells.map(|(row, column)| (column, 3 - row));
        }
        // The same cells after a shift, if the upper left ones of both fall together.
        let (a, b) = (first(cells), first(want));
        let (dy, dx) = (b.0 - a.0, b.1 - a.1);
        let same = cells.iter().all(|&(row, column)| want.contains(&(row + dy, column + dx)));
        same.then_some((dx, dy))
    })
}

fn first(cells: Cells) -> (i8, i8) {
    cells.into_iter().min().unwrap_or_default()
}

impl Packing {
    /// The value of `placement` on `before`, by the turn of the box with the highest value. Higher is better; a
    /// placement below 0 is not played.
    pub fn value(&self, before: &Board, placement: Placement) -> i32 {
        let Placement { x, y, orientation: id } = placement;
        let (x, y) = (x as i8, y as i8);
        let own = id.cells().map(|(dx, dy)| (y + dy, x + dx));
        let solid = |row: i8, column: i8| {
            row >= 20
                || !(0..10).contains(&column)
                || before.is_solid(row, column)
                || own.contains(&(row, column))
        };
        let full = |row: i8| (0..10).all(|column| solid(row, column));
        let rows = (y - 2..=y + 1).filter(|row| (0..20).contains(row) && full(*row)).count() as i32;
        let mut packed = 10 * (rows - 1).max(0);
        for (row, column) in own {
            let around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
            packed += around.iter().filter(|&&(row, column)| solid(row, column)).count() as i32;
        }
        let fine = |left: i8| {
            let fines = own.iter().filter(|(row, column)| !own.contains(&(row + 1, *column))).map(
                |&(row, column)| {
                    let looked_at = if self.mended { column } else { left };
                    if solid(row + 1, column) {
                        i32::from((row + 2..20).any(|row| !solid(row, looked_at)))
                    } else {
                        4
                    }
                },
            );
            fines.sum::<i32>()
        };
        let boxes = corners(id).into_iter().flatten();
        let value = boxes.map(|(dx, dy)| i32::from(y + dy) - fine(x + dx)).max();
        value.unwrap_or(0) + packed
    }
}

impl Evaluator for Packing {
    /// The value of the last piece.
    type Trail = i32;

    fn follow(&self, _: i32, placed: &Placed<'_>) -> i32 {
        self.value(placed.before, placed.placement)
    }

    fn cost(&self, _: &Board, trail: i32) -> Option<f64> {
        (trail >= 0).then(|| f64::from(-trail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_of_every_box_is_an_orientation_of_the_game() {
        for piece in Piece::ALL {
            let turns = (0..piece.orientations()).flat_map(|turns| corners(piece.turned(turns)));
            assert_eq!(turns.flatten().count(), 4, "{piece}");
        }
    }
}
