//! A game drawn by hand, so that its placements are known: where the screen is, and what lies over it, changes nothing.

use std::collections::VecDeque;
use std::ops::Range;

use maxout_rules::{Board, Piece};
use maxout_sight::{Picture, Place, ReadGame, VideoReader};

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

/// How the game is recorded.
#[derive(Clone, Default)]
struct Recording {
    /// During these placements three by three cells are covered.
    covered: Range<usize>,
    /// Each picture has the even rows of one moment and the odd ones of the next, or the other way round.
    interlaced: Option<bool>,
    /// Something bright lies over all that is right of the field, its rim too, from the top of the picture to its end.
    beside_covered: bool,
    /// Pixels of the console by which the next piece is right of and below the middle of its box; `None`: no box is drawn.
    box_beside: Option<(i32, i32)>,
    /// No rim: the rectangle around the field is dark this far to the left, above, to the right and below, then bright.
    dark_around: Option<[i32; 4]>,
    /// The field as the user names it: left and upper edge, width and height.
    named: Option<[f64; 4]>,
    /// Pieces after which another game begins, without a picture between them.
    cut: Option<usize>,
    /// What becomes of each picture, of this many columns: its bytes and its columns.
    turned: Option<Turn>,
    /// Columns by which all pieces appear beside their place, and by how many quarters T, J and L appear turned; in other games by two.
    appears: (i8, u8),
    /// Pictures for each of the first rows of a fall, 60 a second, after which pieces are pushed down; 0: one picture a row, 30 a second.
    falls: usize,
    /// Each picture is the mean of this many, if it is more than one.
    blended: usize,
    /// At the end something bright lies over the lower half for 3 s.
    ends_covered: bool,
    /// How the camera moves.
    moves: Option<Moves>,
    /// What lies over a picture of this many columns, by its number.
    over: Option<Over>,
    /// The left half of a picture, this many pictures later, is its right half.
    copied: Option<usize>,
}

/// Draws over a picture of this many columns, by its number.
type Over = fn(&mut [u8], usize, u64);

/// How many times as large a picture is, by its number, and how many pixels it is shifted.
type Moves = fn(f64) -> (f64, f64, f64);

/// What is drawn in a picture.
struct Scene<'a> {
    board: &'a Board,
    piece: &'a [(i8, i8)],
    covered: bool,
    next: Option<Piece>,
}

/// What becomes of the bytes of a picture with this many columns.
type Turn = fn(&[u8], usize) -> (Vec<u8>, usize);

/// Where the game is in a larger picture.
struct Layout {
    size: (usize, usize),
    corner: (usize, usize),
    /// Pixels of a pixel of the console.
    scale: usize,
    around: u8,
}

