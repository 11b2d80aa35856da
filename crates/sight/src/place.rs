//! Where the field is in a picture, found without a click: `places`.
//!
//! The game draws a bright rim around a dark field. Lines along which bright pixels lie beside dark ones are looked for in all
//! directions that are nearly upright or level, at several sizes of the picture. Four of them that close a figure of the field's
//! proportions, dark inside, are a candidate. Several may be found. Which of them is the field shows itself when pieces move in it.

use std::fmt;
use std::ops::Range;

use crate::picture::Picture;

/// Columns and rows of the field in pixels of the console.
pub(crate) const FIELD: (f64, f64) = (80.0, 160.0);
/// Pixels of the console between the rim and the field: 0 to 2 in cartridges that people use.
const MARGIN: f64 = 1.0;
/// The narrowest and the widest field that is looked for in a thinned picture: three pixels for a cell and more.
const WIDTHS: Range<usize> = 28..340;
/// How far the picture is thinned: pixels of the picture for one.
const STEPS: [usize; 3] = [1, 2, 4];
/// Most pixels of a picture in which slanted lines are looked for.
const MOST_SLANTED: usize = 640 * 480;
/// Most pixels of a picture that is not thinned if it need not be.
const MOST_FINE: usize = 400_000;
/// How high the inside of the rim may be against how wide: pixels may be wide or narrow, the field is twice as high as wide.
const SHAPE: Range<f64> = 0.85..2.6;
/// How much brighter the rim must be than what is beside it.
const STEP_UP: i32 = 14;
/// How much of a side must be visible at least, as a part of it, and what hidden sides take from a figure's score.
const VISIBLE: f64 = 0.45;
const HIDDEN: f64 = 0.2;
/// Pixels that the edge of a side may go on below the figure.
const END: f64 = 1.5;
/// Dark pixels in a row that end a line.
const HOLE: usize = 3;
/// Most lines of each side that are tried.
const MOST_LINES: usize = 100;
/// How far two parts of a line may be from each other, across and in brightness, and along it as a part of both; and the most that are
/// tried.
const JOINED_BESIDE: f64 = 1.0;
const JOINED_BRIGHT: f32 = 30.0;
const JOINED_PART: usize = 3;
/// Pixels between two parts of which a shadow makes one darker.
const SHADOW_EDGE: usize = 5;
const MOST_JOINED: usize = 20;
/// Most lines of which the best are chosen.
const MOST_BEGUN: usize = 1_000;
/// Most candidates.
const MOST: usize = 8;
/// The slants that are tried, in pixels a pixel: of a camera at an angle.
pub(crate) const SLANTS: [f64; 9] = [0.0, -0.012, 0.012, -0.025, 0.025, -0.04, 0.04, -0.06, 0.06];

/// The same for one picture alone, which may take longer.
pub(crate) const FINE_SLANTS: [f64; 19] = [
    0.0, -0.008, 0.008, -0.016, 0.016, -0.024, 0.024, -0.032, 0.032, -0.04, 0.04, -0.048, 0.048, -0.056,
    0.056, -0.064, 0.064, -0.072, 0.072,
];

/// How a picture shows the game, where that is not as the console does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// Left and right are exchanged, as a mirror shows them.
    pub mirrored: bool,
    /// Quarters by which the picture is turned clockwise, 0 to 3.
    pub quarters: u8,
    /// Its colours are inverted.
    pub negative: bool,
}

impl Shown {
    /// As the console shows it.
    pub(crate) const PLAIN: Self = Self { mirrored: false, quarters: 0, negative: false };

    /// The place of the field for a rectangle of the picture in which the game is shown like this.
    pub(crate) fn place(self, rectangle: &Place) -> Place {
        let [a, b, c, d] = rectangle.corners;
        let [a, b, c, d] = match self.quarters % 4 {
            0 => [a, b, c, d],
            1 => [b, d, a, c],
            2 => [d, c, b, a],
            _ => [c, a, d, b],
        };
        Place { corners: if self.mirrored { [b, a, d, c] } else { [a, b, c, d] } }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turned = match (self.quarters % 4, self.mirrored) {
            (0, _) => None,
            (1, _) => Some("turned to the right"),
            (2, false) => Some("upside down"),
            // Turned by half and mirrored: only the rows are exchanged.
            (2, true) => Some("flipped upside down"),
            _ => Some("turned to the left"),
        };
        let mirrored = (self.mirrored && self.quarters % 4 != 2).then_some("mirrored");
        let negative = self.negative.then_some("in inverted colours");
        let all: Vec<&str> = [mirrored, turned, negative].into_iter().flatten().collect();
        f.write_str(if all.is_empty() { "as it should be" } else { "" })?;
        f.write_str(&all.join(" and "))
    }
}

