//! A contact sheet: the field of every picture, side by side, each with its frame of play.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::canvas::{Canvas, Colour, Rect};
use super::error::PicturesError;
use super::shape::PictureShape;
use super::sink::{PictureSink, Shot};
use super::{font, png};
use crate::files::Draft;
use maxout_host::screen::{CELL, FIELD};

/// Pictures that fit on a sheet, if they are small.
const MOST: usize = 2_000;
/// Pixels that fit on a sheet; it is drawn in memory.
const MOST_PIXELS: usize = 300_000_000;
/// Pixels of the game's frame that are kept around the field.
const EDGE: usize = 4;
/// Pixels between two pictures.
const SPACE: usize = 8;
/// Pixels for the text below a picture.
const CAPTION: usize = 3 + font::HEIGHT;

const BACKGROUND: Colour = [16, 18, 27];
const TEXT: Colour = [140, 148, 176];

/// A contact sheet in the making.
pub(super) struct Sheet {
    path: PathBuf,
    draft: Draft,
    shape: PictureShape,
    /// The fields, not yet enlarged.
    pictures: Vec<(u64, Canvas)>,
}

/// The part of the console's picture that is kept.
const KEPT: Rect =
    Rect { x: FIELD.0 - EDGE, y: FIELD.1 - EDGE, width: 10 * CELL + 2 * EDGE, height: 20 * CELL + 2 * EDGE };

/// Columns and rows of a picture with its text and the space after it.
fn cell(shape: PictureShape) -> (usize, usize) {
    let (wide, high) = shape.size(KEPT.width, KEPT.height);
    (wide + SPACE, high + CAPTION + SPACE)
}

impl Sheet {
    /// For `count` pictures.
    pub(super) fn create(path: &Path, count: usize, shape: PictureShape) -> Result<Self, PicturesError> {
        let (wide, high) = cell(shape);
        let most = MOST.min(MOST_PIXELS / (wide * high));
        if count > most {
            return Err(PicturesError::TooMany { path: path.to_owned(), count, most });
        }
        let draft = Draft::create(path).map_err(|source| PicturesError::io(path, source))?;
        Ok(Self { path: path.to_owned(), draft, shape, pictures: Vec::with_capacity(count) })
    }

    fn draw(&self) -> Canvas {
        let (wide, high) = cell(self.shape);
        let count = self.pictures.len();
        // As nearly square as whole rows allow.
        let columns =
            (1..=count).find(|columns| columns * wide >= count.div_ceil(*columns) * high).unwrap_or(1);
        let rows = count.div_ceil(columns);
        let mut sheet = Canvas::new(columns * wide + SPACE, rows * high + SPACE, BACKGROUND);
        for (at, (frame, picture)) in self.pictures.iter().enumerate() {
            let (x, y) = (SPACE + at % columns * wide, SPACE + at / columns * high);
            let picture = self.shape.enlarge(picture.clone());
            sheet.put(x, y, &picture);
            font::write(&mut sheet, x, y + picture.height() + 3, &frame.to_string(), TEXT);
        }
        sheet
    }
}

impl PictureSink for Sheet {
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError> {
        self.pictures.push((shot.frame, shot.whole.cut(KEPT)));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), PicturesError> {
        let sheet = self.draw();
        let Self { path, mut draft, .. } = *self;
        png::encode(&sheet)
            .and_then(|bytes| draft.write_all(&bytes))
            .and_then(|()| draft.finish())
            .map_err(|source| PicturesError::io(&path, source))
    }
}
