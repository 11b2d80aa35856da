//! What the cells of the field show in a picture: [`Sampler`], [`View`].

use std::ops::Range;

use crate::picture::Picture;
use crate::place::{FIELD, Place};
use maxout_rules::Piece;

/// The part of a cell that is looked at, in pixels of the console: a block fills the first seven.
const MIDDLE: Range<f64> = 1.6..5.4;
/// Least and highest difference from the background, as a part of the brightest cells', at which a cell counts as solid.
const SOLID: Range<usize> = 12..110;
/// How fast what was learned about the recording fades, each picture.
const FADES: f32 = 0.999;
/// Rows of the middle of a cell that are enough to tell the even ones from the odd ones.
const FIELD_ROWS: usize = 3;
/// How much more one field must differ from the background than the other, as a part of the border of solid cells.
const COMBED: f32 = 0.8;
/// One picture in this many is looked at for blocks that are not where the cells are, and the most of them.
const HALVED: u32 = 8;
const MOST_SPLIT: f64 = 0.1;
/// The same of the cells of pieces in the air, in this many rows or columns beside each other that had this many of them.
const MOST_SPLIT_IN_AIR: f64 = 0.2;
const NEAR: (usize, usize) = (4, 2);
const FEW_IN_AIR: u32 = 16;
/// Cells of a piece between two rows.
const MOST_IN_AIR: u32 = 8;
/// Where the dark line before a cell is looked for, in pixels of the console from its edge: from here on, in this many steps.
const LINE_FROM: f64 = -2.0;
const LINE_STEP: f64 = 0.5;
const LINE_STEPS: u8 = 6;
/// Pixels of a cell below which dark lines are too thin, and how dark they are at most where cells have no line, and at least where they have one.
const LEAST_LINED: f64 = 7.0;
const FLAT: (f32, f32) = (0.2, 0.4);
/// What a lamp must add at least, and how dark the darkest part must be at most, for the light to be uneven; and what is too dark to tell.
const ADDED: f32 = 25.0;
const SHADE: f32 = 0.6;
const DARKEST: f32 = 0.15;
/// How dark a shadow is that is no doubt one.
const DEEPEST: f32 = 0.3;
/// One picture in this many is looked at for what is between cells; how dark it is at most if it counts as bright, and the part of pairs
/// that may have it.
const LOOKED_BETWEEN: u32 = 32;
const BRIGHT_LINE: f32 = -0.1;
const MOST_BRIGHT_LINES: f64 = 0.1;
/// Fewest pairs of cells without a dark line between them in a picture of which something covers a part.
const FEW: usize = 3;
/// Pixels of the console from the field within which its rim is.
const RIM: usize = 7;
/// How far the rim at a cell may be from what it is along its side: pixels of the console across, and a colour difference at least, and as
/// many times the usual one; and how many cells in a row that are further off are something else.
const RIM_BESIDE: usize = 1;
const RIM_APART: (f32, f32) = (24.0, 4.0);
const RIM_OTHER: usize = 3;
/// What the rim differs by from cell to cell in a photo of which only its brightness tells anything, and how dark it is at least there, as a
/// part of the usual.
const RIM_UNCLEAR: f32 = 6.0;
const DIM_RIM: f32 = 0.35;
/// And at most where as few cells around a corner as along a side tell that something lies there.
const RIM_EXACT: f32 = 3.0;
/// How much the brightest colour of one side of the rim may differ from the others: thin lines are darker in a small picture.
const SIDE_APART: f32 = 110.0;
/// How far empty cells two apart may differ more than those before and behind them, at least and as many times the usual, and how many such
/// edges are something that lies there.
const EDGE: (f32, f32) = (9.0, 6.0);
const EDGES: usize = 3;
/// The part of a cell of which all quarters are solid if it is, in pixels of the console; how dark one is, as a part of the border, if it is not; and
/// how many such cells are something that lies over them.
const QUARTERS: Range<f64> = 0.8..6.2;
const DARK_QUARTER: f32 = 0.6;
const CUT: usize = 2;
/// How much of what a solid cell differs by a thin rim must at least, but not less than this, which dark panels differ by.
const DIM: (f32, f32) = (0.6, 30.0);
/// The box of the next piece from the field's corner, with room around it, in pixels of the console.
const BOX: (Range<i32>, Range<i32>) = (80..144, 56..104);
/// Pixels of the console between two samples of the box.
const GRAIN: i32 = 2;
/// The centre of the box, in pixels of the console from the field's corner.
const CENTRE: (i32, i32) = (112, 80);
/// How many samples the box may be beside its place: some cartridges draw it half a cell to the right.
const BESIDE: (i32, i32) = (6, 3);
/// Half the columns and rows of samples that a piece is compared with: four by two cells, and dark around them.
const AROUND: (i32, i32) = (9, 7);
/// How well the box must agree with a piece, and by how much better than with another.
const ALIKE: f32 = 0.62;
const AHEAD: f32 = 0.06;

/// The twenty visible rows, the top one first. Bit c of a row is column c.
pub(crate) type Rows = [u16; 20];

/// What a picture shows of the field.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct View {
    /// The solid cells.
    pub rows: Rows,
    /// How sure each cell is, 0 to 1.
    pub sure: [f32; 200],
    /// What the next box shows.
    pub next: NextBox,
}