/// Where the field is in a picture: its four corners, in pixels of the picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// Upper left, upper right, lower left, lower right.
    pub corners: [(f64, f64); 4],
}

impl Place {
    /// A field that is not slanted.
    pub const fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { corners: [(x, y), (x + width, y), (x, y + height), (x + width, y + height)] }
    }

    /// The smallest rectangle around it: left and upper edge, width and height.
    pub fn bounds(&self) -> [f64; 4] {
        let least =
            |part: fn(&(f64, f64)) -> f64| self.corners.iter().map(part).fold(f64::INFINITY, f64::min);
        let most =
            |part: fn(&(f64, f64)) -> f64| self.corners.iter().map(part).fold(f64::NEG_INFINITY, f64::max);
        let (x, y) = (least(|corner| corner.0), least(|corner| corner.1));
        [x, y, most(|corner| corner.0) - x, most(|corner| corner.1) - y]
    }

    /// The point of the picture for a point of the field, both 0 to 1 inside of it.
    pub(crate) fn point(&self, u: f64, v: f64) -> (f64, f64) {
        let [a, b, c, d] = self.corners;
        // The projection that takes the corners of a square to these (Heckbert 1989).
        let sum = (a.0 - b.0 + d.0 - c.0, a.1 - b.1 + d.1 - c.1);
        let (right, down) = ((b.0 - d.0, b.1 - d.1), (c.0 - d.0, c.1 - d.1));
        let area = right.0 * down.1 - down.0 * right.1;
        let (g, h) = if area.abs() < 1e-9 {
            (0.0, 0.0)
        } else {
            ((sum.0 * down.1 - down.0 * sum.1) / area, (right.0 * sum.1 - sum.0 * right.1) / area)
        };
        let part = |a: f64, b: f64, c: f64| (b - a + g * b) * u + (c - a + h * c) * v + a;
        let over = g * u + h * v + 1.0;
        (part(a.0, b.0, c.0) / over, part(a.1, b.1, c.1) / over)
    }

    /// Columns and rows of the picture for a rectangle of the console's screen, given from the field's corner. `None` if it is not
    /// inside the picture. It is never empty.
    pub(crate) fn pixels(
        &self,
        picture: (usize, usize),
        x: Range<f64>,
        y: Range<f64>,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let at = |x: f64, y: f64| self.point(x / FIELD.0, y / FIELD.1);
        let [a, b, c, d] = [at(x.start, y.start), at(x.end, y.start), at(x.start, y.end), at(x.end, y.end)];
        let span = |start: f64, end: f64, size: usize| {
            // A comparison with what is no number is false.
            if !(start >= -0.5 && end <= size as f64 + 0.5 && start <= end) {
                return None;
            }
            let first = (start + 0.5).max(0.0) as usize;
            let last = ((end + 0.5).max(0.0) as usize).max(first + 1);
            (last <= size).then_some(first..last)
        };
        // The two sides that are apart most in each direction: the field may be turned or mirrored.
        let sides = |[a, b, c, d]: [f64; 4]| {
            let (across, down) = ([a + c, b + d], [a + b, c + d]);
            let is_across = (across[0] - across[1]).abs() >= (down[0] - down[1]).abs();
            let [one, other] = if is_across { across } else { down }.map(|sum| sum / 2.0);
            if one > other { (other, one) } else { (one, other) }
        };
        let (left, right) = sides([a.0, b.0, c.0, d.0]);
        let (top, bottom) = sides([a.1, b.1, c.1, d.1]);
        Some((span(left, right, picture.0)?, span(top, bottom, picture.1)?))
    }

    /// Whether two places have pixels in common.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let ([x, y, width, height], [left, top, wide, high]) = (self.bounds(), other.bounds());
        x < left + wide && left < x + width && y < top + high && top < y + height
    }

    /// Whether two places are of one size and at one height, as fields of two players are.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        let ([x, y, width, height], [other_x, other_y, other_width, other_height]) =
            (self.bounds(), other.bounds());
        let near = |a: f64, b: f64, size: f64| (a - b).abs() < 0.03 * size;
        near(width, other_width, width)
            && near(height, other_height, height)
            && near(y, other_y, height)
            && (x - other_x).abs() > width
    }

    /// Whether two places are nearly the same.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        let [_, _, width, height] = self.bounds();
        let mut corners = self.corners.iter().zip(&other.corners);
        corners.all(|(a, b)| (a.0 - b.0).abs() < width / 16.0 && (a.1 - b.1).abs() < height / 32.0)
    }
}

