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
    let colour = |x: u32, y: u32| {
        let step = info.color_type.samples();
        let at = y as usize * info.line_size + x as usize * step;
        let (colour, opacity) = match (info.color_type, pixels.get(at..at + step)) {
            (ColorType::Grayscale, Some(&[grey])) => ([grey; 3], 255),
            (ColorType::GrayscaleAlpha, Some(&[grey, opacity])) => ([grey; 3], opacity),
            (ColorType::Rgba, Some(&[red, green, blue, opacity])) => ([red, green, blue], opacity),
            (_, Some(&[red, green, blue])) => ([red, green, blue], 255),
            _ => ([0; 3], 255),
        };
        colour.map(|channel| (u16::from(channel) * u16::from(opacity) / 255) as u8)
    };
    let mut all = Vec::with_capacity(3 * width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            all.extend(colour(x, y));
        }
    }
    drop(pixels);
    let picture = Picture::rgb(width as usize, height as usize, &all);
    Ok(board(&picture.ok_or(ScreenshotError::Size(width, height))?)?)
}