impl Layout {
    /// The board and a piece in it, with a rim of two pixels, and the next piece.
    fn draw(&self, scene: &Scene, beside: (i32, i32), dark: Option<[i32; 4]>) -> Vec<u8> {
        if let Some([left, above, right, below]) = dark {
            return self.draw_in_the_dark(scene, &(-left..80 + right, -above..160 + below));
        }
        let mut bytes = vec![self.around; self.size.0 * self.size.1];
        let next: Vec<(i32, i32)> = scene.next.map_or(Vec::new(), |next| {
            let cells = next.spawn().cells();
            let span = |at: fn(&(i8, i8)) -> i8| {
                let all = cells.iter().map(|cell| i32::from(at(cell)));
                (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
            };
            let ((left, right), (top, bottom)) = (span(|cell| cell.0), span(|cell| cell.1));
            // Some cartridges draw this one higher.
            let higher = if next == Piece::I { 4 } else { 0 };
            let at = |cell: &(i8, i8)| {
                let corner = (112 - 4 * (right - left + 1), 80 - 4 * (bottom - top + 1));
                let (x, y) = (i32::from(cell.0) - left, i32::from(cell.1) - top);
                (corner.0 + 8 * x + beside.0, corner.1 + 8 * y + beside.1 - higher)
            };
            cells.iter().map(at).collect()
        });
        let columns = if next.is_empty() { 86 } else { 150 };
        for y in 0..166 * self.scale {
            for x in 0..columns * self.scale {
                let (across, down) = ((x / self.scale) as i32 - 3, (y / self.scale) as i32 - 3);
                let is_rim = !(-1..=80).contains(&across) || !(-1..=160).contains(&down);
                let (column, row) = (across.div_euclid(8) as i8, down.div_euclid(8) as i8);
                let is_block = across.rem_euclid(8) < 7 && down.rem_euclid(8) < 7;
                let inside = (0..10).contains(&column) && (0..20).contains(&row);
                let solid =
                    inside && (scene.board.is_solid(row, column) || scene.piece.contains(&(column, row)));
                let over = scene.covered && (3..6).contains(&column) && (9..12).contains(&row);
                let value = if across > 83 {
                    let is_next = next
                        .iter()
                        .any(|(x, y)| (0..7).contains(&(across - x)) && (0..7).contains(&(down - y)));
                    if is_next { 200 } else { 12 }
                } else if is_rim {
                    220
                } else if over {
                    160
                } else if solid && is_block {
                    200
                } else {
                    12
                };
                let (x, y) = (self.corner.0 + x, self.corner.1 + y);
                if x < self.size.0 && y < self.size.1 {
                    bytes[y * self.size.0 + x] = value;
                }
            }
        }
        bytes
    }

    /// The board and a piece in it, without a rim, in a dark rectangle: these columns and rows from the field's corner.
    fn draw_in_the_dark(&self, scene: &Scene, dark: &(Range<i32>, Range<i32>)) -> Vec<u8> {
        let at = |index: usize| {
            let (x, y) = (index % self.size.0, index / self.size.0);
            let from = |at: usize, corner: usize| (at as i32 - corner as i32).div_euclid(self.scale as i32);
            let (x, y) = (from(x, self.corner.0), from(y, self.corner.1));
            let (column, row) = (x.div_euclid(8) as i8, y.div_euclid(8) as i8);
            let inside = (0..10).contains(&column) && (0..20).contains(&row);
            let solid = inside && (scene.board.is_solid(row, column) || scene.piece.contains(&(column, row)));
            if !(dark.0.contains(&x) && dark.1.contains(&y)) {
                self.around
            } else if solid && x.rem_euclid(8) < 7 && y.rem_euclid(8) < 7 {
                200
            } else {
                12
            }
        };
        (0..self.size.0 * self.size.1).map(at).collect()
    }

    /// Covers all that is right of the field.
    fn cover_beside(&self, bytes: &mut [u8]) {
        bytes.chunks_exact_mut(self.size.0).for_each(|row| row[self.corner.0 + 84 * self.scale..].fill(235));
    }

    /// The games that are read, 30 pictures a second.
    fn read(&self, recording: &Recording) -> Vec<ReadGame> {
        let named = recording.named.map(|[x, y, width, height]| Place::rectangle(x, y, width, height));
        let mut reader = named.map_or_else(VideoReader::new, VideoReader::at);
        let (mut count, mut time_ms) = (0, 0);
        let mut waiting: Option<Vec<u8>> = None;
        let mut latest: VecDeque<Vec<u8>> = VecDeque::new();
        let mut before: VecDeque<Vec<u8>> = VecDeque::new();
        let mut see = |mut bytes: Vec<u8>| {
            if let Some(over) = recording.over {
                over(&mut bytes, self.size.0, count);
            }
            if let Some(later) = recording.copied {
                copy_later(&mut bytes, self.size.0, later, &mut before);
            }
            if let Some(moves) = recording.moves {
                bytes = moved(&bytes, self.size, moves(count as f64));
            }
            if recording.beside_covered {
                self.cover_beside(&mut bytes);
            }
            if let Some(is_even_first) = recording.interlaced {
                let Some(before) = waiting.take() else {
                    waiting = Some(bytes);
                    return;
                };
                interlace(&mut bytes, &before, self.size.0, is_even_first);
            }
            if recording.blended > 1 {
                latest.push_back(bytes);
                latest.drain(..latest.len().saturating_sub(recording.blended));
                let mean = |at: usize| {
                    latest.iter().map(|bytes| usize::from(bytes[at])).sum::<usize>() / latest.len()
                };
                bytes = (0..latest[0].len()).map(|at| mean(at) as u8).collect();
            }
            let (bytes, width) =
                recording.turned.map_or((bytes.clone(), self.size.0), |turned| turned(&bytes, self.size.0));
            reader.see(&Picture::grey(width, bytes.len() / width, &bytes).expect("enough bytes"), time_ms);
            count += 1;
            time_ms = count * 1000 / if recording.falls == 0 { 30 } else { 60 };
        };
        let beside = recording.box_beside;
        let mut board = Board::default();
        for (number, &(piece, column)) in GAME.iter().enumerate() {
            let covered = recording.covered.contains(&number);
            if recording.cut == Some(number) {
                board = Board::default();
            }
            let next = GAME.get(number + 1).map_or(Piece::I, |next| next.0);
            let mut draw = |board: &Board, piece: &[(i8, i8)]| {
                let scene = Scene { board, piece, covered, next: beside.map(|_| next) };
                see(self.draw(&scene, beside.unwrap_or_default(), recording.dark_around));
            };
            let (beside_place, turns) = recording.appears;
            let turns = if matches!(piece, Piece::T | Piece::J | Piece::L) { turns } else { 0 };
            let orientation = (0..turns).fold(piece.spawn(), |orientation, _| orientation.clockwise());
            let mut x = 5u8.saturating_add_signed(beside_place);
            let mut y = u8::from(orientation != piece.spawn());
            // The field is found before the first piece falls.
            let is_odd = recording.turned.is_some() || recording.moves.is_some();
            let wait = if number == 0 && is_odd { 150 } else { 0 };
            for _ in 0..wait {
                let cells: Vec<(i8, i8)> = orientation.cells().iter().map(|&(dx, dy)| (5 + dx, dy)).collect();
                draw(&board, &cells);
            }
            loop {
                let cells: Vec<(i8, i8)> =
                    orientation.cells().iter().map(|&(dx, dy)| (x as i8 + dx, y as i8 + dy)).collect();
                draw(&board, &cells);
                if x != column {
                    for _ in 1..recording.blended {
                        draw(&board, &cells);
                    }
                    x = if x < column { x + 1 } else { x - 1 };
                } else if board.is_valid(x, y + 1, orientation) {
                    for _ in 1..if y < 6 { recording.falls } else { recording.falls.min(2) } {
                        draw(&board, &cells);
                    }
                    y += 1;
                } else {
                    break;
                }
            }
            board.lock(x, y, orientation);
            // The next piece takes some time to appear.
            for _ in 0..6 + 2 * recording.blended {
                draw(&board, &[]);
            }
        }
        // The piece after the last shows that it has locked.
        for y in 0..6 {
            let cells: Vec<(i8, i8)> = (3..7).map(|x| (x, y)).collect();
            let scene =
                Scene { board: &board, piece: &cells, covered: false, next: beside.map(|_| Piece::I) };
            see(self.draw(&scene, beside.unwrap_or_default(), recording.dark_around));
        }
        for _ in 0..if recording.ends_covered { 90 } else { 0 } {
            let scene = Scene { board: &board, piece: &[], covered: false, next: None };
            let mut bytes = self.draw(&scene, (0, 0), None);
            let half = bytes.len() / 2;
            bytes[half..].fill(180);
            see(bytes);
        }
        reader.finish()
    }
}

/// Takes the even rows, or the odd ones, of the picture before.
fn interlace(bytes: &mut [u8], before: &[u8], columns: usize, is_even: bool) {
    let rows = bytes.chunks_exact_mut(columns).zip(before.chunks_exact(columns));
    for (_, (row, before)) in rows.enumerate().filter(|(y, _)| y.is_multiple_of(2) == is_even) {
        row.copy_from_slice(before);
    }
}

/// Draws the left half of an earlier picture into the right half of this one.
fn copy_later(bytes: &mut [u8], columns: usize, later: usize, before: &mut VecDeque<Vec<u8>>) {
    before.push_back(bytes.to_vec());
    before.drain(..before.len().saturating_sub(later + 1));
    for (row, copy) in bytes.chunks_exact_mut(columns).zip(before[0].chunks_exact(columns)) {
        row[columns / 2..].copy_from_slice(&copy[..columns / 2]);
    }
}

/// A picture this many times as large about its middle, and shifted.
fn moved(bytes: &[u8], (width, height): (usize, usize), (zoom, right, down): (f64, f64, f64)) -> Vec<u8> {
    let from = |at: usize, by: f64, size: usize| {
        let middle = size as f64 / 2.0;
        (((at as f64 + 0.5 - middle - by) / zoom + middle).max(0.0) as usize).min(size - 1)
    };
    let at = |at: usize| bytes[from(at / width, down, height) * width + from(at % width, right, width)];
    (0..width * height).map(at).collect()
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
        let games = layout.read(&Recording::default());
        assert_eq!(places(&games), GAME, "{:?} at {:?}", layout.size, layout.corner);
        assert!(games.iter().all(|game| game.gaps.is_empty()));
    }
}