/// Points of a side of the rim that are looked at, and how far from it, in pixels of the console.
const TRACKED: usize = 24;
const NEAR: f64 = 3.0;
/// Pixels of the picture that this is at most, of a place that is larger than any picture.
const MOST_NEAR: f64 = 1e4;
/// The part of the points of half a side that must have an edge, near their middle one, for the side to be seen; and how near, in pixels of the console.
const AGREE: f64 = 0.5;
const AGREE_WITHIN: f64 = 0.7;
/// Pixels of the console by which a place is moved at least.
const MOVED: f64 = 0.4;

/// Follows a rim that moves, grows or turns slowly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracker {
    /// How far from the field the rim of each half of each side was seen first, outwards in pixels of the console: left, right, above, below.
    first: Option<[[Option<f64>; 2]; 4]>,
    /// Whether less than half of what was seen then is where it was.
    pub is_lost: bool,
}

impl Tracker {
    /// Where the rim is, as `first` says it; `None` where it is not seen.
    fn edges(place: &Place, picture: &Picture) -> [[Option<f64>; 2]; 4] {
        let [.., width, height] = place.bounds();
        let scale = (width / FIELD.0, height / FIELD.1);
        let (columns, rows) = (picture.width() as i64, picture.height() as i64);
        let is_near = |at: f64, size: i64| (-(size as f64)..2.0 * size as f64).contains(&at);
        // Outwards, along the picture's columns or rows: half a pixel at a time finds no more than whole ones.
        let edge = |(x, y): (f64, f64), (right, down): (i64, i64), scale: f64| {
            if !is_near(x, columns) || !is_near(y, rows) {
                return None;
            }
            let far = (NEAR * scale).ceil().clamp(2.0, MOST_NEAR) as i64;
            let (x, y) = (x.floor() as i64, y.floor() as i64);
            let luma = |out: i64| {
                let (x, y) = (x + right * out, y + down * out);
                let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
                inside.then(|| i32::from(picture.luma(x as usize, y as usize)))
            };
            let (mut before, mut here) = (luma(-far - 1), luma(-far));
            let (mut most, mut edge) = (2 * STEP_UP, None);
            for out in -far..=far {
                let after = luma(out + 1);
                let step = after.zip(before).map(|(after, before)| after - before);
                if let Some(step) = step.filter(|&step| step >= most) {
                    (most, edge) = (step, Some(out as f64 / scale));
                }
                (before, here) = (here, after);
            }
            edge
        };
        let of_half = |side: usize, half: usize| {
            let points = (0..TRACKED / 2).map(|number| {
                let t = f64::midpoint(half as f64, (number as f64 + 0.5) / (TRACKED / 2) as f64);
                // Where the rim is expected.
                let (u, v) = (MARGIN / FIELD.0, MARGIN / FIELD.1);
                match side {
                    0 => edge(place.point(-u, t), (-1, 0), scale.0),
                    1 => edge(place.point(1.0 + u, t), (1, 0), scale.0),
                    2 => edge(place.point(t, -v), (0, -1), scale.1),
                    _ => edge(place.point(t, 1.0 + v), (0, 1), scale.1),
                }
            });
            let mut seen: Vec<f64> = points.flatten().collect();
            seen.sort_by(f64::total_cmp);
            let middle = *seen.get(seen.len() / 2)?;
            let near: Vec<f64> =
                seen.into_iter().filter(|out| (out - middle).abs() <= AGREE_WITHIN).collect();
            let mean = near.iter().sum::<f64>() / near.len() as f64;
            (near.len() as f64 >= AGREE * (TRACKED / 2) as f64).then_some(mean)
        };
        [0, 1, 2, 3].map(|side| [0, 1].map(|half| of_half(side, half)))
    }

