//! MP4 and WebM: the pictures go raw to ffmpeg, which is a program of its own and need not be there.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{PicturesError, Shot, Sink, timing};
use crate::files::Draft;

/// A kind of video.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Mp4,
    WebM,
}

impl Kind {
    /// What ffmpeg is told about the file. Colours lose half of their sharpness: 4:2:0 is what all players show.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Mp4 => &["-c:v", "libx264", "-crf", "16", "-movflags", "+faststart", "-f", "mp4"],
            Self::WebM => &[
                "-c:v",
                "libvpx-vp9",
                "-crf",
                "20",
                "-b:v",
                "0",
                "-cpu-used",
                "4",
                "-row-mt",
                "1",
                "-f",
                "webm",
            ],
        }
    }
}

/// A video in the making.
pub(super) struct Video {
    path: PathBuf,
    kind: Kind,
    /// Console frames for which each picture of the video stays.
    step: u64,
    draft: Draft,
    ffmpeg: Option<Ffmpeg>,
}

/// The running program, ended when it is dropped.
struct Ffmpeg(Child);

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        // Both fail if it has ended, which is what is wanted.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Video {
    /// `step`: of how many console frames the stay of every picture is a multiple.
    pub(super) fn create(path: &Path, kind: Kind, step: u64) -> Result<Self, PicturesError> {
        let found =
            Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            return Err(PicturesError::NoFfmpeg(path.to_owned()));
        }
        let draft = Draft::create(path).map_err(|source| PicturesError::io(path, source))?;
        Ok(Self { path: path.to_owned(), kind, step, draft, ffmpeg: None })
    }

    /// Starts ffmpeg, which has to know how large the pictures are.
    fn begin(&mut self, width: usize, height: usize) -> io::Result<()> {
        if self.ffmpeg.is_none() {
            let (rate, per) = (u64::from(timing::RATE.0), u64::from(timing::RATE.1) * self.step);
            let mut command = Command::new("ffmpeg");
            command
                .args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"])
                .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &format!("{width}x{height}")])
                .args(["-framerate", &format!("{rate}/{per}"), "-i", "pipe:0"])
                .args(["-pix_fmt", "yuv420p", "-fflags", "+bitexact", "-flags:v", "+bitexact"])
                .args(self.kind.arguments())
                .arg(
                    self.draft
                        .temporary()
                        .ok_or_else(|| io::Error::other("is a device or a pipe, expected a file"))?,
                )
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            // Ctrl-C is for us; ffmpeg ends when we do.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            self.ffmpeg = Some(Ffmpeg(command.spawn()?));
        }
        Ok(())
    }

    /// What ffmpeg said, which is why it ended.
    fn failure(&mut self) -> PicturesError {
        let mut said = String::new();
        if let Some(Ffmpeg(child)) = &mut self.ffmpeg
            && let Some(stderr) = &mut child.stderr
        {
            // Without its words the error is still one.
            let _ = stderr.read_to_string(&mut said);
        }
        let message = said.lines().next().unwrap_or("it ended before the pictures did").trim().to_owned();
        PicturesError::Ffmpeg { path: self.path.clone(), message }
    }
}

impl Sink for Video {
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError> {
        let times = (shot.lasts / self.step).max(1);
        let bytes = shot.canvas.pixels().concat();
        self.begin(shot.canvas.width(), shot.canvas.height())
            .map_err(|source| PicturesError::io(&self.path, source))?;
        let sent = match self.ffmpeg.as_mut().and_then(|ffmpeg| ffmpeg.0.stdin.as_mut()) {
            Some(pipe) => (0..times).try_for_each(|_| pipe.write_all(&bytes)),
            None => Ok(()),
        };
        sent.map_err(|_| self.failure())
    }

    fn finish(mut self: Box<Self>) -> Result<(), PicturesError> {
        if let Some(Ffmpeg(child)) = &mut self.ffmpeg {
            child.stdin = None;
            let ended = child.wait().map_err(|source| PicturesError::io(&self.path, source))?;
            if !ended.success() {
                return Err(self.failure());
            }
        }
        let Self { path, draft, .. } = *self;
        draft.finish().map_err(|source| PicturesError::io(&path, source))
    }
}
