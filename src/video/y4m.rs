//! Y4M: uncompressed pictures, one after the other.

use std::io::{self, BufRead, Read};

use thiserror::Error;

use maxout_sight::{MAX_PIXELS, Picture};

/// Bytes of a line of the format.
const MOST_LINE: u64 = 1_000;

/// Why bytes are no Y4M.
#[derive(Debug, Error)]
pub enum Y4mError {
    /// The first line is another.
    #[error("not a Y4M stream, expected YUV4MPEG2 in its first line")]
    Begins,
    /// A part of the first line is wrong or missing.
    #[error("the first line of the Y4M stream has {0}, expected {1}")]
    Header(String, &'static str),
    /// A picture begins with something else.
    #[error("picture {0} of the Y4M stream does not begin with FRAME, expected a whole stream")]
    Frame(u64),
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How colours are sampled.
#[derive(Clone, Copy, Debug)]
enum Colours {
    /// The columns and rows of one sample of chroma, as powers of two.
    Chroma(u32, u32),
    Grey,
}

/// The pictures of a stream. One is in memory at a time.
pub struct Y4m<R> {
    source: R,
    width: usize,
    height: usize,
    /// Pictures a second: numerator and denominator.
    rate: (u64, u64),
    colours: Colours,
    picture: Vec<u8>,
    count: u64,
}

impl<R: BufRead> Y4m<R> {
    /// Reads the first line.
    pub fn new(mut source: R) -> Result<Self, Y4mError> {
        let line = line(&mut source)?;
        let mut parts = line.split(' ');
        if parts.next() != Some("YUV4MPEG2") {
            return Err(Y4mError::Begins);
        }
        let (mut width, mut height, mut rate, mut colours) = (0, 0, (60, 1), Colours::Chroma(1, 1));
        for part in parts {
            let wrong = |expected| Y4mError::Header(format!("\"{}\"", part.escape_debug()), expected);
            let Some(kind) = part.chars().next() else { continue };
            let value = &part[kind.len_utf8()..];
            match kind {
                'W' => width = value.parse().map_err(|_| wrong("a number of columns"))?,
                'H' => height = value.parse().map_err(|_| wrong("a number of rows"))?,
                'F' => {
                    let rates =
                        value.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                    let fits =
                        |rate: &(u64, u64)| rate.0 > 0 && rate.1 > 0 && rate.0 < 1 << 32 && rate.1 < 1 << 32;
                    rate = rates.filter(fits).ok_or_else(|| wrong("pictures a second, such as F60:1"))?;
                }
                'C' => {
                    colours = match value {
                        "420" | "420jpeg" | "420mpeg2" | "420paldv" => Colours::Chroma(1, 1),
                        "422" => Colours::Chroma(1, 0),
                        "444" => Colours::Chroma(0, 0),
                        "411" => Colours::Chroma(2, 0),
                        "mono" => Colours::Grey,
                        _ => return Err(wrong("8 bits of 420, 422, 444, 411 or mono")),
                    };
                }
                _ => {}
            }
        }
        let pixels = usize::checked_mul(width, height).filter(|pixels| (1..=MAX_PIXELS).contains(pixels));
        let Some(pixels) = pixels else {
            return Err(Y4mError::Header(format!("{width} x {height} pixels"), "1 to 16,777,216 in all"));
        };
        let chroma = match colours {
            Colours::Chroma(across, down) => 2 * (width.div_ceil(1 << across) * height.div_ceil(1 << down)),
            Colours::Grey => 0,
        };
        Ok(Self { source, width, height, rate, colours, picture: vec![0; pixels + chroma], count: 0 })
    }

    /// Milliseconds until the next picture.
    pub fn time_ms(&self) -> u64 {
        (u128::from(self.count) * 1000 * u128::from(self.rate.1) / u128::from(self.rate.0)) as u64
    }

    /// The next picture and its time in milliseconds. One that is cut off ends the stream.
    #[expect(clippy::should_implement_trait, reason = "it lends the picture")]
    pub fn next(&mut self) -> Result<Option<(Picture<'_>, u64)>, Y4mError> {
        if self.source.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let line = line(&mut self.source)?;
        if line.split(' ').next() != Some("FRAME") {
            return Err(Y4mError::Frame(self.count));
        }
        match self.source.read_exact(&mut self.picture) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            read => read?,
        }
        let time_ms = self.time_ms();
        self.count += 1;
        let (width, height, bytes) = (self.width, self.height, &*self.picture);
        let picture = match self.colours {
            Colours::Grey => Picture::grey(width, height, bytes),
            Colours::Chroma(across, down) => Picture::yuv(width, height, bytes, across, down),
        };
        Ok(picture.map(|picture| (picture, time_ms)))
    }
}

/// The next line, without its end.
fn line(source: &mut impl BufRead) -> Result<String, Y4mError> {
    let mut bytes = Vec::new();
    source.take(MOST_LINE).read_until(b'\n', &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(bytes: &[u8]) -> Result<usize, String> {
        let mut stream = Y4m::new(bytes).map_err(|error| error.to_string())?;
        let mut count = 0;
        while stream.next().map_err(|error| error.to_string())?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    #[test]
    fn a_stream_is_read_to_its_last_whole_picture() {
        let head = b"YUV4MPEG2 W4 H2 F30000:1001 Ip A1:1 C420jpeg XYSCSS=420JPEG\n".to_vec();
        let frame = [b"FRAME\n".as_slice(), &[7; 12]].concat();
        assert_eq!(count(&head), Ok(0));
        assert_eq!(count(&[head.clone(), frame.repeat(3)].concat()), Ok(3));
        assert_eq!(count(&[head.clone(), frame.repeat(2), frame[..9].to_vec()].concat()), Ok(2));
        let mono = b"YUV4MPEG2 W4 H2 Cmono\nFRAME Ip\n\0\0\0\0\0\0\0\0".to_vec();
        assert_eq!(count(&mono), Ok(1));
    }

    #[test]
    fn a_wrong_stream_is_refused_with_the_reason() {
        for (bytes, reason) in [
            ("", "YUV4MPEG2"),
            ("RIFF", "YUV4MPEG2"),
            ("YUV4MPEG2 W4\n", "4 x 0 pixels"),
            ("YUV4MPEG2 W99999999 H99999999\n", "pixels"),
            ("YUV4MPEG2 Wx H2\n", "columns"),
            ("YUV4MPEG2 W4 H2 F0:1\n", "pictures a second"),
            ("YUV4MPEG2 W4 H2 C420p10\n", "8 bits"),
            ("YUV4MPEG2 W1 H1 Cmono\nFRAMES\n1", "picture 0"),
        ] {
            let error = count(bytes.as_bytes()).expect_err(bytes);
            assert!(error.contains(reason), "{bytes}: {error}");
        }
    }
}