#[test]
fn what_lies_over_some_cells_hides_no_placement_elsewhere() {
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    let games = layout.read(&Recording { covered: 3..7, ..Recording::default() });
    assert_eq!(places(&games), GAME);
    assert!(games.iter().all(|game| game.gaps.is_empty()));
}

#[test]
fn a_field_that_is_shaken_grows_or_jumps_is_followed() {
    let layout = Layout { size: (640, 660), corner: (180, 70), scale: 3, around: 40 };
    let moves: [Moves; 4] = [
        |number| (1.0, 8.0 * (number / 5.0).sin(), 8.0 * (number / 7.0).cos()),
        |number| (1.0 + 0.08 * (1.0 - (number / 80.0).cos()), 0.0, 0.0),
        |number| (1.0 - 0.0002 * number, 0.05 * number, -0.02 * number),
        // Scenes of a stream: each of 3 s, the second one smaller and elsewhere.
        |number| if number as usize % 360 < 180 { (1.0, 0.0, 0.0) } else { (0.8, 30.0, -20.0) },
    ];
    for (number, moves) in moves.into_iter().enumerate() {
        let recording =
            Recording { moves: Some(moves), falls: 5, box_beside: Some((0, 0)), ..Recording::default() };
        let games = layout.read(&recording);
        let told = games.iter().map(|game| game.gaps.len() + usize::from(game.begins_late)).sum::<usize>();
        assert!(told == 0 && places(&games) == GAME, "movement {number}: {told} gaps, {:?}", places(&games));
    }
}

