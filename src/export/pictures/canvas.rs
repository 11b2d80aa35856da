//! [`Canvas`]: pixels to draw on, and [`Palette`], the exact list of their colours.

use rustc_hash::FxHashMap;

use maxout_host::Screen;
use maxout_host::screen::WIDTH;

/// Red, green, blue.
pub type Colour = [u8; 3];

/// A rectangle of pixels; x and y are those of its upper left corner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rect {
    /// Columns to its left.
    pub x: usize,
    /// Rows above it.
    pub y: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// Pixels, top row first.
#[derive(Clone, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    pixels: Vec<Colour>,
}

impl Canvas {
    /// All of one colour.
    pub fn new(width: usize, height: usize, colour: Colour) -> Self {
        Self { width, pixels: vec![colour; width * height] }
    }

    /// Columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.pixels.len() / self.width.max(1)
    }

    /// All of it.
    pub fn bounds(&self) -> Rect {
        Rect { x: 0, y: 0, width: self.width, height: self.height() }
    }

    /// The pixels, top row first.
    pub fn pixels(&self) -> &[Colour] {
        &self.pixels
    }

    /// The pixels of a rectangle that lies inside, top row first.
    pub fn pixels_in(&self, rect: Rect) -> impl Iterator<Item = Colour> + '_ {
        (rect.y..rect.y + rect.height)
            .flat_map(move |y| &self.pixels[y * self.width + rect.x..][..rect.width])
            .copied()
    }

    /// Colours one pixel; nothing happens outside.
    pub fn set(&mut self, x: usize, y: usize, colour: Colour) {
        if x < self.width
            && let Some(pixel) = self.pixels.get_mut(y * self.width + x)
        {
            *pixel = colour;
        }
    }

    /// Colours a rectangle; nothing happens outside.
    pub fn fill(&mut self, rect: Rect, colour: Colour) {
        for y in rect.y..rect.y + rect.height {
            for x in rect.x..rect.x + rect.width {
                self.set(x, y, colour);
            }
        }
    }

    /// Puts a picture with its upper left corner at (x, y).
    pub fn put(&mut self, x: usize, y: usize, picture: &Self) {
        for (row, pixels) in picture.pixels.chunks_exact(picture.width.max(1)).enumerate() {
            for (column, &colour) in pixels.iter().enumerate() {
                self.set(x + column, y + row, colour);
            }
        }
    }

    /// A rectangle that lies inside, as a picture of its own.
    pub fn cut(&self, rect: Rect) -> Self {
        Self { width: rect.width, pixels: self.pixels_in(rect).collect() }
    }

    /// Enlarged to this size: each new pixel is the one in which its centre lies.
    pub fn stretched(self, width: usize, height: usize) -> Self {
        if (width, height) == (self.width, self.height()) {
            return self;
        }
        let from = |new: usize, news: usize, olds: usize| (2 * new + 1) * olds / (2 * news);
        let columns: Vec<usize> = (0..width).map(|x| from(x, width, self.width)).collect();
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let row = &self.pixels[from(y, height, self.height()) * self.width..][..self.width];
            pixels.extend(columns.iter().map(|&x| row[x]));
        }
        Self { width, pixels }
    }

    /// The smallest rectangle outside of which `before`, a picture of the same size, is the same; one pixel if
    /// all is.
    pub fn changes_since(&self, before: &Self) -> Rect {
        let (mut left, mut right) = (usize::MAX, 0);
        let (mut top, mut bottom) = (usize::MAX, 0);
        for (place, (now, was)) in self.pixels.iter().zip(&before.pixels).enumerate() {
            if now != was {
                let (x, y) = (place % self.width, place / self.width);
                (left, right) = (left.min(x), right.max(x));
                (top, bottom) = (top.min(y), bottom.max(y));
            }
        }
        if left > right {
            return Rect { x: 0, y: 0, width: 1, height: 1 };
        }
        Rect { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
    }
}

impl From<&Screen> for Canvas {
    fn from(picture: &Screen) -> Self {
        let pixels = picture.rgba().chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Self { width: WIDTH, pixels }
    }
}

/// Up to 256 colours in the order in which they were first seen.
#[derive(Clone, Default)]
pub struct Palette {
    colours: Vec<Colour>,
    places: FxHashMap<Colour, u8>,
}

impl Palette {
    /// The colour's place in the list, to which it is added if it is new; none if 256 others are there.
    pub fn place(&mut self, colour: Colour) -> Option<u8> {
        if let Some(&place) = self.places.get(&colour) {
            return Some(place);
        }
        let place = u8::try_from(self.colours.len()).ok()?;
        self.colours.push(colour);
        self.places.insert(colour, place);
        Some(place)
    }

    /// Number of colours.
    pub fn len(&self) -> usize {
        self.colours.len()
    }

    /// Whether the rectangle is empty.
    pub fn is_empty(&self) -> bool {
        self.colours.is_empty()
    }

    /// Three bytes a colour.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changed_rectangle_holds_every_changed_pixel_and_no_more() {
        let before = Canvas::new(8, 6, [0; 3]);
        assert_eq!(before.changes_since(&before), Rect { x: 0, y: 0, width: 1, height: 1 });
        let mut after = before.clone();
        after.set(6, 1, [1; 3]);
        after.set(2, 4, [1; 3]);
        let rect = after.changes_since(&before);
        assert_eq!(rect, Rect { x: 2, y: 1, width: 5, height: 4 });
        let mut patched = before;
        patched.put(rect.x, rect.y, &after.cut(rect));
        assert!(patched == after);
    }

    #[test]
    fn a_pixel_becomes_a_square() {
        let mut dot = Canvas::new(2, 1, [0; 3]);
        dot.set(1, 0, [9; 3]);
        let big = dot.stretched(6, 3);
        assert_eq!((big.width(), big.height()), (6, 3));
        let lit = Rect { x: 3, y: 0, width: 3, height: 3 };
        assert!(big.pixels_in(lit).all(|pixel| pixel == [9; 3]));
        assert_eq!(big.pixels().iter().filter(|pixel| **pixel == [9; 3]).count(), 9);
    }

    #[test]
    fn a_palette_refuses_the_257th_colour() {
        let mut palette = Palette::default();
        for n in 0..=255 {
            assert_eq!(palette.place([n, 0, 0]), Some(n));
        }
        assert_eq!(palette.place([0, 1, 0]), None);
        assert_eq!(palette.place([7, 0, 0]), Some(7));
    }
}
