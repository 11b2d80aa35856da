//! Where pieces lock, as a picture: [`HeatMap::of`] draws a field for all pieces and one for each of the seven, as
//! [`HeatMap::svg`] or as pixels ([`HeatMap::canvas`]).

use plotters::prelude::*;

use crate::measure::rows::LockRows;
use maxout::export::pictures::canvas::{Canvas, Colour, Rect};
use maxout::export::pictures::font;
use maxout::words::number;
use maxout_rules::Piece;

/// Pixels of a cell, both ways.
const CELL: usize = 8;
/// Left of a field the numbers of its rows, above it its name.
const LEFT: usize = 22;
const ABOVE: usize = 30;
/// Fields side by side.
const ACROSS: usize = 4;
/// Pixels of the pictures for each of ours.
const SCALE: usize = 2;
const PAPER: Colour = [255; 3];
const INK: Colour = [0; 3];
/// A cell in which nothing locked.
const COLD: Colour = [24, 20, 40];
/// From one lock to the most.
const HEAT: [Colour; 5] = [[60, 20, 90], [140, 30, 110], [220, 70, 70], [250, 150, 40], [255, 245, 160]];

/// A picture of boxes and texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeatMap {
    width: usize,
    height: usize,
    boxes: Vec<(Rect, Colour)>,
    texts: Vec<(usize, usize, String)>,
}

impl HeatMap {
    /// The picture of these locks. A cell's colour goes with the logarithm of its locks, each field from one lock
    /// to its own most.
    pub fn of(locks: &LockRows, title: &str) -> Self {
        let (across, down) = (LEFT + 10 * CELL, ABOVE + 20 * CELL);
        let width = ACROSS * across + 10;
        let mut heat = Self { width, height: 2 * down + 34, boxes: Vec::new(), texts: Vec::new() };
        heat.texts.push((LEFT, 6, title.to_owned()));
        let fields = std::iter::once(None).chain(Piece::ALL.map(Some));
        for (i, piece) in fields.enumerate() {
            let (x, y) = (i % ACROSS * across + LEFT, i / ACROSS * down + ABOVE);
            heat.field(x, y, piece, &locks.map(piece));
        }
        let y = 2 * down + 16;
        heat.texts.push((LEFT, y, "1 lock".to_owned()));
        for step in 0..64 {
            let rect = Rect { x: LEFT + 44 + 2 * step, y, width: 2, height: font::HEIGHT };
            heat.boxes.push((rect, colour(step as f64 / 63.0)));
        }
        heat.texts.push((LEFT + 180, y, "most locks, logarithmic".to_owned()));
        heat
    }

    fn field(&mut self, x: usize, y: usize, piece: Option<Piece>, map: &[[u64; 10]; 20]) {
        let most = map.as_flattened().iter().copied().max().unwrap_or(0);
        let name = piece.map_or_else(|| "all".to_owned(), |piece| piece.to_string());
        self.texts.push((x, y - 10, format!("{name}: {}", number(map.as_flattened().iter().sum::<u64>()))));
        self.boxes.push((Rect { x, y, width: 10 * CELL, height: 20 * CELL }, COLD));
        for (row, counts) in map.iter().enumerate() {
            if row % 5 == 4 || row == 0 {
                let number = row.to_string();
                self.texts.push((x - 3 - font::width(&number), y + row * CELL, number));
            }
            for (column, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let heat = if most > 1 { (count as f64).ln() / (most as f64).ln() } else { 1.0 };
                let rect = Rect { x: x + column * CELL, y: y + row * CELL, width: CELL, height: CELL };
                self.boxes.push((rect, colour(heat)));
            }
        }
    }

    /// As SVG. An error only says that the drawing failed.
    pub fn svg(&self) -> Result<String, String> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| error.to_string())?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let scaled = |pixels: usize| (SCALE * pixels) as i32;
        let size = (scaled(self.width) as u32, scaled(self.height) as u32);
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        area.fill(&rgb(PAPER))?;
        for (Rect { x, y, width, height }, colour) in &self.boxes {
            let corners = [(scaled(*x), scaled(*y)), (scaled(x + width), scaled(y + height))];
            area.draw(&Rectangle::new(corners, rgb(*colour).filled()))?;
        }
        // As high as our own letters, whose capitals fill their rows.
        let style = ("monospace", scaled(font::HEIGHT)).into_font().color(&rgb(INK));
        for (x, y, text) in &self.texts {
            area.draw_text(text, &style, (scaled(*x), scaled(*y)))?;
        }
        area.present()?;
        Ok(())
    }

    /// As pixels.
    pub fn canvas(&self) -> Canvas {
        let mut canvas = Canvas::new(self.width, self.height, PAPER);
        for (rect, colour) in &self.boxes {
            canvas.fill(*rect, *colour);
        }
        for (x, y, text) in &self.texts {
            font::write(&mut canvas, *x, *y, text, INK);
        }
        let (width, height) = (canvas.width() * SCALE, canvas.height() * SCALE);
        canvas.stretched(width, height)
    }
}

fn rgb([red, green, blue]: Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

/// The colour of a heat from 0 to 1.
fn colour(heat: f64) -> Colour {
    let place = heat.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let from = (place as usize).min(HEAT.len() - 2);
    let part = place - from as f64;
    std::array::from_fn(|i| {
        let (low, high) = (f64::from(HEAT[from][i]), f64::from(HEAT[from + 1][i]));
        (low + (high - low) * part).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::{Orientation, Placement};

    #[test]
    fn the_cell_with_the_most_locks_is_hottest_in_both_pictures_and_others_are_cold() {
        let mut locks = LockRows::default();
        locks.add(Placement { x: 5, y: 19, orientation: Orientation::IHorizontal }, false);
        let heat = HeatMap::of(&locks, "I, once");
        let canvas = heat.canvas();
        let pixel = |column: usize, row: usize| {
            let (x, y) = (SCALE * (LEFT + column * CELL), SCALE * (ABOVE + row * CELL));
            canvas.pixels()[y * canvas.width() + x]
        };
        assert_eq!((pixel(5, 19), pixel(4, 19)), (HEAT[4], COLD));
        let svg = heat.svg().expect("a picture");
        assert!(svg.starts_with("<svg") && svg.contains("I, once") && svg.contains("#FFF5A0"), "{svg}");
        assert!(HeatMap::of(&LockRows::default(), "").svg().is_ok());
    }
}