#[test]
fn what_no_picture_explains_at_the_end_is_told() {
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    let games = layout.read(&Recording { ends_covered: true, ..Recording::default() });
    assert_eq!(places(&games), GAME);
    let [gap] = games[0].gaps[..] else { panic!("{:?}", games[0].gaps) };
    assert!(gap.after == GAME.len() && gap.to_ms - gap.from_ms > 2500, "{gap:?}");
}

#[test]
fn pictures_that_are_blended_make_up_no_placement() {
    for falls in [3, 4] {
        let layout = Layout { size: (480, 400), corner: (60, 40), scale: 2, around: 0 };
        let games = layout.read(&Recording { blended: 3, falls, ..Recording::default() });
        assert_eq!(places(&games), GAME, "{falls}");
        assert!(games.iter().all(|game| game.gaps.is_empty() && !game.begins_late), "{falls}");
    }
}

#[test]
fn two_fields_in_a_picture_are_read_as_two_moments() {
    for (scale, is_even_first) in [(1, true), (1, false), (2, true), (2, false)] {
        let layout = Layout { size: (480, 400), corner: (60, 40), scale, around: 0 };
        let games = layout.read(&Recording { interlaced: Some(is_even_first), ..Recording::default() });
        assert_eq!(places(&games), GAME, "scale {scale}, even rows first: {is_even_first}");
        assert!(games.iter().all(|game| game.gaps.is_empty() && !game.begins_late));
    }
}

