//! Pictures that a stack is to become: [`read`] takes them from PNG files.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use image::codecs::png::PngDecoder;
use image::{DynamicImage, ImageDecoder, ImageError, Rgba};
use thiserror::Error;

use crate::movegen::{Picture, PictureError};

/// Columns and rows of the field: a pixel for each cell.
const SIZE: (u32, u32) = (10, 20);
const BLACK: Rgba<u8> = Rgba([0, 0, 0, 0xFF]);
const WHITE: Rgba<u8> = Rgba([0xFF; 4]);

/// Why a file is no picture to build.
#[derive(Debug, Error)]
pub enum PatternError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no PNG.
    #[error("expected a PNG picture: {0}")]
    Png(#[from] ImageError),
    /// Another size.
    #[error("the picture is {0} pixels wide and {1} high, expected 10 wide and 20 high")]
    Size(u32, u32),
    /// Another colour.
    #[error("the pixel in row {row}, column {column} is of another colour, expected black and white only")]
    Colour {
        /// From 0 at the top.
        row: usize,
        /// From 0 at the left.
        column: usize,
    },
    /// Nothing that can be built.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// Reads a PNG of 10 × 20 pixels; the black ones are the cells that are to be solid. Any kind of PNG will do, if its
/// pixels are black and white and none is transparent.
pub fn read(path: &Path) -> Result<Picture, PatternError> {
    let decoder = PngDecoder::new(BufReader::new(File::open(path)?))?;
    let size = decoder.dimensions();
    if size != SIZE {
        return Err(PatternError::Size(size.0, size.1));
    }
    let mut rows = [0; 20];
    for (column, row, pixel) in DynamicImage::from_decoder(decoder)?.into_rgba8().enumerate_pixels() {
        let (column, row) = (column as usize, row as usize);
        rows[row] |= match *pixel {
            BLACK => 1 << column,
            WHITE => 0,
            _ => return Err(PatternError::Colour { row, column }),
        };
    }
    Ok(Picture::new(rows)?)
}
