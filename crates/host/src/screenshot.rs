//! The board in a picture of the whole screen, of any size and from any emulator: [`board_on_screen`]. The piece in the
//! air is part of it until [`of_picture`](super::boards::of_picture) takes it out.

use std::ops::Range;

use thiserror::Error;

use super::screen::{CELL, FIELD, HEIGHT, HIDDEN_ROWS, PANEL, WIDTH};
use maxout_rules::Board;

/// Most pixels of a picture.
const MOST: u64 = 1 << 24;
/// Fewest columns and rows: four pixels for a cell.
const LEAST: u32 = 112;
/// A colour is black, as bars beside the screen are, if no channel is above this.
const BLACK: u8 = 80;
/// Points of each side of the field at which its frame is looked for.
const POINTS: usize = 96;
/// How far from the field bright lines are looked for, in pixels of the console. A line further in than the frame may be
/// tells that this is not the field.
const FRAME: Range<f64> = -9.0..6.0;
/// How far apart the lines are among which it is looked for.
const STEP: f64 = 0.25;
/// How far from the field its frame begins, in pixels of the console: at 2 on the test cartridge, from 0 to 2 in the game.
const BEGINS: f64 = 1.0;
/// How much further in or out the frame may be than expected. The field is where its frame is.
const BESIDE: f64 = 4.0;
/// Which part of the frame's brightness the field's background may have.
const DARK: f64 = 0.4;
/// Least brightness of the frame above the background, of 255.
const BRIGHT: f64 = 40.0;
/// A cell is solid if its colour differs from the background by this part of the frame's brightness, and empty if it
/// differs by less than half of it.
const SOLID: f64 = 0.2;

/// Why a picture has no board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ScreenshotError {
    /// The picture is too small or too large.
    #[error(
        "the picture has {0} x {1} pixels, expected at least {LEAST} x {LEAST} and at most {MOST} pixels in all"
    )]
    Size(u32, u32),
    /// There is no frame around the field.
    #[error(
        "the picture of {0} x {1} pixels has no frame around a dark field where the game has it, expected the whole \
         screen during play"
    )]
    NoField(u32, u32),
    /// There are several fields.
    #[error("the picture of {0} x {1} pixels shows several fields, expected one")]
    Several(u32, u32),
    /// A cell is neither empty nor solid.
    #[error("the cell in row {row}, column {column} is neither dark nor bright, expected a clearer picture")]
    Unclear {
        /// From 0 at the top.
        row: usize,
        /// From 0 at the left.
        column: usize,
    },
}

/// Fails if a picture of this size has no board, so that its pixels need not be unpacked.
pub fn check_size(width: u32, height: u32) -> Result<(), ScreenshotError> {
    let fits = width >= LEAST && height >= LEAST && u64::from(width) * u64::from(height) <= MOST;
    if fits { Ok(()) } else { Err(ScreenshotError::Size(width, height)) }
}

/// Returns a colour as it is seen before a black background.
pub fn over_black(colour: [u8; 3], opacity: u8) -> [u8; 3] {
    colour.map(|channel| (u16::from(channel) * u16::from(opacity) / 255) as u8)
}

/// Reads the board from a picture of the whole screen. `colour` returns red, green and blue of the pixel at a column and
/// row of the picture.
///
/// The screen may have any size and shape, 240 or 224 rows, the panel of `maxout replay --overlay` beside it, and black
/// bars around it. The bright frame around the field must be where the game has it.
pub fn board_on_screen(
    width: u32,
    height: u32,
    colour: impl Fn(u32, u32) -> [u8; 3],
) -> Result<Board, ScreenshotError> {
    check_size(width, height)?;
    let picture = Picture { width, height, colour };
    let field = picture.field().ok_or(ScreenshotError::NoField(width, height))?;
    let mut rows = [0; 22];
    for (row, bits) in rows[2..].iter_mut().enumerate() {
        for column in 0..10 {
            let contrast = picture.contrast(&field, row, column);
            if (SOLID / 2.0..SOLID).contains(&contrast) {
                return Err(ScreenshotError::Unclear { row, column });
            }
            *bits |= u16::from(contrast >= SOLID) << column;
        }
    }
    Ok(Board::from_rows(rows))
}