#[test]
fn the_next_piece_is_read_beside_the_middle_of_its_box() {
    // Cartridges draw the I piece higher than others, and some the box half a cell to the right.
    for beside in [(0, 0), (8, 0), (6, 2), (-4, 2)] {
        let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
        let games = layout.read(&Recording { box_beside: Some(beside), ..Recording::default() });
        assert_eq!(places(&games), GAME);
        let next: Vec<Option<Piece>> =
            games.iter().flat_map(|game| &game.placements).map(|placement| placement.next).collect();
        let truth: Vec<Option<Piece>> =
            GAME[1..].iter().map(|(piece, _)| *piece).chain([Piece::I]).map(Some).collect();
        assert_eq!(next, truth, "{beside:?}");
    }
}

#[test]
fn the_start_level_is_told_by_pieces_that_are_pushed_down_after_a_while() {
    // Frames a row of the game's levels 9, 12, 15, 18 and 19, and the usual start with that speed.
    for (falls, level) in [(6, 9), (5, 12), (4, 15), (3, 18), (2, 19)] {
        let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
        let games = layout.read(&Recording { falls, ..Recording::default() });
        assert_eq!(places(&games), GAME);
        assert_eq!(games[0].start_level(), Some(level), "{falls} frames a row");
    }
}

#[test]
fn a_field_is_found_of_which_one_side_of_the_rim_is_covered() {
    for scale in [1, 2] {
        let layout = Layout { size: (480, 400), corner: (60, 40), scale, around: 0 };
        let games = layout.read(&Recording { beside_covered: true, ..Recording::default() });
        assert_eq!(places(&games), GAME, "scale {scale}");
    }
}

#[test]
fn a_copy_of_the_game_in_the_picture_is_no_second_game() {
    let layout = Layout { size: (480, 240), corner: (60, 40), scale: 1, around: 30 };
    for later in [0, 20] {
        let games = layout.read(&Recording { copied: Some(later), ..Recording::default() });
        assert_eq!(places(&games), GAME, "{later} pictures later");
    }
}

#[test]
fn a_text_over_the_field_for_a_while_makes_up_no_placement_and_loses_no_game() {
    fn text(bytes: &mut [u8], columns: usize, number: u64) {
        let (x, y) = (63, 43 + 56);
        for (at, row) in bytes.chunks_exact_mut(columns).skip(y).take(26).enumerate() {
            if (70..130).contains(&number) {
                row[x..x + 80].fill(0);
                // Letters are of about the height of a block.
                let letters = (8..72).filter(|across| (6..18).contains(&at) && across % 9 < 6);
                letters.for_each(|across| row[x + across] = 230);
            }
        }
    }
    for scale in [1, 2] {
        let layout = Layout { size: (320 * scale, 240 * scale), corner: (60, 40), scale, around: 0 };
        let games = layout.read(&Recording { over: Some(text), falls: 3, ..Recording::default() });
        let read = places(&games);
        let mut left = GAME.iter();
        assert!(read.iter().all(|place| left.any(|truth| truth == place)), "scale {scale}: {read:?}");
        assert!(read.len() >= 6, "scale {scale}: {read:?}");
        assert!(read == GAME || games.iter().any(|game| !game.gaps.is_empty()), "scale {scale}: {read:?}");
    }
}