/// What the next box shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextBox {
    /// A piece.
    Piece(Piece),
    /// Nothing at all.
    Empty,
    /// Something else, or it is outside the picture.
    Unknown,
}

/// How the light on the field differs from cell to cell: what a lamp adds to its darkest parts, and how bright the rim beside it is, as a part
/// of what it is elsewhere.
#[derive(Clone, Debug)]
struct Light {
    added: Vec<f32>,
    part: Vec<f32>,
    /// What is added where it is least.
    least: f32,
}

impl Light {
    /// Whether it is too uneven for one border between dark and solid cells.
    fn is_uneven(&self) -> bool {
        self.is_shaded() || self.is_added()
    }

    fn is_added(&self) -> bool {
        self.added.iter().any(|added| added - self.least > ADDED)
    }

    fn is_shaded(&self) -> bool {
        self.part.iter().any(|&part| part < SHADE)
    }

    /// The colour of a cell as it would be in an even light.
    fn even(&self, at: usize, [luma, blue, red]: [f32; 3]) -> [f32; 3] {
        let part = self.part[at];
        [self.least + (luma - self.added[at]) / part, blue / part, red / part]
    }
}

/// Reads the cells at a place, and learns what empty and solid cells look like.
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    place: Place,
    light: Option<Light>,
    cells: Vec<(Range<usize>, Range<usize>)>,
    /// The samples of the next box; empty if it is outside the picture.
    boxed: Vec<(Range<usize>, Range<usize>)>,
    /// The colour of the background.
    background: Option<[f32; 3]>,
    /// How often each difference from the background was seen.
    seen: [f32; 256],
    /// What was seen last.
    before: Rows,
    /// Where the piece is in the box, once it was found.
    beside: Option<(i32, i32)>,
    /// How well the box agreed with the piece that was seen in it last.
    alike: f32,
    /// Pictures so far.
    count: u32,
    /// What was counted in them, and in the last one.
    counts: Counts,
    /// The cells that are solid in the last picture, and those that are in one half alone, if it was looked at for that.
    halves: Option<(Rows, Rows)>,
    /// The solid cells when they were counted last.
    still: Rows,
    /// The pairs of cells as `counts` has them.
    pairs: (u64, u64),
}

/// What some pictures tell about whether a place is the field.
#[derive(Clone, Default, Debug)]
struct Counts {
    /// Solid cells, and how many of them are solid in one half alone.
    solid: u64,
    split: u64,
    /// The same of pieces in the air alone, in each row and then in each column.
    air: [(u32, u32); 30],
    /// Pairs of solid cells that touch, and how many of them have something brighter between them.
    touching: u64,
    bright_lines: u64,
}

impl Sampler {
    /// A reader of the cells at a place in pictures of this size. `None` if the field is not inside.
    pub fn new(place: &Place, size: (usize, usize)) -> Option<Self> {
        let mut cells = Vec::with_capacity(200);
        for row in 0..20 {
            for column in 0..10 {
                let span = |cell: i32| {
                    let corner = f64::from(8 * cell);
                    corner + MIDDLE.start..corner + MIDDLE.end
                };
                cells.push(place.pixels(size, span(column), span(row))?);
            }
        }
        let mut boxed = Vec::new();
        for y in BOX.1.step_by(GRAIN as usize) {
            for x in BOX.0.step_by(GRAIN as usize) {
                let span = |at: i32| f64::from(at)..f64::from(at + GRAIN);
                boxed.extend(place.pixels(size, span(x), span(y)));
            }
        }
        if boxed.len() != BOX.0.len().div_ceil(2) * BOX.1.len().div_ceil(2) {
            boxed.clear();
        }
        Some(Self {
            place: *place,
            light: None,
            cells,
            boxed,
            background: None,
            seen: [0.0; 256],
            before: [0; 20],
            beside: None,
            alike: 0.0,
            count: 0,
            counts: Counts::default(),
            halves: None,
            still: [0; 20],
            pairs: (0, 0),
        })
    }

    /// The same at the same place with left and right exchanged, whose colours it knows.
    pub fn mirrored(&self, place: &Place, size: (usize, usize)) -> Option<Self> {
        let Self { background, seen, count, .. } = *self;
        let mut counts = self.counts.clone();
        counts.air[20..].reverse();
        Some(Self { background, seen, count, counts, ..Self::new(place, size)? })
    }

    /// Goes to another place, where blocks look as they did here. Returns whether it is in a picture of this size.
    pub fn follow(&mut self, place: &Place, size: (usize, usize)) -> bool {
        let Some(new) = Self::new(place, size) else { return false };
        (self.place, self.cells, self.boxed) = (new.place, new.cells, new.boxed);
        true
    }

    /// Whether blocks are where the cells are: few cells are solid in one half alone.
    pub fn fits(&self) -> bool {
        self.split_part() <= MOST_SPLIT
    }

    /// The same of pieces in the air, in any few rows or columns. Where something that lies over one side is taken for the rim, or a row of blocks
    /// is, the cells in the middle are half a cell beside them. True where cells are too small to tell.
    pub fn fits_pieces(&self) -> bool {
        let fits = |lines: &[(u32, u32)]| {
            let (solid, split) = lines.iter().fold((0, 0), |sum, line| (sum.0 + line.0, sum.1 + line.1));
            solid < FEW_IN_AIR || f64::from(split) <= MOST_SPLIT_IN_AIR * f64::from(solid)
        };
        let (rows, columns) = self.counts.air.split_at(20);
        !self.is_large() || rows.windows(NEAR.0).all(fits) && columns.windows(NEAR.1).all(fits)
    }

