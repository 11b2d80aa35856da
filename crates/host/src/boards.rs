//! What is odd about a board ([`oddities`]), and the board of a picture without the piece in the air ([`of_picture`]).

use maxout_rules::{Board, Piece};

/// Returns what is odd about a board, in words: full rows, cells that hang in the air, and numbers of cells that no game
/// has.
pub fn oddities(board: &Board) -> Vec<String> {
    let mut found = Vec::new();
    let full: Vec<String> =
        (0..20).filter(|&row| board.row(row) == 0x3FF).map(|row| row.to_string()).collect();
    if !full.is_empty() {
        found.push(format!("full rows ({}), which the game would have cleared", full.join(", ")));
    }
    let cells = |count: u32| format!("{count} cell{}", if count == 1 { "" } else { "s" });
    let floating = board.cells() - resting(board).iter().map(|row| row.count_ones()).sum::<u32>();
    if floating > 0 {
        let (hang, them) = if floating == 1 { ("hangs", "it") } else { ("hang", "them") };
        let cells = cells(floating);
        found.push(format!("{cells} {hang} in the air: no cell connects {them} with the lowest row"));
    }
    if board.cells() % 2 == 1 {
        // A piece brings four cells and a row takes ten.
        found.push(format!("{}, an odd number, which no game has", cells(board.cells())));
    }
    found
}

/// Returns the board of a picture without the piece in the air, and what is odd about it.
pub fn of_picture(seen: Board, piece: Piece) -> (Board, Vec<String>) {
    let rest = without_piece(&seen, piece);
    let board = rest.unwrap_or(seen);
    let mut odd = oddities(&board);
    if rest.is_none() {
        odd.push(format!(
            "no {piece} is seen in the air: one that touches other cells counts as locked, and a row may be clearing"
        ));
    }
    (board, odd)
}

/// Returns the cells of the first group of cells that touch each other, if there are any.
fn group(rows: &[u16; 22]) -> [u16; 22] {
    let mut found = [0; 22];
    let Some(first) = rows.iter().position(|&row| row != 0) else { return found };
    found[first] = 1 << rows[first].trailing_zeros();
    spread(rows, &mut found);
    found
}

/// Adds the cells of `rows` that touch those of `found`, and those that touch them, and so on.
fn spread(rows: &[u16; 22], found: &mut [u16; 22]) {
    loop {
        let before = *found;
        for row in 0..22 {
            let above = if row > 0 { found[row - 1] } else { 0 };
            let below = if row < 21 { found[row + 1] } else { 0 };
            found[row] |= rows[row] & (above | below | found[row] << 1 | found[row] >> 1);
        }
        if *found == before {
            return;
        }
    }
}

/// Returns the cells that hang together with the lowest row, by way of cells that touch.
fn resting(board: &Board) -> [u16; 22] {
    let mut rest = [0; 22];
    rest[21] = board.rows()[21];
    spread(board.rows(), &mut rest);
    rest
}

/// Returns the board without the piece in the air of a picture: the only group of floating cells that is a `piece`, of
/// which the part above the field is not seen. `None` if there is no such group or more than one.
fn without_piece(board: &Board, piece: Piece) -> Option<Board> {
    let rest = resting(board);
    let mut floating = *board.rows();
    floating.iter_mut().zip(rest).for_each(|(row, rest)| *row &= !rest);
    let mut places = Vec::new();
    for turns in 0..piece.orientations() {
        for (x, y) in (0..20).flat_map(|y: i8| (0..10).map(move |x: i8| (x, y))) {
            let mut rows = [0_u16; 22];
            let cells = piece.turned(turns).cells().iter().map(|&(dx, dy)| (x + dx, y + dy));
            // Rows -2 and -1 are not on the screen.
            for (column, row) in cells.clone().filter(|(_, row)| (0..20).contains(row)) {
                rows[row as usize + 2] |= 1_u16.checked_shl(column as u32).unwrap_or(0);
            }
            if cells.clone().all(|(column, row)| (0..10).contains(&column) && row < 20) {
                places.push(rows);
            }
        }
    }
    let mut found = None;
    while floating != [0; 22] {
        let group = group(&floating);
        floating.iter_mut().zip(group).for_each(|(row, group)| *row &= !group);
        if places.contains(&group) && found.replace(group).is_some() {
            return None;
        }
    }
    let piece = found?;
    let mut rows = *board.rows();
    rows.iter_mut().zip(piece).for_each(|(row, piece)| *row &= !piece);
    Some(Board::from_rows(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board of a drawing in which T is solid, too.
    fn board(art: &str) -> Board {
        art.replace('T', "#").parse().expect("art")
    }

    #[test]
    fn the_piece_in_the_air_is_taken_out_of_a_picture() {
        let seen = board("...TTT....\n....T.....\n..........\n####......");
        assert_eq!(without_piece(&seen, Piece::T), Some(board("####......")));
        assert_eq!(without_piece(&seen, Piece::J), None);
        // Other cells may hang in the air, but not another T.
        let seen = board("...TTT....\n....T.....\n......##..\n..........\n####......");
        assert_eq!(without_piece(&seen, Piece::T), Some(board("......##..\n..........\n####......")));
        let seen = board("...TTT....\n....T.....\n.......#..\n......###.\n..........\n####......");
        assert_eq!(without_piece(&seen, Piece::T), None);
        // One that touches the stack cannot be told from it.
        assert_eq!(without_piece(&board("...TTT....\n####T....."), Piece::T), None);
    }

    #[test]
    fn a_piece_that_sticks_out_at_the_top_is_taken_out_too() {
        let below = "..........\n".repeat(17) + "####......";
        // A T that points up, and an I on end.
        for (piece, top) in [(Piece::T, "...TTT....\n..........\n"), (Piece::I, "....#.....\n....#.....\n")] {
            let seen = board(&(top.to_owned() + &below));
            assert_eq!(without_piece(&seen, piece), Some(board("####......")), "{piece}");
            assert_eq!(without_piece(&seen, Piece::O), None);
        }
    }

    #[test]
    fn odd_boards_are_told_of() {
        let told = |art: &str| oddities(&board(art)).join("; ");
        assert_eq!(told("####......"), "");
        assert!(told("##########").contains("full rows (19)"));
        assert!(told("##........\n..........\n##........").contains("2 cells hang"));
        assert!(told("###.......").contains("3 cells, an odd number"));
        let one = told("#.........\n..........");
        assert!(one.contains("1 cell hangs") && one.contains("1 cell, an odd number"), "{one}");
        // What touches only at a corner hangs in the air.
        assert!(told("..##......\n##........").contains("2 cells hang"));
        let (seen, odd) = of_picture(board("...TTT....\n####T....."), Piece::T);
        assert_eq!((seen.cells(), odd.len()), (8, 1));
        assert!(odd[0].contains("no T is seen in the air"), "{odd:?}");
    }
}