#[test]
fn what_lies_over_the_lowest_row_is_not_taken_for_the_rim() {
    fn ticker(bytes: &mut [u8], columns: usize, _: u64) {
        let scale = columns / 320;
        bytes[(43 + 152) * scale * columns..(43 + 176) * scale * columns].fill(150);
    }
    for scale in [1, 2] {
        let layout =
            Layout { size: (320 * scale, 240 * scale), corner: (60 * scale, 40 * scale), scale, around: 0 };
        let plain = Recording { falls: 3, ..Recording::default() };
        assert_eq!(places(&layout.read(&plain)), GAME, "scale {scale}");
        let read = places(&layout.read(&Recording { over: Some(ticker), ..plain }));
        assert!(read.is_empty() || read == GAME, "scale {scale}: {read:?}");
    }
}

#[test]
fn a_game_without_a_rim_in_a_larger_dark_rectangle_is_read_right_or_not_at_all() {
    let layout = Layout { size: (250, 230), corner: (60, 40), scale: 1, around: 200 };
    let mut read_well = 0;
    for sides in [[2; 4], [8; 4], [10, 5, 60, 5]] {
        let games = layout.read(&Recording { dark_around: Some(sides), ..Recording::default() });
        let read = places(&games);
        assert!(read.is_empty() || read == GAME, "{sides:?}: {read:?}");
        read_well += usize::from(!read.is_empty());
    }
    assert!(read_well > 0);
}

#[test]
fn a_field_that_is_named_a_little_beside_its_place_is_read_with_its_gaps() {
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    for beside in [2.0, 3.0] {
        let named = Some([60.0 + beside, 40.0, 80.0, 160.0]);
        let games = layout.read(&Recording { named, covered: 3..7, ..Recording::default() });
        let read = places(&games);
        assert!(!read.is_empty() && read.iter().all(|place| GAME.contains(place)), "{beside}: {read:?}");
        assert!(games.iter().any(|game| !game.gaps.is_empty()), "{beside}");
    }
}

#[test]
fn a_cut_between_two_games_makes_up_no_placement() {
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    for (cut, box_beside) in (2..8).zip([None, Some((0, 0))].into_iter().cycle()) {
        let games = layout.read(&Recording { cut: Some(cut), box_beside, ..Recording::default() });
        let read = places(&games);
        // No picture shows what became of the last piece before the cut.
        let without_last = [&GAME[..cut - 1], &GAME[cut..]].concat();
        assert!(read == GAME || read == without_last, "cut before {cut}: {read:?}");
        assert_eq!(games.len(), 2, "cut before {cut}");
        assert!(games.iter().all(|game| game.gaps.is_empty() && !game.begins_late));
    }
}

#[test]
fn a_game_that_is_mirrored_turned_or_inverted_is_turned_back_and_that_is_said() {
    fn mirrored(bytes: &[u8], columns: usize) -> (Vec<u8>, usize) {
        (bytes.chunks(columns).flat_map(|row| row.iter().rev().copied()).collect(), columns)
    }
    fn upside_down(bytes: &[u8], columns: usize) -> (Vec<u8>, usize) {
        (bytes.iter().rev().copied().collect(), columns)
    }
    fn flipped(bytes: &[u8], columns: usize) -> (Vec<u8>, usize) {
        mirrored(&upside_down(bytes, columns).0, columns)
    }
    /// Columns become rows.
    fn exchanged(bytes: &[u8], columns: usize) -> (Vec<u8>, usize) {
        let rows = bytes.len() / columns;
        let all = (0..bytes.len()).map(|at| bytes[at % rows * columns + at / rows]);
        (all.collect(), rows)
    }
    fn turned_right(bytes: &[u8], columns: usize) -> (Vec<u8>, usize) {
        let (bytes, columns) = exchanged(bytes, columns);
        mirrored(&bytes, columns)
    }
    fn inverted(bytes: &[u8], columns: usize) -> (Vec<u8>, usize) {
        (bytes.iter().map(|value| 255 - value).collect(), columns)
    }
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    let all: [(Turn, &str); 6] = [
        (mirrored, "mirrored"),
        (upside_down, "upside down"),
        (flipped, "flipped upside down"),
        (exchanged, "mirrored and turned to the left"),
        (turned_right, "turned to the right"),
        (inverted, "in inverted colours"),
    ];
    for (turned, told) in all {
        for box_beside in [None, Some((0, 0))] {
            let recording = Recording { turned: Some(turned), box_beside, falls: 3, ..Recording::default() };
            let games = layout.read(&recording);
            assert_eq!(games.len(), 1, "{told}");
            assert_eq!(places(&games), GAME, "{told}");
            assert_eq!(games[0].shown.to_string(), told);
            assert!(games[0].gaps.is_empty() && !games[0].is_other_game());
        }
    }
}

