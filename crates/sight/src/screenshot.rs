//! The board in one picture of the screen, of any size and with anything around it: [`board`].

use std::error::Error;
use std::fmt;

use crate::cells::{NextBox, Sampler, View};
use crate::picture::{MAX_PIXELS, Picture};
use crate::place::{FINE_SLANTS, Place, Shown, places};
use maxout_rules::{Board, Piece};

/// Fewest columns and rows: four pixels for a cell of a whole screen.
const LEAST: u32 = 112;
/// Fewest pixels of a cell, across.
const LEAST_CELL: f64 = 3.5;
/// The part of the solid cells of a field that may be solid in one half alone: with the next piece beside it, with an empty box or
/// none, and with something else.
const MOST_SPLIT: [f64; 3] = [0.2, 0.1, 0.03];
/// The same of a field that need not be looked for more closely.
const WHOLE: f64 = 0.02;
/// How sure the cells of a field are at least, on average.
const MEAN_SURE: f32 = 0.9;
/// Fewest solid cells of a field with nothing known beside it, of which the next box is inside the picture: text and panels
/// have few that are whole.
const LEAST_SOLID: u32 = 8;
/// Most cells that do not rest on others, of a field with nothing known beside it: the piece in the air, and what cleared rows left.
const MOST_HANGING: u32 = 8;
/// By which parts of a cell a corner is moved, and how often at most each.
const STEPS: [f64; 3] = [0.4, 0.2, 0.1];
const MOST_ROUNDS: usize = 8;
/// Most pixels of a picture that is not thinned.
const MOST_LOOKED: usize = MAX_PIXELS / 4;
/// Most pixels of a picture that is smoothed.
const MOST_SMOOTHED: usize = 1 << 20;
/// What a full row takes from a place's rank: few pictures show one, and the rim is one.
const FULL: f64 = 0.1;
/// How much a next box is like a piece beyond doubt, and how much more another one must be for a picture to be turned.
const CLEAR: f32 = 0.85;
const CLEARER: f32 = 0.1;
/// A cell that is less sure than this, 0 to 1, is neither empty nor solid.
const SURE: f32 = 0.1;

/// What a picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenBoard {
    /// The cells, with those of the piece in the air.
    pub board: Board,
    /// The next piece; `None` if no piece is seen in its box.
    pub next: Option<Piece>,
    /// How the picture shows them. The board and the next piece are as the console has them.
    pub shown: Shown,
    /// Whether the frame around the field is seen as a whole; if not, something dark may hide cells, too.
    pub is_framed: bool,
    /// Whether all cells that touch have a dark line between them, as blocks do; if some have none, something bright may lie over the
    /// field. Also true if none has one, or the picture is too small to tell.
    pub is_lined: bool,
    /// Whether the empty cells are of one darkness and no cell is cut; if not, something may lie over the field that hides some or looks
    /// like some. Also true if the picture is too small to tell.
    pub is_clear: bool,
}

impl SeenBoard {
    /// What a user should know of how the picture shows the board, if that is not as the console does, or not known.
    pub fn notes(&self) -> Vec<String> {
        let is_plain = self.shown == Shown::PLAIN;
        let turned =
            (!is_plain).then(|| format!("the picture is {}; the position is turned back", self.shown));
        let hidden =
            "something covers a part of the frame around the field; cells behind it are taken for empty";
        // Only what is beside the field tells left from right.
        let beside =
            "no next piece is seen beside the field, so it is not known whether the picture is mirrored";
        let over = "some cells have no dark lines between them, as blocks have; they may be something that lies over the field";
        let across =
            "an edge goes across the field; something may lie over it that hides cells or looks like some";
        // Pieces have four cells and rows ten; one that sticks out at the top shows fewer.
        let is_odd = !is_lawful(&self.board);
        let odd = if self.board.cells() % 2 == 1 {
            "the picture shows an odd number of cells, as no game does; something may cover some or look like one"
        } else {
            "some cells in the picture hang that are no piece, as hardly any game has; something may cover some or look like some"
        };
        let unknown = [
            is_odd.then(|| odd.to_owned()),
            (!self.is_framed).then(|| hidden.to_owned()),
            (!self.is_lined).then(|| over.to_owned()),
            (!self.is_clear).then(|| across.to_owned()),
            (is_plain && self.next.is_none()).then(|| beside.to_owned()),
        ];
        turned.into_iter().chain(unknown.into_iter().flatten()).collect()
    }
}

/// Why a picture has no board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScreenshotError {
    /// It is too small or too large: columns and rows.
    Size(u32, u32),
    /// There is no field.
    NoField,
    /// There are several fields of one size, beside each other.
    Several,
    /// A cell is neither empty nor solid: row from 1 at the bottom, column from 1 at the left.
    Unclear {
        /// From 1 at the bottom.
        row: usize,
        /// From 1 at the left.
        column: usize,
    },
}

