//! A contact sheet: the field of every picture, one beside the other, each with its frame of play.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::canvas::{Canvas, Colour, Rect};
use super::overlay::FIELD;
use super::{PicturesError, Shot, Sink, font, png};
use crate::files::Draft;

/// Pictures that fit on a sheet.
pub const MOST: usize = 2_000;
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
    scale: usize,
    pictures: Vec<(u64, Canvas)>,
}

impl Sheet {
    /// For `count` pictures whose pixels are squares of `scale` by `scale`.
    pub(super) fn create(path: &Path, count: usize, scale: usize) -> Result<Self, PicturesError> {
        if count > MOST {
            return Err(PicturesError::TooMany { path: path.to_owned(), count });
        }
        let draft = Draft::create(path).map_err(|source| PicturesError::io(path, source))?;
        Ok(Self { path: path.to_owned(), draft, scale, pictures: Vec::with_capacity(count) })
    }

    fn draw(&self) -> Canvas {
        let (wide, high) = self.pictures.first().map_or((0, 0), |(_, one)| (one.width(), one.height()));
        let (wide, high) = (wide + SPACE, high + CAPTION + SPACE);
        let count = self.pictures.len();
        // As nearly square as whole rows allow.
        let columns =
            (1..=count).find(|columns| columns * wide >= count.div_ceil(*columns) * high).unwrap_or(1);
        let rows = count.div_ceil(columns);
        let mut sheet = Canvas::new(columns * wide + SPACE, rows * high + SPACE, BACKGROUND);
        for (at, (frame, picture)) in self.pictures.iter().enumerate() {
            let (x, y) = (SPACE + at % columns * wide, SPACE + at / columns * high);
            sheet.put(x, y, picture);
            font::write(&mut sheet, x, y + picture.height() + 3, &frame.to_string(), TEXT);
        }
        sheet
    }
}

impl Sink for Sheet {
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError> {
        let scale = self.scale;
        let Rect { x, y, width, height } = FIELD;
        let field = Rect {
            x: (x - EDGE) * scale,
            y: (y - EDGE) * scale,
            width: (width + 2 * EDGE) * scale,
            height: (height + 2 * EDGE) * scale,
        };
        self.pictures.push((shot.frame, shot.canvas.cut(field)));
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
