//! StackRabbit's coordinates and board texts.

use maxout_engine::movegen::Start;
use maxout_rules::{Board, Placement};

/// A row in which only the right well is free.
const WELL: u16 = 0x1FF;
/// The letters of five cells, as a number from 0 to 31 in which the left cell counts most.
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyzABCDEF";

/// A placement: how often the piece is turned clockwise, and how many columns and rows it is from where it spawns.
pub(super) fn place(placement: Placement) -> [i16; 3] {
    let piece = placement.orientation.piece();
    let (turns, first) = (piece.orientations(), piece.first_orientation());
    let spawn = Start::spawn(piece, 0);
    let turn = (placement.orientation.id() - first + turns - (spawn.orientation.id() - first)) % turns;
    [
        i16::from(turn),
        i16::from(placement.x) - i16::from(spawn.x),
        i16::from(placement.y) - i16::from(spawn.y),
    ]
}

/// A board as 200 digits 0 and 1, row by row from the top left.
pub(super) fn digits(board: &Board) -> String {
    let cells = board.visible().iter().flat_map(|row| (0..10).map(move |column| row >> column & 1));
    cells.map(|cell| if cell == 1 { '1' } else { '0' }).collect()
}

/// A board as `EMPTY_ROWS_AT_TOP,LETTERS,WELL_ROWS_AT_BOTTOM`: two letters for each row between these, left and right
/// half.
pub(super) fn board(board: &Board) -> String {
    let rows = board.visible();
    let well = rows.iter().rev().take_while(|&&row| row == WELL).count();
    let empty = rows.iter().take_while(|&&row| row == 0).count();
    let letters = rows[empty..rows.len() - well].iter().flat_map(|row| {
        let half =
            |first: u32| (0..5).fold(0, |number, cell| number << 1 | usize::from(row >> (first + cell) & 1));
        [half(0), half(5)].map(|number| char::from(LETTERS[number]))
    });
    format!("{empty},{},{well}", letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::{Orientation, Piece};

    #[test]
    fn boards_are_two_letters_a_row() {
        let code = |art: &str| board(&art.parse().expect("art parses"));
        assert_eq!(code(""), "20,,0");
        assert_eq!(code("#########.\n#########."), "18,,2");
        assert_eq!(code("#.........\n....##....\n#########.\n"), "17,qabq,1");
        assert_eq!(code("#########.\n.#####....\n"), "18,FEpq,0");
        assert_eq!(code(&"##########\n".repeat(20)), format!("0,{},0", "FF".repeat(20)));
        assert_eq!(code(&"#########.\n".repeat(20)), "0,,20");
    }

    #[test]
    fn placements_count_from_the_spawn() {
        for piece in Piece::ALL {
            let spawn = Start::spawn(piece, 0);
            let at = |id: Orientation| place(Placement { x: spawn.x, y: spawn.y, orientation: id });
            assert_eq!(at(spawn.orientation), [0, 0, 0]);
            let turned = at(spawn.orientation.clockwise());
            assert_eq!(turned[0], i16::from(piece.orientations() > 1), "{piece}");
            assert_eq!(
                at(spawn.orientation.counterclockwise())[0],
                i16::from(piece.orientations()) - 1,
                "{piece}"
            );
            assert_eq!(place(Placement { x: 0, y: 18, orientation: spawn.orientation }), [0, -5, 18]);
        }
    }
}