    /// Where the place is now, if it has moved.
    pub fn follow(&mut self, place: &Place, picture: &Picture) -> Option<Place> {
        let now = Self::edges(place, picture);
        let Some(first) = &mut self.first else {
            self.first = Some(now);
            return None;
        };
        let count = |edges: &[[Option<f64>; 2]; 4]| edges.iter().flatten().flatten().count();
        self.is_lost = 2 * count(&now) < count(first);
        let moved = [0, 1, 2, 3].map(|side| [0, 1].map(|half| Some(now[side][half]? - first[side][half]?)));
        if count(&moved) < 5 {
            return None;
        }
        // Half a side that is not seen goes as the other half does.
        let known = |[a, b]: [Option<f64>; 2]| a.or(b).map(|known| [a.unwrap_or(known), b.unwrap_or(known)]);
        let [left, right, above, below] = moved.map(known);
        // A side that is not seen goes where it must if the field keeps its shape: what both sides of a pair grow by together.
        let grows = |one: Option<[f64; 2]>, other: Option<[f64; 2]>| {
            Some(one?.iter().chain(&other?).sum::<f64>() / 2.0)
        };
        let pair = |one: Option<[f64; 2]>, other: Option<[f64; 2]>, grown: Option<f64>| {
            let grown = grown.unwrap_or(0.0);
            match (one, other) {
                (Some(one), Some(other)) => Some((one, other)),
                (Some(one), None) => Some((one, one.map(|out| grown - out))),
                (None, Some(other)) => Some((other.map(|out| grown - out), other)),
                (None, None) => None,
            }
        };
        let shape = FIELD.1 / FIELD.0;
        let (wider, higher) = (grows(left, right), grows(above, below));
        let (left, right) = pair(left, right, higher.map(|higher| higher / shape))?;
        let (above, below) = pair(above, below, wider.map(|wider| wider * shape))?;
        let most = [left, right, above, below].into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
        if most < MOVED {
            return None;
        }
        let [.., width, height] = place.bounds();
        let scale = (width / FIELD.0, height / FIELD.1);
        // The values are those at a quarter and at three quarters.
        let end =
            |[a, b]: [f64; 2], is_last: bool| if is_last { 1.5 * b - 0.5 * a } else { 1.5 * a - 0.5 * b };
        let corner = |number: usize, (x, y): (f64, f64)| {
            let (is_right, is_below) = (number % 2 == 1, number >= 2);
            let across = if is_right { end(right, is_below) } else { -end(left, is_below) };
            let down = if is_below { end(below, is_right) } else { -end(above, is_right) };
            (x + across * scale.0, y + down * scale.1)
        };
        let corners = [0, 1, 2, 3].map(|number| corner(number, place.corners[number]));
        Some(Place { corners })
    }
}

/// A picture of brightness alone, thinned, or the same with columns and rows exchanged.
struct Grid {
    width: usize,
    height: usize,
    luma: Vec<u8>,
}

impl Grid {
    /// Each pixel is the mean of `step` × `step` of the picture.
    fn new(picture: &Picture, step: usize) -> Self {
        let (width, height) = (picture.width() / step, picture.height() / step);
        let mut luma = Vec::with_capacity(width * height);
        let area = (step * step) as u32;
        if step == 1 {
            (0..height).for_each(|y| match picture.luma_row(y) {
                Some(row) => luma.extend_from_slice(row),
                None => luma.extend((0..width).map(|x| picture.luma(x, y))),
            });
            return Self { width, height, luma };
        }
        for y in 0..height {
            let rows: Option<Vec<&[u8]>> = (0..step).map(|down| picture.luma_row(y * step + down)).collect();
            if let Some(rows) = rows {
                luma.extend((0..width).map(|x| {
                    let parts = rows.iter().map(|row| &row[x * step..(x + 1) * step]);
                    (parts.flatten().map(|&part| u32::from(part)).sum::<u32>() / area) as u8
                }));
                continue;
            }
            for x in 0..width {
                let mut sum = 0;
                for down in 0..step {
                    for across in 0..step {
                        sum += u32::from(picture.luma(x * step + across, y * step + down));
                    }
                }
                luma.push((sum / area) as u8);
            }
        }
        Self { width, height, luma }
    }

