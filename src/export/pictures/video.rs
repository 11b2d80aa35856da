//! MP4 and WebM: the raw pictures go to ffmpeg, which is a separate program and may be missing. When all pictures are
//! there, ffmpeg puts them together with the sound. Then the file is read again, and it gets its name only if it holds
//! every picture: ffmpeg reports success even on a full disk, so its exit code says too little.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::error::PicturesError;
use super::ffmpeg::{Failure, Ffmpeg, Interrupt, count, ffmpeg, name, program};
use super::sink::{PictureSink, Shot};
use super::sound::SoundTrack;
use super::timing;
use crate::files::Draft;

/// What ffmpeg is told to make.
#[derive(Clone, Copy)]
pub(super) struct Codec {
    /// How pictures are packed.
    pictures: &'static [&'static str],
    /// How sound is packed.
    sound: &'static [&'static str],
    /// What the file is.
    container: &'static [&'static str],
}

pub(super) const MP4: Codec = Codec {
    pictures: &["-c:v", "libx264", "-crf", "16"],
    sound: &["-c:a", "aac", "-b:a", "128k"],
    container: &["-movflags", "+faststart", "-f", "mp4"],
};
pub(super) const WEBM: Codec = Codec {
    pictures: &["-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-cpu-used", "4", "-row-mt", "1"],
    sound: &["-c:a", "libopus", "-b:a", "96k"],
    container: &["-f", "webm"],
};

/// A video in the making.
pub(super) struct Video {
    path: PathBuf,
    codec: Codec,
    /// Console frames for which each picture of the video stays.
    step: u64,
    draft: Draft,
    /// The pictures without sound.
    film: Draft,
    sound: SoundTrack,
    ffmpeg: Option<Ffmpeg>,
    /// Pictures that ffmpeg got.
    pictures: u64,
    interrupt: Interrupt,
}

impl Video {
    /// `step`: of how many console frames the stay of every picture is a multiple.
    pub(super) fn create(
        path: &Path,
        codec: Codec,
        step: u64,
        interrupt: &Interrupt,
    ) -> Result<Self, PicturesError> {
        let mut command = program();
        command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null());
        let found =
            Ffmpeg::start(command, None, interrupt).map_err(Failure::Io).and_then(|mut ffmpeg| ffmpeg.wait());
        match found {
            Ok(status) if status.success() => {}
            // It may be there, and the system have no room for another program.
            Err(Failure::Io(source)) if source.kind() != io::ErrorKind::NotFound => {
                return Err(PicturesError::io(path, source));
            }
            Err(Failure::Said(message)) => {
                return Err(PicturesError::Ffmpeg { path: path.to_owned(), message });
            }
            _ => return Err(PicturesError::NoFfmpeg(path.to_owned())),
        }
        Self::open(path, codec, step, interrupt).map_err(|source| PicturesError::io(path, source))
    }

    fn open(path: &Path, codec: Codec, step: u64, interrupt: &Interrupt) -> io::Result<Self> {
        let draft = Draft::create(path)?;
        let film = draft.scratch()?;
        let sound = SoundTrack::new(draft.scratch()?);
        let (path, interrupt) = (path.to_owned(), interrupt.clone());
        Ok(Self { path, codec, step, draft, film, sound, ffmpeg: None, pictures: 0, interrupt })
    }

    /// Starts ffmpeg, which has to know how large the pictures are.
    fn begin(&self, width: usize, height: usize) -> io::Result<Ffmpeg> {
        let (rate, per) = (u64::from(timing::RATE.0), u64::from(timing::RATE.1) * self.step);
        let mut command = ffmpeg();
        command
            .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &format!("{width}x{height}")])
            .args(["-framerate", &format!("{rate}/{per}"), "-i", "pipe:0"])
            // Colours lose half of their sharpness: 4:2:0 is what all players show. They guess how colours are
            // said from the size, so it is said.
            .args(["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p"])
            .args(["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"])
            .args(["-fflags", "+bitexact", "-flags:v", "+bitexact"])
            .args(self.codec.pictures)
            .args(self.codec.container)
            .arg(name(&self.film)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        Ffmpeg::start(command, self.film.temporary(), &self.interrupt)
    }

    /// Gives ffmpeg the next picture, `times` times.
    fn send(&mut self, shot: &Shot<'_>, times: u64) -> Result<(), Failure> {
        if self.ffmpeg.is_none() {
            self.ffmpeg = Some(self.begin(shot.canvas.width(), shot.canvas.height())?);
        }
        let bytes = shot.canvas.pixels().concat();
        self.pictures += times;
        if self.ffmpeg.as_mut().is_some_and(|ffmpeg| (0..times).all(|_| ffmpeg.take(&bytes))) {
            return Ok(());
        }
        // Why it ended is in what it said.
        self.ffmpeg.take().map_or(Ok(()), Ffmpeg::end)?;
        Err(Failure::Said("it ended before the pictures did".to_owned()))
    }

    /// Puts pictures and sound together and looks the file over.
    fn put_together(&mut self) -> Result<(), Failure> {
        self.ffmpeg.take().map_or(Ok(()), Ffmpeg::end)?;
        let copied = if self.draft.temporary().is_none() { Some(self.draft.scratch()?) } else { None };
        let made = copied.as_ref().unwrap_or(&self.draft);
        let mut command = ffmpeg();
        command.arg("-i").arg(name(&self.film)?);
        command.args(self.sound.finish(self.pictures * self.step)?).args(["-map", "0:v", "-map", "1:a"]);
        command.args(self.codec.sound).args(["-flags:a", "+bitexact"]);
        command.args(["-c:v", "copy", "-fflags", "+bitexact"]).args(self.codec.container).arg(name(made)?);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Ffmpeg::start(command, made.temporary(), &self.interrupt)?.end()?;
        let pictures = count(made, &self.interrupt)?;
        if pictures != self.pictures {
            let wanted = self.pictures;
            return Err(Failure::Said(format!("made a video of {pictures} pictures, expected {wanted}")));
        }
        if let Some(path) = copied.as_ref().and_then(Draft::temporary) {
            io::copy(&mut File::open(path)?, &mut self.draft)?;
        }
        Ok(())
    }

    fn error(&self, failure: Failure) -> PicturesError {
        match failure {
            Failure::Io(source) => PicturesError::io(&self.path, source),
            Failure::Said(mut message) => {
                for made in [&self.film, &self.draft] {
                    if let Ok(name) = name(made) {
                        message = message.replace(&*name.to_string_lossy(), "the file");
                    }
                }
                PicturesError::Ffmpeg { path: self.path.clone(), message }
            }
        }
    }
}

impl PictureSink for Video {
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError> {
        let times = (shot.lasts / self.step).max(1);
        self.send(shot, times).map_err(|failure| self.error(failure))
    }

    fn hear(&mut self, samples: &[f32]) -> Result<(), PicturesError> {
        self.sound.add(samples).map_err(|source| PicturesError::io(&self.path, source))
    }

    fn finish(mut self: Box<Self>) -> Result<(), PicturesError> {
        self.put_together().map_err(|failure| self.error(failure))?;
        let Self { path, draft, .. } = *self;
        draft.finish().map_err(|source| PicturesError::io(&path, source))
    }
}
