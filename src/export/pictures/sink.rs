//! [`PictureSink`]: where pictures go. Each format is one.

use super::canvas::Canvas;
use super::error::PicturesError;

/// One picture.
pub struct Shot<'a> {
    /// Frame of play.
    pub frame: u64,
    /// Console frames until the next.
    pub lasts: u64,
    /// Its pixels.
    pub canvas: &'a Canvas,
    /// The pixels of the whole picture, not yet enlarged.
    pub whole: &'a Canvas,
}

/// Where pictures go, one after the other; a sink that is dropped before its end leaves no file behind that is
/// not whole.
pub trait PictureSink {
    /// Takes the next picture; all have the same size.
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError>;

    /// Takes the sound of the next frame, from that after the first picture on.
    fn hear(&mut self, _samples: &[f32]) -> Result<(), PicturesError> {
        Ok(())
    }

    /// Ends the file and gives it its name.
    fn finish(self: Box<Self>) -> Result<(), PicturesError>;
}