#[test]
fn a_game_of_other_rules_is_told_from_a_mirrored_one() {
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    let games = layout.read(&Recording { appears: (-1, 2), falls: 3, ..Recording::default() });
    assert!(!games.is_empty() && games.iter().all(ReadGame::is_other_game));
    assert!(games.iter().all(|game| !game.shown.mirrored));
    assert!(layout.read(&Recording::default()).iter().all(|game| !game.is_other_game()));
}

#[test]
fn a_game_of_which_each_piece_is_seen_late_is_no_other_game() {
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    for appears in [(0, 1), (0, 3), (1, 1), (2, 2), (-2, 2)] {
        let games = layout.read(&Recording { appears, falls: 3, ..Recording::default() });
        assert!(!games.is_empty() && games.iter().all(|game| !game.is_other_game()), "{appears:?}");
    }
}

#[test]
fn a_moving_picture_over_an_upper_corner_of_the_field_hides_no_placement_elsewhere() {
    // Over three columns and two rows of the field, and the corner of its rim.
    fn camera(bytes: &mut [u8], columns: usize, number: u64, is_left: bool) {
        let scale = columns / 320;
        let across = if is_left { 0..87 * scale } else { (63 + 56) * scale..columns };
        for (y, row) in bytes.chunks_exact_mut(columns).take(59 * scale).enumerate() {
            for x in across.clone() {
                row[x] = 90 + ((x + 2 * y) / scale + number as usize) as u8 % 64;
            }
        }
    }
    let left: Over = |bytes, columns, number| camera(bytes, columns, number, true);
    let right: Over = |bytes, columns, number| camera(bytes, columns, number, false);
    for over in [left, right] {
        let layout = Layout { size: (640, 480), corner: (120, 80), scale: 2, around: 0 };
        let games = layout.read(&Recording { over: Some(over), falls: 3, ..Recording::default() });
        let read = places(&games);
        // The first seconds tell what lies there.
        assert!(GAME.ends_with(&read) && read.len() + 3 >= GAME.len(), "{read:?}");
        assert!(games.iter().any(|game| game.begins_late || game.covered == Some((0, 1))));
    }
}

#[test]
fn a_strip_over_the_whole_field_from_the_start_hides_no_placement_elsewhere() {
    fn strip(bytes: &[u8], columns: usize) -> (Vec<u8>, usize) {
        let mut bytes = bytes.to_vec();
        // Rows 5 and 6 of the field, and what is beside them.
        bytes[(40 + 3 + 40) * columns..(40 + 3 + 56) * columns].fill(150);
        (bytes, columns)
    }
    let layout = Layout { size: (320, 240), corner: (60, 40), scale: 1, around: 0 };
    let games = layout.read(&Recording { turned: Some(strip), falls: 3, ..Recording::default() });
    assert_eq!(places(&games), GAME);
    assert!(games.iter().all(|game| game.covered == Some((5, 6))));
}