impl fmt::Display for ScreenshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(width, height) => write!(
                f,
                "the picture has {width} x {height} pixels, expected at least {LEAST} x {LEAST} and at most {MAX_PIXELS} \
                 pixels in all"
            ),
            Self::NoField => write!(
                f,
                "no field is in the picture, expected the bright frame around a dark field, as it is during play"
            ),
            Self::Several => write!(f, "the picture shows several fields, expected one"),
            Self::Unclear { row, column } => write!(
                f,
                "the cell in row {row}, column {column} is neither dark nor bright, expected a clearer picture"
            ),
        }
    }
}

impl Error for ScreenshotError {}

/// Fails if a picture of this size has no board, so that its pixels need not be unpacked.
pub fn check_size(width: u32, height: u32) -> Result<(), ScreenshotError> {
    let fits = width >= LEAST && height >= LEAST && u64::from(width) * u64::from(height) <= MAX_PIXELS as u64;
    if fits { Ok(()) } else { Err(ScreenshotError::Size(width, height)) }
}

/// The board in a picture, with the piece in the air, and the next piece. A picture that is mirrored, turned or in inverted colours is
/// turned back if its next box tells that; what it is like is said with the board.
pub fn board(picture: &Picture) -> Result<SeenBoard, ScreenshotError> {
    let size = (picture.width(), picture.height());
    check_size(size.0 as u32, size.1 as u32)?;
    // Slanted lines are looked for in pictures of a bounded size.
    if size.0 * size.1 > MOST_LOOKED {
        let thin = picture.thinned();
        let thin = Picture::yuv(size.0 / 2, size.1 / 2, &thin, 0, 0);
        return thin.map_or(Err(ScreenshotError::NoField), |thin| board(&thin));
    }
    let plain = plain(picture, size);
    let alike = match &plain {
        // A picture that lies has many rectangles. Of fields beside each other, one has the other's next box at its wrong side.
        Err(ScreenshotError::Several) => {
            let odd = odd(picture, size);
            let odd = odd.filter(|odd| odd.shown.negative || odd.shown.quarters % 2 == 1);
            return odd.map_or(Err(ScreenshotError::Several), Seen::board);
        }
        // The next box of a picture that is flipped is where it should be, but its board hangs.
        Ok((seen, _)) if !is_lawful(&seen.board) => 0.0,
        Ok((_, alike)) if *alike >= CLEAR => return plain.map(|(seen, _)| seen),
        Ok((_, alike)) => *alike,
        Err(_) => 0.0,
    };
    // Beside the field of a mirrored picture there are numbers, some of which look a little like a piece.
    let odd = odd(picture, size).filter(|odd| odd.alike > alike + CLEARER);
    odd.map_or(plain.map(|(seen, _)| seen), Seen::board)
}

/// What is seen in a picture that is mirrored, turned or in inverted colours, if the next piece is beside its field, where it is in
/// such a picture.
fn odd(picture: &Picture, size: (usize, usize)) -> Option<Seen> {
    let mut best: Option<Seen> = None;
    for (negative, lies) in [(false, false), (true, false), (false, true), (true, true)] {
        let picture = if negative { picture.inverted() } else { *picture };
        for place in places(&picture, &FINE_SLANTS[..1], 0.0, lies) {
            for (half, mirrored) in [(0, false), (0, true), (2, false), (2, true)] {
                let shown = Shown { mirrored, quarters: u8::from(lies) + half, negative };
                if shown == Shown::PLAIN {
                    continue;
                }
                if let Some(seen) = Seen::at(&shown.place(&place), &picture, size)
                    && matches!(seen.view.next, NextBox::Piece(_))
                    && is_lawful(&seen.cells())
                    && best.as_ref().is_none_or(|best| seen.alike > best.alike)
                {
                    best = Some(Seen { shown, ..seen });
                }
            }
        }
    }
    best
}