    fn turned(&self) -> Self {
        let (width, height) = (self.height, self.width);
        let mut luma = vec![0; self.luma.len()];
        // Some rows at a time, as much as the caches hold.
        for (part, rows) in self.luma.chunks(64 * self.width).enumerate() {
            for x in 0..self.width {
                let column = &mut luma[x * width + 64 * part..];
                for (value, row) in column.iter_mut().zip(rows.chunks_exact(self.width)) {
                    *value = row[x];
                }
            }
        }
        Self { width, height, luma }
    }

    fn at(&self, x: usize, y: usize) -> u8 {
        self.luma[y * self.width + x]
    }

    /// The brightness that about this part of the pixels has at most.
    fn quantile(&self, columns: Range<usize>, rows: Range<usize>, part: f64) -> u8 {
        let mut counts = [0u32; 256];
        let mut all = 0;
        // Some of its pixels tell enough.
        let (across, down) = ((columns.len() / 20).max(1), (rows.len() / 40).max(1));
        for y in rows.step_by(down) {
            for x in columns.clone().step_by(across) {
                counts[usize::from(self.at(x, y))] += 1;
                all += 1;
            }
        }
        let most = (f64::from(all) * part) as u32;
        let mut below = 0;
        for (value, count) in (0u8..=255).zip(counts) {
            below += count;
            if below > most {
                return value;
            }
        }
        255
    }
}

/// A line, nearly upright, with bright pixels on one side and mostly dark ones on the other.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Its column in the middle of the picture, and its slant.
    x: f64,
    slant: f64,
    /// The rows of its first and last edge, and the last row in which the bright side is as before.
    from: usize,
    edge_to: usize,
    to: usize,
    /// Rows with an edge.
    edges: usize,
    /// The brightness of its bright side.
    bright: f32,
}

impl Line {
    /// How much it is like a rim: long and bright.
    fn weight(&self) -> f32 {
        self.edges as f32 * self.bright
    }

    fn x_at(&self, y: f64, grid: &Grid) -> f64 {
        self.x + self.slant * (y - grid.height as f64 / 2.0)
    }
}

/// What is known of a line while rows are gone through.
#[derive(Clone, Copy, Default)]
struct Begun {
    from: usize,
    edge_to: usize,
    to: usize,
    edges: usize,
    hole: usize,
    bright: f32,
}

/// The lines of a slant whose bright side is left (of a left edge), or right.
fn lines(grid: &Grid, slant: f64, is_left: bool) -> Vec<Line> {
    let mut all = Vec::new();
    if grid.width < 3 {
        return all;
    }
    let mut begun = vec![Begun::default(); grid.width];
    let shortest = WIDTHS.start / 2;
    let middle = grid.height as f64 / 2.0;
    let mut end = |x: usize, line: &mut Begun| {
        // A quarter of it must have an edge: the rest may be beside blocks.
        if line.edges >= shortest && 4 * line.edges >= line.to - line.from {
            let Begun { from, edge_to, to, edges, bright, .. } = *line;
            all.push(Line { x: x as f64, slant, from, edge_to: edge_to + 1, to: to + 1, edges, bright });
        }
        line.edges = 0;
    };
    for y in 0..grid.height {
        let row = &grid.luma[y * grid.width..(y + 1) * grid.width];
        let shift = (slant * (y as f64 - middle)).round() as isize;
        // The columns of the lines that are inside the picture in this row, with a pixel on both sides.
        let first = (1 - shift).max(0);
        let last = (grid.width as isize - 1 - shift).min(grid.width as isize);
        for of in first..last {
            let at = (of + shift) as usize;
            let (bright, dark) =
                if is_left { (row[at - 1], row[at + 1]) } else { (row[at + 1], row[at - 1]) };
            let is_edge = i32::from(bright) - i32::from(dark) >= STEP_UP;
            let line = &mut begun[of as usize];
            if line.edges == 0 {
                if is_edge {
                    *line =
                        Begun { from: y, edge_to: y, to: y, edges: 1, hole: 0, bright: f32::from(bright) };
                }
                continue;
            }
            let apart = (f32::from(bright) - line.bright).abs();
            if apart <= (0.22 * line.bright).max(14.0) {
                (line.to, line.hole) = (y, 0);
                if is_edge {
                    line.edges += 1;
                    line.edge_to = y;
                    line.bright += (f32::from(bright) - line.bright) / 8.0;
                }
            } else {
                line.hole += 1;
                if line.hole >= HOLE {
                    end(of as usize, line);
                }
            }
        }
    }
    for (x, line) in begun.iter_mut().enumerate() {
        if line.edges > 0 {
            end(x, line);
        }
    }
    all
}

