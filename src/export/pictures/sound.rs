//! [`SoundTrack`]: the sound of a video, kept until all of its pictures are there.

use std::io::{self, Write};

use super::timing;
use crate::files::Draft;
use maxout_host::SOUND_RATE;

/// Samples in this number of console frames.
pub(super) fn samples(frames: u64) -> u64 {
    let (rate, per) = (u128::from(timing::RATE.0), u128::from(timing::RATE.1));
    ((u128::from(frames) * u128::from(SOUND_RATE) * per + rate / 2) / rate) as u64
}

/// Sound in a file of 16-bit samples, little end first, one channel.
pub(super) struct SoundTrack {
    file: Draft,
    samples: u64,
}

impl SoundTrack {
    /// An empty one in a file that is gone when it is dropped.
    pub(super) fn new(file: Draft) -> Self {
        Self { file, samples: 0 }
    }

    /// Adds samples from -1 to 1.
    pub(super) fn add(&mut self, samples: &[f32]) -> io::Result<()> {
        self.samples += samples.len() as u64;
        samples.iter().try_for_each(|sample| {
            let sample = (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)).round() as i16;
            self.file.write_all(&sample.to_le_bytes())
        })
    }

    /// Fills up with silence to `frames` console frames, and returns ffmpeg's arguments for the file.
    pub(super) fn finish(&mut self, frames: u64) -> io::Result<Vec<std::ffi::OsString>> {
        let missing = samples(frames).saturating_sub(self.samples);
        io::copy(&mut io::Read::take(io::repeat(0), missing * 2), &mut self.file)?;
        self.file.flush()?;
        let rate = SOUND_RATE.to_string();
        let mut arguments: Vec<_> =
            ["-f", "s16le", "-ar", &rate, "-ac", "1", "-i"].into_iter().map(Into::into).collect();
        arguments.push(super::ffmpeg::name(&self.file)?);
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn silence_fills_up_to_the_length_of_the_pictures() {
        let folder = TempDir::new().expect("a folder");
        let scratch = Draft::create(&folder.path().join("x.mp4")).and_then(|draft| draft.scratch());
        let mut track = SoundTrack::new(scratch.expect("a file"));
        track.add(&[0.0, 1.0, -2.0]).expect("written");
        let arguments = track.finish(60).expect("written");
        let file = arguments.last().expect("a file").to_string_lossy().replace("file:", "");
        let bytes = fs::read(file).expect("it is there");
        assert_eq!(bytes.len() as u64, 2 * 47_921, "60 frames are 0.99836 s");
        assert_eq!(bytes[..8], [0, 0, 0xFF, 0x7F, 0x01, 0x80, 0, 0]);
        drop(track);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
