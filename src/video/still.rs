//! A picture in a format that only ffmpeg reads: [`board`].

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::VideoError;
use super::y4m::Y4m;
use crate::export::pictures::ffmpeg::{Failure, Ffmpeg, Output, ffmpeg};
use maxout_sight::{ScreenshotError, SeenBoard};

/// Columns and rows to which a photo is thinned.
const SIZE: &str =
    "scale='min(1920,iw)':'min(1920,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2";

/// Returns the board in a picture, or why it has none, if ffmpeg can read it.
pub fn board(bytes: &[u8]) -> Result<Result<SeenBoard, ScreenshotError>, VideoError> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(bytes)?;
    let mut name = OsString::from("file:");
    name.push(file.path());
    let mut command = ffmpeg();
    command.arg("-i").arg(name).args(["-frames:v", "1", "-vf", SIZE, "-pix_fmt", "yuv444p"]);
    command.args(["-f", "yuv4mpegpipe", "pipe:1"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut output = Output::of(Ffmpeg::start(command, None, &interrupt).map_err(Failure::Io)?);
    let read = first(&mut output);
    match output.end() {
        Err(failure) if !matches!(read, Ok(Ok(_) | Err(ScreenshotError::Several))) => Err(failure.into()),
        _ => read,
    }
}

/// The board in the first picture of a stream.
fn first(source: impl io::Read) -> Result<Result<SeenBoard, ScreenshotError>, VideoError> {
    let mut pictures = Y4m::new(BufReader::new(source))?;
    Ok(pictures.next()?.map_or(Err(ScreenshotError::NoField), |(picture, _)| maxout_sight::board(&picture)))
}