/// What a picture shows as the console does, and how much the next box is like a piece.
fn plain(picture: &Picture, size: (usize, usize)) -> Result<(SeenBoard, f32), ScreenshotError> {
    let (level, slanted) = (&FINE_SLANTS[..1], &FINE_SLANTS[..]);
    let mut best: Option<(Seen, bool)> = None;
    // In a picture of many pixels no frame is thin.
    let passes = if size.0 * size.1 <= MOST_SMOOTHED { 3 } else { 2 };
    for (slants, is_smooth) in [(level, false), (slanted, false), (slanted, true)].into_iter().take(passes) {
        let places = if is_smooth {
            // A thin frame that is turned is easier to follow.
            let smooth = smoothed(picture);
            Picture::grey(size.0, size.1, &smooth)
                .map_or(vec![], |smooth| places(&smooth, slants, 0.0, false))
        } else {
            places(picture, slants, 0.0, false)
        };
        // Of several rectangles the field is one of those that have blocks where the cells are: the one with the next piece
        // beside it, or with the most whole blocks. Frames come first that are likelier: of equal ones the first is the best.
        for place in &places {
            let is_slanted = slants.len() > 1;
            let place = if is_slanted { fitted(place, picture, size) } else { Some(*place) };
            if let Some(place) = place
                && let Some(seen) = Seen::at(&place, picture, size)
                && best.as_ref().is_none_or(|(best, _)| seen.rank > best.rank)
            {
                let is_one_of_several = places.iter().any(|other| other.is_beside(&place));
                best = Some((seen, is_one_of_several));
            }
        }
        if best.as_ref().is_some_and(|(seen, _)| seen.is_whole()) {
            break;
        }
    }
    match best {
        None => Err(ScreenshotError::NoField),
        Some((_, true)) => Err(ScreenshotError::Several),
        Some((seen, false)) => {
            let alike = seen.alike;
            Ok((seen.board()?, alike))
        }
    }
}

/// The brightness of a picture, each pixel the mean of three by three.
fn smoothed(picture: &Picture) -> Vec<u8> {
    let (width, height) = (picture.width(), picture.height());
    let rows: Vec<u16> = (0..width * height)
        .map(|at| {
            let (x, y) = (at % width, at / width);
            let of = |x: usize| u16::from(picture.luma(x, y));
            of(x.saturating_sub(1)) + of(x) + of((x + 1).min(width - 1))
        })
        .collect();
    (0..width * height)
        .map(|at| {
            let (x, y) = (at % width, at / width);
            let of = |y: usize| rows[y * width + x];
            ((of(y.saturating_sub(1)) + of(y) + of((y + 1).min(height - 1))) / 9) as u8
        })
        .collect()
}

/// The place near this one at which the cells are the least uneven: a corner after the other is moved.
fn fitted(place: &Place, picture: &Picture, size: (usize, usize)) -> Option<Place> {
    let [.., width, height] = place.bounds();
    let uneven = |place: &Place| Some(Sampler::new(place, size)?.unevenness(picture));
    let mut best = (uneven(place)?, *place);
    for part in STEPS {
        let mut moved = true;
        for _ in 0..MOST_ROUNDS {
            if !std::mem::take(&mut moved) {
                break;
            }
            for corner in 0..4 {
                for (x, y) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
                    let mut near = best.1;
                    near.corners[corner].0 += part * x * width / 10.0;
                    near.corners[corner].1 += part * y * height / 20.0;
                    if let Some(sum) = uneven(&near)
                        && sum < best.0
                    {
                        (best, moved) = ((sum, near), true);
                    }
                }
            }
        }
    }
    Some(best.1)
}

/// Whether a part of the piece in the air may be above the field, as it is when it is turned where it appears.
fn sticks_out(board: &Board) -> bool {
    board.row(0) != 0 && board.cells() - board.resting().cells() < 4
}

/// Whether a game can have such a board, with a piece in the air: all cells but those of one piece rest, and they are even in number.
fn is_lawful(board: &Board) -> bool {
    let floating = board.cells() - board.resting().cells();
    sticks_out(board) || board.cells().is_multiple_of(2) && matches!(floating, 0 | 4)
}

/// What is seen at a place that may be the field, and how likely it is.
struct Seen {
    view: View,
    rank: f64,
    split: f64,
    shown: Shown,
    /// How much the next box is like the piece that is seen in it; 0 without a piece in it.
    alike: f32,
    is_framed: bool,
    is_lined: bool,
    is_clear: bool,
}

impl Seen {
    /// What is seen there, unless it is something else than the field.
    fn at(place: &Place, picture: &Picture, size: (usize, usize)) -> Option<Self> {
        let [.., width, _] = place.bounds();
        let sampler = Sampler::new(place, size).filter(|_| width >= 10.0 * LEAST_CELL)?;
        // Where the light is uneven, dark and solid cells are alike for one border.
        let lit = sampler.in_uneven_light(picture);
        let plain = Self::by(sampler, place, picture);
        if lit.as_ref().is_none_or(|lit| !lit.is_shaded())
            && plain.as_ref().is_some_and(|seen| seen.is_whole() && seen.is_lined)
        {
            return plain;
        }
        lit.and_then(|lit| Self::by(lit, place, picture)).or(plain)
    }