/// The best of the lines that are beside each other, the longest first.
fn best(mut all: Vec<Line>) -> Vec<Line> {
    if all.len() > MOST_BEGUN {
        all.select_nth_unstable_by(MOST_BEGUN, |a, b| b.weight().total_cmp(&a.weight()));
        all.truncate(MOST_BEGUN);
    }
    all.sort_by(|a, b| b.weight().total_cmp(&a.weight()).then(a.slant.abs().total_cmp(&b.slant.abs())));
    let mut kept: Vec<Line> = Vec::new();
    for line in all {
        let is_known = kept.iter().any(|other| {
            let covered = other.to.min(line.to).saturating_sub(other.from.max(line.from));
            (other.x - line.x).abs() < 2.5 && 3 * covered > 2 * (line.to - line.from)
        });
        if !is_known {
            kept.push(line);
        }
        if kept.len() == MOST_LINES {
            break;
        }
    }
    kept
}

/// Adds the lines of which something hides a part: two of them, one above the other.
fn joined(mut lines: Vec<Line>) -> Vec<Line> {
    let mut all = Vec::new();
    for above in &lines {
        let below = lines.iter().filter(|below| {
            (below.x - above.x).abs() <= JOINED_BESIDE
                && (below.slant - above.slant).abs() < 1e-9
                && below.from > above.to
                && ((below.bright - above.bright).abs() <= JOINED_BRIGHT
                    || below.from - above.to <= SHADOW_EDGE)
                && below.from - above.to <= (below.to - above.from) / JOINED_PART
        });
        all.extend(below.map(|below| Line {
            edge_to: below.edge_to,
            to: below.to,
            edges: above.edges + below.edges,
            ..*above
        }));
    }
    all.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    all.truncate(MOST_JOINED);
    lines.extend(all);
    lines
}

