//! The board of a picture without the piece in the air: [`of_picture`].

use maxout_engine::analysis::warnings;
use maxout_rules::{Board, Piece};

/// The board of a picture without the piece in the air.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureBoard {
    /// The locked cells.
    pub board: Board,
    /// The piece in the air, if one is seen.
    pub piece: Option<Piece>,
    /// What is odd about them.
    pub warnings: Vec<String>,
}

/// Returns the board of a picture without the piece in the air. `named` is the piece that someone says is in the air.
pub fn of_picture(seen: Board, named: Option<Piece>) -> PictureBoard {
    // Someone may have named another piece than the picture shows. Two that float are no piece in the air.
    let taken = |piece| Some((piece, without_piece(&seen, piece)?));
    let mut others = Piece::ALL.into_iter().filter_map(taken);
    let found = named.and_then(taken).or_else(|| match (others.next(), others.next()) {
        (found, None) => found,
        _ => None,
    });
    let (piece, board) = found.unzip();
    let board = board.unwrap_or(seen);
    let mut warnings = warnings(&board);
    match (piece, named) {
        (Some(other), Some(piece)) if other != piece => {
            warnings.push(format!("the piece in the air is {other}, not {piece}; it is left out of the board"));
        }
        (None, _) => warnings.push(format!(
            "no {} is seen in the air: one that touches other cells counts as locked, and a row may be clearing",
            named.map_or_else(|| "piece".to_owned(), |piece| piece.to_string())
        )),
        _ => {}
    }
    PictureBoard { board, piece, warnings }
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
        let touching = board("...TTT....\n####T.....");
        for (named, told) in
            [(Some(Piece::T), "no T is seen in the air"), (None, "no piece is seen in the air")]
        {
            let PictureBoard { board, piece, warnings } = of_picture(touching, named);
            assert_eq!((board.cells(), piece, warnings.len()), (8, None, 1));
            assert!(warnings[0].contains(told), "{warnings:?}");
        }
        // Another piece than the one that was named is no part of the board either.
        let seen = board("....##....\n...##.....\n..........\n####......");
        let read = |named| of_picture(seen, named);
        assert_eq!(read(Some(Piece::T)).board, board("####......"));
        let told = ["the piece in the air is S, not T; it is left out of the board"];
        assert_eq!(read(Some(Piece::T)).warnings, told);
        for named in [None, Some(Piece::S)] {
            let wanted = PictureBoard { board: board("####......"), piece: Some(Piece::S), warnings: vec![] };
            assert_eq!(read(named), wanted);
        }
        // Two of them tell nothing.
        let two = board("....##....\n...##.....\n..........\n##........\n##........\n..........\n####......");
        for named in [None, Some(Piece::T)] {
            let read = of_picture(two, named);
            assert_eq!((read.board, read.piece), (two, None));
        }
    }
}