    /// Whether nothing between two solid cells is brighter than they are, but for a few: there blocks have dark lines.
    pub fn is_dark_between(&self) -> bool {
        let Counts { touching, bright_lines, .. } = self.counts;
        bright_lines as f64 <= MOST_BRIGHT_LINES * touching as f64
    }

    /// The part of the solid cells that are solid in one half alone.
    pub fn split_part(&self) -> f64 {
        self.counts.split as f64 / self.counts.solid.max(1) as f64
    }

    /// Counts what the last picture tells about the place. Something lies over the hidden cells; few that are not on the board are those of
    /// the piece in the air.
    pub fn count(&mut self, board: Option<&Rows>, hidden: Option<&Rows>) {
        self.counts.touching += self.pairs.0;
        self.counts.bright_lines += self.pairs.1;
        let Some((solid, split)) = self.halves else { return };
        let number = |rows: &Rows| -> u32 {
            let free = rows.iter().enumerate().map(|(at, row)| row & !hidden.map_or(0, |hidden| hidden[at]));
            free.map(u16::count_ones).sum()
        };
        self.counts.solid += u64::from(number(&solid));
        self.counts.split += u64::from(number(&split));
        // The piece is no longer where it was.
        let still = std::mem::replace(&mut self.still, solid);
        let Some(board) = board else { return };
        let air: Rows = std::array::from_fn(|row| {
            solid[row] & !board[row] & !still[row] & !hidden.map_or(0, |hidden| hidden[row])
        });
        if air.iter().map(|row| row.count_ones()).sum::<u32>() > MOST_IN_AIR {
            return;
        }
        for at in (0..200).filter(|at| air[at / 10] >> (at % 10) & 1 == 1) {
            let is_split = u32::from(split[at / 10] >> (at % 10) & 1);
            for line in [at / 10, 20 + at % 10] {
                let count = &mut self.counts.air[line];
                *count = (count.0 + 1, count.1 + is_split);
            }
        }
    }

    /// How uneven the cells are: the sum of the differences between their halves. The least where blocks are where the cells are.
    pub fn unevenness(&self, picture: &Picture) -> f32 {
        let apart = |(columns, rows): &(Range<usize>, Range<usize>)| {
            let (x, y) = (columns.start + columns.len() / 2, rows.start + rows.len() / 2);
            let half = |columns: Range<usize>, rows: Range<usize>| picture.mean(&columns, &rows);
            let mut sum = 0.0;
            if columns.len() > 1 {
                sum += distance(half(columns.start..x, rows.clone()), half(x..columns.end, rows.clone()));
            }
            if rows.len() > 1 {
                sum += distance(half(columns.clone(), rows.start..y), half(columns.clone(), y..rows.end));
            }
            sum
        };
        self.cells.iter().map(apart).sum()
    }

    /// Whether something bright is seen along the whole field, as its rim is: no three cells in a row lack it.
    pub fn is_framed(&self, place: &Place, picture: &Picture) -> bool {
        let (Some(background), border) = (self.background, self.border()) else { return false };
        let least = (DIM.0 * border).max(DIM.1.min(border));
        let size = (picture.width(), picture.height());
        let is_bright = |side: usize, cell: usize, out: usize| {
            let (x, y) = beside(side, cell, out);
            let at = place.pixels(size, x, y);
            at.is_some_and(|(columns, rows)| distance(picture.mean(&columns, &rows), background) >= least)
        };
        let seen = along_sides(|side, cell| (0..RIM).any(|out| is_bright(side, cell, out)));
        !has_run(seen, (RIM_OTHER, RIM_OTHER + 1), |is_seen| !is_seen)
    }

    /// The rim at each cell along its four sides, from the field outwards.
    fn rim(&self, picture: &Picture) -> [Vec<[Option<[f32; 3]>; RIM]>; 4] {
        let size = (picture.width(), picture.height());
        let at = |side: usize, cell: usize, out: usize| {
            let (x, y) = beside(side, cell, out);
            self.place.pixels(size, x, y).map(|(columns, rows)| picture.mean(&columns, &rows))
        };
        along_sides(|side, cell| std::array::from_fn(|out| at(side, cell, out)))
    }

