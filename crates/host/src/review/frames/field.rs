//! How well a board explains a field.

use maxout_rules::{Board, Orientation, Piece, Placement};

/// The twenty visible rows of a frame's field.
pub type Field = [u16; 20];
/// The highest row of the field behind the curtain.
pub const CURTAIN: u16 = 0x3FF;

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

/// Where the piece in the air is, if the field is the board and the piece in one of its orientations. What lies above the field is
/// not seen.
pub fn falling(field: &Field, board: &Board, piece: Piece) -> Option<Placement> {
    let mut rest = *field;
    for (row, known) in rest.iter_mut().zip(board.visible()) {
        if *row & known != *known {
            return None;
        }
        *row &= !known;
    }
    let first = rest.iter().position(|&row| row != 0)? as i8;
    let shows = |id: Orientation, x: i8, y: i8| {
        let mut rows = [0u16; 20];
        for &(dx, dy) in id.cells() {
            let column = u32::try_from(x + dx).ok().filter(|&column| column < 10)?;
            if let Ok(row) = usize::try_from(y + dy) {
                *rows.get_mut(row)? |= 1 << column;
            }
        }
        (rows == rest).then_some(Placement { y: y as u8, orientation: id, x: x as u8 })
    };
    let at = |id: Orientation| {
        let top = id.cells().iter().map(|&(_, dy)| dy).min().unwrap_or(0);
        let y = (first - top).max(0);
        // A piece that has just appeared may reach above the field.
        let highest = if first == 0 { 0 } else { y };
        (0..10).find_map(|x| shows(id, x, y).or_else(|| shows(id, x, highest)))
    };
    Orientation::ALL.into_iter().filter(|id| id.piece() == piece).find_map(at)
}