/// Where fields may be that have at least this many columns of pixels, the likeliest place first: wide ones are found in thinned
/// pictures, which is faster. With several slants also those of which something hides a part of the rim. `lies`: fields that are
/// wider than high are looked for, as a picture that is turned has them.
pub(crate) fn places(picture: &Picture, slants: &[f64], narrowest: f64, lies: bool) -> Vec<Place> {
    let hard = slants.len() > 1;
    let mut found: Vec<(f64, Place)> = Vec::new();
    let is_large = |step: usize| picture.width() * picture.height() / (step * step) > MOST_FINE;
    for step in STEPS {
        if is_large(step) && narrowest >= (2 * step * WIDTHS.start) as f64 {
            continue;
        }
        if picture.width().min(picture.height()) / step < WIDTHS.start {
            break;
        }
        let slanted = hard && picture.width() * picture.height() / (step * step) <= MOST_SLANTED;
        let grid = Grid::new(picture, step);
        let grid = if lies { grid.turned() } else { grid };
        let turned = grid.turned();
        let slants = if slanted { slants } else { &SLANTS[..1] };
        let side = |grid: &Grid, is_left: bool| {
            let lines = best(slants.iter().flat_map(|&slant| lines(grid, slant, is_left)).collect());
            if hard { joined(lines) } else { lines }
        };
        let sides = [side(&grid, true), side(&grid, false), side(&turned, true), side(&turned, false)];
        for left in &sides[0] {
            for right in &sides[1] {
                found.extend(closed(&grid, &turned, (left, right), (&sides[2], &sides[3]), (step, hard)));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut places: Vec<Place> = Vec::new();
    for (_, mut place) in found {
        if lies {
            // Columns and rows were exchanged.
            let [a, b, c, d] = place.corners.map(|(x, y)| (y, x));
            place.corners = [a, c, b, d];
        }
        if !places.iter().any(|other| other.is_near(&place)) {
            places.push(place);
        }
        if places.len() == MOST {
            break;
        }
    }
    places
}

/// The figure that two upright and two level lines close, if it looks like the field, and how much.
fn closed(
    grid: &Grid,
    turned: &Grid,
    (left, right): (&Line, &Line),
    (uppers, lowers): (&[Line], &[Line]),
    (step, hard): (usize, bool),
) -> Option<(f64, Place)> {
    let middle = f64::midpoint(left.from as f64, left.to as f64);
    let (from, to) = (left.x_at(middle, grid), right.x_at(middle, grid));
    if to < from + WIDTHS.start as f64 {
        return None;
    }
    let width = to - from;
    if width >= WIDTHS.end as f64 {
        return None;
    }
    let slack = 3 + width as usize / 12;
    let most = (width * SHAPE.end) as usize + slack;
    let apart = left.from.abs_diff(right.from);
    if left.to.min(right.to) < left.from.max(right.from) + slack
        || !hard && apart > slack + width as usize / 8
    {
        return None;
    }
    let beside = |line: usize, at: f64| (line as f64 - at).abs() <= slack as f64;
    let starts = |line: &Line| line.from as f64 <= from + slack as f64;
    let ends = |line: &Line| line.to as f64 + slack as f64 >= to;
    let covers = |line: &Line| starts(line) && ends(line);
    // Something may lie over a corner, or over one side beyond both of its ends.
    let shared = |line: &Line| (line.to as f64).min(to) - (line.from as f64).max(from);
    let covers_half = |line: &&Line| (starts(line) || ends(line)) && shared(line) >= VISIBLE * width;
    let mid = f64::midpoint(from, to);
    let mut best: Option<(f64, Place)> = None;
    let near = |upper: &&Line| {
        // What lies over a corner hides the end of the upper line, too.
        let tops =
            [(left, upper.x_at(from, turned), starts(upper)), (right, upper.x_at(to, turned), ends(upper))];
        let is_seen =
            |side: &Line, top: f64, reaches: bool| side.from as f64 <= top + slack as f64 || hard && !reaches;
        tops.iter().all(|&(side, top, reaches)| is_seen(side, top, reaches))
            && tops.iter().any(|(side, top, _)| beside(side.from, *top))
    };
    for upper in uppers.iter().filter(covers_half).filter(near) {
        let top = upper.x_at(mid, turned);
        let reaches = |lower: &&Line| {
            let bottom = lower.x_at(mid, turned);
            let least = left.edge_to.min(right.edge_to) as f64 - slack as f64;
            let highest = left.to.max(right.to) as f64 + slack as f64;
            bottom <= top + most as f64
                && SHAPE.contains(&((bottom - top) / width))
                && (least..highest).contains(&bottom)
                && left.to.min(right.to) as f64 >= top + VISIBLE * (bottom - top)
                && left.from.max(right.from) as f64 <= bottom - VISIBLE * (bottom - top) + slack as f64
                && (covers(upper) || covers(lower))
        };
        for lower in lowers.iter().filter(covers_half).filter(reaches) {
            let bottom = lower.x_at(mid, turned);
            let bright = f64::from(left.bright.min(right.bright).min(upper.bright).min(lower.bright));
            let inside = |from: f64, to: f64, size: usize| {
                (from + 2.0).max(0.0) as usize..((to - 1.0).max(0.0) as usize).min(size)
            };
            let height = bottom - top;
            let part = |line: &Line, length: f64| (line.edges as f64 / length).min(1.0);
            let edges = part(left, height) + part(right, height) + part(upper, width) + part(lower, width);
            let ends = [left, right].map(|line| line.from.abs_diff(top.max(0.0) as usize) as f64);
            // Where the edge of a side goes on, the figure does not end: blocks in the lowest row look like a line.
            let beyond = (left.edge_to.max(right.edge_to) as f64 - bottom - END).max(0.0);
            // Of a figure without an upper corner all else is seen, and its lower line ends with the sides.
            let has_corners = left.from.max(right.from) as f64 <= top + slack as f64;
            let is_low = left.to.min(right.to) as f64 + slack as f64 >= bottom;
            let is_whole = has_corners && covers(upper) && covers(lower) && is_low;
            if !(has_corners || is_low && beside(lower.from, from) && beside(lower.to, to)) {
                continue;
            }
            if !is_whole && !hard {
                continue;
            }
            let hidden = if is_whole { 0.0 } else { HIDDEN };
            let unlike =
                f64::from((left.bright - right.bright).abs() + (upper.bright - lower.bright).abs()) / 255.0;
            let size = (width / grid.width as f64).sqrt();
            let score = |dark: f64| {
                edges / 4.0 + (bright - dark) / 255.0 - (ends[0] + ends[1] + beyond) / width - unlike - hidden
                    + 0.5 * size
            };
            let is_best = |score: f64| best.is_none_or(|(most, _)| score > most);
            // How dark the inside is takes longest to find out, and it only takes from the score.
            if !is_best(score(0.0)) {
                continue;
            }
            let (columns, rows) = (inside(from, to, grid.width), inside(top, bottom, grid.height));
            let dark = f64::from(grid.quantile(columns, rows, 0.12));
            let score = score(dark);
            if dark <= 0.65 * bright
                && is_best(score)
                && let Some(place) = field(grid, turned, [left, right, upper, lower], step)
            {
                best = Some((score, place));
            }
        }
    }
    best
}

/// Where a line is to a part of a pixel: the centre of its edge.
fn exact(line: &Line, grid: &Grid, is_left: bool) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    for y in (line.from..line.edge_to).step_by(2) {
        let of = line.x_at(y as f64, grid).round() as isize;
        for x in (of - 2).max(1)..=(of + 2).min(grid.width as isize - 2) {
            let [before, after] = [x - 1, x + 1].map(|x| f64::from(grid.at(x as usize, y)));
            let step = if is_left { before - after } else { after - before };
            if step > 0.0 {
                sum += step * (x - of) as f64;
                all += step;
            }
        }
    }
    line.x + 0.5 + if all > 0.0 { sum / all } else { 0.0 }
}

/// The field inside of a rim of four lines: left, right, upper, lower.
fn field(grid: &Grid, turned: &Grid, lines: [&Line; 4], step: usize) -> Option<Place> {
    let upright = |line: &Line, is_left: bool| {
        (exact(line, grid, is_left) - line.slant * (grid.height as f64 / 2.0), line.slant)
    };
    let level = |line: &Line, is_left: bool| {
        (exact(line, turned, is_left) - line.slant * (turned.height as f64 / 2.0), line.slant)
    };
    let (left, right) = (upright(lines[0], true), upright(lines[1], false));
    let (upper, lower) = (level(lines[2], true), level(lines[3], false));
    // x = a + b y and y = c + d x.
    let meet = |(a, b): (f64, f64), (c, d): (f64, f64)| {
        let x = (a + b * c) / (1.0 - b * d);
        (x * step as f64, (c + d * x) * step as f64)
    };
    let rim =
        Place { corners: [meet(left, upper), meet(right, upper), meet(left, lower), meet(right, lower)] };
    let (u, v) = (MARGIN / (FIELD.0 + 2.0 * MARGIN), MARGIN / (FIELD.1 + 2.0 * MARGIN));
    let corners =
        [rim.point(u, v), rim.point(1.0 - u, v), rim.point(u, 1.0 - v), rim.point(1.0 - u, 1.0 - v)];
    corners.iter().all(|corner| corner.0.is_finite() && corner.1.is_finite()).then_some(Place { corners })
}