    /// Whether the rim looks alike along each of its sides, and its four sides alike: where it does not, something lies over it. True in a
    /// picture that is too small or unclear to tell.
    pub fn is_rim_even(&self, picture: &Picture) -> bool {
        if let Some(light) = &self.light {
            // What is darker than in a shadow may be something else.
            return light.is_added() || light.part.iter().all(|&part| part >= DEEPEST);
        }
        if !self.is_large() {
            return true;
        }
        let sides = self.rim(picture);
        let usual = sides.each_ref().map(|cells| -> Vec<[f32; 3]> {
            let at = |out: usize| cells.iter().map_while(move |cell| cell[out]);
            let seen = (0..RIM).take_while(|&out| at(out).count() == cells.len());
            seen.map(|out| [0, 1, 2].map(|part| median(at(out).map(|colour| colour[part])))).collect()
        });
        // Beyond its brightest line there may be anything.
        let usual = usual.map(|mut usual| {
            let brightest = (0..usual.len()).max_by(|&a, &b| usual[a][0].total_cmp(&usual[b][0]));
            usual.truncate(brightest.map_or(0, |brightest| brightest + 1));
            usual
        });
        let apart = [0, 1, 2, 3].map(|side| -> Vec<f32> {
            let (cells, usual) = (&sides[side], &usual[side]);
            let apart = |cell: &[Option<[f32; 3]>; RIM]| {
                let at = |out: usize, colour: &[f32; 3]| {
                    let near = out.saturating_sub(RIM_BESIDE)..=(out + RIM_BESIDE).min(cell.len() - 1);
                    let near = near.filter_map(|out| cell[out]).map(|seen| distance(seen, *colour));
                    near.fold(f32::INFINITY, f32::min)
                };
                usual.iter().enumerate().map(|(out, colour)| at(out, colour)).fold(0.0, f32::max)
            };
            cells.iter().map(apart).collect()
        });
        let usually = median(apart.iter().flatten().copied());
        if usually > RIM_UNCLEAR {
            // Where the place is not exact, the brightest at each cell tells as much.
            let brightest = sides.map(|cells| -> Vec<f32> {
                let brightest = |cell: &[Option<[f32; 3]>; RIM]| {
                    cell.iter().flatten().map(|colour| colour[0]).fold(0.0, f32::max)
                };
                cells.iter().map(brightest).collect()
            });
            let usual = median(brightest.iter().flatten().copied());
            return !has_run(brightest, (RIM_OTHER + 1, RIM_OTHER + 1), |&bright| bright < DIM_RIM * usual);
        }
        let most = RIM_APART.0.max(RIM_APART.1 * usually);
        let bright: Vec<[f32; 3]> = usual.iter().filter_map(|usual| usual.last().copied()).collect();
        let middle = [0, 1, 2].map(|part| median(bright.iter().map(|colour| colour[part])));
        let at_corner = RIM_OTHER + usize::from(usually > RIM_EXACT);
        !has_run(apart, (RIM_OTHER, at_corner), |&apart| apart > most)
            && bright.iter().all(|&colour| distance(colour, middle) <= SIDE_APART)
    }

    /// Whether the empty cells are of one darkness, or one that changes slowly, and no cell is cut. If not, something may lie over them. True where the
    /// light is uneven, and in a picture that is too small to tell.
    pub fn is_clear(&self, picture: &Picture, rows: &Rows) -> bool {
        if self.light.is_some() || !self.is_large() {
            return true;
        }
        self.edges(picture, rows) < EDGES && self.cut(picture, rows) < CUT
    }

    /// How many edges there are between empty cells.
    fn edges(&self, picture: &Picture, rows: &Rows) -> usize {
        // Colours run out of blocks into what is beside them.
        let is_alone = |at: usize| {
            let (row, column) = (at / 10, at % 10);
            let near = rows[row.saturating_sub(1)..(row + 2).min(20)].iter().fold(0, |all, row| all | row);
            near & (0b111 << column >> 1) == 0
        };
        let colours: Vec<Option<[f32; 3]>> = self
            .cells
            .iter()
            .enumerate()
            .map(|(at, (columns, rows))| is_alone(at).then(|| picture.mean(columns, rows)))
            .collect();
        let mut edges = Vec::new();
        for at in 0..200_usize {
            for (step, place, most) in [(1, at % 10, 10), (10, at / 10, 20)] {
                let of = |number: isize| -> Option<[f32; 3]> {
                    let inside = (0..most).contains(&(place as isize + number));
                    inside.then(|| colours[at.wrapping_add_signed(number * step)]).flatten()
                };
                let apart = |number: isize| Some(distance(of(number)?, of(number + 2)?));
                let Some(across) = apart(0) else { continue };
                let beside = [apart(-2), apart(2)].into_iter().flatten().reduce(f32::max);
                edges.extend(beside.map(|beside| (across, across - beside)));
            }
        }
        let usual = median(edges.iter().map(|(across, _)| *across));
        let least = EDGE.0.max(EDGE.1 * usual);
        edges.iter().filter(|(_, edge)| *edge > least).count()
    }

    /// How many solid cells have a dark quarter, and empty ones a solid one.
    fn cut(&self, picture: &Picture, rows: &Rows) -> usize {
        let Some(background) = self.background else { return 0 };
        let (border, size) = (self.border(), (picture.width(), picture.height()));
        let middle = f64::midpoint(QUARTERS.start, QUARTERS.end);
        let is_cut = |at: &usize| {
            let (row, column) = (at / 10, at % 10);
            let quarters = [QUARTERS.start..middle, middle..QUARTERS.end];
            let of = |cell: usize, part: &Range<f64>| {
                let corner = 8.0 * cell as f64;
                corner + part.start..corner + part.end
            };
            let all = quarters.iter().flat_map(|x| quarters.iter().map(move |y| (of(column, x), of(row, y))));
            let all = all.filter_map(|(x, y)| self.place.pixels(size, x, y));
            let mut apart = all.map(|(columns, rows)| distance(picture.mean(&columns, &rows), background));
            if rows[row] >> column & 1 == 1 {
                apart.any(|apart| apart < DARK_QUARTER * border)
            } else {
                apart.any(|apart| apart >= border)
            }
        };
        (0..200).filter(is_cut).count()
    }

