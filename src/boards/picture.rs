//! The board in a picture of the screen.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use thiserror::Error;

use maxout_rules::Board;

/// The size of the screen, in pixels.
const SCREEN: (u32, u32) = (256, 240);
/// The upper left corner of the field on the screen.
const FIELD: (u32, u32) = (96, 40);
/// The width and height of a cell.
const CELL: u32 = 8;
/// The largest factor by which a picture may be scaled.
const MOST: u32 = 16;
/// A pixel is dark if none of its colours is brighter than this. Pictures that were packed with losses are not quite
/// black where they should be.
const DARK: u8 = 40;

/// Why a picture has no board.
#[derive(Debug, Error)]
pub enum PictureBoardError {
    /// The PNG cannot be read.
    #[error("the PNG cannot be read ({0}), expected a whole picture")]
    Png(String),
    /// The picture has another size.
    #[error(
        "the picture has {0} x {1} pixels, expected the whole screen: 256 x 240, or a multiple of it up to 4096 x 3840"
    )]
    Size(u32, u32),
}

/// Reads the board from a PNG of the whole screen. A cell is solid if the middle of it is not dark.
pub fn read(bytes: &[u8]) -> Result<Board, PictureBoardError> {
    let broken = |error: png::DecodingError| PictureBoardError::Png(crate::text::brief(&error));
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: 128 << 20 });
    // Nothing is asked of profile and remarks, which may unpack to any size.
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width, reader.info().height);
    let scale = width / SCREEN.0;
    if !(1..=MOST).contains(&scale) || (width, height) != (SCREEN.0 * scale, SCREEN.1 * scale) {
        return Err(PictureBoardError::Size(width, height));
    }
    if let Some(palette) = &reader.info().palette
        && (palette.len() % 3 != 0 || !(1..=256).contains(&(palette.len() / 3)))
    {
        return Err(PictureBoardError::Png(format!("its palette has {} bytes", palette.len())));
    }
    let size = reader.output_buffer_size().ok_or(PictureBoardError::Size(width, height))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(broken)?;
    // Colours, and how many bytes a pixel has.
    let (colours, step) = match info.color_type {
        ColorType::Grayscale => (1, 1),
        ColorType::GrayscaleAlpha => (1, 2),
        ColorType::Rgba => (3, 4),
        ColorType::Rgb | ColorType::Indexed => (3, 3),
    };
    let is_bright = |x: u32, y: u32| {
        let at = y as usize * info.line_size + x as usize * step;
        pixels.get(at..at + colours).is_some_and(|pixel| pixel.iter().any(|&colour| colour > DARK))
    };
    let mut rows = [0; 22];
    for (row, bits) in (0..20).zip(&mut rows[2..]) {
        for column in 0..10 {
            // Blocks are seven pixels wide and high, from the cell's corner.
            let middle = |corner: u32, cell: u32| (corner + cell * CELL + CELL / 2) * scale - scale / 2;
            let solid = is_bright(middle(FIELD.0, column), middle(FIELD.1, row));
            *bits |= u16::from(solid) << column;
        }
    }
    Ok(Board::from_rows(rows))
}
