//! Pictures that a stack is to become: [`read`] takes them from PNG files.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use png::{Decoder, DecodingError, Transformations};
use thiserror::Error;

use crate::movegen::{Picture, PictureError};

/// Columns and rows of the field: a pixel for each cell.
const SIZE: (u32, u32) = (10, 20);

/// Why a file is no picture to build.
#[derive(Debug, Error)]
pub enum PatternError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no PNG.
    #[error("expected a PNG picture: {0}")]
    Png(#[from] DecodingError),
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
    let mut decoder = Decoder::new(BufReader::new(File::open(path)?));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let size = reader.info().size();
    if size != SIZE {
        return Err(PatternError::Size(size.0, size.1));
    }
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut pixels)?;
    let samples = frame.color_type.samples();
    let has_alpha = samples % 2 == 0;
    let mut rows = [0; 20];
    for (row, line) in pixels.chunks_exact(frame.line_size).take(20).enumerate() {
        for (column, pixel) in line.chunks_exact(samples).take(10).enumerate() {
            let (colour, alpha) = if has_alpha { pixel.split_at(samples - 1) } else { (pixel, &[][..]) };
            let all = |value: u8| colour.iter().all(|&sample| sample == value);
            if alpha.iter().any(|&alpha| alpha != 0xFF) || !all(0) && !all(0xFF) {
                return Err(PatternError::Colour { row, column });
            }
            rows[row] |= u16::from(all(0)) << column;
        }
    }
    Ok(Picture::new(rows)?)
}