    /// Whether the solid cells of a picture have a dark line between them, as blocks do. They have if all are alike; if some have one and
    /// others that touch do not, those may be something else that lies over the field.
    pub fn is_lined(&self, picture: &Picture, rows: &Rows) -> bool {
        // A lamp's glare and something bright that lies there look alike.
        if self.light.as_ref().is_some_and(Light::is_added) {
            return false;
        }
        let lines = self.lines(picture, rows);
        let flat = lines.iter().filter(|&&depth| depth < FLAT.0).count();
        let deep = lines.iter().filter(|&&depth| depth > FLAT.1).count();
        flat < FEW || deep == 0
    }

    /// How dark the line between two solid cells that touch is, for each such pair: 0 as they are, 1 as the background is. None in a
    /// picture that is too small for that.
    fn lines(&self, picture: &Picture, rows: &Rows) -> Vec<f32> {
        let place = &self.place;
        let Some(background) = self.background.filter(|_| self.is_large()) else { return Vec::new() };
        let size = (picture.width(), picture.height());
        let is_solid = |row: usize, column: usize| rows[row] >> column & 1 == 1;
        let apart = |(columns, rows): &(Range<usize>, Range<usize>)| {
            distance(picture.mean(columns, rows), background)
        };
        let edge = |cell: usize| 8.0 * cell as f64;
        let inside = |cell: usize| edge(cell) + MIDDLE.start..edge(cell) + MIDDLE.end;
        let of = |x, y| place.pixels(size, x, y).map(|part| apart(&part));
        let mut all = Vec::new();
        for (row, column) in
            (0..200).map(|at| (at / 10, at % 10)).filter(|&(row, column)| is_solid(row, column))
        {
            let mut add = |line: f32, other: usize| {
                let solid = apart(&self.cells[10 * row + column]).min(apart(&self.cells[other]));
                all.push(1.0 - line / solid.max(1.0));
            };
            if column > 0 && is_solid(row, column - 1) {
                add(darkest(edge(column), &|x| of(x, inside(row))), 10 * row + column - 1);
            }
            if row > 0 && is_solid(row - 1, column) {
                add(darkest(edge(row), &|y| of(inside(column), y)), 10 * (row - 1) + column);
            }
        }
        all
    }

    /// Whether cells are large enough for what is between them to be seen.
    fn is_large(&self) -> bool {
        let [.., width, height] = self.place.bounds();
        width.min(height / 2.0) >= 10.0 * LEAST_LINED
    }

    /// Whether a part of the field is in a shadow, as far as this reader knows.
    pub fn is_shaded(&self) -> bool {
        self.light.as_ref().is_some_and(Light::is_shaded)
    }

    /// The same reader for a picture in which the light is uneven, as a lamp's glare and a shadow make it. Each cell is dark at its right
    /// and at its lower edge, and the rim is of one brightness. `None` if the light is even, or nothing is known of it.
    pub fn in_uneven_light(&self, picture: &Picture) -> Option<Self> {
        let size = (picture.width(), picture.height());
        if !self.is_large() {
            return None;
        }
        let edge = |cell: usize| 8.0 * cell as f64;
        let inside = |cell: usize| edge(cell) + MIDDLE.start..edge(cell) + MIDDLE.end;
        let of = |x, y| self.place.pixels(size, x, y).map(|(columns, rows)| picture.mean(&columns, &rows)[0]);
        let mut added = Vec::with_capacity(200);
        for (at, (columns, rows)) in self.cells.iter().enumerate() {
            let (row, column) = (at / 10, at % 10);
            let upright = |line: usize| darkest(edge(line), &|x| of(x, inside(row)));
            let level = |line: usize| darkest(edge(line), &|y| of(inside(column), y));
            let mut sides = vec![upright(column + 1), level(row + 1)];
            sides.extend((column > 0).then(|| upright(column)));
            sides.extend((row > 0).then(|| level(row)));
            let mean = sides.iter().sum::<f32>() / sides.len() as f32;
            added.push(mean.min(picture.mean(columns, rows)[0]));
        }
        // The brightest beside each cell at an edge.
        let rim = self.rim(picture);
        let bright = along_sides(|side, cell| -> f32 {
            let at = [10 * cell, 10 * cell + 9, cell, 190 + cell][side];
            let bright = rim[side][cell].iter().flatten().map(|colour| colour[0]).fold(0.0, f32::max);
            (bright - added[at]).max(0.0)
        });
        // The middle one of three: a rim has a pattern.
        let sides = along_sides(|side, cell| {
            let all = &bright[side];
            median(all[cell.saturating_sub(1)..(cell + 2).min(all.len())].iter().copied())
        });
        let mut all: Vec<f32> = sides.iter().flatten().copied().collect();
        all.sort_by(f32::total_cmp);
        let usual = all[3 * all.len() / 4].max(1.0);
        let [left, right, upper, lower] = [0, 1, 2, 3].map(|side| &sides[side]);
        let between = |a: f32, b: f32, part: f32| a + (b - a) * part;
        // The surface between four sides (Coons 1967).
        let part = |at: usize| {
            let (row, column) = (at / 10, at % 10);
            let (x, y) = (column as f32 / 9.0, row as f32 / 19.0);
            let corners = between(between(left[0], right[0], x), between(left[19], right[19], x), y);
            let sides = between(left[row], right[row], x) + between(upper[column], lower[column], y);
            (sides - corners) / usual
        };
        let part: Vec<f32> = (0..200).map(part).collect();
        if part.iter().any(|&part| part < DARKEST) {
            return None;
        }
        let part = part.into_iter().map(|part| part.min(1.0)).collect();
        let mut order = added.clone();
        order.sort_by(f32::total_cmp);
        let light = Light { added, part, least: order[order.len() / 10] };
        light.is_uneven().then(|| Self {
            light: Some(light),
            ..Self::new(&self.place, size).unwrap_or_else(|| self.clone())
        })
    }

