//! A game drawn by hand, so that its placements are known: where the screen is, and what lies over it, changes nothing.

use maxout_rules::{Board, Piece};
use maxout_sight::{Picture, ReadGame, VideoReader};

/// Pieces and the columns of their centres, as they appear.
const GAME: [(Piece, u8); 9] = [
    (Piece::O, 1),
    (Piece::T, 5),
    (Piece::J, 8),
    (Piece::O, 9),
    (Piece::L, 5),
    (Piece::O, 1),
    (Piece::T, 5),
    (Piece::O, 9),
    (Piece::J, 6),
];

/// Where the game is in a larger picture.
struct Layout {
    size: (usize, usize),
    corner: (usize, usize),
    /// Pixels of a pixel of the console.
    scale: usize,
    around: u8,
}

impl Layout {
    /// The board and a piece in it, with a rim of two pixels.
    fn draw(&self, board: &Board, piece: &[(i8, i8)], covered: bool) -> Vec<u8> {
        let mut bytes = vec![self.around; self.size.0 * self.size.1];
        let (columns, rows) = (86, 166);
        for y in 0..rows * self.scale {
            for x in 0..columns * self.scale {
                let (across, down) = ((x / self.scale) as i32 - 3, (y / self.scale) as i32 - 3);
                let is_rim = !(-1..=80).contains(&across) || !(-1..=160).contains(&down);
                let (column, row) = (across.div_euclid(8) as i8, down.div_euclid(8) as i8);
                let is_block = across.rem_euclid(8) < 7 && down.rem_euclid(8) < 7;
                let inside = (0..10).contains(&column) && (0..20).contains(&row);
                let solid = inside && (board.is_solid(row, column) || piece.contains(&(column, row)));
                let over = covered && (3..6).contains(&column) && (9..12).contains(&row);
                let value = if is_rim {
                    220
                } else if over {
                    160
                } else if solid && is_block {
                    200
                } else {
                    12
                };
                bytes[(self.corner.1 + y) * self.size.0 + self.corner.0 + x] = value;
            }
        }
        bytes
    }

    /// The games that are read, 30 pictures a second. Three by three cells are covered during these placements.
    fn read(&self, covered: std::ops::Range<usize>) -> Vec<ReadGame> {
        let (mut reader, mut time_ms) = (VideoReader::new(), 0);
        let mut see = |bytes: &[u8]| {
            reader.see(&Picture::grey(self.size.0, self.size.1, bytes).expect("enough bytes"), time_ms);
            time_ms += 33;
        };
        let mut board = Board::default();
        for (number, &(piece, column)) in GAME.iter().enumerate() {
            let is_covered = covered.contains(&number);
            let (orientation, mut x, mut y) = (piece.spawn(), 5u8, 0u8);
            loop {
                let cells: Vec<(i8, i8)> =
                    orientation.cells().iter().map(|&(dx, dy)| (x as i8 + dx, y as i8 + dy)).collect();
                see(&self.draw(&board, &cells, is_covered));
                if x != column {
                    x = if x < column { x + 1 } else { x - 1 };
                } else if board.is_valid(x, y + 1, orientation) {
                    y += 1;
                } else {
                    break;
                }
            }
            board.lock(x, y, orientation);
            for _ in 0..3 {
                see(&self.draw(&board, &[], is_covered));
            }
        }
        // The piece after the last shows that it has locked.
        for y in 0..4 {
            see(&self.draw(&board, &[(4, y), (5, y), (4, y + 1), (5, y + 1)], false));
        }
        reader.finish()
    }
}

fn places(games: &[ReadGame]) -> Vec<(Piece, u8)> {
    let placements = games.iter().flat_map(|game| &game.placements);
    placements.map(|placement| (placement.piece, placement.pose.x)).collect()
}

#[test]
fn a_game_is_read_wherever_it_is_and_whatever_is_around_it() {
    for layout in [
        Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 },
        Layout { size: (1280, 720), corner: (1000, 411), scale: 1, around: 30 },
        Layout { size: (640, 700), corner: (13, 20), scale: 4, around: 90 },
        Layout { size: (640, 400), corner: (200, 7), scale: 2, around: 255 },
    ] {
        let games = layout.read(0..0);
        assert_eq!(places(&games), GAME, "{:?} at {:?}", layout.size, layout.corner);
        assert!(games.iter().all(|game| game.gaps.is_empty()));
    }
}

#[test]
fn what_lies_over_some_cells_hides_no_placement_elsewhere() {
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    let games = layout.read(3..7);
    assert_eq!(places(&games), GAME);
    assert!(games.iter().all(|game| game.gaps.is_empty()));
}