/// Columns or rows of the picture: the first one of the field, and the step to the next pixel of the console.
#[derive(Clone, Copy, Debug)]
struct Axis {
    from: f64,
    step: f64,
}

impl Axis {
    /// The axis on which the pixels `shown` of the console fill `part` of the picture, and the field begins at `field`.
    fn new(part: &Range<u32>, shown: &Range<usize>, field: usize) -> Self {
        let step = f64::from(part.end - part.start) / shown.len() as f64;
        Self { from: f64::from(part.start) + step * (field as f64 - shown.start as f64), step }
    }

    /// The place in the picture of a place in the field, in pixels of the console.
    fn at(self, place: f64) -> f64 {
        self.from + self.step * place
    }

    /// The axis on which the two ends of the field, `length` pixels of the console apart, are moved outwards.
    fn moved(self, length: f64, outwards: [f64; 2]) -> Self {
        let [before, after] = outwards;
        let step = self.step * (length + before + after) / length;
        Self { from: self.from - self.step * before, step }
    }
}

/// Where the field is in a picture, its background, and how much brighter its frame is.
#[derive(Debug)]
struct Field {
    x: Axis,
    y: Axis,
    background: [u8; 3],
    brightness: f64,
}

/// Columns and rows of the field, in pixels of the console.
const SIDES: [usize; 2] = [10 * CELL, 20 * CELL];

struct Picture<C> {
    width: u32,
    height: u32,
    colour: C,
}

/// The mean of the three channels.
fn brightness(colour: [u8; 3]) -> f64 {
    colour.iter().map(|&channel| f64::from(channel)).sum::<f64>() / 3.0
}

impl<C: Fn(u32, u32) -> [u8; 3]> Picture<C> {
    /// The colour at a place of the picture; black outside.
    fn at(&self, x: f64, y: f64) -> [u8; 3] {
        let inside = x >= 0.0 && y >= 0.0 && x < f64::from(self.width) && y < f64::from(self.height);
        if inside { (self.colour)(x as u32, y as u32) } else { [0; 3] }
    }

    /// Looks for the field wherever it is on a whole screen, and returns the place that is the least beside its frame.
    fn field(&self) -> Option<Field> {
        let all = (0..self.width, 0..self.height);
        let bright = self.without_bars();
        let mut best: Option<(f64, Field)> = None;
        for (columns, rows) in
            [Some(&all), Some(&bright).filter(|bright| **bright != all)].into_iter().flatten()
        {
            // Some emulators leave out eight columns on either side, and some hide rows at the top or bottom only.
            for across in [0..WIDTH, 0..WIDTH + PANEL, 8..WIDTH - 8] {
                let hidden = HIDDEN_ROWS;
                for down in [0..HEIGHT, hidden..HEIGHT - hidden, 0..HEIGHT - hidden, hidden..HEIGHT] {
                    let x = Axis::new(columns, &across, FIELD.0);
                    let y = Axis::new(rows, &down, FIELD.1);
                    let found = self.framed(x, y);
                    best = best.into_iter().chain(found).min_by(|a, b| a.0.total_cmp(&b.0));
                }
            }
        }
        best.map(|(_, field)| field)
    }

    /// The columns and rows that are left without black bars at the sides.
    fn without_bars(&self) -> (Range<u32>, Range<u32>) {
        let is_bright = |x: u32, y: u32| (self.colour)(x, y).iter().any(|&channel| channel > BLACK);
        // One pixel in a hundred may be noise.
        let column =
            |x: &u32| (0..self.height).filter(|&y| is_bright(*x, y)).count() as u32 * 100 > self.height;
        let row = |y: &u32| (0..self.width).filter(|&x| is_bright(x, *y)).count() as u32 * 100 > self.width;
        let ends = |from: Option<u32>, to: Option<u32>| from.unwrap_or(0)..to.map_or(1, |last| last + 1);
        (
            ends((0..self.width).find(column), (0..self.width).rev().find(column)),
            ends((0..self.height).find(row), (0..self.height).rev().find(row)),
        )
    }