    /// Counts the cells that are solid, and those that are in one half alone.
    fn halve(&mut self, picture: &Picture, (background, border): ([f32; 3], f32)) {
        let apart = |at: usize, columns: &Range<usize>, rows: &Range<usize>| {
            let colour = picture.mean(columns, rows);
            distance(self.light.as_ref().map_or(colour, |light| light.even(at, colour)), background)
        };
        let (mut all_split, mut all_solid) = ([0; 20], [0; 20]);
        for (at, (columns, rows)) in self.cells.iter().enumerate() {
            let (x, y) = (columns.start + columns.len() / 2, rows.start + rows.len() / 2);
            let halves = [
                (&(columns.start..x), rows),
                (&(columns.end - columns.len() / 2..columns.end), rows),
                (columns, &(rows.start..y)),
                (columns, &(rows.end - rows.len() / 2..rows.end)),
            ];
            // A cell of one column has no halves.
            let all = apart(at, columns, rows);
            let [left, right, upper, lower] = halves.map(|(columns, rows)| {
                let is_none = columns.is_empty() || rows.is_empty();
                if is_none { all } else { apart(at, columns, rows) }
            });
            let differ = |a: f32, b: f32| (a >= border) != (b >= border) && (a - b).abs() > border;
            let is_split = differ(left, right) || differ(upper, lower);
            all_split[at / 10] |= u16::from(is_split) << (at % 10);
            all_solid[at / 10] |= u16::from(is_split || all >= border) << (at % 10);
        }
        self.halves = Some((all_solid, all_split));
    }

    /// How well the next box agreed with the piece that was seen in it last, 0 to 1; 0 if there was none.
    pub const fn alike(&self) -> f32 {
        self.alike
    }

    /// Whether the next box is inside the picture.
    pub const fn has_box(&self) -> bool {
        !self.boxed.is_empty()
    }

    /// Reads a picture; its next box only if so. Two views if it shows two fields, half a picture apart: cells that are solid in
    /// the even rows alone or in the odd ones alone. The field that is more like the view before is the first.
    pub fn views(&mut self, picture: &Picture, with_box: bool) -> (View, Option<View>) {
        let mut fields: Vec<[[f32; 3]; 2]> =
            self.cells.iter().map(|(columns, rows)| picture.means(columns, rows)).collect();
        if let Some(light) = &self.light {
            for (at, fields) in fields.iter_mut().enumerate() {
                *fields = fields.map(|colour| light.even(at, colour));
            }
        }
        // Too few rows show no fields.
        let is_fine = self.cells.iter().all(|(_, rows)| rows.len() >= FIELD_ROWS);
        let both = |[even, odd]: &[[f32; 3]; 2], rows: &Range<usize>| {
            let part = rows.clone().filter(|y| y % 2 == 1).count() as f32 / rows.len() as f32;
            [0, 1, 2].map(|at| even[at] + (odd[at] - even[at]) * part)
        };
        let colours: Vec<[f32; 3]> =
            fields.iter().zip(&self.cells).map(|(fields, (_, rows))| both(fields, rows)).collect();
        let background = self.background(&colours);
        let apart: Vec<f32> = colours.iter().map(|colour| distance(*colour, background)).collect();
        for seen in &mut self.seen {
            *seen *= FADES;
        }
        for &apart in &apart {
            self.seen[(apart as usize).min(255)] += 1.0;
        }
        let border = self.border();
        (self.halves, self.pairs) = (None, (0, 0));
        if self.count.is_multiple_of(HALVED) {
            self.halve(picture, (background, border));
        }
        self.count = self.count.wrapping_add(1);
        let lined = self.count % LOOKED_BETWEEN == 1;
        let next = if with_box { self.next_box(picture, background, border) } else { NextBox::Unknown };
        let view = |apart: &[f32]| {
            let (mut rows, mut sure) = ([0; 20], [0.0; 200]);
            for (at, &apart) in apart.iter().enumerate() {
                rows[at / 10] |= u16::from(apart >= border) << (at % 10);
                sure[at] = ((apart - border).abs() / (0.5 * border)).clamp(0.05, 1.0);
            }
            View { rows, sure, next }
        };
        let is_combed = is_fine
            && fields.iter().any(|[even, odd]| {
                let [a, b] = [even, odd].map(|field| distance(*field, background));
                (a >= border) != (b >= border) && (a - b).abs() > COMBED * border
            });
        let (first, second) = if is_combed {
            let of = |odd: usize| -> View {
                let apart: Vec<f32> = fields.iter().map(|field| distance(field[odd], background)).collect();
                view(&apart)
            };
            let (even, odd) = (of(0), of(1));
            let changes = |view: &View| -> u32 {
                view.rows.iter().zip(&self.before).map(|(a, b)| (a ^ b).count_ones()).sum()
            };
            if changes(&odd) < changes(&even) { (odd, Some(even)) } else { (even, Some(odd)) }
        } else {
            (view(&apart), None)
        };
        self.before = second.as_ref().unwrap_or(&first).rows;
        if lined {
            let lines = self.lines(picture, &first.rows);
            let bright = lines.iter().filter(|&&depth| depth < BRIGHT_LINE).count();
            self.pairs = (lines.len() as u64, bright as u64);
        }
        (first, second)
    }

