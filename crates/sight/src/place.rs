//! Where the field is in a picture, found without a click: [`places`].
//!
//! The game draws a bright rim around a dark field. Long bright runs of pixels are looked for in all columns and rows; two of
//! each that close a rectangle of the field's proportions, dark inside, are a candidate. Several may be found. Which of them is the
//! field shows itself when pieces move in it.

use std::ops::Range;

use crate::picture::Picture;

/// Columns and rows of the field in pixels of the console.
const FIELD: (f64, f64) = (80.0, 160.0);
/// Pixels of the console between the rim and the field: 0 to 2 in cartridges that people use.
const MARGIN: f64 = 1.0;
/// Rows and columns that a picture is thinned to at most before the rim is looked for.
const THIN: (usize, usize) = (960, 600);
/// The brightness of a rim as a part of the brightest pixels of the picture.
const BRIGHT: [f64; 3] = [0.72, 0.55, 0.4];
/// The shortest side of a field, in pixels of the picture: three for a cell.
const SHORTEST: usize = 30;
/// How high the inside of the rim may be against how wide: pixels may be wide or narrow, the field is twice as high as wide.
const SHAPE: Range<f64> = 1.05..2.5;
/// Which part of a run may be dark.
const BROKEN: f64 = 0.12;
/// Most runs of each direction that are tried.
const MOST_RUNS: usize = 160;
/// Most candidates.
const MOST: usize = 4;

/// Where the field is in a picture: its upper left corner and its size, in pixels of the picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// The left edge of the field.
    pub x: f64,
    /// The upper edge of the field.
    pub y: f64,
    /// The width of the ten columns.
    pub width: f64,
    /// The height of the twenty rows.
    pub height: f64,
}

impl Place {
    /// Columns and rows of the picture for a rectangle of the console's screen, given from the field's corner. `None` if it is not
    /// inside the picture. It is never empty.
    pub(crate) fn pixels(
        &self,
        picture: (usize, usize),
        x: Range<f64>,
        y: Range<f64>,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let span = |from: f64, unit: f64, range: Range<f64>, size: usize| {
            let (start, end) = (from + unit * range.start, from + unit * range.end);
            if start < -0.5 || end > size as f64 + 0.5 {
                return None;
            }
            let first = (start + 0.5).max(0.0) as usize;
            let last = ((end + 0.5).max(0.0) as usize).max(first + 1);
            (last <= size).then_some(first..last)
        };
        let across = span(self.x, self.width / FIELD.0, x, picture.0)?;
        Some((across, span(self.y, self.height / FIELD.1, y, picture.1)?))
    }

    /// Whether two places have pixels in common.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    /// Whether two places are nearly the same.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        let (x, y) = (self.width / 16.0, self.height / 32.0);
        (self.x - other.x).abs() < x
            && (self.y - other.y).abs() < y
            && (self.x + self.width - other.x - other.width).abs() < x
            && (self.y + self.height - other.y - other.height).abs() < y
    }
}

/// A picture of brightness alone, thinned.
struct Thin {
    width: usize,
    height: usize,
    /// Pixels of the picture for one of these.
    step: usize,
    luma: Vec<u8>,
}

