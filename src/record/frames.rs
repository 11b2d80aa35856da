//! PNG frames: 256×240 pixels, the NES palette.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use image::{ImageFormat, RgbaImage};

use crate::host::Picture;

/// Width of a picture in pixels.
pub const WIDTH: u32 = 256;
/// Height of a picture in pixels.
pub const HEIGHT: u32 = 240;

/// The file of frame `frame` in `folder`.
pub fn path(folder: &Path, frame: u64) -> PathBuf {
    folder.join(format!("frame-{frame:06}.png"))
}

/// Writes one picture as PNG.
pub fn write(path: &Path, picture: &Picture) -> io::Result<()> {
    let image = RgbaImage::from_raw(WIDTH, HEIGHT, picture.rgba().to_vec())
        .ok_or_else(|| io::Error::other("picture is not 256x240 RGBA"))?;
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).map_err(io::Error::other)?;
    super::write_atomically(path, bytes.get_ref())
}
