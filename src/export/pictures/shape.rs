//! [`PictureShape`]: how much of the console's picture is shown, and how large its pixels are.

use super::canvas::{Canvas, Rect};
use maxout_host::screen::{HEIGHT, HIDDEN_ROWS};

/// How much of the console's picture is shown, and how large its pixels are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PictureShape {
    /// Each pixel becomes a square of this many by as many.
    pub scale: u8,
    /// Whether pixels are wider than high by 8:7 then, as a television shows them.
    pub wide: bool,
    /// Whether the 8 rows above and below that a television hides are left out.
    pub crop: bool,
}

impl Default for PictureShape {
    fn default() -> Self {
        Self { scale: 1, wide: false, crop: false }
    }
}

impl PictureShape {
    /// Crops and enlarges a whole picture.
    pub(super) fn apply(self, picture: Canvas) -> Canvas {
        if !self.crop {
            return self.enlarge(picture);
        }
        let rect = Rect { x: 0, y: HIDDEN_ROWS, width: picture.width(), height: HEIGHT - 2 * HIDDEN_ROWS };
        self.enlarge(picture.cut(rect))
    }

    /// Enlarges a picture, or a part of one.
    pub(super) fn enlarge(self, picture: Canvas) -> Canvas {
        let (width, height) = self.size(picture.width(), picture.height());
        picture.stretched(width, height)
    }

    /// Size of the picture for a crop of `columns` × `rows`. Wide pictures have an even number of columns, the nearest to 8/7 of
    /// the scaled ones, because videos need one.
    pub(super) fn size(self, columns: usize, rows: usize) -> (usize, usize) {
        let scale = usize::from(self.scale.max(1));
        let (columns, rows) = (columns * scale, rows * scale);
        (if self.wide { (columns * 8 + 7) / 14 * 2 } else { columns }, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_host::screen::WIDTH;

    fn stripes() -> Canvas {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, [0; 3]);
        for y in 0..HEIGHT {
            for x in 0..WIDTH {
                canvas.set(x, y, [x as u8, y as u8, 0]);
            }
        }
        canvas
    }

    #[test]
    fn at_seven_times_the_size_a_wide_pixel_is_exactly_eight_columns() {
        let big = PictureShape { scale: 7, wide: true, crop: false }.apply(stripes());
        assert_eq!((big.width(), big.height()), (256 * 8, 240 * 7));
        let right = (0..big.height()).all(|y| {
            let row = big.pixels_in(Rect { x: 0, y, width: big.width(), height: 1 });
            (0..).zip(row).all(|(x, pixel)| pixel == [(x / 8) as u8, (y / 7) as u8, 0])
        });
        assert!(right);
    }

    #[test]
    fn wide_pictures_have_the_nearest_even_number_of_columns_and_no_colour_of_their_own() {
        let size = |scale, columns| PictureShape { scale, wide: true, crop: true }.size(columns, 224);
        assert_eq!(size(1, 256), (292, 224), "292.57");
        assert_eq!(size(2, 256), (586, 448), "585.14");
        assert_eq!(size(1, 384), (438, 224), "438.86");
        let wide = PictureShape { scale: 1, wide: true, crop: false }.apply(stripes());
        let columns: Vec<u8> = wide.pixels()[..292].iter().map(|pixel| pixel[0]).collect();
        assert!(columns.windows(2).all(|pair| pair[1] - pair[0] <= 1), "{columns:?}");
        assert_eq!((columns[0], columns[291]), (0, 255));
    }

    #[test]
    fn a_crop_leaves_out_eight_rows_above_and_below() {
        let cropped = PictureShape { crop: true, ..PictureShape::default() }.apply(stripes());
        assert_eq!((cropped.width(), cropped.height()), (256, 224));
        assert_eq!((cropped.pixels()[0], cropped.pixels()[256 * 224 - 1]), ([0, 8, 0], [255, 231, 0]));
    }
}