    /// The colour of empty cells: the darkest are averaged, and followed slowly so that a flash and a full field change little.
    fn background(&mut self, colours: &[[f32; 3]]) -> [f32; 3] {
        let mut order: Vec<&[f32; 3]> = colours.iter().collect();
        order.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let dark = &order[..order.len() / 8];
        let mean =
            [0, 1, 2].map(|part| dark.iter().map(|colour| colour[part]).sum::<f32>() / dark.len() as f32);
        let known = self.background.get_or_insert(mean);
        let speed = if mean[0] < known[0] {
            0.2
        } else if mean[0] < known[0] + 12.0 {
            0.02
        } else {
            0.002
        };
        for (known, mean) in known.iter_mut().zip(mean) {
            *known += speed * (mean - *known);
        }
        *known
    }

    /// The difference from the background at which a cell is solid: where the fewest cells are, between those that are dark
    /// and those that are not.
    fn border(&self) -> f32 {
        let all: f32 = self.seen.iter().sum();
        let mut above = 0.0;
        // The brightest blocks.
        let bright = (0..256).rev().find(|&at| {
            above += self.seen[at];
            above > 0.005 * all
        });
        let bright = bright.unwrap_or(255).max(40);
        let (least, most) = ((bright / 9).max(SOLID.start), (bright / 2).clamp(SOLID.start + 4, SOLID.end));
        let smooth = |at: usize| -> f32 { self.seen[at.saturating_sub(3)..(at + 4).min(256)].iter().sum() };
        let fewest = (least..most).map(smooth).fold(f32::INFINITY, f32::min);
        let flat: Vec<usize> = (least..most).filter(|&at| smooth(at) <= fewest + 0.01).collect();
        // Of equally good ones a third of the way up: dark colours are nearer to the background than noise.
        let at = flat.get(flat.len() / 3).copied().unwrap_or(least);
        at as f32
    }

    /// What the next box shows.
    fn next_box(&mut self, picture: &Picture, background: [f32; 3], border: f32) -> NextBox {
        if self.boxed.is_empty() {
            return NextBox::Unknown;
        }
        let columns = BOX.0.len().div_ceil(2);
        let seen: Vec<f32> = self
            .boxed
            .iter()
            .map(|(across, down)| {
                (distance(picture.mean(across, down), background) / (2.0 * border)).min(1.0)
            })
            .collect();
        let shifts = match self.beside {
            // Not all cartridges draw all pieces at the same height.
            Some((x, y)) => (x - 1..=x + 1, y - 2..=y + 2),
            None => (-BESIDE.0..=BESIDE.0, -BESIDE.1..=BESIDE.1),
        };
        // How well each piece agrees at best, and where.
        let mut most = Piece::ALL.map(|_| (0.0, (0, 0)));
        let shapes = Piece::ALL.map(samples);
        for x in shifts.0 {
            for y in shifts.1.clone() {
                let all = Around::of(&seen, columns, (x, y));
                for (most, shape) in most.iter_mut().zip(&shapes) {
                    let alike = all.alike(&seen, columns, shape, (x, y));
                    if alike > most.0 {
                        *most = (alike, (x, y));
                    }
                }
            }
        }
        // The best agreement, and the best of another piece.
        let (mut best, mut second) = ((0.0, None, (0, 0)), 0.0f32);
        for (piece, most) in Piece::ALL.into_iter().zip(most) {
            if most.0 > best.0 {
                second = best.0;
                best = (most.0, Some(piece), most.1);
            } else {
                second = second.max(most.0);
            }
        }
        if let (alike, Some(piece), beside) = best
            && alike >= ALIKE
            && alike >= second + AHEAD
        {
            self.beside.get_or_insert(beside);
            self.alike = alike;
            return NextBox::Piece(piece);
        }
        // The middle of the box.
        let (right, down) = self.beside.unwrap_or_default();
        let middle = ((CENTRE.0 - BOX.0.start) / GRAIN + right, (CENTRE.1 - BOX.1.start) / GRAIN + down);
        let dark = (0..seen.len()).filter(|at| {
            let (x, y) = ((at % columns) as i32, (at / columns) as i32);
            (-5..5).contains(&(x - middle.0)) && (-4..4).contains(&(y - middle.1))
        });
        let (mut count, mut solid) = (0, 0);
        for at in dark {
            count += 1;
            solid += usize::from(seen[at] >= 0.5);
        }
        if solid * 40 < count { NextBox::Empty } else { NextBox::Unknown }
    }
}

/// The pixels of the console beside a cell at a side of the field, `out` pixels from it. Sides: left, right, above, below.
fn beside(side: usize, cell: usize, out: usize) -> (Range<f64>, Range<f64>) {
    let along = 8.0 * cell as f64 + MIDDLE.start..8.0 * cell as f64 + MIDDLE.end;
    let ((across, down), out) = (FIELD, out as f64);
    match side {
        0 => (-1.0 - out..-out, along),
        1 => (across + out..across + out + 1.0, along),
        2 => (along, -1.0 - out..-out),
        _ => (along, down + out..down + out + 1.0),
    }
}

