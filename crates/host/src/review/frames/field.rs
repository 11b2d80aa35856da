//! How well a board explains a field.

use maxout_rules::{Board, Orientation, Piece, Placement};

/// The twenty visible rows of a frame's field.
pub type Field = [u16; 20];

/// The board with the piece on it, before full rows vanish.
pub fn with(board: &Board, placement: Placement) -> Board {
    let mut rows = *board.rows();
    for &(dx, dy) in placement.orientation.cells() {
        let (row, column) = (placement.y as i8 + dy, placement.x as i8 + dx);
        rows[(row + 2) as usize] |= 1 << column;
    }
    Board::from_rows(rows)
}

/// How many cells differ.
pub fn apart(field: &Field, board: &Board) -> u32 {
    field.iter().zip(board.visible()).map(|(&a, &b)| (a ^ b).count_ones()).sum()
}

/// Whether the field has all rows of the board that are not full.
pub fn kept_rows(board: &Board, field: &Field) -> bool {
    board.visible().iter().zip(field).all(|(&row, &seen)| row == 0x3FF || row == seen)
}

/// By how many cells the board fails to explain the fields: cells that they lack, and cells beyond the four of a piece. A
/// quarter of the fields must fit at least as well, so stale and broken ones do not count.
pub fn misfit(board: &Board, fields: &[Field]) -> f32 {
    let mut costs: Vec<u32> = fields.iter().map(|field| misfit_of(board, field)).collect();
    costs.sort_unstable();
    costs.get(costs.len().saturating_sub(1) / 4).map_or(0.0, |&cost| cost as f32)
}

fn misfit_of(board: &Board, field: &Field) -> u32 {
    let (mut lacking, mut more) = (0, 0);
    for (&seen, &known) in field.iter().zip(board.visible()) {
        lacking += (known & !seen).count_ones();
        more += (seen & !known).count_ones();
    }
    lacking + more.saturating_sub(4)
}

/// The cells that are in nearly all fields of a turn: the board below the piece in the air.
pub fn settled(fields: &[Field]) -> Board {
    let mut rows = [0; 22];
    for (row, visible) in rows[2..].iter_mut().enumerate() {
        for column in 0..10 {
            let seen = fields.iter().filter(|field| field[row] >> column & 1 == 1).count();
            *visible |= u16::from(4 * seen > 3 * fields.len()) << column;
        }
    }
    for row in &mut rows {
        if *row == 0x3FF {
            *row = 0;
        }
    }
    Board::from_rows(rows)
}

/// The column of the piece in the air, if the field is the board and the whole piece in one of its orientations.
pub fn falling(field: &Field, board: &Board, piece: Piece) -> Option<u8> {
    let mut rest = *field;
    for (row, known) in rest.iter_mut().zip(board.visible()) {
        if *row & known != *known {
            return None;
        }
        *row &= !known;
    }
    let first = rest.iter().position(|&row| row != 0)?;
    let left = rest.iter().filter(|&&row| row != 0).map(|row| row.trailing_zeros()).min()?;
    let shape = |id: &Orientation| {
        let (top, side) = id.cells().iter().fold((0, 0), |least, &(x, y)| (least.0.min(y), least.1.min(x)));
        let mut rows = [0; 20];
        for &(x, y) in id.cells() {
            *rows.get_mut(first + (y - top) as usize)? |= 1 << (x - side) << left;
        }
        (rows == rest).then_some((left as i8 - side) as u8)
    };
    (0..19).map(Orientation).filter(|id| id.piece() == Some(piece)).find_map(|id| shape(&id))
}
