//! Single PNG pictures, with an exact palette if that is possible.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Compression, Encoder};

use super::canvas::{Canvas, Palette};
use super::error::PicturesError;
use super::sink::{PictureSink, Shot};
use crate::files;
use crate::files::FolderLock;

/// A folder with one file for each picture, named by its frame of play. If it was made for them and none was drawn, it
/// goes again.
#[derive(Debug)]
pub struct PngFolder {
    folder: PathBuf,
    /// Whether it was not there before.
    made: bool,
    /// Keeps other processes out.
    lock: Option<FolderLock>,
}

impl PngFolder {
    /// Makes sure that files can be written into the folder, creating it if need be.
    pub fn create(folder: &Path) -> io::Result<Self> {
        let made = !folder.exists();
        files::prepare_folder(folder)?;
        let mut pictures = Self { folder: folder.to_owned(), made, lock: None };
        pictures.lock = Some(FolderLock::take(folder).map_err(io::Error::other)?);
        // Another process may have been faster.
        check(folder)?;
        Ok(pictures)
    }
}

impl Drop for PngFolder {
    fn drop(&mut self) {
        self.lock = None;
        if self.made {
            // One that holds pictures cannot be removed, which is as well.
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

impl PictureSink for PngFolder {
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError> {
        let path = path(&self.folder, shot.frame);
        write(&path, shot.canvas).map_err(|source| PicturesError::Io { path, source })
    }

    fn finish(self: Box<Self>) -> Result<(), PicturesError> {
        Ok(())
    }
}

/// Refuses a folder into which pictures cannot be written, without making it. One that holds pictures already is
/// refused: those of two runs would lie among each other, or one take the place of the other.
pub fn check(folder: &Path) -> io::Result<()> {
    files::check_output_folder(folder)?;
    if !folder.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("frame-") && name.ends_with(".png") || name.starts_with("seed-") {
            let message = format!("holds {name} already, expected a folder without pictures of another run");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
    }
    Ok(())
}

/// The file of frame `frame` in `folder`.
pub fn path(folder: &Path, frame: u64) -> PathBuf {
    folder.join(format!("frame-{frame:06}.png"))
}

/// Writes one picture as PNG.
pub fn write(path: &Path, canvas: &Canvas) -> io::Result<()> {
    files::write(path, &encode(canvas)?)
}

/// One picture as PNG.
pub fn encode(canvas: &Canvas) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, canvas.width() as u32, canvas.height() as u32);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let mut palette = Palette::default();
    let places: Option<Vec<u8>> = canvas.pixels().iter().map(|&pixel| palette.place(pixel)).collect();
    let data = if let Some(places) = places {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(palette.bytes());
        places
    } else {
        encoder.set_color(ColorType::Rgb);
        canvas.pixels().concat()
    };
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(bytes)
}