    /// The field on these axes if there is a bright frame around it, and by how much it is beside them. The axes are then
    /// those that the frame tells, which is right within a pixel of the console.
    fn framed(&self, x: Axis, y: Axis) -> Option<(f64, Field)> {
        let background = self.background(x, y);
        let floor = brightness(background);
        let lines = [0, 1, 2, 3].map(|side| self.lines(x, y, side));
        let top = |line: &Vec<f64>| line.iter().copied().fold(0.0, f64::max);
        let peak = lines.iter().map(top).fold(f64::INFINITY, f64::min);
        if peak - floor < BRIGHT || floor > DARK * peak {
            return None;
        }
        let begin = |line: &Vec<f64>| line.iter().position(|&bright| bright - floor >= (peak - floor) / 2.0);
        let beside =
            lines.each_ref().map(begin).map(|line| FRAME.start + line.unwrap_or(0) as f64 * STEP - BEGINS);
        if beside.iter().any(|by| by.abs() > BESIDE) {
            return None;
        }
        let [left, right, upper, lower] = beside;
        let (x, y) = (x.moved(SIDES[0] as f64, [left, right]), y.moved(SIDES[1] as f64, [upper, lower]));
        let beside = beside.map(f64::abs).iter().sum();
        Some((beside, Field { x, y, background, brightness: peak - floor }))
    }

    /// The colour of the field's background: a dark one, of which at least every tenth pixel of any field is.
    fn background(&self, x: Axis, y: Axis) -> [u8; 3] {
        let mut colours = Vec::with_capacity(SIDES[0] * SIDES[1]);
        for row in 0..SIDES[1] {
            let places = (0..SIDES[0]).map(|column| (x.at(column as f64 + 0.5), y.at(row as f64 + 0.5)));
            colours.extend(places.map(|(x, y)| self.at(x, y)));
        }
        let tenth = colours.len() / 10;
        *colours.select_nth_unstable_by(tenth, |a, b| brightness(*a).total_cmp(&brightness(*b))).1
    }

    /// How bright each line along a side of the field is, from the inside out: the brightness that nineteen of twenty
    /// of its points have at least. The sides are left, right, upper and lower.
    fn lines(&self, x: Axis, y: Axis, side: usize) -> Vec<f64> {
        let steps = ((FRAME.end - FRAME.start) / STEP) as usize;
        let [across, along] = if side < 2 { SIDES } else { [SIDES[1], SIDES[0]] };
        let line = |step: usize| {
            let out = FRAME.start + step as f64 * STEP;
            let place = if side.is_multiple_of(2) { -out } else { across as f64 + out };
            let mut points: Vec<f64> = (0..POINTS)
                .map(|point| (point as f64 + 0.5) * along as f64 / POINTS as f64)
                .map(|along| if side < 2 { (place, along) } else { (along, place) })
                .map(|(across, down)| brightness(self.at(x.at(across), y.at(down))))
                .collect();
            *points.select_nth_unstable_by(POINTS / 20, f64::total_cmp).1
        };
        (0..steps).map(line).collect()
    }

    /// How much the middle of a cell differs from the background: the median of nine points, as a part of the frame's
    /// brightness.
    fn contrast(&self, field: &Field, row: usize, column: usize) -> f64 {
        // Blocks are seven pixels wide and high, from the cell's corner.
        let places = |cell: usize| [2.25, 3.5, 4.75].map(|pixel| (cell * CELL) as f64 + pixel);
        let mut contrasts = places(row)
            .into_iter()
            .flat_map(|down| places(column).map(|across| self.at(field.x.at(across), field.y.at(down))))
            .map(|colour| colour.iter().zip(field.background).map(|(a, b)| a.abs_diff(b)).max())
            .map(|contrast| f64::from(contrast.unwrap_or(0)) / field.brightness)
            .collect::<Vec<_>>();
        *contrasts.select_nth_unstable_by(4, f64::total_cmp).1
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_without_a_field_are_refused() {
        for (width, height) in [(0, 0), (256, 100), (4097, 4096), (u32::MAX, u32::MAX)] {
            let error = board_on_screen(width, height, |_, _| [0; 3]);
            assert_eq!(error, Err(ScreenshotError::Size(width, height)));
        }
        for (width, height) in [(112, 112), (256, 240), (300, 240), (4096, 4096)] {
            for colour in [[0; 3], [255; 3], [0, 40, 120]] {
                let error = board_on_screen(width, height, |_, _| colour);
                assert_eq!(error, Err(ScreenshotError::NoField(width, height)), "{colour:?}");
            }
        }
    }
}