impl Thin {
    fn new(picture: &Picture) -> Self {
        let step = picture.width().div_ceil(THIN.0).max(picture.height().div_ceil(THIN.1)).max(1);
        let (width, height) = (picture.width() / step, picture.height() / step);
        let mut luma = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                // The brightest: a thin rim must not fade.
                let all = (0..step).flat_map(|down| (0..step).map(move |across| (across, down)));
                let seen = all.map(|(across, down)| picture.luma(x * step + across, y * step + down));
                luma.push(seen.max().unwrap_or(0));
            }
        }
        Self { width, height, step, luma }
    }

    fn at(&self, x: usize, y: usize) -> u8 {
        self.luma[y * self.width + x]
    }

    /// The brightness that this part of the pixels has at most.
    fn quantile(&self, columns: Range<usize>, rows: Range<usize>, part: f64) -> u8 {
        let mut counts = [0u32; 256];
        let mut all = 0;
        for y in rows {
            for x in columns.clone() {
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

/// Bright pixels in a line: a column or a row.
#[derive(Clone, Debug)]
struct Run {
    line: usize,
    from: usize,
    to: usize,
}

/// The longest bright runs of each line; short dark parts are forgiven.
fn runs(lines: usize, length: usize, shortest: usize, bright: impl Fn(usize, usize) -> bool) -> Vec<Run> {
    let mut all = Vec::new();
    for line in 0..lines {
        let (mut from, mut dark, mut last) = (None, 0usize, 0);
        let mut end = |from: Option<usize>, last: usize, dark: usize| {
            if let Some(from) = from
                && last + 1 >= from + shortest
                && (dark as f64) < BROKEN * (last + 1 - from) as f64
            {
                all.push(Run { line, from, to: last + 1 });
            }
        };
        let (mut inside, mut gap) = (0usize, 0usize);
        for at in 0..length {
            if bright(line, at) {
                if from.is_none() {
                    (from, inside) = (Some(at), 0);
                }
                inside += gap;
                (gap, last) = (0, at);
            } else if from.is_some() {
                gap += 1;
                if gap > 2 {
                    dark = inside;
                    end(from.take(), last, dark);
                    gap = 0;
                }
            }
        }
        dark = dark.min(inside);
        end(from, last, dark);
    }
    all
}

/// The runs at which a bright area ends on one side: the line beyond it has no run over the same pixels.
fn edges(all: &[Run], after: bool) -> Vec<Run> {
    let mut edges: Vec<Run> = all
        .iter()
        .filter(|run| {
            let beyond = if after { run.line.checked_add(1) } else { run.line.checked_sub(1) };
            let Some(beyond) = beyond else { return false };
            // Runs are in the order of their lines.
            let first = all.partition_point(|other| other.line < beyond);
            let covered: usize = all[first..]
                .iter()
                .take_while(|other| other.line == beyond)
                .map(|other| other.to.min(run.to).saturating_sub(other.from.max(run.from)))
                .sum();
            2 * covered < run.to - run.from
        })
        .cloned()
        .collect();
    edges.sort_by_key(|run| run.from as isize - run.to as isize);
    edges.truncate(MOST_RUNS);
    edges
}

/// Where the field may be, the likeliest place first.
pub fn places(picture: &Picture) -> Vec<Place> {
    let thin = Thin::new(picture);
    if thin.width < SHORTEST || thin.height < SHORTEST {
        return Vec::new();
    }
    let brightest = f64::from(thin.quantile(0..thin.width, 0..thin.height, 0.985));
    if brightest < 40.0 {
        return Vec::new();
    }
    let mut found: Vec<(f64, Place)> = Vec::new();
    for part in BRIGHT {
        let least = (brightest * part) as u8;
        let down = runs(thin.width, thin.height, SHORTEST, |x, y| thin.at(x, y) >= least);
        let across = runs(thin.height, thin.width, SHORTEST, |y, x| thin.at(x, y) >= least);
        let (lefts, rights) = (edges(&down, true), edges(&down, false));
        let (uppers, lowers) = (edges(&across, true), edges(&across, false));
        for left in &lefts {
            for right in &rights {
                if right.line < left.line + SHORTEST {
                    continue;
                }
                found.extend(closed(&thin, left, right, &uppers, &lowers, f64::from(least)));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut places: Vec<Place> = Vec::new();
    for (_, place) in found {
        if !places.iter().any(|other| other.is_near(&place)) {
            places.push(place);
        }
        if places.len() == MOST {
            break;
        }
    }
    places
}

/// The rectangle that two columns and two rows close, if it looks like the field, and how much.
fn closed(
    thin: &Thin,
    left: &Run,
    right: &Run,
    uppers: &[Run],
    lowers: &[Run],
    bright: f64,
) -> Option<(f64, Place)> {
    let (inside, end) = (left.line + 1, right.line);
    let width = end - inside;
    let (from, to) = (left.from.max(right.from), left.to.min(right.to));
    let shape = |height: usize| SHAPE.contains(&(height as f64 / width as f64));
    if to < from + width / 2 {
        return None;
    }
    let slack = 3 + width / 12;
    // The rows must reach from column to column, at the ends of both.
    let covers = |run: &&Run| {
        run.from <= inside + slack && run.to + slack >= end && run.to - run.from >= width * 4 / 5
    };
    let mut best: Option<(f64, Place)> = None;
    for upper in uppers.iter().filter(covers).filter(|upper| upper.line.abs_diff(from) <= slack) {
        for lower in lowers.iter().filter(covers).filter(|lower| lower.line.abs_diff(to) <= slack) {
            let top = upper.line + 1;
            if lower.line <= top || !shape(lower.line - top) {
                continue;
            }
            let (columns, rows) = (inside..end, top..lower.line);
            let dark = f64::from(thin.quantile(columns, rows, 0.12));
            if dark > 0.6 * bright {
                continue;
            }
            // Just inside of the rim it is dark.
            let ring = |line: usize, along: Range<usize>, is_column: bool| {
                let count = along.len().max(1) as f64;
                let seen = along.map(|at| if is_column { thin.at(line, at) } else { thin.at(at, line) });
                seen.filter(|&luma| f64::from(luma) < bright).count() as f64 / count
            };
            let dark_ring = ring(inside, top..lower.line, true)
                + ring(end - 1, top..lower.line, true)
                + ring(top, inside..end, false)
                + ring(lower.line - 1, inside..end, false);
            let ends = [left.from, right.from]
                .map(|at| at.abs_diff(upper.line))
                .into_iter()
                .chain([left.to, right.to].map(|at| at.abs_diff(lower.line)))
                .sum::<usize>() as f64
                / width as f64;
            let size = (width as f64 / thin.width as f64).sqrt();
            let score = dark_ring / 4.0 + (bright - dark) / 255.0 - 2.0 * ends + 0.5 * size;
            let place = field(thin.step as f64, (inside, end), (top, lower.line));
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, place));
            }
        }
    }
    best
}

/// The field inside of a rim.
fn field(step: f64, columns: (usize, usize), rows: (usize, usize)) -> Place {
    let axis = |(from, to): (usize, usize), length: f64| {
        let (from, all) = (step * from as f64, step * (to - from) as f64);
        let unit = all / (length + 2.0 * MARGIN);
        (from + MARGIN * unit, length * unit)
    };
    let ((x, width), (y, height)) = (axis(columns, FIELD.0), axis(rows, FIELD.1));
    Place { x, y, width, height }
}