/// Something of each cell at each side of the field: left, right, above, below.
fn along_sides<T>(of: impl Fn(usize, usize) -> T) -> [Vec<T>; 4] {
    [(0, 20), (1, 20), (2, 10), (3, 10)].map(|(side, cells)| (0..cells).map(|cell| of(side, cell)).collect())
}

/// Whether this is so of a number of cells in a row, along a side of the rim or around a corner, where a turned photo is not exact: the two numbers.
/// Sides: left, right, above, below.
fn has_run<T>(sides: [Vec<T>; 4], (on_side, at_corner): (usize, usize), is_so: impl Fn(&T) -> bool) -> bool {
    let [left, right, above, below] = sides.map(|side| side.iter().map(&is_so).collect::<Vec<bool>>());
    let all = |cells: &[bool]| cells.iter().all(|&is_so| is_so);
    let around = above.iter().chain(&right).chain(below.iter().rev()).chain(left.iter().rev());
    let around: Vec<bool> = around.copied().collect();
    [&left, &right, &above, &below].into_iter().any(|side| side.windows(on_side).any(all))
        || (0..around.len()).any(|from| (from..from + at_corner).all(|at| around[at % around.len()]))
}

/// The middle one of some numbers; 0 of none.
fn median(all: impl Iterator<Item = f32>) -> f32 {
    let mut all: Vec<f32> = all.collect();
    all.sort_by(f32::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

/// The darkest of some lines beside an edge between cells.
fn darkest(edge: f64, line: &dyn Fn(Range<f64>) -> Option<f32>) -> f32 {
    let steps = (0..LINE_STEPS).map(|step| edge + LINE_FROM + LINE_STEP * f64::from(step));
    steps.filter_map(|from| line(from..from + LINE_STEP)).fold(f32::INFINITY, f32::min)
}

/// How much two colours differ: brightness, and colour at its full weight.
fn distance(colour: [f32; 3], other: [f32; 3]) -> f32 {
    let [luma, blue, red] = [0, 1, 2].map(|part| (colour[part] - other[part]).abs());
    (luma + 0.6 * (blue + red)).min(255.0)
}

/// The samples that a piece in the middle of the box covers: the first column and row of each of its cells, which are of four by four.
fn samples(piece: Piece) -> [(i32, i32); 4] {
    let cells = piece.spawn().cells();
    let span = |part: fn(&(i8, i8)) -> i8| {
        let all = || cells.iter().map(part).map(i32::from);
        (all().min().unwrap_or(0), all().max().unwrap_or(0))
    };
    let ((least, most), (upper, lower)) = (span(|cell| cell.0), span(|cell| cell.1));
    // The corner of the piece's cell (0, 0), in samples from the corner of the box.
    let corner = (
        (CENTRE.0 - BOX.0.start - 4 * (most - least + 1)) / GRAIN - 4 * least,
        (CENTRE.1 - BOX.1.start - 4 * (lower - upper + 1)) / GRAIN - 4 * upper,
    );
    [0, 1, 2, 3].map(|at| (corner.0 + 4 * i32::from(cells[at].0), corner.1 + 4 * i32::from(cells[at].1)))
}

/// What is known of the samples around the middle of the box, whichever piece they are compared with.
struct Around {
    columns: Range<usize>,
    rows: Range<usize>,
    sum: f32,
    /// The sum of the squares of their differences from the mean.
    spread: f32,
}

impl Around {
    /// Those around a middle that is shifted by this many samples.
    fn of(seen: &[f32], columns: usize, (x, y): (i32, i32)) -> Self {
        let centre = ((CENTRE.0 - BOX.0.start) / GRAIN + x, (CENTRE.1 - BOX.1.start) / GRAIN + y);
        let span = |centre: i32, around: i32, most: usize| {
            (centre - around).max(0) as usize..((centre + around).max(0) as usize).min(most)
        };
        let rows = span(centre.1, AROUND.1, seen.len() / columns);
        let across = span(centre.0, AROUND.0, columns);
        let (mut sum, mut squares) = (0.0, 0.0);
        for row in rows.clone() {
            for value in &seen[row * columns + across.start..row * columns + across.end] {
                sum += value;
                squares += value * value;
            }
        }
        let spread = squares - sum * sum / (rows.len() * across.len()).max(1) as f32;
        Self { columns: across, rows, sum, spread }
    }

    /// How well they agree with a piece that covers these samples, shifted as they are: the correlation.
    fn alike(&self, seen: &[f32], columns: usize, shape: &[(i32, i32); 4], (x, y): (i32, i32)) -> f32 {
        let (mut both, mut solid) = (0.0, 0.0);
        for corner in shape {
            for row in (corner.1 + y..corner.1 + y + 4).map(|row| row as usize) {
                for column in (corner.0 + x..corner.0 + x + 4).map(|column| column as usize) {
                    if self.rows.contains(&row) && self.columns.contains(&column) {
                        both += seen[row * columns + column];
                        solid += 1.0;
                    }
                }
            }
        }
        let n = (self.rows.len() * self.columns.len()) as f32;
        if n < 1.0 {
            return 0.0;
        }
        let spread = self.spread * (solid - solid * solid / n);
        if spread <= 1e-6 { 0.0 } else { (both - self.sum * solid / n) / spread.sqrt() }
    }
}