    fn by(mut sampler: Sampler, place: &Place, picture: &Picture) -> Option<Self> {
        let (view, _) = sampler.views(picture, true);
        sampler.count(None, None);
        let split = sampler.split_part();
        let is_next = matches!(view.next, NextBox::Piece(_));
        let solid: u32 = view.rows.iter().map(|row| row.count_ones()).sum();
        let is_covered = sampler.has_box() && view.next == NextBox::Unknown;
        let least = if is_next {
            0
        } else if is_covered {
            LEAST_SOLID
        } else {
            1
        };
        // A piece fills four rows at most, and they go.
        let full = view.rows.iter().filter(|&&row| row == 0x3FF).count();
        let most = MOST_SPLIT[if is_next {
            0
        } else if is_covered {
            2
        } else {
            1
        }];
        let sure = view.sure.iter().sum::<f32>() / 200.0;
        let is_framed = sampler.is_framed(place, picture);
        // A frame that is taken for cells: no game has a full row at the top, and hardly one a whole column.
        let is_column = |column: u16| view.rows.iter().all(|row| row >> column & 1 == 1);
        let is_beside =
            view.rows[0] == 0x3FF || !is_framed && (view.rows[19] == 0x3FF || is_column(0) || is_column(9));
        let rows = std::array::from_fn(|row| if row < 2 { 0 } else { view.rows[row - 2] });
        let board = Board::from_rows(rows);
        let hangs = !is_next && board.cells() - board.resting().cells() > MOST_HANGING;
        let fits = full <= 4 && solid >= least && split <= most && sure >= MEAN_SURE && !is_beside && !hangs;
        let rank = f64::from(u8::from(is_next)) - split - FULL * full as f64;
        // The rest takes long, and most places are no field.
        fits.then(|| Self {
            rank,
            split,
            shown: Shown::PLAIN,
            alike: sampler.alike(),
            is_framed: is_framed && sampler.is_rim_even(picture),
            is_lined: sampler.is_lined(picture, &view.rows),
            is_clear: sampler.is_clear(picture, &view.rows),
            view,
        })
    }

    fn cells(&self) -> Board {
        let mut rows = [0; 22];
        rows[2..].copy_from_slice(&self.view.rows);
        Board::from_rows(rows)
    }

    /// Whether it is beyond doubt.
    fn is_whole(&self) -> bool {
        self.split <= WHOLE && self.view.sure.iter().all(|&sure| sure >= SURE)
    }

    /// The board, if all cells are clear.
    fn board(self) -> Result<SeenBoard, ScreenshotError> {
        if let Some(cell) = self.view.sure.iter().position(|&sure| sure < SURE) {
            return Err(ScreenshotError::Unclear { row: 20 - cell / 10, column: cell % 10 + 1 });
        }
        let next = if let NextBox::Piece(piece) = self.view.next { Some(piece) } else { None };
        let Self { shown, is_framed, is_lined, is_clear, .. } = self;
        Ok(SeenBoard { board: self.cells(), next, shown, is_framed, is_lined, is_clear })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_hang_and_are_no_piece_are_told() {
        let told = |rows: &[&str]| {
            let empty = vec![".........."; 19 - rows.len()];
            let board = [rows, &empty, &["######...."]].concat().join("\n").parse().expect("a board");
            let (next, shown) = (Some(Piece::S), Shown::PLAIN);
            SeenBoard { board, next, shown, is_framed: true, is_lined: true, is_clear: true }.notes().len()
        };
        let piece = ["..........", "....##....", "...##....."];
        assert_eq!(told(&piece), 0);
        // It sticks out at the top; or nothing is in the air.
        assert_eq!(told(&["...##....."]), 0);
        assert_eq!(told(&[".........."]), 0);
        // Something beside the piece, at the field's side, and a cell too few.
        assert_eq!(told(&["..........", "....##...#", "...##....#"]), 1);
        assert_eq!(told(&["..........", ".....#....", "...##....."]), 1);
    }

    #[test]
    fn pictures_without_a_field_are_refused() {
        for (width, height) in [(1, 1), (256, 100), (100, 256)] {
            let bytes = vec![0; 3 * width * height];
            let error = board(&Picture::rgb(width, height, &bytes).expect("a picture"));
            assert_eq!(error, Err(ScreenshotError::Size(width as u32, height as u32)));
        }
        assert!(check_size(4097, 4096).is_err() && check_size(u32::MAX, u32::MAX).is_err());
        for (width, height) in [(112, 112), (256, 240), (300, 240)] {
            for colour in [[0; 3], [255; 3], [0, 40, 120]] {
                let bytes = colour.repeat(width * height);
                let error = board(&Picture::rgb(width, height, &bytes).expect("a picture"));
                assert_eq!(error, Err(ScreenshotError::NoField), "{colour:?}");
            }
        }
    }
}
