//! The board of a picture without the piece in the air ([`of_picture`]).

use maxout_engine::analysis::warnings;
use maxout_rules::{Board, Piece};

/// Returns the board of a picture without the piece in the air, and what is odd about it.
pub fn of_picture(seen: Board, piece: Piece) -> (Board, Vec<String>) {
    if let Some(board) = without_piece(&seen, piece) {
        return (board, warnings(&board));
    }
    // Someone may have named another piece than the picture shows. Two that float are no piece in the air.
    let mut others = Piece::ALL.into_iter().filter_map(|other| Some((other, without_piece(&seen, other)?)));
    let (board, odd) = match (others.next(), others.next()) {
        (Some((other, board)), None) => {
            (board, format!("the piece in the air is {other}, not {piece}; it is left out of the board"))
        }
        _ => (
            seen,
            format!(
                "no {piece} is seen in the air: one that touches other cells counts as locked, and a row may be clearing"
            ),
        ),
    };
    let mut warnings = warnings(&board);
    warnings.push(odd);
    (board, warnings)
}

/// Returns the cells of the first group of cells that touch each other, if there are any.
fn group(board: &Board) -> Board {
    let mut first = [0; 22];
    if let Some(row) = board.rows().iter().position(|&row| row != 0) {
        first[row] = 1 << board.rows()[row].trailing_zeros();
    }
    board.connected(&Board::from_rows(first))
}

/// Returns the cells of `board` that `other` does not have.
fn without(board: &Board, other: &Board) -> Board {
    Board::from_rows(std::array::from_fn(|row| board.rows()[row] & !other.rows()[row]))
}

/// Returns the board without the piece in the air of a picture: the only group of floating cells that is a `piece`, of
/// which the part above the field is not seen. `None` if there is no such group or more than one.
fn without_piece(board: &Board, piece: Piece) -> Option<Board> {
    let mut floating = without(board, &board.resting());
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
    while floating != Board::EMPTY {
        let group = group(&floating);
        floating = without(&floating, &group);
        if places.contains(group.rows()) && found.replace(group).is_some() {
            return None;
        }
    }
    Some(without(board, &found?))
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
    fn a_picture_without_the_piece_is_told_of() {
        let (seen, odd) = of_picture(board("...TTT....\n####T....."), Piece::T);
        assert_eq!((seen.cells(), odd.len()), (8, 1));
        assert!(odd[0].contains("no T is seen in the air"), "{odd:?}");
        // Another piece than the one that was named is no part of the board either.
        let (seen, odd) = of_picture(board("....##....\n...##.....\n..........\n####......"), Piece::T);
        assert_eq!(seen, board("####......"));
        assert_eq!(odd, ["the piece in the air is S, not T; it is left out of the board"]);
        // Two of them tell nothing.
        let two = board("....##....\n...##.....\n..........\n##........\n##........\n..........\n####......");
        assert_eq!(of_picture(two, Piece::T).0, two);
    }
}
