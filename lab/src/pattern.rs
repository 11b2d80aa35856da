//! Pictures that a player builds with locked cells: [`read`] reads them from PNG files.

use std::io::{self, Cursor};
use std::path::Path;

use png::{ColorType, Decoder, DecodingError, Limits, Transformations};
use thiserror::Error;

use crate::filter::{Picture, PictureError};
use maxout::files;

/// Columns and rows of the field: a pixel for each cell.
const SIZE: (u32, u32) = (10, 20);
/// Bytes of a file.
const MAX_BYTES: u64 = 1 << 20;
/// Bytes of a colour in a palette, and most colours.
const PALETTE: (usize, usize) = (3, 256);

/// Why a file is no picture to build.
#[derive(Debug, Error)]
pub enum PatternError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no PNG.
    #[error("expected a PNG picture: {0}")]
    Png(#[from] DecodingError),
    /// An invalid palette.
    #[error("expected a PNG picture: its palette has {0} bytes, expected 3 for each of 1 to 256 colours")]
    Palette(usize),
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

/// Reads a PNG of 10 × 20 pixels; the black ones are the cells that must be solid. Any kind of PNG will do, if its
/// pixels are black and white and none is transparent.
pub fn read(path: &Path) -> Result<Picture, PatternError> {
    decode(&files::read(path, MAX_BYTES)?)
}

/// As [`read`], of a file's bytes.
pub fn decode(file: &[u8]) -> Result<Picture, PatternError> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), Limits { bytes: MAX_BYTES as usize });
    // Nothing is asked of profile and remarks, which may unpack to any size.
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let size = reader.info().size();
    if size != SIZE {
        return Err(PatternError::Size(size.0, size.1));
    }
    if let Some(palette) = &reader.info().palette {
        let colours = palette.len() / PALETTE.0;
        if palette.len() % PALETTE.0 != 0 || !(1..=PALETTE.1).contains(&colours) {
            return Err(PatternError::Palette(palette.len()));
        }
    }
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or_default()];
    let frame = reader.next_frame(&mut pixels)?;
    let (colours, alpha) = match frame.color_type {
        ColorType::Grayscale => (1, false),
        ColorType::GrayscaleAlpha => (1, true),
        ColorType::Rgba => (3, true),
        ColorType::Rgb | ColorType::Indexed => (3, false),
    };
    let columns = SIZE.0 as usize;
    let mut rows = [0; SIZE.1 as usize];
    for (cell, pixel) in pixels.chunks_exact(colours + usize::from(alpha)).enumerate() {
        let (row, column) = (cell / columns, cell % columns);
        let opaque = !alpha || pixel[colours] == 0xFF;
        let all = |value: u8| opaque && pixel[..colours].iter().all(|&colour| colour == value);
        if all(0) {
            rows[row] |= 1 << column;
        } else if !all(0xFF) {
            return Err(PatternError::Colour { row, column });
        }
    }
    Ok(Picture::new(rows)?)
}
