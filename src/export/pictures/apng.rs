//! APNG: one palette for all, each picture only what changed, and delays that are exact to a frame in an hour.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use png::{BitDepth, BlendOp, ColorType, DisposeOp, Encoder};

use super::canvas::{Canvas, Palette, Rect};
use super::error::PicturesError;
use super::sink::{PictureSink, Shot};
use super::timing;
use crate::files::Draft;

/// An APNG in the making. The number of pictures and the palette come first in the file, so the changes wait in
/// memory, packed.
pub(super) struct Apng {
    path: PathBuf,
    draft: Draft,
    palette: Palette,
    before: Option<Canvas>,
    changes: Vec<Change>,
}

/// What a picture changes.
struct Change {
    rect: Rect,
    /// Places in the palette, packed.
    places: Vec<u8>,
    /// Console frames for which it is shown.
    lasts: u64,
}

impl Apng {
    pub(super) fn create(path: &Path) -> Result<Self, PicturesError> {
        let draft = Draft::create(path).map_err(|source| PicturesError::io(path, source))?;
        let path = path.to_owned();
        Ok(Self { path, draft, palette: Palette::default(), before: None, changes: Vec::new() })
    }
}

impl PictureSink for Apng {
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError> {
        let canvas = shot.canvas;
        let rect = self.before.as_ref().map_or(canvas.bounds(), |before| canvas.changes_since(before));
        let places: Option<Vec<u8>> = canvas.pixels_in(rect).map(|pixel| self.palette.place(pixel)).collect();
        let places =
            places.ok_or_else(|| PicturesError::Colours { path: self.path.clone(), frame: shot.frame })?;
        let mut packed = Vec::new();
        ZlibEncoder::new(places.as_slice(), Compression::fast())
            .read_to_end(&mut packed)
            .map_err(|source| PicturesError::io(&self.path, source))?;
        self.changes.push(Change { rect, places: packed, lasts: shot.lasts });
        self.before = Some(canvas.clone());
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), PicturesError> {
        let Self { path, mut draft, palette, before, changes } = *self;
        let Some(last) = before else { return Ok(()) };
        write(&mut draft, &last, &palette, &changes)
            .and_then(|()| draft.finish())
            .map_err(|source| PicturesError::io(&path, source))
    }
}

/// Writes the file; `last` says how large its pictures are.
fn write(draft: &mut Draft, last: &Canvas, palette: &Palette, changes: &[Change]) -> io::Result<()> {
    let mut encoder = Encoder::new(draft, last.width() as u32, last.height() as u32);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.bytes());
    encoder.set_animated(changes.len() as u32, 0)?;
    encoder.set_blend_op(BlendOp::Source)?;
    encoder.set_dispose_op(DisposeOp::None)?;
    let mut writer = encoder.write_header()?;
    for change in changes {
        let mut places = Vec::new();
        ZlibDecoder::new(change.places.as_slice()).read_to_end(&mut places)?;
        let (num, den) = timing::fraction(change.lasts);
        let Rect { x, y, width, height } = change.rect;
        writer.set_frame_delay(num, den)?;
        // Smaller first: position and size are checked against the whole each time.
        writer.reset_frame_position()?;
        writer.set_frame_dimension(width as u32, height as u32)?;
        writer.set_frame_position(x as u32, y as u32)?;
        writer.write_image_data(&places)?;
    }
    Ok(writer.finish()?)
}
