//! What `src/piece.rs` promises.

use maxout_rules::*;

#[test]
fn each_orientation_is_one_of_the_mirrored_piece_in_a_mirror() {
    // Cells from the leftmost column and the topmost row on.
    let cells = |id: Orientation, sign: i8| {
        let cells: Vec<(i8, i8)> = id.cells().iter().map(|&(dx, dy)| (sign * dx, dy)).collect();
        let left = cells.iter().map(|cell| cell.0).min().expect("four");
        let top = cells.iter().map(|cell| cell.1).min().expect("four");
        let mut cells: Vec<(i8, i8)> = cells.iter().map(|cell| (cell.0 - left, cell.1 - top)).collect();
        cells.sort_unstable();
        cells
    };
    for id in Orientation::ALL {
        let same = |other: &Orientation| cells(*other, 1) == cells(id, -1);
        let found: Vec<Piece> = Orientation::ALL.into_iter().filter(same).map(Orientation::piece).collect();
        assert_eq!(found, [id.piece().mirrored()], "{id:?}");
    }
}

#[test]
fn a_piece_is_one_letter_and_nothing_else() {
    for (piece, letter) in Piece::ALL.into_iter().zip("TJZOSLI".chars()) {
        for text in [letter.to_string(), letter.to_ascii_lowercase().to_string()] {
            assert_eq!(text.parse(), Ok(piece), "{text}");
        }
        assert_eq!(piece.to_string(), letter.to_string());
    }
    for text in ["", "TT", "T ", " T", "X", "0", "ı", "ſ", "İ", "T\u{301}"] {
        assert_eq!(text.parse::<Piece>(), Err(ParsePieceError), "{text}");
    }
}

#[test]
fn turning_both_ways_returns_and_orientations_of_a_piece_are_consecutive() {
    for piece in Piece::ALL {
        let first = piece.first_orientation();
        for turn in 0..piece.orientations() {
            let orientation = piece.turned(turn);
            assert_eq!((orientation.id(), orientation.piece()), (first + turn, piece));
            assert_eq!(orientation.clockwise().id(), first + (turn + 1) % piece.orientations());
            assert_eq!(orientation.clockwise().counterclockwise(), orientation);
        }
        assert_eq!(piece.spawn().piece(), piece);
    }
}
