//! The board in a picture of the screen.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use thiserror::Error;

use maxout_host::screenshot::{ScreenSizeError, board_on_screen, is_bright, screen_scale};
use maxout_rules::Board;

/// Why a picture has no board.
#[derive(Debug, Error)]
pub enum PictureBoardError {
    /// The PNG cannot be read.
    #[error("the PNG cannot be read ({0}), expected a whole picture")]
    Png(String),
    /// The picture has another size.
    #[error(transparent)]
    Size(#[from] ScreenSizeError),
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
    screen_scale(width, height)?;
    if let Some(palette) = &reader.info().palette
        && (palette.len() % 3 != 0 || !(1..=256).contains(&(palette.len() / 3)))
    {
        return Err(PictureBoardError::Png(format!("its palette has {} bytes", palette.len())));
    }
    let size = reader.output_buffer_size().ok_or(ScreenSizeError(width, height))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(broken)?;
    // Colours, and how many bytes a pixel has.
    let (colours, step) = match info.color_type {
        ColorType::Grayscale => (1, 1),
        ColorType::GrayscaleAlpha => (1, 2),
        ColorType::Rgba => (3, 4),
        ColorType::Rgb | ColorType::Indexed => (3, 3),
    };
    let bright = |x: u32, y: u32| {
        let at = y as usize * info.line_size + x as usize * step;
        pixels.get(at..at + colours).is_some_and(is_bright)
    };
    Ok(board_on_screen(width, height, bright)?)
}
