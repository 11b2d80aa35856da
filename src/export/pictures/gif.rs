//! GIF without loss: each picture holds what changed since the one before, with the exact colours of that part.
//!
//! GIF counts time in hundredths of a second, so no picture can stay for a sixtieth. The delays are rounded such that
//! their sum is right.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::canvas::{Canvas, Colour, Palette};
use super::error::PicturesError;
use super::sink::{PictureSink, Shot};
use super::timing;
use crate::files::Draft;

/// A GIF in the making.
pub(super) struct Gif {
    path: PathBuf,
    /// The file until the first picture says how large it is.
    draft: Option<Draft>,
    encoder: Option<Encoder<Draft>>,
    before: Option<Canvas>,
    /// Console frames shown so far.
    shown: u64,
}

impl Gif {
    pub(super) fn create(path: &Path) -> Result<Self, PicturesError> {
        let draft = Draft::create(path).map_err(|source| PicturesError::io(path, source))?;
        let path = path.to_owned();
        Ok(Self { path, draft: Some(draft), encoder: None, before: None, shown: 0 })
    }

    fn begin(&mut self, canvas: &Canvas) -> io::Result<()> {
        if let Some(draft) = self.draft.take() {
            let mut encoder = Encoder::new(draft, canvas.width() as u16, canvas.height() as u16, &[])
                .map_err(io::Error::other)?;
            encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
            self.encoder = Some(encoder);
        }
        Ok(())
    }
}

impl PictureSink for Gif {
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError> {
        self.begin(shot.canvas).map_err(|source| PicturesError::io(&self.path, source))?;
        let until = self.shown + shot.lasts;
        let delay = timing::hundredths(until) - timing::hundredths(self.shown);
        let mut frame = difference(shot.canvas, self.before.as_ref())
            .ok_or_else(|| PicturesError::Colours { path: self.path.clone(), frame: shot.frame })?;
        frame.delay = u16::try_from(delay).unwrap_or(u16::MAX);
        if let Some(encoder) = &mut self.encoder {
            encoder
                .write_frame(&frame)
                .map_err(|error| PicturesError::io(&self.path, io::Error::other(error)))?;
        }
        self.before = Some(shot.canvas.clone());
        self.shown = until;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), PicturesError> {
        let Some(encoder) = self.encoder else { return Ok(()) };
        encoder
            .into_inner()
            .map_err(io::Error::other)
            .and_then(Draft::finish)
            .map_err(|source| PicturesError::io(&self.path, source))
    }
}

/// What changed since `before`; pixels between that are as they were are transparent, which packs better. None if
/// there are more than 256 colours in it.
fn difference(canvas: &Canvas, before: Option<&Canvas>) -> Option<Frame<'static>> {
    let rect = before.map_or(canvas.bounds(), |before| canvas.changes_since(before));
    let mut palette = Palette::default();
    // No pixel's own colour: it stands for "as before" and gets its place first.
    let mut transparent = None;
    let mut places = Vec::with_capacity(rect.width * rect.height);
    let now: Vec<Colour> = canvas.pixels_in(rect).collect();
    let was: Vec<Option<Colour>> = match before {
        Some(before) => before.pixels_in(rect).map(Some).collect(),
        None => vec![None; now.len()],
    };
    for (&now, was) in now.iter().zip(was) {
        places.push(if was == Some(now) { None } else { Some(palette.place(now)?) });
    }
    if places.contains(&None) {
        transparent = u8::try_from(palette.len()).ok();
        if transparent.is_none() {
            // All 256 places are taken: unchanged pixels say their colour.
            for (place, &now) in places.iter_mut().zip(&now) {
                *place = Some(palette.place(now)?);
            }
        }
    }
    let mut colours = palette.bytes();
    if transparent.is_some() {
        colours.extend([0; 3]);
    }
    let buffer: Vec<u8> = places.into_iter().map(|place| place.or(transparent)).collect::<Option<_>>()?;
    Some(Frame {
        left: rect.x as u16,
        top: rect.y as u16,
        width: rect.width as u16,
        height: rect.height as u16,
        dispose: DisposalMethod::Keep,
        transparent,
        palette: Some(colours),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    })
}
