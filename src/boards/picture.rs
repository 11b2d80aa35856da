//! The board in a picture of the screen.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use thiserror::Error;

use maxout_sight::{Picture, ScreenshotError, SeenBoard, board, check_size};

/// Why a picture has no board.
#[derive(Debug, Error)]
pub enum PictureBoardError {
    /// The PNG cannot be read.
    #[error("the PNG cannot be read ({0}), expected a whole picture")]
    Png(String),
    /// The picture has no board.
    #[error(transparent)]
    Screen(#[from] ScreenshotError),
}

/// Reads the board from a PNG, in which the screen may be a part. Transparent pixels count as dark.
pub fn read(bytes: &[u8]) -> Result<SeenBoard, PictureBoardError> {
    let broken = |error: png::DecodingError| PictureBoardError::Png(crate::text::brief(&error));
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: 128 << 20 });
    // Nothing is asked of profile and remarks, which may unpack to any size.
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = (reader.info().width, reader.info().height);
    check_size(width, height)?;
    if let Some(palette) = &reader.info().palette
        && (palette.len() % 3 != 0 || !(1..=256).contains(&(palette.len() / 3)))
    {
        return Err(PictureBoardError::Png(format!("its palette has {} bytes", palette.len())));
    }
    let size = reader.output_buffer_size().ok_or(ScreenshotError::Size(width, height))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(broken)?;
    pixels.truncate(info.buffer_size());
    let (width, height) = (width as usize, height as usize);
    let picture = match info.color_type {
        ColorType::Grayscale => Picture::grey(width, height, &pixels),
        ColorType::Rgba => Picture::rgba(width, height, &pixels),
        ColorType::GrayscaleAlpha => {
            pixels = pixels
                .as_chunks()
                .0
                .iter()
                .flat_map(|&[grey, opacity]| [grey, grey, grey, opacity])
                .collect();
            Picture::rgba(width, height, &pixels)
        }
        // A palette is expanded.
        _ => Picture::rgb(width, height, &pixels),
    };
    Ok(board(&picture.ok_or(ScreenshotError::NoField)?)?)
}
